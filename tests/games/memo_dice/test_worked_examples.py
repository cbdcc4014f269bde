"""Worked examples of the rules (`docs/rules/memo_dice.md`)."""

from companion.api import Seat
from companion.events import MemoColour
from companion.games.memo_dice.state import Phase
from tests.games.memo_dice.positions import answer, new, roll, row, standing, takers

LINDA, NORA, RONYA = Seat(0), Seat(1), Seat(2)


def test_t1_covering_of_the_rulebook():
    game = roll(new(3), "R")
    assert (game.cup_row[0].colour, game.active_seat) == (MemoColour.RED, NORA)
    game = roll(game, "B")
    assert game.cup_row[1].colour is MemoColour.BLUE
    game = roll(game, "KRBR")
    assert (game.free_cups[MemoColour.RED], game.active_seat) == (0, LINDA)
    game = roll(game, "R")
    assert game.cup_row == row("RBKRBRG")
    assert (game.phase, game.active_seat) == (Phase.UNCOVER, LINDA)


def test_t2_uncovering_of_the_rulebook():
    """A2: Ronya is Linda's left neighbour."""
    linda, ronya = Seat(0), Seat(1)
    game = roll(new(3), "RBKRBRR")
    game = answer(game, "+-")
    assert takers(game)[:2] == (linda, ronya)
    assert game.round_points == (1, 1, 0)
    assert (game.active_seat, game.next_cup_index) == (ronya, 2)
    assert game.cup_row[2].colour is MemoColour.BLACK


def test_t3_a_row_of_four():
    game = roll(new(3, first=0), "RRRR")
    assert (len(game.cup_row), game.active_seat) == (4, 0)
    game = answer(game, "++--")
    assert game.round_scores == ((2, 1, 2),)
    assert sum(game.round_scores[0]) == 4 + 1
    assert (game.phase, game.active_seat, game.gold_holder) == (Phase.SCORED, 2, 2)


def test_t4_a_row_of_nine():
    game = roll(new(2), "RRRBBBKKK")
    assert game.cup_row == row("RRRBBBKKG")
    assert game.active_seat == 0
    game = answer(game, "++++-+-++")
    assert takers(game) == (0, 0, 0, 0, 1, 1, 0, 0, 0)
    assert game.round_scores == ((8, 2),)


def test_t5_the_end():
    game = standing(new(3, first=0), 14, 17, 9)
    game = roll(game, "RRRBBKR")
    assert (len(game.cup_row), game.active_seat) == (7, 0)
    game = answer(game, "++++++-")
    assert game.round_scores[-1] == (6, 2, 0)
    assert game.totals == (20, 19, 9)
    assert game.compute_outcome().winners == (0,)

    game = standing(new(3, first=0, start_square=0), 13, 16, 8)
    game = answer(roll(game, "RRRBBKR"), "++++++-")
    assert game.totals == (19, 18, 8)
    assert game.compute_outcome() is None
    assert game.phase is Phase.SCORED


def test_t6_a_tie():
    game = standing(new(2), 16, 18)
    game = answer(roll(game, "RRRBBKR"), "+++++-+")
    assert game.round_scores[-1] == (5, 3)
    assert game.totals == (21, 21)
    assert game.compute_outcome().winners == (0, 1)


def test_t7_colour_check():
    game = roll(new(4), "RBKRBR")
    assert game.phase is Phase.COVER
    game = roll(game, "R")
    assert (len(game.cup_row), game.cup_row[-1].colour, game.phase) == (7, MemoColour.GOLD, Phase.UNCOVER)
    assert sum(answer(game, "+" * 7).round_scores[0]) == 8

    game = roll(new(4), "RRRBBBKK")
    assert game.free_cups[MemoColour.BLACK] == 1
    game = roll(game, "K")
    assert (len(game.cup_row), game.cup_row[-1].colour, game.phase) == (9, MemoColour.GOLD, Phase.UNCOVER)
