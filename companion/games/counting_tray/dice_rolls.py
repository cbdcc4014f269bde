"""Throws of the counting tray, for the statistics of luck."""

from collections.abc import Iterator

from companion.api import Correction, DiceRoll, Move
from companion.games.counting_tray.rules import CountingTray
from companion.games.counting_tray.state import CorrectionKind, MoveKind, list_values


def list_rolls(before: CountingTray, what: Move | Correction, after: CountingTray) -> Iterator[DiceRoll]:
    """Yield the dice that this step threw (T2), threw again (T5), or corrected.

    Dice corrected after some were thrown again do not count: which of them were is not known.

    Args:
        before: game before the step.
        what: the move or correction.
        after: game after it.
    """
    roll_id, seat = (after.throw_number, len(after.again_counts)), after.active_seat
    if isinstance(what, Move) and what.kind in (MoveKind.THROW, MoveKind.AGAIN):
        yield DiceRoll(roll_id, seat, list_values(what.value))
    elif isinstance(what, Correction) and what.kind == CorrectionKind.FACE:
        yield DiceRoll(roll_id, seat, () if before.again_counts else list_values(after.faces))
