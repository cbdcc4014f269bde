"""Camera readings of any game whose open moves are filled by throws of a known number of dice."""

from collections.abc import Sequence

from companion.api import ConsolePress, Correctable, Input, Move, Offer, ValueRange, join_and
from companion.events import DiceRead, Event
from companion.i18n import _
from companion.journal.replay import PlayedStep
from companion.referee.dialogs.base import Dialog, LazyStep, Step, Subject, ask_question
from companion.referee.dialogs.inputs import DigitsInput
from companion.referee.readings import DICE, THROW, GameReadings, ReadingResult, find_move, find_thrown_dice
from companion.screen_state import Question
from companion.vision.reading import MIN_PLAY_CONFIDENCE


def format_values(values: Sequence[int]) -> str:
    """Format numbers as people say them, in the current language; without numbers "".

    >>> format_values((2, 5)), format_values((1, 3, 6)), format_values((4,))
    ('2 and 5', '1, 3 and 6', '4')
    """
    return join_and([str(v) for v in values])


def handle_dice(reading: DiceRead, target: Move | Correctable) -> Step:
    """Decide what dice at rest mean: the roll if the reading is certain and fits, else a question.

    Args:
        reading: the dice in the tray, each 1 to 6, with a confidence from 0 to 1; from `MIN_PLAY_CONFIDENCE` (0.9) on
            it is certain.
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
    elif reading.confidence >= MIN_PLAY_CONFIDENCE:
        return target.fill(*reading.values)
    else:
        question = Question(_("Is it {roll}?", roll=roll), _("The dice cannot be read for sure"))
        answers = [(ConsolePress.OK, roll, target.fill(*reading.values))]
        second = next((values for values in reading.alternatives if values in wanted), None)
        if second is not None:
            answers.append((ConsolePress.PLUS, format_values(second), target.fill(*second)))
        answers += [(ConsolePress.MINUS, *by_hand), (ConsolePress.NO, *roll_again)]
    return ask_question(question, *answers, subject=DICE)


class DiceRollReadings(GameReadings):
    """Readings of dice that fill the open move with the input `TableAction("throw")`.

    Args:
        saved_game: the game in play; it is only read.
    """

    def find_subject(self, event: Event) -> Subject | None:
        """Find the subject of a question about a reading: DICE for dice, else None."""
        return DICE if isinstance(event, DiceRead) else None

    def is_answer(self, event: Event, dialog: Dialog | None) -> bool:
        """Return whether a reading answers the open dialog, also the input of a throw that players have opened.

        A throw answers that only if it is certain (confidence 0.9 or more) and has as many dice as are thrown:
        otherwise the players know better.
        """
        match event, dialog:
            case DiceRead(thrown_values=values, confidence=confidence), DigitsInput(
                target=Move(value_range=ValueRange() as all)
            ):
                return values in all and confidence >= MIN_PLAY_CONFIDENCE
        return super().is_answer(event, dialog)

    def handle(self, event: Event, offers: Sequence[Offer], *, is_answer: bool) -> ReadingResult:
        """Decide what dice mean now: the throw, a question or nothing. Any other event means nothing.

        Raises:
            ValueError: as many dice as wanted, but one shows a value that is not 1 to 6.
        """
        if not isinstance(event, DiceRead):
            return ReadingResult()
        return ReadingResult(self._decide_throw(event, find_move(offers, THROW)))

    def find_thrown_values(self, step: PlayedStep) -> Sequence[int] | None:
        """Return the values of the dice that a step threw or corrected; None: it is about something else."""
        return find_thrown_dice(self._saved_game, step)

    def _decide_throw(self, reading: DiceRead, throw: Move | None) -> Step:
        """Return the throw or a question; without an open move, the question whether dice were knocked over."""
        if throw is not None:
            return handle_dice(reading, throw)
        standing = next((c for c in self._saved_game.game.list_correctables() if c.kind == DICE), None)
        if standing is None or reading.values == tuple(sorted(standing.current_value)):
            return None
        return handle_dice(reading, standing)
