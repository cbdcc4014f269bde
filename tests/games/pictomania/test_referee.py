"""Pictomania by buttons alone, through the real referee and journal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.api import Correction
from companion.events import SEAT_BUTTONS, Button, LampState
from companion.games.pictomania import GAME
from companion.games.pictomania.state import Phase
from companion.testing.table import A, B, C, TableUnderTest

Tables = Callable[..., TableUnderTest]
OK, NO, PLUS, MINUS = Button.OK, Button.NO, Button.PLUS, Button.MINUS
ONE, TWO, THREE, FOUR = SEAT_BUTTONS[:4]


@pytest.fixture
def picto(table: Tables) -> Tables:
    def make(players: int = 3, **settings: Any) -> TableUnderTest:
        return table(players, definition=GAME, **settings)

    return make


def to_drawing(t: TableUnderTest) -> TableUnderTest:
    """Deal, start signal, and three seconds."""
    t.press(OK, OK)
    t.wait(3.1)
    assert t.game.phase is Phase.DRAWING
    return t


# A round ---------------------------------------------------------------------------------------------------------


def test_T2_by_buttons(picto: Tables) -> None:  # noqa: N802
    """The second vector of the rules file, 17 presses from the deal to the page."""
    t = to_drawing(picto())
    t.press(THREE, ONE)  # Cleo takes 2 stars, Ada 1; that was the last token
    assert (t.game.phase, t.state.prompt) == (Phase.STOP, "Pens down, Bob! The last token is taken")
    t.press(OK)
    t.press(TWO, THREE, OK)  # Ada's pile
    t.press(THREE, THREE, ONE, OK)  # Bob's: Cleo's card was wrong
    t.press(ONE, TWO, OK)
    assert t.state.scores == (5, 2, -1)
    assert t.state.prompt == "Cleo: you are the black sheep"
    assert t.state.last_move == "Round 1 is scored: Ada 5, Bob 2, Cleo −1"
    t.press(OK)
    assert (t.game.phase, t.game.round_number) == (Phase.DIFFICULTY, 2)


def test_plus_cycles_through_the_difficulties(picto: Tables) -> None:
    t = picto()
    t.press(PLUS, PLUS)
    assert t.game.colour == "blue"
    t.press(OK)
    assert t.state.last_move == "Round 1: blue cards are dealt"


def test_the_start_signal_counts_three_seconds_and_can_be_cut_short(picto: Tables) -> None:
    t = picto()
    t.press(OK, OK)
    assert t.state.clocks[0].seconds_total == 3.0
    t.press(ONE)
    assert t.state.notice == "Bonus tokens are taken while everybody draws"
    t.press(PLUS)
    assert t.game.phase is Phase.DRAWING


def test_the_first_press_takes_the_best_token_and_its_lamp_goes_out(picto: Tables) -> None:
    """P24, A8: the box gives the order in which the presses happened, not in which they arrived."""
    from companion.events import ButtonPressed

    t = to_drawing(picto(4))
    now = t.clock.now
    t.send(ButtonPressed(THREE, now + 0.002), ButtonPressed(TWO, now + 0.001))
    assert t.game.bonus_stars == (0, 2, 1, 0)
    lamps = t.referee.map_lamps()
    assert [lamps[b] for b in (ONE, TWO, THREE, FOUR)] == [
        LampState.BLINK,
        LampState.OFF,
        LampState.OFF,
        LampState.BLINK,
    ]


def test_ok_held_stops_when_all_without_a_token_agree(picto: Tables) -> None:
    """P26, A12."""
    t = to_drawing(picto(4))
    t.press(TWO)
    t.hold(OK)
    assert (t.game.phase, t.game.tokens_left) == (Phase.STOP, (1, 1))
    assert t.state.last_move == "Stop: 2 tokens stay in the middle"


def test_a_stray_ok_costs_nobody_a_token(picto: Tables) -> None:
    """P24: a legal grab stays a grab, also after an OK."""
    t = to_drawing(picto(4))
    t.press(OK)
    assert t.state.notice == "Hold OK to end it for all"
    t.wait(1.0)
    t.press(ONE, THREE, FOUR)
    assert t.game.bonus_stars == (2, 0, 1, 1)
    assert t.game.phase is Phase.STOP


def test_a_wrong_drawing_is_asked_first(picto: Tables) -> None:
    t = to_drawing(picto())
    t.press(ONE, TWO, OK, TWO, PLUS)
    assert t.state.question is not None
    assert t.state.question.title.startswith("Did Ada obviously draw another clue?")
    t.press(NO)
    assert t.game.piles[0]
    t.press(PLUS, OK)
    assert (t.game.piles[0], t.game.drew_wrong_clue) == ((), (True, False, False))
    t.press(PLUS)
    assert t.game.drew_wrong_clue == (False, False, False)


def test_back_to_the_pile_before_with_a_short_no_and_undo_with_a_long_one(picto: Tables) -> None:
    t = to_drawing(picto())
    t.press(ONE, TWO, OK, TWO, OK, ONE)
    t.press(NO)
    assert t.game.pile_owner == A
    t.press(TWO, OK)  # Bob's card was wrong after all
    assert (t.game.pile_owner, t.game.wrong_card_counts) == (B, (0, 1, 0))
    t.hold(NO)
    assert t.game.pile_owner == A
    assert t.state.notice == "Undone: Ada's pile is scored"


# Corrections -----------------------------------------------------------------------------------------------------


def choose(t: TableUnderTest, *lines: str) -> None:
    """Open a line of the menu by its text; the first part may be a list of its own."""
    t.press(MINUS, MINUS)
    for words in lines:
        menu = t.state.menu
        assert menu is not None
        t.press(*[MINUS] * (menu.items.index(words) - menu.selected), OK)


def test_a_bonus_token_that_lies_with_another(picto: Tables) -> None:
    t = to_drawing(picto())
    t.press(ONE, TWO)
    choose(t, "Ada's bonus token")
    t.press(MINUS, MINUS, MINUS, OK)
    choose(t, "Cleo's bonus token")
    t.press(PLUS, PLUS, OK)
    assert t.game.bonus_stars == (0, 1, 2)


def test_a_round_scored_before(picto: Tables) -> None:
    t = to_drawing(picto())
    t.press(ONE, TWO, OK, OK, OK, OK, OK)
    choose(t, "Earlier rounds", "Cleo's round 1")
    t.press(*[PLUS] * 5, OK)
    assert t.played() == Correction.from_stored("round 1", C, (2,))
    assert t.state.scores == (-3, -3, 2)


def test_a_player_who_left_is_not_asked(picto: Tables) -> None:
    t = to_drawing(picto(4))
    choose(t, "Present and away players", "Dan is away")
    t.press(PLUS, OK)
    assert t.game.seats_drawing == (0, 1, 2)
    t.press(OK)
    t.wait(1.0)
    t.press(ONE, TWO, THREE)
    assert t.game.phase is Phase.STOP


def test_at_least_three_players_must_stay(picto: Tables) -> None:
    t = picto()
    choose(t, "Present and away players", "Ada is away")
    t.press(PLUS, OK)
    assert t.state.notice == "3 players are needed: set the game aside instead"


# Power cuts and clocks -------------------------------------------------------------------------------------------


def test_reading_time_gives_the_start_signal(picto: Tables) -> None:
    t = picto(reading_seconds=30)
    t.press(OK)
    t.wait(31)
    assert t.game.phase is Phase.START
    t.wait(3.1)
    assert t.game.phase is Phase.DRAWING


# Whole games -----------------------------------------------------------------------------------------------------
