"""Fixtures for Macroscope tests: states built by hand, moves written as text, a table with a camera."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from companion.api import IllegalMove, Move, Seat
from companion.games.macroscope import GAME, Macroscope, Settings
from companion.games.macroscope.state import Phase

Play = Callable[..., Macroscope]
At = Callable[..., Macroscope]


def as_move(text: str) -> Move:
    """ "remove 0 2": seat 0 takes a 2; "cover": no seat."""
    kind, *numbers = text.split()
    seat = Seat(int(numbers[0])) if numbers else None
    return Move(kind, seat, tuple(int(n) for n in numbers[1:]))


@pytest.fixture(scope="session")
def move() -> Callable[[str], Move]:
    return as_move


@pytest.fixture(scope="session")
def play() -> Play:
    """`play(game, "roll 0 2 5", "remove 0 2", ...)`."""

    def _play(game: Macroscope, *moves: str) -> Macroscope:
        for text in moves:
            game = game.play(as_move(text))
        return game

    return _play


@pytest.fixture(scope="session")
def at() -> At:
    """`at((5, 2), active_seat=1, tokens=(...), settings={...})`: a game with these crystals, and fields replaced."""

    def _at(crystals: tuple[int, ...], settings: dict[str, Any] | None = None, **fields: Any) -> Macroscope:
        game = Macroscope.create(len(crystals), Seat(0), Settings(**(settings or {})))
        return replace(game, crystals=crystals, **fields)

    return _at


@pytest.fixture(scope="session")
def refused() -> Callable[[Macroscope, str, str], None]:
    """`refused(game, "guess 1", "M15")`: the move is not listed, and refused with that rule's number."""

    def _refused(game: Macroscope, text: str, rule: str) -> None:
        assert not any(m.allows(as_move(text)) for m in game.list_moves())
        with pytest.raises(IllegalMove, match=rf"^{rule}: "):
            game.play(as_move(text))

    return _refused


@pytest.fixture
def macroscope(table: Any) -> Callable[..., Any]:
    """A table of Ada, Bob and Cleo with a camera, after Ada has rolled 2 and 5 and taken a 2."""

    def make(players: int = 3, **settings: Any) -> Any:
        made = table(players, definition=GAME, **settings)
        if made.game.phase is Phase.ROLL:
            made.roll(2, 5)
        made.take_token(2)
        return made

    return make
