"""Camera readings of dice that are thrown: a move where the reading is certain, a question where it is not.

A question offers the likeliest answers one press away, and entering by hand.
"""

from collections.abc import Sequence

from companion.api import ConsolePress, Correctable, Input, Move, Offer, ValueRange
from companion.events import DiceRead, Event
from companion.i18n import Translator, join_and
from companion.journal.replay import PlayedStep
from companion.referee.dialogs.base import Dialog, LazyStep, Step, Subject, ask_question
from companion.referee.dialogs.inputs import DigitsInput
from companion.referee.readings import DICE, THROW, GameReadings, ReadingResult, find_move, find_thrown_dice
from companion.screen_state import Question
from companion.vision.reading import MIN_PLAY_CONFIDENCE

_ = Translator("companion")


class ThrowReadings(GameReadings):
    """Readings of dice in games with one throw at a time; see `companion.api.DICE_CAMERA`.

    Args:
        saved_game: the game in play; it is only read.
    """

    def find_subject(self, event: Event) -> Subject | None:
        """Find the subject of a question about a reading: DICE for dice, else None.

        Args:
            event: any event of the camera.
        """
        return DICE if isinstance(event, DiceRead) else None

    def is_answer(self, event: Event, dialog: Dialog | None) -> bool:
        """Return whether a reading answers the open dialog, also one that players opened to enter the same by hand.

        A throw answers the input of a roll only if it is certain (confidence 0.9 or more) and has as many dice as the
        roll: otherwise the players know better.

        Args:
            event: any event of the camera.
            dialog: the open dialog; None: there is none.
        """
        match event, dialog:
            case DiceRead(values=values, confidence=confidence), DigitsInput(
                target=Move(value_range=ValueRange() as all)
            ):
                return values in all and confidence >= MIN_PLAY_CONFIDENCE
        return super().is_answer(event, dialog)

    def handle(self, event: Event, offers: Sequence[Offer], *, is_answer: bool) -> ReadingResult:
        """Decide what dice mean now: the throw, a question, or nothing. The game is not changed.

        Args:
            event: a reading of the camera; any event but DiceRead means nothing.
            offers: the game's own offers, listed with what the camera can see now.
            is_answer: not used.

        Raises:
            ValueError: as many dice as wanted, but one shows a value that is not 1 to 6.
        """
        if not isinstance(event, DiceRead):
            return ReadingResult()
        throw = find_move(offers, THROW)
        if throw is not None:
            return ReadingResult(handle_dice(event, throw))
        standing = next((c for c in self._saved_game.game.list_correctables() if c.kind == DICE), None)
        if standing is None or event.values == tuple(sorted(standing.current_value)):
            return ReadingResult()
        return ReadingResult(handle_dice(event, standing))

    def find_thrown_values(self, step: PlayedStep) -> Sequence[int] | None:
        """Return the values of the dice that a step threw or corrected; None: it is about something else.

        Args:
            step: a move or correction of this game, as it was played.
        """
        return find_thrown_dice(self._saved_game, step)


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
        target: the open roll (a move with a `value_range`), or the roll that was entered already: then even a certain
            reading only asks, since somebody may have knocked a die over. An equal roll is asked about too: the caller
            leaves it out.

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
