"""Lamp effects over time."""

from __future__ import annotations

import pytest

from companion.events import LampState
from hardware.buttons.lamp_effects import (
    EFFECT_BY_LAMP_STATE,
    LampEffect,
    compute_brightness,
    compute_next_change,
)


def test_every_referee_lamp_is_an_effect() -> None:
    assert set(EFFECT_BY_LAMP_STATE) == set(LampState)
    assert {effect.value for effect in LampEffect} == set(range(5))  # numbers in the box's protocol


@pytest.mark.parametrize(
    ("effect", "cycle_seconds", "levels"),
    [
        (LampEffect.OFF, 1.0, (0.0, 0.0, 0.0, 0.0, 0.0)),
        (LampEffect.ON, 1.0, (1.0, 1.0, 1.0, 1.0, 1.0)),
        (LampEffect.SLOW, 1.0, (1.0, 1.0, 0.0, 0.0, 1.0)),
        (LampEffect.FAST, 0.25, (1.0, 1.0, 0.0, 0.0, 1.0)),
        (LampEffect.BREATHE, 4.0, (1.0, 0.25, 0.0, 0.25, 1.0)),
    ],
)
def test_brightness_in_each_quarter_of_the_cycle(
    effect: LampEffect, cycle_seconds: float, levels: tuple[float, ...]
) -> None:
    """The cycles are those of the box's protocol, so that lamps at the pins and in the box look the same."""
    times = [100.0 + quarter / 4 * cycle_seconds for quarter in range(5)]
    assert [compute_brightness(effect, at) for at in times] == pytest.approx(levels)


def test_breathing_lamp_changes_25_times_a_second_and_a_steady_one_never() -> None:
    assert compute_next_change(LampEffect.BREATHE, 100.0) == pytest.approx(100.04)
    assert compute_next_change(LampEffect.FAST, 100.0) == 100.125
    assert compute_next_change(LampEffect.ON, 100.0) is compute_next_change(LampEffect.OFF, 100.0) is None
