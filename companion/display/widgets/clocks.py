"""Running clocks, large enough for three metres."""

from __future__ import annotations

from math import ceil

from pygame import Rect

from companion.display.toolkit.canvas import Canvas
from companion.display.toolkit.text import FontWeight
from companion.display.toolkit.theme import INK, MIN_EM, MIN_FAR_EM, MUTED, PANEL, RAISED, SMALL_EM, WARN
from companion.i18n import Translator
from companion.screen_state import RunningClock

_ = Translator("companion")

WARNING_SECONDS = 5
"""Seconds left from which a clock warns."""


def format_clock(clock: RunningClock) -> str:
    """What the clock shows: whole seconds, rounded up, so that zero means it has run out.

    >>> reading(RunningClock("turn", 29.2, 30.0)), reading(RunningClock("turn", 95.0, 120.0))
    ('0:30', '1:35')
    """
    minutes, seconds = divmod(max(0, ceil(clock.seconds_left)), 60)
    return f"{minutes}:{seconds:02}"


def clock_content(clock: RunningClock) -> tuple[object, ...]:
    """What the clock's picture depends on."""
    return (clock.name, format_clock(clock), clock.paused)


def draw_clock(canvas: Canvas, rect: Rect, clock: RunningClock, label: str = "") -> None:
    """Draws one clock: what it is for, the time left, and a bar of what is left.

    Args:
        word: what it is for, in the language of the evening; empty: its name, which is English.
    """
    canvas.draw_panel(rect, PANEL)
    inner = rect.inflate(-canvas.px(3), -canvas.px(1.6))
    colour = MUTED if clock.paused else WARN if ceil(clock.seconds_left) <= WARNING_SECONDS else INK
    bar = Rect(inner.left, inner.bottom - canvas.px(1), inner.w, canvas.px(1))
    left = min(1.0, max(0.0, ceil(clock.seconds_left) / clock.seconds_total)) if clock.seconds_total > 0 else 0.0
    canvas.draw_panel(bar, RAISED, radius=0.5)
    if left > 0:
        canvas.draw_panel(Rect(bar.left, bar.top, max(canvas.px(1), round(bar.w * left)), bar.h), colour, radius=0.5)
    digits = Rect(inner.left, inner.top, inner.w, bar.top - inner.top)
    drawn = canvas.draw_text(
        digits,
        format_clock(clock),
        MIN_FAR_EM + 0.5,
        colour,
        weight=FontWeight.BOLD,
        min_size=MIN_FAR_EM,
        align=1.0,
        vertical_align=0.4,
    )
    name = Rect(inner.left, digits.top, drawn.left - canvas.px(1) - inner.left, digits.h)
    said = _("Paused") if clock.paused else label or clock.name.capitalize()
    # The time matters; its name is only there if there is room.
    if canvas.fonts.measure_width(said, FontWeight.MEDIUM, canvas.px_at_least(MIN_EM)) <= name.w:
        canvas.draw_text(name, said, SMALL_EM, MUTED)
