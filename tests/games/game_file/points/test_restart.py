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
