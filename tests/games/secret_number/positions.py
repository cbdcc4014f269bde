"""Helpers of the Secret Number tests: random games and refusals; positions come from the gallery."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from companion.api import IllegalMove, Move
from companion.gallery.fixtures import SEAT_LETTERS, parse_move, play_moves
from companion.games.secret_number import SecretNumber
from companion.games.secret_number.samples import new_game
from tests.games.random_play import play_randomly

NAMES = ("Ada", "Bob", "Cleo", "Dan", "Eve")
MAX_MOVES = 5000
MOVE_WEIGHTS = {"again": 0.2, "wait": 0.2, "end": 0.5, "fix": 0.15, "insert": 0.2, "remove": 0.3, "earlier": 0.3}
"""Weights of moves, where 1 is usual, so that random games end."""


def answer_bonuses(game: SecretNumber, bonuses: str) -> SecretNumber:
    """Enter the display bonus of each player who is asked for it.

    Args:
        game: match in which somebody is asked for a bonus; else it is returned unchanged.
        bonuses: letter and bonus (1 to 3) of each player ("A1 B2 C3").

    Raises:
        KeyError: a player is asked who has no entry in `bonuses`.
        IllegalMove: a bonus is not 1 to 3.
    """
    answers = {SEAT_LETTERS.index(answer[0]): answer[1] for answer in bonuses.split()}
    while game.bonus_seat is not None:
        game = play_moves(game, f"bonus {game.bonus_seat} {answers[game.bonus_seat]}")
    return game


def check_refused(game: SecretNumber, text: str, rule: str) -> None:
    """Check that the move is not listed and refused with that rule."""
    assert parse_move(text) not in game.list_moves()
    with pytest.raises(IllegalMove, match=rf"^{rule}: "):
        game.play(parse_move(text))


def any_move(game: SecretNumber, random: Random) -> Move:
    moves = game.list_moves()
    return random.choices(moves, [MOVE_WEIGHTS.get(m.kind, 1.0) for m in moves])[0]


def steps(players: int, seed: int, **settings: Any) -> Iterator[tuple[SecretNumber, Move, SecretNumber]]:
    """Play a random match; yield (game before, move, game after)."""
    random = Random(seed)
    game = new_game(players, **settings)
    yield from play_randomly(game, random, any_move, MAX_MOVES)
