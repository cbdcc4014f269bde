"""What dice at rest mean: the open roll, or a question with the likeliest answers one press away."""

from collections.abc import Sequence

from companion.api import ConsolePress, Correctable, Input, Move, Translator, join_and
from companion.events import DiceRead
from companion.referee.dialogs.base import LazyStep, Step, ask_question
from companion.referee.dialogs.inputs import DigitsInput
from companion.referee.readings import DICE
from companion.screen_state import Question
from companion.vision.reading import MIN_KNOWN_COUNT_CONFIDENCE

_ = Translator("companion")


def format_values(values: Sequence[int]) -> str:
    """Format numbers as people say them, in the current language; without numbers "".

    >>> format_values((2, 5)), format_values((1, 3, 6)), format_values((4,))
    ('2 and 5', '1, 3 and 6', '4')
    """
    return join_and([str(v) for v in values])


def handle_dice(reading: DiceRead, target: Move | Correctable) -> Step:
    """Decide what dice at rest mean: the roll if the reading is certain and fits, else a question.

    Args:
        reading: the dice in the tray, each 1 to 6, with a confidence from 0 to 1; from
            `MIN_KNOWN_COUNT_CONFIDENCE` (0.7) on, and with as many dice as were to be thrown, it is the roll.
        target: the open roll (a move with a `value_range`), or the roll that was entered already. An equal roll is
            asked about too: the caller leaves it out.

    Returns:
        The move, or the dialog with the question; None if the tray is empty, or if it does not hold as many dice as the
        roll that was entered.

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
    roll = format_values(reading.values)
    by_hand, roll_again = (_("By hand"), DigitsInput(_("Enter the roll"), target)), (_("Roll again"), None)
    answers: list[tuple[Input, str, LazyStep]]
    if count != wanted.count:
        question = Question(
            _.plural("Only one die is in the tray", "{n} dice are in the tray", count),
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
    elif reading.confidence >= MIN_KNOWN_COUNT_CONFIDENCE:
        return target.fill(*reading.values)
    else:
        question = Question(_("Is it {roll}?", roll=roll), _("The dice cannot be read for sure"))
        answers = [(ConsolePress.OK, roll, target.fill(*reading.values))]
        second = next((values for values in reading.alternatives if values in wanted), None)
        if second is not None:
            answers.append((ConsolePress.PLUS, format_values(second), target.fill(*second)))
        answers += [(ConsolePress.MINUS, *by_hand), (ConsolePress.NO, *roll_again)]
    return ask_question(question, *answers, subject=DICE)
