"""The lobby's screens: every state at the sizes that count; and no state leaves traces in the next one."""

from __future__ import annotations

import random

import pygame

from companion.display import Screen
from companion.display.toolkit.orientation import Look
from companion.gallery import everything
from companion.screen_state import Shown


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
