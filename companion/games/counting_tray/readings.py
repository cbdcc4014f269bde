"""Camera readings of the counting tray: throws of any number of dice, and dice that failed thrown again."""

from collections.abc import Sequence

from companion.api import THROW_DICE, ConsolePress, DiceRead, Event, Move, Offer
from companion.games.counting_tray.game import (
    FACES,
    MAX_DICE_OF_A_FACE,
    ActionKind,
    CountingTray,
    Throw,
    ThrowAgain,
    count_faces,
    list_values,
)
from companion.i18n import _
from companion.journal.replay import PlayedStep
from companion.journal.saved_game import SavedGame
from companion.referee.base_readings import DICE, GameReadings, ReadingResult, find_move
from companion.referee.dialogs.base import LazyStep, Step, Subject, ask_question
from companion.referee.dialogs.number_inputs import RowInput
from companion.referee.dice_splits import sort, subtract
from companion.screen_state import Question
from companion.vision.confidence_limits import MIN_PLAY_CONFIDENCE

NO_RESULT = ReadingResult()
Values = tuple[int, ...]


class CountingTrayReadings(GameReadings):
    """Readings of the dice in the counting tray.

    Dice that failed are taken out and thrown again beside the others, or the others are taken out before.

    Args:
        saved_game: the game in play; it is only read.
    """

    def __init__(self, saved_game: SavedGame) -> None:
        super().__init__(saved_game)
        self._lying: Values = ()
        """Values in the tray at the last reading, sorted."""

    def find_subject(self, event: Event) -> Subject | None:
        """Find the subject of a question about a reading: DICE for dice, else None."""
        return DICE if isinstance(event, DiceRead) else None

    def handle(self, event: Event, offers: Sequence[Offer], *, is_answer: bool) -> ReadingResult:
        """Decide what the dice in the tray mean now: a throw, dice thrown again, a question or nothing."""
        game, throw = self._saved_game.game, find_move(offers, THROW_DICE.kind)
        if not isinstance(event, DiceRead) or not isinstance(game, CountingTray) or throw is None:
            return NO_RESULT
        before, self._lying = self._lying, event.values
        thrown = event.thrown_values
        if not thrown:
            return NO_RESULT  # dice were taken out, or nothing has changed
        lying = subtract(event.values, thrown) or ()
        failed, all_dice = list_values(game.failed), list_values(game.faces)
        again = find_move(offers, ActionKind.AGAIN, len(failed))
        stay = all_dice[len(thrown) :]  # T5: the lowest ones are thrown again
        if again is not None and len(thrown) <= len(failed):
            # The others lie there still, all or some of them; or only those that failed were left in the tray.
            is_beside = bool(lying) and subtract(stay, lying) is not None
            is_left_alone = not lying and len(thrown) == len(failed) == len(before) and sort(before) == failed
            if is_beside or is_left_alone:
                return ReadingResult(_decide(event, thrown, again))
            if not lying and len(thrown) == len(failed):
                return ReadingResult(_ask_if_again(event, thrown, again, throw))
        return ReadingResult(_decide(event, event.values, throw, is_sure=not lying))

    def find_thrown_values(self, step: PlayedStep) -> Sequence[int] | None:
        """Return the values of the dice that a throw entered; None: the step is about something else."""
        if isinstance(step.played, Move) and step.played.kind in (Throw.kind, ThrowAgain.kind):
            return list_values(step.played.value)
        return None


def _decide(event: DiceRead, values: Values, target: Move, *, is_sure: bool = True) -> Step:
    """Return the move with these values, or the question about them."""
    move = target.fill(*count_faces(values))
    if event.confidence >= MIN_PLAY_CONFIDENCE and is_sure:
        return move
    rest = subtract(event.values, values) or ()
    detail = ", ".join(f"{n} × {face}" for face, n in enumerate(count_faces(values), 1) if n)
    answers: list[tuple[ConsolePress, str, LazyStep]] = [(ConsolePress.OK, _("Right"), move)]
    others = (subtract(other, rest) for other in event.alternatives)
    second = next((other for other in others if other is not None and len(other) == len(values)), None)
    if second is not None and second != sort(values):
        old, new = _find_difference(values, second)
        if old:
            answers.append((ConsolePress.PLUS, f"{old} → {new}", target.fill(*count_faces(second))))
    answers += [
        (ConsolePress.MINUS, _("By hand"), _enter_by_hand(values, target)),
        (ConsolePress.NO, _("Roll again"), None),
    ]
    title = _.plural("Is it {n} die?", "Are these {n} dice?", len(values))
    return ask_question(Question(title, detail), *answers, subject=DICE)


def _find_difference(values: Values, other: Values) -> tuple[int, int]:
    """Return the values of the one die that differs in two readings, in each of them; 0: they differ more."""
    one = [face for face in range(1, FACES + 1) if values.count(face) == other.count(face) + 1]
    two = [face for face in range(1, FACES + 1) if other.count(face) == values.count(face) + 1]
    return (one[0], two[0]) if len(one) == len(two) == 1 else (0, 0)


def _ask_if_again(event: DiceRead, thrown: Values, again: Move, throw: Move) -> Step:
    """Ask whether as many dice as have failed are these, thrown again, or a new throw."""
    answers: list[tuple[ConsolePress, str, LazyStep]] = [
        (ConsolePress.OK, _("Re-rolled"), _decide(event, thrown, again)),
        (ConsolePress.PLUS, _("New throw"), _decide(event, thrown, throw)),
        (ConsolePress.NO, _("Roll again"), None),
    ]
    title = _.plural("Is this {n} die re-rolled?", "Are these {n} dice re-rolled?", len(thrown))
    return ask_question(Question(title, _("Or is it a new throw?")), *answers, subject=DICE)


def _enter_by_hand(values: Values, target: Move) -> RowInput:
    """Open the input of the number of dice by face, beginning with what was read."""
    labels = tuple(_("Dice that show {n}", n=face) for face in range(1, FACES + 1))
    return RowInput(
        _("Enter the dice"), labels, count_faces(values), 0, MAX_DICE_OF_A_FACE, lambda counts: target.fill(*counts)
    )
