"""A question that opens by itself is answered by nobody who was about to press for something else.

Readings that answer a question which is already open: test_open_dialogs.py, test_kept_dice_readings.py.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.api import Correction
from companion.api.registry import find_game
from companion.events import (
    Button,
    ButtonPressed,
    ButtonReleased,
    CameraState,
    CameraStateChanged,
    DiceRead,
    LidRead,
    TokenTaken,
)
from companion.games.macroscope.state import Phase
from companion.referee.refusals import TOO_FAST
from companion.testing.table import TableUnderTest

Tables = Callable[..., TableUnderTest]
OK, MINUS, S1, S2, S5 = Button.OK, Button.MINUS, Button.SEAT1, Button.SEAT2, Button.SEAT5
FIVE_OFF, NONE_NUMBERED = (2, 1, 2, 2, 1, 2), (0,) * 6


def take_last_token(t: TableUnderTest) -> None:
    t.saved_game.correct(Correction("tokens", None, (0, 0, 0, 0, 1, 0)))
    t.send(LidRead(1, NONE_NUMBERED, t.clock.now), TokenTaken(1, 5, 0.99, t.clock.now))


def throw_with_a_token_off(t: TableUnderTest) -> None:
    t.send(LidRead(10, FIVE_OFF, t.clock.now))
    t.roll(3, 4)


def stop_with_a_token_off(t: TableUnderTest) -> None:
    t.send(LidRead(10, FIVE_OFF, t.clock.now))
    t.send(ButtonPressed(OK, t.clock.now))


def take_an_uncertain_token(t: TableUnderTest) -> None:
    t.take_token(5, 1, confidence=0.8)


@pytest.mark.parametrize(
    ("ask", "button"),
    [
        (take_last_token, S1),
        (throw_with_a_token_off, OK),
        (stop_with_a_token_off, MINUS),
        (take_an_uncertain_token, S5),
    ],
)
def test_nobody_answers_a_question_that_opens_as_they_press(
    table: Tables, ask: Callable[[TableUnderTest], None], button: Button
) -> None:
    """A player's own button, not pressed before, named a token that was left, and the guess was lost."""
    t = table(4, definition=find_game("macroscope"))
    t.roll(2, 5)
    t.take_token(2)
    t.wait(10.0)
    ask(t)
    t.wait(0.1)
    t.send(ButtonPressed(button, t.clock.now), ButtonReleased(button, t.clock.now + 0.05))
    assert (t.state.question is not None, t.state.notice) == (True, TOO_FAST)
    t.wait(1.5)
    t.press(button)
    assert t.state.question is None


def test_a_guess_that_waited_for_the_reading_counts_after_its_question(table: Tables) -> None:
    t = table(4, definition=find_game("macroscope"))
    t.roll(2, 5)
    t.send(CameraStateChanged(CameraState.HAND, t.clock.now, lid_known=True))
    t.send(ButtonPressed(S1, t.clock.now), ButtonReleased(S1, t.clock.now + 0.05))
    t.wait(0.2)
    t.take_token(2, 1, confidence=0.8)
    t.press(S2)
    t.send(CameraStateChanged(CameraState.STEADY, t.clock.now, lid_known=True))
    assert t.game.phase is Phase.ASKING


def play_until_time_is_up(table: Tables, players: int, turn_order: str) -> TableUnderTest:
    """Return a score keeper whose clock has ended Ada's turn 0.2 s ago."""
    rules = {"turn_order": turn_order, "clock": "turn", "turn_seconds": 30, "time_up": "next_player"}
    t = table(players, definition=find_game("score_keeper"), **rules)
    t.press(S1)
    t.wait(30.1)
    t.wait(0.2)
    return t


def test_nobody_passes_the_turn_over_that_a_clock_has_begun(table: Tables) -> None:
    """Ada's time was up as she pressed OK, and Bob's turn was over."""
    t = play_until_time_is_up(table, 2, "clockwise")
    t.send(ButtonPressed(OK, t.clock.now))
    assert t.game.active_seat == 1


def test_the_first_press_of_an_auction_that_a_clock_has_begun_counts(table: Tables) -> None:
    """It was refused as made before anybody could read the screen, and the one who pressed second had the turn."""
    t = play_until_time_is_up(table, 3, "auction")
    t.send(ButtonPressed(S2, t.clock.now))
    assert t.game.active_seat == 1


def test_a_clock_closes_no_question_of_the_table(table: Tables) -> None:
    """What Bob had thrown was lost with the question whose it was."""
    yacht = table(2, definition=find_game("yacht"), turn_seconds=60, time_up="next_player")
    yacht.roll(3, 3, 3, 2, 1)
    yacht.send(DiceRead((3, 3, 3), 0.99, yacht.clock.now, lying=(True,) * 3))
    yacht.wait(58.0)
    yacht.roll(1, 2, 3, 4, 6)
    assert yacht.state.question is not None
    yacht.wait(5.0)
    yacht.press(OK)
    assert yacht.game.next_throw == (1, 2, 3, 4, 6)


def test_a_question_that_is_asked_again_can_be_answered(table: Tables) -> None:
    """Each reading of a die under a restless hand held the answers back again."""
    pig = table(2, definition=find_game("pig"))
    pig.roll(5)
    for _reading in range(3):
        pig.roll(4, confidence=0.5)
        pig.wait(0.3)
    pig.send(ButtonPressed(OK, pig.clock.now), ButtonReleased(OK, pig.clock.now))
    assert pig.game.current_points == 9
