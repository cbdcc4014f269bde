"""Rolls of a Memo Dice game, for the statistics of luck: the colour of each symbol, red, blue or black.

Every die has two faces of each colour (`docs/rules/memo_dice.md`, part 2). A die under the golden cup is entered
without its colour (D14). It counts if only one colour is possible all the same: that one whose cups are used up.
"""

from collections.abc import Iterator, Sequence

from companion.api import Correction, DiceRoll, Move
from companion.games.memo_dice import colour_texts
from companion.games.memo_dice.rules import MemoDice
from companion.games.memo_dice.state import SYMBOL_COLOURS, CorrectionKind, MoveKind
from companion.i18n import Translator

_ = Translator("memo_dice")


def list_colour_names() -> Sequence[str]:
    """Return the translated names of the symbols' colours, in the order of their values 1 to 3."""
    return [_(colour_texts.LABELS[colour]) for colour in SYMBOL_COLOURS]


def list_rolls(before: MemoDice, what: Move | Correction, after: MemoDice) -> Iterator[DiceRoll]:
    """Yield the die (D10) that this step rolled, or whose colour or player it corrected.

    Args:
        before: game before the step.
        what: the move or correction.
        after: game after it.
    """
    round_number, place = before.round_number, len(before.cup_row)
    match what.kind:
        case MoveKind.DIE | MoveKind.SHOW:
            yield DiceRoll((round_number, place), before.active_seat, what.value)
        case MoveKind.GOLD | MoveKind.SHOW_GOLD if not before.is_last_die:
            used_up = [colour for colour, cups in before.free_cups.items() if cups <= 0]
            if len(used_up) == 1:
                yield DiceRoll((round_number, place), before.active_seat, (int(used_up[0]),))
        case CorrectionKind.CUP if isinstance(what, Correction):
            yield DiceRoll((round_number, what.index[0] - 1), None, what.value)
        case _ if isinstance(what, Correction) and after.open_colour in SYMBOL_COLOURS:
            # The open die has another colour, or somebody else rolled it.
            yield DiceRoll((round_number, place), after.active_seat, (int(after.open_colour),))
