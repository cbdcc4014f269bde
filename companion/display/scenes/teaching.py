"""Scenes of what people teach: the buttons of a controller, each asked for by its shape, and the own dice's faces."""

from companion.display.scenes.scene_frame import draw_frame
from companion.display.toolkit import (
    BACKGROUND,
    BUTTON_COLOURS,
    GOOD,
    INK,
    LINE,
    PANEL,
    TEXT_EM,
    Canvas,
    Rect,
    lay_out_screen,
    split_bottom,
    split_grid,
    split_top,
)
from companion.display.widgets.camera_panel import draw_camera_view
from companion.events import SEAT_BUTTONS, Button
from companion.lobby_views import DiceTeachingView, TeachingView
from companion.screen_state import ScreenState

ROW_HEIGHT = 13.0
"""Height of a row of small shapes, in units."""
TEXT_HEIGHT = 8.0
"""Height of the line about the device, in units; twice as high on an upright screen."""
SMALL_RATIO = 0.9
"""Size of a small shape as a share of its room."""
FACE_ROW_HEIGHT = 15.0
"""Height of the row of faces, in units."""
FACE_RATIO = 0.76
"""Size of a face as a share of its room."""
TICK_SIZE = 5.0
"""Size of the tick on a face that was learned, in units."""


def draw_button_teaching(canvas: Canvas, state: ScreenState) -> None:
    """Draw the button that is asked for, and all buttons, with a tick if they were taught.

    Only regions that changed since the last frame are painted again. Call it within `Canvas.frame`.

    Args:
        state: what is shown; its view is a `TeachingView`, and it has one detail.
    """
    view: TeachingView = state.view
    layout = lay_out_screen(canvas)
    draw_frame(canvas, layout, state, ground=LINE)
    canvas.draw_region("main", layout.body, (view, state.details), lambda: _draw_body(canvas, layout.body, state, view))


def _draw_body(canvas: Canvas, rect: Rect, state: ScreenState, view: TeachingView) -> None:
    gap = canvas.px(1)
    columns = 5 if canvas.is_portrait else 10
    rows = len(Button) // columns
    line, rest = split_bottom(rect, canvas.px(TEXT_HEIGHT * (2 if canvas.is_portrait else 1)), gap)
    grid, large = split_bottom(rest, canvas.px(ROW_HEIGHT * rows), gap)
    _draw_button(canvas, view.wanted, large.center, min(large.size) * 9 // 10)
    for button, cell in zip(Button, split_grid(grid, columns, rows, gap), strict=True):
        if button is view.wanted:
            canvas.draw_panel(cell, PANEL, edge=INK)
        upper, lower = split_top(cell, cell.h * 6 // 10)
        _draw_button(canvas, button, upper.center, round(min(upper.size) * SMALL_RATIO))
        if button in view.learned:
            canvas.draw_icon("ok", lower.center, min(lower.size), INK)
    canvas.draw_text(line, " ".join(state.details), TEXT_EM, INK, max_lines=2, align=0.5)


def _draw_button(canvas: Canvas, button: Button, centre: tuple[int, int], size: int) -> None:
    if button in SEAT_BUTTONS:
        canvas.draw_badge(button, centre, size)
    else:
        canvas.draw_icon(str(button), centre, size, BUTTON_COLOURS[button])


def draw_dice_teaching(canvas: Canvas, state: ScreenState) -> None:
    """Draw the camera's picture with the dice that it found, and the six faces.

    Only regions that changed since the last frame are painted again. Call it within `Canvas.frame`.

    Args:
        state: what is shown; its view is a `DiceTeachingView`, and it has one detail.
    """
    view: DiceTeachingView = state.view
    layout = lay_out_screen(canvas)
    draw_frame(canvas, layout, state, ground=LINE)
    row, picture = split_bottom(layout.body, canvas.px(FACE_ROW_HEIGHT), canvas.px(1))
    draw_camera_view(canvas, picture, state.camera_view, " ".join(state.details))
    canvas.draw_region("main", row, view, lambda: _draw_faces(canvas, row, view))


def _draw_faces(canvas: Canvas, rect: Rect, view: DiceTeachingView) -> None:
    for value, cell in enumerate(split_grid(rect, 6, 1, canvas.px(1)), 1):
        if value == view.wanted:
            # Dice are white: a light edge stands out, a light ground would swallow them.
            canvas.draw_panel(cell, PANEL, edge=INK)
        die = canvas.draw_die(value, cell.center, round(min(cell.size) * FACE_RATIO))
        if value in view.learned:
            size = canvas.px(TICK_SIZE)
            disc = canvas.draw_disc(die.bottomright, size, GOOD, BACKGROUND)
            canvas.draw_icon("ok", disc.center, size * 2 // 3, BACKGROUND)
