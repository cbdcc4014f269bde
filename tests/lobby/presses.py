"""Presses in a lobby, on a clock that moves with them, and what its screen shows."""

from __future__ import annotations

from companion.events import SEAT_BUTTONS, Button, ButtonPressed, ButtonReleased
from companion.lobby import FirstPlayerDraw, Lobby
from companion.screen_state import CameraView, Menu, ScreenState
from companion.testing.table import ManualClock

CLOCK = ManualClock(0.0)
"""The clock of all lobbies."""


def press(stage: Lobby | FirstPlayerDraw, *buttons: Button) -> None:
    for button in buttons:
        CLOCK.now += 0.5
        stage.receive(ButtonPressed(button, CLOCK.now))
        stage.receive(ButtonReleased(button, CLOCK.now + 0.1))
        stage.tick()


def screen(stage: Lobby | FirstPlayerDraw) -> ScreenState:
    return stage.build_screen_state(CameraView())


def menu(stage: Lobby) -> Menu:
    """Return the open menu."""
    shown = screen(stage).menu
    assert shown is not None
    return shown


def selected_line(stage: Lobby) -> str:
    return menu(stage).items[menu(stage).selected]


def choose(stage: Lobby, words: str) -> None:
    """Step down to the line that begins with `words`, or else to one that contains them, and press OK."""
    lines = menu(stage).items
    found = [i for i, line in enumerate(lines) if line.startswith(words)]
    found += [i for i, line in enumerate(lines) if words in line]
    press(stage, *[Button.MINUS] * ((found[0] - menu(stage).selected) % len(lines)), Button.OK)


def open_line(stage: Lobby, words: str) -> None:
    """Choose a line of the settings, from the lobby itself."""
    press(stage, Button.MINUS)
    choose(stage, words)


def choose_game(stage: Lobby, title: str) -> None:
    """Choose a game in the list that PLUS opens in the lobby: PLUS turns the pages to its line."""
    press(stage, Button.PLUS)
    while title not in menu(stage).items:
        press(stage, Button.PLUS)
    press(stage, SEAT_BUTTONS[menu(stage).items.index(title)])
