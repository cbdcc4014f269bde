"""The Macroscope's table besides the lid: the dice, and the guessers in their order."""

from collections.abc import Sequence

from companion.api import Seat
from companion.display.api import (
    BACKGROUND,
    BAD,
    BIG_EM,
    BUTTON_COLOURS,
    HUGE_EM,
    INK,
    PANEL,
    TEXT_EM,
    TITLE_EM,
    Canvas,
    Player,
    Rect,
    Typeface,
    format_signed,
    split_bottom,
    split_grid,
    split_left,
    split_top,
)
from companion.games.macroscope.display.lid import draw_token
from companion.games.macroscope.state import MacroscopeState, _

DICE_COUNT = 2
"""Dice of the game."""
MAX_DIE_SIZE = 34.0
"""Largest side of a die, in units: a third of the screen's height."""
MAX_LISTED_NUMBERS = 3
"""Numbers of tokens that are listed; if there are more, "any" is drawn."""
MIN_LABELLED_HEIGHT = 18.0
"""Height of the numbers' place in units from which they have a label."""
TOKEN_SIZE = 10.5
"""Size of the tokens that may be opened, in units."""
BADGE_SIZE = 6.6
"""Size of the badges of the guessers' order, in units."""
GROUP_GAP = 3.0
"""Room between two groups of the guessers' order, in units."""
MAX_SINGLE_ROW = 3
"""Most guessers that stand side by side; more stand in two rows."""
WINNER_PERCENT = 64
"""Width of the card of the player who was right beside those who were wrong, in percent of the stage's."""
MIN_TALL_CARD = 34.0
"""Height in units from which that card has room for a large name."""
LOSER_ROW_HEIGHT = 13.0
"""Height of a row of those who were wrong, in units, if there is room."""
LONE_LOSER_ROW_HEIGHT = 20.0
"""The same where nobody was right."""
CROSS_SIZE = 26.0
"""Size of the cross where nobody was right, in units."""
TUMBLE_PICTURES = 8
"""Pictures of a die that tumbles."""
TUMBLE_TURNS = 16
"""Pictures that a die shows until it rests."""
TUMBLE_ART_RATIO = 1.3
"""Side of the picture of a die that tumbles, as a multiple of the die's side."""
TUMBLE_TOP_RATIO = 0.57
"""How far such a die reaches above its centre, as a multiple of its side."""

Group = tuple[str, tuple[Seat, ...]]
"""A label with the players to whom it applies."""


def draw_dice(canvas: Canvas, rect: Rect, values: Sequence[int], used: Sequence[bool], tumble: float = 1.0) -> None:
    """Draw the two dice along the longer side of `rect`.

    Args:
        rect: their place in pixels.
        values: the values rolled, 1 to 6, at most two; a die without a value is drawn as an outline.
        used: which dice were used already, in the order of `values`; they are dimmed. A missing entry: not used.
        tumble: how far the dice have come to rest, 0 to 1; before 1 they tumble, and their values do not show.

    Raises:
        KeyError: a value is outside 1 to 6.
    """
    gap = canvas.px(3)
    is_wide = rect.w > rect.h
    size = min(*rect.size, (max(rect.size) - gap) // DICE_COUNT, canvas.px(MAX_DIE_SIZE))
    for i in range(DICE_COUNT):
        value = values[i] if i < len(values) else None
        offset = (2 * i - DICE_COUNT + 1) * (size + gap) // 2
        x, y = (rect.centerx + offset, rect.centery) if is_wide else (rect.centerx, rect.centery + offset)
        if tumble < 1.0:
            side = round(size * TUMBLE_ART_RATIO)
            box = Rect(0, 0, side, side)
            bounce = round(abs((tumble * 3) % 1 - 0.5) * (1 - tumble) * size / 4)
            top = rect.top if is_wide else y - size // 2 - gap // 2
            box.center = (x, max(y - bounce, top + round(size * TUMBLE_TOP_RATIO)))  # else it would be cut off
            # The second die is three pictures ahead: the dice do not turn alike.
            canvas.draw_art(f"die_tumble_{(int(tumble * TUMBLE_TURNS) + 3 * i) % TUMBLE_PICTURES}", box)
            continue
        face = canvas.draw_die(value, (x, y), size, used=i < len(used) and used[i])
        if value is None:
            canvas.draw_text(face, "?", BIG_EM, INK, face=Typeface.DISPLAY, align=0.5)


def draw_takeable(canvas: Canvas, rect: Rect, view: MacroscopeState, *, camera_sees: bool) -> None:
    """Draw the numbers of the tokens that can be taken; "any" if there are more than three.

    Where the camera sees which one is taken, and no key is awaited, it says so; not where there are no keys anyway.

    Args:
        rect: their place in pixels.
        view: what is shown of the game; at least one token can be taken.
        camera_sees: the camera sees which token is taken.
    """
    numbers = view.takeable_tokens
    words = _("Open any") if len(numbers) > MAX_LISTED_NUMBERS else _("Open")
    label, inner = split_top(rect, rect.h * 2 // 5)
    is_keyless_move = camera_sees and canvas.preferences.has_keys and not view.opened_windows
    if is_keyless_move and rect.h >= canvas.px(MIN_LABELLED_HEIGHT):
        words = _("Camera sees it: no key")
        if len(numbers) > MAX_LISTED_NUMBERS:
            canvas.draw_text(rect, words, TEXT_EM, INK, face=Typeface.DISPLAY, align=0.5, max_lines=2)
            return
    if len(numbers) > MAX_LISTED_NUMBERS:
        canvas.draw_text(rect, words, TITLE_EM, INK, face=Typeface.DISPLAY, align=0.5, max_lines=2)
        return
    if rect.h >= canvas.px(MIN_LABELLED_HEIGHT):
        canvas.draw_text(label, words, TEXT_EM, INK, face=Typeface.DISPLAY, align=0.5)
    else:
        inner = rect
    size = min(canvas.px(TOKEN_SIZE), inner.h, inner.w // len(numbers) - canvas.px(1))
    step = size + canvas.px(2)
    left = inner.centerx - step * (len(numbers) - 1) // 2
    for i, number in enumerate(numbers):
        draw_token(canvas, (left + i * step, inner.centery), size, number, can_take=True)


def list_groups(view: MacroscopeState) -> list[Group]:
    """List who has guessed, whose turn to guess it is and who follows, each with a label; the keys show who may.

    Returns:
        The groups that have players, in the order in which they are drawn.
    """
    now = (view.called_seat,) if view.called_seat is not None else ()
    tied = view.pick_candidates
    labelled = (
        (_("Guessed"), view.guessers),
        (_("Now"), now),
        (_("Who first?"), tied),
        (_("Next"), tuple(seat for seat in view.wish_queue if seat not in (*now, *tied))),
    )
    return [(label, seats) for label, seats in labelled if seats]


def draw_guess_order(canvas: Canvas, rect: Rect, groups: Sequence[Group], players: Sequence[Player]) -> None:
    """Draw groups of players, each after its label, in lines that are filled one after the other.

    Args:
        groups: as `list_groups` returns them.

    Raises:
        IndexError: a seat in a group has no player.
    """
    size, gap = canvas.px(BADGE_SIZE), canvas.px(1)
    lines: list[list[tuple[Group, int]]] = [[]]
    left = 0
    for group in groups:
        label, seats = group
        width = canvas.text_width(label, face=Typeface.DISPLAY) + (size + gap) * len(seats) + gap
        if lines[-1] and left + width > rect.w:
            lines.append([])
            left = 0
        lines[-1].append((group, width))
        left += width + canvas.px(GROUP_GAP)
    height = min(rect.h // len(lines), size + canvas.px(1.6))
    size = min(size, height)
    top = rect.top + (rect.h - height * len(lines)) // 2
    for line in lines:
        left = rect.left
        for (label, seats), width in line:
            row = Rect(left, top, width, height)
            drawn = canvas.draw_text(row, label, TEXT_EM, INK, face=Typeface.DISPLAY)
            for i, seat in enumerate(seats):
                centre = (drawn.right + gap + size // 2 + i * (size + gap), row.centery)
                canvas.draw_badge(players[seat].button, centre, size)
            left += width + canvas.px(GROUP_GAP)
        top += height


def draw_guessers(
    canvas: Canvas, rect: Rect, view: MacroscopeState, players: Sequence[Player], reveal: float = 1.0
) -> None:
    """Draw the guessers in order, each with what they win or lose: one may be right. Without guessers draw nothing.

    A touch on a guesser's card presses that player's own button.

    Args:
        reveal: share of them that has appeared, 0 to 1.

    Raises:
        IndexError: a seat in the view has no player.
    """
    guessers = [players[seat] for seat in view.guessers]
    if not guessers:
        return
    columns = min(len(guessers), 2 if canvas.is_portrait else MAX_SINGLE_ROW)
    rows = -(-len(guessers) // columns)
    cells = split_grid(rect, columns, rows, canvas.px(1.6))
    shown = max(1, round(reveal * len(guessers)))
    for player, cell in list(zip(guessers, cells, strict=False))[:shown]:
        canvas.draw_panel(cell, BUTTON_COLOURS[player.button], radius=2.4)
        canvas.add_touch_area(cell, player.button)
        inner = cell.inflate(-2 * canvas.px(2), -2 * canvas.px(1))
        value = f"±{view.guess_value}"  # a plus alone would say that all were right
        if rows > 1:
            place = canvas.draw_badge_left(inner, player.button, min(canvas.px(9), inner.h), BACKGROUND, gap=1.5)
            drawn = canvas.draw_text(place, value, TITLE_EM, BACKGROUND, face=Typeface.DISPLAY, align=1.0)
            place.w = drawn.left - canvas.px(1) - place.left
            canvas.draw_text(place, player.name, TEXT_EM, BACKGROUND, face=Typeface.DISPLAY)
            continue
        name, above = split_bottom(inner, canvas.px(11))
        badge, win = split_left(above, min(above.h, above.w // 3), canvas.px(1))
        canvas.draw_badge(player.button, badge.center, min(badge.size) * 4 // 5, BACKGROUND)
        canvas.draw_text(win, value, HUGE_EM, BACKGROUND, face=Typeface.DISPLAY, align=0.5)
        canvas.draw_text(name, player.name, TITLE_EM, BACKGROUND, face=Typeface.DISPLAY, align=0.5)


def draw_verdict(
    canvas: Canvas, rect: Rect, changes: Sequence[int], players: Sequence[Player], growth: float = 1.0
) -> None:
    """Draw who was right with what they win, large in their colour; beside it, unless upright, what the others lose.

    Args:
        changes: crystals won or lost, by seat; without any, a cross is drawn: nobody was right, and nobody lost.
        players: the players, by seat; as many as `changes`.
        growth: how far the winner's card has grown to its full size, 0 to 1.

    Raises:
        ValueError: there are not as many players as changes.
    """
    listed = list(zip(players, changes, strict=True))
    winners, losers = ([each for each in listed if each[1] * sign > 0] for sign in (1, -1))
    if not winners:
        if not losers:
            canvas.draw_icon("no", rect.center, min(canvas.px(CROSS_SIZE), rect.h), BAD)
        columns = 1 if len(losers) <= MAX_SINGLE_ROW else 2
        _draw_losers(canvas, rect, losers, columns, canvas.px(LONE_LOSER_ROW_HEIGHT))
        return
    if losers and not canvas.is_portrait:
        percent = 50 + (WINNER_PERCENT - 50) * growth
        rect, beside = split_left(rect, round(rect.w * percent / 100), canvas.px(1.6))
        _draw_losers(canvas, beside, losers, 1, canvas.px(LOSER_ROW_HEIGHT))
    ((player, change), *_others) = winners
    canvas.draw_panel(rect, BUTTON_COLOURS[player.button], radius=2.4)
    em = BIG_EM if rect.h >= canvas.px(MIN_TALL_CARD) else TITLE_EM
    name, above = split_bottom(rect.inflate(-2 * canvas.px(3), -2 * canvas.px(1)), canvas.px(em))
    canvas.draw_text(name, player.name, em, BACKGROUND, face=Typeface.DISPLAY, align=0.5)
    badge, win = split_left(above, min(above.h, above.w // 3), canvas.px(1))
    canvas.draw_badge(player.button, badge.center, min(badge.size) * 4 // 5, BACKGROUND)
    canvas.draw_figure(win, format_signed(change), BACKGROUND)


def _draw_losers(
    canvas: Canvas, rect: Rect, losers: Sequence[tuple[Player, int]], columns: int, max_height: int
) -> None:
    """Draw what each loses, in rows of at most that height in pixels."""
    rows = max(1, -(-len(losers) // columns))
    height = min(rect.h, rows * max_height)
    place = Rect(rect.left, rect.centery - height // 2, rect.w, height)
    for (player, change), cell in zip(losers, split_grid(place, columns, rows, canvas.px(0.8)), strict=False):
        canvas.draw_panel(cell, PANEL)
        inner = canvas.draw_badge_left(cell, player.button, min(canvas.px(8), cell.h), margin=1.5, gap=1.5)
        inner.w -= canvas.px(1.5)
        em = next((each for each in (BIG_EM, TITLE_EM) if cell.h >= canvas.px(each + 1)), TEXT_EM)
        drawn = canvas.draw_text(inner, format_signed(change), em, BAD, face=Typeface.TABULAR, align=1.0)
        inner.w = drawn.left - canvas.px(1) - inner.left
        canvas.draw_text(inner, player.name, TITLE_EM if em == BIG_EM else TEXT_EM, INK, face=Typeface.DISPLAY)
