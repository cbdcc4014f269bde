"""Camera readings of any game whose open moves are filled by throws of a known number of dice.

Also before the turn is ended. Too few or too many dice in a throw that is due, and doubtful ones: `roll_question.py`.
"""

from collections.abc import Sequence
from dataclasses import replace
from enum import Enum

from companion.api import MIN_SHOWN_SECONDS, THROW_DICE, ConsolePress, Correctable, Move, Offer, ValueRange, Visibility
from companion.events import DiceRead, Event
from companion.i18n import _
from companion.journal.replay import PlayedStep
from companion.journal.saved_game import SavedGame
from companion.referee.base_readings import (
    DICE,
    THROW,
    GameReadings,
    ReadingResult,
    find_move,
    find_thrown_dice,
    format_values,
)
from companion.referee.dialogs.base import Dialog, LazyStep, Step, Subject, ask_question
from companion.referee.dialogs.number_inputs import DigitsInput
from companion.referee.implied_moves import find_implied_moves
from companion.referee.roll_question import describe_dice_count, play_or_ask
from companion.screen_state import Question
from companion.vision.confidence_limits import MIN_PLAY_CONFIDENCE


class Completion(Enum):
    """Whether dice that were too few for a throw are one, since others were thrown beside them."""

    NONE, POSSIBLE, CERTAIN = range(3)


class DiceRollReadings(GameReadings):
    """Readings of dice that fill the open move with the input `TableAction("throw")`.

    Args:
        saved_game: the game in play; it is only read.
    """

    def __init__(self, saved_game: SavedGame) -> None:
        super().__init__(saved_game)
        self.is_throw_kept = False
        """Whether dice were thrown that count when somebody's turn to throw comes."""
        self._last_reading: DiceRead | None = None
        self._values_before: tuple[int, ...] = ()
        """What the dice showed before the last reading, which may be read again."""
        self._incomplete_throw: tuple[int, ...] = ()
        """Values of dice thrown early that are too few or too many; beside too few others may be thrown."""
        self._completion = Completion.NONE
        """Whether the last reading has made a throw of them."""
        self._is_count_announced = False
        """Whether the screen has said how many dice the last reading has, since it is no throw."""
        self._asked: DiceRead | None = None
        """The reading about which was asked; it is not asked about again."""
        self._is_confirmed = False
        """Whether people have said that all its dice were thrown."""

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
        throw = find_move(offers, THROW)
        was_announced = self._is_count_announced
        if event is not self._last_reading:
            self._completion = self._find_completion(event) if throw is None else Completion.NONE
            self._values_before = () if self._last_reading is None else self._last_reading.values
            self._last_reading = event
            self._incomplete_throw = ()
            self._is_count_announced = False
        is_asked = event is self._asked
        if is_asked and not self._is_confirmed:
            result = ReadingResult()
        else:
            dice = replace(event, confidence=1.0, lying=(), doubtful=()) if is_asked else event
            if self._completion is Completion.CERTAIN:
                dice = replace(event, lying=(), doubtful=())
            result = self._handle_dice(dice, throw)
        is_in_doubt = event.is_in_doubt or self._completion is Completion.POSSIBLE
        self.is_throw_kept = result.read_again and not is_in_doubt and not self._incomplete_throw
        is_outdated = was_announced and not self._is_count_announced and throw is None
        if is_outdated and not (result.notice or result.implied or isinstance(result.step, Move)):
            result = replace(result, notice=self._describe_dice(event.values, result))
        return result

    def handle_picked_up(self, event: DiceRead, offers: Sequence[Offer]) -> ReadingResult:
        """Ask whether dice that people took up before they were read were a throw; what lies there now waits."""
        throw = find_move(offers, THROW)
        if throw is None or event.values not in (throw.value_range or ()):
            return ReadingResult()
        question = Question(
            _("Did the throw {roll} count?", roll=format_values(event.values)),
            _("It was taken up before it could be read"),
        )
        yes, no = (ConsolePress.OK, _("Yes"), throw.fill(*event.values)), (ConsolePress.NO, _("No"), None)
        # The dice that lie there now are no answer.
        return ReadingResult(ask_question(question, yes, no, shown_seconds=MIN_SHOWN_SECONDS))

    def _handle_dice(self, event: DiceRead, throw: Move | None) -> ReadingResult:
        """Decide what dice mean; ask whether they were thrown, if some lie where equal ones lay."""
        is_partial = 0 < len(event.thrown_values) < len(event.values)
        if event.is_in_doubt:
            return self._ask_thrown(event) or ReadingResult()
        if event is self._last_reading and self._completion is Completion.POSSIBLE:
            return self._ask_thrown(event) or ReadingResult(self._decide_throw(event, throw))
        if throw is None and self._is_early_throw(event):
            return self._handle_early_throw(event)
        if is_partial and (throw is None or event.values == self._values_before) and (asked := self._ask_thrown(event)):
            return asked
        return ReadingResult(self._decide_throw(event, throw))

    def find_thrown_values(self, step: PlayedStep) -> Sequence[int] | None:
        """Return the values of the dice that a step threw or corrected; None: it is about something else."""
        return find_thrown_dice(self._saved_game, step)

    def _is_early_throw(self, reading: DiceRead) -> bool:
        """Return whether all dice were thrown: not taken out of the tray, nor one of them knocked over."""
        return bool(reading.values) and reading.thrown_values == reading.values

    def _find_completion(self, reading: DiceRead) -> Completion:
        """Find whether dice that were too few are a throw, since others were thrown beside them.

        Returns:
            POSSIBLE: they show what lay there before, so that they may have been pushed; or one was added while who
            threw before may go on, so that it may have been put back beside one that was pushed.
        """
        lying = tuple(value for value, lay in zip(reading.values, reading.lying, strict=False) if lay)
        if not lying or lying != self._incomplete_throw:
            return Completion.NONE
        standing = self._find_standing_throw()
        before = (*self._values_before, *(standing.current_value if standing is not None else ()))
        if set(lying) <= set(before) or reading.confidence < MIN_PLAY_CONFIDENCE:
            return Completion.POSSIBLE
        return Completion.POSSIBLE if self._is_turn_open() else Completion.CERTAIN

    def _is_turn_open(self) -> bool:
        """Return whether who threw last may go on with the turn; by default, as long as the throw still matters."""
        return self._find_standing_throw() is not None

    def _handle_early_throw(self, reading: DiceRead) -> ReadingResult:
        """Decide what dice mean that were thrown before it was anybody's turn to throw.

        People hand the dice on before anybody has pressed a button. What they leave out so is made up for; if a press
        must come first, the throw is kept for the turn that follows.
        """
        saved_game = self._saved_game
        if saved_game.game.compute_outcome() is not None:
            return ReadingResult()
        standing = self._find_standing_throw()
        implied = find_implied_moves(saved_game, THROW_DICE)
        is_certain = reading.confidence >= MIN_PLAY_CONFIDENCE
        count, due = len(reading.values), self._find_dice_count(implied)
        if due is not None and count != due and (implied or standing is None):
            # One was taken up and the other pushed, or fell off the table; or one of another game fell in.
            self._incomplete_throw = reading.values
            self._is_count_announced = is_certain
            notice = describe_wrong_count(count, due) if is_certain else ""
            return ReadingResult(notice=notice, read_again=standing is None)
        if implied and is_certain:
            return ReadingResult(implied=implied)
        if implied and standing is not None and (asked := self._ask_thrown(reading)):
            return asked
        if standing is not None:
            return ReadingResult(self._decide_throw(reading, None))
        return self._keep_throw(reading.values)

    def _find_dice_count(self, implied: Sequence[Move]) -> int | None:
        """Find how many dice are thrown after implied moves or, if others come first, were thrown last; None: never."""
        throw = self._find_throw_after(implied)
        if throw is not None and throw.value_range is not None:
            return throw.value_range.count
        throws = (self.find_thrown_values(step) for step in reversed(self._saved_game.replay.steps))
        return next((len(values) for values in throws if values is not None), None)

    def _describe_dice(self, values: Sequence[int], result: ReadingResult) -> str:
        """Describe dice that lie there now, in place of those that the screen has said are no throw."""
        if not values:
            return _("The tray is empty")
        due = self._find_dice_count(find_implied_moves(self._saved_game, THROW_DICE))
        if due is not None and len(values) != due:
            return describe_wrong_count(len(values), due)
        is_kept = result.read_again and result.step is None
        return self._keep_throw(values).notice if is_kept else _("The camera reads {dice}", dice=format_values(values))

    def _keep_throw(self, values: Sequence[int]) -> ReadingResult:
        """Keep dice that cannot be played yet, and say so; none once the game is over."""
        if self._saved_game.game.compute_outcome() is not None:
            return ReadingResult()
        notice = _("{dice} thrown: kept for the next turn", dice=format_values(values))
        return ReadingResult(notice=notice, read_again=True)

    def _ask_thrown(self, reading: DiceRead) -> ReadingResult | None:
        """Ask whether all dice were thrown or only moved: some lie where an equal one lay, or may have been pushed.

        If a press must come first, that is asked after it. Once it is answered the dice are read again, so that others
        may still press before the moves that the throw implies.

        Returns:
            None: nobody can throw now, so that a die was knocked over.
        """
        standing = self._find_standing_throw()
        throw = self._find_throw_after(find_implied_moves(self._saved_game, THROW_DICE))
        if throw is None or reading.values not in (throw.value_range or ()):
            is_over = self._saved_game.game.compute_outcome() is not None
            return ReadingResult(read_again=not is_over) if standing is None else None
        self._asked = reading
        self._is_confirmed = False

        def confirm() -> None:
            self._is_confirmed = True

        roll = format_values(reading.values)
        detail = ""
        answers: list[tuple[ConsolePress, str, LazyStep]] = [
            (ConsolePress.OK, _("Thrown"), confirm),
            (ConsolePress.NO, _("Only moved"), None),
        ]
        if standing is not None and tuple(sorted(standing.current_value)) != reading.values:
            detail = _("{roll} was rolled", roll=format_values(standing.current_value))
            take = standing.make_correction(*reading.values)
            answers.append((ConsolePress.PLUS, _("Take {roll}", roll=roll), take))
        question = Question(_("Thrown again: {dice}?", dice=roll), detail)
        return ReadingResult(ask_question(question, *answers, subject=DICE), read_again=True)

    def _find_throw_after(self, implied: Sequence[Move]) -> Move | None:
        """Find the throw that is possible after moves that a throw implies; None: something must be pressed before."""
        game = self._saved_game.game
        for move in implied:
            game = game.play(move)
        definition, names = self._saved_game.definition, self._saved_game.players
        return find_move(definition.list_offers(game, names, Visibility(dice=True, tokens=True)), THROW)

    def _decide_throw(self, reading: DiceRead, throw: Move | None) -> Step:
        """Return the throw or a question; without an open move, the question whether dice were knocked over."""
        if throw is not None:
            return play_or_ask(reading, throw)
        standing = self._find_standing_throw()
        if standing is None or reading.values == tuple(sorted(standing.current_value)):
            return None
        return play_or_ask(reading, standing)

    def _find_standing_throw(self) -> Correctable | None:
        """Find the throw that was entered and still matters; None: there is none."""
        return next((c for c in self._saved_game.game.list_correctables() if c.kind == DICE), None)


def describe_wrong_count(count: int, due: int) -> str:
    """Say how many dice are in the tray, at least 1, where `due` are to be thrown; beside too few others may be."""
    if count > due:
        # Nothing is read where one of them is taken out.
        return _("{n} dice are in the tray: please roll again", n=count)
    return describe_dice_count(count)
