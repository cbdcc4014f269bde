"""The lesson's first page, on which somebody sits down, and its last one; between them the game is shown."""

from collections.abc import Sequence

from companion.display.scenes.scene_frame import draw_frame
from companion.display.toolkit import (
    BACKGROUND,
    BIG_EM,
    BUTTON_COLOURS,
    INK,
    TITLE_EM,
    Canvas,
    Colour,
    Rect,
    Typeface,
    lay_out_screen,
    split_bottom,
    split_grid,
    split_left,
)
from companion.events import SEAT_BUTTONS, Button
from companion.screen_state import ScreenState

SHAPES_PERCENT = 36
"""Height of the seats' shapes under the sentence, in percent."""
MAX_ROW_HEIGHT = 15.0
"""Height of a line of what was learnt at most, in units."""


def draw_lesson(canvas: Canvas, state: ScreenState, accent: Colour) -> None:
    """Draw the sentence over the shapes of the seats that are free, or what was learnt.

    Args:
        state: what is shown; its view is a `LessonView`.
        accent: the game's colour: floods the ground.
    """
    layout = lay_out_screen(canvas)
    draw_frame(canvas, layout, state, ground=accent)
    view = state.view
    if view.sentence:
        canvas.draw_region("main", layout.body, (view, state.pressed_buttons), lambda: _draw_seats(canvas, state))
    else:
        canvas.draw_region("main", layout.body, view, lambda: _draw_learnt(canvas, layout.body, view.learnt))


def _draw_seats(canvas: Canvas, state: ScreenState) -> None:
    """Draw the sentence over the seats' shapes; in portrait alone, for the keys are large enough below it."""
    words = lay_out_screen(canvas).body
    if not canvas.is_portrait:
        shapes, words = split_bottom(words, words.h * SHAPES_PERCENT // 100, canvas.px(2))
        cells = split_grid(shapes, len(SEAT_BUTTONS), 1, canvas.px(1.6))
        for button, cell in zip(SEAT_BUTTONS, cells, strict=True):
            canvas.add_touch_area(cell, button)
            canvas.draw_panel(cell, BACKGROUND, edge=BUTTON_COLOURS[button], radius=2.2)
            ink = INK if button in state.pressed_buttons else None
            canvas.draw_badge(button, cell.center, min(cell.size) * 6 // 10, ink)
    words = words.inflate(-canvas.px(4), -canvas.px(1))  # accents of small letters rise above capitals
    canvas.draw_text(words, state.view.sentence, BIG_EM, INK, face=Typeface.DISPLAY, max_lines=3, align=0.5)


def _draw_learnt(canvas: Canvas, rect: Rect, lines: Sequence[str]) -> None:
    """Draw what was learnt, each with a tick."""
    height = min(canvas.px(MAX_ROW_HEIGHT), rect.h // len(lines))
    top = rect.top + (rect.h - height * len(lines)) // 2
    room = (rect.w - height - canvas.px(1.5), height)
    em = canvas.find_common_size(lines, TITLE_EM, room, Typeface.DISPLAY)
    for index, line in enumerate(lines):
        row = Rect(rect.left, top + index * height, rect.w, height)
        mark, words = split_left(row, height, canvas.px(1.5))
        canvas.draw_icon("ok", mark.center, height * 6 // 10, BUTTON_COLOURS[Button.OK])
        canvas.draw_text(words, line, em, INK, face=Typeface.DISPLAY, max_lines=2)
