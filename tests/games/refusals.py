"""Why the rules refuse a move, as text."""

from __future__ import annotations

from companion.api import Game, IllegalMove, Move
from companion.testing.checks import is_legal


def find_reason(game: Game, move: Move) -> str:
    """Return the rule and the whole sentence with which a move is refused; a move that is played has none."""
    assert not is_legal(game, move)
    try:
        game.play(move)
    except IllegalMove as refusal:
        return str(refusal)
    return f"{move} was played"
