"""Random games for the tests of each game: moves that its own function draws, and corrections among them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

import pytest

from companion.api import AnyGameDefinition, Move
from companion.testing.checks import correct_at_random

DrawMove = Callable[[Any, Random], Move]
"""Draws a legal move of a game."""


def play_randomly(
    game: Any, random: Random, draw_move: DrawMove, max_moves: int = 5000
) -> Iterator[tuple[Any, Move, Any]]:
    """Play to the end; yield (game before, move, game after)."""
    for _ in range(max_moves):
        if game.compute_outcome() is not None:
            return
        move = draw_move(game, random)
        after = game.play(move)
        yield game, move, after
        game = after
    pytest.fail(f"no end after {max_moves} moves")


def play_and_correct(
    definition: AnyGameDefinition,
    names: Sequence[str],
    game: Any,
    random: Random,
    draw_move: DrawMove,
    share: float,
    max_steps: int,
) -> Iterator[Any]:
    """Play until the end or for `max_steps`, this share of them corrections; yield the game after each that counted."""
    for _ in range(max_steps):
        if game.compute_outcome() is not None:
            return
        if random.random() < share:
            done = correct_at_random(definition, names, game, random)
            if done is None:
                continue
            game = done.game
        else:
            game = game.play(draw_move(game, random))
        yield game
