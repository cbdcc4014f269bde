"""Running clocks, large enough to be read from three metres.

How clocks run: `companion.referee.clocks`; spoken: `companion.display.sound.spoken_clocks`.
"""

from math import ceil

from companion.display.toolkit import (
    INK,
    MUTED,
    PANEL,
    RAISED,
    TEXT_EM,
    TITLE_EM,
    WARN,
    Canvas,
    Colour,
    Rect,
    Typeface,
    split_bottom,
)
from companion.i18n import _
from companion.screen_state import RunningClock, ScreenState

WARNING_SECONDS = 5
"""Seconds left from which a clock warns."""


def find_clock(state: ScreenState) -> RunningClock | None:
    """Return the clock to be drawn.

    >>> from companion.screen_state import ScreenKind
    >>> print(find_clock(ScreenState(ScreenKind.PLAY)))
    None

    Returns:
        The first clock of the state, running or paused; None if it has none.
    """
    return state.clocks[0] if state.clocks else None


def format_clock(clock: RunningClock) -> str:
    """Format the time left as minutes and seconds, rounded up to seconds: "0:00" means that the time is over.

    Args:
        clock: the clock; a negative time left counts as 0, and more than an hour is given in minutes.

    Raises:
        ValueError, OverflowError: the time left is not a number, or infinite.

    >>> format_clock(RunningClock("turn", 29.2, 30.0)), format_clock(RunningClock("turn", 95.0, 120.0))
    ('0:30', '1:35')
    """
    minutes, seconds = divmod(max(0, ceil(clock.seconds_left)), 60)
    return f"{minutes}:{seconds:02}"


def clock_content(clock: RunningClock | None) -> tuple[object, ...] | None:
    """Return every value that a clock's picture depends on, for the `content` of the region that it is drawn in.

    Args:
        clock: the clock, or None if none is drawn.

    Returns:
        A hashable tuple that is equal as long as the picture is the same (to whole seconds); None without a clock.
    """
    return None if clock is None else (clock.name, format_clock(clock), clock.paused)


def clock_colour(clock: RunningClock, warning_seconds: int = WARNING_SECONDS) -> Colour:
    """Return the colour of a clock: muted while paused, a warning for the last seconds, else that of text.

    Args:
        warning_seconds: seconds left, rounded up, from which the clock warns.
    """
    return MUTED if clock.paused else WARN if ceil(clock.seconds_left) <= warning_seconds else INK


def draw_time_bar(canvas: Canvas, rect: Rect, clock: RunningClock, colour: Colour, radius: float) -> None:
    """Draw a bar as long as the fraction of the time that is left, on a ground of the full length.

    >>> from companion.display.toolkit.theme import GOOD
    >>> canvas, box = Canvas((800, 480)), Rect(0, 0, 800, 20)
    >>> clock = RunningClock("turn", 15.0, 30.0)
    >>> with canvas.frame():
    ...     canvas.draw_region("bar", box, clock, lambda: draw_time_bar(canvas, box, clock, GOOD, radius=1))
    ...

    Args:
        rect: place of the full bar, in pixels.
        clock: the clock; a total time of 0 seconds draws the ground alone.
        colour: of the bar: a tone or a fixed colour (0 to 255).
        radius: of the corners, in layout units.
    """
    total = clock.seconds_total
    fraction = min(1.0, max(0.0, ceil(clock.seconds_left) / total)) if total > 0 else 0.0
    canvas.draw_panel(rect, RAISED, radius=radius)
    if fraction > 0:
        left = Rect(rect.left, rect.top, max(rect.h, round(rect.w * fraction)), rect.h)
        canvas.draw_panel(left, colour, radius=radius)


def draw_clock(canvas: Canvas, rect: Rect, clock: RunningClock, label: str = "") -> None:
    """Draw a clock: what it is for, the time left, and a bar of it.

    >>> canvas, box, clock = Canvas((800, 480)), Rect(0, 0, 800, 300), RunningClock("turn", 95.0, 120.0)
    >>> with canvas.frame():
    ...     canvas.draw_region("clock", box, clock, lambda: draw_clock(canvas, box, clock, "Ada's turn"))
    ...
    >>> "1:35" in [text.text for text in canvas.drawn_texts()]
    True

    Args:
        label: what it is for, translated; empty: the clock's own label, else its name. It is left out if there is no
            room for it; a paused clock has "Paused" in its place.
    """
    inner = canvas.draw_panel(rect, PANEL, padding=(3, 0.6))
    colour = clock_colour(clock)
    bar, digits = split_bottom(inner, canvas.px(1))
    draw_time_bar(canvas, bar, clock, colour, 0.5)
    drawn = canvas.draw_text(
        digits,
        format_clock(clock),
        TITLE_EM,
        colour,
        face=Typeface.TABULAR,
        align=1.0,
        vertical_align=0.4,
    )
    label_rect = Rect(inner.left, digits.top, drawn.left - canvas.px(1) - inner.left, digits.h)
    label = _("Paused") if clock.paused else label or clock.label or clock.name.capitalize()
    # The label is only drawn if there is room for it.
    if canvas.text_width(label, face=Typeface.DISPLAY) <= label_rect.w:
        canvas.draw_text(label_rect, label, TEXT_EM, MUTED, face=Typeface.DISPLAY)
