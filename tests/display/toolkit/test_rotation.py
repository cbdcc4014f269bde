"""Display preferences: rotation, left-handed keys, touched seats, palettes."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pygame
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.display import Screen
from companion.display.toolkit.canvas import Canvas
from companion.display.toolkit.preferences import DisplayPreferences
from companion.display.toolkit.rotation import (
    RotatedSurface,
    rotate_rect,
    unrotate_point,
    unrotated_size,
)
from companion.display.toolkit.theme import BACKGROUND, PALETTES
from companion.display.widgets.touch_seats import locate_seat_areas
from companion.events import SEAT_BUTTONS
from companion.gallery import load_sample_builders
from companion.screen_state import ScreenState
from companion.testing.screens import build_states

SIZES = [(800, 480), (1920, 1080), (480, 800)]


def a_game() -> ScreenState:
    return build_states(load_sample_builders()["macroscope"])["open_picture"]


@pytest.mark.parametrize("turned", [0, 90, 180, 270])
@given(st.integers(1, 60), st.integers(1, 60), st.data())
def test_rotating_and_unrotating_a_pixel_restores_it(turned: int, width: int, height: int, data: st.DataObject) -> None:
    size = (width, height)
    at = (data.draw(st.integers(0, width - 1)), data.draw(st.integers(0, height - 1)))
    there = rotate_rect(pygame.Rect(at, (1, 1)), size, turned)
    assert pygame.Rect((0, 0), unrotated_size(size, turned)).contains(there)
    assert unrotate_point(there.topleft, size, turned) == at


@pytest.mark.parametrize(("turned", "corner"), [(90, (47, 0)), (180, (47, 29)), (270, (0, 29))])
def test_the_upper_left_corner_is_turned_clockwise(turned: int, corner: tuple[int, int]) -> None:
    screen = pygame.Surface((48, 30), 0, 32)
    sheet = RotatedSurface(screen, turned)
    sheet.surface.fill((0, 0, 0))
    sheet.surface.set_at((0, 0), (255, 255, 255))
    (whole,) = sheet.copy_to_screen([sheet.surface.get_rect()])
    assert whole == screen.get_rect()
    assert screen.get_at(corner)[:3] == (255, 255, 255)
    assert sheet.unrotate(corner) == (0, 0)


@pytest.mark.parametrize("turned", [90, 180, 270])
def test_part_by_part_the_turned_picture_is_the_whole_one_turned(turned: int) -> None:
    onto = pygame.Surface((800, 480), 0, 32)
    sheet = RotatedSurface(onto, turned)
    screen = Screen(sheet.surface.get_size(), DisplayPreferences(animations=False))
    first, then = a_game(), replace(a_game(), pressed_buttons=frozenset({SEAT_BUTTONS[0]}))
    sheet.copy_to_screen(screen.draw(sheet.surface, first))
    changed = sheet.copy_to_screen(screen.draw(sheet.surface, then))
    assert sum(rect.w * rect.h for rect in changed) < 0.3 * onto.get_width() * onto.get_height()
    whole = pygame.transform.rotate(Screen(sheet.surface.get_size()).render(then), -turned)
    assert pygame.image.tobytes(onto, "RGB") == pygame.image.tobytes(whole, "RGB")


def test_without_turning_the_screens_own_surface_is_drawn_on() -> None:
    onto = pygame.Surface((80, 48), 0, 32)
    sheet = RotatedSurface(onto, 0)
    assert sheet.surface is onto
    assert sheet.copy_to_screen([pygame.Rect(1, 2, 3, 4)]) == [pygame.Rect(1, 2, 3, 4)]
    assert sheet.unrotate((5, 6)) == (5, 6)


@pytest.mark.parametrize("size", SIZES)
def test_places_at_the_edges_go_round_clockwise_and_cover_nothing(size: tuple[int, int]) -> None:
    canvas = Canvas(size, DisplayPreferences(touch_seats=True))
    places = locate_seat_areas(canvas)
    assert list(places) == list(SEAT_BUTTONS)
    for place in places.values():
        assert pygame.Rect((0, 0), size).contains(place)
        assert not place.colliderect(canvas.scene_area)
    assert all(not one.colliderect(other) for one, other in pairwise(places.values()))
    # Clockwise on a screen, whose y grows downwards: each step turns to the right round the middle.
    around = [(p.centerx - size[0] / 2, p.centery - size[1] / 2) for p in places.values()]
    for one, other in pairwise([*around, around[0]]):
        assert one[0] * other[1] - one[1] * other[0] > 0


def test_lobby_says_which_touches_are_drawn_by_lot() -> None:
    screen = Screen((800, 480), DisplayPreferences(touch_seats=True))
    screen.render(build_states(load_sample_builders()["lobby"])["some"])
    said = " ".join(text.text for text in screen.drawn_texts())
    assert "Touches within 20 ms: drawn by lot" in said


@pytest.mark.parametrize("palette", PALETTES)
def test_new_preferences_repaint_everything(palette: str) -> None:
    screen, onto = (
        Screen((800, 480), DisplayPreferences("dark" if palette != "dark" else "light", animations=False)),
        pygame.Surface((800, 480), 0, 32),
    )
    screen.draw(onto, a_game())
    screen.preferences = DisplayPreferences(palette, animations=False)
    assert screen.draw(onto, a_game()) == [onto.get_rect()]
    assert onto.get_at((0, 479))[:3] == PALETTES[palette][BACKGROUND]
    assert pygame.image.tobytes(onto, "RGB") == pygame.image.tobytes(
        Screen((800, 480), DisplayPreferences(palette)).render(a_game()), "RGB"
    )
