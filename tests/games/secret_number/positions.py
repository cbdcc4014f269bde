"""A short language for Secret Number tests: whole games played at random; positions are the gallery's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import pytest

from companion.gallery.secret_number_positions import LETTERS, as_move, in_round, laid, new, play, turned, with_bonuses  # noqa: F401 - handed on to the tests
from companion.games.api.game import IllegalMove, Move
from companion.games.secret_number import KIT, SecretNumber

NAMES = ("Ada", "Bob", "Cleo", "Dan", "Eve")
LONGEST = 5000
TASTE = {"again": 0.2, "wait": 0.2, "end": 0.5, "fix": 0.15, "insert": 0.2, "remove": 0.3, "earlier": 0.3}
"""How often a move is played where 1 is usual, so that random games end."""


def refused(game: SecretNumber, text: str, rule: str) -> None:
    """The move is not listed, and refused with that rule's number."""
    assert as_move(text) not in game.moves()
    with pytest.raises(IllegalMove, match=rf"^{rule}: "):
        game.play(as_move(text))


def any_move(game: SecretNumber, random: Random) -> Move:
    moves = game.moves()
    return random.choices(moves, [TASTE.get(m.kind, 1.0) for m in moves])[0]


def steps(players: int, seed: int, **settings: Any) -> Iterator[tuple[SecretNumber, Move, SecretNumber]]:
    """A random match, as (before, move, after)."""
    random = Random(seed)
    game = new(players, **settings)
    for _ in range(LONGEST):
        if game.outcome() is not None:
            return
        move = any_move(game, random)
        after = game.play(move)
        yield game, move, after
        game = after
    pytest.fail(f"no end after {LONGEST} moves")


def everything_said(game: SecretNumber, names: Sequence[str] = NAMES) -> tuple[object, ...]:
    """All that leaves the rules in one state: picture, sentence, scores, keys, menu, clocks."""
    from companion.games.api.offers import Sight

    return (
        game.view(),
        KIT.sentence(game, names),
        game.scores(),
        KIT.offers(game, names, Sight()),
        KIT.correctable_words(game, names),
        game.correctables(),
        game.clocks(),
        game.outcome(),
    )
