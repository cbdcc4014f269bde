"""The lobby: six places round the table, taken clockwise by pressing one's button or touching one's place."""

from __future__ import annotations

from pygame import Rect

from companion.display.toolkit.canvas import Canvas
from companion.display.toolkit.layout import grid
from companion.display.toolkit.text import Weight
from companion.display.toolkit.theme import (
    BACKGROUND,
    BODY,
    COLOURS,
    FLOOR,
    HEAD,
    INK,
    LINE,
    MUTED,
    PANEL,
    RAISED,
    SHAPES,
    SMALL,
    TITLE,
)
from companion.display.widgets.camera_panel import camera
from companion.display.widgets.dialog import dialog
from companion.display.widgets.header import header, status
from companion.display.widgets.soft_keys import keys, piece
from companion.events import SEAT_BUTTONS, Button
from companion.i18n import Words
from companion.screen_state import Shown
from hardware.buttons.merge import TOUCH

_ = Words("companion")

COLUMNS = 3
PLACES = 66
"""Of the body's height, in hundredths: the places, upright."""
PITCH = 1.22
LINES = 5


class LobbyScene:
    """Who sits where: buttons 1 to 6, with the order in which they were taken."""

    def draw(self, canvas: Canvas, shown: Shown) -> None:
        places = grid(canvas, corner=True, track=False)
        header(canvas, places, shown)
        if canvas.portrait:
            # Nobody has points yet: what stands beside the players takes their place.
            rect = Rect(places.body.left, places.body.top, places.body.w, places.body.h * PLACES // 100)
            top = rect.bottom + canvas.px(2)
            side = Rect(rect.left, top, places.camera.left - canvas.px(2) - rect.left, places.body.bottom - top)
            if not shown.camera:
                side.w = rect.w
        else:
            rect = Rect(places.body.left, places.body.top, places.main.right - places.body.left, places.body.h)
            side = Rect(places.side)
            if not shown.camera:
                side.h = places.body.bottom - side.top
        if not dialog(canvas, rect, shown, "main"):
            joinable = frozenset(k.button for k in shown.keys if k.awaited)
            shows = (shown.players, shown.heard & set(SEAT_BUTTONS), joinable)
            canvas.part("main", rect, shows, lambda: _seats(canvas, rect, shown, joinable))
        canvas.part("side", side, (len(shown.players), shown.details), lambda: _count(canvas, side, shown))
        if shown.camera:
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
        if player.piece:
            size = canvas.px(5)
            piece(
                canvas,
                (place.right - canvas.px(1.6) - size // 2, place.top + canvas.px(1.6) + size // 2),
                size,
                player.piece,
            )
    else:
        canvas.text(line, _("free") if free else _("not taken"), SMALL, MUTED if not heard else BACKGROUND, align=0.5)


def _count(canvas: Canvas, side: Rect, shown: Shown) -> None:
    """How many sit there, for how many the game is, and the house rules that are not the usual ones."""
    canvas.panel(side, PANEL)
    inner = side.inflate(-canvas.px(3), -canvas.px(2))
    number = canvas.text(
        Rect(inner.left, inner.top, canvas.px(10), canvas.px(9)), str(len(shown.players)), TITLE, weight=Weight.BOLD
    )
    beside = Rect(number.right + canvas.px(2), inner.top, inner.right - number.right - canvas.px(2), canvas.px(9))
    canvas.text(beside, _.plural("player", "players", len(shown.players)), BODY)
    top, pitch = inner.top + canvas.px(10), canvas.px(PITCH * FLOOR)
    lines = list(shown.details)
    if canvas.look.touch_seats:
        lines.append(_("Fingers within {n} ms: the lot decides", n=round(1000 * TOUCH.within)))
    for line in lines:
        fits = canvas.type.fit(
            line, Weight.MEDIUM, canvas.floor(FLOOR), canvas.floor(FLOOR), (inner.w, LINES * pitch), LINES
        )
        height = pitch * len(fits.lines)
        if top + height > inner.bottom:
            break
        canvas.text(Rect(inner.left, top, inner.w, height), line, FLOOR, MUTED, lines=LINES, upright=0.0)
        top += height + canvas.px(0.6)
