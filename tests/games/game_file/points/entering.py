"""Games of points in files for the tests: at their start, and after numbers were entered."""

from __future__ import annotations

from typing import Any

from companion.api import AnyGameDefinition, Move, Seat
from companion.api.registry import find_game


def new_game(game: str | AnyGameDefinition, players: int, first: int = 0, **options: int) -> Any:
    """Return a game at its start, by its name or its definition."""
    definition = find_game(game) if isinstance(game, str) else game
    return definition.create_game(players, Seat(first), definition.settings_model.model_validate(options))


def enter(game: Any, *entered: tuple[int, int]) -> Any:
    """Enter numbers, each with the seat of its player."""
    for seat, number in entered:
        game = game.play(Move("enter", Seat(seat), (number,)))
    return game


def enter_for(game: Any, seat: int, *numbers: int) -> Any:
    """Enter numbers of one player."""
    return enter(game, *((seat, number) for number in numbers))


def enter_in_turn(game: Any, *numbers: int) -> Any:
    """Enter numbers, each for the player whose turn it is."""
    for number in numbers:
        game = enter(game, (game.active_seat, number))
    return game
