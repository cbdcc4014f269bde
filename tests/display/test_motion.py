"""Movements in every state of the gallery: they end by themselves, and at a press, at the picture without motion.

Once they have ended, nothing is painted any more.
"""

from __future__ import annotations

from dataclasses import replace

import pygame
import pytest

from companion.display import Screen
from companion.display.toolkit.preferences import DisplayPreferences
from companion.events import Button
from companion.gallery import SAMPLE_BUILDERS
from tests.hardware.conftest import ManualClock

SIZE = (400, 240)
STILL = DisplayPreferences(animations=False)
MAX_MOVEMENT_SECONDS = 8.0
"""Longer than any movement: confetti falls longest."""


def pixels(surface: pygame.Surface) -> bytes:
    return pygame.image.tobytes(surface, "RGB")


@pytest.mark.parametrize("of", SAMPLE_BUILDERS)
def test_without_motion_the_first_frame_is_the_end_and_with_it_the_last(of: str) -> None:
    clock = ManualClock()
    still, moving = Screen(SIZE, STILL, clock), Screen(SIZE, DisplayPreferences(), clock)
    for name, state in SAMPLE_BUILDERS[of]().items():
        end, moved = pygame.Surface(SIZE, 0, 32), pygame.Surface(SIZE, 0, 32)
        still.draw(end, state)
        assert not still.is_animating, name
        moving.draw(moved, state)
        for _ in range(2):  # the first frame at the end, and one that restores what icons flew over
            clock.now += MAX_MOVEMENT_SECONDS
            moving.draw(moved, state)
        assert not moving.is_animating, name
        assert pixels(moved) == pixels(end), name


@pytest.mark.parametrize("of", SAMPLE_BUILDERS)
def test_a_press_ends_all_that_moves_on_the_stage(of: str) -> None:
    clock = ManualClock()
    for name, state in SAMPLE_BUILDERS[of]().items():
        moving, surface = Screen(SIZE, DisplayPreferences(), clock), pygame.Surface(SIZE, 0, 32)
        moving.draw(surface, state)
        pressed = replace(state, pressed_buttons=state.pressed_buttons | {Button.SEAT6})
        if pressed == state:
            continue
        moving.draw(surface, pressed)
        assert not moving.is_animating, name
        assert pixels(surface) == pixels(Screen(SIZE, STILL).render(pressed)), name


@pytest.mark.parametrize("of", SAMPLE_BUILDERS)
def test_once_all_has_come_to_rest_no_region_is_painted_again(of: str) -> None:
    clock = ManualClock()
    screen, surface = Screen(SIZE, DisplayPreferences(), clock), pygame.Surface(SIZE, 0, 32)
    for name, state in SAMPLE_BUILDERS[of]().items():
        screen.draw(surface, state)
        for _ in range(2):  # as above
            clock.now += MAX_MOVEMENT_SECONDS
            screen.draw(surface, state)
        assert screen.draw(surface, replace(state)) == [], name
        clock.now += 0.1
        # Another state that looks the same: every region is asked whether its content changed.
        assert screen.draw(surface, replace(state, is_demo=not state.is_demo)) == [], name
        assert not screen.is_animating, name
