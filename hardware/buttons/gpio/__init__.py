"""Arcade buttons and lamps at the pins of a Raspberry Pi 3, 4 or 5, through gpiozero and lgpio."""

from hardware.buttons.gpio.debounce import DEBOUNCE_SECONDS, EDGE_GRACE_SECONDS
from hardware.buttons.gpio.driver import (
    LEVEL_CHECK_SECONDS,
    SOURCE_NAME,
    GpioPins,
    GpioSource,
    ThreadedGpioSource,
    open_gpio,
)
from hardware.buttons.gpio.pin_factory import GpioMissing, open_lgpio

__all__ = [
    "DEBOUNCE_SECONDS",
    "EDGE_GRACE_SECONDS",
    "LEVEL_CHECK_SECONDS",
    "SOURCE_NAME",
    "GpioMissing",
    "GpioPins",
    "GpioSource",
    "ThreadedGpioSource",
    "open_gpio",
    "open_lgpio",
]
