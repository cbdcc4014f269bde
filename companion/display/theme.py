"""Colours and the type scale. A seat is a colour and a shape; the colours stand apart for colour-blind eyes too.

The seat colours follow Okabe and Ito, "Color Universal Design" (2008), lightened so that each has a contrast of at
least 7:1 with the background, both as text on it and as a key with dark text on it (WCAG 2.1, criterion 1.4.6).
"""

from __future__ import annotations

from enum import StrEnum

from hardware.signals import Button

Colour = tuple[int, int, int]
"""Red, green, blue, 0 to 255."""

BACKGROUND: Colour = (13, 17, 25)
PANEL: Colour = (23, 29, 41)
RAISED: Colour = (36, 44, 60)
LINE: Colour = (78, 92, 118)
MUTED: Colour = (190, 201, 218)
INK: Colour = (246, 248, 251)
GOOD: Colour = (126, 226, 168)
WARN: Colour = (255, 209, 102)
BAD: Colour = (255, 160, 146)


class Shape(StrEnum):
    """The shape beside a seat's colour."""

    CIRCLE = "circle"
    TRIANGLE = "triangle"
    SQUARE = "square"
    DIAMOND = "diamond"
    STAR = "star"
    HEXAGON = "hexagon"


SHAPES = dict(zip(list(Button)[:6], Shape, strict=True))
"""Seat button to shape."""

COLOURS: dict[Button, Colour] = {
    Button.SEAT1: (96, 186, 240),
    Button.SEAT2: (240, 165, 40),
    Button.SEAT3: (44, 196, 150),
    Button.SEAT4: (245, 232, 110),
    Button.SEAT5: (231, 164, 210),
    Button.SEAT6: (255, 132, 100),
    Button.OK: GOOD,
    Button.NO: BAD,
    Button.PLUS: MUTED,
    Button.MINUS: MUTED,
}

PIECES: dict[str, Colour] = {
    "white": (246, 248, 251),
    "black": (46, 50, 58),
    "red": (240, 92, 84),
    "blue": (84, 150, 255),
    "green": (72, 190, 110),
    "yellow": (245, 220, 80),
    "orange": (250, 150, 50),
    "purple": (180, 120, 235),
    "gold": (255, 200, 60),
}
"""Colours of the games' own pieces, as boxes name them. Always with an edge: they are seen, not read."""

# Type sizes (em) in hundredths of the screen's height.
HUGE = 22.0
TITLE = 10.6
HEAD = 6.4
BODY = 5.0
SMALL = 4.0
FAR = 10.0
"""The least for what the table must know from three metres."""
FLOOR = 100 / 28
"""The least for anything."""


def luminance(colour: Colour) -> float:
    """Relative luminance, 0 to 1 (WCAG 2.1)."""
    r, g, b = ((c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4) for c in (v / 255 for v in colour))
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(one: Colour, other: Colour) -> float:
    """Contrast ratio, 1 to 21 (WCAG 2.1)."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)
