"""The players with their scores, clockwise: one under the other, or in cells where a row of them is low and wide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pygame import Rect

from companion.display.toolkit.canvas import Canvas
from companion.display.toolkit.layout import ScreenLayout, split_rows
from companion.display.toolkit.text import FontWeight
from companion.display.toolkit.theme import (
    BAD,
    BODY_EM,
    BUTTON_COLOURS,
    GOOD,
    HEADING_EM,
    INK,
    MIN_EM,
    MIN_FAR_EM,
    MUTED,
    PANEL,
    RAISED,
    SEAT_SHAPES,
    SMALL_EM,
    WARN,
)
from companion.display.widgets.soft_keys import draw_box_piece
from companion.games.api.game import Seat
from companion.i18n import Translator, format_number
from companion.screen_state import Player, ScreenState

_ = Translator("companion")

MAX_ROW_HEIGHT = 20.0
LOW_ROW_HEIGHT = 8.0
"""Height of a row under which name and change stand side by side."""
CELL_BADGE_SIZE = 6.0
"""Of a cell."""
CELL_NAME_HEIGHT = 5.2
"""Height of the name in a cell; the score stands under it."""
LEFT_PADDING = 2.6
NAME_TOP_PADDING = 0.4
RIGHT_PADDING = 1.8


def format_signed(change: int) -> str:
    """A change of a score, with its sign.

    >>> signed(2), signed(-3), signed(0)
    ('+2', '−3', '0')
    """
    return f"+{change}" if change > 0 else format_number(change)


def columns_for(count: int) -> int:
    """How many cells stand side by side, of so many players."""
    return {1: 1, 2: 2, 4: 2}.get(count, 3)


def draw_players(
    canvas: Canvas, layout: ScreenLayout, state: ScreenState, active: Seat | None = None, changes: Sequence[int] = ()
) -> None:
    """Draws all players; `changes` is what the last move gave or took, by seat."""
    rect = layout.players

    def paint() -> None:
        if not state.players:
            return
        if rect.w > 2 * rect.h:
            _draw_cells(canvas, rect, state, active, changes)
            return
        each = split_rows(rect, len(state.players), canvas.px(0.7), canvas.px(MAX_ROW_HEIGHT))
        table = _measure_sizes(canvas, each[0], state, changes)
        for player, row in zip(state.players, each, strict=True):
            change = changes[player.seat] if player.seat < len(changes) else 0
            _draw_row(canvas, row, table, player, change, active=player.seat == active)

    canvas.draw_region("players", rect, (state.players, state.scores, tuple(changes), active), paint)


@dataclass(frozen=True, slots=True)
class _SharedSizes:
    """What all rows have in common, so that names and scores stand in columns of one size."""

    badge: int
    scores: tuple[int, ...]
    score: float
    score_width: int
    name: float
    change: int
    """Width of what the last move gave or took, where it stands beside the score; 0: it stands under the name."""


def _measure_sizes(canvas: Canvas, row: Rect, shown: ScreenState, changes: Sequence[int]) -> _SharedSizes:
    """Scores as large as leaves the names room; names give way last."""
    words = [format_signed(change) for change in changes if change]
    low = row.h < canvas.px(LOW_ROW_HEIGHT)
    change = max(
        (canvas.fonts.measure_width(word, FontWeight.BOLD, canvas.px_at_least(MIN_EM)) for word in words if low),
        default=0,
    )
    largest = max(MIN_FAR_EM, min(16.0, row.h / canvas.unit_px))
    names = [player.name for player in shown.players]
    for score, badge in ((largest, 9.0), ((largest + MIN_FAR_EM) / 2, 7.5), (MIN_FAR_EM, 5.6)):
        size = min(canvas.px(badge), row.h - canvas.px(2.4))
        digits = canvas.px_at_least(score)
        width = max((canvas.fonts.measure_width(str(s), FontWeight.BOLD, digits) for s in shown.scores), default=0)
        room = (
            row.w
            - size
            - width
            - canvas.px(LEFT_PADDING + 1.6 + 1.2 + RIGHT_PADDING)
            - (change + canvas.px(1.2) if change else 0)
        )
        name = canvas.find_common_size(names, HEADING_EM, (room, row.h))
        if name >= BODY_EM:
            break
    return _SharedSizes(size, shown.scores, score, width, name, change)


def _draw_cells(canvas: Canvas, rect: Rect, shown: ScreenState, active: Seat | None, changes: Sequence[int]) -> None:
    """Name over badge and score, in columns."""
    gap = canvas.px(0.9)
    across = columns_for(len(shown.players))
    wide = (rect.w - gap * (across - 1)) // across
    lines = split_rows(rect, -(-len(shown.players) // across), gap, rect.h)
    room = (wide - canvas.px(2 * RIGHT_PADDING), canvas.px(CELL_NAME_HEIGHT))
    name = canvas.find_common_size([player.name for player in shown.players], HEADING_EM, room)
    beside = max(
        (canvas.fonts.measure_width(format_signed(c), FontWeight.BOLD, canvas.px(BODY_EM)) for c in changes if c),
        default=0,
    )
    digits = (room[0] - beside - canvas.px(CELL_BADGE_SIZE + 1.4 + 0.8), lines[0].h)
    most = max(MIN_FAR_EM, min(18.0, (lines[0].h - room[1]) / canvas.unit_px))
    largest = max(
        MIN_FAR_EM, canvas.find_common_size([str(score) for score in shown.scores], most, digits, FontWeight.BOLD)
    )
    for player in shown.players:
        line, column = divmod(player.seat, across)
        cell = Rect(rect.left + column * (wide + gap), lines[line].top, wide, lines[line].h)
        change = changes[player.seat] if player.seat < len(changes) else 0
        score = shown.scores[player.seat] if player.seat < len(shown.scores) else None
        _draw_cell(canvas, cell, player, (name, largest), score, change, active=player.seat == active)


def _draw_cell(
    canvas: Canvas,
    cell: Rect,
    player: Player,
    sizes: tuple[float, float],
    score: int | None,
    change: int,
    *,
    active: bool,
) -> None:
    colour = BUTTON_COLOURS[player.button]
    canvas.draw_panel(cell, RAISED if active else PANEL)
    if active:
        canvas.draw_panel(Rect(cell.left, cell.top, canvas.px(1.0), cell.h), colour, radius=0.5)
    inner = cell.inflate(-2 * canvas.px(RIGHT_PADDING), 0)
    head = Rect(inner.left, cell.top + canvas.px(0.8), inner.w, canvas.px(CELL_NAME_HEIGHT))
    name = canvas.draw_text(head, player.name, sizes[0], INK if active else MUTED)
    under = Rect(inner.left, head.bottom, inner.w, cell.bottom - canvas.px(0.8) - head.bottom)
    badge = min(canvas.px(CELL_BADGE_SIZE), under.h)
    canvas.set_anchor(f"player {player.seat}", (under.left + badge // 2, under.centery))
    canvas.draw_icon(SEAT_SHAPES[player.button], (under.left + badge // 2, under.centery), badge, colour)
    if player.piece_colour:
        small = max(canvas.px(2.6), badge * 2 // 5)
        draw_box_piece(canvas, (under.left + badge - small // 3, under.bottom - small // 2), small, player.piece_colour)
    left, right = under.left + badge + canvas.px(1.4), under.right
    if score is not None:
        drawn = canvas.draw_text(under, str(score), sizes[1], weight=FontWeight.BOLD, min_size=MIN_FAR_EM, align=1.0)
        right = drawn.left - canvas.px(0.8)
    beside = Rect(left, under.top, right - left, under.h)
    if player.away:
        canvas.draw_text(beside, _("away"), SMALL_EM, WARN)
    elif change:
        text, tone = format_signed(change), GOOD if change > 0 else BAD
        least = canvas.fonts.measure_width(text, FontWeight.BOLD, canvas.px_at_least(MIN_EM))
        if least <= beside.w:
            canvas.draw_text(beside, text, BODY_EM, tone, weight=FontWeight.BOLD)
        elif name.right + canvas.px(1) + least <= head.right:
            # Beside a long score, there is room behind a short name.
            canvas.draw_text(head, text, MIN_EM, tone, weight=FontWeight.BOLD, align=1.0)


def _draw_row(canvas: Canvas, row: Rect, table: _SharedSizes, player: Player, change: int, *, active: bool) -> None:
    colour = BUTTON_COLOURS[player.button]
    canvas.draw_panel(row, RAISED if active else PANEL)
    if active:
        canvas.draw_panel(Rect(row.left, row.top, canvas.px(1.6), row.h), colour, radius=0.8)
    left = row.left + canvas.px(LEFT_PADDING)
    canvas.set_anchor(f"player {player.seat}", (left + table.badge // 2, row.centery))
    canvas.draw_icon(SEAT_SHAPES[player.button], (left + table.badge // 2, row.centery), table.badge, colour)
    if player.piece_colour:
        small = max(canvas.px(3.0), table.badge * 2 // 5)
        draw_box_piece(
            canvas,
            (left + table.badge - small // 3, row.centery + table.badge // 2 - small // 3),
            small,
            player.piece_colour,
        )
    left += table.badge + canvas.px(1.6)
    right = row.right - canvas.px(RIGHT_PADDING)
    if player.seat < len(table.scores):
        digits = Rect(right - table.score_width, row.top, table.score_width, row.h)
        score = str(table.scores[player.seat])
        canvas.draw_text(digits, score, table.score, weight=FontWeight.BOLD, min_size=MIN_FAR_EM, align=1.0)
        right = digits.left - canvas.px(1.2)
    if table.change:
        beside = Rect(right - table.change, row.top, table.change, row.h)
        right = beside.left - canvas.px(1.2)
        if change:
            text, colour = format_signed(change), GOOD if change > 0 else BAD
            canvas.draw_text(beside, text, MIN_EM, colour, weight=FontWeight.BOLD, align=1.0)
    name = Rect(left, row.top, right - left, row.h)
    two = bool(player.away or (change and not table.change))
    if two:
        # Two lines: letters that are taller than capitals stay within the row.
        name = Rect(left, row.top + canvas.px(NAME_TOP_PADDING), right - left, row.h * 55 // 100)
        under = Rect(left, name.bottom, name.w, row.bottom - name.bottom)
        if player.away:
            canvas.draw_text(under, _("away"), SMALL_EM, WARN, vertical_align=0.3)
        else:
            text, colour = format_signed(change), GOOD if change > 0 else BAD
            canvas.draw_text(under, text, table.name, colour, weight=FontWeight.BOLD, vertical_align=0.3)
    canvas.draw_text(name, player.name, table.name, INK if active else MUTED, vertical_align=0.85 if two else 0.5)
