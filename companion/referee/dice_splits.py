"""Ways in which the dice of a reading may have come where they lie, and the questions about them.

Which of them is played: `kept_dice_readings.py`.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

from companion.api import ConsolePress, Move
from companion.events import DiceRead
from companion.i18n import _
from companion.referee.base_readings import DICE, ReadingResult, format_values
from companion.referee.dialogs.base import LazyStep, ListMenu, ask_question
from companion.screen_state import Question

Values = tuple[int, ...]


class DiceSplit(NamedTuple):
    """One way in which the dice of a reading may have come there: the values that were left lying, and the thrown."""

    lying: Values
    thrown: Values


class SplitAnswer(NamedTuple):
    """A split of the dice, the values that were set aside now if it is right, and the move that says so."""

    split: DiceSplit
    kept: Values
    move: Move


def sort(values: Iterable[int]) -> Values:
    """Return values in rising order."""
    return tuple(sorted(values))


def subtract(values: Iterable[int], part: Iterable[int]) -> Values | None:
    """Return values without those of a part of them, sorted; None: it is no part of them.

    >>> subtract((5, 2, 5), (5,)), subtract((5, 2), (5, 5))
    ((2, 5), None)
    """
    left = Counter(values)
    left.subtract(part)
    return None if min(left.values(), default=0) < 0 else sort(left.elements())


def list_splits(event: DiceRead) -> list[DiceSplit]:
    """List the ways in which the dice may have come there, those with the most left lying first."""
    doubtful = event.doubtful_values
    lying = subtract(event.values, event.thrown_values) or ()
    thrown = (part for count in range(len(doubtful) + 1) for part in combinations(doubtful, count))
    return [
        DiceSplit(subtract(lying, part) or (), sort((*event.thrown_values, *part))) for part in dict.fromkeys(thrown)
    ]


def ask_left_lying(answers: Sequence[SplitAnswer]) -> ReadingResult:
    """Ask which dice were left lying and so set aside, where an equal one may have been thrown to the same place."""
    if len(answers) > 2:
        items = tuple((format_values(kept) if kept else _("All thrown"), move) for _split, kept, move in answers)
        return ReadingResult(ListMenu(_("Which dice were set aside?"), items, subject=DICE), read_again=True)
    (_most, most, keep), (_fewer, fewer, other) = answers
    without = subtract(most, fewer) or ()
    if fewer:
        detail, label = (
            _("Or only {dice}?", dice=format_values(fewer)),
            _("Without {dice}", dice=format_values(without)),
        )
    else:
        detail, label = _("Or were all dice thrown?"), _("All thrown")
    question = Question(_("Set aside: {dice}?", dice=format_values(most)), detail)
    choices: list[tuple[ConsolePress, str, LazyStep]] = [
        (ConsolePress.OK, _("Set aside"), keep),
        (ConsolePress.NO, label, other),
    ]
    return ReadingResult(ask_question(question, *choices, subject=DICE), read_again=True)


def ask_thrown_or_moved(dice: Values, detail: str, step: LazyStep) -> ReadingResult:
    """Ask whether dice were thrown, which leads to `step`, or only moved."""
    question = Question(_("Thrown again: {dice}?", dice=format_values(dice)), detail)
    answers: list[tuple[ConsolePress, str, LazyStep]] = [
        (ConsolePress.OK, _("Thrown"), step),
        (ConsolePress.NO, _("Only moved"), None),
    ]
    return ReadingResult(ask_question(question, *answers, subject=DICE), read_again=True)
