"""Checks of the movements in a game's sample screens: they end by themselves, and at a press, at the still picture."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import pygame

from companion.display import Screen
from companion.display.toolkit.preferences import DisplayPreferences
from companion.events import Button
from companion.screen_state import ScreenState
from companion.testing.table import ManualClock

SIZE_PX = (400, 240)
"""Size of the pictures that are compared: small, so that many are drawn."""
STILL = DisplayPreferences(animations=False)
"""Preferences without motion."""
MAX_MOVEMENT_SECONDS = 25.0
"""Longer than any movement: from the last answer to the end of the confetti."""

SampleBuilder = Callable[[], Mapping[str, ScreenState]]
"""Builds the sample states of a game, by name."""


def check_motion_ends(build_samples: SampleBuilder) -> None:
    """Check that without motion the first frame is the end, and with it the last."""
    clock = ManualClock()
    still, moving = Screen(SIZE_PX, STILL, clock), Screen(SIZE_PX, DisplayPreferences(), clock)
    for name, state in build_samples().items():
        end, moved = pygame.Surface(SIZE_PX, 0, 32), pygame.Surface(SIZE_PX, 0, 32)
        still.draw(end, state)
        assert not still.is_animating, name
        moving.draw(moved, state)
        for _ in range(2):  # the first frame at the end, and one that restores what icons flew over
            clock.now += MAX_MOVEMENT_SECONDS
            moving.draw(moved, state)
        assert not moving.is_animating, name
        assert _get_pixels(moved) == _get_pixels(end), name


def check_press_ends_motion(build_samples: SampleBuilder) -> None:
    """Check that a press ends all that moves on the stage."""
    clock = ManualClock()
    for name, state in build_samples().items():
        moving, surface = Screen(SIZE_PX, DisplayPreferences(), clock), pygame.Surface(SIZE_PX, 0, 32)
        moving.draw(surface, state)
        pressed = replace(state, pressed_buttons=state.pressed_buttons | {Button.SEAT6})
        if pressed == state:
            continue
        moving.draw(surface, pressed)
        assert not moving.is_animating, name
        assert _get_pixels(surface) == _get_pixels(Screen(SIZE_PX, STILL).render(pressed)), name


def check_rest_paints_nothing(build_samples: SampleBuilder) -> None:
    """Check that no region is painted again once all has come to rest."""
    clock = ManualClock()
    screen, surface = Screen(SIZE_PX, DisplayPreferences(), clock), pygame.Surface(SIZE_PX, 0, 32)
    for name, state in build_samples().items():
        screen.draw(surface, state)
        for _ in range(2):  # as above
            clock.now += MAX_MOVEMENT_SECONDS
            screen.draw(surface, state)
        assert screen.draw(surface, replace(state)) == [], name
        clock.now += 0.1
        # Another state that looks the same: every region is asked whether its content changed.
        assert screen.draw(surface, replace(state, is_demo=not state.is_demo)) == [], name
        assert not screen.is_animating, name


def _get_pixels(surface: pygame.Surface) -> bytes:
    return pygame.image.tobytes(surface, "RGB")
