"""What a button at the end of a lead does to the signal at its pin, calculated; no lead was measured.

The longest pulse that a lead can add to a pin must be much shorter than `MIN_CONTACT_SECONDS`, and the bounce of button
and plug shorter than `DEBOUNCE_SECONDS`: then the debouncer needs no other values for a lead.
"""

from dataclasses import dataclass
from math import log, pi, sqrt

PIN_VOLTS = 3.3
"""Supply of the Pi's and the Pico's pins."""
HIGH_VOLTS = 2.0
"""Least voltage that certainly reads as high: the input of a Pi or a Pico at 3.3 V."""
CLAMP_VOLTS = -0.6
"""Lowest voltage at a pin: below it the chip's protection conducts."""
INTERNAL_PULL_UP_OHM = 80_000
"""Weakest pull-up inside a Pico (RP2040 datasheet, 50 to 80 kOhm); those of a Pi and of an ATmega are stronger."""
EXTERNAL_PULL_UP_OHM = 10_000
"""Resistor from the lead to 3.3 V."""
PIN_FARAD = 10e-12
CABLE_FARAD_PER_METRE = 120e-12
"""Between one core and all others of a four-core control cable (LiYY: about 120 pF/m)."""
LAMP_FARAD_PER_METRE = 60e-12
"""Part of it between the core of the switch and that of the lamp beside it."""
CABLE_HENRY_PER_METRE = 0.7e-6
"""Of the loop of two neighbouring cores."""


@dataclass(frozen=True, slots=True)
class ButtonLead:
    """A cable between a pin and its button.

    Args:
        metres: its length.
        pull_up_ohm: resistance of all pull-ups of the pin together.
    """

    metres: float
    pull_up_ohm: float = INTERNAL_PULL_UP_OHM

    @property
    def farad(self) -> float:
        """Capacitance that the pull-up must charge."""
        return PIN_FARAD + CABLE_FARAD_PER_METRE * self.metres

    @property
    def release_seconds(self) -> float:
        """Time from the opening of the contact until the pin reads high: a release is stamped so much late."""
        return self._charge_seconds(0.0)

    @property
    def longest_glitch_seconds(self) -> float:
        """Longest pulse after a spark or the switching of a lamp: from the lowest voltage until the pin reads high."""
        return self._charge_seconds(CLAMP_VOLTS)

    @property
    def ringing_hz(self) -> float:
        """Frequency at which inductance and capacitance of the lead ring when the contact closes."""
        return 1 / (2 * pi * sqrt(CABLE_HENRY_PER_METRE * self.metres * self.farad))

    def compute_lamp_dip(self, lamp_volts: float) -> float:
        """Return by how many volts the pin falls when the lamp in the same cable is switched on."""
        return lamp_volts * LAMP_FARAD_PER_METRE * self.metres / self.farad

    def _charge_seconds(self, from_volts: float) -> float:
        """Return the time in which the pull-up lifts the pin from a voltage to `HIGH_VOLTS`."""
        return self.pull_up_ohm * self.farad * log((PIN_VOLTS - from_volts) / (PIN_VOLTS - HIGH_VOLTS))
