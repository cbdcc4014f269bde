"""How large letters look: the height of capitals in minutes of arc, by the screen and its distance.

The sizes themselves: `type_sizes.py`.
"""

from collections.abc import Mapping
from math import atan, degrees
from types import MappingProxyType

from companion.display.toolkit.text import Typeface
from companion.display.toolkit.type_sizes import KEY_LABEL_EM

MIN_ARC_MINUTES = 5.0
"""Height of a capital that normal eyes just read (visual acuity 1.0, ISO 8596)."""
CAPITAL_EM: Mapping[Typeface, float] = MappingProxyType(
    {Typeface.TEXT: 0.711, Typeface.DISPLAY: 0.655, Typeface.TABULAR: 0.655}
)
"""Height of a capital without round parts, in em; ascenders and digits are a little higher."""
SCREEN_HEIGHTS_MM: Mapping[int, float] = MappingProxyType({7: 85.9, 10: 124.5, 15: 186.8, 24: 298.9, 43: 535.4})
"""Shorter side of the picture, in millimetres, by the diagonal in inches: 7 inches have 5 : 3, the others 16 : 9. The
last stands for televisions of that size and more."""


def measure_arc_minutes(em: float, inches: int, metres: float, face: Typeface = Typeface.DISPLAY) -> float:
    """Return the height of a capital, in minutes of arc.

    >>> round(measure_arc_minutes(6, inches=7, metres=3), 1)
    3.9

    Args:
        em: font size in layout units: hundredths of the screen's shorter side.
        inches: a key of `SCREEN_HEIGHTS_MM`.
        metres: distance of the eyes, more than 0.

    Raises:
        KeyError: there is no such screen.
    """
    capital_mm = em / 100 * CAPITAL_EM[face] * SCREEN_HEIGHTS_MM[inches]
    return 60 * degrees(atan(capital_mm / (1000 * metres)))


def needs_far(inches: int, metres: float) -> bool:
    """Return whether the near layout's smallest letters, on the keys, are too small at that distance.

    >>> needs_far(7, metres=1), needs_far(7, metres=2)
    (False, True)

    Args:
        inches: a key of `SCREEN_HEIGHTS_MM`.
        metres: distance of the eyes, more than 0.

    Raises:
        KeyError: there is no such screen.
    """
    return measure_arc_minutes(KEY_LABEL_EM, inches, metres) < MIN_ARC_MINUTES
