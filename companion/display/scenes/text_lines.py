"""Places that have something to say in a few lines: an interrupted game, something that is missing."""

from __future__ import annotations

from typing import Any

from pygame import Rect

from companion.display.scenes.base import GameScene
from companion.display.toolkit.canvas import Canvas
from companion.display.toolkit.layout import lay_out_screen, split_rows
from companion.display.toolkit.theme import HEADING_EM, INK, LINE, MUTED, PANEL
from companion.display.widgets.camera_panel import draw_camera_panel
from companion.display.widgets.dialog import draw_dialog_if_open
from companion.display.widgets.header import draw_header, draw_status_line
from companion.display.widgets.players import draw_players
from companion.display.widgets.soft_keys import draw_soft_keys
from companion.screen_state import ScreenKind, ScreenState


class TextLinesScene(GameScene[Any]):
    """The details as lines; beside them the players, if there are any."""

    def draw(self, canvas: Canvas, state: ScreenState) -> None:
        places = lay_out_screen(canvas, camera_corner=True, has_track=False)
        draw_header(canvas, places, state)
        rect = places.main
        if state.players:
            draw_players(canvas, places, state)
        elif not canvas.is_portrait:
            rect = Rect(places.body.left, places.body.top, places.main.right - places.body.left, places.body.h)
        if not draw_dialog_if_open(canvas, rect, state, "main"):
            canvas.draw_region("main", rect, (state.kind, state.details), lambda: _draw_lines(canvas, rect, state))
        draw_camera_panel(canvas, places, state.camera_view)
        draw_status_line(canvas, places, state)
        draw_soft_keys(canvas, places, state)


def _draw_lines(canvas: Canvas, rect: Rect, shown: ScreenState) -> None:
    canvas.draw_panel(rect, PANEL, radius=2.4)
    inner = rect.inflate(-canvas.px(8), -canvas.px(6))
    sign = canvas.px(14)
    canvas.draw_icon(
        "bang" if shown.kind is ScreenKind.WAITING else "pointer", (inner.left + sign // 2, inner.centery), sign, LINE
    )
    inner = Rect(inner.left + sign + canvas.px(4), inner.top, inner.w - sign - canvas.px(4), inner.h)
    lines = shown.details or (shown.prompt,)
    found = split_rows(inner, len(lines), canvas.px(1), canvas.px(14))
    shift = (inner.bottom - found[-1].bottom) // 2
    for i, (line, row) in enumerate(zip(lines, found, strict=True)):
        canvas.draw_text(row.move(0, shift), line, HEADING_EM, INK if i == 0 else MUTED, max_lines=2)
