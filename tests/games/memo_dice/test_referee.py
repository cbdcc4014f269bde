"""Memo Dice by buttons alone, through the real referee and journal."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from companion.api import Move
from companion.events import Button, LampState, MemoColour
from companion.games.memo_dice import GAME
from companion.games.memo_dice.state import Phase
from companion.screen_state import ScreenKind
from companion.testing.table import A, B, C, TableUnderTest

RED, BLUE, BLACK = Button.SEAT6, Button.SEAT1, Button.SEAT3
OK, NO = Button.OK, Button.NO
FOUR_RED = (RED, RED, RED, RED)


@pytest.fixture
def sit(table: Callable[..., TableUnderTest]) -> Callable[..., TableUnderTest]:
    return partial(table, definition=GAME)


Sit = Callable[..., TableUnderTest]


def words(t: TableUnderTest) -> dict[Button, str]:
    return {key.button: key.label for key in t.state.soft_keys if key.label and not key.is_hold}


def test_a_whole_game(sit: Sit) -> None:
    t = sit(3)
    t.press(*FOUR_RED)
    assert (t.game.phase, t.game.active_seat) == (Phase.UNCOVER, A)
    assert words(t) == {OK: "Correct", NO: "Wrong", Button.MINUS: "Pause"}
    t.press(OK, OK, NO, NO)
    assert t.game.round_scores == ((2, 1, 2),)
    assert t.state.prompt == "Cleo: move the pieces, put dice and cups back, then you start"
    assert t.state.scores == (3, 2, 3)
    t.press(OK)
    assert (t.game.round_number, t.game.active_seat) == (2, C)
    t.press(RED, BLUE, BLACK, RED, BLUE, BLACK, RED, BLUE)
    assert words(t)[OK] == "Golden cup"
    t.press(OK)
    for _ in range(9):
        t.press(OK)
        t.wait(0.5)
    assert t.game.round_scores[1] == (0, 10, 0)
    t.press(OK)
    t.press(*FOUR_RED, OK, OK, OK, OK, OK)
    assert t.state.scores == (3, 17, 3)
    t.press(*FOUR_RED, OK, OK, OK, NO)
    assert t.state.kind is ScreenKind.RESULT
    assert t.state.scores == (3, 20, 5)
    assert t.state.prompt == "Bob wins on square 20"
    assert t.state.last_move == "Bob loses the golden cup to Cleo: Bob +3, Cleo +2"
    assert words(t)[OK] == "Play again"


def test_a_colour_without_a_cup_is_the_golden_cup(sit: Sit) -> None:
    t = sit(2)
    t.press(RED, RED, RED)
    assert words(t)[RED] == "Golden cup"
    assert {key.swatch_colour for key in t.state.soft_keys} == {"", "red", "blue", "black"}
    t.press(RED)
    assert t.played() == Move("gold", B)
    assert t.state.last_move == "Bob covers die 4 with the golden cup"


def test_number_keys_do_not_depend_on_the_seats(sit: Sit) -> None:
    t = sit(2)
    assert t.referee.map_lamps()[Button.SEAT3] is LampState.BLINK, "black, though nobody sits there"
    t.press(BLACK)
    assert t.game.cup_row[0].colour is MemoColour.BLACK


def test_any_two_neighbours_change_places_through_the_menu(sit: Sit) -> None:
    """D40: also the first two, and also where there are no others."""
    t = sit(2)
    t.press(RED, BLUE)
    seen: list[str | None] = []
    t.correct("Neighbours", Button.PLUS, check=lambda: seen.append(t.state.menu and t.state.menu.value))
    assert seen == ["None"]
    assert [cup.colour for cup in t.game.cup_row] == [MemoColour.BLUE, MemoColour.RED]
    t.press(BLACK)
    t.correct("Neighbours", Button.PLUS, Button.PLUS)
    assert [cup.colour for cup in t.game.cup_row] == [MemoColour.BLUE, MemoColour.BLACK, MemoColour.RED]
    t.correct("Neighbours")
    assert t.state.last_move == "Corrected: cups 2 and 3 change places", "none: nothing is entered"


def test_a_correction_is_described(sit: Sit) -> None:
    """A player who is here is not "Away: 0"."""
    t = sit(2)
    t.press(RED)
    seen: list[str | None] = []
    for line in ("Colour of cup 1", "Die 1 was knocked over", "Ada is away"):
        t.correct(line, check=lambda: seen.append(t.state.menu and t.state.menu.value))
    assert seen == ["Red", "No", "Here"]


# Whole games by random presses ------------------------------------------------------------------------------------
