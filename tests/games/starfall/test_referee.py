"""StarFall with the real referee and journal, by buttons alone."""

from __future__ import annotations

from collections.abc import Callable

from companion.api import Command, CommandName
from companion.events import Button, LampState
from companion.games.starfall import GAME
from companion.games.starfall.rules import format_end_reason
from companion.games.starfall.state import Phase
from companion.screen_state import ScreenKind
from companion.testing.table import TableUnderTest
from tests.games.starfall.positions import view_payment

Tables = Callable[..., TableUnderTest]
S1, S2, S3, S4, S5, S6 = list(Button)[:6]
OK, NO, PLUS, MINUS = Button.OK, Button.NO, Button.PLUS, Button.MINUS
SHORT = {"2": 22}
"""Tiles removed, so that a session of two ends soon: five are in play."""


def at_the_count(table: Tables) -> TableUnderTest:
    """Two players; five tiles were in play, four are taken or gone, the last one lies on the board."""
    t = table(2, definition=GAME, tiles_removed=SHORT)
    t.press(OK, S1)  # Ada adds, Bob takes the 9
    t.press(OK, OK, OK)  # 9, 8, 7
    t.press(S1, OK)  # Bob owns a tile: the 9, and he pays 9 dust for it
    t.press(S1)  # Ada takes the 8
    t.press(OK, S1, OK)  # Bob adds the last one, Ada takes it
    assert t.game.phase is Phase.CHOOSE, t.state.prompt
    return t


def fill(t: TableUnderTest, *counts: int) -> None:
    """A page, by its keys."""
    for wanted in counts:
        while wanted > 0:
            t.press(list(Button)[min(6, wanted) - 1])
            wanted -= min(6, wanted)
        t.press(OK)


# A session ------------------------------------------------------------------------------------------------------


def test_a_whole_game_by_buttons(table: Tables) -> None:
    t = at_the_count(table)
    assert format_end_reason(t.game) == "The pile is empty and one tile is left on the board"
    assert t.game.dust == (32 - 8 - 9, 32 - 9 - 9)
    assert t.state.prompt == "The game is over: press your button to count your tiles"
    t.press(S2)
    fill(t, 4, 4, 4, 0, 2, 2, 0, 0, 0, 0)
    assert t.game.counting_seat == 0, "Ada's page opens by itself"
    fill(t, 9, 0, 0, 3, 5, 1, 1, 1, 1, 1)
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
    assert [t.referee.map_lamps()[b] for b in (S1, S4, OK, S2)] == [
        LampState.BLINK,
        LampState.BLINK,
        LampState.BLINK,
        LampState.OFF,
    ]
    t.press(S4)
    assert t.game.occupied_spaces == (8,)
    t.press(S1)
    assert t.state.last_move == "Cleo takes the tile on 8 for 8 dust"
    assert t.state.scores == (32, 32, 24)


def test_paying_with_a_tile_and_dust(table: Tables) -> None:
    t = table(2, definition=GAME)
    t.press(OK, OK, S1, S1)  # Ada takes the 9, Bob the 8
    t.press(OK, OK)
    t.press(S1)  # Ada wants the 9
    assert t.state.prompt == "Ada: pay 9 for the tile"
    t.press(S3)  # with a tile of three stars
    assert view_payment(t.game).dust == 6
    t.press(OK)
    assert t.game.dust == (32 - 9 - 6, 32 - 8)
    t.press(S1, NO)  # Bob wants the 8, and then not
    assert t.game.phase is Phase.TURN
    assert t.game.active_seat == 1


def test_a_payment_that_is_too_much_is_asked_about(table: Tables) -> None:
    t = table(2, definition=GAME)
    t.press(OK, OK, S1, S1, OK, S4, S1)  # Ada owns the 9 and wants the 8
    assert t.game.phase is Phase.PAY
    t.press(PLUS, S2)  # one dust more than needed
    t.press(OK)
    assert t.state.question is not None
    assert "more than needed" in t.state.question.title
    t.press(NO)
    assert t.game.phase is Phase.PAY
    t.press(OK, OK)
    assert t.game.dust[0] == 32 - 9 - 9


# Undo, redo, restart ---------------------------------------------------------------------------------------------


def test_a_page_survives_a_power_cut_press_by_press(table: Tables) -> None:
    t = at_the_count(table)
    t.press(S1, S6, S3, OK, S2)
    t.restart()
    assert t.game.phase is Phase.PAGE
    assert t.game.symbol_counts[0][:2] == (9, 2)
    assert t.state.prompt == "Ada: how many planets do you have?"
    t.hold(NO)
    assert t.game.symbol_counts[0][:2] == (9, 0)
    t.press(NO)
    assert t.state.prompt == "Ada: how many stars are on your tiles?"
    t.press(NO, PLUS, PLUS)
    assert t.game.symbol_counts[0][0] == 10


# Corrections -----------------------------------------------------------------------------------------------------


def test_a_catalogue_saves_the_counting(table: Tables) -> None:
    catalogue = [{"stars": n % 4, "planets": n % 2, "comets": n // 3} for n in range(6)]
    t = table(2, definition=GAME, tiles_removed={"2": 24}, catalogue=catalogue)
    t.press(PLUS, S1, S1)  # Ada adds and says which, the first one on the keys; Bob takes it
    t.press(PLUS, S1, S1, OK)  # and the next one
    t.press(PLUS, S1)
    assert t.game.phase is Phase.CHOOSE
    t.press(OK)
    assert t.game.phase is Phase.TABLE
    assert t.state.scores == (16, 25)


# Whole games -----------------------------------------------------------------------------------------------------


def test_counts_are_corrected_downwards_as_well(table: Tables) -> None:
    t = at_the_count(table)
    t.press(S1)
    fill(t, 5, 0, 2, *[0] * 7)
    t.correct("Ada's stars", MINUS)
    assert t.game.symbol_counts[0][:3] == (4, 0, 2), "the first count is changed by PLUS and MINUS"
    t.correct("Ada's stars", S3, MINUS, MINUS, check=lambda: t.press(PLUS))
    assert t.game.symbol_counts[0][:3] == (5, 0, 1), "a number's key steps it up, and PLUS and MINUS go on with it"
