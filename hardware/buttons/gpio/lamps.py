"""Lamps at pins: on, off, blinking by switching the pin, breathing by PWM where the pin has it."""

from __future__ import annotations

from collections.abc import Mapping

from companion.events import Button
from hardware.buttons.gpio.pin_factory import Pin
from hardware.buttons.lamp_effects import FREQUENCY_HZ, LampEffect, compute_brightness, compute_next_change

PWM_HZ = 100.0
"""lgpio's PWM is software in a thread of its own: more would cost a Pi 3 too much, less would flicker."""
PWM_END_SECONDS = 0.05
"""Seconds after PWM was ended until the pin is written once more: lgpio finishes a cycle under way, and would win."""


class PinLamp:
    """One lamp.

    Args:
        pin: made an output, dark, by this.
    """

    def __init__(self, pin: Pin) -> None:
        self.effect = LampEffect.OFF
        self._pin = pin
        self._pin_level: float | None = 0.0
        self._rewrite_at: float | None = None
        pin.output_with_state(0)
        self.can_dim = self._start_pwm()
        if self.can_dim:
            self._end_pwm()

    def set_effect(self, effect: LampEffect, now: float) -> None:
        """Another effect, from now on; `show` brings it to the pin."""
        if effect is self.effect:
            return
        if self.can_dim and effect is LampEffect.BREATHE:
            self._start_pwm()
            self._rewrite_at = None
        elif self.can_dim and self.effect is LampEffect.BREATHE:
            self._end_pwm()
            self._rewrite_at = now + PWM_END_SECONDS
        self.effect = effect
        self._pin_level = None

    def update(self, now: float) -> float | None:
        """Bring the pin to what it is to be at `now`; when to come again, in seconds; None: not before `set`."""
        level = compute_brightness(self.effect, now)
        if self.effect is LampEffect.BREATHE and not self.can_dim:
            # A pin that can be on and off only shows the bright half of a breath.
            phase = now * FREQUENCY_HZ[LampEffect.BREATHE] % 1.0
            level = float(phase < 0.25 or phase >= 0.75)
        if self._rewrite_at is not None and now >= self._rewrite_at:
            self._rewrite_at = self._pin_level = None
        if level != self._pin_level:
            self._pin.state = level if self.can_dim and self.effect is LampEffect.BREATHE else int(level)
            self._pin_level = level
        times = [at for at in (compute_next_change(self.effect, now), self._rewrite_at) if at is not None]
        return min(times, default=None)

    def close(self) -> None:
        """Dark, and no longer an output."""
        if self.can_dim and self.effect is LampEffect.BREATHE:
            self._end_pwm()
        self._pin.state = 0
        self._pin.close()

    def _start_pwm(self) -> bool:
        try:
            self._pin.frequency = PWM_HZ
        except Exception:  # noqa: BLE001 - gpiozero.PinPWMUnsupported; lgpio.error is no OSError
            return False
        return True

    def _end_pwm(self) -> None:
        self._pin.frequency = None


class PinLamps:
    """All lamps that are wired."""

    def __init__(self, lamps: Mapping[Button, PinLamp]) -> None:
        self._lamps = dict(lamps)

    def set_effects(self, effects: Mapping[Button, LampEffect], now: float) -> None:
        """What they are to show; a button that is not named is dark."""
        for button, lamp in self._lamps.items():
            lamp.set_effect(effects.get(button, LampEffect.OFF), now)

    def update(self, now: float) -> float | None:
        """Bring all pins up to date; when to come again; None: not before `set`."""
        times = [at for lamp in self._lamps.values() if (at := lamp.update(now)) is not None]
        return min(times, default=None)

    def close(self) -> None:
        """All dark."""
        for lamp in self._lamps.values():
            lamp.close()
