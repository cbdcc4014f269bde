"""Secret Number's cards: the pile face down by owner, the turned cards with ticks and crosses, the game's table."""

from collections.abc import Sequence

from pygame import Rect

from companion.display.toolkit import (
    BACKGROUND,
    BAD,
    BUTTON_COLOURS,
    GOOD,
    INK,
    LINE,
    MUTED,
    PANEL,
    PIECE_RGB,
    RAISED,
    TEXT_EM,
    TITLE_EM,
    Canvas,
    Colour,
    Typeface,
    format_signed,
    split_grid,
    split_left,
    split_right,
    split_rows,
    split_top,
    text_colour_for,
)
from companion.games.secret_number.state import LaidCard, Phase, SecretNumberState
from companion.i18n import N_, Translator
from companion.screen_state import Player

_ = Translator("secret_number")

CARD_ASPECT_RATIO = 0.7
"""Ratio of a card's width to its height."""
MAX_CARD_WIDTH = 15.0
"""Width of a card of the pile at most, in units."""
MAX_REVEALED_CARD_WIDTH = 19.0
"""Width of a card at the reveal at most, in units."""
MIN_CARD_WIDTH_PX = 4
"""Narrowest card: if even that is too large, cards reach beyond their place."""
CARD_GAP = 1.1
"""Room between two cards, in units."""
COLUMN_TITLES = (N_("Cards"), N_("Fastest"), N_("Round"), N_("Display"), N_("Game"))
"""Columns of the game's table: S31 to S34, and their sum."""
CARD_TEXT_RGB = text_colour_for(PIECE_RGB["white"])
"""Colour of text on a white card."""
DIGIT_HEIGHT_EM = 0.76
"""Height of a digit with a little room around it, in em."""


def draw_number(
    canvas: Canvas, rect: Rect, text: str, size: float, colour: Colour = INK, min_size: float = TEXT_EM
) -> None:
    """Draw signs and digits in the middle of `rect`; they have no descenders and can fill its height.

    Args:
        canvas: Where they are drawn.
        rect: Their place in pixels.
        text: Signs and digits.
        size: Largest font size: its em in layout units.
        colour: A tone or a fixed colour (0 to 255).
        min_size: Least font size: its em in layout units.
    """
    size = max(min_size, min(size, rect.h / canvas.unit_px / DIGIT_HEIGHT_EM))
    place = rect.inflate(0, 2 * canvas.px(size * 0.24))
    canvas.draw_text(place, text, size, colour, face=Typeface.DISPLAY, align=0.5)


def lay_out_cards(
    canvas: Canvas, rect: Rect, count: int, max_width: float = MAX_CARD_WIDTH, *, is_centred: bool = False
) -> list[Rect]:
    """Return places for cards in rows, as large as there is room for, up to `max_width`. Nothing is drawn.

    Args:
        canvas: Converts layout units to pixels.
        rect: The area in pixels; rows are centred in its height.
        count: Number of cards; 0 gives an empty list.
        max_width: Width of a card at most, in layout units.
        is_centred: Rows stand in the middle, not at the left.

    Returns:
        Places of equal size in pixels, row by row from the left. They are never narrower than 4 pixels, even if `rect`
        is too small for that.
    """
    gap = canvas.px(CARD_GAP)
    for width in range(max(canvas.px(max_width), MIN_CARD_WIDTH_PX), MIN_CARD_WIDTH_PX - 1, -1):
        height = round(width / CARD_ASPECT_RATIO)
        columns = max(1, (rect.w + gap) // (width + gap))
        rows = -(-count // columns)
        if rows * (height + gap) - gap <= rect.h:
            break
    top = rect.top + max(0, rect.h - rows * (height + gap) + gap) // 2
    left = rect.left
    if is_centred:
        left += max(0, rect.w - min(columns, count) * (width + gap) + gap) // 2
    return [
        Rect(left + i % columns * (width + gap), top + i // columns * (height + gap), width, height)
        for i in range(count)
    ]


def draw_blank_card(canvas: Canvas, rect: Rect, fill: Colour, edge: Colour | None = None) -> None:
    """Draw a card with nothing on it.

    Args:
        canvas: Where it is drawn.
        rect: Its place in pixels.
        fill: A tone or a fixed colour (0 to 255).
        edge: Colour of its edge; None: no edge.

    Raises:
        pygame.error: `rect` is too small, so that a part would have a negative size.
    """
    canvas.draw_panel(rect, fill, edge=edge, radius=1.0)


def draw_white_card(canvas: Canvas, rect: Rect, text: str, size: float) -> None:
    """Draw a white card with a text.

    Args:
        canvas: Where it is drawn.
        rect: Its place in pixels.
        text: The text, in one line.
        size: Largest font size: its em in layout units.

    Raises:
        pygame.error: `rect` is too small, so that a part would have a negative size.
    """
    draw_blank_card(canvas, rect, PIECE_RGB["white"], LINE)
    canvas.draw_text(rect, text, size, CARD_TEXT_RGB, face=Typeface.DISPLAY, align=0.5)


def draw_card_back(canvas: Canvas, rect: Rect, player: Player, *, is_marked: bool = False) -> None:
    """Draw a card face down: the owner's colour and shape.

    Args:
        canvas: Where it is drawn.
        rect: Its place in pixels.
        player: The owner.
        is_marked: The card has a light edge, which reaches a little beyond `rect`.

    Raises:
        pygame.error: `rect` is too small, so that a part would have a negative size.
    """
    if is_marked:
        canvas.draw_panel(rect.inflate(canvas.px(0.9), canvas.px(0.9)), INK, radius=1.2)
        canvas.draw_panel(rect.inflate(-canvas.px(0.3), -canvas.px(0.3)), BACKGROUND, radius=1.0)
        rect = rect.inflate(-canvas.px(0.9), -canvas.px(0.9))
    draw_blank_card(canvas, rect, BUTTON_COLOURS[player.button])
    canvas.draw_badge(player.button, rect.center, min(rect.w * 7 // 10, rect.h // 2), BACKGROUND)


def draw_card_face(canvas: Canvas, rect: Rect, player: Player, card: LaidCard) -> None:
    """Draw a turned card: whose it is, right or wrong, and its points; never its number.

    Args:
        canvas: Where it is drawn.
        rect: Its place in pixels.
        player: The owner.
        card: The card; one that was not judged yet is drawn as wrong.

    Raises:
        pygame.error: `rect` is too small, so that a part would have a negative size.
    """
    is_right = card.is_right is True
    draw_blank_card(canvas, rect, RAISED, GOOD if is_right else None)
    size = min(rect.w * 44 // 100, rect.h * 40 // 100)
    middle, offset = rect.top + rect.h * 28 // 100, rect.w * 24 // 100
    canvas.draw_badge(player.button, (rect.centerx - offset, middle), size)
    icon, colour = ("ok", GOOD) if is_right else ("no", BAD)
    canvas.draw_icon(icon, (rect.centerx + offset, middle), size * 9 // 10, colour)
    foot = Rect(rect.left, rect.top + rect.h * 52 // 100, rect.w, rect.h * 42 // 100)
    draw_number(canvas, foot, format_signed(card.points), min(TITLE_EM, foot.h / canvas.unit_px), colour)


def draw_round_card(canvas: Canvas, rect: Rect, round_number: int, bonus: int) -> None:
    """Draw a round card: its number, and the bonus of a right card in that round.

    Args:
        canvas: Where it is drawn.
        rect: Its place in pixels.
        round_number: Number of the round, from 1.
        bonus: Points that a right card gets besides its own in that round.

    Raises:
        pygame.error: `rect` is too small, so that a part would have a negative size.
    """
    draw_blank_card(canvas, rect, BACKGROUND, LINE)
    inner = rect.inflate(-canvas.px(1), -canvas.px(1))
    upper, lower = split_top(inner, inner.h * 58 // 100)
    size = min(TITLE_EM, upper.h / canvas.unit_px)
    canvas.draw_text(upper, str(round_number), size, face=Typeface.DISPLAY, align=0.5)
    size = min(TEXT_EM, max(TEXT_EM, lower.h / canvas.unit_px))
    canvas.draw_text(lower, format_signed(bonus), size, MUTED, align=0.5)


def draw_pile(canvas: Canvas, rect: Rect, view: SecretNumberState, players: Sequence[Player]) -> None:
    """Draw the pile of the current round, the lowest card first: only whose cards they are (S22).

    Args:
        canvas: Where it is drawn, while a region is painted.
        rect: Its place in pixels.
        view: What is shown of the game.
        players: The players, by seat.

    Raises:
        IndexError: A seat in the view has no player.
        pygame.error: `rect` is too small, so that a part would have a negative size.
    """
    cards = [card for card in view.laid_cards if card.round_number == view.round_number]
    inner = canvas.draw_panel(rect, PANEL, radius=2.0, padding=(3, 2.4))
    if not cards:
        canvas.draw_text(inner, _("No card on the pile yet"), TEXT_EM, MUTED, align=0.5)
        return
    count, row = split_right(inner, canvas.px(12), canvas.px(1.5))
    upper = split_top(count, count.h * 62 // 100)[0]
    digits = canvas.draw_text(upper, str(len(cards)), TITLE_EM, face=Typeface.DISPLAY, align=0.5)
    under = split_top(count, digits.bottom + canvas.px(0.6) - count.top)[1]
    canvas.draw_text(under, _.plural("card", "cards", len(cards)), TEXT_EM, MUTED, align=0.5, vertical_align=0.2)
    for i, (card, slot) in enumerate(zip(cards, lay_out_cards(canvas, row, len(cards)), strict=True)):
        draw_card_back(canvas, slot, players[card.seat], is_marked=i == len(cards) - 1)


def draw_reveal(canvas: Canvas, rect: Rect, view: SecretNumberState, players: Sequence[Player]) -> None:
    """Draw all cards of the game behind their round cards: turned ones with their points, the next one marked.

    Args:
        canvas: Where it is drawn, while a region is painted.
        rect: Its place in pixels.
        view: What is shown of the game.
        players: The players, by seat.

    Raises:
        IndexError: A seat in the view has no player.
        pygame.error: `rect` is too small, so that a part would have a negative size.
    """
    played = {card.round_number for card in view.laid_cards}
    rounds = [r for r in range(1, len(view.settings.round_bonus) + 1) if r in played]
    if not rounds:
        canvas.draw_text(rect, _("No card was laid"), TEXT_EM, MUTED, align=0.5)
    count = len(view.laid_cards) + len(rounds)
    slots = iter(lay_out_cards(canvas, rect, count, MAX_REVEALED_CARD_WIDTH, is_centred=True))
    index = 0
    for r in rounds:
        draw_round_card(canvas, next(slots), r, view.settings.round_bonus[r - 1])
        for card in (c for c in view.laid_cards if c.round_number == r):
            if index < len(view.cards_right):
                draw_card_face(canvas, next(slots), players[card.seat], card)
            else:
                draw_card_back(canvas, next(slots), players[card.seat], is_marked=index == len(view.cards_right))
            index += 1


def draw_reveal_help(canvas: Canvas, rect: Rect, view: SecretNumberState, players: Sequence[Player]) -> None:
    """Draw help for the reveal: who has the fastest card, how to correct a pile (S25), where the bonus is (S34).

    Args:
        canvas: Where it is drawn, while a region is painted.
        rect: Its place in pixels.
        view: What is shown of the game.
        players: The players, by seat.

    Raises:
        IndexError: A seat in the view has no player.
        pygame.error: `rect` is too small, so that a part would have a negative size.
    """
    inner = canvas.draw_panel(rect, PANEL, padding=(3, 1))
    match view.phase:
        case Phase.FIX:
            text = _("Press your button: your card lies before the marked one")
            if view.next_card is None:
                text = _("Press your button: your card lies at the end")
            if not view.seats_able_to_insert:
                text = _("All answer cards lie in the pile")
            canvas.draw_text(inner, text, TEXT_EM, max_lines=2)
        case Phase.BONUS if view.settings.bonus_table:
            _draw_bonus_table(canvas, inner, view)
        case Phase.BONUS:
            text = _("The bonus is on your display card: press 1, 2 or 3")
            canvas.draw_text(inner, text, TEXT_EM, max_lines=2)
        case _ if not view.cards_right:
            text = _("This pile onto the others, turn all over as one block: the first card lies on top")
            canvas.draw_text(inner, text, TEXT_EM, max_lines=2)
        case _:
            text = _("Fastest card {points}:", points=format_signed(view.settings.fastest_bonus))
            label = canvas.draw_text(inner, text, TEXT_EM, MUTED)
            rest = split_left(inner, label.w, canvas.px(2))[1]
            name, tone = _("nobody yet"), MUTED
            if view.fastest_seat is not None:
                player = players[view.fastest_seat]
                name, tone = player.name, INK
                rest = canvas.draw_badge_left(rest, player.button, min(canvas.px(5.6), inner.h), gap=1.5)
            canvas.draw_text(rest, name, TEXT_EM, tone, face=Typeface.DISPLAY)


def _draw_bonus_table(canvas: Canvas, rect: Rect, view: SecretNumberState) -> None:
    """Draw which results give which bonus, for display cards that do not say it."""
    listed = [" ".join(map(str, results)) or "–" for _bonus, results in view.settings.bonus_table]
    cells = split_grid(rect, len(listed), 1, 0)
    size = canvas.find_common_size(listed, TEXT_EM, (cells[0].w - canvas.px(11), rect.h))
    for (bonus, _results), results, cell in zip(view.settings.bonus_table, listed, cells, strict=True):
        drawn = canvas.draw_text(cell, format_signed(bonus), TEXT_EM, GOOD, face=Typeface.DISPLAY)
        rest = split_left(cell, drawn.w, canvas.px(1.2))[1]
        rest.w = cell.right - drawn.right - canvas.px(2.2)
        canvas.draw_text(rest, results, size, max_lines=2)


def draw_score_table(canvas: Canvas, rect: Rect, view: SecretNumberState, players: Sequence[Player]) -> None:
    """Draw the points that the game brought each player, and their sum (S31 to S34).

    Args:
        canvas: Where it is drawn, while a region is painted.
        rect: Its place in pixels.
        view: What is shown of the game.
        players: The players, by seat.

    Raises:
        IndexError: A seat in the view has no player.
        pygame.error: `rect` is too small, so that a part would have a negative size.
    """
    head, body = split_top(rect, canvas.px(6))
    badge_width = canvas.px(8)

    def split_columns(row: Rect) -> list[Rect]:
        return split_grid(split_left(row, badge_width + canvas.px(3))[1], len(COLUMN_TITLES), 1, 0)

    for title, cell in zip(COLUMN_TITLES, split_columns(head), strict=True):
        canvas.draw_text(cell, _(title), TEXT_EM, MUTED, align=0.5)
    for player, row in zip(players, split_rows(body, len(players), canvas.px(0.7), canvas.px(15)), strict=True):
        canvas.draw_panel(row, PANEL)
        centre = (row.left + canvas.px(1.5) + badge_width // 2, row.centery)
        canvas.draw_badge(player.button, centre, min(badge_width, row.h - canvas.px(2)))
        tally = view.tallies[player.seat]
        parts = (tally.card_points, tally.fastest_points, tally.round_points, tally.display_points)
        *cells, last = split_columns(row)
        for points, cell in zip(parts, cells, strict=True):
            draw_number(canvas, cell, format_signed(points), TEXT_EM, INK if points else MUTED)
        tone = GOOD if tally.total > 0 else BAD if tally.total < 0 else INK
        draw_number(canvas, last, format_signed(tally.total), TITLE_EM, tone)
