"""A lot orders tied presses; its message is for them alone, and only if more than one of them does something.

At a table: test_press_timing.py.
"""

from dataclasses import replace
from random import Random

import pytest

from companion.api import ConsolePress, Move, Offer, Seat, SeatPress
from companion.events import Button, ButtonPressed, ButtonReleased, PressTie
from companion.referee.tie_lots import TieMessage, shuffle_ties
from companion.referee.unmeant_presses import PressGuard

SEATING, NAMES = (Button.SEAT1, Button.SEAT2, Button.SEAT3), ("Ada", "Ben", "Cleo")
TIE = PressTie((ButtonPressed(Button.SEAT1, 1.0), ButtonPressed(Button.SEAT2, 1.001)), 0.0025, 1.001)
GUESSES = [Offer(Move("guess", Seat(q)), SeatPress(Seat(q)), "Guess") for q in (0, 1)]


@pytest.fixture
def message() -> TieMessage:
    made = TieMessage()
    made.begin_tie(TIE, SEATING, NAMES)
    return made


def test_both_presses_of_the_tie_say_on_whom_the_lot_fell(message: TieMessage) -> None:
    expected = "Ben's button and Ada's button at the same moment: the lot fell on Ben's button"
    assert message.message_for_press(Button.SEAT2, 1.001, GUESSES, PressGuard()) == expected
    assert message.message_for_press(Button.SEAT1, 1.0, [], PressGuard()) == expected, (
        "its own offer may be gone by then"
    )


def test_a_press_outside_the_tie_ends_it(message: TieMessage) -> None:
    assert message.message_for_press(Button.SEAT1, 2.0, GUESSES, PressGuard()) is None, (
        "the same button at another time"
    )
    assert message.message_for_press(Button.SEAT1, 1.0, GUESSES, PressGuard()) is None


def test_a_single_press_that_does_something_needs_no_lot(message: TieMessage) -> None:
    assert message.message_for_press(Button.SEAT1, 1.0, GUESSES[:1], PressGuard()) is None
    other = Offer(Move("stop"), ConsolePress.OK, "Stop")
    assert message.message_for_press(Button.SEAT2, 1.001, [*GUESSES, other], PressGuard()) is None, (
        "decided at the first press"
    )


@pytest.mark.parametrize("is_late", [False, True])
def test_double_press_takes_no_part_in_a_tie(is_late: bool) -> None:
    """The first press of seat 2 has just done something: the lot cannot fall on the second."""
    guard = PressGuard()
    assert guard.accept_press(Button.SEAT2, 0.9, GUESSES[1])
    message = TieMessage()
    message.begin_tie(replace(TIE, is_late=is_late), SEATING, NAMES)
    assert message.message_for_press(Button.SEAT2, 1.001, GUESSES, guard) is None
    if not is_late:
        assert message.message_for_press(Button.SEAT1, 1.0, GUESSES, guard) is None


@pytest.mark.parametrize("seed", range(4))
def test_only_the_presses_of_a_tie_change_places(seed: int) -> None:
    before, after = ButtonPressed(Button.SEAT3, 0.5), ButtonPressed(Button.SEAT1, 2.0)
    release = ButtonReleased(Button.SEAT3, 1.0005)
    order = shuffle_ties([before, TIE, TIE.presses[0], release, TIE.presses[1], after], Random(seed))
    assert [order[i] for i in (0, 1, 3, 5)] == [before, TIE, release, after]
    assert {order[2], order[4]} == set(TIE.presses)


def test_a_lot_may_fall_on_either_press() -> None:
    firsts = {shuffle_ties([TIE, *TIE.presses], Random(seed))[1] for seed in range(10)}
    assert firsts == set(TIE.presses)
