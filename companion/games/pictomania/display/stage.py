"""The stage of Pictomania's phases: the house timer beside the game, and the sizes below which less is shown."""

from math import ceil

from companion.display.api import (
    BACKGROUND,
    GAP,
    INK,
    WARN,
    Canvas,
    Rect,
    RunningClock,
    Typeface,
    draw_time_bar,
    format_clock,
    split_bottom,
    split_right,
)
from companion.display.widgets import clock_content
from companion.display.widgets.clocks import WARNING_SECONDS

CLOCK_SHARE = 0.56
"""Width of a running clock, as a share of the stage's."""
BADGES_HEIGHT = 11.0
"""Height of a row of badges or of kept tokens, in units."""
LOW_HEIGHT = 24.0
"""Height in units below which only the most important thing is shown, beside the camera's picture."""
NARROW_WIDTH = 60.0
"""Width in units below which things stand one under the other, beside the camera's picture."""


def is_stage_narrow(canvas: Canvas, rect: Rect) -> bool:
    """Return whether things stand one under the other: the camera's picture has most of the room.

    Args:
        canvas: gives the size of a unit.
        rect: the place of the phase, in pixels.
    """
    return rect.w < canvas.px(NARROW_WIDTH)


def draw_clock_beside(canvas: Canvas, rect: Rect, clock: RunningClock | None, share: float = CLOCK_SHARE) -> Rect:
    """Draw the clock at the right, if one runs; return the room left of it.

    Args:
        rect: the room of both, in pixels.
        clock: the house timer; None: none runs, and all of `rect` is left.
        share: width of the clock, as a share of `rect`'s.
    """
    if clock is None:
        return rect
    place, rest = split_right(rect, round(rect.w * share), canvas.px(2 * GAP))
    draw_clock(canvas, place, clock)
    return rest


def draw_clock(canvas: Canvas, rect: Rect, clock: RunningClock) -> None:
    """Draw a house timer in digits as large as there is room, with a bar of the time left, as the region "clock".

    Args:
        clock: the house timer.
    """

    def paint() -> None:
        room, ink, bar_colour = rect, INK, INK
        if ceil(clock.seconds_left) <= WARNING_SECONDS:
            canvas.draw_panel(rect, WARN, radius=2.4)
            room, ink, bar_colour = rect.inflate(-canvas.px(4), -canvas.px(2)), BACKGROUND, BACKGROUND
        bar, digits = split_bottom(room, canvas.px(1.8), canvas.px(1.6))
        digits = digits.inflate(-canvas.px(1), -canvas.px(1))  # antialiased edges
        canvas.draw_figure(digits, format_clock(clock), ink, face=Typeface.TABULAR)
        draw_time_bar(canvas, bar, clock, bar_colour, 0.8)

    canvas.draw_region("clock", rect, clock_content(clock), paint)
