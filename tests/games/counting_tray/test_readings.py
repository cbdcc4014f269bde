"""The counting tray with a camera: throws, dice thrown again in either custom, and what is asked."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.events import Button, DiceRead
from companion.games.counting_tray import GAME
from companion.testing.table import TableUnderTest
from tests.referee.questions import read_question, read_title

Tables = Callable[..., TableUnderTest]
THROW = (1, 1, 2, 3, 4, 4, 5, 6)
"""Four of these count."""


def read(
    table: TableUnderTest, lying: tuple[int, ...] = (), thrown: tuple[int, ...] = (), confidence: float = 0.99
) -> None:
    dice = sorted([(value, True) for value in lying] + [(value, False) for value in thrown])
    values, lay = tuple(value for value, _ in dice), tuple(lay for _, lay in dice)
    table.send(DiceRead(values, confidence, table.clock.now, (), lay))


@pytest.fixture
def tray(table: Tables) -> TableUnderTest:
    made = table(definition=GAME)
    read(made, thrown=THROW)
    assert (made.game.hits, made.game.dice_count) == (4, 8)
    return made


def test_failed_dice_are_thrown_again_beside_the_others(tray: TableUnderTest) -> None:
    read(tray, lying=(4, 4, 5, 6))  # the failed ones are taken out
    read(tray, lying=(4, 4, 5, 6), thrown=(1, 5, 5, 6))
    assert (tray.game.hits, tray.game.dice_count, tray.game.again_counts) == (7, 8, (4,))
    read(tray, lying=(4, 4, 5, 5, 5, 6, 6), thrown=(2,))
    assert (tray.game.hits, tray.game.again_counts) == (7, (4, 1))


def test_hits_are_taken_out_and_the_failed_dice_thrown_again(tray: TableUnderTest) -> None:
    read(tray, lying=(1, 1, 2, 3))
    read(tray, thrown=(3, 4, 4, 4))
    assert (tray.game.hits, tray.game.dice_count) == (7, 8)
    assert tray.state.question is None


@pytest.mark.parametrize(("answer", "hits", "dice"), [(Button.OK, 7, 8), (Button.PLUS, 3, 4)])
def test_as_many_dice_as_failed_may_be_a_new_throw(tray: TableUnderTest, answer: Button, hits: int, dice: int) -> None:
    read(tray)
    read(tray, thrown=(3, 4, 4, 4))
    assert read_title(tray) == "Are these 4 dice re-rolled?"
    tray.press(answer)
    assert (tray.game.hits, tray.game.dice_count) == (hits, dice)


def test_a_new_throw_keeps_the_hits_of_the_one_before(tray: TableUnderTest) -> None:
    read(tray, thrown=(6, 6, 6))
    assert (tray.game.hits, tray.game.totals[0]) == (3, 7)


def test_an_uncertain_throw_is_asked_about_and_entered_by_hand(table: Tables) -> None:
    tray = table(definition=GAME)
    read(tray, thrown=THROW, confidence=0.7)
    assert read_question(tray) == ("Are these 8 dice?", "2 × 1, 1 × 2, 1 × 3, 2 × 4, 1 × 5, 1 × 6")
    tray.press(Button.MINUS)
    assert tray.state.menu is not None
    tray.press(Button.PLUS, *[Button.OK] * 6)  # three ones
    assert tray.game.faces == (3, 1, 1, 2, 1, 1)


def test_what_counts_is_chosen_by_number_keys(tray: TableUnderTest) -> None:
    tray.press(Button.SEAT2)
    assert tray.game.hits == 6
    tray.hold(Button.NO)
    assert tray.game.hits == 4


def test_dice_that_neither_lie_there_nor_fit_are_asked_about(tray: TableUnderTest) -> None:
    read(tray, lying=(1, 1, 2, 3, 4, 4, 5, 6), thrown=(2, 5))
    assert tray.state.question is not None
    assert tray.game.dice_count == 8
