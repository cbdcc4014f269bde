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


def _make_palette(*colours: RGB) -> Palette:
    return MappingProxyType(dict(zip(Tone, colours, strict=True)))


DARK_PALETTE = _make_palette(
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
LIGHT_PALETTE = _make_palette(
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
CONTRAST_PALETTE = _make_palette(
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
PALETTES: Mapping[str, Palette] = MappingProxyType(
    {"dark": DARK_PALETTE, "light": LIGHT_PALETTE, "contrast": CONTRAST_PALETTE}
)
"""By their names in the settings."""


class SeatShape(StrEnum):
    """The shape beside a seat's colour."""

    CIRCLE = "circle"
    TRIANGLE = "triangle"
    SQUARE = "square"
    DIAMOND = "diamond"
    STAR = "star"
    HEXAGON = "hexagon"


SEAT_SHAPES = dict(zip(list(Button)[:6], SeatShape, strict=True))
"""Seat button to shape."""

BUTTON_COLOURS: dict[Button, Tone] = {
    **dict(zip(list(Button)[:6], list(Tone)[-6:], strict=True)),
    Button.OK: GOOD,
    Button.NO: BAD,
    Button.PLUS: MUTED,
    Button.MINUS: MUTED,
}

PIECE_RGB: dict[str, RGB] = {
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
HUGE_EM = 22.0
TITLE_EM = 10.6
HEADING_EM = 6.4
BODY_EM = 5.0
SMALL_EM = 4.0
MIN_FAR_EM = 10.0
"""The least for what the table must know from three metres."""
MIN_EM = 100 / 28
"""The least for anything."""


def relative_luminance(rgb: RGB) -> float:
    """Relative luminance, 0 to 1 (WCAG 2.1)."""
    r, g, b = ((c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4) for c in (v / 255 for v in rgb))
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast_ratio(first: RGB, second: RGB) -> float:
    """Contrast ratio, 1 to 21 (WCAG 2.1)."""
    light, dark = sorted((relative_luminance(first), relative_luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def text_colour_for(background: RGB) -> RGB:
    """What is written on a thing of the box: near-black or near-white, whichever stands out more."""
    return max(DARK_PALETTE[Tone.BACKGROUND], DARK_PALETTE[Tone.INK], key=lambda ink: contrast_ratio(ink, background))
