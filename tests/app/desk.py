"""A window for tests, and what keys, mouse and fingers do at it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pygame
import pytest

from companion.app.window import Window
from companion.display.toolkit.preferences import DisplayPreferences
from companion.display.toolkit.theme import BACKGROUND, DARK_PALETTE
from companion.events import Button
from companion.screen_state import ScreenState
from companion.testing.table import ManualClock


@pytest.fixture(autouse=True)
def screen() -> Iterator[None]:
    pygame.display.init()
    yield
    pygame.display.quit()


def find_us_scancode(key: int) -> int:
    """Return SDL's scancode of a key code; SDL without a keyboard has the US layout."""
    wrapper: Any = type(pygame.key.get_pressed())
    return int(wrapper(range(512))[key])


class FakePanel:
    """A simulated table that records what it gets."""

    def __init__(self) -> None:
        self.places: list[pygame.Rect] = []
        self.calls: list[tuple[Any, ...]] = []
        self.is_moving = self.was_missed = False
        self.drawn = 0

    def place(self, panel: pygame.Rect) -> None:
        self.places.append(panel)

    def handle_mouse(self, event: pygame.event.Event, at: tuple[int, int], now: float) -> None:
        self.calls.append((event.type, at, now))

    def handle_touch(self, event: pygame.event.Event, at: tuple[int, int], now: float) -> None:
        self.calls.append((event.type, at, now))

    def handle_key(self, key: int, now: float, *, down: bool) -> None:
        self.calls.append((key, now, down))

    def follow(self, state: ScreenState) -> None:
        self.followed = state

    def draw(self, surface: pygame.Surface) -> list[pygame.Rect]:
        self.drawn += 1
        surface.fill(DARK_PALETTE[BACKGROUND], self.places[-1])
        return [self.places[-1]]


class Desk:
    """A window of the wanted size, with a fake panel if wanted and a clock at 10 s."""

    def __init__(self, size: tuple[int, int], panel: FakePanel | None = None, **options: Any) -> None:
        self.surface = pygame.display.set_mode(size)
        self.clock = ManualClock(10.0)
        self.preferences = DisplayPreferences(animations=False)
        self.window = Window(
            self.surface,
            self.clock,
            panel,
            preferences=lambda: self.preferences,
            **options,
        )
        pygame.event.clear()

    def send(self, kind: int, **values: Any) -> list[Any]:
        pygame.event.post(pygame.event.Event(kind, values))
        return list(self.window.poll_events(soon=True))

    def key(self, key: int, *, down: bool = True, **values: Any) -> list[Any]:
        """Press or release a key as SDL reports it; without `scancode` at its place on a US keyboard."""
        kind = pygame.KEYDOWN if down else pygame.KEYUP
        return self.send(kind, **{"key": key, "scancode": find_us_scancode(key), "mod": 0, "unicode": "", **values})

    def mouse(self, kind: int, at: tuple[int, int], button: int = 1) -> list[Any]:
        return self.send(kind, pos=at, button=button, touch=False)

    def find_button(self, button: Button, step: int = 8) -> tuple[int, int]:
        """Return a place where the picture has this button."""
        width, height = self.surface.get_size()
        screen = self.window._screen
        return next(
            (x, y) for y in range(0, height, step) for x in range(0, width, step) if screen.button_at((x, y)) is button
        )
