"""The shipped games with dice, and random games of them."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from companion.api import Move, Seat
from companion.api.registry import find_game
from companion.games.game_file.dice.game import DiceGame

NAMES = ("Ada", "Bob", "Cleo", "Dan", "Eve", "Finn")
DICE_GAMES = ("bunco", "farkle", "pig", "ten_thousand", "yacht", "yahtzee")


def new_game(name: str, players: int, first: int = 0, **options: int) -> DiceGame:
    definition = find_game(name)
    game: Any = definition.create_game(players, Seat(first), definition.settings_model.model_validate(options))
    return game


def draw_move(game: DiceGame, random: Random) -> Move:
    """Choose a kind first, so that the many ways to set dice aside do not crowd out the others."""
    moves = game.list_moves()
    kind = random.choice(sorted({move.kind for move in moves}))
    if kind == "return" and random.random() < 0.8:
        kind = next(move.kind for move in moves if move.kind != "return")
    move = random.choice([each for each in moves if each.kind == kind])
    if move.value_range is None:
        return move
    limits = move.value_range
    return move.fill(*(random.randint(limits.low, limits.high) for _ in range(limits.count)))


def steps(game: DiceGame, random: Random) -> Iterator[tuple[DiceGame, Move, DiceGame]]:
    """Play a random game: what was, the move, what is."""
    while game.compute_outcome() is None:
        move = draw_move(game, random)
        after = game.play(move)
        yield game, move, after
        game = after
