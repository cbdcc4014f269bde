"""A turn of Macroscope: by camera and buttons, and by buttons alone."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.api import Move
from companion.events import Button, LampState
from companion.games.macroscope.state import Phase
from companion.screen_state import ScreenKind
from companion.testing.table import A, TableUnderTest

Tables = Callable[..., TableUnderTest]


def test_the_roll_by_hand_takes_two_presses_without_a_camera(table: Tables) -> None:
    t = table(camera=False)
    t.press(Button.SEAT2)
    assert t.state.entered_numbers == (2,)
    t.press(Button.SEAT6)
    assert t.played() == Move("roll", A, (2, 6))


def test_the_token_by_hand_takes_one_press_without_a_camera(table: Tables) -> None:
    t = table(camera=False)
    t.press(Button.SEAT2, Button.SEAT6, Button.SEAT6)
    assert t.played() == Move("remove", A, (6,))


def test_the_second_token_by_hand_takes_two_presses(table: Tables) -> None:
    t = table(camera=False)
    t.press(Button.SEAT2, Button.SEAT6, Button.SEAT6, Button.PLUS, Button.SEAT2)
    assert t.played() == Move("remove", A, (2,))
    assert t.game.opened_windows == 2


def test_the_roll_by_hand_takes_three_presses_with_a_camera(table: Tables) -> None:
    t = table()
    t.press(Button.PLUS, Button.SEAT3, Button.SEAT1)
    assert t.played() == Move("roll", A, (3, 1))


def test_no_erases_a_wrong_digit(table: Tables) -> None:
    t = table(camera=False)
    t.press(Button.SEAT2, Button.NO, Button.SEAT4, Button.SEAT4)
    assert t.played() == Move("roll", A, (4, 4))


def test_a_seat_button_is_no_number_while_the_camera_sees_the_dice(table: Tables) -> None:
    t = table()
    t.press(Button.SEAT2, Button.SEAT3)
    assert t.played() is None


def test_guess_challenge_and_reveal_by_buttons(table: Tables) -> None:
    t = table()
    t.roll(2, 5)
    t.take_token(5)
    t.press(Button.SEAT1)  # Ada guesses, V is frozen at 11
    assert t.game.phase is Phase.ASKING
    t.press(Button.SEAT2, Button.OK, Button.SEAT2)  # Bob wishes, the asking is closed, he says his picture
    t.press(Button.OK)  # nobody else
    assert t.game.phase is Phase.COVER
    t.cover()
    t.press(Button.SEAT2)
    assert (t.game.crystals, t.game.round_number) == ((0, 11, 2), 2)


def test_no_means_that_nobody_was_right(table: Tables) -> None:
    t = table(2)
    t.roll(2, 5)
    t.take_token(5)
    t.press(Button.SEAT1, Button.OK, Button.OK, Button.NO)
    assert t.played() == Move("nobody")


def test_a_press_is_acknowledged_before_its_effect(table: Tables) -> None:
    from companion.events import ButtonPressed

    t = table()
    t.referee.receive(ButtonPressed(Button.SEAT3, t.clock.now))
    assert Button.SEAT3 in t.state.pressed_buttons
    t.wait(1.0)
    assert Button.SEAT3 not in t.state.pressed_buttons


def test_lamps_follow_the_offers(table: Tables) -> None:
    t = table()
    t.roll(2, 5)
    t.take_token(5)
    lamps = t.referee.map_lamps()
    assert lamps[Button.SEAT1] is LampState.BLINK
    assert lamps[Button.OK] is LampState.ON
    assert lamps[Button.SEAT2] is LampState.OFF


# Undo and redo -------------------------------------------------------------------------------------------------


def test_holding_no_undoes_and_describes_the_move(table: Tables) -> None:
    t = table()
    t.roll(2, 5)
    t.hold(Button.NO)
    assert t.played() is None
    assert t.state.notice == "Undone: Ada rolls 2 and 5"


def test_releasing_a_held_no_plays_nothing(table: Tables) -> None:
    t = table()
    t.roll(2, 5)
    t.take_token(5)
    t.hold(Button.NO)  # a short press would ask the others
    assert t.played() == Move("roll", A, (2, 5))


def test_a_long_hold_undoes_one_move_only(table: Tables) -> None:
    t = table()
    t.roll(2, 5)
    t.take_token(5)
    t.hold(Button.NO, seconds=5.0)
    assert t.played() == Move("roll", A, (2, 5))


def test_undo_across_the_end_of_the_game_and_after_a_restart(table: Tables) -> None:
    t = table(2, rounds=1)
    t.roll(2, 5)
    t.take_token(5)
    t.press(Button.SEAT1, Button.OK, Button.OK, Button.SEAT1)
    assert t.state.kind is ScreenKind.RESULT
    t.restart()
    assert t.state.kind is ScreenKind.RESULT
    t.hold(Button.NO)
    assert t.game.phase is Phase.REVEAL


# Questions -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("values", [(4,), (1, 2, 3)])
def test_one_die_or_three_is_asked_and_a_new_roll_answers(table: Tables, values: tuple[int, ...]) -> None:
    t = table()
    t.roll(*values)
    assert t.state.question is not None
    t.roll(3, 3)
    assert t.played() == Move("roll", A, (3, 3))
    assert t.state.question is None


def test_a_die_on_the_floor_can_be_entered_by_hand(table: Tables) -> None:
    t = table()
    t.roll(4)
    t.press(Button.PLUS, Button.SEAT4, Button.SEAT1)
    assert t.played() == Move("roll", A, (4, 1))


def test_a_token_that_the_dice_do_not_allow_may_be_put_back(table: Tables) -> None:
    """Macroscope M11, and the table is right."""
    t = table()
    t.roll(2, 5)
    t.take_token(3, window=7)
    question = t.state.question
    assert question is not None
    assert question.title == "That was a 3"
    assert question.warning
    t.put_token(3, window=7)
    assert t.state.question is None
    assert t.played() == Move("roll", A, (2, 5))


# Wrong presses --------------------------------------------------------------------------------------------------


def test_a_useless_press_is_explained(table: Tables) -> None:
    t = table(start_crystals=0)
    t.press(Button.MINUS, Button.MINUS, Button.SEAT2, *[Button.PLUS] * 2, Button.OK)  # Bob can pay, Cleo cannot
    t.roll(2, 5)
    t.take_token(5)
    t.press(Button.SEAT1, Button.SEAT3)
    assert t.state.notice == "A challenge costs 2 crystals, Cleo has 0"
