"""A keyboard at the window: buttons, and names that are typed.

The table of keys: tests/hardware/buttons/test_keyboard.py.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pygame
import pytest
from virtual_display import start_virtual_display

from companion.events import SEAT_BUTTONS, Button, ButtonPressed, ButtonReleased, CharacterTyped, Event
from companion.screen_state import ScreenKind, ScreenState
from tests.app.desk import Desk, FakePanel, screen
from tests.conftest import REPOSITORY

__all__ = ["screen"]  # a fixture
MISSING = [name for name in ("Xvfb", "setxkbmap", "xdotool") if shutil.which(name) is None]


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
    assert desk.key(0x40000000, scancode=0) == desk.key(pygame.K_e, unicode="e") == []
    assert desk.send(pygame.TEXTINPUT, text="é") == [typed("é")]


SEAT_KEYS = "123456"
LAYOUTS = {
    "French": ("&é\"'(-", ")", "="),
    "Belgian": ("&é\"'(§", ")", "-"),
    "Czech": ("+ěščřž", "=", "\N{ACUTE ACCENT}"),
    "Slovak": ("+ľščťž", "=", "\N{ACUTE ACCENT}"),
    "German": (SEAT_KEYS, "ß", "\N{ACUTE ACCENT}"),
    "Hungarian": (SEAT_KEYS, "ü", "ó"),
    "Russian": (SEAT_KEYS, "-", "="),
    "Swedish": (SEAT_KEYS, "+", "\N{ACUTE ACCENT}"),
}
"""What each country's keys type at the places 1 to 6, right of 0, and right of that."""


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_key_is_its_place_whatever_it_types(layout: str) -> None:
    typed_by_seats, right_of_0, next_key = LAYOUTS[layout]
    desk = Desk((800, 480))
    for number, text in enumerate(typed_by_seats, 1):
        scancode = pygame.KSCAN_1 + number - 1
        assert desk.key(ord(text), scancode=scancode, unicode=text) == [pressed(SEAT_BUTTONS[number - 1])]
        # Shift may have changed, and with it the text that a key types.
        assert desk.key(ord(text), down=False, scancode=scancode) == [ButtonReleased(SEAT_BUTTONS[number - 1], 10.0)]
    by_place = {
        Button.MINUS: (pygame.KSCAN_MINUS, right_of_0),
        Button.PLUS: (pygame.KSCAN_EQUALS, next_key),
    }
    for button, (scancode, text) in by_place.items():
        expected = {"+": Button.PLUS, "-": Button.MINUS}.get(text, button)
        assert desk.key(ord(text), scancode=scancode, unicode=text) == [pressed(expected)]
        desk.key(ord(text), scancode=scancode, down=False)


def test_a_letter_that_a_layout_has_on_a_seats_key_is_typed_in_a_name() -> None:
    desk = Desk((800, 480))
    desk.window.show(ScreenState(ScreenKind.LOBBY, asks_for_text=True))
    assert desk.key(ord("é"), scancode=pygame.KSCAN_2, unicode="é") == []
    assert desk.send(pygame.TEXTINPUT, text="é") == [typed("é")]
    assert desk.key(ord("&"), scancode=pygame.KSCAN_1, unicode="&") == [pressed(Button.SEAT1)]


def test_plus_and_minus_are_found_where_a_layout_has_them() -> None:
    desk = Desk((800, 480))
    assert desk.key(pygame.K_PLUS, scancode=pygame.KSCAN_RIGHTBRACKET, unicode="+") == [pressed(Button.PLUS)]
    assert desk.key(pygame.K_MINUS, scancode=pygame.KSCAN_SLASH, unicode="-") == [pressed(Button.MINUS)]


def test_a_keypad_without_num_lock_is_the_same_keys() -> None:
    desk = Desk((800, 480))
    assert desk.key(pygame.K_END, scancode=pygame.KSCAN_KP1) == [pressed(Button.SEAT1)]


def test_letters_of_the_simulated_table_stay_in_place_where_a_key_prints_no_latin_one() -> None:
    panel = FakePanel()
    desk = Desk((800, 480), panel)
    for down in (True, False):
        desk.key(ord("р"), down=down, scancode=pygame.KSCAN_H, unicode="р" if down else "")
    assert panel.calls == [(pygame.K_h, 10.0, True), (pygame.K_h, 10.0, False)]
    desk.key(ord("й"), scancode=pygame.KSCAN_Q, mod=pygame.KMOD_CTRL)
    assert desk.window.closed, "Ctrl-Q"
    azerty = Desk((800, 480))
    azerty.key(pygame.K_q, scancode=pygame.KSCAN_A, mod=pygame.KMOD_CTRL)
    assert azerty.window.closed, "the key that prints Q"


@pytest.mark.full
@pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}")
@pytest.mark.parametrize("layout", ["fr", "cz", "ru"])
def test_real_keys_on_a_real_layout(layout: str) -> None:
    """X11 itself translates the keys (xdotool presses places, not letters)."""
    with start_virtual_display(640, 480) as display:
        env = {**os.environ, "DISPLAY": display, "SDL_VIDEODRIVER": "x11", "PYTHONPATH": str(REPOSITORY)}
        subprocess.run(["setxkbmap", "-layout", layout], env=env, check=True)
        done = subprocess.run(
            [sys.executable, "-c", KEY_PROGRAM], env=env, capture_output=True, text=True, timeout=100, check=False
        )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["seat1", "seat2", "seat3", "seat4", "seat5", "seat6", "ok", "no"]


KEY_PROGRAM = """
import subprocess

from companion.app.window import Window, open_surface
from companion.config.settings import DisplaySettings
from companion.events import ButtonPressed
from companion.screen_state import ScreenKind, ScreenState

window = Window(open_surface(DisplaySettings(size=(400, 300))), lambda: 0.0)
window.show(ScreenState(ScreenKind.LOBBY))


def wait_for_press(code):
    # A key that is pressed before the window has the focus is lost.
    for _ in range(50):
        subprocess.run(["xdotool", "key", str(code)], check=True)
        for _ in range(5):
            for event in window.poll_events():
                if isinstance(event, ButtonPressed):
                    return event.button
    raise SystemExit(f"key {code} is no button")


# X11 counts from 8: the top row, Enter, Backspace.
for code in (*range(10, 16), 36, 22):
    print(wait_for_press(code))
    window.poll_events()
"""
