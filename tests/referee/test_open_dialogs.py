"""Dialogs that stand open: a certain reading answers the same question, and no sentence above contradicts them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.api import Move
from companion.events import Button
from companion.games.macroscope.state import Phase
from companion.testing.table import A, B, TableUnderTest
from tests.referee.questions import read_title
from tests.referee.race import KIT

Tables = Callable[..., TableUnderTest]
OK, NO, PLUS, MINUS = Button.OK, Button.NO, Button.PLUS, Button.MINUS
S1, S2, S3 = Button.SEAT1, Button.SEAT2, Button.SEAT3


def asked_for_second_token(table: Tables) -> TableUnderTest:
    t = table()
    t.roll(2, 6)
    t.take_token(6)
    t.press(PLUS)
    assert read_title(t) == "Which token was taken?"
    return t


def test_the_second_token_taken_answers_which_it_was(table: Tables) -> None:
    t = asked_for_second_token(table)
    t.take_token(2, window=4)
    assert (t.state.question, t.played()) == (None, Move("remove", A, (2,)))


def test_an_uncertain_token_is_asked_about_in_its_place(table: Tables) -> None:
    t = asked_for_second_token(table)
    t.take_token(2, window=4, confidence=0.5)
    assert t.state.question is not None
    assert t.state.question.detail == "It looked like a 2"
    t.press(S2)
    assert (t.state.question, t.played()) == (None, Move("remove", A, (2,)))


def test_the_first_token_taken_answers_too(table: Tables) -> None:
    t = table()
    t.roll(2, 6)
    t.press(PLUS)
    assert t.state.question is not None
    t.take_token(6)
    assert (t.state.question, t.played()) == (None, Move("remove", A, (6,)))


def test_a_throw_answers_the_input_of_the_roll(table: Tables) -> None:
    t = table()
    t.press(PLUS, S3)
    assert t.state.entered_numbers == (3,)
    t.roll(2, 6)
    assert (t.state.question, t.played()) == (None, Move("roll", A, (2, 6)))


@pytest.mark.parametrize(("values", "confidence"), [((2, 6), 0.5), ((2,), 0.99)])
def test_an_uncertain_throw_does_not(table: Tables, values: tuple[int, ...], confidence: float) -> None:
    t = table()
    t.press(PLUS, S3)
    t.roll(*values, confidence=confidence)
    assert t.state.entered_numbers == (3,)


def test_a_throw_does_not_close_what_asks_for_something_else(table: Tables) -> None:
    t = table()
    t.press(MINUS, MINUS)
    t.roll(2, 6)
    assert t.state.menu is not None
    t.press(NO)
    assert t.played() == Move("roll", A, (2, 6)), "it is read when the menu is closed"


def test_nothing_is_asked_for_above_a_menu_or_a_pause(table: Tables) -> None:
    t = table(3, definition=KIT)
    before = t.state.prompt
    t.press(MINUS)
    assert t.state.prompt == "Choose below"
    t.press(MINUS)
    assert t.state.prompt == "Choose what to correct"
    t.press(NO, OK)
    assert t.state.prompt == before


def test_above_a_question_about_a_reading_stands_what_the_table_waits_for(table: Tables) -> None:
    t = table()
    before = t.state.prompt
    t.roll(2, 6, confidence=0.5)
    assert t.state.question is not None
    assert t.state.prompt == before


# While the others are asked, seat buttons are theirs ------------------------------------------------------------


def asked_between_tokens(table: Tables) -> TableUnderTest:
    t = table(3, ask_seconds=30)
    t.roll(2, 6)
    t.take_token(6)
    t.press(NO)  # ask the others
    assert t.game.phase is Phase.ASKING
    return t


@pytest.mark.parametrize("by_camera", [False, True])
def test_who_wants_to_guess_is_heard_while_a_token_is_entered(table: Tables, by_camera: bool) -> None:
    """M30: the press of seat 2 is no 2."""
    t = asked_between_tokens(table)
    if by_camera:
        t.take_token(2, window=4, confidence=0.5)
    else:
        t.press(PLUS)
    menu = t.state.menu
    assert menu is not None
    assert (menu.title, menu.items) == ("Which token was taken?", ("2",))
    t.press(S2)
    assert t.played() == Move("wish", B)
    assert t.game.opened_windows == 1


def test_the_token_is_chosen_in_the_menu(table: Tables) -> None:
    t = asked_between_tokens(table)
    t.press(PLUS, OK)
    assert t.played() == Move("remove", A, (2,))


def test_the_token_taken_answers_the_menu(table: Tables) -> None:
    t = asked_between_tokens(table)
    t.press(PLUS)
    t.take_token(2, window=4)
    assert (t.state.menu, t.played()) == (None, Move("remove", A, (2,)))


def test_no_large_picture_takes_the_seat_buttons_while_the_clock_of_the_asking_runs(table: Tables) -> None:
    t = table(3, ask_seconds=30)
    t.roll(2, 6)
    t.take_token(6)
    assert t.game.phase is Phase.OPEN
    t.press(OK)
    assert t.game.phase is Phase.ASKING
    assert "Large picture" not in {key.label for key in t.state.soft_keys}
