"""Worked examples of the rules (`docs/rules/secret_number.md`), by presses."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.api import Outcome, Seat
from companion.games.secret_number import GAME, SecretNumber
from companion.games.secret_number.samples import new_game, start_round, turn_cards
from companion.games.secret_number.state import Phase
from tests.games.secret_number.positions import answer_bonuses, check_refused, play_moves

# Players, the secret, the cards of each round with their values, display bonuses, points.
VECTORS = {
    "T1: right in rounds 1 and 2": (3, 2, ("A1 B2 A2", "C2"), "A1 B2 C3", (3, 7, 5)),
    "T2: nobody right": (3, 2, ("A0 B1", "B3 A1"), "A1 B2 C3", (-2, -2, 0)),
    "T3: last of one round and first of the next": (3, 2, ("A0 B1", "B2", "A2 C1 A3"), "A3 B1 C2", (2, 4, -1)),
    "T5: the best possible result": (2, 1, ("A1",), "A3 B1", (8, 0)),
    "T6: two players": (2, 2, ("A0 B2 A1 B0 A2",), "A1 B1", (2, 5)),
}


def scored(name: str) -> SecretNumber:
    players, secret, rounds, bonuses, _ = VECTORS[name]
    return answer_bonuses(turn_cards(new_game(players), secret, *rounds), bonuses)


@pytest.mark.parametrize("name", VECTORS)
def test_points(name: str) -> None:
    game = scored(name)
    assert (game.phase, game.totals) == (Phase.RESULT, VECTORS[name][-1])


def test_t1_and_t2_where_the_points_come_from() -> None:
    tallies = scored("T1: right in rounds 1 and 2").tallies
    assert [(t.card_points, t.fastest_points, t.round_points, t.display_points, t.total) for t in tallies] == [
        (0, 0, 2, 1, 3),
        (1, 2, 2, 2, 7),
        (1, 0, 1, 3, 5),
    ]
    game = scored("T2: nobody right")
    assert game.fastest_seat is None
    assert all(tally.fastest_points == 0 for tally in game.tallies)


def test_t4_not_two_in_a_row() -> None:
    game = play_moves(start_round(3), "lay 0")
    check_refused(game, "lay 0", "S21")
    assert 0 not in game.seats_able_to_lay


def test_t7_a_match_ends_in_a_shared_victory() -> None:
    game = play_moves(new_game(2), "dealt")
    game = replace(game, phase=Phase.OVER, game_number=3, earlier_scores=((8, 4), (3, 4), (-2, 1)))
    assert game.totals == (9, 9)
    reason = "All 3 games are scored; 9 points are the most, the victory is shared."
    assert game.compute_outcome() == Outcome((Seat(0), Seat(1)), reason)


def test_t8_cards_for_two_players_and_a_deal_that_is_repeated() -> None:
    game = new_game(2)
    assert game.card_values == (0, 1, 2)
    again = play_moves(game, "again")
    assert again.phase is Phase.DEAL
    assert again.deal_count == 2
    assert play_moves(again, "dealt").phase is Phase.PREPARE
    assert GAME.list_setup_steps(GAME.settings_model(), 2)[0] == "Number cards 0 to 2, two of each"
