"""Rolls of a Macroscope game, for the statistics of luck."""

from collections.abc import Iterator

from companion.api import Correction, DiceRoll, Move
from companion.games.macroscope.rules import Macroscope


def list_rolls(before: Macroscope, _what: Move | Correction, after: Macroscope) -> Iterator[DiceRoll]:
    """Yield the roll of the turn (M10) if this step rolled it, corrected it, or gave the turn to another player.

    Args:
        before: game before the step.
        after: game after it.
    """
    if after.dice and (before.turn_number, before.active_seat, before.dice) != (
        after.turn_number,
        after.active_seat,
        after.dice,
    ):
        yield DiceRoll((after.turn_number,), after.active_seat, after.dice)
