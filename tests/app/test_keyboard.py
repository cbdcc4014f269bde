"""A keyboard at the window: typed names; and what the window shows."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import pygame
import pytest

from companion.app.simulator_panel import SimulatorPanel
from companion.app.window import DISPLAY_WIDTH_SHARE, Window
from companion.events import Button, ButtonPressed, CharacterTyped, Event
from companion.screen_state import ScreenKind, ScreenState
from companion.simulation.kit import find_table_kit

SIZE = (800, 480)
LOBBY = ScreenState(ScreenKind.LOBBY)
ASKING = replace(LOBBY, asks_for_text=True)


@pytest.fixture
def window() -> Iterator[Window]:
    pygame.display.init()
    yield Window(pygame.display.set_mode(SIZE, pygame.RESIZABLE), lambda: 5.0)
    pygame.display.quit()


@pytest.mark.parametrize("size", [(1366, 768), (1600, 480), (1920, 1080), (3840, 2160)])
def test_display_and_simulated_table_share_the_whole_window(size: tuple[int, int]) -> None:
    pygame.display.init()
    surface = pygame.display.set_mode(size)
    rng = random.Random(1)
    panel = SimulatorPanel(find_table_kit(None), lambda: 5.0, rng)
    surface.fill((255, 0, 255))
    Window(surface, lambda: 5.0, panel).show(replace(LOBBY, uses_camera=True))
    display_width = round(size[0] * DISPLAY_WIDTH_SHARE)
    for x in (0, display_width - 2, display_width + 2, size[0] - 1):
        assert surface.get_at((x, 0))[:3] != (255, 0, 255)
        assert surface.get_at((x, size[1] - 1))[:3] != (255, 0, 255)
    # The keys stand at the bottom of the window, and the table's picture is as wide as its part.
    keys = {surface.get_at((x, round(size[1] * 0.96)))[:3] for x in range(display_width)}
    assert len(keys) > 1
    assert panel.picture_area.right >= size[0] - 2 or panel.picture_area.bottom >= size[1] - 2
    pygame.display.quit()


@pytest.mark.parametrize("size", [(1366, 768), (1920, 1080), (3840, 2160)])
def test_the_display_alone_fills_the_whole_window(size: tuple[int, int]) -> None:
    pygame.display.init()
    surface = pygame.display.set_mode(size)
    surface.fill((255, 0, 255))
    Window(surface, lambda: 5.0).show(LOBBY)
    corners = [surface.get_at((x, y))[:3] for x in (0, size[0] - 1) for y in (0, size[1] - 1)]
    assert (255, 0, 255) not in corners
    ground, y = surface.get_at((0, size[1] - 1)), round(size[1] * 0.97)
    drawn = [x for x in range(size[0]) if surface.get_at((x, y)) != ground]  # the row of keys
    assert drawn[0] < 0.05 * size[0]
    assert drawn[-1] > 0.95 * size[0]
    pygame.display.quit()


def type_key(window: Window, key: int, text: str = "") -> list[Event]:
    """Press a key as SDL reports it: the key, and the text that it types."""
    pygame.event.clear()
    pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=key, unicode=text, mod=0))
    if text:
        pygame.event.post(pygame.event.Event(pygame.TEXTINPUT, text=text))
    events = list(window.poll_events(soon=True))
    pygame.event.post(pygame.event.Event(pygame.KEYUP, key=key, unicode=text, mod=0))
    window.poll_events(soon=True)
    return events


def test_letters_are_typed_where_a_name_is_asked_for(window: Window) -> None:
    window.show(ASKING)
    assert type_key(window, pygame.K_a, "a") == [CharacterTyped("a", 5.0)]
    assert type_key(window, pygame.K_SPACE, " ") == [CharacterTyped(" ", 5.0)]
    assert type_key(window, pygame.K_MINUS, "-") == [CharacterTyped("-", 5.0)]
    assert type_key(window, pygame.K_BACKSPACE, "") == [CharacterTyped("\b", 5.0)]


def test_buttons_stay_on_their_keys_where_a_name_is_asked_for(window: Window) -> None:
    window.show(ASKING)
    assert type_key(window, pygame.K_3, "3") == [ButtonPressed(Button.SEAT3, 5.0)]
    assert type_key(window, pygame.K_RETURN) == [ButtonPressed(Button.OK, 5.0)]
    assert type_key(window, pygame.K_PLUS, "+") == [ButtonPressed(Button.PLUS, 5.0)]


def test_letters_do_nothing_elsewhere(window: Window) -> None:
    window.show(LOBBY)
    assert type_key(window, pygame.K_a, "a") == []
    assert type_key(window, pygame.K_SPACE, " ") == [ButtonPressed(Button.OK, 5.0)]
    assert type_key(window, pygame.K_BACKSPACE) == [ButtonPressed(Button.NO, 5.0)]


def test_a_composed_letter_counts_once(window: Window) -> None:
    """An accent's own key types nothing; the letter arrives with its accent."""
    window.show(ASKING)
    pygame.event.clear()
    for event in (
        pygame.event.Event(pygame.KEYDOWN, key=0x40000000, unicode="", mod=0),
        pygame.event.Event(pygame.KEYDOWN, key=pygame.K_e, unicode="e", mod=0),
        pygame.event.Event(pygame.TEXTINPUT, text="é"),
    ):
        pygame.event.post(event)
    assert window.poll_events(soon=True) == [CharacterTyped("é", 5.0)]
