"""A lamp at a pin: on, off, blinking by switching the pin, breathing by PWM where the pin has it."""

from hardware.buttons.gpio.pin_factory import Pin
from hardware.buttons.lamp_effects import FREQUENCY_HZ, LampEffect, compute_brightness, compute_next_change

PWM_HZ = 100.0
"""PWM frequency of a breathing lamp. lgpio makes PWM in software: more costs a Pi 3 too much time, less flickers."""

PWM_END_SECONDS = 0.05
"""Time after the end of PWM at which the pin is written again.

lgpio finishes the PWM cycle under way and would overwrite an earlier value. Several cycles of `PWM_HZ`; a larger value
leaves a wrong brightness for longer.
"""


class PinLamp:
    """One lamp. The effects are functions of the time, in seconds of the caller's monotonic clock.

    >>> from gpiozero.pins.mock import MockFactory
    >>> pin = MockFactory().pin(27)
    >>> lamp = PinLamp(pin)
    >>> lamp.set_effect(LampEffect.ON, now=5.0)
    >>> next_call_at = lamp.update(5.0)
    >>> pin.state, lamp.can_dim
    (True, False)

    Args:
        pin: becomes an output, dark.

    Attributes:
        effect: the effect that was set last.
        can_dim: whether the pin has PWM; without it a breathing lamp is on for half of each cycle.

    Raises:
        Exception: an error of gpiozero or lgpio (`lgpio.error` is no OSError), here and from every method: the pin does
            not answer.
    """

    def __init__(self, pin: Pin) -> None:
        self.effect = LampEffect.OFF
        self._pin = pin
        self._pin_level: float | None = None
        self._rewrite_at: float | None = None
        pin.output_with_state(0)
        self.can_dim = self._start_pwm()
        if self.can_dim:
            self._pin.frequency = None

    @property
    def _uses_pwm(self) -> bool:
        return self.can_dim and self.effect is LampEffect.BREATHE

    def set_effect(self, effect: LampEffect, now: float) -> None:
        """Set the effect: start or stop the pin's PWM as it needs; the next `update` writes the brightness to the pin.

        Args:
            effect: the new effect; the same one again changes nothing.
            now: the present time, in seconds of the clock that `update` is called with.

        Raises:
            Exception: an error of gpiozero or lgpio: the pin does not answer.
        """
        if effect is self.effect:
            return
        if self._uses_pwm:
            self._pin.frequency = None
            self._rewrite_at = now + PWM_END_SECONDS
        self.effect = effect
        if self._uses_pwm:
            self._start_pwm()
            self._rewrite_at = None
        self._pin_level = None

    def update(self, now: float) -> float | None:
        """Write the brightness at `now` to the pin.

        Args:
            now: the present time in seconds; all lamps must get the same clock to blink together.

        Returns:
            The time at which to call it again, in seconds of the same clock; None: not before the next `set_effect`.

        Raises:
            Exception: an error of gpiozero or lgpio: the pin does not answer.
        """
        level = compute_brightness(self.effect, now)
        if self.effect is LampEffect.BREATHE and not self.can_dim:
            # Without PWM the lamp is on in the bright half of each cycle.
            phase = now * FREQUENCY_HZ[LampEffect.BREATHE] % 1.0
            level = float(phase < 0.25 or phase >= 0.75)
        if self._rewrite_at is not None and now >= self._rewrite_at:
            self._rewrite_at = self._pin_level = None
        if level != self._pin_level:
            self._pin.state = level if self._uses_pwm else int(level)
            self._pin_level = level
        times = [at for at in (compute_next_change(self.effect, now), self._rewrite_at) if at is not None]
        return min(times, default=None)

    def close(self) -> None:
        """Switch the lamp off and release the pin; call it once, and no other method after it.

        Raises:
            Exception: an error of gpiozero or lgpio: the pin does not answer; then it may not be released.
        """
        if self._uses_pwm:
            self._pin.frequency = None
        self._pin.state = 0
        self._pin.close()

    def _start_pwm(self) -> bool:
        try:
            self._pin.frequency = PWM_HZ
        except Exception:  # noqa: BLE001 - gpiozero.PinPWMUnsupported; lgpio.error is no OSError
            return False
        return True
