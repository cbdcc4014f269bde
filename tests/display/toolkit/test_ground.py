"""Flooded grounds, measured where they are drawn: text in INK is readable on each of their pixels."""

from __future__ import annotations

import numpy as np
import pygame
import pytest

from companion.api import registry
from companion.display.scenes import load_game_scene
from companion.display.toolkit import Canvas, lay_out_screen
from companion.display.toolkit.preferences import DisplayPreferences
from companion.display.toolkit.theme import BUTTON_COLOURS, INK, LINE, PALETTES, Colour, contrast_ratio
from companion.events import SEAT_BUTTONS, Button

SIZE = (200, 120)
MIN_CONTRAST = 7.0
"""WCAG 2.1's strictest level for text."""
SEAT_GROUNDS = [(BUTTON_COLOURS[seat], seat) for seat in SEAT_BUTTONS]
GAME_GROUNDS = [(load_game_scene(name).ACCENT, None) for name in registry.list_game_names()]


def list_ground_colours(palette: str, colour: Colour, button: Button | None) -> list[tuple[int, ...]]:
    """Return the colours of all pixels of a flooded ground, as it is drawn behind the header and the stage."""
    canvas = Canvas(SIZE, DisplayPreferences(palette))
    flood = lay_out_screen(canvas).flood
    canvas.flood_ground(flood, colour, button)
    pixels = pygame.surfarray.array3d(canvas.surface.subsurface(flood)).reshape(-1, 3)
    return [tuple(map(int, rgb)) for rgb in np.unique(pixels, axis=0)]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("palette", PALETTES)
def test_text_is_readable_on_each_pixel_of_a_flooded_ground(palette: str) -> None:
    ink = PALETTES[palette][INK]
    for colour, button in {*SEAT_GROUNDS, *GAME_GROUNDS, (LINE, None)}:
        drawn = list_ground_colours(palette, colour, button)
        assert len(drawn) > 1, (colour, "the ground is not flooded")
        worst = min(contrast_ratio(ink, rgb) for rgb in drawn)  # type: ignore[arg-type]  # three ints
        assert worst >= MIN_CONTRAST, colour
