"""The teaching of the box's own dice: the camera's picture, and the six faces, ticked if they were learned."""

from pygame import Rect

from companion.display.scenes.base import draw_frame
from companion.display.toolkit import BACKGROUND, INK, LINE, Canvas, lay_out_screen, split_bottom, split_grid, split_top
from companion.display.widgets.camera_panel import draw_camera_view
from companion.screen_state import DiceTeachingView, ScreenState

ROW_HEIGHT = 16.0
"""Height of the row of faces, in units."""
FACE_RATIO = 0.9
"""Size of a face as a share of its room."""


def draw_dice_teaching(canvas: Canvas, state: ScreenState) -> None:
    """Draw the camera's picture with the dice that it found, and the six faces.

    Only regions that changed since the last frame are painted again. Call it within `Canvas.frame`.

    Args:
        state: what is shown; its view is a `DiceTeachingView`, and it has one detail.
    """
    view: DiceTeachingView = state.view
    layout = lay_out_screen(canvas)
    draw_frame(canvas, layout, state, ground=LINE)
    row, picture = split_bottom(layout.body, canvas.px(ROW_HEIGHT), canvas.px(1))
    draw_camera_view(canvas, picture, state.camera_view, " ".join(state.details))
    canvas.draw_region("main", row, view, lambda: _draw_faces(canvas, row, view))


def _draw_faces(canvas: Canvas, rect: Rect, view: DiceTeachingView) -> None:
    for value, cell in enumerate(split_grid(rect, 6, 1, canvas.px(1)), 1):
        if value == view.wanted:
            canvas.draw_panel(cell, INK)
        upper, lower = split_top(cell, cell.h * 6 // 10)
        canvas.draw_die(value, upper.center, round(min(upper.size) * FACE_RATIO))
        if value in view.learned:
            canvas.draw_icon("ok", lower.center, min(lower.size), BACKGROUND if value == view.wanted else INK)
