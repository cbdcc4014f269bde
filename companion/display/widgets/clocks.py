"""Running clocks, large enough for three metres."""

from __future__ import annotations

from math import ceil

from pygame import Rect

from companion.display.toolkit.canvas import Canvas
from companion.display.toolkit.text import Weight
from companion.display.toolkit.theme import FAR, FLOOR, INK, MUTED, PANEL, RAISED, SMALL, WARN
from companion.i18n import Words
from companion.screen_state import RunningClock

_ = Words("companion")

SOON = 5
"""Seconds left from which a clock warns."""


def reading(clock: RunningClock) -> str:
    """What the clock shows: whole seconds, rounded up, so that zero means it has run out.

    >>> reading(RunningClock("turn", 29.2, 30.0)), reading(RunningClock("turn", 95.0, 120.0))
    ('0:30', '1:35')
    """
    minutes, seconds = divmod(max(0, ceil(clock.left)), 60)
    return f"{minutes}:{seconds:02}"


def clock_shows(clock: RunningClock) -> tuple[object, ...]:
    """What the clock's picture depends on."""
    return (clock.name, reading(clock), clock.paused)


def draw_clock(canvas: Canvas, rect: Rect, clock: RunningClock, word: str = "") -> None:
    """Draws one clock: what it is for, the time left, and a bar of what is left.

    Args:
        word: what it is for, in the language of the evening; empty: its name, which is English.
    """
    canvas.panel(rect, PANEL)
    inner = rect.inflate(-canvas.px(3), -canvas.px(1.6))
    colour = MUTED if clock.paused else WARN if ceil(clock.left) <= SOON else INK
    bar = Rect(inner.left, inner.bottom - canvas.px(1), inner.w, canvas.px(1))
    left = min(1.0, max(0.0, ceil(clock.left) / clock.total)) if clock.total > 0 else 0.0
    canvas.panel(bar, RAISED, radius=0.5)
    if left > 0:
        canvas.panel(Rect(bar.left, bar.top, max(canvas.px(1), round(bar.w * left)), bar.h), colour, radius=0.5)
    digits = Rect(inner.left, inner.top, inner.w, bar.top - inner.top)
    drawn = canvas.text(
        digits, reading(clock), FAR + 0.5, colour, weight=Weight.BOLD, least=FAR, align=1.0, upright=0.4
    )
    name = Rect(inner.left, digits.top, drawn.left - canvas.px(1) - inner.left, digits.h)
    said = _("Paused") if clock.paused else word or clock.name.capitalize()
    # The time matters; its name is only there if there is room.
    if canvas.type.width(said, Weight.MEDIUM, canvas.floor(FLOOR)) <= name.w:
        canvas.text(name, said, SMALL, MUTED)
