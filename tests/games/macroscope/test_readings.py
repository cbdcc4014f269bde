"""Macroscope with a camera: what is certain is played, the rest is asked, and what comes back is undone on request."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.api import Correction, Move
from companion.events import Button, DiceRead, LidRead, TokenTaken
from companion.games.macroscope.state import Phase
from companion.screen_state import Question
from companion.testing.table import A, TableUnderTest
from tests.referee.questions import read_question

Tables = Callable[..., TableUnderTest]
OK, NO, PLUS, MINUS = Button.OK, Button.NO, Button.PLUS, Button.MINUS


@pytest.mark.parametrize(("confidence", "is_certain"), [(0.7, True), (0.69, False)])
def test_from_a_confidence_of_0_7_on_two_dice_are_played(table: Tables, confidence: float, is_certain: bool) -> None:
    t = table()
    t.roll(2, 5, confidence=confidence)
    assert t.played() == (Move("roll", A, (2, 5)) if is_certain else None)
    assert read_question(t) == (None if is_certain else ("Is it 2 and 5?", "The dice cannot be read for sure"))


@pytest.mark.parametrize(("confidence", "is_certain"), [(0.9, True), (0.89, False)])
def test_from_a_confidence_of_0_9_on_a_token_is_taken(table: Tables, confidence: float, is_certain: bool) -> None:
    t = table()
    t.roll(2, 5)
    t.take_token(5, confidence=confidence)
    assert t.played() == (Move("remove", A, (5,)) if is_certain else Move("roll", A, (2, 5)))
    assert read_question(t) == (None if is_certain else ("Which token was taken?", "It looked like a 5"))


@pytest.mark.parametrize(
    ("values", "confidence", "is_answer"),
    [((2, 6), 0.9, True), ((2, 6), 0.89, False), ((2,), 0.99, False), ((2, 6, 6), 0.99, False)],
)
def test_only_a_certain_throw_of_both_dice_answers_the_input_of_the_roll(
    table: Tables, values: tuple[int, ...], confidence: float, is_answer: bool
) -> None:
    t = table()
    t.press(PLUS, Button.SEAT3)
    t.roll(*values, confidence=confidence)
    assert (t.played() is not None, t.state.entered_numbers) == ((True, ()) if is_answer else (False, (3,)))


def test_dice_that_cannot_be_read_for_sure_may_be_the_next_likeliest_roll(table: Tables) -> None:
    t = table()
    t.roll(2, 5, confidence=0.5, alternatives=[(2,), (3, 5), (2, 6)])
    labels = [(offer.label, offer.awaited) for button in (OK, PLUS, MINUS, NO) if (offer := t.offer(button))]
    assert labels == [("2 and 5", True), ("3 and 5", True), ("By hand", True), ("Roll again", True)]
    t.press(PLUS)
    assert t.played() == Move("roll", A, (3, 5))


@pytest.mark.parametrize(
    ("values", "title"), [((2,), "Only one die is in the tray"), ((2, 3, 4), "3 dice are in the tray"), ((), None)]
)
def test_a_throw_of_another_number_of_dice_is_asked_about(
    table: Tables, values: tuple[int, ...], title: str | None
) -> None:
    t = table()
    t.roll(*values)
    question = t.state.question
    assert (t.played(), question and question.title) == (None, title)


@pytest.mark.parametrize(("clear", "is_played"), [((2, 3), True), ((2, 3, 4), False), ((), False)])
def test_as_many_clear_dice_as_are_thrown_are_the_roll_whatever_else_looks_like_a_die(
    table: Tables, clear: tuple[int, ...], is_played: bool
) -> None:
    t = table()
    t.send(DiceRead((2, 3, 4, 6), 0.4, t.clock.now, clear_values=clear))
    assert (t.played(), read_question(t) is None) == (Move("roll", A, (2, 3)) if is_played else None, is_played)


@pytest.mark.parametrize(
    ("values", "known", "is_played"), [((2, 3), 0.7, True), ((2, 3), 0.69, False), ((2,), 1, False)]
)
def test_where_as_many_dice_lie_as_are_thrown_only_their_values_may_be_in_doubt(
    table: Tables, values: tuple[int, ...], known: float, is_played: bool
) -> None:
    t = table()
    t.send(DiceRead(values, 0.4, t.clock.now, known_confidence=known))
    assert (t.played(), read_question(t) is None) == (Move("roll", A, values) if is_played else None, is_played)


def test_dice_that_moved_are_asked_about_once_the_roll_is_entered(table: Tables) -> None:
    for button, dice in ((OK, (2, 5)), (PLUS, (2, 6))):
        t = table()
        t.roll(2, 5)
        for ignored in ((2, 5), (2,), (2, 5, 5), ()):
            t.roll(*ignored)
            assert read_question(t) is None
        t.roll(2, 6)
        assert read_question(t) == ("Dice moved: 2 and 6?", "2 and 5 was rolled")
        t.press(button)
        assert (t.game.dice, read_question(t)) == (dice, None)


def test_without_dice_in_the_game_those_on_the_table_mean_nothing(table: Tables) -> None:
    t = table(dice="off")
    t.roll(2, 5)
    assert (t.played(), read_question(t)) == (None, None)


def test_a_token_that_the_dice_do_not_allow_may_stand(table: Tables) -> None:
    t = table()
    t.roll(2, 5)
    t.take_token(3)
    warning = Question("That was a 3", "Put it back, or let it stand", warning=True)
    assert t.state.question == warning
    t.press(NO)
    assert t.played() == Move("roll", A, (2, 5))
    t.take_token(3)
    t.press(OK)
    assert t.played() == Correction("let_stand", None, (3,))


def test_a_token_taken_before_the_roll_goes_back(table: Tables) -> None:
    t = table()
    t.take_token(3)
    assert (t.state.notice, read_question(t)) == ("That was a 3: please put it back", None)


@pytest.mark.parametrize(("number", "confidence"), [(None, 0.6), (5, 0.6), (2, 0.85)], ids=str)
def test_the_token_that_the_lid_lacks_was_taken(table: Tables, number: int | None, confidence: float) -> None:
    """All that are left were read with certainty: the one that is missing needs not have been readable."""
    t = table()
    t.roll(2, 5)
    t.send(LidRead(11, (2, 2, 2, 2, 1, 2), t.clock.now), TokenTaken(4, number, confidence, t.clock.now))
    assert (read_question(t), t.played()) == (None, Move("remove", A, (5,)))


@pytest.mark.parametrize(
    ("covered", "numbers"),
    [(11, (2, 2, 2, 2, 2, 0)), (11, (2, 2, 2, 2, 0, 2)), (11, (2, 2, 1, 3, 1, 2)), (10, (2, 1, 2, 2, 1, 2))],
    ids=["another one is missing", "one of them is unread", "two differ", "two are missing"],
)
def test_a_lid_that_leaves_a_doubt_does_not_say_which_token_was_taken(
    table: Tables, covered: int, numbers: tuple[int, ...]
) -> None:
    t = table()
    t.roll(2, 5)
    t.send(LidRead(covered, numbers, t.clock.now), TokenTaken(4, None, 0.6, t.clock.now))
    assert read_question(t) == ("Which token was taken?", "")


def test_a_lid_that_was_read_before_does_not_say_which_token_was_taken(table: Tables) -> None:
    t = table()
    t.roll(2, 5)
    t.send(LidRead(11, (2, 2, 2, 2, 1, 2), t.clock.now))
    t.wait(1.0)
    t.take_token(None, window=4)
    assert read_question(t) == ("Which token was taken?", "")


def test_a_reading_at_another_window_does_not_answer_a_question(table: Tables) -> None:
    t = table()
    t.roll(2, 5)
    t.take_token(None, window=4)
    t.put_token(2, window=5)
    assert read_question(t) == ("Which token was taken?", "")
    t.put_token(2, window=4)
    assert read_question(t) is None


def test_a_token_that_comes_back_may_undo_the_move(table: Tables) -> None:
    t = table()
    t.put_token(5)
    assert read_question(t) is None, "nothing was played"
    t.roll(2, 5)
    t.put_token(5)
    assert read_question(t) is None, "none was taken"
    t.take_token(5)
    t.put_token(2)
    assert read_question(t) is None, "that is another one"
    for number in (5, None):
        t.put_token(number)
        assert read_question(t) == ("The 5 is back on the lid", "Undo the move?")
        t.press(NO)
    t.put_token(5)
    t.press(OK)
    assert t.played() == Move("roll", A, (2, 5))


def test_a_token_that_was_let_stand_may_come_back_too(table: Tables) -> None:
    t = table()
    t.roll(2, 5)
    t.take_token(3)
    t.press(OK)
    t.put_token(3)
    assert read_question(t) == ("The 3 is back on the lid", "Undo the move?")


def test_a_token_put_back_instead_of_an_answer_asks_nothing_else(table: Tables) -> None:
    t = table()
    t.roll(2, 5)
    t.take_token(5)
    t.take_token(None, window=4)
    assert read_question(t) == ("Which token was taken?", "")
    t.put_token(None, window=4)
    assert (read_question(t), t.played()) == (None, Move("remove", A, (5,)))


def test_tokens_change_places_while_the_windows_are_covered(table: Tables) -> None:
    t = table(2)
    t.roll(2, 5)
    t.take_token(5)
    t.press(Button.SEAT1, OK)
    assert t.game.phase is Phase.COVER
    t.wait(3.1)
    before = t.played()
    t.put_token(5)
    t.take_token(3, window=2)
    t.put_token(None, window=2)
    assert (t.played(), read_question(t), t.state.notice) == (before, None, None)
    t.cover()
    assert t.game.phase is Phase.REVEAL


def test_a_lid_covered_before_its_time_means_nothing(table: Tables) -> None:
    t = table()
    t.cover()
    assert (t.played(), read_question(t), t.state.notice) == (None, None, None)
