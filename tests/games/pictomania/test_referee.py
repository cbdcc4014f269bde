"""Pictomania by buttons alone, through the real referee and journal."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from companion.api import Command, ConsolePress, Correction, Move, Offer, Seat
from companion.events import SEAT_BUTTONS, Button, ButtonPressed, ButtonReleased, LampState
from companion.games.pictomania import GAME
from companion.games.pictomania.state import Phase
from companion.journal.entry import EntryKind
from companion.referee.button_mapping import find_button
from companion.screen_state import ScreenKind
from companion.testing.table import A, B, C, TableUnderTest
from tests.games.differential.comparisons import PICTOMANIA
from tests.games.differential.driver import score_moves

Tables = Callable[..., TableUnderTest]
OK, NO, PLUS, MINUS = Button.OK, Button.NO, Button.PLUS, Button.MINUS
ONE, TWO, THREE, FOUR = SEAT_BUTTONS[:4]
NEVER = {"fix", "again", "lobby", "undo", "pause"}
"""Commands of the referee's own that random people leave alone."""


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


def test_wrong_presses_are_explained(picto: Tables) -> None:
    t = to_drawing(picto())
    t.press(TWO, TWO)
    assert t.state.notice == "Bob has taken a bonus token and is finished"
    t.press(ONE, ONE)
    assert t.state.notice == "The last bonus token is taken, the drawing is over"
    t.press(OK, ONE)
    assert t.state.notice == "Ada cannot guess at an own drawing"
    t.wait(1.0)
    before = t.state
    t.press(SEAT_BUTTONS[5])
    t.wait(1.0)
    assert t.state == before, "a seat without a player does nothing"


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


def test_every_press_is_undone_and_redone(picto: Tables) -> None:
    t = to_drawing(picto())
    t.press(ONE, TWO, OK, TWO, TWO)
    stands = [t.game]
    for _ in range(5):
        t.hold(NO)
        stands.append(t.game)
    assert (stands[-1].phase, stands[-1].bonus_stars) == (Phase.DRAWING, (0, 0, 0))
    for later in reversed(stands[:-1]):
        choose(t, "Redo what was undone")
        assert t.game == later


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
    t.press(ONE, TWO, OK)
    for _empty_pile in range(3):
        t.hold(OK)
    t.press(OK)
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


def test_a_power_cut_in_the_middle_of_a_pile(picto: Tables) -> None:
    t = to_drawing(picto())
    t.press(ONE, TWO, OK, TWO, THREE, THREE)
    t.wait(1.0)
    before = t.state
    t.restart()
    assert t.state == before


def test_the_drawing_clock_is_paused_after_a_power_cut(picto: Tables) -> None:
    t = to_drawing(picto(drawing_seconds=60))
    for _ in range(20):
        t.wait(1.0)
    t.restart()
    (clock,) = t.state.clocks
    assert 38 <= clock.seconds_left <= 41
    assert clock.paused
    t.wait(100)
    assert t.game.phase is Phase.DRAWING
    t.press(OK)
    t.wait(30)
    assert t.game.phase is Phase.DRAWING
    t.wait(12)
    assert (t.game.phase, t.game.tokens_left) == (Phase.STOP, (2, 1))


def test_reading_time_gives_the_start_signal(picto: Tables) -> None:
    t = picto(reading_seconds=30)
    t.press(OK)
    t.wait(31)
    assert t.game.phase is Phase.START
    t.wait(3.1)
    assert t.game.phase is Phase.DRAWING


# Whole games -----------------------------------------------------------------------------------------------------


def _weight(t: TableUnderTest, offer: Offer) -> float:
    if offer.input is ConsolePress.HOLD_NO or (isinstance(offer.action, Command) and offer.action.name in NEVER):
        return 0.0
    return GAME.get_bot_weight(t.game, offer)


def whole_game(t: TableUnderTest, seed: int) -> None:
    """Press random offers, now and then other buttons, undo, and pull the plug."""
    random = Random(seed)
    for _ in range(4000):
        if t.state.kind is ScreenKind.RESULT:
            return
        chance = random.random()
        if chance < 0.01:
            t.hold(NO)
        elif chance < 0.015:
            t.restart()
        elif chance < 0.05:
            t.press(random.choice(SEAT_BUTTONS))
        else:
            offers = t.referee.list_offers()
            weights = [_weight(t, offer) for offer in offers]
            if any(weights):
                chosen = random.choices(offers, weights)[0]
                button = find_button(chosen.input, t.saved_game.setup.buttons)
                assert button is not None
                (t.hold if chosen.input is ConsolePress.HOLD_OK else t.press)(button)
        t.wait(0.7)
    pytest.fail("no end after 4000 presses")


def counting(t: TableUnderTest) -> list[Move]:
    """Return the moves of the journal that count, without undone ones."""
    moves: list[Move] = []
    for entry in t.journal.read_entries(t.saved_game.id):
        if entry.what.kind is EntryKind.MOVE and entry.what.played:
            moves.append(entry.what.played.to_move())
        elif entry.what.kind is EntryKind.UNDO:
            moves.pop()
    return moves


def check_whole_game(t: TableUnderTest, seed: int) -> None:
    whole_game(t, seed)
    table = score_moves(
        PICTOMANIA, len(t.saved_game.setup.players), t.saved_game.setup.first, t.game.settings, counting(t)
    )
    assert t.state.scores == tuple(table.totals)
    assert len(table.rounds) == t.game.settings.rounds
    outcome = t.game.compute_outcome()
    assert outcome is not None
    assert set(outcome.winners) == {Seat(q) for q, s in enumerate(table.totals) if s == max(table.totals)}


@pytest.mark.parametrize("players", range(3, 7))
@pytest.mark.parametrize(("seed", "variant"), [(1, "basic"), (2, "only_green"), (3, "one_card")])
def test_whole_games_by_random_presses(picto: Tables, players: int, seed: int, variant: str) -> None:
    timers = {"reading_seconds": 20, "drawing_seconds": 40} if seed == 2 else {}
    check_whole_game(picto(players, variant=variant, **timers), seed)


@pytest.mark.proof
@pytest.mark.parametrize("players", range(3, 7))
@pytest.mark.parametrize("seed", range(1, 51))
def test_fifty_games_for_every_number_of_players(picto: Tables, players: int, seed: int) -> None:
    check_whole_game(picto(players), seed)


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
