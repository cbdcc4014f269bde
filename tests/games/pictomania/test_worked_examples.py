"""Worked examples of the rules (`docs/rules/pictomania.md`)."""

from companion.gallery.fixtures import play_moves
from companion.games.pictomania.samples import play_round, start_scoring
from companion.games.pictomania.state import Phase
from tests.games.pictomania.positions import check_refused, page

A, B, C, D, E, F = range(6)


def test_T1():
    piles = ["B3 C3 D6", "A5 D5 C2", "B1 A4", "A7 C4 B7"]
    game = play_round([3, 5, 1, 7], piles, "BAC")
    assert (game.bonus_stars, game.wrong_card_counts, game.black_sheep) == ((1, 2, 1, 0), (1, 0, 2, 1), C)
    assert page(game) == [(4, 1, 1, 4), (5, 1, 2, 6), (1, 2, -1, -2), (1, 1, 0, 0)]


def test_T2():
    game = play_round([2, 6, 4], ["B2 C2", "C1 A6", "A4 B4"], "CA")
    assert (game.bonus_stars, game.wrong_card_counts, game.black_sheep) == ((1, 0, 2), (0, 0, 1), C)
    assert page(game) == [(4, 0, 1, 5), (3, 1, 0, 2), (1, 0, -2, -1)]


def test_T3_a_tie_for_the_black_sheep_and_no_hit():
    game = play_round([2, 6, 4], ["B2 C5", "C6 A3", ""], "BC")
    assert (game.bonus_stars, game.wrong_card_counts, game.black_sheep) == ((0, 2, 1), (1, 0, 1), None)
    assert page(game) == [(0, 1, 0, -1), (2, 1, 2, 3), (2, 3, 0, -1)]


def test_T4_a_wrong_drawing():
    game = play_round([2, 6, 4], ["B2 C2", "C6 A1", "A4 B3"], "AB", "A")
    assert (game.bonus_stars, game.wrong_card_counts, game.black_sheep) == ((2, 1, 0), (1, 1, 0), None)
    assert page(game) == [(2, 3, 0, -1), (0, 1, 1, 0), (2, 1, 0, 1)]


def test_T5_six_players_guess_everything():
    numbers = [1, 2, 3, 4, 5, 6]
    piles = [" ".join(f"{g}{n}" for g in "ABCDEF" if "ABCDEF".index(g) != o) for o, n in enumerate(numbers)]
    game = play_round(numbers, piles, "ABCDE")
    assert game.bonus_stars == (3, 2, 1, 1, 1, 0)
    assert page(game) == [
        (15, 0, 3, 18),
        (11, 0, 2, 13),
        (7, 0, 1, 8),
        (5, 0, 1, 6),
        (5, 0, 1, 6),
        (5, 0, 0, 5),
    ]


def test_T6_five_players_and_a_black_sheep_without_a_token():
    game = play_round([1, 2, 3, 4, 5], ["B1 C2", "A2 C1", "D3", "E4 C5", ""], "ABED")
    assert (game.bonus_stars, game.wrong_card_counts, game.black_sheep) == ((3, 2, 0, 1, 1), (0, 0, 3, 0, 0), C)
    assert page(game) == [(3, 4, 3, 2), (3, 4, 2, 1), (0, 4, 0, -4), (3, 4, 1, 0), (3, 7, 0, -4)]


def test_T7_no_second_card_on_a_pile_and_no_exchange():
    """P22, A9: a card is right or wrong; only the table knows the numbers."""
    christine = play_moves(start_scoring(4), "right 1")
    assert check_refused(christine, "right 1", "P21") == "P21: seat 1 has a card on this pile already"


def test_T8_a_wrong_drawing_of_the_black_sheep():
    game = play_round([2, 6, 4], ["B2 C2", "A1 C6", "A3 B4"], "AB", "A")
    assert (game.bonus_stars, game.wrong_card_counts, game.black_sheep) == ((2, 1, 0), (2, 0, 0), A)
    assert page(game) == [(0, 3, -2, -5), (2, 1, 1, 2), (2, 1, 0, 1)]


def test_every_vector_writes_its_totals_down():
    game = play_round([2, 6, 4], ["B2 C2", "C1 A6", "A4 B4"], "CA")
    assert (game.phase, game.totals, game.changes) == (Phase.ROUND, (5, 2, -1), (5, 2, -1))
