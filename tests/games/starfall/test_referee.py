"""StarFall with the real referee and journal, by buttons alone."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.api import Command, CommandName
from companion.events import Button, LampState
from companion.games.starfall import GAME
from companion.games.starfall.game import format_end_reason
from companion.games.starfall.state import Phase
from companion.screen_state import ScreenKind
from companion.testing.table import TableUnderTest
from tests.games.starfall.positions import NAMES, view_payment

Tables = Callable[..., TableUnderTest]
S1, S2, S3, S4, S5, S6 = list(Button)[:6]
OK, NO, PLUS, MINUS = Button.OK, Button.NO, Button.PLUS, Button.MINUS
SHORT = {"2": 22}
"""Tiles removed, so that a session of two ends soon: five are in play."""


def at_the_count(table: Tables) -> TableUnderTest:
    """Two players; five tiles were in play, four are taken or gone, the last one lies on the board."""
    t = table(2, definition=GAME, tiles_removed=SHORT)
    t.press(OK, S2, OK)  # Ada adds, Bob takes the 9
    t.press(OK, OK, OK)  # 9, 8, 7
    t.press(S2, S2, S2, OK, OK)  # Bob owns a tile: the 9, and he pays 9 dust for it
    t.press(S1, S1, OK)  # Ada takes the 8
    t.press(OK, S1, S1, OK, OK)  # Bob adds the last one, Ada takes it
    assert t.game.phase is Phase.CHOOSE, t.state.prompt
    return t


def count(t: TableUnderTest, *counts: int) -> int:
    """Enter the open page by its keys; return how many presses it took."""
    presses = []
    for wanted in counts:
        presses += [PLUS] * ((wanted - 1) // 6 if wanted else 0)
        presses.append(list(Button)[(wanted - 1) % 6] if wanted else OK)
    t.press(*presses)
    return len(presses)


# Whose button ----------------------------------------------------------------------------------------------------


CATALOGUE = [{"stars": n % 5, "planets": n % 3, "comets": n // 9} for n in range(27)]
TURNS: dict[str, tuple[tuple[Button, ...], Phase]] = {
    "nothing marked": ((OK, OK), Phase.TURN),
    "a tile marked": ((OK, OK, S3), Phase.TURN),
    "a full board": ((OK, OK, OK, S4, PLUS, S1, PLUS), Phase.TURN),
    "which tile it is": ((OK, PLUS), Phase.NAMING),
    "a payment": ((OK, S2, OK, OK, OK, OK, S2, OK), Phase.PAY),
}
"""By name: the presses that lead there, and the phase."""


@pytest.mark.parametrize("name", TURNS)
def test_r5_the_buttons_of_all_others_change_nothing_and_the_screen_says_whose_turn_it_is(
    table: Tables, name: str
) -> None:
    presses, phase = TURNS[name]
    t = table(4, definition=GAME, catalogue=CATALOGUE if phase is Phase.NAMING else [])
    t.press(*presses)
    assert t.game.phase is phase
    before, active = t.game, t.game.active_seat
    for seat, button in enumerate((S1, S2, S3, S4)):
        if seat != active:
            t.press(button)
            assert t.game is before
            assert t.state.notice == f"It is {NAMES[active]}'s turn, not {NAMES[seat]}'s"
    t.press(S5, S6)
    assert t.game is before, "nobody sits there"
    t.press((S1, S2, S3, S4)[active])
    assert t.game is not before, "the own button does something"


# A session ------------------------------------------------------------------------------------------------------


def test_a_whole_game_by_buttons(table: Tables) -> None:
    t = at_the_count(table)
    assert format_end_reason(t.game) == "The pile is empty and one tile is left on the board"
    assert t.game.dust == (32 - 8 - 9, 32 - 9 - 9)
    assert t.state.prompt == "The game is over: press your button to count your tiles"
    t.press(S2)
    count(t, 4, 4, 4, 0, 2, 2, 1)
    assert t.game.counting_seat == 0, "Ada's page opens by itself"
    count(t, 9, 0, 0, 3, 5, 5, 5)
    assert t.game.phase is Phase.TABLE
    t.press(OK)
    assert t.state.kind is ScreenKind.RESULT
    assert t.state.scores == (95 + 7, 44 + 7)
    assert t.state.prompt == "Ada wins with 102"
    assert t.state.details[-1] == "The count is right; for stars: Ada +10"
    t.press(OK)
    assert t.referee.exit == Command(CommandName.AGAIN)


def test_a_turn_is_one_press_and_lamps_show_what_waits(table: Tables) -> None:
    t = table(3, definition=GAME)
    t.press(OK)
    assert t.game.occupied_spaces == (9,)
    assert [t.referee.map_lamps()[b] for b in (S2, OK, S1, S3)] == [
        LampState.BLINK,
        LampState.BLINK,
        LampState.OFF,
        LampState.OFF,
    ]
    t.press(S2, PLUS)
    assert t.game.occupied_spaces == (8,)
    t.press(S3, OK)
    assert t.state.last_move == "Cleo takes the tile on 8 for 8 dust"
    assert t.state.scores == (32, 32, 24)


def test_paying_with_a_tile_and_dust(table: Tables) -> None:
    t = table(2, definition=GAME)
    t.press(OK, OK, S1, S1, OK, S2, OK)  # Ada takes the 9, Bob the 8
    t.press(OK, OK)
    t.press(S1, S1, OK)  # Ada wants the 9
    assert t.state.prompt == "Ada: pay 9 for the tile"
    t.press(S1, S1, S1)  # with a tile of three stars
    assert view_payment(t.game).dust == 6
    t.press(OK)
    assert t.game.dust == (32 - 9 - 6, 32 - 8)
    t.press(S2, OK, NO)  # Bob wants the 8, and then not
    assert t.game.phase is Phase.TURN
    assert t.game.active_seat == 1


# Undo, redo, restart ---------------------------------------------------------------------------------------------


def test_a_page_survives_a_power_cut_press_by_press(table: Tables) -> None:
    t = at_the_count(table)
    t.press(S1, PLUS, S3, S2)
    t.restart()
    assert t.game.phase is Phase.PAGE
    assert t.game.symbol_counts[0][:2] == (9, 2)
    assert t.state.prompt == "Ada: how many moons do you have?"
    t.hold(NO)
    assert t.game.symbol_counts[0][:2] == (9, 0)
    t.press(NO)
    assert t.state.prompt == "Ada: how many stars are on your tiles?"
    t.press(S1)
    assert t.game.symbol_counts[0][0] == 10


# Corrections -----------------------------------------------------------------------------------------------------


def test_a_catalogue_saves_the_counting(table: Tables) -> None:
    catalogue = [{"stars": 3, "planets": 1}, {"stars": 1, "comets": 2}, {"comets": 1}]
    t = table(2, definition=GAME, tiles_removed={"2": 24}, catalogue=catalogue)
    t.press(PLUS, S1, S2, OK)  # Ada adds and says which, the first one; Bob takes it
    t.press(PLUS, S1, S2, OK, OK)  # and the next one
    t.press(PLUS, S1)
    assert t.game.phase is Phase.CHOOSE
    t.press(OK)
    assert t.game.phase is Phase.TABLE
    assert t.state.scores == (16, 30)


# Whole games -----------------------------------------------------------------------------------------------------


def test_counts_are_corrected_downwards_as_well(table: Tables) -> None:
    t = at_the_count(table)
    t.press(S1)
    count(t, 5, 0, 2, 0, 0, 0)
    t.correct("Ada's stars", MINUS)
    assert t.game.symbol_counts[0][:3] == (4, 0, 2), "the first count is changed by PLUS and MINUS"
    t.correct("Ada's stars", S3, MINUS, MINUS, check=lambda: t.press(PLUS))
    assert t.game.symbol_counts[0][:3] == (5, 0, 1), "a number's key steps it up, and PLUS and MINUS go on with it"
