"""Arcade buttons and lamps at the pins of a Raspberry Pi 3, 4 or 5, through gpiozero and lgpio."""

from hardware.gpio.buttons import LOOK, NAME, Background, Gpio, Pins, open_gpio
from hardware.gpio.factory import GpioMissing, open_lgpio
from hardware.gpio.lockout import GRACE, LOCKOUT

__all__ = ["GRACE", "LOCKOUT", "LOOK", "NAME", "Background", "Gpio", "GpioMissing", "Pins", "open_gpio", "open_lgpio"]
