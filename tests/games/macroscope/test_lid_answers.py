"""What the camera sees of the lid is compared with the game: a difference is asked about, nothing is lost."""

import pytest

from companion.api import LATE_PRESS_SECONDS, Correction, Move, Seat
from companion.events import (
    Button,
    LidCovered,
    LidRead,
    TokenPlaced,
    TokenTaken,
)
from companion.games.macroscope.state import Phase

B = Button


def lid(table, covered, numbers):
    table.send(LidRead(covered, numbers, table.clock.now))


@pytest.mark.parametrize("others", [0, 1])
def test_a_token_that_comes_back_with_others_is_not_asked_about(macroscope, others):
    """Covering the lid and putting the only token back look the same: that is asked about."""
    table = macroscope()
    for _other in range(others):
        table.take_token(5, window=4)
        table.press(B.OK, B.OK)
        table.roll(2, 3)
        table.take_token(2)
    at = table.clock.now
    table.send(LidCovered(at), TokenPlaced(0, 2, 0.99, at), TokenPlaced(4, 5, 0.99, at))
    assert (table.state.question is None) == bool(others)


def test_a_lid_that_is_opened_again_is_not_covered(macroscope):
    table = macroscope()
    table.cover()
    table.wait(1.0)
    table.take_token(5)
    table.press(B.SEAT1)
    assert (table.game.phase, table.game.frozen_value) == (Phase.ASKING, 10)


def test_a_lid_that_is_covered_before_the_next_throw_is_said(macroscope):
    table = macroscope()
    table.press(B.OK, B.OK)
    table.wait(LATE_PRESS_SECONDS + 0.1)
    table.cover()
    assert (table.game.phase, table.state.notice) == (Phase.ROLL, "All windows are covered, but nobody has guessed")


def test_a_lid_without_open_windows_says_nothing(macroscope):
    table = macroscope()
    table.hold(B.NO)
    notice = table.state.notice
    table.cover()
    assert table.state.notice == notice


def test_a_missed_token_is_asked_about_before_a_guess_counts(macroscope):
    table = macroscope()
    lid(table, 10, (2, 1, 2, 2, 1, 2))
    table.press(B.SEAT1)
    assert table.state.question.title == "Are 10 windows covered?"
    assert table.game.frozen_value is None
    table.press(B.OK)
    assert (table.game.frozen_value, table.game.tokens) == (10, (2, 1, 2, 2, 1, 2))


def test_a_token_blank_side_up_keeps_nobody_from_putting_the_number_of_windows_right(macroscope):
    """After a guess no token is taken any more: which of them lies blank side up does not matter."""
    table = macroscope()
    lid(table, 10, (2, 1, 2, 2, 1, 1))
    table.press(B.SEAT1)
    assert table.state.question.title == "Are 10 windows covered?"
    table.press(B.OK)
    assert table.game.frozen_value == 10


def test_a_token_blank_side_up_and_a_missed_one_are_told_apart_by_a_press(macroscope):
    table = macroscope()
    lid(table, 10, (2, 1, 2, 2, 1, 1))
    table.press(B.OK)
    keys = {key.button: key.label for key in table.state.soft_keys}
    assert {keys[B.SEAT5], keys[B.SEAT6]} == {"5 is off", "6 is off"}
    table.press(B.SEAT6)
    assert (table.game.phase, table.game.tokens) == (Phase.ASKING, (2, 1, 2, 2, 2, 1))


def test_more_than_one_token_off_is_offered_on_no_key(macroscope):
    """Two keys said "1 is off", and one "2 is off" where a 2 has come back."""
    table = macroscope()
    lid(table, 10, (1, 2, 2, 2, 1, 1))
    table.press(B.OK)
    assert table.state.question.title == "Are 10 windows covered?"
    assert [key.label for key in table.state.soft_keys if key.label.endswith("is off")] == []


def test_many_tokens_blank_side_up_leave_no_answer_but_the_own_count(macroscope):
    table = macroscope()
    lid(table, 9, (0, 0, 0, 0, 0, 0))
    table.press(B.OK)
    assert table.offer(B.OK) is None
    table.press(B.MINUS)
    assert (table.game.phase, table.game.covered_windows) == (Phase.ASKING, 11)


def test_people_know_better_than_the_camera(macroscope):
    table = macroscope()
    lid(table, 10, (2, 1, 2, 2, 1, 2))
    table.press(B.SEAT1, B.MINUS)
    assert table.game.frozen_value == 11


def test_the_question_is_answered_when_the_lid_is_as_the_game_has_it(macroscope):
    table = macroscope()
    lid(table, 10, (2, 1, 2, 2, 1, 2))
    table.press(B.SEAT1)
    lid(table, 9, (2, 1, 2, 1, 1, 2))
    assert table.state.question.title == "Are 9 windows covered?"
    lid(table, 11, (2, 1, 2, 2, 2, 2))
    assert table.state.question is None
    assert table.game.frozen_value == 11


def test_a_lid_that_agrees_asks_nothing(macroscope):
    table = macroscope()
    lid(table, 11, (2, 1, 2, 2, 2, 2))
    table.press(B.SEAT1)
    assert table.game.frozen_value == 11


def test_a_throw_that_ends_the_turn_asks_about_the_lid_first(macroscope):
    table = macroscope()
    lid(table, 10, (2, 1, 2, 2, 1, 2))
    table.roll(3, 4)
    assert table.game.active_seat == 0
    table.press(B.OK)
    assert (table.game.active_seat, table.game.dice, sum(table.game.tokens)) == (1, (3, 4), 10)


@pytest.mark.parametrize("kind", ["guess", "stop", "stop for all"])
def test_the_lid_is_asked_about_before_each_move_that_counts_windows(macroscope, kind):
    table = macroscope()
    lid(table, 10, (2, 1, 2, 2, 1, 2))
    assert table.referee.readings.check_against_camera(Move(kind, Seat(0)), ()) is not None


@pytest.mark.parametrize("end", [B.SEAT1, B.OK])
def test_a_token_seen_just_after_the_press_may_have_been_taken_before_it(macroscope, end):
    table = macroscope()
    table.press(end)
    table.send(TokenTaken(3, 5, 0.99, table.clock.now))
    assert table.state.question.title == "Was the 5 taken before that?"
    table.press(B.OK)
    assert table.game.covered_windows == 10
    assert (table.game.frozen_value, table.game.crystals[0]) == ((10, 2) if end is B.SEAT1 else (None, 4))


def test_a_token_taken_long_after_a_guess_is_put_back(macroscope):
    table = macroscope()
    table.press(B.SEAT1)
    table.wait(10)
    table.take_token(5)
    assert (table.state.question, table.state.notice) == (None, "That was a 5: please put it back")
    assert not isinstance(table.played(), Correction)
