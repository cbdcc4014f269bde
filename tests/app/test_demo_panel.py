"""The table of the demo: circles on what the camera reads, a caption of its own place, and what a press does."""

from __future__ import annotations

import numpy as np
import pygame
import pytest

from companion.app.demo_panel import CIRCLE_RGB, DemoPanel
from companion.simulation.demo_script import DemoCaption, PictureCircle
from companion.simulation.optics import FRAME_SIZE_PX
from hardware.cameras.sources import Frame

CIRCLE = PictureCircle(300.0, 200.0, 60.0)
AREAS = [(806, 1080), (336, 480), (960, 540), (480, 336)]


def make_frame() -> Frame:
    return Frame(np.full((FRAME_SIZE_PX[1], FRAME_SIZE_PX[0], 3), 90, np.uint8), 0.0, 0)


def draw(panel: DemoPanel, size: tuple[int, int]) -> tuple[pygame.Surface, list[pygame.Rect]]:
    surface = pygame.Surface(size)
    panel.place(surface.get_rect())
    panel.show_frame(make_frame())
    return surface, panel.draw(surface)


def count_pixels(surface: pygame.Surface, rgb: tuple[int, ...]) -> int:
    pixels = pygame.surfarray.array3d(surface).astype(int)
    return int((np.abs(pixels - rgb).max(axis=2) < 12).sum())


def test_what_is_spoken_of_is_circled_and_the_frame_itself_is_not_changed() -> None:
    panel, frame = DemoPanel(), make_frame()
    panel.show_caption(DemoCaption("The camera reads 2", (CIRCLE,)))
    panel.show_frame(frame)
    assert panel._frame is not None
    marked = panel._frame.image
    edge = marked[round(CIRCLE.y), round(CIRCLE.x + CIRCLE.radius)]
    assert tuple(int(value) for value in edge[::-1]) == CIRCLE_RGB
    assert (marked[round(CIRCLE.y), round(CIRCLE.x)] == 90).all(), "the thing itself can be seen"
    assert (frame.image == 90).all(), "the camera reader has the same frame"
    panel.show_caption(DemoCaption("Nobody wants to guess"))
    panel.show_frame(frame)
    assert panel._frame is frame


@pytest.mark.parametrize("size", AREAS)
def test_words_stand_below_the_picture(size: tuple[int, int]) -> None:
    panel = DemoPanel()
    panel.show_caption(DemoCaption("Dodici finestre nascondono un’immagine: aprirne poche e indovinarla"))
    surface, (picture, words) = draw(panel, size)
    assert picture.bottom <= words.top
    assert picture.union(words) == surface.get_rect()
    assert count_pixels(surface.subsurface(words), (246, 248, 251)) > 50
    assert panel.draw(surface) == [], "nothing has changed"
    panel.show_caption(DemoCaption(""))
    assert panel.draw(surface) == [words]
    assert count_pixels(surface.subsurface(words), (246, 248, 251)) == 0
    assert count_pixels(surface.subsurface(words), (190, 201, 218)) > 20, "what a press does stays"
