"""Where the buttons are: the sections [gpio] and [box] of the settings.

The pins of the default leave I2C (2, 3) and the serial port (14, 15) alone. Ten buttons and ten lamps need three more
pins than the rest gives: 7, 8 and 9 are those of SPI-0, which nothing uses unless it was switched on. Lamps have pins
that the Pi pulls down while it starts, so that they stay dark.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, model_validator

from companion.events import Button

MIN_PIN, MAX_PIN = 2, 27
"""BCM numbers of the 40-pin header; 0 and 1 belong to the boards that are put on it."""
NOT_WIRED = 0


def _check_pin(number: int) -> int:
    if number != NOT_WIRED and not MIN_PIN <= number <= MAX_PIN:
        raise ValueError(f"must be a pin's BCM number, {MIN_PIN} to {MAX_PIN}, or 0 where nothing is wired")
    return number


def _check_port(path: str) -> str:
    if path and (not Path(path).is_absolute() or "\0" in path):
        raise ValueError("must be a full path such as /dev/serial/by-id/..., or empty")
    return path


_PinNumber = Annotated[int, AfterValidator(_check_pin)]


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class _PinPerButton(_Section):
    """A pin for each button; 0: not wired."""

    def list_wired(self) -> dict[Button, int]:
        """The pins that something is wired to."""
        return {button: pin for button in Button if (pin := getattr(self, button)) != NOT_WIRED}


class ButtonPins(_PinPerButton):
    """Each button lies between its pin and ground."""

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
    """A lamp is lit while its pin is high."""

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


class GpioSettings(_Section):
    """The pins of a Raspberry Pi."""

    buttons: ButtonPins = ButtonPins()
    lamps: LampPins = LampPins()

    @model_validator(mode="after")
    def _no_pin_twice(self) -> GpioSettings:
        taken: dict[int, str] = {}
        for what, pins in (("button", self.buttons), ("lamp", self.lamps)):
            for button, pin in pins.list_wired().items():
                if pin in taken:
                    raise ValueError(
                        f"pin {pin} stands for the {taken[pin]} and for the {what} {button}; 0 frees a pin"
                    )
                taken[pin] = f"{what} {button}"
        return self


class ButtonBoxSettings(_Section):
    """The button box at USB."""

    port: Annotated[str, AfterValidator(_check_port)] = ""
    """Its device; empty: it is found by its USB ids."""
