"""Appearance of a simulated Macroscope table: colours, light and camera; a pleasant default."""

from dataclasses import dataclass

from companion.simulation.appearance import Colour, TableAppearance


@dataclass(frozen=True, slots=True)
class MacroscopeAppearance(TableAppearance):
    """One table with a lid in one light, seen by one camera. Colours are BGR, 0 to 255."""

    layout: str = "3x4"
    """Name of the lid in `LAYOUTS`."""
    lid: Colour = (70, 62, 60)
    arrow: Colour = (240, 242, 242)
    stud: Colour = (206, 214, 216)
    token: Colour = (206, 222, 230)
    digit: Colour = (40, 34, 32)
