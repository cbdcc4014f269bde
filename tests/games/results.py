"""The results of games."""

from __future__ import annotations

from companion.api import Game, Seat


def find_winners(game: Game) -> tuple[Seat, ...]:
    """Return the winners of a game that is over."""
    outcome = game.compute_outcome()
    assert outcome is not None
    return tuple(outcome.winners)
