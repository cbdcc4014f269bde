"""A keyboard at the window: typed names; and what the window shows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pygame
import pytest

from companion.app.window import Window
from companion.events import Button, ButtonPressed, CharacterTyped, Event
from companion.screen_state import ScreenKind, ScreenState

SIZE = (800, 480)
LOBBY = ScreenState(ScreenKind.LOBBY)
ASKING = replace(LOBBY, asks_for_text=True)


@pytest.fixture
def window() -> Iterator[Window]:
    pygame.display.init()
    yield Window(pygame.display.set_mode(SIZE, pygame.RESIZABLE), lambda: 5.0)
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
