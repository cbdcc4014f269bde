"""Helpers for Memo Dice tests: rounds written as strings."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from companion.api import Correction, IllegalMove, Move, Seat
from companion.events import MemoColour
from companion.games.memo_dice import MemoDice, Settings
from companion.games.memo_dice.state import Cup, Phase
from tests.games.random_play import play_randomly

NAMES = ("Ada", "Bob", "Cleo", "Dan")
LETTERS = {"R": MemoColour.RED, "B": MemoColour.BLUE, "K": MemoColour.BLACK, "G": MemoColour.GOLD}


def new(players: int = 3, first: int = 0, **settings: Any) -> MemoDice:
    return MemoDice.create(players, Seat(first), Settings(**settings))


def standing(game: MemoDice, *squares: int) -> MemoDice:
    """The pieces on these squares."""
    start = game.settings.start_square
    return replace(game, square_adjustments=tuple(square - start for square in squares))


def roll(game: MemoDice, symbols: str) -> MemoDice:
    """Dice with symbols of these colours, one after the other: "RBK"."""
    for letter in symbols:
        colour = LETTERS[letter]
        die = Move("die", game.active_seat, (int(colour),))
        game = game.play(die if colour in game.coverable_colours else Move("gold", game.active_seat))
        if game.phase is Phase.LOOK:
            game = game.play(Move("cover", game.active_seat))
    return game


def answer(game: MemoDice, answers: str) -> MemoDice:
    """ "+" is right, "-" is wrong: "++-"."""
    for each in answers:
        game = game.play(Move("right" if each == "+" else "miss", game.active_seat))
    return game


def row(letters: str) -> tuple[Cup, ...]:
    return tuple(Cup(LETTERS[letter]) for letter in letters)


def takers(game: MemoDice) -> tuple[int | None, ...]:
    return tuple(cup.owner for cup in game.cup_row)


def corrected(game: MemoDice, kind: str, value: int, seat: int | None = None) -> MemoDice:
    return game.correct(Correction.from_stored(kind, None if seat is None else Seat(seat), (value,)))


def refused(game: MemoDice, move: Move, rule: str) -> None:
    """Not listed, and refused with that rule's number."""
    assert move not in game.list_moves()
    with pytest.raises(IllegalMove, match=rf"^{rule}: "):
        game.play(move)


def any_move(game: MemoDice, random: Random) -> Move:
    return random.choice(game.list_moves())


def states(game: MemoDice, random: Random, most: int = 5000) -> Iterable[tuple[MemoDice, Move, MemoDice]]:
    """Play a random game and yield (before, move, after)."""
    yield from play_randomly(game, random, any_move, most)
