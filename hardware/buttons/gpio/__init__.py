"""Arcade buttons and lamps at the pins of a Raspberry Pi 3, 4 or 5, through gpiozero and lgpio."""

from hardware.buttons.gpio.debounce import GRACE, LOCKOUT
from hardware.buttons.gpio.driver import LOOK, NAME, Background, Gpio, Pins, open_gpio
from hardware.buttons.gpio.pin_factory import GpioMissing, open_lgpio

__all__ = ["GRACE", "LOCKOUT", "LOOK", "NAME", "Background", "Gpio", "GpioMissing", "Pins", "open_gpio", "open_lgpio"]
