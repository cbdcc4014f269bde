"""Who begins: a light goes round among the players and stays on one; beside it, what is to be laid out."""

from __future__ import annotations

from functools import partial
from typing import Protocol, runtime_checkable

from pygame import Rect

from companion.display.toolkit.canvas import Canvas
from companion.display.toolkit.layout import grid, rows
from companion.display.toolkit.text import Weight
from companion.display.toolkit.theme import (
    BACKGROUND,
    COLOURS,
    FAR,
    FLOOR,
    HEAD,
    INK,
    LINE,
    MUTED,
    PANEL,
    RAISED,
    SHAPES,
)
from companion.display.widgets.header import header, status
from companion.display.widgets.soft_keys import keys, piece
from companion.games.api.game import Seat
from companion.i18n import Words
from companion.screen_state import Player, Shown

_ = Words("companion")

SIZES = (5.0, 4.5, 4.0, FLOOR)
"""Type sizes that the preparation is tried in."""
PITCH = 1.2
TALL_ROW = 14.0
"""Height of a player, upright."""


@runtime_checkable
class Light(Protocol):
    """On whom the light rests, and whether it stays there."""

    @property
    def lit(self) -> Seat | None: ...

    @property
    def settled(self) -> bool: ...


class FirstScene:
    """The players large, one of them lit; the preparation as lines."""

    def draw(self, canvas: Canvas, shown: Shown) -> None:
        view = shown.view
        assert isinstance(view, Light), "the draw has a light"
        places = grid(canvas, track=False)
        header(canvas, places, shown, view.lit if view.settled else None)
        left, right = _halves(canvas, places.body, shown)
        each = rows(left, len(shown.players), canvas.px(0.8), canvas.px(20))
        for player, row in zip(shown.players, each, strict=True):
            lit = player.seat == view.lit
            canvas.part(
                f"player {player.seat}",
                row,
                (player, lit, view.settled),
                partial(_player, canvas, row, player, lit, settled=view.settled),
            )
        if shown.details:
            canvas.part("main", right, shown.details, lambda: _lines(canvas, right, shown.details))
        status(canvas, places, shown)
        keys(canvas, places, shown)


def _halves(canvas: Canvas, whole: Rect, shown: Shown) -> tuple[Rect, Rect]:
    """Where the players stand, and what is to be laid out: side by side, or one under the other."""
    gap = canvas.px(2)
    if not shown.details:
        return Rect(whole), Rect(0, 0, 0, 0)
    if canvas.portrait:
        high = min(whole.h * 55 // 100, canvas.px(TALL_ROW) * len(shown.players))
        first = Rect(whole.left, whole.top, whole.w, high)
        return first, Rect(whole.left, first.bottom + gap, whole.w, whole.bottom - first.bottom - gap)
    first = Rect(whole.left, whole.top, whole.w * 46 // 100, whole.h)
    return first, Rect(first.right + gap, whole.top, whole.right - first.right - gap, whole.h)


def _player(canvas: Canvas, row: Rect, player: Player, lit: bool, *, settled: bool) -> None:
    colour = COLOURS[player.button]
    fill = colour if lit and settled else RAISED if lit else PANEL
    canvas.panel(row, fill, edge=colour if lit else None)
    ink, mark = (BACKGROUND, BACKGROUND) if lit and settled else (INK if lit else MUTED, colour)
    size = min(canvas.px(12), row.h - canvas.px(2.4))
    at = row.left + canvas.px(2.6) + size // 2
    canvas.sign(SHAPES[player.button], (at, row.centery), size, mark)
    right = row.right - canvas.px(2)
    if player.piece:
        small = min(canvas.px(6), row.h - canvas.px(2))
        piece(canvas, (right - small // 2, row.centery), small, player.piece)
        right -= small + canvas.px(1.5)
    name = Rect(at + size // 2 + canvas.px(2.4), row.top, 0, row.h)
    name.w = right - name.left
    canvas.text(name, player.name, min(FAR + 1, row.h / canvas.unit * 0.8), ink, weight=Weight.BOLD)


def _lines(canvas: Canvas, rect: Rect, lines: tuple[str, ...]) -> None:
    canvas.panel(rect, PANEL)
    inner = rect.inflate(-canvas.px(4), -canvas.px(3))
    head = Rect(inner.left, inner.top, inner.w, canvas.px(8))
    canvas.text(head, _("Lay out"), HEAD, INK, weight=Weight.BOLD)
    canvas.fill(LINE, Rect(inner.left, head.bottom, inner.w, canvas.px(0.3)))
    below = Rect(inner.left, head.bottom + canvas.px(1), inner.w, inner.bottom - head.bottom - canvas.px(1))
    for size in SIZES:
        settings = [
            canvas.type.fit(line, Weight.MEDIUM, canvas.floor(size), canvas.floor(size), (below.w, below.h), 4)
            for line in lines
        ]
        gap = canvas.px(size * 0.35)
        pitch = canvas.px(size * PITCH)
        if sum(len(each.lines) for each in settings) * pitch + gap * (len(lines) - 1) <= below.h:
            break
    top = below.top
    for line, each in zip(lines, settings, strict=True):
        height = len(each.lines) * pitch
        canvas.text(Rect(below.left, top, below.w, height), line, size, INK, lines=4, least=size, upright=0.0)
        top += height + gap
