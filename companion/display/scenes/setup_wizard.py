"""The setup wizard: language, screen, picture, buttons, camera."""

from collections.abc import Sequence
from functools import partial

from companion.display.scenes.scene_frame import draw_frame
from companion.display.toolkit import (
    BACKGROUND,
    BIG_EM,
    BUTTON_COLOURS,
    HUGE_EM,
    INK,
    LINE,
    TEXT_EM,
    TITLE_EM,
    Canvas,
    Rect,
    Typeface,
    lay_out_screen,
    split_bottom,
    split_grid,
    split_left,
    split_rows,
    split_top,
)
from companion.display.widgets import draw_camera_view
from companion.events import SEAT_BUTTONS
from companion.lobby_views import WizardPage, WizardView
from companion.screen_state import ScreenState

CHOICE_HEIGHT = 17.0
"""Height of a choice's row at most, in units."""
SIZES_PERCENT = 60
"""Width of the sizes of screens beside the distance, in percent of the body's."""
MAX_SHAPE_SIZE = 30.0
"""Size of a seat's shape at most, in units."""
HOLLOW_RATIO = 0.8
"""Size of the hole in the shape of a button that was not pressed yet, as a share of the shape's."""


def draw_setup_wizard(canvas: Canvas, state: ScreenState) -> None:
    """Draw a page of the setup wizard.

    Only regions that changed since the last frame are painted again. Call it within `Canvas.frame`.

    Args:
        state: what is shown; its view is a `WizardView`. On pages other than LANGUAGE, BUTTONS and CAMERA it has at
            least one detail: the sample text.

    Raises:
        IndexError: there is no detail on a page that needs one.
    """
    view: WizardView = state.view
    layout = lay_out_screen(canvas)
    body = layout.body
    draw_frame(canvas, layout, state, ground=LINE)
    if view.page is WizardPage.PICTURE:
        _draw_screen_edges(canvas)
    match view.page:
        case WizardPage.CAMERA:
            draw_camera_view(canvas, body, state.camera_view)
        case WizardPage.LANGUAGE:
            names, chosen = state.details, view.language - 1
            canvas.draw_region("main", body, (view, names), lambda: _draw_choices(canvas, body, names, chosen, BIG_EM))
        case WizardPage.SCREEN:
            canvas.draw_region("main", body, (view, state.details), lambda: _draw_sizes(canvas, body, state, view))
        case WizardPage.BUTTONS:
            content = (view, state.pressed_buttons, state.details)
            canvas.draw_region("main", body, content, lambda: _draw_buttons(canvas, body, state, view))
        case _:
            canvas.draw_region("main", body, state.details, lambda: _draw_sample_text(canvas, body, state))


def _draw_screen_edges(canvas: Canvas) -> None:
    """Draw a frame at the very edges: a screen that cuts the picture off does not show all of it."""
    width, height = canvas.size
    thickness = canvas.px(0.6)
    sides = {
        "top": Rect(0, 0, width, thickness),
        "bottom": Rect(0, height - thickness, width, thickness),
        "left": Rect(0, thickness, thickness, height - 2 * thickness),
        "right": Rect(width - thickness, thickness, thickness, height - 2 * thickness),
    }
    for name, side in sides.items():
        canvas.draw_region(name, side, None, partial(canvas.fill_rect, INK, side))


def _draw_choices(canvas: Canvas, rect: Rect, labels: Sequence[str], chosen: int, em: float) -> None:
    """Draw what the seats' buttons choose, one under the other; the chosen one is filled."""
    rows = split_rows(rect, len(labels), canvas.px(1.4), canvas.px(CHOICE_HEIGHT))
    for i, (button, label, row) in enumerate(zip(SEAT_BUTTONS, labels, rows, strict=False)):
        if i == chosen:
            canvas.draw_panel(row, BUTTON_COLOURS[button])
        badge = BACKGROUND if i == chosen else None
        line = canvas.draw_badge_left(row, button, row.h * 7 // 10, badge, margin=3, gap=4)
        canvas.draw_text(line, label, em, BACKGROUND if i == chosen else INK, face=Typeface.DISPLAY)
        canvas.add_touch_area(row, button)


def _draw_sizes(canvas: Canvas, rect: Rect, state: ScreenState, view: WizardView) -> None:
    """Draw the sizes of screens to choose from, and the distance large beside them."""
    distance, *sizes = state.details
    choices, figure = split_left(rect, rect.w * SIZES_PERCENT // 100, canvas.px(2))
    _draw_choices(canvas, choices, sizes, view.screen - 1, TITLE_EM)
    canvas.draw_figure(figure, distance, INK, max_em=HUGE_EM)


def _draw_buttons(canvas: Canvas, rect: Rect, state: ScreenState, view: WizardView) -> None:
    """Draw the shapes of the seats' buttons: hollow, and filled with a tick once they were pressed."""
    columns = 3 if canvas.is_portrait else 6
    gap = canvas.px(1)
    line, body = split_bottom(rect, canvas.px(14 if canvas.is_portrait else 8), gap)
    cells = split_grid(body, columns, len(SEAT_BUTTONS) // columns, gap)
    for button, place in zip(SEAT_BUTTONS, cells, strict=True):
        size = min(canvas.px(MAX_SHAPE_SIZE), place.w, place.h)
        is_pressed = button in state.pressed_buttons
        canvas.draw_badge(button, place.center, size, INK if is_pressed else None)
        if button in view.tried_buttons:
            canvas.draw_icon("ok", place.center, size * 4 // 10, BACKGROUND)
        elif not is_pressed:
            canvas.draw_badge(button, place.center, round(size * HOLLOW_RATIO), canvas.ground_colour)
        canvas.add_touch_area(place, button)
    canvas.draw_text(line, " ".join(state.details), TEXT_EM, INK, max_lines=2, align=0.5)


def _draw_sample_text(canvas: Canvas, rect: Rect, state: ScreenState) -> None:
    """Draw a large and a small text, to judge whether both can be read from the table."""
    upper, lower = split_top(rect.inflate(-canvas.px(6), -canvas.px(4)), rect.h * 6 // 10)
    canvas.draw_text(upper, state.details[0], BIG_EM, INK, face=Typeface.DISPLAY, max_lines=3, align=0.5)
    canvas.draw_text(lower, state.details[-1], TEXT_EM, INK, max_lines=2, align=0.5)
