"""Score cards: where scores are the point, a large card for each player or team takes the place of the strip."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from companion.display.toolkit import (
    BACKGROUND,
    BUTTON_COLOURS,
    GAP,
    INK,
    MUTED,
    PANEL,
    RAISED,
    TEXT_EM,
    WARN,
    Canvas,
    Rect,
    RegionCell,
    Typeface,
    split_bottom,
    split_grid,
    split_right,
    split_top,
)
from companion.i18n import format_number
from companion.screen_state import Player

NAME_HEIGHT = 8.0
"""Height of the band with badge and name, in units."""
NOTE_HEIGHT = 6.6
"""Height of the line under the score, in units."""
MIN_KEPT_HEIGHT = 34.0
"""Least height of a card with a line over the score, in units; on a lower one it stands before the note."""
MIN_SCORE_HEIGHT = 8.0
"""Least height of the place of the score, in units, where what is kept takes more than one line."""
MAX_KEPT_LINES = 3
"""Most lines of what is kept, or of it and the note where they stand together."""
BADGE_SIZE = 5.8
"""Size of the badges in the bands, in units."""
CROWN_SIZE = 5.0
"""Size of the leaders' crown, in units."""
COUNT_SECONDS = 0.6
"""Time in which a score counts to its new value."""
ROW_COUNTS = {5: 2, 6: 2}
"""Rows of cards by their number; others stand in one row."""


@dataclass(frozen=True, slots=True)
class ScoreCard:
    """All that the card of a player or a team shows.

    Attributes:
        players: the player, or both of a team.
        note: the line under the score; empty: none.
        has_turn: somebody of the card has the turn.
        figure: what stands large in place of the score; empty: the score.
        kept: the line over the score, such as what the player has; empty: none.
    """

    players: tuple[Player, ...]
    score: int
    note: str = ""
    is_leader: bool = False
    has_turn: bool = False
    figure: str = ""
    kept: str = ""


@dataclass(frozen=True, slots=True)
class _CardStyle:
    """What is the same on all cards: the lines under and over the score, and the font size of the scores in units."""

    note_lines: int
    kept_lines: int
    em: float


def split_score_cards(canvas: Canvas, rect: Rect, count: int, *, is_low: bool = False) -> Sequence[Rect]:
    """Return the places of score cards, in pixels, row by row.

    Args:
        rect: the place of all, in pixels.
        count: number of cards, 1 to 6.
        is_low: the place is low: the cards stand in fewer rows.
    """
    rows = 1 if is_low else ROW_COUNTS.get(count, 1)
    if canvas.is_portrait:
        rows = count if count <= 3 and not is_low else -(-count // (3 if is_low else 2))
    return split_grid(rect, -(-count // rows), rows, canvas.px(GAP))


def draw_score_cards(
    canvas: Canvas, rect: Rect, places: Sequence[Rect], cards: Sequence[ScoreCard], max_em: float
) -> None:
    """Draw score cards as the region "scores"; a score counts to its new value.

    Args:
        rect: the place of all, in pixels.
        places: the place of each (`split_score_cards`).
        cards: the cards, at least one.
        max_em: largest font size of the scores, in units; all have the same.
    """
    if places[0].h < canvas.px(MIN_KEPT_HEIGHT):
        cards = [
            replace(card, kept="", note=" · ".join(filter(None, (card.kept, card.note)))) if card.kept else card
            for card in cards
        ]
    note_lines = int(any(card.note for card in cards))
    kept_lines = _count_lines(canvas, places[0], [card.kept for card in cards], note_lines)
    if not kept_lines:
        note_lines = _count_lines(canvas, places[0], [card.note for card in cards], 0)
    inner = _get_score_room(canvas, places[0], note_lines, kept_lines)
    room = (inner.w - 2 * canvas.px(1), inner.h)
    em = canvas.find_common_size(
        [card.figure or format_number(card.score) for card in cards], max_em, room, Typeface.DISPLAY
    )
    style = _CardStyle(note_lines, kept_lines, em)
    cells = []
    for card, place in zip(cards, places, strict=False):
        points = round(canvas.timeline.follow(f"score {card.players[0].seat}", card.score, COUNT_SECONDS))
        cells.append(RegionCell(place, (card, points, style), partial(_draw_card, canvas, place, card, points, style)))
    canvas.draw_cells("scores", rect, cells)


def _count_lines(canvas: Canvas, rect: Rect, texts: Sequence[str], other_lines: int) -> int:
    """Return how many lines the longest text takes on a card, as far as the score keeps its place; 0: all are empty."""
    if not any(texts):
        return 0
    room = rect.h - canvas.px(NAME_HEIGHT + MIN_SCORE_HEIGHT)
    most = min(MAX_KEPT_LINES, room // canvas.line_px(NOTE_HEIGHT) - other_lines)
    fitting = (n for n in range(1, most) if all(canvas.min_text_width(t, n, Typeface.DISPLAY) <= rect.w for t in texts))
    return next(fitting, max(1, most))


def _get_score_room(canvas: Canvas, rect: Rect, note_lines: int, kept_lines: int) -> Rect:
    """Return the place of the score on a card: under the band and what is kept, over the note."""
    below = split_top(rect, canvas.px(NAME_HEIGHT) + canvas.line_px(NOTE_HEIGHT) * kept_lines)[1]
    return split_bottom(below, canvas.line_px(NOTE_HEIGHT) * note_lines)[1] if note_lines else below


def _draw_card(canvas: Canvas, rect: Rect, card: ScoreCard, points: int, style: _CardStyle) -> None:
    canvas.draw_panel(rect, RAISED if card.has_turn else PANEL, edge=INK if card.has_turn else None)
    band, below = split_top(rect, canvas.px(NAME_HEIGHT))
    score = _get_score_room(canvas, rect, style.note_lines, style.kept_lines)
    canvas.draw_split_panel(band, [BUTTON_COLOURS[player.button] for player in card.players])
    size, has_crown = canvas.px(CROWN_SIZE), False
    for player, part in zip(card.players, split_grid(band, len(card.players), 1, 0), strict=True):
        room = part.inflate(-canvas.px(1.4), 0)
        canvas.set_anchor(f"player {player.seat}", (room.left + canvas.px(BADGE_SIZE) // 2, part.centery))
        beside = canvas.draw_badge_left(room, player.button, canvas.px(BADGE_SIZE), BACKGROUND, gap=0.8)
        is_free = canvas.text_width(player.name, face=Typeface.DISPLAY) + size + canvas.px(1) <= beside.w
        if card.is_leader and is_free and not has_crown:
            crown, beside = split_right(beside, size, canvas.px(1))
            canvas.draw_icon("crown", crown.center, size, BACKGROUND)
            has_crown = True
        if canvas.text_width(player.name, face=Typeface.DISPLAY) <= beside.w or len(card.players) == 1:
            canvas.draw_name(beside, player.name, BACKGROUND)
    text = card.figure or format_number(points)
    drawn = canvas.draw_text(score, text, style.em, INK, face=Typeface.DISPLAY, align=0.5)
    if card.is_leader and not has_crown and drawn.left - score.left >= size + canvas.px(1):
        canvas.draw_icon("crown", ((score.left + canvas.px(0.6) + drawn.left) // 2, drawn.centery), size, WARN)
    if card.kept:
        kept = split_top(below, canvas.line_px(NOTE_HEIGHT) * style.kept_lines)[0].move(0, canvas.px(0.6))
        canvas.draw_text(kept, card.kept, TEXT_EM, INK, face=Typeface.DISPLAY, max_lines=style.kept_lines, align=0.5)
    if card.note:
        note = split_bottom(below, canvas.line_px(NOTE_HEIGHT) * style.note_lines)[0]
        note.y -= 0 if canvas.is_far else canvas.px(0.6)
        canvas.draw_text(note, card.note, TEXT_EM, MUTED, face=Typeface.DISPLAY, max_lines=style.note_lines, align=0.5)
