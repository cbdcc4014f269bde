"""The lobby's screens: every state at the sizes that count; and no state leaves traces in the next one."""

from __future__ import annotations

import random

import pygame
import pytest

from companion.display import Screen
from companion.display.look import Look
from companion.display.theme import PALETTES
from companion.gallery import everything
from companion.gallery.lobby import samples
from companion.shown import Shown
from tests.display.test_legible import ALL, CORNERS, check, corner_id, told


@pytest.mark.parametrize(("size", "code"), CORNERS, ids=corner_id)
def test_every_state(size: tuple[int, int], code: str) -> None:
    for name, shown in told(samples, code).items():
        check(shown, size, code, note=name)


@pytest.mark.proof
@pytest.mark.parametrize("palette", PALETTES)
@pytest.mark.parametrize(("size", "code"), ALL, ids=corner_id)
def test_every_state_at_every_size_in_every_palette(size: tuple[int, int], code: str, palette: str) -> None:
    for name, shown in told(samples, code).items():
        check(shown, size, code, palette, note=name)


def test_from_any_state_to_any_other_nothing_stays_behind() -> None:
    """Scenes that move their parts are the ones to go wrong."""
    states: list[Shown] = [shown for of_game in everything().values() for shown in of_game.values()]
    random.Random(5).shuffle(states)
    screen = Screen((800, 480), Look(motion=False))
    surface = pygame.Surface((800, 480), 0, 32)
    for shown in states:
        screen.draw(surface, shown)
        fresh = Screen((800, 480)).picture(shown)
        assert surface.get_buffer().raw == fresh.get_buffer().raw, shown
