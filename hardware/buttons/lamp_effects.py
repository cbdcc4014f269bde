"""What a lamp does over time: the same five effects at the Pi's pins and in the button box.

A lamp's brightness is a plain function of the clock, so that all lamps of a table blink together.
"""

from __future__ import annotations

import math
from enum import IntEnum

from companion.events import LampState


class Effect(IntEnum):
    """A lamp's effect; the numbers are those of the box's protocol."""

    OFF = 0
    ON = 1
    SLOW = 2
    FAST = 3
    BREATHE = 4


FREQUENCY = {Effect.SLOW: 1.0, Effect.FAST: 4.0, Effect.BREATHE: 0.25}
"""In Hz; the others stand still."""
BREATH_STEP = 0.04
"""Seconds between two brightnesses of a breathing lamp: 25 a second look smooth."""
OF_LAMP = {LampState.OFF: Effect.OFF, LampState.ON: Effect.ON, LampState.BLINK: Effect.SLOW}


def brightness(effect: Effect, at: float) -> float:
    """0.0 (dark) to 1.0, at a time in seconds.

    >>> [brightness(Effect.SLOW, at) for at in (0.0, 0.4, 0.6, 1.1)]
    [1.0, 1.0, 0.0, 1.0]
    >>> [round(brightness(Effect.BREATHE, at), 2) for at in (0.0, 1.0, 2.0)]
    [1.0, 0.25, 0.0]
    """
    if effect not in FREQUENCY:
        return float(effect is Effect.ON)
    phase = at * FREQUENCY[effect] % 1.0
    if effect is Effect.BREATHE:
        # Squared, for the eye sees twice the light as much less than twice as bright.
        return (0.5 + 0.5 * math.cos(2.0 * math.pi * phase)) ** 2
    return float(phase < 0.5)


def next_change(effect: Effect, at: float) -> float | None:
    """When its brightness will be another, in seconds, later than `at`; None: never.

    >>> next_change(Effect.SLOW, 0.2), next_change(Effect.SLOW, 0.5), next_change(Effect.ON, 0.2)
    (0.5, 1.0, None)
    """
    if effect not in FREQUENCY:
        return None
    if effect is Effect.BREATHE:
        return at + BREATH_STEP
    half = 0.5 / FREQUENCY[effect]
    return (math.floor(at / half) + 1) * half
