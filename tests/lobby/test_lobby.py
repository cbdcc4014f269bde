"""The lobby: players take their seats by pressing their buttons in clockwise order."""

from __future__ import annotations

from companion.api import Command, CommandName
from companion.events import Button, ButtonPressed
from companion.games.macroscope import GAME
from companion.lobby import Lobby
from companion.lobby.services import LobbyServices
from tests.lobby.presses import CLOCK, press


def open_lobby(*names: str) -> Lobby:
    return Lobby(GAME, LobbyServices(CLOCK), names=names)


def test_the_order_of_the_seats_is_that_of_the_presses() -> None:
    lobby = open_lobby()
    press(lobby, Button.SEAT4, Button.SEAT1, Button.SEAT5, Button.SEAT6)
    assert lobby.seated == ("Diamond", "Circle", "Star", "Hexagon")
    press(lobby, Button.SEAT4)
    assert lobby.seating == (Button.SEAT1, Button.SEAT5, Button.SEAT6), "who presses again leaves"
    press(lobby, Button.NO)
    assert lobby.seating == (Button.SEAT1, Button.SEAT5), "NO removes the one who came last"


def test_given_names_are_asked_for_one_by_one() -> None:
    lobby = open_lobby("Ada", "Bob")
    press(lobby, Button.SEAT3)
    assert lobby.prompt == "Bob: press your button"
    press(lobby, Button.SEAT1, Button.SEAT2)  # nobody is left to be seated
    assert lobby.seated == ("Ada", "Bob")


def test_two_presses_at_once_sit_in_the_order_in_which_they_happened() -> None:
    lobby = open_lobby()
    lobby.receive(ButtonPressed(Button.SEAT2, 0.002))
    lobby.receive(ButtonPressed(Button.SEAT6, 0.001))
    lobby.tick()
    assert lobby.seating == (Button.SEAT6, Button.SEAT2)


def test_the_lobby_ignores_presses_after_the_start() -> None:
    """Found with a real keyboard: Enter and 1 in one frame started a game for one."""
    lobby = open_lobby()
    press(lobby, Button.SEAT1, Button.SEAT2)
    for button in (Button.OK, Button.SEAT1):
        lobby.receive(ButtonPressed(button, CLOCK.now + 1.0))
    lobby.tick()
    assert lobby.exit == Command(CommandName.START)
    assert lobby.seating == (Button.SEAT1, Button.SEAT2)
