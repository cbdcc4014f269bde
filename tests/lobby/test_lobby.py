"""The lobby: players take their seats by pressing their buttons in clockwise order."""

from __future__ import annotations

from itertools import count

import pytest

from companion.events import Button, ButtonPressed, DeviceLost, DeviceRestored, LampState
from companion.games.api.offers import Command, CommandName
from companion.games.macroscope import GAME
from companion.lobby import HouseRules, Lobby, ResumePrompt
from companion.referee.button_mapping import find_offer
from companion.screen_state import CameraView, ScreenKind

TIMES = count()


def lobby(*names: str) -> Lobby:
    return Lobby(GAME, HouseRules(), lambda: 0.0, names=names)


def press(stage: Lobby | ResumePrompt, *buttons: Button) -> None:
    for button in buttons:
        stage.receive(ButtonPressed(button, next(TIMES)))
        stage.tick()


def test_the_order_of_the_seats_is_that_of_the_presses() -> None:
    hall = lobby()
    press(hall, Button.SEAT4, Button.SEAT1, Button.SEAT5)
    assert hall.seating == (Button.SEAT4, Button.SEAT1, Button.SEAT5)
    assert hall.seated == ("Diamond", "Circle", "Star")


def test_given_names_are_asked_for_one_by_one() -> None:
    hall = lobby("Ada", "Bob")
    assert hall.prompt == "Ada: press your button"
    press(hall, Button.SEAT3)
    assert hall.prompt == "Bob: press your button"
    press(hall, Button.SEAT1)
    assert hall.seated == ("Ada", "Bob")
    press(hall, Button.SEAT2)  # nobody is left to be seated
    assert hall.seated == ("Ada", "Bob")


def test_pressing_again_leaves_the_seat() -> None:
    hall = lobby()
    press(hall, Button.SEAT1, Button.SEAT2, Button.SEAT1)
    assert hall.seating == (Button.SEAT2,)


def test_no_removes_the_last_player() -> None:
    hall = lobby()
    press(hall, Button.SEAT1, Button.SEAT2, Button.NO)
    assert hall.seating == (Button.SEAT1,)


def test_one_player_cannot_start_and_two_can() -> None:
    hall = lobby()
    press(hall, Button.SEAT1, Button.OK)
    assert hall.exit is None
    press(hall, Button.SEAT2, Button.OK)
    assert hall.exit == Command(CommandName.START)


def test_named_players_start_only_when_all_are_seated() -> None:
    hall = lobby("Ada", "Bob", "Cleo")
    press(hall, Button.SEAT1, Button.SEAT2, Button.OK)
    assert hall.exit is None


def test_two_presses_at_once_sit_in_the_order_in_which_they_happened() -> None:
    hall = lobby()
    hall.receive(ButtonPressed(Button.SEAT2, 0.002))
    hall.receive(ButtonPressed(Button.SEAT6, 0.001))
    hall.tick()
    assert hall.seating == (Button.SEAT6, Button.SEAT2)


def test_lamps_and_keys_say_who_may_press() -> None:
    hall = lobby("Ada", "Bob")
    assert hall.map_lamps()[Button.SEAT6] is LampState.BLINK
    press(hall, Button.SEAT1, Button.SEAT2)
    assert hall.map_lamps()[Button.SEAT6] is LampState.OFF
    assert hall.map_lamps()[Button.OK] is LampState.BLINK


def test_the_lobby_reports_missing_devices() -> None:
    hall = lobby()
    hall.receive(DeviceLost("camera", 0.0))
    hall.tick()
    assert "camera" in (hall.build_screen_state(CameraView()).notice or "")
    hall.receive(DeviceRestored("camera", 0.0))
    hall.tick()
    assert hall.build_screen_state(CameraView()).notice is None


@pytest.mark.parametrize(
    ("button", "answer"), [(Button.OK, CommandName.RESUME), (Button.NO, CommandName.SET_INTERRUPTED_ASIDE)]
)
def test_an_interrupted_game_continues_or_is_set_aside(button: Button, answer: CommandName) -> None:
    stage = ResumePrompt(GAME, ["Ada 4, Bob 2"], lambda: 0.0)
    assert stage.build_screen_state(CameraView()).kind is ScreenKind.RESUME
    press(stage, Button.SEAT1)
    assert stage.exit is None
    press(stage, button)
    assert stage.exit == Command(answer)


def test_all_six_may_sit_down_and_no_seventh_button_is_asked_for() -> None:
    hall = lobby()
    press(hall, *list(Button)[:6])
    assert len(hall.seated) == 6
    assert find_offer(hall.list_offers(), Button.OK, ()) is not None
    assert hall.prompt == "The table is full: start with OK"


def test_the_lobby_ignores_presses_after_the_start() -> None:
    """Found with a real keyboard: Enter and 1 in one frame started a game for one."""
    hall = lobby()
    press(hall, Button.SEAT1, Button.SEAT2)
    for button in (Button.OK, Button.SEAT1):
        hall.receive(ButtonPressed(button, 0.0))
    hall.tick()
    assert hall.exit == Command(CommandName.START)
    assert hall.seating == (Button.SEAT1, Button.SEAT2)
