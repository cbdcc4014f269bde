"""Moves and corrections that the rules refuse, and why."""

from __future__ import annotations

import pytest

from companion.api import BadCorrection, Correction, Game, IllegalMove, Move, Seat
from companion.testing.checks import is_legal


def find_reason(game: Game, move: Move) -> str:
    """Return the rule and the whole sentence with which a move is refused; a move that is played has none."""
    assert not is_legal(game, move)
    try:
        game.play(move)
    except IllegalMove as refusal:
        return str(refusal)
    return f"{move} was played"


def check_not_corrected(game: Game, kind: str, *value: int, seat: int | None = None, why: str | None = None) -> None:
    """Check that a correction, by its stored kind, is refused; `why` is a regular expression of the reason."""
    with pytest.raises(BadCorrection, match=why):
        game.correct(Correction.from_stored(kind, None if seat is None else Seat(seat), value))
