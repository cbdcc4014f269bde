"""The lobby's screens: every state at the sizes that count; and no state leaves traces in the next one."""

from __future__ import annotations

import random

import pygame
import pytest

from companion.display import Screen
from companion.gallery import everything
from companion.gallery.lobby import samples
from companion.shown import Shown
from tests.display.test_legible import check

SAMPLES = samples()
SIZES = ((800, 480), (1280, 720), (1920, 1080))


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s[0]}x{s[1]}")
def test_every_state(name: str, size: tuple[int, int]) -> None:
    check(SAMPLES[name], size)


def test_from_any_state_to_any_other_nothing_stays_behind() -> None:
    """Scenes that move their parts are the ones to go wrong."""
    states: list[Shown] = [shown for of_game in everything().values() for shown in of_game.values()]
    random.Random(5).shuffle(states)
    screen = Screen((800, 480))
    surface = pygame.Surface((800, 480), 0, 32)
    for shown in states:
        screen.draw(surface, shown)
        fresh = Screen((800, 480)).picture(shown)
        assert surface.get_buffer().raw == fresh.get_buffer().raw, shown
