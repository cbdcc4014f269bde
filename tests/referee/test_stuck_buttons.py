"""Stuck buttons, to the instant: which are muted, named and count again. At the table: test_press_timing."""

import pytest

from companion.events import Button
from companion.referee.stuck_buttons import StuckButtonFilter

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
