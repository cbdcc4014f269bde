"""A keyboard at the window: buttons, and names that are typed."""

from __future__ import annotations

import pygame
import pytest

from companion.events import Button, ButtonPressed, CharacterTyped, Event
from companion.screen_state import ScreenKind, ScreenState
from tests.app.desk import Desk, screen

__all__ = ["screen"]  # a fixture


def typed(character: str) -> CharacterTyped:
    return CharacterTyped(character, 10.0)


def pressed(button: Button) -> ButtonPressed:
    return ButtonPressed(button, 10.0)


@pytest.mark.parametrize(
    ("key", "text", "in_a_name", "elsewhere"),
    [
        (pygame.K_a, "a", [typed("a")], []),
        (pygame.K_SPACE, " ", [typed(" ")], [pressed(Button.OK)]),
        (pygame.K_MINUS, "-", [typed("-")], [pressed(Button.MINUS)]),
        (pygame.K_BACKSPACE, "", [typed("\b")], [pressed(Button.NO)]),
        (pygame.K_3, "3", [pressed(Button.SEAT3)], [pressed(Button.SEAT3)]),
        (pygame.K_RETURN, "", [pressed(Button.OK)], [pressed(Button.OK)]),
        (pygame.K_PLUS, "+", [pressed(Button.PLUS)], [pressed(Button.PLUS)]),
    ],
)
def test_letters_are_typed_only_where_a_name_is_asked_for(
    key: int, text: str, in_a_name: list[Event], elsewhere: list[Event]
) -> None:
    """As SDL reports a key: the key, and the text that it types."""
    for asks_for_text, expected in ((True, in_a_name), (False, elsewhere)):
        desk = Desk((800, 480))
        desk.window.show(ScreenState(ScreenKind.LOBBY, asks_for_text=asks_for_text))
        events = desk.key(key, unicode=text)
        events += desk.send(pygame.TEXTINPUT, text=text) if text else []
        assert events == expected


def test_a_composed_letter_counts_once() -> None:
    """An accent's own key types nothing; the letter arrives with its accent."""
    desk = Desk((800, 480))
    desk.window.show(ScreenState(ScreenKind.LOBBY, asks_for_text=True))
    assert desk.key(0x40000000) == desk.key(pygame.K_e, unicode="e") == []
    assert desk.send(pygame.TEXTINPUT, text="é") == [typed("é")]
