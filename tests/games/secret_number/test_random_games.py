"""Random matches of Secret Number and what holds in all of them."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.api import Seat
from companion.games.secret_number import GAME, SecretNumber
from companion.games.secret_number.samples import lay_cards, new_game, start_round
from companion.games.secret_number.state import REVEAL_PHASES, Phase
from tests.games.random_play import play_and_correct
from tests.games.secret_number.positions import NAMES, any_move, play_moves, steps

house_rules = st.fixed_dictionaries(
    {
        "games": st.sampled_from([1, 2, 3]),
        "show_seconds": st.sampled_from([0, 3]),
        "choose_seconds": st.sampled_from([0, 60]),
    }
)
tables = st.tuples(st.integers(2, 5), st.integers(0, 2**32 - 1), house_rules)


@given(tables)
@settings(max_examples=20, deadline=None)
def test_cards_rounds_and_phases(table: tuple[int, int, dict[str, Any]]) -> None:
    players, seed, rules = table
    for before, move, after in steps(players, seed, **rules):
        rights = Counter(seat for (_, seat), mark in zip(after.cards_in_order, after.cards_right, strict=False) if mark)
        assert all(count == 1 for count in rights.values()), "S35"
        assert all(after.count_cards_laid(Seat(q)) <= players + 1 for q in range(players)), "S22"
        assert max(tally.total for tally in after.tallies) <= 8, "S35"
        assert len(after.cards_right) <= len(after.cards_in_order)
        assert (after.game_number, after.round_number) >= (before.game_number, before.round_number)
        if move.kind == "lay":
            assert after.cards_in_order[:-1] == before.cards_in_order
            assert all(one != other for one, other in pairwise(after.current_pile)), "S21"
        if after.phase in (Phase.BONUS, Phase.RESULT):
            assert after.next_card is None
        assert (after.bonus_seat is not None) == (after.phase is Phase.BONUS)


# Corrections -----------------------------------------------------------------------------------------------------


@given(tables)
@settings(max_examples=20, deadline=None)
def test_corrections_keep_cards_players_and_right_cards(table: tuple[int, int, dict[str, Any]]) -> None:
    players, seed, rules = table
    random = Random(seed)
    start = new_game(players, **rules)
    for game in play_and_correct(GAME, NAMES, start, random, any_move, 0.2, 400):
        assert len(game.present_seats) >= 2
        assert len(game.cards_right) <= len(game.cards_in_order)
        assert len(set(game.seats_right)) == len(game.seats_right), "S35"
        assert not any(game.away[q] for q in game.seats_able_to_lay)
        assert game.cards_right == () or game.phase in REVEAL_PHASES
    assert game.compute_outcome() is not None, "no end"


# Secrets ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", range(2, 6))
def test_before_the_reveal_nothing_says_right_or_wrong(players: int) -> None:
    for before, _, _ in steps(players, players, games=2):
        if before.phase in REVEAL_PHASES or before.phase is Phase.OVER:
            continue
        assert all(card.is_right is None and card.points == 0 for card in before.laid_cards)
        assert before.fastest_seat is None
        assert before.cards_right == ()
        assert all(tally.total == 0 for tally in before.tallies)


# Positions reachable ---------------------------------------------------------------------------------------------


def perft(game: SecretNumber, depth: int) -> int:
    """Ways to play `depth` moves."""
    return 1 if depth == 0 else sum(perft(game.play(move), depth - 1) for move in game.list_moves())


PERFT = {
    "deal": (2, 3, 5, 9, 16, 28, 49),
    "round": (4, 10, 23, 53, 123, 286),
    "reveal": (3, 10, 38, 140, 494),
}


@pytest.mark.parametrize("start", PERFT)
def test_perft(start: str) -> None:
    """Regression: found by this program, counted by hand to depth 5, 3 and 2."""
    games = {"deal": new_game(2), "round": start_round(3), "reveal": lay_cards(new_game(2), "AB", "A")}
    counts = PERFT[start]
    assert tuple(perft(games[start], depth) for depth in range(1, len(counts) + 1)) == counts


def test_orders_of_laying_counted_by_hand() -> None:
    """S21: of k cards by 3 players, 3 for the first and 2 for each later one."""

    def orders(game: SecretNumber, cards: int) -> int:
        return sum(orders(play_moves(game, f"lay {q}"), cards - 1) for q in game.seats_able_to_lay) if cards else 1

    assert [orders(start_round(3), k) for k in range(6)] == [1, 3, 6, 12, 24, 48]
