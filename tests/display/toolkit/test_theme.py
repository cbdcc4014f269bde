"""Palettes: contrast, also with colour deficiencies."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations, product

import numpy as np
import pygame
import pytest

from companion.display.toolkit import theme
from companion.display.toolkit.theme import (
    BACKGROUND,
    BUTTON_COLOURS,
    INK,
    MUTED,
    PALETTES,
    PANEL,
    RAISED,
    contrast_ratio,
)
from companion.events import SEAT_BUTTONS
from companion.gallery.colour_blindness import DEFICIENCY_MATRICES, simulate_deficiency, simulate_linear, to_linear_rgb


@pytest.mark.parametrize("palette", PALETTES.values(), ids=PALETTES)
def test_text_stands_out_on_every_ground_and_so_do_keys(palette: theme.Palette) -> None:
    inks = (INK, MUTED, theme.GOOD, theme.WARN, theme.BAD)
    keys = (*BUTTON_COLOURS.values(), INK, theme.WARN)
    for ink, ground in (*product(inks, (BACKGROUND, PANEL, RAISED)), *product(keys, (BACKGROUND,))):
        assert contrast_ratio(palette[ink], palette[ground]) >= 7, (ink, ground)


def test_what_is_written_on_a_piece_stands_out() -> None:
    for name, colour in theme.PIECE_RGB.items():
        assert contrast_ratio(theme.text_colour_for(colour), colour) >= 4.5, name


def test_contrast_of_black_and_white_is_the_greatest() -> None:
    assert contrast_ratio((0, 0, 0), (255, 255, 255)) == pytest.approx(21)
    assert contrast_ratio((10, 20, 30), (10, 20, 30)) == 1


def lab(rgb: Iterable[float]) -> tuple[float, float, float]:
    """CIE L*a*b* (D65) of linear RGB."""
    r, g, b = (min(1.0, max(0.0, v)) for v in rgb)
    x = (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047
    y = 0.2126 * r + 0.7152 * g + 0.0722 * b
    z = (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883
    fx, fy, fz = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


@pytest.mark.parametrize("palette", PALETTES.values(), ids=PALETTES)
@pytest.mark.parametrize("name", DEFICIENCY_MATRICES)
def test_seat_colours_stand_apart_for_colour_blind_eyes(name: str, palette: theme.Palette) -> None:
    there = {}
    for button in SEAT_BUTTONS:
        rgb = to_linear_rgb(np.asarray(palette[BUTTON_COLOURS[button]]) / 255)
        there[button] = lab(simulate_linear(rgb, name))
    for one, other in combinations(SEAT_BUTTONS, 2):
        distance = sum((a - b) ** 2 for a, b in zip(there[one], there[other], strict=True)) ** 0.5
        assert distance >= 10, (one, other, distance)


@pytest.mark.parametrize("name", DEFICIENCY_MATRICES)
def test_greys_look_alike_to_all_eyes(name: str) -> None:
    picture = pygame.Surface((256, 1), 0, 32)
    for i in range(256):
        picture.set_at((i, 0), (i, i, i))
    found = pygame.surfarray.array3d(simulate_deficiency(picture, name)).astype(int)
    assert abs(found - pygame.surfarray.array3d(picture)).max() <= 1


def test_red_and_green_come_near_each_other_for_those_who_do_not_see_them() -> None:
    def apart(red: tuple[int, int, int], green: tuple[int, int, int], name: str) -> float:
        one, other = (lab(simulate_linear(to_linear_rgb(np.asarray(c) / 255), name)) for c in (red, green))
        return float(sum((a - b) ** 2 for a, b in zip(one[1:], other[1:], strict=True)) ** 0.5)

    red, green = (210, 60, 50), (60, 140, 50)
    assert apart(red, green, "deuteranopia") < 0.5 * apart(red, green, "tritanopia")


@pytest.mark.parametrize("name", ["dark", "contrast"])
def test_a_dark_ground_is_as_bright_as_text_allows_and_no_greyer_than_its_colour(name: str) -> None:
    palette = PALETTES[name]
    for colour in [*(palette[BUTTON_COLOURS[seat]] for seat in SEAT_BUTTONS), *theme.PIECE_RGB.values()]:
        ground = theme.flood_colour(colour, palette[BACKGROUND])
        assert theme.relative_luminance(ground) == pytest.approx(theme.FLOOD_LUMINANCE, rel=0.04)
        assert contrast_ratio(ground, palette[INK]) >= 8
        assert min(ground) / max(ground) <= min(colour) / max(colour)


def test_a_light_ground_is_a_tint() -> None:
    palette = PALETTES["light"]
    ground = theme.flood_colour((0, 0, 200), palette[BACKGROUND])
    assert ground == theme.mix_colours(palette[BACKGROUND], (0, 0, 200), theme.FLOOD_RATIO)
