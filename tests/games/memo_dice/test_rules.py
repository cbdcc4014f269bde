"""Each rule by its number."""

import pytest

from companion.api import Move, Seat
from companion.events import MemoColour
from companion.games.memo_dice import GAME, Settings
from companion.games.memo_dice.state import Phase
from tests.games.memo_dice.positions import answer, corrected, new, refused, roll, row, standing, takers

A, B, C, D = Seat(0), Seat(1), Seat(2), Seat(3)


def test_d1_cups_and_dice():
    game = new()
    assert game.free_cups == {MemoColour.RED: 3, MemoColour.BLUE: 3, MemoColour.BLACK: 3}
    assert game.cup_row == ()


def test_d2_players_and_pieces():
    assert list(GAME.player_counts) == [2, 3, 4]
    assert GAME.piece_colours == ("purple", "orange", "green", "white", "purple", "orange")
    for players in GAME.player_counts:
        assert new(players).totals == (1,) * players
    for players in (1, 5):
        with pytest.raises(ValueError, match="2 to 4 players"):
            new(players)
    assert GAME.list_setup_steps(Settings(), 3) == (
        "Cups: 3 red, 3 blue, 3 black and the golden one",
        "9 dice within everybody's reach",
        "A piece for each player on square 1",
    )


@pytest.mark.parametrize("first", [0, 1, 2, 3])
def test_d3_any_first_player_and_clockwise(first):
    game = new(4, first)
    for step in range(5):
        assert game.active_seat == (first + step) % 4
        game = roll(game, "RBKRB"[step])
    with pytest.raises(ValueError, match="seat 4 cannot begin"):
        new(4, 4)


def test_d10_at_the_end_of_the_row():
    assert roll(new(), "RBKKB").cup_row == row("RBKKB")
    refused(new(), Move("die", B, (1,)), "D10")
    refused(new(), Move("cover", A), "D10")


def test_d11_a_symbol_is_red_blue_or_black():
    for value in ((0,), (4,), (), (1, 2)):
        refused(new(), Move("die", A, value), "D11")


def test_d12_the_last_die_gets_the_golden_cup_whatever_its_colour():
    """A4 too: a cup of its colour is free."""
    game = roll(new(2), "RRBBKKRB")
    assert game.is_last_die
    assert game.free_cups[MemoColour.BLACK] == 1
    assert game.list_moves() == (Move("show gold", A), Move("gold", A))
    for colour in (1, 2, 3):
        refused(game, Move("die", A, (colour,)), "D12")
    game = game.play(Move("gold", A))
    assert game.cup_row == row("RRBBKKRBG")


def test_d13_a_free_cup_of_its_colour_and_the_turn_passes_to_the_left():
    game = roll(new(2), "R")
    assert (game.cup_row, game.active_seat, game.free_cups[MemoColour.RED]) == (row("R"), B, 2)
    refused(game, Move("gold", B), "D13")


def test_d14_no_free_cup_of_its_colour():
    game = roll(new(2), "RRR")
    refused(game, Move("die", B, (1,)), "D14")
    by_hand = {("die", (2,)), ("die", (3,)), ("gold", ())}
    by_camera = {("show", (2,)), ("show", (3,)), ("show gold", ())}
    assert {(m.kind, m.value) for m in game.list_moves()} == by_hand | by_camera
    game = game.play(Move("gold", B))
    assert (game.phase, game.cup_row) == (Phase.UNCOVER, row("RRRG"))
    for kind, value in (("die", (2,)), ("gold", ()), ("cover", ())):
        refused(game, Move(kind, B, value), "D14")
    refused(roll(new(2), "RRR"), Move("gold", B, (1,)), "D14")


@pytest.mark.parametrize(("symbols", "n"), [("RRRR", 4), ("RRRBBBB", 7), ("RBKRBKRBK", 9), ("RRRBBBKKK", 9)])
def test_d15_row_length(symbols, n):
    game = roll(new(3), symbols)
    assert (game.phase, len(game.cup_row)) == (Phase.UNCOVER, n)
    assert game.active_seat == (n - 1) % 3, "who placed the golden cup"


def test_d20_who_placed_the_golden_cup_begins_with_the_first_cup():
    """A3: not the following player."""
    game = roll(new(3), "RRRR")
    assert (game.active_seat, game.next_cup_index) == (A, 0)
    refused(game, Move("right", B), "D20")
    refused(game, Move("miss", C), "D20")
    refused(new(), Move("right", A), "D20")
    refused(new(), Move("right", B), "D10")


def test_d21_the_call_comes_first():
    game = roll(new(3), "RRRR")
    refused(game, Move("call", A), "D21")
    timed = roll(new(3, answer_seconds=15), "RRRR").play(Move("call", A))
    assert timed.symbol_named
    refused(timed, Move("call", A), "D21")
    assert not answer(timed, "+").symbol_named
    assert not answer(timed, "-").symbol_named


def test_d22_right():
    game = answer(roll(new(3), "RRRR"), "++")
    assert (takers(game), game.active_seat, game.next_cup_index) == ((A, A, None, None), A, 2)


def test_d23_wrong_or_no_answer():
    """A5: the left neighbour goes on with the next cup, not with the same one."""
    game = answer(roll(new(3), "RRRR"), "+-")
    assert (takers(game), game.active_seat, game.next_cup_index) == ((A, B, None, None), B, 2)


def test_d24_round_and_round():
    game = answer(roll(new(3), "RBKRBKRR"), "---")
    assert game.active_seat == (7 % 3 + 3) % 3
    assert answer(roll(new(2), "RRRBBBB"), "-----").active_seat == (6 + 5) % 2


@pytest.mark.parametrize(("last", "holder"), [("+", 0), ("-", 1)])
def test_d25_the_golden_cup_follows_the_same_rule(last, holder):
    game = answer(roll(new(3), "RRRR"), "+++" + last)
    assert game.gold_holder == holder


def test_d30_points():
    game = answer(roll(new(2), "RRRR"), "+++")
    assert game.round_points == (0, 3)
    assert answer(game, "+").round_scores == ((0, 5),)


def test_d31_pieces_move_at_the_end_of_the_round():
    game = answer(roll(new(2), "RRRR"), "+++")
    assert game.totals == (1, 1)
    game = answer(game, "-")
    assert game.totals == (1 + 2, 1 + 3)
    assert game.totals == (3, 4)


def test_d32_the_end_when_all_are_scored():
    game = answer(roll(standing(new(2), 18, 19), "RRRR"), "--+-")
    assert (game.totals, game.phase) == ((18 + 3, 19 + 2), Phase.OVER)
    assert game.compute_outcome().winners == (A, B)
    assert game.list_moves() == ()
    refused(game, Move("next"), "D32")
    refused(game, Move("right", A), "D32")
    game = answer(roll(standing(new(2), 14, 14), "RRRR"), "++++")
    assert (game.totals, game.phase) == ((14, 19), Phase.SCORED)


def test_d32_a_shared_victory_is_named_so():
    game = answer(roll(standing(new(2), 18, 19), "RRRR"), "--+-")
    assert game.compute_outcome().reason == ("The target is square 20. Square 21 is shared.")


def test_d30_points_of_the_round_just_scored_are_those_of_the_score_sheet():
    game = answer(roll(new(2), "RRRR"), "++++")
    assert game.round_points == (0, 5)
    game = answer(roll(game.play(Move("next")), "RRRR"), "+++-")
    assert game.round_scores == ((0, 5), (3, 2))
    assert game.round_points == (3, 2)
    game = corrected(game, "round 2", 4, seat=0)
    assert game.round_points == (4, 2)


def test_a_game_ended_by_a_correction_between_rounds_counts_the_rounds_played():
    game = answer(roll(new(2), "RRRR"), "++++").play(Move("next"))
    assert game.round_number == 2
    assert corrected(game, "square", 20, seat=0).round_number == 1


def test_d32_nobody_wins_while_a_round_is_under_way():
    game = answer(roll(standing(new(2), 15, 15), "RRRR"), "+++")
    assert game.compute_outcome() is None


def test_d33_the_holder_of_the_golden_cup_starts():
    """A6: not who placed it."""
    game = answer(roll(new(3), "RRRR"), "+++-")
    assert (game.phase, game.active_seat, game.round_number) == (Phase.SCORED, B, 1)
    assert game.list_moves() == (Move("next"),)
    for move in (Move("die", B, (1,)), Move("right", B)):
        refused(game, move, "D33")
    game = game.play(Move("next"))
    assert (game.phase, game.active_seat, game.round_number, game.cup_row) == (Phase.COVER, B, 2, ())
    assert game.free_cups == new().free_cups
    refused(game, Move("next"), "D33")


def test_a9_the_higher_square_wins():
    game = answer(roll(standing(new(2), 17, 19), "RRRR"), "++++")
    assert game.totals == (17, 24)
    assert game.compute_outcome().winners == (B,)
    assert game.compute_outcome().reason == "The target is square 20. Farthest: 24."
