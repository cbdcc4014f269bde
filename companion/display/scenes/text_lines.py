"""Places that have something to say in a few lines: an interrupted game, something that is missing."""

from __future__ import annotations

from typing import Any

from pygame import Rect

from companion.display.scenes.base import GameScene
from companion.display.toolkit.canvas import Canvas
from companion.display.toolkit.layout import grid, rows
from companion.display.toolkit.theme import HEAD, INK, LINE, MUTED, PANEL
from companion.display.widgets.camera_panel import camera
from companion.display.widgets.dialog import dialog
from companion.display.widgets.header import header, status
from companion.display.widgets.players import players
from companion.display.widgets.soft_keys import keys
from companion.screen_state import Place, Shown


class LinesScene(GameScene[Any]):
    """The details as lines; beside them the players, if there are any."""

    def draw(self, canvas: Canvas, shown: Shown) -> None:
        places = grid(canvas, corner=True, track=False)
        header(canvas, places, shown)
        rect = places.main
        if shown.players:
            players(canvas, places, shown)
        elif not canvas.portrait:
            rect = Rect(places.body.left, places.body.top, places.main.right - places.body.left, places.body.h)
        if not dialog(canvas, rect, shown, "main"):
            canvas.part("main", rect, (shown.place, shown.details), lambda: _lines(canvas, rect, shown))
        camera(canvas, places, shown.eyes)
        status(canvas, places, shown)
        keys(canvas, places, shown)


def _lines(canvas: Canvas, rect: Rect, shown: Shown) -> None:
    canvas.panel(rect, PANEL, radius=2.4)
    inner = rect.inflate(-canvas.px(8), -canvas.px(6))
    sign = canvas.px(14)
    canvas.sign(
        "bang" if shown.place is Place.WAITING else "pointer", (inner.left + sign // 2, inner.centery), sign, LINE
    )
    inner = Rect(inner.left + sign + canvas.px(4), inner.top, inner.w - sign - canvas.px(4), inner.h)
    lines = shown.details or (shown.sentence,)
    found = rows(inner, len(lines), canvas.px(1), canvas.px(14))
    shift = (inner.bottom - found[-1].bottom) // 2
    for i, (line, row) in enumerate(zip(lines, found, strict=True)):
        canvas.text(row.move(0, shift), line, HEAD, INK if i == 0 else MUTED, lines=2)
