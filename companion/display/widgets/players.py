"""The players with their scores, clockwise: one under the other, or in cells where a row of them is low and wide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pygame import Rect

from companion.display.toolkit.canvas import Canvas
from companion.display.toolkit.layout import Grid, rows
from companion.display.toolkit.text import Weight
from companion.display.toolkit.theme import (
    BAD,
    BODY,
    COLOURS,
    FAR,
    FLOOR,
    GOOD,
    HEAD,
    INK,
    MUTED,
    PANEL,
    RAISED,
    SHAPES,
    SMALL,
    WARN,
)
from companion.display.widgets.soft_keys import piece
from companion.games.api.game import Seat
from companion.i18n import Words, numeral
from companion.screen_state import Player, Shown

_ = Words("companion")

TALLEST = 20.0
LOW = 8.0
"""Height of a row under which name and change stand side by side."""
BADGE = 6.0
"""Of a cell."""
CELL = 5.2
"""Height of the name in a cell; the score stands under it."""
LEFT = 2.6
OVER = 0.4
RIGHT = 1.8


def signed(change: int) -> str:
    """A change of a score, with its sign.

    >>> signed(2), signed(-3), signed(0)
    ('+2', '−3', '0')
    """
    return f"+{change}" if change > 0 else numeral(change)


def abreast(count: int) -> int:
    """How many cells stand side by side, of so many players."""
    return {1: 1, 2: 2, 4: 2}.get(count, 3)


def players(
    canvas: Canvas, places: Grid, shown: Shown, active: Seat | None = None, changes: Sequence[int] = ()
) -> None:
    """Draws all players; `changes` is what the last move gave or took, by seat."""
    rect = places.players

    def paint() -> None:
        if not shown.players:
            return
        if rect.w > 2 * rect.h:
            _cells(canvas, rect, shown, active, changes)
            return
        each = rows(rect, len(shown.players), canvas.px(0.7), canvas.px(TALLEST))
        table = _table(canvas, each[0], shown, changes)
        for player, row in zip(shown.players, each, strict=True):
            change = changes[player.seat] if player.seat < len(changes) else 0
            _player(canvas, row, table, player, change, active=player.seat == active)

    canvas.part("players", rect, (shown.players, shown.scores, tuple(changes), active), paint)


@dataclass(frozen=True, slots=True)
class _Table:
    """What all rows have in common, so that names and scores stand in columns of one size."""

    badge: int
    scores: tuple[int, ...]
    score: float
    score_width: int
    name: float
    change: int
    """Width of what the last move gave or took, where it stands beside the score; 0: it stands under the name."""


def _table(canvas: Canvas, row: Rect, shown: Shown, changes: Sequence[int]) -> _Table:
    """Scores as large as leaves the names room; names give way last."""
    words = [signed(change) for change in changes if change]
    low = row.h < canvas.px(LOW)
    change = max((canvas.type.width(word, Weight.BOLD, canvas.floor(FLOOR)) for word in words if low), default=0)
    largest = max(FAR, min(16.0, row.h / canvas.unit))
    names = [player.name for player in shown.players]
    for score, badge in ((largest, 9.0), ((largest + FAR) / 2, 7.5), (FAR, 5.6)):
        size = min(canvas.px(badge), row.h - canvas.px(2.4))
        digits = canvas.floor(score)
        width = max((canvas.type.width(str(s), Weight.BOLD, digits) for s in shown.scores), default=0)
        room = row.w - size - width - canvas.px(LEFT + 1.6 + 1.2 + RIGHT) - (change + canvas.px(1.2) if change else 0)
        name = canvas.common(names, HEAD, (room, row.h))
        if name >= BODY:
            break
    return _Table(size, shown.scores, score, width, name, change)


def _cells(canvas: Canvas, rect: Rect, shown: Shown, active: Seat | None, changes: Sequence[int]) -> None:
    """Name over badge and score, in columns."""
    gap = canvas.px(0.9)
    across = abreast(len(shown.players))
    wide = (rect.w - gap * (across - 1)) // across
    lines = rows(rect, -(-len(shown.players) // across), gap, rect.h)
    room = (wide - canvas.px(2 * RIGHT), canvas.px(CELL))
    name = canvas.common([player.name for player in shown.players], HEAD, room)
    beside = max((canvas.type.width(signed(c), Weight.BOLD, canvas.px(BODY)) for c in changes if c), default=0)
    digits = (room[0] - beside - canvas.px(BADGE + 1.4 + 0.8), lines[0].h)
    most = max(FAR, min(18.0, (lines[0].h - room[1]) / canvas.unit))
    largest = max(FAR, canvas.common([str(score) for score in shown.scores], most, digits, Weight.BOLD))
    for player in shown.players:
        line, column = divmod(player.seat, across)
        cell = Rect(rect.left + column * (wide + gap), lines[line].top, wide, lines[line].h)
        change = changes[player.seat] if player.seat < len(changes) else 0
        score = shown.scores[player.seat] if player.seat < len(shown.scores) else None
        _cell(canvas, cell, player, (name, largest), score, change, active=player.seat == active)


def _cell(
    canvas: Canvas,
    cell: Rect,
    player: Player,
    sizes: tuple[float, float],
    score: int | None,
    change: int,
    *,
    active: bool,
) -> None:
    colour = COLOURS[player.button]
    canvas.panel(cell, RAISED if active else PANEL)
    if active:
        canvas.panel(Rect(cell.left, cell.top, canvas.px(1.0), cell.h), colour, radius=0.5)
    inner = cell.inflate(-2 * canvas.px(RIGHT), 0)
    head = Rect(inner.left, cell.top + canvas.px(0.8), inner.w, canvas.px(CELL))
    name = canvas.text(head, player.name, sizes[0], INK if active else MUTED)
    under = Rect(inner.left, head.bottom, inner.w, cell.bottom - canvas.px(0.8) - head.bottom)
    badge = min(canvas.px(BADGE), under.h)
    canvas.anchor(f"player {player.seat}", (under.left + badge // 2, under.centery))
    canvas.sign(SHAPES[player.button], (under.left + badge // 2, under.centery), badge, colour)
    if player.piece:
        small = max(canvas.px(2.6), badge * 2 // 5)
        piece(canvas, (under.left + badge - small // 3, under.bottom - small // 2), small, player.piece)
    left, right = under.left + badge + canvas.px(1.4), under.right
    if score is not None:
        drawn = canvas.text(under, str(score), sizes[1], weight=Weight.BOLD, least=FAR, align=1.0)
        right = drawn.left - canvas.px(0.8)
    beside = Rect(left, under.top, right - left, under.h)
    if player.away:
        canvas.text(beside, _("away"), SMALL, WARN)
    elif change:
        text, tone = signed(change), GOOD if change > 0 else BAD
        least = canvas.type.width(text, Weight.BOLD, canvas.floor(FLOOR))
        if least <= beside.w:
            canvas.text(beside, text, BODY, tone, weight=Weight.BOLD)
        elif name.right + canvas.px(1) + least <= head.right:
            # Beside a long score, there is room behind a short name.
            canvas.text(head, text, FLOOR, tone, weight=Weight.BOLD, align=1.0)


def _player(canvas: Canvas, row: Rect, table: _Table, player: Player, change: int, *, active: bool) -> None:
    colour = COLOURS[player.button]
    canvas.panel(row, RAISED if active else PANEL)
    if active:
        canvas.panel(Rect(row.left, row.top, canvas.px(1.6), row.h), colour, radius=0.8)
    left = row.left + canvas.px(LEFT)
    canvas.anchor(f"player {player.seat}", (left + table.badge // 2, row.centery))
    canvas.sign(SHAPES[player.button], (left + table.badge // 2, row.centery), table.badge, colour)
    if player.piece:
        small = max(canvas.px(3.0), table.badge * 2 // 5)
        piece(
            canvas, (left + table.badge - small // 3, row.centery + table.badge // 2 - small // 3), small, player.piece
        )
    left += table.badge + canvas.px(1.6)
    right = row.right - canvas.px(RIGHT)
    if player.seat < len(table.scores):
        digits = Rect(right - table.score_width, row.top, table.score_width, row.h)
        score = str(table.scores[player.seat])
        canvas.text(digits, score, table.score, weight=Weight.BOLD, least=FAR, align=1.0)
        right = digits.left - canvas.px(1.2)
    if table.change:
        beside = Rect(right - table.change, row.top, table.change, row.h)
        right = beside.left - canvas.px(1.2)
        if change:
            text, colour = signed(change), GOOD if change > 0 else BAD
            canvas.text(beside, text, FLOOR, colour, weight=Weight.BOLD, align=1.0)
    name = Rect(left, row.top, right - left, row.h)
    two = bool(player.away or (change and not table.change))
    if two:
        # Two lines: letters that are taller than capitals stay within the row.
        name = Rect(left, row.top + canvas.px(OVER), right - left, row.h * 55 // 100)
        under = Rect(left, name.bottom, name.w, row.bottom - name.bottom)
        if player.away:
            canvas.text(under, _("away"), SMALL, WARN, upright=0.3)
        else:
            text, colour = signed(change), GOOD if change > 0 else BAD
            canvas.text(under, text, table.name, colour, weight=Weight.BOLD, upright=0.3)
    canvas.text(name, player.name, table.name, INK if active else MUTED, upright=0.85 if two else 0.5)
