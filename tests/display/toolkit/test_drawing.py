"""Shapes and panels on a surface."""

from __future__ import annotations

import pygame

from companion.display.toolkit.drawing import Drawing
from companion.display.toolkit.theme import PALETTES


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
