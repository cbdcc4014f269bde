"""From offers to buttons: what a press takes, which lamps are lit, what the soft keys say, and buttons' names."""

import pytest

from companion.api import ConsolePress, Input, Move, NumberPress, Offer, Seat, SeatPress, TableAction
from companion.events import Button, LampState
from companion.referee.button_mapping import build_soft_keys, find_button, find_offer, format_button_name
from companion.referee.lamps import map_lamps
from companion.screen_state import SoftKey

SEATING = (Button.SEAT2, Button.SEAT5)
GUESS = Offer(Move("guess"), SeatPress(Seat(1)), "I guess", awaited=True, swatch_colour="gold")
THREE = Offer(Move("three"), NumberPress(3), "3")
STOP = Offer(Move("stop"), ConsolePress.OK, "Stop")
AGREE = Offer(Move("agree"), ConsolePress.HOLD_OK, "Hold: stop", awaited=True)
UNDO = Offer(Move("undo"), ConsolePress.HOLD_NO, "Hold: undo")
THROW = Offer(Move("throw"), TableAction("throw"), "Throw", awaited=True)


@pytest.mark.parametrize(
    ("taken_up_by", "button"),
    [
        (SeatPress(Seat(0)), Button.SEAT2),
        (SeatPress(Seat(1)), Button.SEAT5),
        (NumberPress(1), Button.SEAT1),
        (NumberPress(6), Button.SEAT6),
        (NumberPress(0), None),
        (NumberPress(7), None),
        (ConsolePress.PLUS, Button.PLUS),
        (ConsolePress.HOLD_OK, Button.OK),
        (ConsolePress.HOLD_NO, None),
        (TableAction("throw"), None),
    ],
)
def test_the_button_of_an_input(taken_up_by: Input, button: Button | None) -> None:
    assert find_button(taken_up_by, SEATING) is button


def test_of_several_offers_for_a_button_the_first_one_is_taken() -> None:
    assert find_offer([GUESS, AGREE, STOP], Button.OK, SEATING) is AGREE
    assert find_offer([GUESS, STOP], Button.SEAT1, SEATING) is None


def test_a_lamp_blinks_if_any_of_its_offers_is_awaited() -> None:
    expected = dict.fromkeys(Button, LampState.OFF)
    expected |= {Button.OK: LampState.BLINK, Button.SEAT3: LampState.ON, Button.SEAT5: LampState.BLINK}
    for offers in ([GUESS, THREE, STOP, AGREE, UNDO, THROW], [THROW, AGREE, STOP, UNDO, THREE, GUESS]):
        assert map_lamps(offers, SEATING) == expected


def test_the_soft_keys_are_all_buttons_and_what_is_held_once_more() -> None:
    empty = {button: SoftKey(button, "") for button in Button}
    keys = empty | {
        Button.SEAT3: SoftKey(Button.SEAT3, "3", is_number=True),
        Button.SEAT5: SoftKey(Button.SEAT5, "I guess", True, swatch_colour="gold"),
        Button.OK: SoftKey(Button.OK, "Stop"),
        Button.MINUS: SoftKey(Button.MINUS, "", opens_help=True),
    }
    hold = SoftKey(Button.NO, "Hold: undo", is_hold=True)
    assert build_soft_keys([STOP, GUESS, UNDO, THREE, THROW], SEATING) == (*keys.values(), hold)


@pytest.mark.parametrize(
    ("button", "name"), [(Button.SEAT5, "Bob's button"), (Button.SEAT1, "Button 1"), (Button.MINUS, "MINUS")]
)
def test_a_button_is_named_after_its_player(button: Button, name: str) -> None:
    assert format_button_name(button, SEATING, ("Ada", "Bob")) == name
