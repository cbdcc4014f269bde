"""The lobby: six places round the table, taken clockwise by pressing one's button or touching one's place."""

from __future__ import annotations

from pygame import Rect

from companion.display.camera import camera
from companion.display.canvas import Canvas
from companion.display.dialog import dialog
from companion.display.grid import grid
from companion.display.header import header, status
from companion.display.keys import keys
from companion.display.text import Weight
from companion.display.theme import BACKGROUND, BODY, COLOURS, HEAD, INK, LINE, MUTED, PANEL, RAISED, SHAPES, SMALL
from companion.shown import Shown
from hardware.signals import SEAT_BUTTONS, Button

COLUMNS = 3


class LobbyScene:
    """Who sits where: buttons 1 to 6, with the order in which they were taken."""

    def draw(self, canvas: Canvas, shown: Shown) -> None:
        places = grid(canvas)
        header(canvas, places, shown)
        rect = Rect(places.body.left, places.body.top, places.main.right - places.body.left, places.body.h)
        side = Rect(places.side)
        if not dialog(canvas, rect, shown, "main"):
            joinable = frozenset(k.button for k in shown.keys if k.awaited)
            shows = (shown.players, shown.heard & set(SEAT_BUTTONS), joinable)
            canvas.part("main", rect, shows, lambda: _seats(canvas, rect, shown, joinable))
        canvas.part("side", side, (len(shown.players), shown.details), lambda: _count(canvas, side, shown))
        camera(canvas, places, shown.eyes)
        status(canvas, places, shown)
        keys(canvas, places, shown)


def _seats(canvas: Canvas, rect: Rect, shown: Shown, joinable: frozenset[Button]) -> None:
    gap = canvas.px(2)
    width = (rect.w - gap * (COLUMNS - 1)) // COLUMNS
    height = (rect.h - gap) // 2
    for i, button in enumerate(SEAT_BUTTONS):
        # Clockwise round the table: the second row runs back.
        column, line = (i, 0) if i < COLUMNS else (2 * COLUMNS - 1 - i, 1)
        place = Rect(rect.left + column * (width + gap), rect.top + line * (height + gap), width, height)
        canvas.touch(place, button)
        _seat(canvas, place, shown, button, free=button in joinable)


def _seat(canvas: Canvas, place: Rect, shown: Shown, button: Button, *, free: bool) -> None:
    player = next((p for p in shown.players if p.button is button), None)
    colour = COLOURS[button]
    heard = button in shown.heard
    fill = INK if heard else RAISED if player else BACKGROUND
    canvas.panel(place, fill, edge=colour if player or free else LINE, radius=2.4)
    ink, mark = (BACKGROUND, BACKGROUND) if heard else (INK, colour if player or free else LINE)
    badge = min(canvas.px(13), place.h // 2)
    middle = place.top + place.h * 38 // 100
    canvas.sign(SHAPES[button], (place.centerx, middle), badge, mark)
    line = Rect(place.left, middle + badge // 2, place.w, place.bottom - middle - badge // 2).inflate(-canvas.px(3), 0)
    if player:
        canvas.text(line, player.name, HEAD, ink, weight=Weight.BOLD, align=0.5)
        corner = Rect(place.left + canvas.px(1.6), place.top + canvas.px(1), canvas.px(9), canvas.px(7))
        canvas.text(corner, f"{player.seat + 1}.", HEAD, ink, weight=Weight.BOLD)
    else:
        canvas.text(line, "free" if free else "not taken", SMALL, MUTED if not heard else BACKGROUND, align=0.5)


def _count(canvas: Canvas, side: Rect, shown: Shown) -> None:
    canvas.panel(side, PANEL)
    inner = side.inflate(-canvas.px(4), -canvas.px(3))
    top = Rect(inner.left, inner.top, inner.w, inner.h * 42 // 100)
    canvas.text(top, str(len(shown.players)), 18, weight=Weight.BOLD, align=0.5)
    word = Rect(inner.left, top.bottom + canvas.px(1), inner.w, inner.h * 24 // 100)
    canvas.text(word, "player" if len(shown.players) == 1 else "players", BODY, align=0.5)
    rest = Rect(inner.left, word.bottom, inner.w, inner.bottom - word.bottom)
    canvas.text(rest, " · ".join(shown.details), SMALL, MUTED, lines=2, align=0.5)
