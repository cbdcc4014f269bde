"""The lobby: players take their seats by pressing their buttons in clockwise order."""

from __future__ import annotations

from itertools import count

import pytest

from companion.api import Command, CommandName
from companion.events import Button, ButtonPressed, DeviceLost, DeviceRestored, LampState
from companion.games.macroscope import GAME
from companion.lobby import Lobby, ResumePrompt
from companion.lobby.services import LobbyServices
from companion.referee.button_mapping import find_offer
from companion.screen_state import CameraView, ScreenKind

TIMES = count()


def lobby(*names: str) -> Lobby:
    return Lobby(GAME, LobbyServices(lambda: 0.0), names=names)


def press(stage: Lobby | ResumePrompt, *buttons: Button) -> None:
    for button in buttons:
        stage.receive(ButtonPressed(button, next(TIMES)))
        stage.tick()


def test_the_order_of_the_seats_is_that_of_the_presses() -> None:
    lobby_stage = lobby()
    press(lobby_stage, Button.SEAT4, Button.SEAT1, Button.SEAT5)
    assert lobby_stage.seating == (Button.SEAT4, Button.SEAT1, Button.SEAT5)
    assert lobby_stage.seated == ("Diamond", "Circle", "Star")


def test_given_names_are_asked_for_one_by_one() -> None:
    lobby_stage = lobby("Ada", "Bob")
    assert lobby_stage.prompt == "Ada: press your button"
    press(lobby_stage, Button.SEAT3)
    assert lobby_stage.prompt == "Bob: press your button"
    press(lobby_stage, Button.SEAT1)
    assert lobby_stage.seated == ("Ada", "Bob")
    press(lobby_stage, Button.SEAT2)  # nobody is left to be seated
    assert lobby_stage.seated == ("Ada", "Bob")


def test_pressing_again_leaves_the_seat() -> None:
    lobby_stage = lobby()
    press(lobby_stage, Button.SEAT1, Button.SEAT2, Button.SEAT1)
    assert lobby_stage.seating == (Button.SEAT2,)


def test_no_removes_the_last_player() -> None:
    lobby_stage = lobby()
    press(lobby_stage, Button.SEAT1, Button.SEAT2, Button.NO)
    assert lobby_stage.seating == (Button.SEAT1,)


def test_one_player_cannot_start_and_two_can() -> None:
    lobby_stage = lobby()
    press(lobby_stage, Button.SEAT1, Button.OK)
    assert lobby_stage.exit is None
    press(lobby_stage, Button.SEAT2, Button.OK)
    assert lobby_stage.exit == Command(CommandName.START)


def test_named_players_start_only_when_all_are_seated() -> None:
    lobby_stage = lobby("Ada", "Bob", "Cleo")
    press(lobby_stage, Button.SEAT1, Button.SEAT2, Button.OK)
    assert lobby_stage.exit is None


def test_two_presses_at_once_sit_in_the_order_in_which_they_happened() -> None:
    lobby_stage = lobby()
    lobby_stage.receive(ButtonPressed(Button.SEAT2, 0.002))
    lobby_stage.receive(ButtonPressed(Button.SEAT6, 0.001))
    lobby_stage.tick()
    assert lobby_stage.seating == (Button.SEAT6, Button.SEAT2)


def test_lamps_and_keys_say_who_may_press() -> None:
    lobby_stage = lobby("Ada", "Bob")
    assert lobby_stage.map_lamps()[Button.SEAT6] is LampState.BLINK
    press(lobby_stage, Button.SEAT1, Button.SEAT2)
    assert lobby_stage.map_lamps()[Button.SEAT6] is LampState.OFF
    assert lobby_stage.map_lamps()[Button.OK] is LampState.BLINK


def test_the_lobby_reports_missing_devices() -> None:
    lobby_stage = lobby()
    lobby_stage.receive(DeviceLost("camera", 0.0))
    lobby_stage.tick()
    assert "camera" in (lobby_stage.build_screen_state(CameraView()).notice or "")
    lobby_stage.receive(DeviceRestored("camera", 0.0))
    lobby_stage.tick()
    assert lobby_stage.build_screen_state(CameraView()).notice is None


@pytest.mark.parametrize(
    ("button", "answer"), [(Button.OK, CommandName.RESUME), (Button.NO, CommandName.SET_INTERRUPTED_ASIDE)]
)
def test_an_interrupted_game_continues_or_is_set_aside(button: Button, answer: CommandName) -> None:
    stage = ResumePrompt(GAME, GAME.title, (), (), "Ada rolls 3 and 4", lambda: 0.0)
    assert stage.build_screen_state(CameraView()).kind is ScreenKind.RESUME
    press(stage, Button.SEAT1)
    assert stage.exit is None
    press(stage, button)
    assert stage.exit == Command(answer)


def test_all_six_may_sit_down_and_no_seventh_button_is_asked_for() -> None:
    lobby_stage = lobby()
    press(lobby_stage, *list(Button)[:6])
    assert len(lobby_stage.seated) == 6
    assert find_offer(lobby_stage.list_offers(), Button.OK, ()) is not None
    assert lobby_stage.prompt == "The table is full: start with OK"


def test_the_lobby_ignores_presses_after_the_start() -> None:
    """Found with a real keyboard: Enter and 1 in one frame started a game for one."""
    lobby_stage = lobby()
    press(lobby_stage, Button.SEAT1, Button.SEAT2)
    for button in (Button.OK, Button.SEAT1):
        lobby_stage.receive(ButtonPressed(button, 0.0))
    lobby_stage.tick()
    assert lobby_stage.exit == Command(CommandName.START)
    assert lobby_stage.seating == (Button.SEAT1, Button.SEAT2)
