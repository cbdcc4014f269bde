"""Secret Number with the real referee and journal, by buttons alone."""

from __future__ import annotations

from collections.abc import Callable

from companion.events import Button, LampState
from companion.games.secret_number import GAME
from companion.games.secret_number.state import Phase
from companion.screen_state import ScreenKind
from companion.testing.table import TableUnderTest

Tables = Callable[..., TableUnderTest]
S1, S2, S3 = Button.SEAT1, Button.SEAT2, Button.SEAT3
OK, NO, PLUS, MINUS = Button.OK, Button.NO, Button.PLUS, Button.MINUS


def begun(table: Tables, players: int = 3, **settings: object) -> TableUnderTest:
    """The first round is being played."""
    t = table(players, definition=GAME, **settings)
    t.press(OK, OK)  # dealt; all have chosen
    t.wait(3.1)  # 3, 2, 1, show!
    assert t.game.phase is Phase.ROUND
    return t


def end_round(t: TableUnderTest) -> None:
    """The round is ended: all agree."""
    t.hold(OK)


def at_reveal(table: Tables, *presses: Button, players: int = 3, **settings: object) -> TableUnderTest:
    """All cards were laid in round 1; nobody laid more."""
    t = begun(table, players, **settings)
    t.press(*presses)
    end_round(t)
    for _ in range(2):
        t.press(OK)
        t.wait(3.1)
        end_round(t)
    return t


# A round -------------------------------------------------------------------------------------------------------


def test_a_whole_game_by_buttons(table: Tables) -> None:
    """Three games, each of three rounds; the points of the rules file's first example in the first one (T1)."""
    t = table(3, definition=GAME)
    t.press(OK, OK)
    t.wait(3.1)
    t.press(S1, S2, S1)
    end_round(t)
    t.press(OK)
    t.wait(3.1)
    t.press(S3)
    t.wait(180.1)  # nobody agrees: the clock ends it
    assert t.game.round_number == 3
    t.press(OK)
    t.wait(3.1)
    end_round(t)
    assert t.state.prompt == "Ada: turn the secret and your card. All check: are they the same?"
    t.press(NO, OK, OK, OK)
    assert t.state.prompt == "Bob: your bonus, 1, 2 or 3?"
    t.press(S2, S1, S3)
    assert t.state.scores == (3, 7, 5)
    for _game in (2, 3):
        t.press(OK, OK)
        for _round in (1, 2, 3):
            t.press(OK)
            t.wait(3.1)
            t.wait(180.1)
        assert t.game.phase is Phase.RESULT
    t.press(OK)
    assert t.state.kind is ScreenKind.RESULT
    assert t.state.scores == (3, 7, 5)
    assert t.state.prompt == "Bob wins with 7"


def test_the_countdown_is_a_clock_and_can_be_called_off_or_cut_short(table: Tables) -> None:
    t = table(2, definition=GAME)
    t.press(OK, OK)
    assert t.state.clocks[0].seconds_total == 3
    t.press(OK)  # a second press on the same button does nothing
    assert t.game.phase is Phase.SHOW
    t.press(NO)
    assert t.game.phase is Phase.PREPARE
    t.press(OK, PLUS)
    assert t.game.phase is Phase.ROUND


def test_the_lamp_is_dark_until_another_player_has_laid_a_card(table: Tables) -> None:
    """S21."""
    t = begun(table)
    t.press(S2)
    assert [t.referee.map_lamps()[b] for b in (S1, S2, S3)] == [LampState.ON, LampState.OFF, LampState.ON]
    t.press(S2)
    assert t.state.notice == "Bob laid the last card; another player must lay one first"
    assert t.game.current_pile == (1,)
    t.press(S3, S2)
    assert t.game.current_pile == (1, 2, 1)


def test_a_card_stays_a_card_after_a_stray_ok(table: Tables) -> None:
    """S20, S23: no press of a seat button is taken for consent."""
    t = begun(table)
    t.press(S1, OK)
    t.wait(1.0)
    t.press(S3, S2, S1)
    assert t.game.current_pile == (0, 2, 1, 0)
    assert t.game.round_number == 1
    end_round(t)
    assert (t.game.phase, t.game.round_number) == (Phase.PREPARE, 2)


# The reveal ----------------------------------------------------------------------------------------------------


def test_a_bonus_of_3_with_two_players_is_a_free_seats_button(table: Tables) -> None:
    t = at_reveal(table, S1, players=2)
    t.press(OK)
    assert t.referee.map_lamps()[Button.SEAT3] is LampState.BLINK
    t.press(Button.SEAT4)
    assert t.game.bonus_seat == 0
    t.press(Button.SEAT3)
    assert t.state.scores == (8, 0)


def test_a_card_without_a_press_is_inserted_and_each_press_is_undone(table: Tables) -> None:
    """S25, through a restart in the middle of it."""
    t = at_reveal(table, S1, S2)
    t.press(NO, PLUS, S3)
    assert t.game.piles[0] == (0, 2, 1)
    t.restart()
    assert t.game.phase is Phase.FIX
    t.hold(NO)
    assert t.game.piles[0] == (0, 1)
    t.press(MINUS, MINUS, OK)  # redo
    assert t.game.piles[0] == (0, 2, 1)
    t.press(OK, OK)
    assert t.game.fastest_seat == 2


def test_a_round_that_was_undone_twice_goes_on_after_a_power_cut(table: Tables) -> None:
    t = begun(table, round_seconds=180)
    t.wait(100.0)
    for _undo in range(2):
        t.hold(NO)
    t.restart()
    t.press(OK)  # the clocks continue
    t.press(OK)
    t.wait(3.1)
    assert t.game.phase is Phase.ROUND
    (clock,) = t.referee.clocks.list_running()
    assert clock.seconds_left <= 80.0


def test_a_round_that_the_clock_has_ended_has_no_time_left_after_an_undo(table: Tables) -> None:
    t = begun(table, round_seconds=180)
    t.press(S1)
    t.wait(181.0)
    assert t.game.phase is Phase.PREPARE
    t.hold(NO)
    assert (t.game.phase, t.state.clocks[0].seconds_left) == (Phase.ROUND, 0)
    t.wait(60.0)
    t.press(S2)  # the card that was laid in time
    assert (t.game.phase, t.game.current_pile) == (Phase.ROUND, (0, 1)), "it ends by OK held"
    end_round(t)
    assert t.game.round_number == 2


def test_a_press_without_a_card_is_removed(table: Tables) -> None:
    t = at_reveal(table, S1, S2)
    t.press(PLUS, NO, OK)
    assert t.game.cards_in_order == ((1, 1),)
    assert t.game.phase is Phase.REVEAL


def test_a_card_called_wrong_by_mistake_takes_five_presses(table: Tables) -> None:
    t = at_reveal(table, S1, S2)
    t.press(NO)
    t.press(MINUS, MINUS, OK, PLUS, OK)
    assert t.game.cards_right == (True,)
    assert t.state.last_move == "Corrected: card 1 of Ada is right"


# Whole matches -------------------------------------------------------------------------------------------------
