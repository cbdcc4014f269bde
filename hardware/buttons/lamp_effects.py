"""Lamp effects (off, on, blinking, breathing) as functions of time, the same at the Pi's pins and in the button box.

Which lamps are on: `companion.referee.lamps`.

A lamp's brightness depends on the clock alone, so that all lamps of a table blink together.
"""

import math
from enum import IntEnum

from companion.events import LampState


class LampEffect(IntEnum):
    """A lamp's effect over time. The values are those of the box's protocol (firmware_notes/protocol.md).

    >>> EFFECT_BY_LAMP_STATE[LampState.BLINK].name
    'SLOW'
    """

    OFF = 0
    ON = 1
    SLOW = 2  # blinks once a second
    FAST = 3  # blinks four times a second
    BREATHE = 4  # fades in and out every four seconds


LampColour = tuple[int, int, int]
"""Light of a lamp's red, green and blue LED, 0 to 255 each, linear: 128 is half of the light, not half as bright."""

FREQUENCY_HZ = {LampEffect.SLOW: 1.0, LampEffect.FAST: 4.0, LampEffect.BREATHE: 0.25}
"""Cycles per second of each effect that changes; a higher frequency blinks faster. Part of the box's protocol."""

BREATHE_STEP_SECONDS = 0.04
"""Time between two brightness steps of a breathing lamp: 25 a second look smooth. A larger value flickers."""

EFFECT_BY_LAMP_STATE = {
    LampState.OFF: LampEffect.OFF,
    LampState.ON: LampEffect.ON,
    LampState.BLINK: LampEffect.SLOW,
}
"""Effect that shows each lamp state of a game."""


def compute_brightness(effect: LampEffect, at: float) -> float:
    """Return a lamp's brightness at a time, from 0.0 (dark) to 1.0 (full); raises nothing.

    Each cycle begins at a multiple of its length on that clock, at full brightness. A blinking lamp is 1.0 in the first
    half of its cycle and 0.0 in the second; BREATHE changes continuously.

    Args:
        effect: the effect that the lamp shows.
        at: finite time in seconds, of the one clock that all lamps of a table share.

    >>> [compute_brightness(LampEffect.SLOW, at) for at in (0.0, 0.4, 0.6, 1.1)]
    [1.0, 1.0, 0.0, 1.0]
    >>> [round(compute_brightness(LampEffect.BREATHE, at), 2) for at in (0.0, 1.0, 2.0)]
    [1.0, 0.25, 0.0]
    """
    if effect not in FREQUENCY_HZ:
        return float(effect is LampEffect.ON)
    phase = at * FREQUENCY_HZ[effect] % 1.0
    if effect is LampEffect.BREATHE:
        # Squared, because twice the light looks much less than twice as bright.
        return (0.5 + 0.5 * math.cos(2.0 * math.pi * phase)) ** 2
    return float(phase < 0.5)


def compute_next_change(effect: LampEffect, at: float) -> float | None:
    """Return the next time, later than `at`, at which the brightness must be computed again; raises nothing.

    Args:
        effect: the effect that the lamp shows.
        at: finite time in seconds, of the clock of `compute_brightness`.

    Returns:
        Time in seconds: the next switch of a blinking lamp, or `at` + `BREATHE_STEP_SECONDS`; None for OFF and ON.

    >>> [compute_next_change(effect, 0.2) for effect in (LampEffect.SLOW, LampEffect.ON)]
    [0.5, None]
    """
    if effect not in FREQUENCY_HZ:
        return None
    if effect is LampEffect.BREATHE:
        return at + BREATHE_STEP_SECONDS
    half = 0.5 / FREQUENCY_HZ[effect]
    return (math.floor(at / half) + 1) * half
