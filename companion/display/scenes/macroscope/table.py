"""The Macroscope's table besides the lid: the dice, and the guessers in their order."""

from collections.abc import Sequence

from pygame import Rect

from companion.display.scenes.macroscope.lid import draw_token
from companion.display.toolkit import (
    BUTTON_COLOURS,
    INK,
    LINE,
    MUTED,
    PANEL,
    TEXT_EM,
    TITLE_EM,
    Canvas,
    Typeface,
    split_grid,
    split_left,
    split_rows,
    split_top,
)
from companion.games.api.game import Seat
from companion.games.macroscope.state import MacroscopeState
from companion.i18n import Translator
from companion.screen_state import Player

_ = Translator("macroscope")

DICE_COUNT = 2
"""Dice of the game."""
MAX_LISTED_NUMBERS = 3
"""Numbers of tokens that are listed; if there are more, "any" is drawn."""
GROUP_LABEL_HEIGHT = 5.0
"""Height of a group's label over its badges, in units."""
GROUP_GAP = 1.4
"""Room between two groups, in units."""
MAX_GROUP_HEIGHT = 12.0
"""Height at most of a group with its badges beside the label, in units."""
MAX_SINGLE_COLUMN = 3
"""Most guessers that stand one under the other; more stand in two columns."""

Groups = Sequence[tuple[str, tuple[Seat, ...]]]
"""Labels with the players to whom they apply."""


def draw_dice(canvas: Canvas, rect: Rect, values: Sequence[int], used: Sequence[bool]) -> None:
    """Draw the two dice along the longer side of `rect`.

    Args:
        canvas: Where they are drawn, while a region is painted.
        rect: Their place in pixels.
        values: The values rolled, 1 to 6, at most two; a die without a value is drawn as an outline.
        used: Which dice were used already, in the order of `values`; they are dimmed. A missing entry: not used.

    Raises:
        KeyError: A value is outside 1 to 6.
        pygame.error: `rect` is too small, so that a part would have a negative size.
    """
    gap = canvas.px(3)
    is_wide = rect.w > rect.h
    size = min(*rect.size, (max(rect.size) - gap) // DICE_COUNT)
    for i in range(DICE_COUNT):
        value = values[i] if i < len(values) else None
        offset = (2 * i - DICE_COUNT + 1) * (size + gap) // 2
        centre = (rect.centerx + offset, rect.centery) if is_wide else (rect.centerx, rect.centery + offset)
        face = canvas.draw_die(value, centre, size, used=i < len(used) and used[i])
        if value is None:
            canvas.draw_text(face, "?", 12, LINE, face=Typeface.DISPLAY, align=0.5)


def draw_takeable(canvas: Canvas, rect: Rect, view: MacroscopeState) -> None:
    """Draw the numbers of the tokens that can be taken; "any" if there are more than three.

    Args:
        canvas: Where they are drawn, while a region is painted.
        rect: Their place in pixels.
        view: What is shown of the game; at least one token can be taken.

    Raises:
        ZeroDivisionError: No token can be taken.
        pygame.error: `rect` is too small, so that a part would have a negative size.
    """
    canvas.draw_panel(rect, PANEL)
    area = Rect(rect.left, rect.top + canvas.px(0.8), rect.w, rect.h - canvas.px(0.8) - canvas.px(1.2))
    label, inner = split_top(area.inflate(-2 * canvas.px(1.4), 0), canvas.px(5))
    canvas.draw_text(label, _("Open"), TEXT_EM, MUTED, align=0.5)
    numbers = view.takeable_tokens
    if len(numbers) > MAX_LISTED_NUMBERS:
        canvas.draw_text(inner, _("any"), TITLE_EM, face=Typeface.DISPLAY, align=0.5)
        return
    step = inner.w // len(numbers)
    size = min(canvas.px(9.4), inner.h, step - canvas.px(0.6))
    left = inner.centerx - step * (len(numbers) - 1) // 2
    for i, number in enumerate(numbers):
        draw_token(canvas, (left + i * step, inner.centery), size, number, can_take=True)


def draw_guess_order(canvas: Canvas, rect: Rect, view: MacroscopeState, players: Sequence[Player]) -> None:
    """Draw who has guessed, whose turn to guess it is, who follows, and who can still press.

    Args:
        canvas: Where it is drawn, while a region is painted.
        rect: Its place in pixels.
        view: What is shown of the game.
        players: The players, by seat.

    Raises:
        IndexError: A seat in the view has no player.
        pygame.error: `rect` is too small, so that a part would have a negative size.
    """
    inner = canvas.draw_panel(rect, PANEL, padding=(3, 2.4))
    now = (view.called_seat,) if view.called_seat is not None else ()
    tied = view.pick_candidates
    labelled = (
        (_("Guessed"), view.guessers),
        (_("Now"), now),
        (_("Who first?"), tied),
        (_("Then"), tuple(seat for seat in view.wish_queue if seat not in (*now, *tied))),
        (_("May press"), tuple(seat for seat in view.may_wish if seat not in view.wish_queue)),
    )
    groups = [(label, seats) for label, seats in labelled if seats]
    if not groups:
        canvas.draw_text(inner, _("Nobody can guess"), TEXT_EM, MUTED, max_lines=3, align=0.5)
        return
    label_width, row_step = _measure_rows(canvas, inner, groups)
    column_step = _measure_column(canvas, inner, groups)
    if row_step > column_step:
        _draw_groups_in_rows(canvas, inner, groups, players, label_width, row_step)
    else:
        _draw_groups_in_column(canvas, inner, groups, players, column_step)


def _draw_label(canvas: Canvas, rect: Rect, label: str) -> None:
    """Draw the label of a group, emphasised for those whose turn it is."""
    canvas.draw_text(rect, label, TEXT_EM, INK if label in (_("Now"), _("Who first?")) else MUTED)


def _draw_groups_in_rows(
    canvas: Canvas, rect: Rect, groups: Groups, players: Sequence[Player], label_width: int, step: int
) -> None:
    """Draw each group's badges beside its label, `step` pixels apart."""
    rows = split_rows(rect, len(groups), canvas.px(1), canvas.px(MAX_GROUP_HEIGHT))
    for (label, seats), row in zip(groups, rows, strict=True):
        place, badges = split_left(row, label_width)
        _draw_label(canvas, place, label)
        for i, seat in enumerate(seats):
            centre = (badges.left + i * step + step // 2, row.centery)
            canvas.draw_badge(players[seat].button, centre, step - canvas.px(0.8))


def _measure_rows(canvas: Canvas, rect: Rect, groups: Groups) -> tuple[int, int]:
    """Return the width of the labels and the distance of badges in pixels, if each group takes one row."""
    size = canvas.px(TEXT_EM)
    widths = [canvas.fonts.measure_width(label, Typeface.TEXT, size) for label, _seats in groups]
    label_width = max(widths) + canvas.px(2)
    most = max(len(seats) for _label, seats in groups)
    height = split_rows(rect, len(groups), canvas.px(1), canvas.px(MAX_GROUP_HEIGHT))[0].h
    return label_width, min(height + canvas.px(0.8), (rect.w - label_width) // most)


def _draw_groups_in_column(canvas: Canvas, rect: Rect, groups: Groups, players: Sequence[Player], step: int) -> None:
    """Draw each group's badges below its label, `step` pixels apart."""
    size, columns = step - canvas.px(0.8), max(1, rect.w // step)
    rest = rect
    for label, seats in groups:
        place, rest = split_top(rest, canvas.px(GROUP_LABEL_HEIGHT))
        _draw_label(canvas, place, label)
        for i, seat in enumerate(seats):
            centre = (rest.left + i % columns * step + size // 2, rest.top + i // columns * step + size // 2)
            canvas.draw_badge(players[seat].button, centre, size)
        rest = split_top(rest, -(-len(seats) // columns) * step, canvas.px(GROUP_GAP))[1]


def _measure_column(canvas: Canvas, rect: Rect, groups: Groups) -> int:
    """Return the largest distance of badges in pixels at which all groups fit below their labels; 0: none."""
    head = canvas.px(GROUP_LABEL_HEIGHT) + canvas.px(GROUP_GAP)
    for step in range(canvas.px(10), canvas.px(4), -1):
        columns = max(1, rect.w // step)
        if sum(head - (-len(seats) // columns) * step for _label, seats in groups) <= rect.h:
            return step
    return 0


def draw_guessers(canvas: Canvas, rect: Rect, view: MacroscopeState, players: Sequence[Player]) -> None:
    """Draw the guessers in order, as large as there is room: one of them may be right. Without guessers draw nothing.

    Args:
        canvas: Where it is drawn, while a region is painted.
        rect: Its place in pixels.
        view: What is shown of the game.
        players: The players, by seat.

    Raises:
        IndexError: A seat in the view has no player.
        pygame.error: `rect` is too small, so that a part would have a negative size.
    """
    guessers = [players[seat] for seat in view.guessers]
    columns = 1 if len(guessers) <= MAX_SINGLE_COLUMN else 2
    rows = -(-len(guessers) // columns)
    padding = canvas.px(2)
    cells = split_grid(rect, columns, rows, canvas.px(1.6), canvas.px(26))
    for i, player in enumerate(guessers):
        column, row = divmod(i, rows)
        cell = cells[row * columns + column]
        canvas.draw_panel(cell, PANEL, edge=BUTTON_COLOURS[player.button], radius=2.4)
        inner = cell.inflate(-2 * padding, -2 * padding)
        if columns == 1:
            size = min(canvas.px(12), inner.h)
            place = canvas.draw_badge_left(inner, player.button, size, gap=2)
            largest, align = TITLE_EM, 0.0
        else:
            size = min(canvas.px(8), inner.h * 55 // 100)
            canvas.draw_badge(player.button, (inner.centerx, inner.top + size // 2), size)
            place, largest, align = split_top(inner, size)[1], TEXT_EM, 0.5
        em = canvas.find_common_size([p.name for p in guessers], largest, place.size, Typeface.DISPLAY)
        canvas.draw_text(place, player.name, em, face=Typeface.DISPLAY, align=align)
