"""Worked examples of the rules (`docs/rules/macroscope.md`), T1 to T8."""

from dataclasses import replace

import pytest

from companion.api import IllegalMove
from companion.games.macroscope import Macroscope, Settings
from companion.games.macroscope.state import Phase


def test_t1_the_rulebooks_example(at, play):
    game = Macroscope.create(2, 0, Settings())
    game = play(game, "roll 0 2 5", "remove 0 2", "ask 0", "close 0", "remove 0 5", "stop 0", "close 0")
    assert game.crystals == (4, 2)
    game = play(game, "roll 1 3 6", "remove 1 3", "guess 1")
    assert game.guess_value == 9
    game = play(game, "wish 0", "name 0")
    assert game.crystals == (2, 4)
    game = play(game, "cover", "right 0")
    assert game.crystals == (11, 0)
    assert (game.round_number, game.active_seat, game.phase) == (2, 0, Phase.ROLL)


@pytest.mark.parametrize(("verdict", "crystals"), [("right 0", 15), ("nobody", 0)])
def test_t2_a_guess_without_challenge(at, play, verdict, crystals):
    game = play(at((5, 1)), "roll 0 1 2", "remove 0 1", "remove 0 2", "guess 0")
    assert game.guess_value == 10
    assert game.phase is Phase.COVER, "seat 1 cannot pay, so nobody is asked"
    assert play(game, "cover", verdict).crystals == (crystals, 1)


def test_t3_refusal_with_a_tie(at, play):
    game = at((6, 3, 3), tokens=(2, 2, 2, 2, 2, 0))
    game = play(game, "roll 0 1 2", "remove 0 1", "remove 0 2", "stop 0")
    assert game.crystals == (8, 3, 3)
    game = play(game, "wish 1", "wish 2", "close 0")
    assert game.phase is Phase.PICK
    game = play(game, "pick 0 2", "name 2")
    assert game.crystals == (10, 3, 1)
    game = play(game, "name 1")
    assert game.crystals == (12, 1, 1)
    assert game.guess_value == 8
    assert play(game, "cover", "right 1").crystals == (12, 9, 0)


def test_t4_who_can_pay_for_a_challenge(at, play, move):
    game = play(at((5, 1, 2)), "roll 0 1 2", "remove 0 1", "guess 0")
    with pytest.raises(IllegalMove, match=r"^M23: a challenge costs 2 crystals, seat 1 has 1$"):
        game.play(move("wish 1"))
    game = play(game, "wish 2", "name 2")
    assert game.crystals == (7, 1, 0)
    assert play(game, "cover", "right 0").crystals == (18, 1, 0)


def test_t5_void_round(at, play):
    game = at((4, 2, 2), tokens=(0, 0, 1, 0, 0, 0), round_number=7)
    game = play(game, "roll 0 3 6", "remove 0 3")
    assert (game.crystals, game.round_number, game.active_seat, game.phase) == ((5, 2, 2), 7, 1, Phase.COVER)
    game = play(game, "cover")
    assert (game.phase, game.covered_windows, game.round_number, game.active_seat) == (Phase.ROLL, 12, 7, 1)


def test_t6_easier_variant(play):
    game = Macroscope.create(3, 0, Settings(variant="easy"))
    assert game.crystals == (0, 0, 0)
    game = play(game, "roll 0 4 5", "remove 0 4", "stop 0")
    assert game.crystals == (2, 0, 0)
    game = play(game, "wish 2", "wish 1", "close 0", "pick 0 1", "name 1", "name 2")
    assert (game.guess_value, game.crystals) == (11, (2, 0, 0))
    assert play(game, "cover", "right 2").crystals == (2, 0, 11)


def test_t7_the_second_four_is_free(at, play):
    game = play(at((2, 2), tokens=(2, 2, 2, 1, 2, 2)), "roll 0 4 4")
    assert game.takeable_tokens == (4,)
    assert play(game, "remove 0 4").takeable_tokens == (1, 2, 3, 5, 6)


def test_t7_the_free_die_frees_the_other(at, play):
    game = play(at((2, 2), tokens=(2, 0, 2, 2, 1, 2)), "roll 0 2 5")
    assert game.takeable_tokens == (1, 3, 4, 5, 6)
    assert play(game, "remove 0 5").takeable_tokens == (1, 3, 4, 6)


def test_t8_ten_scored_rounds_and_three_void_ones(at, play):
    game, markers = at((100, 100)), []
    for card in range(1, 14):
        seat = game.active_seat
        if card in (3, 7, 12):
            game = replace(game, tokens=(1, 0, 0, 0, 0, 0))
            game = play(game, f"roll {seat} 1 1", f"remove {seat} 1", "cover")
        else:
            assert game.compute_outcome() is None
            markers.append(game.round_number)
            game = play(
                game, f"roll {seat} 1 1", f"remove {seat} 1", f"guess {seat}", f"close {seat}", "cover", "nobody"
            )
    assert markers == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    assert (game.phase, game.cards_used) == (Phase.OVER, 13)
    assert game.list_moves() == ()
