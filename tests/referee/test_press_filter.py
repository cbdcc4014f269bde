"""The filter of presses, to the instant: what is muted, stuck, shown, held, or the second press of a double press."""

from dataclasses import replace

import pytest

from companion.api import MIN_SHOWN_SECONDS, ConsolePress, Move, Offer
from companion.events import Button
from companion.referee.double_press import DoublePressGuard
from companion.referee.held_buttons import PressFeedback
from companion.referee.stuck_buttons import StuckButtonFilter
from companion.testing.table import ManualClock

OK, NO, S1, S2 = Button.OK, Button.NO, Button.SEAT1, Button.SEAT2


def press_evenly(stuck: StuckButtonFilter, button: Button, times: int, seconds: float) -> list[bool]:
    """Press so often that `seconds` lie between the first and the last press; return which presses count."""
    counts = []
    for i in range(times):
        counts.append(stuck.accept_press(button, seconds * i / (times - 1)))
        stuck.note_release(button)
    return counts


@pytest.mark.parametrize(("button", "most", "seconds"), [(S1, 8, 0.5), (OK, 12, 1.5)])
def test_a_press_too_many_within_the_time_does_not_count(button: Button, most: int, seconds: float) -> None:
    assert press_evenly(StuckButtonFilter(), button, most, seconds) == [True] * (most - 1) + [False]
    assert all(press_evenly(StuckButtonFilter(), button, most, seconds + 0.01))
    assert all(press_evenly(StuckButtonFilter(), button, most - 1, 0.1))


def test_a_muted_button_counts_again_when_it_was_left_alone_for_more_than_two_seconds() -> None:
    stuck = StuckButtonFilter()
    assert press_evenly(stuck, S1, 8, 0.4375)[-1] is False
    assert not stuck.accept_press(S1, 2.4375)
    assert not stuck.accept_press(S1, 4.25), "the press before counts for nothing, but is one"
    assert stuck.accept_press(S2, 4.5), "another button"
    assert stuck.accept_press(S1, 6.75)
    assert stuck.accept_press(S1, 6.875)


def test_a_muted_button_is_named_until_it_was_left_alone_for_two_seconds() -> None:
    stuck = StuckButtonFilter()
    press_evenly(stuck, S1, 8, 0.4375)
    assert stuck.list_stuck_buttons(2.4375) == (S1,)
    assert stuck.list_stuck_buttons(2.5) == ()


def test_a_muted_button_that_is_held_down_stays_named() -> None:
    stuck = StuckButtonFilter()
    press_evenly(stuck, S1, 7, 0.375)
    stuck.accept_press(S1, 0.4375)
    assert stuck.list_stuck_buttons(5.0) == (S1,)


def test_a_button_that_nobody_pressed_is_stuck_after_six_seconds_too() -> None:
    stuck = StuckButtonFilter()
    stuck.note_held(S1, 0.0)
    assert stuck.list_stuck_buttons(6.0) == ()
    assert (stuck.list_stuck_buttons(6.1), stuck.was_pressed(S1)) == ((S1,), False)
    stuck.note_release(S1)
    assert (stuck.list_stuck_buttons(6.2), stuck.was_pressed(S1)) == ((), True)
    stuck.note_held(S1, 7.0)
    assert stuck.accept_press(S1, 8.0)
    assert stuck.was_pressed(S1), "a contact that opens when it is pressed"


def test_a_button_is_stuck_after_more_than_six_seconds() -> None:
    stuck = StuckButtonFilter()
    stuck.accept_press(NO, 0.0)
    stuck.accept_press(S2, 1.0)
    assert stuck.list_stuck_buttons(6.0) == ()
    assert stuck.list_stuck_buttons(6.1) == (NO,)
    assert stuck.list_stuck_buttons(7.1) == (S2, NO), "in the order of the buttons"
    stuck.note_release(NO)
    assert stuck.list_stuck_buttons(7.1) == (S2,)


def test_a_press_is_visible_for_a_quarter_of_a_second() -> None:
    clock = ManualClock()
    feedback = PressFeedback(clock)
    feedback.note_press(S1, clock.now)
    clock.now += 0.125
    feedback.note_press(S2, clock.now)
    assert feedback.recent_presses() == {S1, S2}
    clock.now += 0.125
    assert feedback.recent_presses() == {S2}


def test_a_hold_is_taken_once_as_soon_as_a_second_is_over() -> None:
    clock = ManualClock()
    feedback = PressFeedback(clock)
    assert not feedback.take_hold(NO), "it was never pressed"
    feedback.note_press(NO, clock.now)
    clock.now += 0.96875
    assert not feedback.take_hold(NO)
    clock.now += 0.03125
    assert [feedback.take_hold(NO), feedback.take_hold(NO)] == [True, False]
    assert feedback.note_release(NO, clock.now) is None, "the hold was taken"


def test_a_release_tells_how_long_the_button_was_down() -> None:
    clock = ManualClock()
    feedback = PressFeedback(clock)
    feedback.note_press(NO, 2.0)
    assert [feedback.note_release(NO, 2.75), feedback.note_release(NO, 3.0)] == [0.75, None]


STEP = Offer(Move("step"), ConsolePress.OK, "Step", repeats=True)
PLAY = Offer(Move("play"), ConsolePress.OK, "Play")


@pytest.mark.parametrize(
    ("first", "second", "is_guarded"),
    [
        (PLAY, PLAY, True),
        (STEP, PLAY, True),
        (PLAY, STEP, True),
        (STEP, STEP, False),
        (None, STEP, True),
        (PLAY, None, False),
    ],
)
def test_a_double_press_does_one_thing_unless_both_presses_repeat(
    first: Offer | None, second: Offer | None, is_guarded: bool
) -> None:
    guard = DoublePressGuard()
    assert guard.accept_press(OK, 0.25, first), "nothing was pressed before"
    assert guard.accept_press(OK, 0.375, second) is not is_guarded


def test_a_press_counts_again_after_the_time_in_which_an_offer_can_be_read() -> None:
    guard = DoublePressGuard()
    assert guard.accept_press(OK, 0.0, PLAY)
    assert not guard.accept_press(OK, 0.39, PLAY)
    assert not guard.accept_press(OK, -0.25, PLAY), "stamped before the press that counted: noticed late"
    assert guard.accept_press(NO, 0.1, PLAY), "another button"
    assert guard.accept_press(OK, 0.4, PLAY)
    assert not guard.accept_press(OK, 0.75, PLAY)


SHOWN = Offer(Move("next"), ConsolePress.OK, "Next", shown_seconds=MIN_SHOWN_SECONDS)


def test_what_is_to_be_read_is_not_passed_by_pressing_on() -> None:
    guard = DoublePressGuard()
    assert guard.accept_press(OK, 0.0, PLAY)
    assert not any(guard.accept_press(OK, 0.5 * n, SHOWN) for n in range(1, 21))
    assert guard.accept_press(NO, 10.5, SHOWN), "another button"
    assert guard.accept_press(OK, 11.5, SHOWN), "after a pause"
    assert guard.accept_press(OK, 13.0, SHOWN), "who waits each time is never held up"
    assert guard.accept_press(OK, 13.5, PLAY)


def test_who_presses_once_too_soon_need_not_wait_for_longer_than_it_takes_to_read() -> None:
    guard, long = DoublePressGuard(), replace(SHOWN, shown_seconds=3.0)
    assert guard.accept_press(OK, 0.0, PLAY)
    assert not guard.accept_press(OK, 2.0, long)
    assert guard.accept_press(OK, 3.5, long)
