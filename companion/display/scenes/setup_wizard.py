"""The guided set-up: language, picture, buttons, camera."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from pygame import Rect

from companion.display.toolkit.canvas import Canvas
from companion.display.toolkit.layout import Grid, grid, rows
from companion.display.toolkit.text import Weight
from companion.display.toolkit.theme import (
    BACKGROUND,
    BODY,
    COLOURS,
    FLOOR,
    GOOD,
    HEAD,
    INK,
    MUTED,
    PANEL,
    SHAPES,
    TITLE,
)
from companion.display.widgets.camera_panel import camera
from companion.display.widgets.header import header, status
from companion.display.widgets.soft_keys import keys
from companion.events import SEAT_BUTTONS
from companion.i18n import LANGUAGES
from companion.screen_state import Page, SetUpView, Shown


class SetUpScene:
    """One page after the other."""

    def draw(self, canvas: Canvas, shown: Shown) -> None:
        view = shown.view
        assert isinstance(view, SetUpView), "the set-up's scene draws the set-up"
        places = grid(canvas)
        if view.page is Page.PICTURE:
            _edges(canvas)
        header(canvas, places, shown)
        match view.page:
            case Page.CAMERA:
                camera(canvas, _large(places), shown.eyes)
            case Page.LANGUAGE:
                canvas.part("main", places.body, view, lambda: _languages(canvas, places.body, view))
            case Page.BUTTONS:
                shows = (view, shown.heard, shown.details)
                canvas.part("main", places.body, shows, lambda: _buttons(canvas, places.body, shown, view))
            case _:
                canvas.part("main", places.body, shown.details, lambda: _letters(canvas, places.body, shown))
        status(canvas, places, shown)
        keys(canvas, places, shown)


def _edges(canvas: Canvas) -> None:
    """A frame at the very edges: a screen that cuts the picture off does not show all of it."""
    width, height = canvas.size
    thick = canvas.px(0.6)
    sides = {
        "top": Rect(0, 0, width, thick),
        "bottom": Rect(0, height - thick, width, thick),
        "left": Rect(0, thick, thick, height - 2 * thick),
        "right": Rect(width - thick, thick, thick, height - 2 * thick),
    }
    for name, side in sides.items():
        canvas.part(name, side, None, partial(canvas.fill, INK, side))


def _large(places: Grid) -> Grid:
    """The places with the camera's picture over the whole body."""
    return replace(places, camera=places.body)


def _languages(canvas: Canvas, rect: Rect, view: SetUpView) -> None:
    gap = canvas.px(2)
    found = rows(rect, len(LANGUAGES), gap, canvas.px(18))
    for button, (code, name), row in zip(SEAT_BUTTONS, LANGUAGES.items(), found, strict=False):
        chosen = code == view.chosen
        canvas.panel(row, COLOURS[button] if chosen else PANEL, edge=COLOURS[button])
        size = canvas.px(8)
        ink = BACKGROUND if chosen else INK
        canvas.sign(SHAPES[button], (row.left + size, row.centery), size, BACKGROUND if chosen else COLOURS[button])
        line = Rect(row.left + 2 * size, row.top, row.w - 3 * size, row.h)
        canvas.text(line, name, TITLE, ink, weight=Weight.BOLD)
        canvas.touch(row, button)


def _buttons(canvas: Canvas, rect: Rect, shown: Shown, view: SetUpView) -> None:
    foot = canvas.px(10 if canvas.portrait else 6)
    columns = 6 if rect.w > 2 * rect.h else 3
    gap = canvas.px(2)
    width = (rect.w - gap * (columns - 1)) // columns
    lines = -(-len(SEAT_BUTTONS) // columns)
    height = (rect.h - foot - gap * lines) // lines
    for i, button in enumerate(SEAT_BUTTONS):
        place = Rect(
            rect.left + (i % columns) * (width + gap), rect.top + (i // columns) * (height + gap), width, height
        )
        tried, heard = button in view.pressed, button in shown.heard
        canvas.panel(place, INK if heard else PANEL, edge=GOOD if tried else COLOURS[button], radius=2.4)
        size = min(canvas.px(16), place.w * 6 // 10, place.h * 5 // 10)
        middle = (place.centerx, place.top + place.h * 4 // 10)
        canvas.sign(SHAPES[button], middle, size, BACKGROUND if heard else COLOURS[button])
        if tried:
            sign = canvas.px(7)
            canvas.sign("ok", (place.centerx, place.bottom - sign), sign, BACKGROUND if heard else GOOD)
        canvas.touch(place, button)
    line = Rect(rect.left, rect.bottom - foot, rect.w, foot)
    canvas.text(line, " ".join(shown.details), FLOOR, MUTED, lines=2, align=0.5)


def _letters(canvas: Canvas, rect: Rect, shown: Shown) -> None:
    canvas.panel(rect, PANEL, radius=2.4)
    inner = rect.inflate(-canvas.px(6), -canvas.px(4))
    great, small = shown.details[0], shown.details[-1]
    high = inner.h * 6 // 10
    top = Rect(inner.left, inner.top, inner.w, high)
    canvas.text(top, great, TITLE, INK, weight=Weight.BOLD, least=HEAD, lines=3, align=0.5)
    below = Rect(inner.left, inner.top + high, inner.w, inner.h - high)
    canvas.text(below, small, BODY, INK, least=FLOOR, lines=2, align=0.5)
