"""Everybody begins again in the same game, such as in a new leg of darts (G78)."""

from __future__ import annotations

from typing import Any

import pytest

from companion.api import Correction, Move, Seat
from companion.api.registry import find_game
from companion.games.game_file.definition import make_definition
from companion.games.game_file.reader import GameFileError
from tests.games.game_file.points.entering import enter_in_turn, new_game

NAMES = ("Ada", "Bob", "Cleo")
SETS = """
name = "sets"
title = "Sets"
players_min = 2
players_max = 4
[points]
end = "sets == 2"
restart = "score >= 10"
[[points.kept]]
id = "sets"
name = "Sets"
next = "sets + (score + points >= 10 and score + points > max(others_hand))"
lasting = true
[[points.kept]]
id = "streak"
name = "Streak"
start = 1
next = "streak + 1"
[[points.flags]]
id = "crown"
name = "Crown"
takes = "hand == max(all_hand)"
[[points.flags]]
id = "dealer"
name = "Dealer"
start = "first"
passes = "1"
[[points.entries]]
id = "hand"
name = "points"
high = 12
"""


@pytest.fixture
def match() -> Any:
    """Three players; Ada, who began, has 121 left to win the first of two legs."""
    return enter_in_turn(new_game("darts_501", 3, goal=301, legs=2), 180, 60, 100)


def test_all_have_the_points_of_the_start_and_the_next_player_begins(match: Any) -> None:
    after = enter_in_turn(match, 121, 1)
    assert (after.totals, after.memory) == ((301, 301, 301), ((1, 0), (0, 0), (0, 0)))
    assert (after.active_seat, after.round_number, after.is_over) == (1, 1, False)
    third = enter_in_turn(after, 180, 100, 100, 121, 1)
    assert (third.compute_outcome(), third.active_seat) == (None, 2)


def test_nobody_has_scored_the_points_of_the_start(match: Any) -> None:
    asked = enter_in_turn(match, 121)
    last = asked.play(Move("enter", Seat(0), (1,)))
    assert last.changes == (0, 0, 0)
    line = find_game("darts_501").describe(asked, Move("enter", Seat(0), (1,)), last, NAMES)
    assert line == "Ada: was the last dart a double? yes, everybody begins again"


def test_who_has_won_the_legs_wins_with_more_points_left(match: Any) -> None:
    game = enter_in_turn(match, 121, 1)
    game = enter_in_turn(game, 180, 60, 180, 60, 140, 121, 1)
    assert game.totals == (0, 61, 101)
    assert game.compute_outcome().winners == (0,)


def test_legs_are_corrected(match: Any) -> None:
    game = enter_in_turn(match, 121, 1).correct(Correction("kept", Seat(1), (1,), (1,)))
    assert [own[0] for own in game.memory] == [1, 1, 0]
    assert not [entry for entry in game.list_correctables() if entry.kind == "round"], "the leg is over"
    assert enter_in_turn(game, 180, 60, 100, 121, 1).compute_outcome().winners == (1,)


def test_rounds_that_are_entered_together_begin_again_too() -> None:
    definition = make_definition(SETS, "sets.toml")
    game: Any = definition.create_game(2, Seat(0), definition.settings_model())
    for hand in ((4, 3), (6, 2)):
        for seat, number in enumerate(hand):
            game = game.play(Move("enter", Seat(seat), (number,)))
    # What lasts stays, and so does who deals; the other number and the crown are as at the start.
    assert (game.totals, game.memory) == ((0, 0), ((1, 1, 0, 1), (0, 1, 0, 0)))
    for hand in ((1, 2), (12, 0)):
        for seat, number in enumerate(hand):
            game = game.play(Move("enter", Seat(seat), (number,)))
    assert (game.totals, game.is_over) == ((13, 2), True)


def test_what_lasts_needs_a_new_beginning() -> None:
    text = SETS.replace('restart = "score >= 10"\n', "")
    with pytest.raises(GameFileError, match="kept: lasting = true needs restart"):
        make_definition(text, "sets.toml")


def test_a_turn_after_a_restart_has_a_clock_of_its_own(match: Any) -> None:
    assert match.turn_name == "turn of seat 1 in round 2"
    assert enter_in_turn(match, 121, 1).turn_name == "turn of seat 2 in round 1 after restart 1"


def test_a_skunk_counts_to_the_end_of_the_board() -> None:
    game = new_game("cribbage_board", 2)
    for seat, points in ((1, 92), (0, 119), (0, 4)):
        game = game.play(Move("add", Seat(seat), (points,)))
    assert game.totals == (123, 92)
    assert "skunk" not in game.compute_outcome().reason


def test_a_corrected_number_takes_with_it_those_whose_highest_depends_on_it() -> None:
    text = SETS + '[[points.entries]]\nid = "rest"\nname = "rest"\nhigh = 12\nmost = "12 - hand"\n'
    definition = make_definition(text, "sets.toml")
    game: Any = definition.create_game(2, Seat(0), definition.settings_model())
    for number in (0, 12):
        game = game.play(Move("enter", Seat(0), (number,)))
    assert game.correct(Correction("entry", Seat(0), (12,), (1,))).entered[0] == (12,)


LEGS = """
name = "legs"
title = "Legs"
players_min = 2
players_max = 4
[points]
order = "turns"
end = "legs == 2"
end_at = "once"
restart = "score >= 10"
begins = "dealer"
[[points.kept]]
id = "legs"
name = "Legs"
next = "legs + (score + points >= 10)"
lasting = true
[[points.flags]]
id = "dealer"
name = "Dealer"
start = "first"
passes = "PASSES"
[[points.entries]]
id = "pins"
name = "pins"
high = 12
"""


@pytest.mark.parametrize(
    ("passes", "turns", "begins"),
    [
        ("1", (10,), 1),  # in the middle of a round: Bob has not had his turn in it
        ("1", (1, 10), 1),
        ("1", (1, 1, 10), 1),  # the last turn of a round
        ("1", (1, 1, 1, 1, 10), 2),
        ("pins < 10", (10,), 0),  # the winner of a leg stays the dealer
        ("pins < 10", (1, 10), 1),
    ],
)
def test_who_begins_a_leg_is_said_by_the_flag_as_after_a_round(
    passes: str, turns: tuple[int, ...], begins: int
) -> None:
    definition = make_definition(LEGS.replace("PASSES", passes), "legs.toml")
    game = enter_in_turn(definition.create_game(3, Seat(0), definition.settings_model()), *turns)
    assert (game.restart_count, game.active_seat) == (1, begins)
    assert [own[1] for own in game.memory] == [int(q == begins) for q in range(3)]


def test_rounds_do_not_count_legs() -> None:
    text = LEGS.replace('end = "legs == 2"', "rounds = 5").replace("PASSES", "1")
    with pytest.raises(GameFileError, match="rounds: with restart, end says when the game is over"):
        make_definition(text, "legs.toml")


ASKED = (
    SETS
    + """
[[points.checks]]
when = "max(all_hand) < 12"
text = "Nobody takes twelve"
ask = true
"""
)


def test_the_log_says_that_everybody_begins_again() -> None:
    definition = make_definition(ASKED, "sets.toml")
    asked = definition.create_game(2, Seat(0), definition.settings_model())
    for seat, number in ((0, 12), (1, 3)):
        asked = asked.play(Move("enter", Seat(seat), (number,)))
    confirm, correction = Move("confirm"), Correction("entry", Seat(0), (11,), (1,))
    line = definition.describe(asked, confirm, asked.play(confirm), NAMES)
    assert line == "It was so, everybody begins again"
    line = definition.describe(asked, correction, asked.correct(correction), NAMES)
    assert line == "Corrected: Ada: points, 12 to 11, everybody begins again"
