"""The lobby: who sits where, by pressing one's own button in clockwise order."""

from __future__ import annotations

import pytest

from companion.events import Button, ButtonPressed, DeviceBack, DeviceLost, Lamp
from companion.games.macroscope import KIT
from companion.lobby import House, Lobby, Resume
from companion.lobby.transitions import ToGame
from companion.referee.buttons import press_of
from companion.screen_state import Eyes, Place


def lobby(*names: str) -> Lobby:
    return Lobby(KIT, House(), lambda: 0.0, names=names)


def press(stage: Lobby | Resume, *buttons: Button) -> None:
    for button in buttons:
        stage.take(ButtonPressed(button, 0.0))
        stage.tick()


def test_the_order_of_the_seats_is_that_of_the_presses() -> None:
    hall = lobby()
    press(hall, Button.SEAT4, Button.SEAT1, Button.SEAT5)
    assert hall.seating == (Button.SEAT4, Button.SEAT1, Button.SEAT5)
    assert hall.seated == ("Diamond", "Circle", "Star")


def test_given_names_are_asked_for_one_by_one() -> None:
    hall = lobby("Ada", "Bob")
    assert hall.sentence == "Ada: press your button"
    press(hall, Button.SEAT3)
    assert hall.sentence == "Bob: press your button"
    press(hall, Button.SEAT1)
    assert hall.seated == ("Ada", "Bob")
    press(hall, Button.SEAT2)  # nobody is left to be seated
    assert hall.seated == ("Ada", "Bob")


def test_pressing_again_is_standing_up() -> None:
    hall = lobby()
    press(hall, Button.SEAT1, Button.SEAT2, Button.SEAT1)
    assert hall.seating == (Button.SEAT2,)


def test_no_takes_the_last_one_back() -> None:
    hall = lobby()
    press(hall, Button.SEAT1, Button.SEAT2, Button.NO)
    assert hall.seating == (Button.SEAT1,)


def test_one_player_cannot_start_and_two_can() -> None:
    hall = lobby()
    press(hall, Button.SEAT1, Button.OK)
    assert hall.exit is None
    press(hall, Button.SEAT2, Button.OK)
    assert hall.exit == ToGame()


def test_named_players_start_only_when_all_are_seated() -> None:
    hall = lobby("Ada", "Bob", "Cleo")
    press(hall, Button.SEAT1, Button.SEAT2, Button.OK)
    assert hall.exit is None


def test_two_presses_at_once_sit_in_the_order_in_which_they_happened() -> None:
    hall = lobby()
    hall.take(ButtonPressed(Button.SEAT2, 0.002))
    hall.take(ButtonPressed(Button.SEAT6, 0.001))
    hall.tick()
    assert hall.seating == (Button.SEAT6, Button.SEAT2)


def test_lamps_and_keys_say_who_may_press() -> None:
    hall = lobby("Ada", "Bob")
    assert hall.lamps()[Button.SEAT6] is Lamp.BLINK
    press(hall, Button.SEAT1, Button.SEAT2)
    assert hall.lamps()[Button.SEAT6] is Lamp.OFF
    assert hall.lamps()[Button.OK] is Lamp.BLINK


def test_what_is_missing_is_said_in_the_lobby_too() -> None:
    hall = lobby()
    hall.take(DeviceLost("camera", 0.0))
    hall.tick()
    assert "camera" in (hall.shown(Eyes()).notice or "")
    hall.take(DeviceBack("camera", 0.0))
    hall.tick()
    assert hall.shown(Eyes()).notice is None


@pytest.mark.parametrize(("button", "answer"), [(Button.OK, True), (Button.NO, False)])
def test_an_interrupted_game_goes_on_or_is_put_away(button: Button, answer: bool) -> None:
    stage = Resume(KIT, ["Ada 4, Bob 2"], lambda: 0.0)
    assert stage.shown(Eyes()).place is Place.RESUME
    press(stage, Button.SEAT1)
    assert stage.answer is None
    press(stage, button)
    assert stage.answer is answer


def test_all_six_may_sit_down_and_no_seventh_button_is_asked_for() -> None:
    hall = lobby()
    press(hall, *list(Button)[:6])
    assert len(hall.seated) == 6
    assert press_of(hall.offers(), Button.OK, ()) is not None
    assert hall.sentence == "The table is full: start with OK"


def test_a_press_after_the_start_is_not_the_lobbys() -> None:
    """Found with a real keyboard: Enter and 1 in one frame started a game for one."""
    hall = lobby()
    press(hall, Button.SEAT1, Button.SEAT2)
    for button in (Button.OK, Button.SEAT1):
        hall.take(ButtonPressed(button, 0.0))
    hall.tick()
    assert hall.exit == ToGame()
    assert hall.seating == (Button.SEAT1, Button.SEAT2)
