"""Colours and the type scale. A seat is a colour and a shape; the colours stand apart for colour-blind eyes too.

Scenes name a `Tone`; which colour that is, a `Palette` says: dark for an evening, light for a bright room, contrast for
weak eyes. In each of them text, and a seat's colour as text or as a key with the ground's colour on it, has a contrast
of at least 7:1 (WCAG 2.1, criterion 1.4.6). The dark seat colours follow Okabe and Ito, "Color Universal Design"
(2008), lightened; those of the other palettes were searched for the greatest distance in CIE L*a*b*, seen with and
without a colour deficiency.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from companion.events import Button

RGB = tuple[int, int, int]
"""Red, green, blue, 0 to 255."""


class Tone(StrEnum):
    """A colour's part in the picture."""

    BACKGROUND = "background"
    PANEL = "panel"
    RAISED = "raised"
    LINE = "line"
    MUTED = "muted"
    INK = "ink"
    GOOD = "good"
    WARN = "warn"
    BAD = "bad"
    SEAT1 = "seat 1"
    SEAT2 = "seat 2"
    SEAT3 = "seat 3"
    SEAT4 = "seat 4"
    SEAT5 = "seat 5"
    SEAT6 = "seat 6"


Colour = Tone | RGB
"""What scenes draw with: a tone of the palette, or a colour that a thing of the box has in any light."""
Palette = Mapping[Tone, RGB]

BACKGROUND, PANEL, RAISED, LINE = Tone.BACKGROUND, Tone.PANEL, Tone.RAISED, Tone.LINE
MUTED, INK, GOOD, WARN, BAD = Tone.MUTED, Tone.INK, Tone.GOOD, Tone.WARN, Tone.BAD


def _palette(*colours: RGB) -> Palette:
    return MappingProxyType(dict(zip(Tone, colours, strict=True)))


DARK = _palette(
    (13, 17, 25),
    (23, 29, 41),
    (36, 44, 60),
    (78, 92, 118),
    (190, 201, 218),
    (246, 248, 251),
    (126, 226, 168),
    (255, 209, 102),
    (255, 160, 146),
    (96, 186, 240),
    (240, 165, 40),
    (44, 196, 150),
    (245, 232, 110),
    (231, 164, 210),
    (255, 132, 100),
)
LIGHT = _palette(
    (251, 250, 247),
    (240, 240, 238),
    (224, 226, 230),
    (138, 146, 158),
    (52, 60, 74),
    (16, 20, 28),
    (0, 74, 40),
    (92, 52, 0),
    (132, 12, 12),
    (28, 39, 243),
    (138, 65, 0),
    (0, 94, 111),
    (47, 44, 0),
    (111, 22, 177),
    (163, 27, 57),
)
CONTRAST = _palette(
    (0, 0, 0),
    (0, 0, 0),
    (30, 30, 30),
    (160, 160, 160),
    (255, 255, 255),
    (255, 255, 255),
    (120, 255, 170),
    (255, 221, 51),
    (255, 176, 166),
    (121, 171, 254),
    (206, 165, 0),
    (140, 255, 193),
    (226, 255, 112),
    (255, 204, 254),
    (255, 139, 100),
)
PALETTES: Mapping[str, Palette] = MappingProxyType({"dark": DARK, "light": LIGHT, "contrast": CONTRAST})
"""By their names in the settings."""


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

COLOURS: dict[Button, Tone] = {
    **dict(zip(list(Button)[:6], list(Tone)[-6:], strict=True)),
    Button.OK: GOOD,
    Button.NO: BAD,
    Button.PLUS: MUTED,
    Button.MINUS: MUTED,
}

PIECES: dict[str, RGB] = {
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

# Type sizes (em) in units, hundredths of the screen's shorter side.
HUGE = 22.0
TITLE = 10.6
HEAD = 6.4
BODY = 5.0
SMALL = 4.0
FAR = 10.0
"""The least for what the table must know from three metres."""
FLOOR = 100 / 28
"""The least for anything."""


def luminance(colour: RGB) -> float:
    """Relative luminance, 0 to 1 (WCAG 2.1)."""
    r, g, b = ((c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4) for c in (v / 255 for v in colour))
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(one: RGB, other: RGB) -> float:
    """Contrast ratio, 1 to 21 (WCAG 2.1)."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def on(ground: RGB) -> RGB:
    """What is written on a thing of the box: near-black or near-white, whichever stands out more."""
    return max(DARK[Tone.BACKGROUND], DARK[Tone.INK], key=lambda ink: contrast(ink, ground))
