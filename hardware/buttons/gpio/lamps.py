"""Lamps at pins: on, off, blinking by switching the pin, breathing by PWM where the pin has it."""

from __future__ import annotations

from collections.abc import Mapping

from companion.events import Button
from hardware.buttons.gpio.pin_factory import Pin
from hardware.buttons.lamp_effects import FREQUENCY, Effect, brightness, next_change

PWM_HZ = 100.0
"""lgpio's PWM is software in a thread of its own: more would cost a Pi 3 too much, less would flicker."""
STEADY_AGAIN = 0.05
"""Seconds after PWM was ended until the pin is written once more: lgpio finishes a cycle under way, and would win."""


class PinLamp:
    """One lamp.

    Args:
        pin: made an output, dark, by this.
    """

    def __init__(self, pin: Pin) -> None:
        self.effect = Effect.OFF
        self._pin = pin
        self._shown: float | None = 0.0
        self._again: float | None = None
        pin.output_with_state(0)
        self.dims = self._starts_pwm()
        if self.dims:
            self._end_pwm()

    def set(self, effect: Effect, now: float) -> None:
        """Another effect, from now on; `show` brings it to the pin."""
        if effect is self.effect:
            return
        if self.dims and effect is Effect.BREATHE:
            self._starts_pwm()
            self._again = None
        elif self.dims and self.effect is Effect.BREATHE:
            self._end_pwm()
            self._again = now + STEADY_AGAIN
        self.effect = effect
        self._shown = None

    def show(self, now: float) -> float | None:
        """Bring the pin to what it is to be at `now`; when to come again, in seconds; None: not before `set`."""
        level = brightness(self.effect, now)
        if self.effect is Effect.BREATHE and not self.dims:
            # A pin that can be on and off only shows the bright half of a breath.
            phase = now * FREQUENCY[Effect.BREATHE] % 1.0
            level = float(phase < 0.25 or phase >= 0.75)
        if self._again is not None and now >= self._again:
            self._again = self._shown = None
        if level != self._shown:
            self._pin.state = level if self.dims and self.effect is Effect.BREATHE else int(level)
            self._shown = level
        times = [at for at in (next_change(self.effect, now), self._again) if at is not None]
        return min(times, default=None)

    def close(self) -> None:
        """Dark, and no longer an output."""
        if self.dims and self.effect is Effect.BREATHE:
            self._end_pwm()
        self._pin.state = 0
        self._pin.close()

    def _starts_pwm(self) -> bool:
        try:
            self._pin.frequency = PWM_HZ
        except Exception:  # noqa: BLE001 - gpiozero.PinPWMUnsupported; lgpio.error is no OSError
            return False
        return True

    def _end_pwm(self) -> None:
        self._pin.frequency = None


class Lamps:
    """All lamps that are wired."""

    def __init__(self, lamps: Mapping[Button, PinLamp]) -> None:
        self._lamps = dict(lamps)

    def set(self, wanted: Mapping[Button, Effect], now: float) -> None:
        """What they are to show; a button that is not named is dark."""
        for button, lamp in self._lamps.items():
            lamp.set(wanted.get(button, Effect.OFF), now)

    def show(self, now: float) -> float | None:
        """Bring all pins up to date; when to come again; None: not before `set`."""
        times = [at for lamp in self._lamps.values() if (at := lamp.show(now)) is not None]
        return min(times, default=None)

    def close(self) -> None:
        """All dark."""
        for lamp in self._lamps.values():
            lamp.close()
