"""Colours keep their contrast, for all eyes."""

from __future__ import annotations

from itertools import combinations

import pytest

from companion.display import theme
from companion.display.theme import BACKGROUND, COLOURS, INK, MUTED, PALETTES, PANEL, RAISED, RGB, Tone, contrast
from hardware.signals import SEAT_BUTTONS

# Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency" (2009),
# severity 1.0, in linear RGB.
DEFICIENCIES = {
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}


@pytest.mark.parametrize("palette", PALETTES.values(), ids=PALETTES)
@pytest.mark.parametrize("ground", [BACKGROUND, PANEL, RAISED])
@pytest.mark.parametrize("ink", [INK, MUTED, theme.GOOD, theme.WARN, theme.BAD])
def test_text_on_every_ground(ink: Tone, ground: Tone, palette: theme.Palette) -> None:
    assert contrast(palette[ink], palette[ground]) >= 7


@pytest.mark.parametrize("palette", PALETTES.values(), ids=PALETTES)
@pytest.mark.parametrize("colour", sorted({*COLOURS.values(), INK, theme.WARN}))
def test_the_grounds_colour_on_keys_and_keys_on_the_ground(colour: Tone, palette: theme.Palette) -> None:
    assert contrast(palette[BACKGROUND], palette[colour]) >= 7


@pytest.mark.parametrize("name", theme.PIECES)
def test_what_is_written_on_a_piece_stands_out(name: str) -> None:
    assert contrast(theme.on(theme.PIECES[name]), theme.PIECES[name]) >= 4.5


def test_contrast_of_black_and_white_is_the_greatest() -> None:
    assert contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)
    assert contrast((10, 20, 30), (10, 20, 30)) == 1


def linear(colour: RGB) -> tuple[float, ...]:
    return tuple(c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (v / 255 for v in colour))


def lab(rgb: tuple[float, ...]) -> tuple[float, float, float]:
    """CIE L*a*b* (D65) of linear RGB."""
    r, g, b = (min(1.0, max(0.0, v)) for v in rgb)
    x = (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047
    y = 0.2126 * r + 0.7152 * g + 0.0722 * b
    z = (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883
    fx, fy, fz = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


@pytest.mark.parametrize("palette", PALETTES.values(), ids=PALETTES)
@pytest.mark.parametrize("name", DEFICIENCIES)
def test_seat_colours_stand_apart_for_colour_blind_eyes(name: str, palette: theme.Palette) -> None:
    seen = {}
    for button in SEAT_BUTTONS:
        rgb = linear(palette[COLOURS[button]])
        seen[button] = lab(tuple(sum(k * v for k, v in zip(row, rgb, strict=True)) for row in DEFICIENCIES[name]))
    for one, other in combinations(SEAT_BUTTONS, 2):
        distance = sum((a - b) ** 2 for a, b in zip(seen[one], seen[other], strict=True)) ** 0.5
        assert distance >= 10, (one, other, distance)
