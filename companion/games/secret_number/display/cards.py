"""Secret Number's cards: the pile face down by owner, the turned cards with ticks and crosses, the game's table."""

from collections.abc import Sequence

from companion.api import N_, Seat, format_number
from companion.display.api import (
    BACKGROUND,
    BAD,
    BIG_EM,
    BUTTON_COLOURS,
    GOOD,
    INK,
    LINE,
    MUTED,
    PANEL,
    TEXT_EM,
    TITLE_EM,
    Canvas,
    Colour,
    Player,
    Rect,
    Typeface,
    format_signed,
    split_grid,
    split_left,
    split_right,
    split_rows,
    split_top,
)
from companion.display.toolkit import PIECE_RGB, text_colour_for
from companion.games.secret_number.scoring import LaidCard
from companion.games.secret_number.state import SecretNumberState, _

CARD_ASPECT_RATIO = 0.7
"""Ratio of a card's width to its height."""
MAX_CARD_WIDTH = 15.0
"""Width of a card of the pile at most, in units."""
MIN_CARD_WIDTH_PX = 4
"""Narrowest card: if even that is too large, cards reach beyond their place."""
CARD_GAP = 1.1
"""Room between two cards, in units."""
COLUMN_TITLES = (N_("Cards"), N_("Fastest"), N_("Round"), N_("Display"), N_("Game"))
"""Columns of the game's table: S31 to S34, and their sum."""
TITLES_HEIGHT = 7.4
"""Height of these titles, in units."""
MAX_ROW_HEIGHT = 18.0
"""Height of a player's row of the table at most, in units."""
MIN_TALL_HEIGHT = 11.0
"""Height of such a row from which all its points have a title's size, in units."""
MAX_PILE_CARDS = 8
"""Cards of the pile that are drawn at most: more would be too small to be seen from afar."""
PILE_NOTES_WIDTH = 56.0
"""Width of the notes beside the pile, in units."""
CARD_TEXT_RGB = text_colour_for(PIECE_RGB["white"])
"""Colour of text on a white card."""
MIN_POINTS_CARD_HEIGHT = 16.0
"""Height in units from which a turned card shows its points."""


def lay_out_cards(
    canvas: Canvas, rect: Rect, count: int, max_width: float = MAX_CARD_WIDTH, *, is_centred: bool = False
) -> list[Rect]:
    """Return places for cards in rows, as large as there is room for, up to `max_width`. Nothing is drawn.

    Args:
        canvas: converts layout units to pixels.
        rect: the area in pixels; rows are centred in its height.
        count: number of cards; 0 gives an empty list.
        max_width: width of a card at most, in layout units.
        is_centred: rows stand in the middle, not at the left.

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
        fill: a tone or a fixed colour (0 to 255).
        edge: colour of its edge; None: no edge.
    """
    canvas.draw_panel(rect, fill, edge=edge, radius=1.0)


def draw_white_card(canvas: Canvas, rect: Rect, text: str, size: float) -> None:
    """Draw a white card with a text.

    Args:
        text: the text, in one line.
        size: largest font size: its em in layout units.
    """
    draw_blank_card(canvas, rect, PIECE_RGB["white"], LINE)
    canvas.draw_text(rect, text, size, CARD_TEXT_RGB, face=Typeface.DISPLAY, align=0.5)


def draw_card_back(canvas: Canvas, rect: Rect, player: Player, *, is_marked: bool = False) -> None:
    """Draw a card face down: the owner's colour and shape.

    Args:
        player: the owner.
        is_marked: the card has a light edge, which reaches a little beyond `rect`.
    """
    if is_marked:
        canvas.draw_panel(rect.inflate(canvas.px(0.9), canvas.px(0.9)), INK, radius=1.2)
        canvas.draw_panel(rect.inflate(-canvas.px(0.3), -canvas.px(0.3)), BACKGROUND, radius=1.0)
        rect = rect.inflate(-canvas.px(0.9), -canvas.px(0.9))
    draw_blank_card(canvas, rect, BUTTON_COLOURS[player.button])
    canvas.draw_badge(player.button, rect.center, min(rect.w * 7 // 10, rect.h // 2), BACKGROUND)


def draw_card_face(canvas: Canvas, rect: Rect, player: Player, card: LaidCard) -> None:
    """Draw a turned card: whose it is, right or wrong, and its points if there is room; never its number.

    Args:
        player: the owner.
        card: the card; one that was not judged yet is drawn as wrong.
    """
    is_right = card.is_right is True
    icon, colour = ("ok", GOOD) if is_right else ("no", BAD)
    draw_blank_card(canvas, rect, PANEL, colour if is_right else None)
    has_points = rect.h >= canvas.px(MIN_POINTS_CARD_HEIGHT)
    upper = split_top(rect, rect.h // 2 if has_points else rect.h)[0]
    size = min(upper.w * 44 // 100, upper.h * 80 // 100)
    offset = rect.w * 24 // 100
    canvas.draw_badge(player.button, (rect.centerx - offset, upper.centery), size)
    canvas.draw_icon(icon, (rect.centerx + offset, upper.centery), size * 9 // 10, colour)
    if has_points:
        foot = Rect(rect.left, upper.bottom, rect.w, rect.bottom - upper.bottom)
        points = format_signed(card.points)
        canvas.draw_text(foot, points, TEXT_EM, colour, face=Typeface.DISPLAY, align=0.5)


def draw_round_card(canvas: Canvas, rect: Rect, round_number: int, bonus: int) -> None:
    """Draw a round card: its number, with room the round's bonus under it, or nothing if there is no room for it.

    Args:
        round_number: number of the round, from 1.
        bonus: points that a right card of the round brings besides its own (S33).
    """
    draw_blank_card(canvas, rect, BACKGROUND, INK)
    if rect.h >= canvas.px(MIN_POINTS_CARD_HEIGHT):
        number, foot = split_top(rect, rect.h * 6 // 10)
        canvas.draw_text(number, str(round_number), BIG_EM, face=Typeface.DISPLAY, align=0.5, vertical_align=0.8)
        canvas.draw_text(foot, format_signed(bonus), TITLE_EM, INK, face=Typeface.DISPLAY, align=0.5)
    elif rect.w >= canvas.px(TEXT_EM) * 2 // 3 and rect.h >= canvas.px(TEXT_EM):
        canvas.draw_text(rect, str(round_number), TEXT_EM, face=Typeface.DISPLAY, align=0.5)


def draw_pile(canvas: Canvas, rect: Rect, view: SecretNumberState, players: Sequence[Player]) -> None:
    """Draw the upper cards of the pile of the current round, the highest last: only whose cards they are (S22).

    Raises:
        IndexError: a seat in the view has no player.
    """
    cards = [card for card in view.laid_cards if card.round_number == view.round_number]
    if not cards:
        canvas.draw_text(rect, _("No card on the pile yet"), TEXT_EM, INK, face=Typeface.DISPLAY, align=0.5)
        return
    beside, row = split_right(rect, canvas.px(PILE_NOTES_WIDTH), canvas.px(1.5))
    shown = cards[-MAX_PILE_CARDS:]
    for card, slot in zip(shown, lay_out_cards(canvas, row, len(shown)), strict=True):
        draw_card_back(canvas, slot, players[card.seat], is_marked=card is shown[-1])
    notes = _list_pile_notes(view, len(cards))
    for (seats, words), line in zip(notes, split_rows(beside, len(notes), 0, canvas.px(TITLE_EM)), strict=True):
        drawn = canvas.draw_text(line, words, TEXT_EM, INK, face=Typeface.DISPLAY, align=1.0)
        size, gap = canvas.px(5.4), canvas.px(0.8)
        for n, seat in enumerate(reversed(seats)):
            centre = (drawn.left - gap - size // 2 - n * (size + gap), line.centery)
            canvas.draw_badge(players[seat].button, centre, size)


def _list_pile_notes(view: SecretNumberState, count: int) -> list[tuple[Sequence[Seat], str]]:
    """List how many cards lie on the pile, and whose keys do nothing now and why (S21, S22); two lines at most."""
    top = view.current_pile[-1]
    has_none = [q for q in view.active_seats if view.count_cards_laid(q) >= view.hand_size]
    notes: list[tuple[Sequence[Seat], str]] = [((), _.plural("{n} card", "{n} cards", count))]
    if top not in has_none:
        notes.append(((top,), _("waits: own card on top")))
    if has_none:
        notes.append((has_none, _("no cards left")))
    return notes[-2:]


def draw_score_table(
    canvas: Canvas,
    rect: Rect,
    view: SecretNumberState,
    players: Sequence[Player],
    scores: Sequence[int],
    count: float = 1.0,
) -> None:
    """Draw the points that the game brought each player, their sum (S31 to S34), and the scores.

    Args:
        scores: the points of the players, by seat.
        count: how far the scores have counted up, 0 to 1.

    Raises:
        IndexError: a seat in the view has no player.
    """
    head, body = split_top(rect, canvas.px(TITLES_HEIGHT))
    name_width = canvas.px(9 if canvas.is_portrait else 34)
    titles = (*COLUMN_TITLES, _("Total"))

    def split_cells(row: Rect) -> list[Rect]:
        return split_grid(split_left(row, name_width, canvas.px(1))[1], len(titles), 1, 0)

    for title, cell in zip(titles, split_cells(head), strict=True):
        canvas.draw_text(cell, _(title), TEXT_EM, INK, face=Typeface.DISPLAY, align=0.5)
    for player, row in zip(
        players, split_rows(body, len(players), canvas.px(0.7), canvas.px(MAX_ROW_HEIGHT)), strict=True
    ):
        canvas.draw_panel(row, PANEL)
        beside = canvas.draw_badge_left(row, player.button, min(canvas.px(7), row.h), margin=1, gap=1.2)
        if not canvas.is_portrait:
            beside.w = row.left + name_width - beside.left
            canvas.draw_text(beside, player.name, TEXT_EM, INK, face=Typeface.DISPLAY)
        em = TITLE_EM if row.h >= canvas.px(MIN_TALL_HEIGHT) and not canvas.is_portrait else TEXT_EM
        tally = view.tallies[player.seat]
        parts = (tally.card_points, tally.fastest_points, tally.round_points, tally.display_points)
        *cells, sum_cell, total_cell = split_cells(row)
        for points, cell in zip(parts, cells, strict=True):
            tone = INK if points else MUTED
            canvas.draw_text(cell, format_signed(points), em, tone, face=Typeface.TABULAR, align=0.5)
        tone = GOOD if tally.total > 0 else BAD if tally.total < 0 else INK
        # The sum stands beside its parts: it is right at once, and the score alone counts.
        canvas.draw_text(sum_cell, format_signed(tally.total), TITLE_EM, tone, face=Typeface.TABULAR, align=0.5)
        score = scores[player.seat] - round(tally.total * (1.0 - count))
        canvas.draw_text(total_cell, format_number(score), TITLE_EM, INK, face=Typeface.TABULAR, align=0.5)
