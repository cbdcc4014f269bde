"""Pictomania by buttons alone, through the real referee and journal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.events import SEAT_BUTTONS, Button, ButtonPressed, ButtonReleased
from companion.games.pictomania import GAME
from companion.games.pictomania.state import Phase
from companion.testing.table import A, B, TableUnderTest

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


def test_T2_by_buttons(picto: Tables) -> None:
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


def test_the_start_signal_counts_three_seconds_and_can_be_cut_short(picto: Tables) -> None:
    t = picto()
    t.press(OK, OK)
    assert t.state.clocks[0].seconds_total == 3.0
    t.press(ONE)
    assert t.state.notice == "Bonus tokens are taken while everybody draws"
    t.press(PLUS)
    assert t.game.phase is Phase.DRAWING


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
    assert t.state.notice == "Hold OK for a second"
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


def test_presses_of_ok_in_quick_succession_score_no_round(table: Tables) -> None:
    t = table(4, definition=GAME)
    t.press(OK, OK)
    t.wait(3.2)
    t.press(ONE, TWO, THREE)
    t.press(OK)
    for _press in range(6):
        t.send(ButtonPressed(OK, t.clock.now))
        t.wait(0.1)
        t.send(ButtonReleased(OK, t.clock.now))
        t.wait(0.4)
    assert not t.game.round_scores
    assert t.state.notice == "Hold OK for a second", "an empty pile is rare"
