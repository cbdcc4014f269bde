"""Who begins: a light goes round among the players and stays on one; beside it, what is to be laid out."""

from __future__ import annotations

from functools import partial
from typing import Protocol, runtime_checkable

from pygame import Rect

from companion.display.toolkit.canvas import Canvas
from companion.display.toolkit.layout import lay_out_screen, split_rows
from companion.display.toolkit.text import FontWeight
from companion.display.toolkit.theme import (
    BACKGROUND,
    BUTTON_COLOURS,
    HEADING_EM,
    INK,
    LINE,
    MIN_EM,
    MIN_FAR_EM,
    MUTED,
    PANEL,
    RAISED,
    SEAT_SHAPES,
)
from companion.display.widgets.header import draw_header, draw_status_line
from companion.display.widgets.soft_keys import draw_box_piece, draw_soft_keys
from companion.games.api.game import Seat
from companion.i18n import Translator
from companion.screen_state import Player, ScreenState

_ = Translator("companion")

TEXT_SIZES = (5.0, 4.5, 4.0, MIN_EM)
"""Type sizes that the preparation is tried in."""
LINE_PITCH_EM = 1.2
PORTRAIT_ROW_HEIGHT = 14.0
"""Height of a player, upright."""


@runtime_checkable
class FirstPlayerLight(Protocol):
    """On whom the light rests, and whether it stays there."""

    @property
    def lit_seat(self) -> Seat | None: ...

    @property
    def is_settled(self) -> bool: ...


class FirstPlayerDrawScene:
    """The players large, one of them lit; the preparation as lines."""

    def draw(self, canvas: Canvas, state: ScreenState) -> None:
        view = state.view
        assert isinstance(view, FirstPlayerLight), "the draw has a light"
        places = lay_out_screen(canvas, has_track=False)
        draw_header(canvas, places, state, view.lit_seat if view.is_settled else None)
        left, right = _split_area(canvas, places.body, state)
        each = split_rows(left, len(state.players), canvas.px(0.8), canvas.px(20))
        for player, row in zip(state.players, each, strict=True):
            lit = player.seat == view.lit_seat
            canvas.draw_region(
                f"player {player.seat}",
                row,
                (player, lit, view.is_settled),
                partial(_draw_player, canvas, row, player, lit, settled=view.is_settled),
            )
        if state.details:
            canvas.draw_region("main", right, state.details, lambda: _draw_preparation(canvas, right, state.details))
        draw_status_line(canvas, places, state)
        draw_soft_keys(canvas, places, state)


def _split_area(canvas: Canvas, whole: Rect, shown: ScreenState) -> tuple[Rect, Rect]:
    """Where the players stand, and what is to be laid out: side by side, or one under the other."""
    gap = canvas.px(2)
    if not shown.details:
        return Rect(whole), Rect(0, 0, 0, 0)
    if canvas.is_portrait:
        high = min(whole.h * 55 // 100, canvas.px(PORTRAIT_ROW_HEIGHT) * len(shown.players))
        first = Rect(whole.left, whole.top, whole.w, high)
        return first, Rect(whole.left, first.bottom + gap, whole.w, whole.bottom - first.bottom - gap)
    first = Rect(whole.left, whole.top, whole.w * 46 // 100, whole.h)
    return first, Rect(first.right + gap, whole.top, whole.right - first.right - gap, whole.h)


def _draw_player(canvas: Canvas, row: Rect, player: Player, lit: bool, *, settled: bool) -> None:
    colour = BUTTON_COLOURS[player.button]
    fill = colour if lit and settled else RAISED if lit else PANEL
    canvas.draw_panel(row, fill, edge=colour if lit else None)
    ink, mark = (BACKGROUND, BACKGROUND) if lit and settled else (INK if lit else MUTED, colour)
    size = min(canvas.px(12), row.h - canvas.px(2.4))
    at = row.left + canvas.px(2.6) + size // 2
    canvas.draw_icon(SEAT_SHAPES[player.button], (at, row.centery), size, mark)
    right = row.right - canvas.px(2)
    if player.piece_colour:
        small = min(canvas.px(6), row.h - canvas.px(2))
        draw_box_piece(canvas, (right - small // 2, row.centery), small, player.piece_colour)
        right -= small + canvas.px(1.5)
    name = Rect(at + size // 2 + canvas.px(2.4), row.top, 0, row.h)
    name.w = right - name.left
    canvas.draw_text(name, player.name, min(MIN_FAR_EM + 1, row.h / canvas.unit_px * 0.8), ink, weight=FontWeight.BOLD)


def _draw_preparation(canvas: Canvas, rect: Rect, lines: tuple[str, ...]) -> None:
    canvas.draw_panel(rect, PANEL)
    inner = rect.inflate(-canvas.px(4), -canvas.px(3))
    head = Rect(inner.left, inner.top, inner.w, canvas.px(8))
    canvas.draw_text(head, _("Lay out"), HEADING_EM, INK, weight=FontWeight.BOLD)
    canvas.fill_rect(LINE, Rect(inner.left, head.bottom, inner.w, canvas.px(0.3)))
    below = Rect(inner.left, head.bottom + canvas.px(1), inner.w, inner.bottom - head.bottom - canvas.px(1))
    for size in TEXT_SIZES:
        settings = [
            canvas.fonts.fit_text(
                line, FontWeight.MEDIUM, canvas.px_at_least(size), canvas.px_at_least(size), (below.w, below.h), 4
            )
            for line in lines
        ]
        gap = canvas.px(size * 0.35)
        pitch = canvas.px(size * LINE_PITCH_EM)
        if sum(len(each.lines) for each in settings) * pitch + gap * (len(lines) - 1) <= below.h:
            break
    top = below.top
    for line, each in zip(lines, settings, strict=True):
        height = len(each.lines) * pitch
        canvas.draw_text(
            Rect(below.left, top, below.w, height), line, size, INK, max_lines=4, min_size=size, vertical_align=0.0
        )
        top += height + gap
