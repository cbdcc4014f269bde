"""Colours. A seat has a colour and a shape; colour-blind people can tell the colours apart too.

Scenes draw with a `Tone`; a `Palette` gives its colour: dark for a dim room, light for a bright room, contrast for
weak eyes. In every palette text, a seat's colour as text, and the background on a seat's colour have a contrast ratio
of at least 7:1 (WCAG 2.1, criterion 1.4.6). The dark seat colours follow Okabe and Ito, "Color Universal Design"
(2008), lightened; the seat colours of the other palettes have a large least
distance in CIE L*a*b* (at least 10), seen with and without a colour deficiency. The light palette's yellow is as light
as that and the contrast allow: an olive.
"""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from companion.events import SEAT_BUTTONS, Button

RGB = tuple[int, int, int]
"""Red, green, blue, 0 to 255."""


class Tone(StrEnum):
    """The role of a colour in the picture.

    >>> PALETTES["dark"][Tone.INK] != PALETTES["light"][Tone.INK]
    True
    """

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
"""What scenes draw with: a tone of the palette, or the fixed colour of a piece of a game."""
Palette = Mapping[Tone, RGB]
"""The colour of each tone."""

BACKGROUND = Tone.BACKGROUND
"""Behind everything."""
PANEL = Tone.PANEL
"""Ground of a group of things."""
RAISED = Tone.RAISED
"""Ground of what is active or selected within a panel."""
LINE = Tone.LINE
"""Edges, rules and inactive icons."""
MUTED = Tone.MUTED
"""Text of less importance."""
INK = Tone.INK
"""Text and icons."""
GOOD = Tone.GOOD
"""Gains, right answers."""
WARN = Tone.WARN
"""Warnings."""
BAD = Tone.BAD
"""Losses, wrong answers, faults."""


def _make_palette(*colours: RGB) -> Palette:
    """Make a palette of one colour for each tone, in the order of `Tone`."""
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
"""Light on dark, for a dim room."""
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
    (74, 59, 0),
    (111, 22, 177),
    (163, 27, 57),
)
"""Dark on light, for a bright room."""
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
"""Light on black, for weak eyes."""
PALETTES: Mapping[str, Palette] = MappingProxyType(
    {"dark": DARK_PALETTE, "light": LIGHT_PALETTE, "contrast": CONTRAST_PALETTE}
)
"""The palettes by their names in the settings."""


SEAT_SHAPES: dict[Button, str] = dict(
    zip(SEAT_BUTTONS, ("circle", "triangle", "square", "diamond", "star", "hexagon"), strict=True)
)
"""The shape that marks each seat besides its colour, as a key of `icons.ICONS`."""

BUTTON_COLOURS: dict[Button, Tone] = {
    **dict(zip(SEAT_BUTTONS, list(Tone)[-6:], strict=True)),
    Button.OK: GOOD,
    Button.NO: BAD,
    Button.PLUS: MUTED,
    Button.MINUS: MUTED,
}
"""The colour of each button, as on its cap and its lamp."""

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
"""Colours of the games' own pieces, by name. They are drawn with an edge, and never as text."""

LUMINANCE_WEIGHTS = (0.2126, 0.7152, 0.0722)
"""Shares of red, green and blue light in the luminance (WCAG 2.1)."""
FLOOD_RATIO = 0.30
"""Share of a colour in a flooded light ground at its strongest; the rest is the background's."""
FLOOD_LUMINANCE = 0.07
"""Relative luminance of a flooded dark ground at its brightest: text in `INK` has a contrast of more than 8:1 on it."""
FLOOD_SATURATION = 2.0
"""Exponent that a colour's linear light is raised to for a dark ground: mixed with black, warm colours turn to mud."""


def relative_luminance(rgb: RGB) -> float:
    """Return the relative luminance of a colour (WCAG 2.1): 0 for black to 1 for white, without unit.

    Args:
        rgb: red, green, blue in sRGB, 0 to 255 each (not checked).
    """
    return sum(weight * _to_linear(value) for weight, value in zip(LUMINANCE_WEIGHTS, rgb, strict=True))


def compute_lamp_colour(rgb: RGB) -> RGB:
    """Return the light of a lamp's red, green and blue LED that looks like a colour, as bright as they can.

    >>> compute_lamp_colour((240, 165, 40))
    (255, 110, 6)

    Args:
        rgb: red, green, blue in sRGB, 0 to 255 each, not all 0.
    """
    light = [_to_linear(value) for value in rgb]
    red, green, blue = (round(255 * value / max(light)) for value in light)
    return red, green, blue


def contrast_ratio(first: RGB, second: RGB) -> float:
    """Return the contrast ratio of two colours (WCAG 2.1): 1 for equal ones to 21 for black and white.

    Args:
        first: red, green, blue in sRGB, 0 to 255 each.
        second: the other colour; the order makes no difference.
    """
    light, dark = sorted((relative_luminance(first), relative_luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def text_colour_for(background: RGB) -> RGB:
    """Return near-black or near-white, the one with the higher contrast to a ground.

    Args:
        background: colour of the ground, such as a piece of a game: red, green, blue in sRGB, 0 to 255 each.

    Returns:
        Red, green, blue, 0 to 255. It is the same in every palette.
    """
    return max(DARK_PALETTE[Tone.BACKGROUND], DARK_PALETTE[Tone.INK], key=lambda ink: contrast_ratio(ink, background))


def flood_colour(colour: RGB, background: RGB) -> RGB:
    """Return the colour of a ground that is flooded with a colour, at its strongest.

    On a dark background the colour keeps its hue and becomes deep; on a light one it is a tint.

    Args:
        colour: red, green, blue in sRGB, 0 to 255 each; not black.
        background: the palette's background.

    Raises:
        ZeroDivisionError: the background is dark and the colour black.
    """
    if relative_luminance(background) > FLOOD_LUMINANCE:
        return mix_colours(background, colour, FLOOD_RATIO)
    deep = [_to_linear(value) ** FLOOD_SATURATION for value in colour]
    share = FLOOD_LUMINANCE / sum(weight * light for weight, light in zip(LUMINANCE_WEIGHTS, deep, strict=True))
    r, g, b = (_to_srgb(min(1.0, light * share)) for light in deep)
    return r, g, b


def _to_linear(value: int) -> float:
    """Return a channel's linear light, 0 to 1, of its sRGB value, 0 to 255."""
    c = value / 255
    return c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4


def _to_srgb(light: float) -> int:
    """Return a channel's sRGB value, 0 to 255, of its linear light, 0 to 1."""
    return round(255 * (light * 12.92 if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055))


def mix_colours(first: RGB, second: RGB, ratio: float) -> RGB:
    """Mix two colours.

    Args:
        first: red, green, blue, 0 to 255 each.
        second: the other colour.
        ratio: share of the second colour, 0 to 1.

    >>> mix_colours((0, 0, 0), (100, 200, 50), 0.5)
    (50, 100, 25)
    """
    r, g, b = (round(x + (y - x) * ratio) for x, y in zip(first, second, strict=True))
    return r, g, b
