"""Throws of a game with dice, for the statistics of luck."""

from collections.abc import Iterator

from companion.api import Correction, DiceRoll, Move
from companion.games.game_file.dice.rules import DiceGame
from companion.games.game_file.dice.state import CorrectionKind, MoveKind


def list_rolls(before: DiceGame, what: Move | Correction, _after: DiceGame) -> Iterator[DiceRoll]:
    """Yield the throw (G31) that this step made or corrected; dice that were set aside are in no further throw.

    Args:
        before: game before the step.
        what: the move or correction.
    """
    if isinstance(what, Move) and what.kind == MoveKind.THROW:
        yield DiceRoll((before.turn_number, before.throw_count + 1), before.active_seat, what.value)
    elif isinstance(what, Correction) and what.kind == CorrectionKind.DICE:
        yield DiceRoll((before.turn_number, before.throw_count), None, what.value)
