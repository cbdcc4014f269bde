"""Presses that nobody can have meant do nothing. All games: test_double_press; answers: test_unmeant_answers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.api import MIN_SHOWN_SECONDS, ConsolePress, Move, Offer
from companion.events import Button
from companion.referee.unmeant_presses import PressGuard

OK, NO = Button.OK, Button.NO


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
    guard = PressGuard()
    assert guard.accept_press(OK, 0.25, first), "nothing was pressed before"
    assert guard.accept_press(OK, 0.375, second) is not is_guarded


def test_a_press_counts_again_after_the_time_in_which_an_offer_can_be_read() -> None:
    guard = PressGuard()
    assert guard.accept_press(OK, 0.0, PLAY)
    assert not guard.accept_press(OK, 0.39, PLAY)
    assert not guard.accept_press(OK, -0.25, PLAY), "stamped before the press that counted: noticed late"
    assert guard.accept_press(NO, 0.1, PLAY), "another button"
    assert guard.accept_press(OK, 0.4, PLAY)
    assert not guard.accept_press(OK, 0.75, PLAY)


SHOWN = Offer(Move("next"), ConsolePress.OK, "Next", shown_seconds=MIN_SHOWN_SECONDS)


def test_what_is_to_be_read_is_not_passed_by_pressing_on() -> None:
    guard = PressGuard()
    assert guard.accept_press(OK, 0.0, PLAY)
    assert not any(guard.accept_press(OK, 0.5 * n, SHOWN) for n in range(1, 21))
    assert guard.accept_press(NO, 10.5, SHOWN), "another button"
    assert guard.accept_press(OK, 11.5, SHOWN), "after a pause"
    assert guard.accept_press(OK, 13.0, SHOWN), "who waits each time is never held up"
    assert guard.accept_press(OK, 13.5, PLAY)


def test_who_presses_once_too_soon_need_not_wait_for_longer_than_it_takes_to_read() -> None:
    guard, long = PressGuard(), replace(SHOWN, shown_seconds=3.0)
    assert guard.accept_press(OK, 0.0, PLAY)
    assert not guard.accept_press(OK, 2.0, long)
    assert guard.accept_press(OK, 3.5, long)
