"""The players' strip: shape, name and score of each, clockwise from the left."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from companion.api import Seat
from companion.display.toolkit import (
    BACKGROUND,
    BAD,
    BUTTON_COLOURS,
    GAP,
    GOOD,
    INK,
    ONE_LINE_PLAYERS,
    PANEL,
    TEXT_EM,
    TITLE_EM,
    WARN,
    Canvas,
    Colour,
    Rect,
    RegionCell,
    ScreenLayout,
    Typeface,
    format_signed,
    split_grid,
    split_right,
    split_top,
)
from companion.i18n import _, format_number
from companion.screen_state import Player, ScreenState

BADGE_SIZE = 6.4
"""Size of the badges, in units."""
PADDING = 1.0
"""Room at the left and the right of a cell, in units."""
NAME_ROW_HEIGHT = 6.8
"""Height of the name where it stands over the score, in units."""
COUNT_SECONDS = 0.5
"""Time in which a score counts to its new value, besides `POINT_SECONDS` for each point."""
POINT_SECONDS = 0.07
"""Time that each point of a change adds, as points fly one after the other."""
MAX_COUNT_SECONDS = 1.5
"""Time in which a score counts at most."""


@dataclass(frozen=True, slots=True)
class _PlayerCell:
    """All that a player's cell shows: the score as it is now, the change that the last move made."""

    player: Player
    score: int | None
    change: int
    is_active: bool
    is_high: bool


def draw_players(
    canvas: Canvas,
    layout: ScreenLayout,
    state: ScreenState,
    order: Sequence[Seat],
    active: Seat | None = None,
    changes: Sequence[int] = (),
) -> None:
    """Draw all players with their scores as the region "players".

    Each player sets an anchor ("player 0", by seat). A score that changes counts to its new value.

    Args:
        layout: places of the screen; they are drawn at `layout.players`.
        state: what is shown, with at least one player; a seat without a score is drawn without one.
        order: the seats in the order of play, which is the order of the cells.
        active: seat of the player who is highlighted; None: nobody.
        changes: points that the last move gave or took, by seat; 0 or a missing entry draws nothing.
    """
    rect, count = layout.players, len(state.players)
    columns = min(count, 3) if canvas.is_portrait else count
    places = canvas.compute_once(
        ("players", tuple(rect), count), lambda: split_grid(rect, columns, -(-count // columns), canvas.px(GAP))
    )
    is_high = canvas.is_portrait or count > ONE_LINE_PLAYERS
    cells = []
    for seat, place in zip(order, places, strict=False):
        player = state.players[seat]
        score = state.scores[player.seat] if player.seat < len(state.scores) else None
        change = changes[player.seat] if player.seat < len(changes) else 0
        if score is not None:
            seconds = min(MAX_COUNT_SECONDS, COUNT_SECONDS + POINT_SECONDS * abs(change))
            score = round(canvas.timeline.follow(f"score {player.seat}", score, seconds))
        cell = _PlayerCell(player, score, change, player.seat == active, is_high)
        cells.append(RegionCell(place, cell, partial(_draw_player, canvas, place, cell)))
    canvas.draw_cells("players", rect, cells)


def _draw_player(canvas: Canvas, rect: Rect, cell: _PlayerCell) -> None:
    player, ink = cell.player, INK
    fill: Colour = PANEL
    badge_colour: Colour = BUTTON_COLOURS[player.button]
    if cell.is_active:
        fill, ink, badge_colour = badge_colour, BACKGROUND, BACKGROUND
    canvas.draw_panel(rect, fill)
    inner = rect.inflate(-2 * canvas.px(PADDING), 0)
    name, row = inner, inner
    if cell.is_high:
        name, row = split_top(inner, canvas.line_px(NAME_ROW_HEIGHT))
    size = min(canvas.px(BADGE_SIZE), row.h)
    canvas.set_anchor(f"player {player.seat}", (row.left + size // 2, row.centery))
    beside = canvas.draw_badge_left(row, player.button, size, badge_colour, gap=1.2)
    if cell.score is not None:
        text = format_number(cell.score)
        width = max(
            canvas.text_width(text, TITLE_EM, Typeface.DISPLAY), canvas.text_width("00", TITLE_EM, Typeface.DISPLAY)
        )
        digits, beside = split_right(beside, width, canvas.px(1))
        canvas.draw_text(digits, text, TITLE_EM, ink, face=Typeface.DISPLAY, align=1.0)
    note, colour = (_("away"), WARN) if player.away else ("", ink)
    if cell.change and not player.away:
        note, colour = format_signed(cell.change), GOOD if cell.change > 0 else BAD
    if note:
        width = canvas.text_width(note, TEXT_EM, Typeface.DISPLAY)
        if cell.is_high and width > beside.w:  # beside the name, lest it covers the badge
            place, name = split_right(name, width, canvas.px(1))
        else:
            place, beside = split_right(beside, width, canvas.px(1))
        note_colour = ink if cell.is_active else colour
        canvas.draw_text(place, note, TEXT_EM, note_colour, face=Typeface.DISPLAY, align=1.0)
    canvas.draw_name(name if cell.is_high else beside, player.name, ink)
