"""What players keep in games with dice, jokers and extra bonuses (G44, G52, G53, G72), beside plain scorings."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from companion.api import Correction, IllegalMove, Move, Seat
from companion.api.registry import find_game
from companion.games.game_file.definition import make_definition

UPPER = ("ones", "twos", "threes", "fours", "fives", "sixes")
LOWER = ("three_alike", "four_alike", "full_house", "short_run", "long_run", "yahtzee", "chance")

UNLUCKY = """
name = "unlucky"
title = "Unlucky"
players_min = 1
players_max = 6
[dice]
count = 1
points = "100 * sum(dice)"
bust = "count(dice, 1) > 0"
score = "points - 500 * (bust and lost == 2)"
target = 5000
[[dice.kept]]
id = "lost"
name = "Lost turns"
next = "if(bust and lost < 2, lost + 1, 0)"
"""


def new_game(definition: Any, players: int) -> Any:
    return definition.create_game(players, Seat(0), definition.settings_model())


class PlainYahtzee:
    """One player's sheet."""

    def __init__(self) -> None:
        self.boxes: dict[str, int] = {}
        self.extra = 0

    def list_open(self, dice: tuple[int, ...]) -> list[str]:
        """The boxes that the official forced joker rule leaves."""
        free = [box for box in (*UPPER, *LOWER) if box not in self.boxes]
        own = UPPER[dice[0] - 1]
        if len({*dice}) == 1 and "yahtzee" in self.boxes and own in free:
            return [own]
        return free

    def fill(self, box: str, dice: tuple[int, ...]) -> None:
        counts = sorted(Counter(dice).values())
        five = counts == [5]
        joker = five and "yahtzee" in self.boxes
        if joker and self.boxes["yahtzee"] == 50:
            self.extra += 100
        runs = [{*range(first, first + 4)} <= {*dice} for first in (1, 2, 3)]
        long_run = {*dice} in ({1, 2, 3, 4, 5}, {2, 3, 4, 5, 6})
        self.boxes[box] = {
            "three_alike": sum(dice) * (counts[-1] >= 3),
            "four_alike": sum(dice) * (counts[-1] >= 4),
            "full_house": 25 * (counts == [2, 3] or joker),
            "short_run": 30 * (any(runs) or joker),
            "long_run": 40 * (long_run or joker),
            "yahtzee": 50 * five,
            "chance": sum(dice),
            **{name: dice.count(i) * i for i, name in enumerate(UPPER, 1)},
        }[box]

    @property
    def total(self) -> int:
        upper = sum(self.boxes.get(box, 0) for box in UPPER)
        return sum(self.boxes.values()) + 35 * (upper >= 63) + self.extra


@pytest.mark.parametrize("seed", range(6))
def test_yahtzee_as_the_plain_sheet_has_it(seed: int) -> None:
    random = Random(seed)
    yahtzee = find_game("yahtzee")
    game, sheets = new_game(yahtzee, 2), [PlainYahtzee(), PlainYahtzee()]
    ids = [category.id for category in game.rules.model.categories]
    extra = 0
    while not game.is_over:
        seat = game.active_seat
        alike = (random.randint(1, 6),) * 5
        dice = random.choice((alike, alike, tuple(random.randint(1, 6) for _ in range(5)), (2, 3, 4, 5, 6)))
        game = game.play(Move("throw", seat, dice))
        legal = {ids[move.value[0] - 1] for move in game.list_moves() if move.kind == "choose"}
        assert legal == {*sheets[seat].list_open(dice)}
        wanted = [box for box in ("yahtzee",) if box in legal and dice == alike and random.random() < 0.7]
        box = random.choice(wanted or sorted(legal))
        sheets[seat].fill(box, dice)
        game = game.play(Move("choose", seat, (ids.index(box) + 1,)))
        assert game.totals == tuple(sheet.total for sheet in sheets), (seed, box, dice)
        extra = max(extra, *(sheet.extra for sheet in sheets))
    assert extra > 0, "a further Yahtzee was met"


def test_a_joker_belongs_into_the_box_of_its_number() -> None:
    game = new_game(find_game("yahtzee"), 1)
    game = game.play(Move("throw", Seat(0), (4,) * 5)).play(Move("choose", Seat(0), (12,)))
    game = game.play(Move("throw", Seat(0), (6,) * 5))
    with pytest.raises(IllegalMove, match="G53: this throw belongs into another box"):
        game.play(Move("choose", Seat(0), (9,)))
    game = game.play(Move("choose", Seat(0), (6,)))
    assert game.totals == (50 + 30 + 100,)


def test_three_lost_turns_in_a_row_cost_500() -> None:
    game = new_game(make_definition(UNLUCKY, "unlucky.toml"), 1)
    game = game.play(Move("throw", Seat(0), (6,))).play(Move("bank", Seat(0)))
    kept = []
    for _ in range(4):
        game = game.play(Move("throw", Seat(0), (1,)))
        kept.append((game.memory[0][0], game.totals[0]))
    assert kept == [(1, 600), (2, 600), (0, 100), (1, 100)]
    (line,) = [entry for entry in game.list_correctables() if entry.kind == "kept"]
    assert line.current_value == (1,)
    game = game.correct(Correction("kept", Seat(0), (2,), (1,)))
    assert game.play(Move("throw", Seat(0), (1,))).totals == (-400,)
