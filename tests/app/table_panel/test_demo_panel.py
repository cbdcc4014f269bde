"""The table of the demo: circles on what the camera reads, its words in the bar, and what a press does."""

from __future__ import annotations

import random

import pygame
import pytest

from companion.app.table_panel.demo_panel import HINT, DemoPanel
from companion.display.toolkit.theme import DARK_PALETTE, INK, WARN
from companion.simulation.demo_script import DemoCaption, PictureCircle
from companion.simulation.dice_tray.kit import DICE_TRAY

CIRCLE = PictureCircle(640.0, 360.0, 40.0)
READS = DemoCaption("The camera reads 2", (CIRCLE,))
AREAS = [(806, 1080), (336, 480), (960, 540)]


def make_panel(size: tuple[int, int]) -> tuple[DemoPanel, pygame.Surface]:
    panel, surface = DemoPanel(), pygame.Surface(size)
    panel.show_table(DICE_TRAY, *DICE_TRAY.create_table(random.Random(1)))
    panel.place(surface.get_rect())
    return panel, surface


def count_pixels(surface: pygame.Surface, tone: str) -> int:
    return pygame.mask.from_threshold(surface, DARK_PALETTE[tone], (12, 12, 12, 255)).count()


def locate(panel: DemoPanel) -> pygame.Rect:
    place = panel._picture.locate((CIRCLE.x - CIRCLE.radius, CIRCLE.y - CIRCLE.radius, *[2 * CIRCLE.radius] * 2))
    assert place is not None
    return place


@pytest.mark.parametrize("size", AREAS)
def test_what_is_spoken_of_is_circled_until_something_else_is_said(size: tuple[int, int]) -> None:
    panel, surface = make_panel(size)
    panel.draw(surface)
    around = locate(panel).inflate(12, 12)
    plain = surface.subsurface(around).copy()
    panel.show_caption(READS)
    assert panel.draw(surface)
    assert count_pixels(surface.subsurface(around), WARN) > 100
    middle = around.inflate(-around.w * 2 // 3, -around.h * 2 // 3)
    assert count_pixels(surface.subsurface(middle), WARN) == 0, "the thing itself can be seen"
    panel.show_caption(DemoCaption("Nobody wants to guess"))
    panel.draw(surface)
    assert surface.subsurface(around).copy().get_buffer().raw == plain.get_buffer().raw


@pytest.mark.parametrize("size", AREAS)
def test_words_and_what_a_press_does_stand_in_the_bar(size: tuple[int, int]) -> None:
    panel, surface = make_panel(size)
    panel.show_caption(DemoCaption("Dodici finestre nascondono un’immagine: aprirne poche e indovinarla"))
    assert panel.draw(surface) == [surface.get_rect()]
    ((control, hint),) = panel._bar.list_controls()
    assert control == HINT
    words = panel._bar.area.clip(pygame.Rect(0, 0, size[0], hint.top))
    assert count_pixels(surface.subsurface(words), INK) > 50
    assert panel.draw(surface) == [], "nothing has changed"
    panel.show_caption(DemoCaption(""))
    assert panel.draw(surface) == [panel._bar.area]
    assert count_pixels(surface.subsurface(words), INK) == 0
    assert count_pixels(surface.subsurface(hint), INK) > 20, "what a press does stays"
