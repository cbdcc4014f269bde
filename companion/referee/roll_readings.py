"""Camera readings of any game whose open moves are filled by throws of a known number of dice."""

from collections.abc import Sequence

from companion.api import Move, Offer, ValueRange
from companion.events import DiceRead, Event
from companion.journal.replay import PlayedStep
from companion.referee.dialogs.base import Dialog, Step, Subject
from companion.referee.dialogs.inputs import DigitsInput
from companion.referee.readings import DICE, THROW, GameReadings, ReadingResult, find_move, find_thrown_dice
from companion.referee.roll_questions import handle_dice
from companion.vision.reading import MIN_PLAY_CONFIDENCE


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
