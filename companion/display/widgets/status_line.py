"""The status line under the game: a notice, or the last move; at its right, what holding a button does."""

from companion.display.toolkit import (
    BACKGROUND,
    BUTTON_COLOURS,
    MUTED,
    SEAT_SHAPES,
    SMALL_EM,
    WARN,
    Canvas,
    ScreenLayout,
    split_left,
    split_right,
)
from companion.screen_state import ScreenState

MAX_HOLD_HINT_WIDTH = 40.0
"""Width at most of what holding a button does, in units."""


def draw_status_line(canvas: Canvas, layout: ScreenLayout, state: ScreenState) -> None:
    """Draw the status line as the region "status": the notice, if there is one, else the last move.

    At its right it says what holding a button does, unless the notice needs the whole line.

    Args:
        canvas: Where it is drawn.
        layout: Places of the screen.
        state: What is shown.

    Raises:
        pygame.error: The screen is too small, so that a part would have a negative size.
    """
    notice = state.notice
    held = next((key for key in state.soft_keys if key.is_hold), None)
    rect = layout.status
    max_lines = 2 if canvas.is_portrait else 1

    def paint() -> None:
        room = rect
        hint_width = canvas.px(MAX_HOLD_HINT_WIDTH)
        # A notice that needs the whole line has it: what holding a button does is back once the notice has gone.
        is_crowded = notice is not None and canvas.min_text_width(notice, max_lines) > rect.w - hint_width
        if held is not None and not is_crowded:
            if max_lines > 1:
                # Two narrow lines leave room for the other side's two.
                hint_width = canvas.min_text_width(held.label, max_lines)
            hint = split_right(rect, hint_width)[0]
            drawn = canvas.draw_text(hint, held.label, SMALL_EM, MUTED, align=1.0, max_lines=max_lines)
            icon, centre = SEAT_SHAPES.get(held.button, str(held.button)), (drawn.left - canvas.px(2.6), rect.centery)
            canvas.draw_icon(icon, centre, canvas.px(3.4), BUTTON_COLOURS[held.button])
            room = split_left(rect, drawn.left - canvas.px(6) - rect.left)[0]
        if notice is not None:
            canvas.draw_panel(room, WARN)
            canvas.draw_icon("bang", (room.left + canvas.px(3.4), room.centery), canvas.px(3.8), BACKGROUND)
            line = split_left(room, canvas.px(6))[1]
            line.w = room.w - canvas.px(8)
            canvas.draw_text(line, notice, SMALL_EM, BACKGROUND, max_lines=max_lines)
        elif state.last_move:
            canvas.draw_text(room, state.last_move, SMALL_EM, MUTED, max_lines=max_lines)

    canvas.draw_region("status", rect, (notice, state.last_move, held), paint)
