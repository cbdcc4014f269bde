"""A short language for Secret Number tests: whole games played at random; positions are the gallery's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import pytest

from companion.gallery.fixtures import SEAT_LETTERS, parse_move, play_moves  # noqa: F401 - handed on to the tests
from companion.gallery.secret_number import (  # noqa: F401 - handed on to the tests
    answer_bonuses,
    lay_cards,
    new_game,
    start_round,
    turn_cards,
)
from companion.games.api.game import IllegalMove, Move
from companion.games.secret_number import GAME, SecretNumber
from tests.games.game_checks import label_all

NAMES = ("Ada", "Bob", "Cleo", "Dan", "Eve")
LONGEST = 5000
TASTE = {"again": 0.2, "wait": 0.2, "end": 0.5, "fix": 0.15, "insert": 0.2, "remove": 0.3, "earlier": 0.3}
"""How often a move is played where 1 is usual, so that random games end."""


def refused(game: SecretNumber, text: str, rule: str) -> None:
    """The move is not listed, and refused with that rule's number."""
    assert parse_move(text) not in game.list_moves()
    with pytest.raises(IllegalMove, match=rf"^{rule}: "):
        game.play(parse_move(text))


def any_move(game: SecretNumber, random: Random) -> Move:
    moves = game.list_moves()
    return random.choices(moves, [TASTE.get(m.kind, 1.0) for m in moves])[0]


def steps(players: int, seed: int, **settings: Any) -> Iterator[tuple[SecretNumber, Move, SecretNumber]]:
    """A random match, as (before, move, after)."""
    random = Random(seed)
    game = new_game(players, **settings)
    for _ in range(LONGEST):
        if game.compute_outcome() is not None:
            return
        move = any_move(game, random)
        after = game.play(move)
        yield game, move, after
        game = after
    pytest.fail(f"no end after {LONGEST} moves")


def everything_said(game: SecretNumber, names: Sequence[str] = NAMES) -> tuple[object, ...]:
    """All that leaves the rules in one state: picture, sentence, scores, keys, menu, clocks."""
    from companion.games.api.offers import Visibility

    return (
        game.build_view(),
        GAME.prompt(game, names),
        game.compute_scores(),
        GAME.list_offers(game, names, Visibility()),
        label_all(GAME, game, names),
        game.list_correctables(),
        game.list_clocks(),
        game.compute_outcome(),
    )
