"""Corrections (D40): which are open when, their consequences, and which are refused."""

import pytest

from companion.api import BadCorrection, Correction, Move, Seat, ValueRange
from companion.events import Button, MemoColour
from companion.games.memo_dice import GAME
from companion.games.memo_dice.state import Phase
from companion.testing.checks import check_unchanged_entries, list_menu
from tests.games.memo_dice.positions import answer, corrected, new, roll, row, standing, takers
from tests.games.refusals import check_not_corrected

A, B, C = Seat(0), Seat(1), Seat(2)


def kinds(game):
    return {c.stored_kind for c in game.list_correctables()}


def entry(game, kind, seat=None):
    return next(c for c in game.list_correctables() if (c.stored_kind, c.seat) == (kind, seat))


def test_a_cup_of_another_colour():
    game = corrected(roll(new(), "RRB"), "cup 2", 3)
    assert game.cup_row == row("RKB")
    assert game.free_cups == {MemoColour.RED: 2, MemoColour.BLUE: 2, MemoColour.BLACK: 2}
    assert entry(game, "cup 2").current_value == (3,)


def test_a_cup_that_does_not_exist_cannot_be_corrected():
    game = roll(new(), "RRRB")
    check_not_corrected(game, "cup 4", 1, why=r"^D1: there are only 3 red cups")
    for value in (0, 4):
        check_not_corrected(game, "cup 1", value)
    check_not_corrected(game, "cup 5", 1, why="cannot be corrected now")


def test_the_golden_cup_stays_where_it_is():
    game = roll(new(), "RRBBRR")
    assert game.phase is Phase.UNCOVER
    assert "cup 6" not in kinds(game)
    assert corrected(game, "cup 5", 3).cup_row == row("RRBBKG")
    assert corrected(game, "cup 5", 3).phase is Phase.UNCOVER


def test_neighbours_can_be_swapped():
    game = roll(new(), "RBK")
    assert corrected(game, "swap", 1).cup_row == row("BRK")
    assert corrected(game, "swap", 2).cup_row == row("RKB")
    check_not_corrected(game, "swap", 3)
    game = answer(roll(new(), "RRBKRR"), "+")
    assert entry(game, "swap").current_value == (1,), "none of them, so that the first pair can be entered"
    assert entry(game, "swap").value_range == ValueRange(1, 1, 4)
    check_not_corrected(game, "swap", 5)
    assert corrected(game, "swap", 2).cup_row[1:3] == row("BR")


def test_one_cup_alone_cannot_be_swapped():
    assert "swap" not in kinds(roll(new(), "R"))
    assert "swap" not in kinds(answer(roll(new(), "RRRR"), "++"))


def test_a_die_knocked_over_keeps_its_mark_when_the_order_changes():
    game = corrected(roll(new(), "RBK"), "unknown 2", 1)
    assert [cup.is_die_unknown for cup in game.cup_row] == [False, True, False]
    game = corrected(game, "swap", 2)
    assert [cup.is_die_unknown for cup in game.cup_row] == [False, False, True]
    game = corrected(game, "unknown 3", 0)
    assert not any(cup.is_die_unknown for cup in game.cup_row)
    game = corrected(roll(new(), "RRRR"), "unknown 4", 1)
    assert answer(game, "+++").cup_row[3].is_die_unknown, "also under the golden cup"
    assert answer(game, "++++").round_scores == ((5, 0, 0),), "an answer as the table decides"


def test_the_open_die():
    game = new(memorise_seconds=5).play(Move("die", A, (1,)))
    game = corrected(game, "open", 2)
    assert game.play(Move("cover", A)).cup_row == row("B")
    game = roll(new(memorise_seconds=5), "RRR").play(Move("die", A, (2,)))
    check_not_corrected(game, "open", 1, why=r"^D14: no red cup is left")
    check_not_corrected(
        corrected(roll(new(memorise_seconds=5), "RRK"), "cup 3", 2).play(Move("die", A, (1,))), "cup 3", 1, why=r"^D1: "
    )


def test_an_open_die_that_was_taken_for_a_golden_one():
    game = roll(new(memorise_seconds=5), "RRR").play(Move("gold", A))
    assert entry(game, "open").current_value == (0,)
    assert corrected(game, "open", 0) == game
    check_not_corrected(game, "open", 1, why=r"^D14: no red cup is left")
    blue = corrected(game, "open", 2)
    assert blue.open_colour is MemoColour.BLUE
    after = blue.play(Move("cover", A))
    assert (after.cup_row, after.phase, after.active_seat) == (row("RRRB"), Phase.COVER, B)
    last = roll(new(memorise_seconds=5, dice=4), "RRB").play(Move("gold", A))
    assert "open" not in kinds(last), "D12: the last die gets the golden cup whatever it shows"


def test_a_golden_cup_that_came_too_early():
    game = roll(new(), "RRRR")
    assert (game.phase, game.active_seat) == (Phase.UNCOVER, A)
    check_not_corrected(game, "gold cup", 1, why=r"^D14: no red cup is left")
    assert corrected(game, "gold cup", 0) == game
    after = corrected(game, "gold cup", 3)
    assert (after.cup_row, after.phase, after.active_seat) == (row("RRRK"), Phase.COVER, B)
    assert roll(after, "R").cup_row == row("RRRKG")
    assert "gold cup" not in kinds(after)
    named = roll(new(answer_seconds=9), "RRRR").play(Move("call", A)).play(Move("lift", A))
    after = corrected(named, "gold cup", 2)
    assert (after.symbol_named, after.cup_lifted) == (False, False)


@pytest.mark.parametrize("answers", ["+", "++-"])
def test_once_a_cup_is_won_the_golden_one_stays(answers):
    assert "gold cup" not in kinds(answer(roll(new(), "RRRR"), answers))


def test_the_last_die_got_the_golden_cup_rightly():
    assert "gold cup" not in kinds(roll(new(dice=4), "RBKR"))


def test_a_golden_cup_is_put_right_by_buttons_undone_and_restarted(table):
    seated = table(3, definition=GAME, camera=False)
    seated.press(*[Button.SEAT6] * 4)
    assert seated.game.phase is Phase.UNCOVER
    seated.correct("Colour of the golden cup", Button.PLUS, Button.PLUS)
    assert (seated.game.cup_row, seated.game.active_seat) == (row("RRRB"), B)
    assert seated.state.last_move == "Corrected: colour of the golden cup, golden to blue"
    seated.restart()
    assert seated.game.cup_row == row("RRRB")
    seated.press(Button.SEAT3)
    assert seated.game.cup_row == row("RRRBK")
    seated.hold(Button.NO)
    seated.hold(Button.NO)
    assert (seated.game.cup_row, seated.game.phase) == (row("RRRG"), Phase.UNCOVER)


def test_the_rolls_for_the_statistics_follow():
    game = roll(new(), "RRRR")
    what = Correction("gold cup", None, (2,))
    (found,) = GAME.list_rolls(game, what, game.correct(what))
    assert (found.roll_id, found.seat, found.faces) == ((1, 3), A, (2,))
    assert [*GAME.list_rolls(game, Correction("gold cup", None, (0,)), game)] == []


def test_a_cup_handed_over_in_the_round():
    game = corrected(answer(roll(new(), "RRRR"), "++"), "taker 2", 2)
    assert (takers(game), game.round_points, game.active_seat) == ((A, C, None, None), (1, 0, 1), A)
    assert "taker 3" not in kinds(game)


def test_a_cup_handed_over_after_the_scoring():
    game = answer(roll(new(), "RRRR"), "++++")
    game = corrected(game, "taker 1", 1)
    assert (game.round_scores, game.totals, game.active_seat) == (((4, 1, 0),), (5, 2, 1), A)
    game = corrected(game, "taker 4", 2)
    assert (game.round_scores, game.active_seat, game.gold_holder) == (((2, 1, 2),), C, C), "D33: the holder starts"
    assert game.play(Move("next")).active_seat == C
    game = corrected(corrected(game, "round 1", 0, seat=0), "taker 2", 0)
    check_not_corrected(game, "taker 2", 1, why=r"^D30: seat 0 has no 1 points")


def test_a_cup_handed_over_can_end_the_game_or_reopen_it():
    game = answer(roll(standing(new(2, 1), 15, 16), "RRRR"), "++++")
    assert game.phase is Phase.OVER
    game = corrected(game, "taker 1", 1)
    assert (game.phase, game.totals) == (Phase.SCORED, (19, 17))
    assert game.list_moves() == (Move("next"),)
    assert corrected(game, "taker 1", 0).phase is Phase.OVER


def test_squares_at_any_time():
    game = corrected(roll(new(), "R"), "square", 9, seat=1)
    assert game.totals == (1, 9, 1)
    game = answer(roll(game, "RRR"), "++++")
    assert game.totals == (6, 9, 1)
    check_not_corrected(game, "square", -1, seat=0)
    check_not_corrected(game, "square", 3, seat=3)
    assert corrected(game, "square", 20, seat=2).compute_outcome().winners == (C,)


def test_a_round_under_way_is_scored_before_the_end():
    """D32: all players are scored first."""
    game = corrected(roll(new(2), "RR"), "square", 20, seat=1)
    assert game.compute_outcome() is None
    game = answer(roll(game, "RR"), "++++")
    assert game.compute_outcome().winners == (B,)
    assert corrected(new(2), "square", 20, seat=1).compute_outcome() is not None, "nothing has been rolled yet"


def test_earlier_rounds():
    game = answer(roll(new(2, 1), "RRRR"), "++++").play(Move("next"))
    game = answer(roll(game, "RRBRR"), "++++-").play(Move("next"))
    assert game.round_scores == ((5, 0), (4, 2))
    assert entry(game, "round 1", A).current_value == (5,)
    game = corrected(game, "round 1", 2, seat=0)
    assert (game.round_scores, game.totals) == (((2, 0), (4, 2)), (7, 3))
    game = corrected(game, "round 2", 11, seat=1)
    assert game.totals == (7, 12)
    game = corrected(corrected(game, "square", 20, seat=1), "round 2", 10, seat=1)
    assert (game.totals, game.phase) == ((7, 19), Phase.COVER)
    check_not_corrected(game, "round 1", -1, seat=0)
    check_not_corrected(game, "round 3", 1, seat=0, why="cannot be corrected now")


def test_a_corrected_round_can_end_the_game_or_reopen_it():
    game = answer(roll(standing(new(2, 1), 14, 1), "RRRR"), "++++")
    assert game.phase is Phase.SCORED
    game = corrected(game, "round 1", 6, seat=0)
    assert (game.phase, game.totals) == (Phase.OVER, (20, 1))
    assert corrected(game, "round 1", 5, seat=0).phase is Phase.SCORED


def test_whose_turn():
    assert corrected(roll(new(), "R"), "active", 0).active_seat == A
    game = roll(new(answer_seconds=9), "RRRR").play(Move("call", A))
    game = corrected(game, "active", 2)
    assert (game.active_seat, game.symbol_named) == (C, False)
    assert answer(game, "-").cup_row[0].owner == A
    game = corrected(answer(game, "++++"), "active", 1)
    assert game.play(Move("next")).active_seat == B
    over = answer(roll(standing(new(2), 1, 19), "RRRR"), "++++")
    assert "active" not in kinds(over)


# Presence --------------------------------------------------------------------------------------------------------


def test_players_who_are_away_are_skipped_when_covering():
    game = corrected(new(), "away", 1, seat=1)
    assert roll(game, "R").active_seat == C
    assert roll(game, "RR").active_seat == A
    check_not_corrected(game, "active", 1, why="seat 1 is away")


def test_players_who_are_away_are_skipped_when_uncovering():
    game = answer(corrected(roll(new(), "RRRR"), "away", 1, seat=1), "-")
    assert (takers(game)[0], game.active_seat) == (C, C)
    assert game.find_next_seat(game.active_seat) == A


def test_the_player_on_turn_leaves():
    assert corrected(new(), "away", 1, seat=0).active_seat == B
    game = new(memorise_seconds=5).play(Move("die", A, (1,)))
    game = corrected(game, "away", 1, seat=0)
    assert game.play(Move("cover", B)).active_seat == C
    assert corrected(roll(new(), "RRRR"), "away", 1, seat=0).active_seat == B


def test_the_holder_of_the_golden_cup_leaves_and_comes_back():
    game = answer(corrected(answer(roll(new(), "RRRR"), "---"), "taker 3", 0), "+")
    assert (game.gold_holder, game.active_seat) == (A, A)
    game = corrected(game, "away", 1, seat=0)
    assert (game.active_seat, game.play(Move("next")).active_seat) == (B, B)
    assert corrected(game, "away", 0, seat=0).active_seat == A
    assert game.totals == (4, 2, 2), "what was won stays won"


def test_the_golden_cup_of_a_player_who_left_before_the_scoring():
    game = corrected(answer(roll(new(), "RRRR"), "+++"), "active", 1)
    game = answer(game, "+")
    assert corrected(corrected(game, "away", 1, seat=2), "taker 4", 2).active_seat == A


def test_a_player_who_comes_back_takes_part_again():
    game = corrected(corrected(new(), "away", 1, seat=1), "away", 0, seat=1)
    assert game == new()


def test_two_players_have_to_stay():
    check_not_corrected(new(2), "away", 1, seat=0, why="fewer than 2 players would stay; set the game aside instead")
    game = corrected(new(3), "away", 1, seat=0)
    check_not_corrected(game, "away", 1, seat=2, why="set the game aside instead")
    assert corrected(game, "away", 1, seat=0) == game
    check_not_corrected(new(3, players_min=3), "away", 1, seat=0, why="fewer than 3 players")


def test_unknown_kinds_cannot_be_corrected():
    for kind in ("weather", "cup", "cup 0", "round 0", "round 1", "taker 1", "unknown 1"):
        with pytest.raises(BadCorrection, match="cannot be corrected now"):
            new().correct(Correction.from_stored(kind, None, (1,)))


def test_present_values_are_within_their_ranges_and_change_nothing():
    games = [
        new(),
        roll(new(4), "RBK"),
        roll(new(), "RRRR"),
        answer(roll(new(), "RRRR"), "+-"),
        standing(new(), 5, 7, 9),
    ]
    games.append(answer(roll(new(), "RRRR"), "+-+-"))
    for game in games:
        check_unchanged_entries(game)


SQUARES = ["square of 0: 1, from 0 to 199", "square of 1: 1, from 0 to 199"]
AWAY = ["away of 0: 0, from 0 to 1", "away of 1: 0, from 0 to 1"]


@pytest.mark.parametrize(
    ("game", "menu"),
    [
        (new(2), ["active: 0, from 0 to 1", *SQUARES, *AWAY]),
        (new(2).play(Move("show", A, (2,))), ["open: 2, from 1 to 3", "active: 0, from 0 to 1", *SQUARES, *AWAY]),
        (
            roll(new(2), "RRB"),
            [
                *("active: 1, from 0 to 1", "cup 3: 2, from 1 to 3", "cup 2: 1, from 1 to 3", "cup 1: 1, from 1 to 3"),
                *("swap: 0, from 0 to 2", *SQUARES),
                *("unknown 3: 0, from 0 to 1", "unknown 2: 0, from 0 to 1", "unknown 1: 0, from 0 to 1", *AWAY),
            ],
        ),
        (
            answer(roll(new(2), "RRRBR"), "+-"),
            [
                *("active: 1, from 0 to 1", "cup 4: 2, from 1 to 3", "cup 3: 1, from 1 to 3", "swap: 2, from 2 to 3"),
                *("taker 2: 1, from 0 to 1", "taker 1: 0, from 0 to 1", *SQUARES),
                *("unknown 5: 0, from 0 to 1", "unknown 4: 0, from 0 to 1", "unknown 3: 0, from 0 to 1", *AWAY),
            ],
        ),
        (
            answer(roll(standing(new(2, 1), 19, 1), "RRRR"), "++++"),
            [
                *(f"taker {i}: 0, from 0 to 1" for i in (4, 3, 2, 1)),
                *("square of 0: 24, from 0 to 199", "square of 1: 1, from 0 to 199"),
                *("round 1 of 0: 5, from 0 to 11", "round 1 of 1: 0, from 0 to 11", *AWAY),
            ],
        ),
    ],
)
def test_the_menu_lists_recent_entries_first(game, menu):
    assert list_menu(game) == menu


def test_limits_follow_players_dice_and_points_of_the_cups():
    game = answer(roll(new(3, dice=4, cup_value=3, gold_value=5), "RRRR"), "++++").play(Move("next"))
    menu = list_menu(game)
    assert menu[0] == "active: 0, from 0 to 2"
    assert "round 1 of 0: 14, from 0 to 17" in menu, "all four dice: more than three cups and the golden one"


def test_the_latest_round_is_listed_first():
    game = answer(roll(answer(roll(new(2), "RRRR"), "++++").play(Move("next")), "RRRR"), "++++")
    rounds = [line.partition(" of ")[0] for line in list_menu(game) if line.startswith("round")]
    assert rounds == ["round 2", "round 2", "round 1", "round 1"]


def test_a_piece_may_stand_before_the_first_square_but_no_further_back():
    """D31: square 0 is the place before the board's first square."""
    game = corrected(answer(roll(new(2, 1), "RRRR"), "++++"), "square", 4, seat=0)
    assert corrected(game, "round 1", 1, seat=0).totals == (0, 1)
    check_not_corrected(game, "round 1", 0, seat=0, why=r"^D31: a piece would stand before the board$")


def test_all_points_of_a_round_can_be_handed_over():
    """D30."""
    game = corrected(answer(roll(new(2, 1), "RRRR"), "++++"), "round 1", 1, seat=0)
    assert corrected(game, "taker 1", 1).round_scores == ((0, 1),)
    check_not_corrected(game, "taker 4", 1, why=r"^D30: seat 0 has no 2 points in this round to hand over$")


def test_who_follows_a_player_that_leaves_names_the_symbol_anew():
    """D21: the symbol that was named was another player's."""
    game = roll(new(answer_seconds=9), "RRRR").play(Move("call", A))
    after = corrected(game, "away", 1, seat=0)
    assert (after.active_seat, after.symbol_named) == (B, False)
    assert corrected(game, "away", 1, seat=1).symbol_named, "somebody else's leaving changes nothing"


def test_who_comes_back_starts_only_as_holder_of_the_golden_cup_after_the_scoring():
    """D33."""
    game = answer(roll(new(), "RRRR"), "++++")
    assert (game.gold_holder, game.active_seat) == (A, A)
    assert corrected(corrected(game, "away", 1, seat=1), "away", 0, seat=1).active_seat == A
    uncovering = corrected(answer(roll(new(), "RRRR"), "+-"), "away", 1, seat=0)
    assert corrected(uncovering, "away", 0, seat=0).active_seat == B
