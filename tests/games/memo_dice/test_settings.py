"""Each setting of the rules file's section 3, and the house timers."""

import pytest
from pydantic import ValidationError

from companion.api import Move, Seat
from companion.games.memo_dice import Settings
from companion.games.memo_dice.state import Phase
from tests.games.memo_dice.positions import answer, new, refused, roll, row

A = Seat(0)


@pytest.mark.parametrize(
    "wrong",
    [
        {"players_min": 4, "players_max": 3},
        {"start_square": 20},
        {"target_square": 0},
        {"target_square": 1},
    ],
)
def test_invalid_values_are_refused(wrong):
    with pytest.raises(ValidationError):
        Settings(**wrong)


def test_the_lobby_can_change_the_house_rules():
    titled = {name for name, field in Settings.model_fields.items() if field.title}
    assert titled == {
        "start_square",
        "target_square",
        "gold_value",
        "cup_value",
        "memorise_seconds",
        "answer_seconds",
        "cups_per_colour",
        "dice",
    }


def test_players_min_and_max():
    assert new(3, players_min=3, players_max=3).player_count == 3
    for players in (2, 4):
        with pytest.raises(ValueError, match="for 3 players"):
            new(players, players_min=3, players_max=3)


def test_start_and_target_square():
    """A1."""
    game = answer(roll(new(2, 1, start_square=0, target_square=5), "RRRR"), "++++")
    assert (game.totals, game.phase) == ((5, 0), Phase.OVER)
    game = answer(roll(new(2, 1, start_square=0, target_square=6), "RRRR"), "++++")
    assert game.phase is Phase.SCORED


def test_values_of_the_cups():
    game = answer(roll(new(2, 1, gold_value=5, cup_value=3), "RRRR"), "+++-")
    assert game.round_scores == ((9, 5),)
    assert answer(roll(new(2, 1, gold_value=0), "RRRR"), "++++").round_scores == ((3, 0),)


def test_cups_per_colour():
    game = roll(new(2, cups_per_colour=1), "RR")
    assert game.cup_row == row("RG")
    game = roll(new(2, cups_per_colour=1), "RBK")
    assert game.list_moves() == (Move("show gold", Seat(1)), Move("gold", Seat(1)))


def test_dice():
    game = roll(new(2, dice=4), "RBK")
    assert game.is_last_die
    assert roll(game, "R").cup_row == row("RBKG")


# House timers ----------------------------------------------------------------------------------------------------


def test_no_clocks_unless_set():
    game = new()
    for symbols in ("", "R", "RRRR"):
        assert roll(game, symbols).list_clocks() == ()


def test_the_look_clock_covers_the_die():
    """D10, A8."""
    game = new(2, memorise_seconds=5)
    assert game.list_clocks() == ()
    game = game.play(Move("die", A, (1,)))
    assert (game.phase, game.cup_row) == (Phase.LOOK, ())
    (clock,) = game.list_clocks()
    assert clock.seconds == 5
    refused(game, Move("die", A, (1,)), "D10")
    refused(game, Move("gold", A), "D10")
    refused(game, Move("cover", A, (1,)), "D10")
    refused(game, Move("right", A), "D20")
    game = game.play(clock.on_expiry)
    assert (game.phase, game.cup_row, game.list_clocks()) == (Phase.COVER, row("R"), ())
    (other,) = game.play(Move("die", Seat(1), (1,))).list_clocks()
    assert other.name != clock.name


def test_the_golden_cup_waits_for_the_look_clock_too():
    game = roll(new(2, memorise_seconds=5), "RRR").play(Move("gold", Seat(1)))
    assert game.phase is Phase.LOOK
    game = game.play(game.list_clocks()[0].on_expiry)
    assert (game.phase, game.cup_row, game.active_seat) == (Phase.UNCOVER, row("RRRG"), Seat(1))


def test_the_answer_clock_loses_the_cup():
    """D23: no answer is a miss."""
    game = roll(new(2, answer_seconds=15), "RRRR")
    (clock,) = game.list_clocks()
    assert clock.seconds == 15
    after = game.play(clock.on_expiry)
    assert (after.cup_row[0].owner, after.active_seat) == (
        game.find_next_seat(game.active_seat),
        game.find_next_seat(game.active_seat),
    )
    assert after.list_clocks()[0].name != clock.name


def test_no_clock_runs_after_the_symbol_is_named():
    game = roll(new(2, answer_seconds=15), "RRRR")
    game = game.play(Move("call", game.active_seat))
    assert game.list_clocks() == ()
    assert len(answer(game, "+").list_clocks()) == 1


def test_clocks_of_other_rounds_have_other_names():
    game = roll(new(2, answer_seconds=15), "RRRR")
    (first,) = game.list_clocks()
    game = roll(answer(game, "++++").play(Move("next")), "RRRR")
    (second,) = game.list_clocks()
    assert first.name != second.name
