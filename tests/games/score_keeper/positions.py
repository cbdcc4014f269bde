"""Helpers of the score keeper's tests: random games; positions come from the gallery."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from companion.api import Move
from companion.games.score_keeper import ScoreKeeper
from companion.games.score_keeper.samples import new_game
from tests.games.random_play import play_randomly

NAMES = ("Ada", "Bob", "Cleo", "Dan", "Eve", "Finn")
MAX_MOVES = 5000
MOVE_WEIGHTS = {"end": 0.05, "round": 0.5, "add": 0.6}
"""Weights of moves, where 1 is usual, so that random games have several rounds."""


def draw_rules(random: Random) -> dict[str, Any]:
    """Return settings at random: usual ones more often than not."""
    rules: dict[str, Any] = {"turn_order": random.choice(("none", "clockwise", "auction"))}
    possible: dict[str, tuple[Any, ...]] = {
        "target_points": (1, 50, 1000),
        "by_rounds": (True,),
        "rounds": (1, 3),
        "lowest_wins": (True,),
        "teams": (True,),
        "clock": ("turn", "chess", "sand_glass"),
        "turn_seconds": (5, 90),
        "grace_seconds": (10,),
        "extra_seconds": (5, 60),
        "extra_time": ("bronstein", "fischer"),
        "overtime_turns": (3,),
        "komi_halves": (12, 13),
        "overtime_seconds": (0, 60),
        "overtime_periods": (2, 5),
        "bank_seconds": (30, 600),
        "time_up": ("next_player", "lose"),
    }
    return rules | {name: random.choice(values) for name, values in possible.items() if random.random() < 0.4}


def any_move(game: ScoreKeeper, random: Random) -> Move:
    moves = game.list_moves()
    move = random.choices(moves, [MOVE_WEIGHTS.get(m.kind, 1.0) for m in moves])[0]
    limits = move.value_range
    if limits is None:
        return move
    return move.fill(random.randint(limits.low, min(limits.high, 3000)))


def steps(players: int, seed: int, **settings: Any) -> Iterator[tuple[ScoreKeeper, Move, ScoreKeeper]]:
    """Play a random game; yield (game before, move, game after)."""
    random = Random(seed)
    game = new_game(players, **settings)
    yield from play_randomly(game, random, any_move, MAX_MOVES)
