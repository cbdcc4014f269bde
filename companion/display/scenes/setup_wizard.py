"""The setup wizard: language, picture, buttons, camera."""

from functools import partial

from pygame import Rect

from companion.display.scenes.base import draw_frame
from companion.display.toolkit import (
    BACKGROUND,
    BUTTON_COLOURS,
    GOOD,
    INK,
    MUTED,
    PANEL,
    TEXT_EM,
    TITLE_EM,
    Canvas,
    Typeface,
    lay_out_screen,
    split_bottom,
    split_grid,
    split_rows,
    split_top,
)
from companion.display.widgets import draw_camera_view
from companion.events import SEAT_BUTTONS
from companion.i18n import LANGUAGES
from companion.screen_state import ScreenState, WizardPage, WizardView


def draw_setup_wizard(canvas: Canvas, state: ScreenState) -> None:
    """Draw a page of the setup wizard.

    What is unchanged since the last frame is not painted again. Call it within `Canvas.frame`.

    Args:
        canvas: Where it is drawn.
        state: What is shown; its view is a `WizardView`. On pages other than LANGUAGE, BUTTONS and CAMERA it has at
            least one detail: the sample text.

    Raises:
        IndexError: There is no detail on a page that needs one.
        pygame.error: The screen is too small, so that a part would have a negative size.
    """
    view: WizardView = state.view
    layout = lay_out_screen(canvas)
    body = layout.body
    if view.page is WizardPage.PICTURE:
        _draw_screen_edges(canvas)
    draw_frame(canvas, layout, state)
    match view.page:
        case WizardPage.CAMERA:
            draw_camera_view(canvas, body, state.camera_view)
        case WizardPage.LANGUAGE:
            canvas.draw_region("main", body, view, lambda: _draw_languages(canvas, body, view))
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


def _draw_languages(canvas: Canvas, rect: Rect, view: WizardView) -> None:
    rows = split_rows(rect, len(LANGUAGES), canvas.px(2), canvas.px(18))
    for button, (language, name), row in zip(SEAT_BUTTONS, LANGUAGES.items(), rows, strict=False):
        is_chosen = language == view.language
        colour = BUTTON_COLOURS[button]
        canvas.draw_panel(row, colour if is_chosen else PANEL, edge=colour)
        size = canvas.px(8)
        canvas.draw_badge(button, (row.left + size, row.centery), size, BACKGROUND if is_chosen else None)
        line = Rect(row.left + 2 * size, row.top, row.w - 3 * size, row.h)
        canvas.draw_text(line, name, TITLE_EM, BACKGROUND if is_chosen else INK, face=Typeface.DISPLAY)
        canvas.add_touch_area(row, button)


def _draw_buttons(canvas: Canvas, rect: Rect, state: ScreenState, view: WizardView) -> None:
    """Draw the seats' buttons: those that were pressed have a tick."""
    columns = 6 if rect.w > 2 * rect.h else 3
    gap = canvas.px(2)
    line, body = split_bottom(rect, canvas.px(10 if canvas.is_portrait else 6), gap)
    cells = split_grid(body, columns, -(-len(SEAT_BUTTONS) // columns), gap)
    for button, place in zip(SEAT_BUTTONS, cells, strict=True):
        was_tried, is_pressed = button in view.tried_buttons, button in state.pressed_buttons
        edge = GOOD if was_tried else BUTTON_COLOURS[button]
        canvas.draw_panel(place, INK if is_pressed else PANEL, edge=edge, radius=2.4)
        size = min(canvas.px(16), place.w * 6 // 10, place.h * 5 // 10)
        middle = (place.centerx, place.top + place.h * 4 // 10)
        canvas.draw_badge(button, middle, size, BACKGROUND if is_pressed else None)
        if was_tried:
            tick = canvas.px(7)
            canvas.draw_icon("ok", (place.centerx, place.bottom - tick), tick, BACKGROUND if is_pressed else GOOD)
        canvas.add_touch_area(place, button)
    canvas.draw_text(line, " ".join(state.details), TEXT_EM, MUTED, max_lines=2, align=0.5)


def _draw_sample_text(canvas: Canvas, rect: Rect, state: ScreenState) -> None:
    """Draw a large and a small text, to judge whether both can be read from the table."""
    inner = canvas.draw_panel(rect, PANEL, radius=2.4, padding=(6, 4))
    upper, lower = split_top(inner, inner.h * 6 // 10)
    canvas.draw_text(
        upper,
        state.details[0],
        TITLE_EM,
        INK,
        face=Typeface.DISPLAY,
        max_lines=3,
        align=0.5,
    )
    canvas.draw_text(lower, state.details[-1], TEXT_EM, INK, max_lines=2, align=0.5)
