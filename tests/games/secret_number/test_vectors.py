"""Worked examples of the rules (`docs/rules/secret_number.md`), by presses; the points once more by values."""

from __future__ import annotations

from dataclasses import replace

from companion.games.secret_number import GAME, SecretNumber
from companion.games.secret_number.samples import new_game, start_round, turn_cards
from companion.games.secret_number.state import Phase
from tests.games.secret_number.plain_scoring import score_by_values
from tests.games.secret_number.positions import SEAT_LETTERS, answer_bonuses, check_refused, play_moves

VECTORS = {
    "T1": (3, 2, ("A1 B2 A2", "C2"), "A1 B2 C3", (3, 7, 5)),
    "T2": (3, 2, ("A0 B1", "B3 A1"), "A1 B2 C3", (-2, -2, 0)),
    "T3": (3, 2, ("A0 B1", "B2", "A2 C1 A3"), "A3 B1 C2", (2, 4, -1)),
    "T5": (2, 1, ("A1",), "A3 B1", (8, 0)),
    "T6": (2, 2, ("A0 B2 A1 B0 A2",), "A1 B1", (2, 5)),
}


def scored(name: str) -> SecretNumber:
    players, secret, rounds, bonuses, _ = VECTORS[name]
    return answer_bonuses(turn_cards(new_game(players), secret, *rounds), bonuses)


def check(name: str) -> None:
    players, secret, rounds, bonuses, points = VECTORS[name]
    game = scored(name)
    assert game.phase is Phase.RESULT
    assert game.totals == points
    cards = [[(SEAT_LETTERS.index(card[0]), int(card[1])) for card in line.split()] for line in rounds]
    display = [int(word[1]) for word in bonuses.split()]
    assert tuple(score_by_values(secret, cards, display, players)) == points


def test_t1_right_in_rounds_1_and_2() -> None:
    check("T1")
    tallies = scored("T1").tallies
    assert [(t.card_points, t.fastest_points, t.round_points, t.display_points, t.total) for t in tallies] == [
        (0, 0, 2, 1, 3),
        (1, 2, 2, 2, 7),
        (1, 0, 1, 3, 5),
    ]


def test_t2_nobody_right() -> None:
    check("T2")
    game = scored("T2")
    assert game.fastest_seat is None
    assert all(tally.fastest_points == 0 for tally in game.tallies)


def test_t3_last_of_one_round_and_first_of_the_next() -> None:
    check("T3")
    assert scored("T3").totals == (2, 4, -1)


def test_t4_not_two_in_a_row() -> None:
    game = play_moves(start_round(3), "lay 0")
    check_refused(game, "lay 0", "S21")
    assert 0 not in game.seats_able_to_lay


def test_t5_the_best_possible_result() -> None:
    check("T5")


def test_t6_two_players() -> None:
    check("T6")


def test_t7_a_match_ends_in_a_shared_victory() -> None:
    game = play_moves(new_game(2), "dealt")
    game = replace(game, phase=Phase.OVER, game_number=3, earlier_scores=((8, 4), (3, 4), (-2, 1)))
    assert game.totals == (9, 9)
    outcome = game.compute_outcome()
    assert outcome is not None
    assert outcome.winners == (0, 1)
    assert outcome.reason == "All 3 games are scored; 9 points are the most, the victory is shared."


def test_t8_cards_for_two_players_and_a_deal_that_is_repeated() -> None:
    game = new_game(2)
    assert game.card_values == (0, 1, 2)
    again = play_moves(game, "again")
    assert again.phase is Phase.DEAL
    assert again.deal_count == 2
    assert play_moves(again, "dealt").phase is Phase.PREPARE
    assert GAME.list_setup_steps(GAME.settings_model(), 2)[0] == "Number cards 0 to 2, two of each"
