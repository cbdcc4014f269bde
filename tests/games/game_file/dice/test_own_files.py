"""What a user's own file may say in `[dice]` beyond the shipped games, and how its mistakes are refused."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from pydantic import ValidationError

from companion.api import CommonCorrection, Correction, IllegalMove, Move, Seat
from companion.api.registry import find_game
from companion.games.game_file.definition import make_definition
from companion.games.game_file.dice.game import DiceGame
from companion.games.game_file.dice.samples import new_game
from companion.games.game_file.dice.scoring import MAX_POINTS, DiceRules
from companion.games.game_file.dice.state import Phase, TurnEnd
from companion.games.game_file.dice_model import DiceModel
from companion.games.game_file.expressions import ExpressionError

PIG = {"count": 1, "points": "sum(dice)", "bust": "count(dice, 1) > 0", "target": 20}
ONES = {"name": "One", "count": 1, "when": "count(dice, 1) == 1", "points": "100"}
BOX = {"id": "all", "name": "All", "points": "sum(dice)"}
SCORING: dict[str, Any] = {"count": 3, "keep": "scoring", "target": 1000, "combinations": [ONES]}
SHEET: dict[str, Any] = {"count": 2, "throws": 2, "keep": "any", "categories": [BOX]}


def begin(players: int = 2, **dice: Any) -> DiceGame:
    file = {"name": "own", "title": "Own", "players_min": 1, "players_max": 6, "dice": dice}
    return new_game(
        make_definition("\n".join(f"{key} = {to_toml(value)}" for key, value in file.items()), "own.toml"), players
    )


def to_toml(value: Any) -> str:
    """Return a value as TOML writes it within a line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {to_toml(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(to_toml, value)) + "]"
    return json.dumps(value)


def play(game: DiceGame, kind: str, *values: int) -> DiceGame:
    return game.play(Move(kind, game.active_seat, values))


def test_two_dice_pig_loses_all_points() -> None:
    game = begin(count=2, points="sum(dice)", bust="count(dice, 1) == 1", lose_all="count(dice, 1) == 2", target=100)
    game = play(play(game, "throw", 6, 5), "bank")
    assert game.totals == (11, 0)
    game = play(game, "throw", 1, 3)
    assert (game.totals, game.active_seat) == ((11, 0), 0)
    game = play(game, "throw", 1, 1)
    assert game.totals == (0, 0)
    assert game.ended_turn is not None
    assert (game.ended_turn.end, game.ended_turn.points) == (TurnEnd.LOST_ALL, 11)
    assert game.changes == (-11, 0)


def test_dice_kept_without_a_sheet_score_at_the_last_throw() -> None:
    game = begin(count=3, throws=2, keep="any", points="if(kinds(dice) == 1, 100, max(dice))", rounds={"count": 1})
    game = play(play(game, "throw", 4, 4, 2), "keep", 4, 4)
    game = play(game, "throw", 4)
    assert game.totals == (100, 0)
    game = play(game, "throw", 6, 1, 2)
    assert game.bank_points == 6
    game = play(game, "bank")
    assert game.totals == (100, 6)
    assert game.compute_outcome() is not None


def test_target_ends_at_once() -> None:
    game = play(play(begin(**PIG, last_round="none"), "throw", 6), "throw", 6)
    game = play(play(game, "throw", 6), "throw", 6)
    assert play(game, "bank").is_over


def test_target_lets_the_others_have_one_more_turn() -> None:
    game = begin(3, **{**PIG, "target": 5}, last_round="others")
    game = play(play(game, "throw", 3), "bank")
    game = play(play(game, "throw", 6), "bank")
    assert game.is_last_round
    game = play(play(game, "throw", 4), "bank")
    game = play(play(game, "throw", 4), "bank")
    assert game.is_over
    assert game.leaders == (0,)


def test_fewest_points_win() -> None:
    game = begin(count=1, points="sum(dice)", throws=1, bank=False, lowest_wins=True, rounds={"count": 1})
    game = play(play(game, "throw", 5), "throw", 2)
    outcome = game.compute_outcome()
    assert outcome is not None
    assert (outcome.winners, outcome.lowest_wins) == ((1,), True)


def test_turn_ends_when_all_dice_have_scored() -> None:
    game = play(play(begin(**SCORING, hot_dice="end"), "throw", 1, 1, 1), "keep", 1, 1, 1)
    assert [move.kind for move in game.list_moves()] == ["bank", "early throw"]
    with pytest.raises(IllegalMove, match=r"^G37: no dice are left"):
        play(game, "throw", 1, 1, 1)
    assert play(game, "bank").totals == (300, 0)


def test_too_few_points_do_not_count_where_nothing_else_is_left() -> None:
    game = begin(**SCORING, throws=1, least_bank=500)
    game = play(game, "throw", 1, 2, 2)
    game = play(game, "keep", 1)
    assert game.bank_points == 100
    assert play(game, "bank").totals == (0, 0)


def test_sheet_of_a_player_who_was_away_is_filled_later() -> None:
    game = begin(**SHEET)
    game = game.correct(Correction(CommonCorrection.AWAY, Seat(1), (1,)))
    game = play(play(game, "throw", 6, 6), "choose", 1)
    assert game.is_over
    game = begin(**{**SHEET, "categories": [BOX, {**BOX, "id": "more"}]})
    game = game.correct(Correction(CommonCorrection.AWAY, Seat(1), (1,)))
    game = play(play(game, "throw", 6, 6), "choose", 1)
    game = game.correct(Correction(CommonCorrection.AWAY, Seat(1), (0,)))
    game = play(play(game, "throw", 6, 6), "choose", 2)
    assert (game.active_seat, game.is_over) == (1, False)
    game = play(play(game, "throw", 1, 1), "choose", 1)
    game = play(play(game, "throw", 1, 1), "choose", 2)
    assert game.is_over
    assert game.totals == (24, 4)


def test_last_throw_is_to_be_scored() -> None:
    game = play(begin(**SHEET), "throw", 3, 4)
    assert game.phase is Phase.DECIDE
    game = play(play(game, "keep", 4), "throw", 5)
    assert game.phase is Phase.CHOOSE
    with pytest.raises(IllegalMove, match=r"^G31: all throws are made"):
        play(game, "throw", 5)
    with pytest.raises(IllegalMove, match=r"^G31: all throws are made"):
        play(game, "keep", 5)


def test_round_says_what_is_special_in_it() -> None:
    bunco = find_game("bunco")
    game = new_game(bunco, 2)
    assert (
        bunco.format_prompt(replace(game, round_number=4), ("Ada", "Bob"))
        == "Ada: throw 3 dice, enter them · each 4 scores"
    )
    assert bunco.format_prompt(replace(game, is_over=True), ("Ada", "Bob")) == "Nobody has scored"


def test_points_stay_within_their_limits() -> None:
    game = begin(count=1, points="9999999 * sum(dice)", throws=1, rounds={"count": 1})
    assert play(game, "throw", 6).totals == (MAX_POINTS, 0)


@pytest.mark.parametrize(
    ("dice", "reason"),
    [
        ({**SCORING, "count": 7}, "at most 6 dice can be set aside"),
        ({**SCORING, "sides": 8}, "dice that are set aside have 6"),
        ({**SCORING, "combinations": []}, "needs at least one"),
        ({**PIG, "combinations": [ONES]}, 'they need keep = "scoring"'),
        ({**SCORING, "points": "1"}, "the combinations score"),
        ({**SHEET, "throws": 0}, "a turn has a number of throws"),
        ({**SHEET, "target": 9}, "when all boxes are filled"),
        ({**SHEET, "bust": "1"}, "no turn is lost"),
        ({**SHEET, "points": "1"}, "the boxes score"),
        ({**SHEET, "rounds": {"count": 2}}, "a round for each box"),
        ({**SHEET, "categories": [BOX, BOX]}, "the same id"),
        ({**SHEET, "categories": [{**BOX, "id": "or"}]}, "cannot be an id"),
        ({**SHEET, "categories": [{**BOX, "name": "Nothing in particular"}]}, "does not fit on a key"),
        ({**PIG, "bonuses": [{"name": "B", "when": "1", "points": 5}]}, "they need categories"),
        ({**PIG, "points": ""}, "nothing scores"),
        ({**PIG, "target": 0}, "needs an end"),
        ({**PIG, "bank": False}, "needs an end"),
        ({**SCORING, "combinations": [{**ONES, "count": 4}]}, "more dice than there are"),
        ({**PIG, "count": 41}, "less than or equal to 40"),
        ({**PIG, "throw": 3}, "Extra inputs"),
    ],
)
def test_mistakes_are_refused(dice: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValidationError, match=reason):
        DiceModel.model_validate(dice)


@pytest.mark.parametrize(
    "dice",
    [
        {**PIG, "points": "sum(dise)"},
        {**PIG, "bust": "ones > 3"},
        {**SCORING, "combinations": [{**ONES, "points": "score"}]},
        {**SHEET, "bonuses": [{"name": "B", "when": "sum(dice) > 3", "points": 5}]},
    ],
)
def test_wrong_expressions_are_found_before_the_game(dice: dict[str, Any]) -> None:
    with pytest.raises(ExpressionError):
        DiceRules(DiceModel.model_validate(dice))
