"""Which pin or port each button and lamp is wired to: the sections [gpio] and [box] of the settings.

The default pins leave I2C (2, 3) and the serial port (14, 15) free. Ten buttons and ten lamps need three pins more than
the others provide, so 7, 8 and 9 of SPI-0 are used: nothing else uses them unless SPI is enabled. Lamps are on pins
that the Pi pulls down while it starts, so that they stay dark.
"""

import re
import sys
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, model_validator

from companion.events import Button

MIN_PIN = 2
"""Lowest BCM number that may be used; 0 and 1 are reserved for the identification of expansion boards."""
MAX_PIN = 27
"""Highest BCM number on the 40-pin header."""
NOT_WIRED = 0
"""Pin number in the settings that means that nothing is connected."""


def _check_pin(number: int) -> int:
    if number != NOT_WIRED and not MIN_PIN <= number <= MAX_PIN:
        raise ValueError(f"must be a pin's BCM number, {MIN_PIN} to {MAX_PIN}, or 0 if nothing is wired to it")
    return number


def _check_port(path: str) -> str:
    is_windows_port = sys.platform == "win32" and re.fullmatch(r"COM\d+", path, re.IGNORECASE)
    if path and not is_windows_port and (not Path(path).is_absolute() or "\0" in path):
        raise ValueError("must be a full path such as /dev/serial/by-id/..., on Windows as COM3, or empty")
    return path


_PinNumber = Annotated[int, AfterValidator(_check_pin)]


class Section(BaseModel):
    """Base class of the sections of the settings: frozen and strict, unknown keys are errors.

    Constructors take keywords only and raise pydantic's ValidationError (a ValueError) for a wrong type or value.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class _PinPerButton(Section):
    """A BCM pin number for each button; 0: not wired."""

    def list_wired(self) -> dict[Button, int]:
        """Return the BCM pin number (2 to 27) of each button or lamp that is connected; the others are absent."""
        return {button: pin for button in Button if (pin := getattr(self, button)) != NOT_WIRED}


class ButtonPins(_PinPerButton):
    """BCM pin number of each button, MIN_PIN to MAX_PIN or NOT_WIRED; each button connects its pin to ground."""

    seat1: _PinNumber = 4
    seat2: _PinNumber = 5
    seat3: _PinNumber = 6
    seat4: _PinNumber = 16
    seat5: _PinNumber = 17
    seat6: _PinNumber = 22
    ok: _PinNumber = 23
    no: _PinNumber = 24
    plus: _PinNumber = 7
    minus: _PinNumber = 8


class LampPins(_PinPerButton):
    """BCM pin number of each lamp, MIN_PIN to MAX_PIN or NOT_WIRED; a lamp is lit while its pin is high."""

    seat1: _PinNumber = 12
    seat2: _PinNumber = 13
    seat3: _PinNumber = 18
    seat4: _PinNumber = 19
    seat5: _PinNumber = 20
    seat6: _PinNumber = 21
    ok: _PinNumber = 25
    no: _PinNumber = 26
    plus: _PinNumber = 27
    minus: _PinNumber = 9


class GpioSettings(Section):
    """Section [gpio]: the pins of a Raspberry Pi. A pin that is given twice raises pydantic's ValidationError."""

    buttons: ButtonPins = ButtonPins()
    lamps: LampPins = LampPins()

    @model_validator(mode="after")
    def _no_pin_twice(self) -> "GpioSettings":
        taken: dict[int, str] = {}
        for device, pins in (("button", self.buttons), ("lamp", self.lamps)):
            for button, pin in pins.list_wired().items():
                if pin in taken:
                    raise ValueError(
                        f"pin {pin} is given to the {taken[pin]} and to the {device} {button}; 0 frees a pin"
                    )
                taken[pin] = f"{device} {button}"
        return self


class ButtonBoxSettings(Section):
    """Section [box]: the USB button box."""

    port: Annotated[str, AfterValidator(_check_port)] = ""
    """Full path of its serial device; empty: it is found by its name or USB ids."""
