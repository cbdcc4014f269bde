"""The guided set-up: language, picture, buttons, camera."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from pygame import Rect

from companion.display.toolkit.canvas import Canvas
from companion.display.toolkit.layout import ScreenLayout, lay_out_screen, split_rows
from companion.display.toolkit.text import FontWeight
from companion.display.toolkit.theme import (
    BACKGROUND,
    BODY_EM,
    BUTTON_COLOURS,
    GOOD,
    HEADING_EM,
    INK,
    MIN_EM,
    MUTED,
    PANEL,
    SEAT_SHAPES,
    TITLE_EM,
)
from companion.display.widgets.camera_panel import draw_camera_panel
from companion.display.widgets.header import draw_header, draw_status_line
from companion.display.widgets.soft_keys import draw_soft_keys
from companion.events import SEAT_BUTTONS
from companion.i18n import LANGUAGES
from companion.screen_state import ScreenState, WizardPage, WizardView


class SetupWizardScene:
    """One page after the other."""

    def draw(self, canvas: Canvas, state: ScreenState) -> None:
        view = state.view
        assert isinstance(view, WizardView), "the set-up's scene draws the set-up"
        places = lay_out_screen(canvas)
        if view.page is WizardPage.PICTURE:
            _draw_screen_edges(canvas)
        draw_header(canvas, places, state)
        match view.page:
            case WizardPage.CAMERA:
                draw_camera_panel(canvas, _large(places), state.camera_view)
            case WizardPage.LANGUAGE:
                canvas.draw_region("main", places.body, view, lambda: _draw_languages(canvas, places.body, view))
            case WizardPage.BUTTONS:
                shows = (view, state.pressed_buttons, state.details)
                canvas.draw_region("main", places.body, shows, lambda: _draw_buttons(canvas, places.body, state, view))
            case _:
                canvas.draw_region(
                    "main", places.body, state.details, lambda: _draw_sample_text(canvas, places.body, state)
                )
        draw_status_line(canvas, places, state)
        draw_soft_keys(canvas, places, state)


def _draw_screen_edges(canvas: Canvas) -> None:
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
        canvas.draw_region(name, side, None, partial(canvas.fill_rect, INK, side))


def _large(places: ScreenLayout) -> ScreenLayout:
    """The places with the camera's picture over the whole body."""
    return replace(places, camera=places.body)


def _draw_languages(canvas: Canvas, rect: Rect, view: WizardView) -> None:
    gap = canvas.px(2)
    found = split_rows(rect, len(LANGUAGES), gap, canvas.px(18))
    for button, (code, name), row in zip(SEAT_BUTTONS, LANGUAGES.items(), found, strict=False):
        chosen = code == view.language
        canvas.draw_panel(row, BUTTON_COLOURS[button] if chosen else PANEL, edge=BUTTON_COLOURS[button])
        size = canvas.px(8)
        ink = BACKGROUND if chosen else INK
        canvas.draw_icon(
            SEAT_SHAPES[button], (row.left + size, row.centery), size, BACKGROUND if chosen else BUTTON_COLOURS[button]
        )
        line = Rect(row.left + 2 * size, row.top, row.w - 3 * size, row.h)
        canvas.draw_text(line, name, TITLE_EM, ink, weight=FontWeight.BOLD)
        canvas.add_touch_area(row, button)


def _draw_buttons(canvas: Canvas, rect: Rect, shown: ScreenState, view: WizardView) -> None:
    foot = canvas.px(10 if canvas.is_portrait else 6)
    columns = 6 if rect.w > 2 * rect.h else 3
    gap = canvas.px(2)
    width = (rect.w - gap * (columns - 1)) // columns
    lines = -(-len(SEAT_BUTTONS) // columns)
    height = (rect.h - foot - gap * lines) // lines
    for i, button in enumerate(SEAT_BUTTONS):
        place = Rect(
            rect.left + (i % columns) * (width + gap), rect.top + (i // columns) * (height + gap), width, height
        )
        tried, heard = button in view.tried_buttons, button in shown.pressed_buttons
        canvas.draw_panel(place, INK if heard else PANEL, edge=GOOD if tried else BUTTON_COLOURS[button], radius=2.4)
        size = min(canvas.px(16), place.w * 6 // 10, place.h * 5 // 10)
        middle = (place.centerx, place.top + place.h * 4 // 10)
        canvas.draw_icon(SEAT_SHAPES[button], middle, size, BACKGROUND if heard else BUTTON_COLOURS[button])
        if tried:
            sign = canvas.px(7)
            canvas.draw_icon("ok", (place.centerx, place.bottom - sign), sign, BACKGROUND if heard else GOOD)
        canvas.add_touch_area(place, button)
    line = Rect(rect.left, rect.bottom - foot, rect.w, foot)
    canvas.draw_text(line, " ".join(shown.details), MIN_EM, MUTED, max_lines=2, align=0.5)


def _draw_sample_text(canvas: Canvas, rect: Rect, shown: ScreenState) -> None:
    canvas.draw_panel(rect, PANEL, radius=2.4)
    inner = rect.inflate(-canvas.px(6), -canvas.px(4))
    great, small = shown.details[0], shown.details[-1]
    high = inner.h * 6 // 10
    top = Rect(inner.left, inner.top, inner.w, high)
    canvas.draw_text(top, great, TITLE_EM, INK, weight=FontWeight.BOLD, min_size=HEADING_EM, max_lines=3, align=0.5)
    below = Rect(inner.left, inner.top + high, inner.w, inner.h - high)
    canvas.draw_text(below, small, BODY_EM, INK, min_size=MIN_EM, max_lines=2, align=0.5)
