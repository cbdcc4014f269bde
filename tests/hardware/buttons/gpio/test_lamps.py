"""A lamp at its pin: what is written to the pin, and when the lamp must be updated again."""

from __future__ import annotations

import pytest

from companion.testing.table import ManualClock
from hardware.buttons.gpio.lamps import PinLamp
from hardware.buttons.lamp_effects import LampEffect
from tests.hardware.buttons.gpio.bench import BouncingPin, BouncingPwmPin, ClockFactory


def make_lamp(pin_class: type[BouncingPin] = BouncingPwmPin) -> tuple[PinLamp, BouncingPin]:
    pin = ClockFactory(ManualClock(), pin_class).pin(12)
    pin.set_level(True)  # as another program left it
    return PinLamp(pin), pin


@pytest.mark.parametrize(("pin_class", "can_dim"), [(BouncingPwmPin, True), (BouncingPin, False)])
def test_lamp_is_dark_at_first(pin_class: type[BouncingPin], can_dim: bool) -> None:
    lamp, pin = make_lamp(pin_class)
    assert (pin.function, pin.state, lamp.effect, lamp.can_dim) == ("output", 0, LampEffect.OFF, can_dim)
    assert lamp.update(0.0) is None
    assert pin.state == 0


@pytest.mark.parametrize(
    ("effect", "now", "level", "next_at"),
    [
        (LampEffect.ON, 0.3, 1.0, None),
        (LampEffect.SLOW, 0.3, 1.0, 0.5),
        (LampEffect.SLOW, 0.5, 0.0, 1.0),
        (LampEffect.BREATHE, 1.0, 0.25, 1.04),
    ],
)
def test_update_returns_the_time_of_the_next_change(
    effect: LampEffect, now: float, level: float, next_at: float | None
) -> None:
    lamp, pin = make_lamp()
    lamp.set_effect(effect, now)
    assert lamp.update(now) == (None if next_at is None else pytest.approx(next_at))
    assert pin.state == pytest.approx(level)


@pytest.mark.parametrize(("at", "is_lit"), [(0.0, 1), (0.99, 1), (1.0, 0), (2.99, 0), (3.0, 1), (3.99, 1), (4.0, 1)])
def test_breathing_lamp_without_pwm_is_lit_in_the_first_and_the_last_quarter(at: float, is_lit: int) -> None:
    lamp, pin = make_lamp(BouncingPin)
    assert not lamp.can_dim
    lamp.set_effect(LampEffect.BREATHE, at)
    lamp.update(at)
    assert pin.state == is_lit


def test_pin_is_written_again_50_milliseconds_after_pwm() -> None:
    """lgpio finishes the cycle under way and overwrites what was written at once."""
    lamp, pin = make_lamp()
    lamp.set_effect(LampEffect.BREATHE, 0.0)
    lamp.update(0.0)
    assert pin.frequency == 100.0
    lamp.set_effect(LampEffect.ON, 2.0)
    assert pin.frequency is None
    assert lamp.update(2.0) == pytest.approx(2.05)
    pin.set_level(False)
    for at, level in ((2.049, 0), (2.05, 1)):
        lamp.update(at)
        assert pin.state == level
    assert lamp.update(2.06) is None


def test_a_lamp_that_breathes_again_forgets_the_end_of_its_pwm() -> None:
    lamp, pin = make_lamp()
    for effect, now in ((LampEffect.BREATHE, 0.0), (LampEffect.ON, 1.0), (LampEffect.BREATHE, 1.01)):
        lamp.set_effect(effect, now)
        lamp.update(now)
    assert lamp.update(1.02) == pytest.approx(1.06)
    lamp.set_effect(LampEffect.BREATHE, 1.03)
    assert pin.frequency == 100.0
    lamp.close()
