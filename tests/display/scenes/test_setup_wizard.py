"""The setup wizard, the preferences menu and the dimmed lobby."""

from __future__ import annotations

from dataclasses import replace

import pygame
import pytest

from companion.display import Screen
from companion.gallery.camera_views import show_dice
from companion.gallery.setup import build_samples
from companion.screen_state import ScreenState
from companion.testing.screens import build_states


def brightness(surface: pygame.Surface) -> float:
    return sum(pygame.transform.average_color(surface)[:3])


@pytest.fixture
def dimmed() -> ScreenState:
    return build_states(build_samples)["dimmed"]


def test_dimmed_picture_is_dark_until_undimmed(dimmed: ScreenState) -> None:
    screen, surface = Screen((800, 480)), pygame.Surface((800, 480), 0, 32)
    lit = replace(dimmed, dimmed=False)
    screen.draw(surface, lit)
    bright = brightness(surface)
    assert screen.draw(surface, dimmed) == [surface.get_rect()]
    assert brightness(surface) < bright / 3
    assert screen.draw(surface, dimmed) == []
    assert screen.draw(surface, lit) == [surface.get_rect()]
    assert brightness(surface) == bright
    assert brightness(screen.render(dimmed)) < bright / 3


def test_the_frame_touches_all_four_edges() -> None:
    picture = Screen((800, 480)).render(build_states(build_samples)["page_picture"])
    ink = picture.get_at((0, 0))
    for at in ((799, 0), (0, 479), (799, 479), (400, 0), (400, 479), (0, 240), (799, 240)):
        assert picture.get_at(at) == ink
    assert picture.get_at((400, 12)) != ink


@pytest.mark.parametrize("name", ["teach_dice_shown", "teach_dice_last"])
def test_dice_are_taught_with_the_face_that_is_asked_for(name: str) -> None:
    shown = build_states(build_samples)[name]
    assert (shown.camera_view.picture == show_dice(shown.view.wanted).picture).all()


def test_a_white_die_that_is_asked_for_stands_on_a_dark_ground() -> None:
    screen = Screen((800, 480))
    picture = screen.render(build_states(build_samples)["teach_dice_shown"])
    row = screen.canvas.regions["main"].rect
    assert max(picture.get_at((row.left + 20, row.centery))[:3]) < 60
