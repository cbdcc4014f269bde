"""What dice at rest mean: the roll if they are read with certainty and are as many as were thrown, else a question.

A new throw closes a question that is open: `is_answer` in `base_readings.py`.
"""

from collections.abc import Callable

from companion.api import ConsolePress, Correctable, Input, Move
from companion.events import DiceRead
from companion.i18n import _
from companion.referee.base_readings import DICE, format_values
from companion.referee.dialogs.base import LazyStep, Step, ask_question
from companion.referee.dialogs.number_inputs import DigitsInput
from companion.screen_state import Question
from companion.vision.confidence_limits import MIN_KNOWN_COUNT_CONFIDENCE


def play_or_ask(
    reading: DiceRead, target: Move | Correctable, ask_about: Callable[[Move], Step] = lambda move: move
) -> Step:
    """Decide what dice at rest mean: the roll if the reading is certain and fits, else a question.

    Args:
        reading: the dice in the tray, each 1 to 6, with confidences from 0 to 1. As many as were to be thrown are the
            roll from `MIN_KNOWN_COUNT_CONFIDENCE` (0.7) on; so are as many certain ones beside something that only
            looks a little like a die.
        target: the open roll (a move with a `value_range`), or the roll that was entered already. An equal roll is
            asked about too: the caller leaves it out.
        ask_about: makes the step of a move whose value is certain, or was answered or entered.

    Returns:
        The step of the move, or the dialog with the question; None if the tray is empty, or if it does not hold as many
        dice as the roll that was entered.

    Raises:
        ValueError: as many dice as wanted, but a value outside the target's range (`BadCorrection` for an entered
            roll).
        AssertionError: `target` is a move that is not open.
    """
    wanted = target.value_range
    assert wanted is not None, "an open move"
    count = len(reading.values)
    if not count or (count != wanted.count and isinstance(target, Correctable)):
        return None
    if isinstance(target, Move) and count > wanted.count == len(reading.clear_values):
        return ask_about(target.fill(*reading.clear_values))
    roll = format_values(reading.values)
    by_hand = _("By hand"), DigitsInput(_("Enter the roll"), target, ask_about=ask_about)
    roll_again = _("Roll again"), None
    answers: list[tuple[Input, str, LazyStep]]
    if count != wanted.count:
        question = Question(
            describe_dice_count(count),
            _("Roll again, or enter the roll by hand"),
        )
        answers = [(ConsolePress.OK, *roll_again), (ConsolePress.PLUS, *by_hand)]
    elif isinstance(target, Correctable):
        # Even a certain reading only asks: somebody may have knocked a die over.
        rolled = format_values(target.current_value)
        question = Question(_("Dice moved: {roll}?", roll=roll), _("{roll} was rolled", roll=rolled))
        answers = [
            (ConsolePress.OK, _("Keep {roll}", roll=rolled), None),
            (ConsolePress.PLUS, _("Take {roll}", roll=roll), target.make_correction(*reading.values)),
        ]
    elif max(reading.confidence, reading.known_confidence) >= MIN_KNOWN_COUNT_CONFIDENCE:
        return ask_about(target.fill(*reading.values))
    else:
        question = Question(_("Is it {roll}?", roll=roll), _("The dice cannot be read for sure"))
        answers = [(ConsolePress.OK, roll, ask_about(target.fill(*reading.values)))]
        second = next((values for values in reading.alternatives if values in wanted), None)
        if second is not None:
            answers.append((ConsolePress.PLUS, format_values(second), ask_about(target.fill(*second))))
        answers += [(ConsolePress.MINUS, *by_hand), (ConsolePress.NO, *roll_again)]
    return ask_question(question, *answers, subject=DICE)


def describe_dice_count(count: int) -> str:
    """Say how many dice are in the tray, at least 1, where another number is to be thrown."""
    return _.plural("Only one die is in the tray", "{n} dice are in the tray", count)
