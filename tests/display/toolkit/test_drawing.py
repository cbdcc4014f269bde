"""Shapes and panels on a surface."""

from __future__ import annotations

import pygame
import pytest

from companion.display.toolkit.drawing import Drawing
from companion.display.toolkit.icons import ICONS, render_shape
from companion.display.toolkit.theme import PALETTES

LOPSIDED_ICONS = {"ok", "pointer", "help", "planet", "moon", "comet", "nebula", "sheep"}


def test_the_colours_of_a_split_panel_stand_side_by_side_within_the_clip() -> None:
    drawing = Drawing(pygame.Surface((90, 40), 0, 32), PALETTES["dark"], unit_px=4.8)
    red, blue, black = (200, 0, 0), (0, 0, 200), (0, 0, 0)
    clip = pygame.Rect(0, 0, 90, 30)
    drawing.surface.set_clip(clip)
    drawing.draw_split_panel(pygame.Rect(10, 0, 70, 40), [red, blue])
    assert drawing.surface.get_clip() == clip
    row = [tuple(drawing.surface.get_at((x, 20)))[:3] for x in range(90)]
    assert row == [black] * 10 + [red] * 35 + [blue] * 35 + [black] * 10
    assert {tuple(drawing.surface.get_at((x, 0)))[:3] for x in (10, 79)} == {black}, "its corners are round"
    assert tuple(drawing.surface.get_at((45, 0)))[:3] == blue, "but not between the colours"
    assert tuple(drawing.surface.get_at((40, 35)))[:3] == black


@pytest.mark.parametrize("size", [(60, 20), (20, 60)], ids=["wide", "tall"])
def test_a_panel_narrower_than_its_round_corners_ends_in_half_circles(size: tuple[int, int]) -> None:
    drawing = Drawing(pygame.Surface((80, 80), 0, 32), PALETTES["dark"], unit_px=5)
    panel = pygame.Rect((10, 10), size)
    drawing.draw_panel(panel, (200, 0, 0), radius=5)
    red = pygame.surfarray.array_red(drawing.surface.subsurface(panel))
    for mirrored in (red, red[::-1], red[:, ::-1], red[::-1, ::-1]):
        assert [mirrored[at] for at in ((3, 1), (1, 3), (9, 1), (1, 9))] == [0, 0, 200, 200]


@pytest.mark.parametrize("name", ICONS)
def test_an_icon_is_not_cut_off_and_in_the_middle_of_its_square(name: str) -> None:
    polygons, discs = ICONS[name]
    points = [
        *(point for polygon in polygons for point in polygon),
        *((x + sign * radius, y + sign * radius) for x, y, radius in discs for sign in (-1, 1)),
    ]
    for along in zip(*points, strict=True):
        assert -0.02 <= min(along) < max(along) <= 1.02
        assert sum((min(along), max(along))) / 2 == pytest.approx(0.5, abs=0.1)


@pytest.mark.parametrize("name", sorted(ICONS.keys() - LOPSIDED_ICONS))
def test_an_icon_is_the_same_in_a_mirror(name: str) -> None:
    cover = pygame.surfarray.array_alpha(render_shape(ICONS[name], 100, (200, 0, 0))) / 255
    assert abs(cover - cover[::-1]).sum() < 0.03 * cover.sum()
