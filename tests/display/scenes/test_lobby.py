"""The lobby: every state at all sizes, independent of earlier states."""

from __future__ import annotations

import random

import numpy as np
import pygame
import pytest

from companion.display import Screen
from companion.display.toolkit import Canvas
from companion.display.toolkit.preferences import DisplayPreferences
from companion.display.widgets import draw_title_column
from companion.gallery import load_sample_builders
from companion.screen_state import ScreenState


@pytest.mark.full
def test_from_any_state_to_any_other_nothing_stays_behind() -> None:
    """Scenes that move their parts are the ones to go wrong."""
    states: list[ScreenState] = [
        shown for build_samples in load_sample_builders().values() for shown in build_samples().values()
    ]
    random.Random(5).shuffle(states)
    screen = Screen((800, 480), DisplayPreferences(animations=False))
    surface = pygame.Surface((800, 480), 0, 32)
    for shown in states[: len(states) // 4]:  # each takes a twentieth of a second
        screen.draw(surface, shown)
        fresh = Screen((800, 480)).render(shown)
        assert surface.get_buffer().raw == fresh.get_buffer().raw, shown


@pytest.mark.parametrize("is_far", [False, True])
@pytest.mark.parametrize(("state", "is_shown"), [("yacht_drawn_few", True), ("yacht_drawn", False)])
def test_what_the_game_is_about_stands_below_who_begins_where_there_is_room(
    state: str, is_shown: bool, *, is_far: bool
) -> None:
    """Six players fill the place."""
    screen = Screen((800, 480), DisplayPreferences(is_far=is_far))
    screen.render(load_sample_builders()["lobby"]()[state])
    texts = " ".join(drawn.text for drawn in screen.canvas.drawn_texts())
    assert ("When all boxes are filled, the most points win." in texts) is is_shown


def test_the_picture_of_the_game_stands_below_its_name() -> None:
    canvas = Canvas((800, 480))
    column = canvas.surface.get_rect().inflate(-500, -200)
    with canvas.frame():
        canvas.draw_region(
            "main", column, None, lambda: draw_title_column(canvas, column, "macroscope", "Macroscope", ("2 players",))
        )
    pixels = pygame.surfarray.array2d(canvas.surface.subsurface(column))
    assert len(np.unique(pixels)) > 1000, "words alone have fewer colours"
