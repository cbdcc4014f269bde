"""Who has won a game of entered points, where everybody stands, and that the sentences say why."""

from __future__ import annotations

from typing import Any

import pytest

from companion.api import Move
from companion.api.registry import find_game
from companion.games.game_file.definition import make_definition
from tests.games.game_file.own_file import MINE, STARS
from tests.games.game_file.points.entering import enter, new_game

NAMES = ("Ada", "Bob", "Cy", "Dee")
MONSTERS = """
name = "monsters"
title = "Monsters"
players_min = 2
players_max = 3
[points]
order = "turns"
score = "gained"
end = "score >= 20"
out = "hearts <= 0"
[[points.kept]]
id = "hearts"
name = "Hearts"
start = 10
next = "hearts - lost"
[[points.entries]]
id = "gained"
name = "points"
high = 20
[[points.entries]]
id = "lost"
name = "hearts lost"
high = 12
"""
BY_SCORE = "The highest score wins: 30 points."
OWN_RULE = "This game's own rule decides, not the score alone."


def play(game: Any, *turns: tuple[int, ...]) -> Any:
    """Enter the numbers of each turn: of whoever is to enter something, the first one."""
    for numbers in turns:
        seat = game.active_seat if game.has_turns else game.seats_to_enter[0]
        for number in numbers:
            game = game.play(Move("enter", seat, (number,)))
    return game


def describe_end(definition: Any, game: Any) -> tuple[str, str, tuple[int, ...]]:
    """Return the result, the reason and the places."""
    outcome = game.compute_outcome()
    return definition.format_result(game, NAMES), outcome.reason, outcome.places


def end_file(source: str, *turns: tuple[int, ...], players: int = 3) -> tuple[str, str, tuple[int, ...]]:
    """Play the game of a file to its end; `turns` as in `play`."""
    definition: Any = make_definition(source, "game.toml")
    return describe_end(definition, play(new_game(definition, players), *turns))


def end_shipped(name: str, players: int, *turns: tuple[int, ...], **options: int) -> tuple[str, str, tuple[int, ...]]:
    """Play a game of the shelf to its end; `turns` as in `play`."""
    definition = find_game(name)
    return describe_end(definition, play(new_game(definition, players, **options), *turns))


def test_the_last_player_wins_because_the_others_are_out() -> None:
    end = end_file(MONSTERS, (1, 0), (10, 10), (5, 10))
    assert end == ("Ada wins", "The others are out.", (1, 2, 3))


def test_the_best_of_those_who_are_in_wins() -> None:
    end = end_file(MONSTERS.replace("20", "12"), (1, 0), (11, 10), (12, 0))
    assert end == ("Cy wins with 12", "The highest score wins: 12 points.", (2, 3, 1))
    end = end_file(MONSTERS.replace('end = "score >= 20"', "rounds = 1"), (1, 0), (11, 10), (5, 0))
    assert end == ("Cy wins", "The best score of those who are not out wins: 5.", (2, 3, 1))


@pytest.mark.parametrize(
    ("rank", "entered", "result", "reason", "places"),
    [
        ("score", [(30, 2), (20, 1), (30, 0)], "Ada and Cy share the victory with 30", BY_SCORE, ()),
        ("score", [(30, 2), (20, 1), (10, 0)], "Ada wins with 30", BY_SCORE, ()),
        # A number that is kept decides the whole order.
        ("stars", [(19, 2), (20, 1), (30, 0)], "Ada wins, Stars 2 to 1", "{}, not by the score.", (1, 2, 3)),
        ("-stars", [(19, 1), (20, 2), (30, 3)], "Ada wins, Stars 1 to 2", "{}, not by the score.", (1, 2, 3)),
        ("100 * stars + score", [(19, 2), (20, 1)], "Ada wins, Stars 2 to 1", "{}, not by the score.", (1, 2)),
        # Even where the score says the same by chance.
        ("stars", [(30, 2), (20, 1), (9, 0)], "Ada wins, Stars 2 to 1", "{}, not by the score.", (1, 2, 3)),
        ("stars", [(30, 2), (30, 1)], "Ada wins, Stars 2 to 1", "{}, not by the score.", (1, 2)),
        ("stars", [(9, 2), (20, 1), (30, 2)], "Ada and Cy share the victory, Stars 2 to 1", "{}, not by the score.",
         (1, 3, 1)),
        # It decides, and among those who are level in it the score.
        ("100 * stars + score", [(19, 2), (15, 2), (30, 1)], "Ada wins with 19, Stars 2 to 1",
         "{}, then by the score.", (1, 2, 3)),
        # It tells equal scores apart.
        ("10 * score + stars", [(30, 2), (20, 1), (30, 0)], "Ada wins with 30, Stars 2 to 0",
         "Equal scores: {}.", (1, 3, 2)),
        ("10 * score - stars", [(30, 2), (20, 1), (30, 0)], "Cy wins with 30, Stars 0 to 2",
         "Equal scores: {}.", (2, 3, 1)),
        ("10 * score + moons", [(30, 2, 5), (30, 1, 4)], "Ada wins with 30, Moons: 5 to 4",
         "Equal scores: decided by Moons.", (1, 2)),
        # Among those behind, too.
        ("10 * score + stars", [(30, 2), (20, 1), (20, 2)], "Ada wins with 30", BY_SCORE, (1, 3, 2)),
        # Several numbers, or none of its own: the file says it.
        ("100 * score + 10 * stars + moons", [(30, 2, 1), (30, 1, 0), (30, 2, 0)], "Ada wins", OWN_RULE, (1, 3, 2)),
        ("stars + moons", [(19, 3, 2), (30, 4, 0)], "Ada wins", OWN_RULE, (1, 2)),
        ("if(score > 21, 0, score)", [(19,), (30,), (22,)], "Ada wins", OWN_RULE, (1, 2, 2)),
        ("if(score > 21, 0, score)", [(25,), (30,), (22,)], "Ada, Bob and Cy share the victory", OWN_RULE, (1, 1, 1)),
    ],
)  # fmt: skip
def test_what_decides_is_said(
    rank: str, entered: list[tuple[int, ...]], result: str, reason: str, places: tuple[int, ...]
) -> None:
    turns = [(*numbers, 0, 0)[:3] for numbers in entered]
    reason = reason.format("Decided by Stars" if reason[0] == "{" else "decided by Stars")
    end = end_file(STARS.replace("RANK", rank), *turns, players=len(turns))
    assert end == (result, reason, places)


def test_the_files_own_sentence_says_what_nothing_else_does() -> None:
    rules = 'players_max = 4\nrules = ["Collect.", "Stars and moons win, from {least} on."]'
    option = '[[options]]\nid = "least"\nname = "Least"\ndefault = 7\nlow = 1\nhigh = 9\n[points]'
    source = STARS.replace("RANK", "stars + moons").replace("players_max = 4", rules).replace("[points]", option)
    assert end_file(source, (19, 3, 2), (30, 4, 0), players=2)[1] == "Stars and moons win, from 7 on."


def test_who_is_out_does_not_win_by_stars() -> None:
    source = STARS.replace('rank = "RANK"', 'rank = "stars"\nout = "moons > 0"')
    end = end_file(source, (9, 2, 0), (5, 1, 0), (7, 9, 1))
    assert end == ("Ada wins, Stars 2 to 1", "Decided by Stars, not by the score.", (1, 2, 3))


def test_a_thing_that_decides_is_named_without_a_number() -> None:
    flag = (
        '[[points.flags]]\nid = "road"\nname = "Longest road"\ntakes = "star == 9"\n[[points.entries]]\nid = "points"'
    )
    source = STARS.replace("RANK", "10 * score + road").replace('[[points.entries]]\nid = "points"', flag)
    end = end_file(source, (30, 0, 0), (30, 9, 0), players=2)
    assert end == ("Bob wins with 30, Longest road", "Equal scores: decided by Longest road.", (2, 1))


def test_legs_are_counted_in_the_sentence() -> None:
    leg = ((180,), (60,), (81,), (60,), (40, 1))
    # The second leg begins with Bob.
    end = end_shipped("darts_501", 2, *leg, (60,), (180,), (60,), (81,), (60,), (40, 1), goal=301, legs=2)
    assert end == ("Ada wins, Legs 2 to 0", "Decided by Legs, not by the score.", (1, 2))
    end = end_shipped("darts_501", 2, *leg, goal=301, legs=1)
    assert end == ("Ada wins with 0", "The lowest score wins: 0 points.", ())


def test_the_last_phase_wins_before_fewer_points() -> None:
    turns = (1, 50), (1, 5), (1, 5), (1, 5), (1, 0), (0, 0)
    end = end_shipped("phase_10", 2, *turns, last=3)
    assert end == ("Ada wins, Phase 4 to 3", "Decided by Phase, not by the score.", (1, 2))


def test_coins_decide_between_equal_points() -> None:
    rest = (0,) * 7
    end = end_shipped("seven_wonders", 3, (5, 3, *rest), (6, 0, *rest), (1, 0, *rest))
    assert end == ("Ada wins with 6, Coins 3 to 0", "Equal scores: decided by Coins.", (1, 2, 3))
    end = end_shipped("seven_wonders", 3, (7, 3, *rest), (6, 0, *rest), (1, 0, *rest))
    assert end == ("Ada wins with 8", "The highest score wins: 8 points.", ())


def test_places_before_the_end_are_those_that_the_same_scores_have_at_the_end() -> None:
    leg = ((180,), (60,), (81,), (60,), (40, 1))
    darts = play(new_game(find_game("darts_501"), 2, goal=301, legs=2), *leg, (180,), (60,))
    assert (darts.totals, darts.places) == ((241, 121), (1, 2)), "a leg counts more than points"
    hearts: Any = make_definition(MONSTERS, "monsters.toml")
    assert play(new_game(hearts, 3), (1, 0), (10, 10), (5, 0)).places == (2, 3, 1), "out with the most points"


def test_rounds_that_add_up_to_0_for_all_are_shared_but_without_a_round_nobody_has_scored() -> None:
    definition = make_definition(MINE.replace("high = 99", "low = -5\nhigh = 99"), "mine.toml")
    game = new_game(definition, 2)
    assert definition.format_prompt(game.play(Move("end")), NAMES) == "Nobody has scored"
    for numbers in ((5, -5), (-5, 5)):
        game = enter(game, *enumerate(numbers))
    assert definition.format_prompt(game.play(Move("end")), NAMES) == "Ada and Bob share the victory with 0"
