"""The others keep their three seconds to guess where something is asked before the turn ends, or after it (M33).

Where nothing is asked: test_table_answers.py.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.events import Button, CameraState, CameraStateChanged, LidRead
from companion.games.macroscope.state import Phase
from companion.testing.table import TableUnderTest

B = Button
Macroscopes = Callable[..., TableUnderTest]
LATE_NOTICE = "Your own button still counts for 3 seconds"


def read_lid(table: TableUnderTest, covered: int, fives: int) -> None:
    table.send(LidRead(covered, (2, 1, 2, 2, fives, 2), table.clock.now))


@pytest.fixture
def asked(macroscope: Macroscopes) -> TableUnderTest:
    """A table of four: Ada has taken a 2, the lid reads 10 where the game has 11, and Bob has thrown."""
    table = macroscope(players=4)
    read_lid(table, 10, fives=1)
    table.wait(5.0)
    table.roll(3, 4)
    assert table.state.question.title == "Are 10 windows covered?"
    return table


@pytest.mark.parametrize("seconds", [0.0, 10.0])
@pytest.mark.parametrize(("answer", "covered"), [(B.OK, 10), (B.MINUS, 11), (None, 11)], ids=["yes", "no", "lid"])
def test_others_may_still_guess_after_a_question_about_the_lid(
    asked: TableUnderTest, answer: Button | None, covered: int, seconds: float
) -> None:
    asked.wait(seconds)
    if answer is None:
        read_lid(asked, 11, fives=2)
    else:
        asked.press(answer)
    assert (asked.game.active_seat, asked.game.dice, asked.state.notice) == (1, (3, 4), LATE_NOTICE)
    asked.press(B.SEAT3)
    assert (asked.game.phase, asked.game.wishes, asked.game.active_seat) == (Phase.ASKING, (2,), 0)
    assert (asked.game.covered_windows, asked.state.question) == (covered, None), "the answer stands"
    asked.press(B.OK, B.NO)
    assert (asked.game.active_seat, asked.game.dice) == (1, (3, 4)), "the throw is kept"


def test_the_three_seconds_after_a_question_about_the_lid_end(asked: TableUnderTest) -> None:
    assert asked.state.notice is None, "nothing counts while the question is open"
    asked.press(B.MINUS)
    asked.wait(3.0)
    assert asked.state.notice is None
    asked.press(B.SEAT3)
    assert asked.game.active_seat == 1, "too late"


def test_who_goes_back_from_a_question_about_the_lid_leaves_the_others_their_time(asked: TableUnderTest) -> None:
    asked.press(B.NO)
    asked.wait(10.0)
    assert asked.state.question.title == "Are 10 windows covered?", "asked again"
    asked.press(B.MINUS)
    asked.press(B.SEAT3)
    assert (asked.game.phase, asked.game.wishes, asked.game.active_seat) == (Phase.ASKING, (2,), 0)


def test_undo_after_a_question_about_the_lid_leaves_nobody_a_press(asked: TableUnderTest) -> None:
    asked.hold(B.NO)
    assert (asked.game.active_seat, asked.state.notice == LATE_NOTICE) == (0, False)


@pytest.mark.parametrize(("answer", "taken"), [(B.OK, (2, 5)), (B.NO, (2,))], ids=["before", "put back"])
def test_others_may_still_guess_after_a_question_within_their_three_seconds(
    macroscope: Macroscopes, answer: Button, taken: tuple[int, ...]
) -> None:
    """Nobody can press while the question is open, and after the answer "Before" it was too late."""
    table = macroscope(players=4)
    table.wait(5.0)
    table.send(CameraStateChanged(CameraState.HAND, table.clock.now, lid_known=True))
    table.roll(3, 4)
    assert table.state.notice == LATE_NOTICE
    table.wait(0.5)
    table.take_token(5, 1)
    assert table.state.question.title == "Was the 5 taken before that?"
    table.wait(10.0)
    table.press(answer)
    assert (table.game.active_seat, table.state.notice) == (1, LATE_NOTICE)
    table.press(B.SEAT3)
    assert (table.game.active_seat, table.game.wishes, table.game.taken_tokens) == (0, (2,), taken)
