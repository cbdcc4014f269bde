"""Camera readings of any game with dice in a tray: throws, dice set aside and dice put back.

A game takes part through its offers: an open move with the input `TableAction("throw")`, one `TableAction("keep")` for
each legal choice of dice to set aside (the move's value: their values, descending), and `TableAction("return")`. An
open move with the input `TableAction("early throw")` is that of all dice by the next player, before the turn is ended.

Two customs are understood. Dice set aside are taken out of the tray, and the others are thrown. Or they stay where
they lie, and the others are taken out and thrown again.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Any

from companion.api import Command, CommandName, ConsolePress, Move, Offer, TableAction
from companion.events import DiceRead, Event
from companion.i18n import _
from companion.journal.saved_game import SavedGame
from companion.referee.base_readings import DICE, THROW, ReadingResult, find_move, format_values
from companion.referee.dialogs.base import Action, LazyStep, ListMenu, Step, ask_question
from companion.referee.dice_splits import (
    DiceSplit,
    SplitAnswer,
    Values,
    ask_left_lying,
    ask_thrown_or_moved,
    list_splits,
    sort,
    subtract,
)
from companion.referee.roll_question import play_or_ask
from companion.referee.roll_readings import DiceRollReadings
from companion.screen_state import Question
from companion.vision.confidence_limits import MAX_DOUBTFUL_CONFIDENCE, MIN_PLAY_CONFIDENCE

KEEP, RETURN, EARLY_THROW = "keep", "return", "early throw"
"""Kinds of the table actions of games with dice, besides `THROW`."""
NO_RESULT = ReadingResult()
_MAX_KEEPS_ASKED = 12
"""Most choices of dice set aside that are listed in one question; with more, the throw is entered by hand."""


class KeptDiceReadings(DiceRollReadings):
    """Readings of the dice in a tray.

    The game's own attributes `table` (values as they were thrown last), `aside` and `locked` (values set aside in this
    turn) are read, where it has them, and `next_throw` (what the next player has thrown).

    Args:
        saved_game: the game in play; it is only read.
    """

    def __init__(self, saved_game: SavedGame) -> None:
        super().__init__(saved_game)
        self._left_in_tray: Values = ()
        """Values of dice set aside that lie in the tray all the same."""
        self._refused: Values = ()
        """Values of dice that were taken out although they could not be set aside."""
        self._in_tray: Values = ()
        """Values of all dice in the tray at the last reading."""
        self._in_doubt: DiceRead | None = None
        """The reading of dice that lie where equal ones lay, about which was asked; it is not asked about again."""
        self._as_thrown: DiceRead | None = None
        """The same if people have said that they were thrown; None: they were not, or have not answered."""

    def handle(self, event: Event, offers: Sequence[Offer], *, is_answer: bool) -> ReadingResult:
        """Decide what the dice in the tray mean now: a move, a question, a message or nothing.

        Raises:
            ValueError: a die shows a value that the game's dice do not have.
        """
        if not isinstance(event, DiceRead):
            return NO_RESULT
        if event.is_in_doubt:
            if event is not self._in_doubt:
                return self._ask_thrown_to_same_place(event, offers)
            if self._as_thrown is None:
                return NO_RESULT
            event = self._as_thrown
        thrown = event.thrown_values
        lying = subtract(event.values, thrown) or ()
        if not lying:
            self._left_in_tray = ()
        if not event.values:
            return NO_RESULT
        if getattr(self._saved_game.game, "next_throw", ()):
            return ReadingResult(read_again=True)  # these dice are the next player's
        is_put_back = self._is_put_back(sort(lying), thrown)
        self._in_tray = sort(event.values)
        if is_put_back:
            return NO_RESULT
        return self._handle_throw(event, lying, thrown, offers) if thrown else self._handle_taken(event, lying, offers)

    # Dice taken out ---------------------------------------------------------------------------------------------

    def _handle_taken(self, event: DiceRead, lying: Values, offers: Sequence[Offer]) -> ReadingResult:
        """All dice lie where they lay, and others were taken out: these are set aside."""
        in_play = subtract(lying, self._left_in_tray)
        if in_play is None:
            self._left_in_tray = ()
            in_play = lying
        rest = subtract(self._table, in_play)
        if not rest or not in_play:
            return NO_RESULT
        if event.confidence < MIN_PLAY_CONFIDENCE and (keep := _find_keep(offers, rest)):
            question = Question(
                _("Set aside: {dice}?", dice=format_values(rest)), _("The dice cannot be read for sure")
            )
            answers: list[tuple[ConsolePress, str, LazyStep]] = [
                (ConsolePress.OK, _("Set aside"), keep),
                (ConsolePress.NO, _("No"), None),
            ]
            return ReadingResult(ask_question(question, *answers, subject=DICE))
        return self._keep(rest, offers)

    def _keep(self, dice: Values, offers: Sequence[Offer]) -> ReadingResult:
        """Set dice aside if that is legal; else say why it is not."""
        self._refused = ()
        keep = _find_keep(offers, dice)
        if keep is not None:
            return ReadingResult(keep)
        if not any(offer.input == TableAction(THROW) or _is_keep(offer) for offer in offers):
            return NO_RESULT  # nothing can be set aside now: the dice are collected
        self._refused = sort(dice)
        if any(subtract(move.value, dice) for move in _list_keeps(offers)):
            return NO_RESULT  # one die of three alike: people take them one after the other
        seat = getattr(self._saved_game.game, "active_seat", None)
        return self.explain_refusal(Move(KEEP, seat, tuple(sorted(dice, reverse=True))))

    # Throws -----------------------------------------------------------------------------------------------------

    def _handle_throw(self, event: DiceRead, lying: Values, thrown: Values, offers: Sequence[Offer]) -> ReadingResult:
        """Some dice lie where none lay before: they were thrown, or put back."""
        throw, table, refused = find_move(offers, THROW), self._table, self._refused
        wanted = throw.value_range.count if throw is not None and throw.value_range is not None else 0
        self._refused = ()
        early = find_move(offers, EARLY_THROW)
        is_early = early is not None and early.value_range is not None and sort(event.values) in early.value_range
        if not lying or self._may_all_be_thrown(event, wanted if throw is not None else None, is_early=is_early):
            thrown = event.values
            if len(thrown) != wanted and len(thrown) >= len(table) and (keep := _find_keep(offers, table)):
                return self._ask_thrown_again(event, thrown, keep, _("All dice were set aside before"))
            if len(thrown) < len(table) and len(thrown) != wanted:
                question = self._ask_set_aside(event, len(table) - len(thrown), offers, refused)
                if question is not None:
                    return question
            if early is not None and is_early:
                return self._handle_next_throw(replace(event, lying=()), early, throw, find_move(offers, RETURN))
            again = self._ask_throw_of_all(event, sort(thrown), throw, find_move(offers, RETURN))
            if again:
                return ReadingResult(again)
            if throw is None and len(thrown) > len(table) and event.confidence >= MIN_PLAY_CONFIDENCE:
                # Dice set aside were thrown, too, before others were set aside: whose throw it is shows later.
                return self._keep_throw(sort(thrown))
            return self._fill_throw(event, thrown, throw)
        if early is not None and is_early and throw is None and len(lying) == 1:
            return self._ask_thrown_again(event, sort(event.values), early.fill(*sort(event.values)), "")
        if event.doubtful_values:
            answers = self._list_answers(list_splits(event), offers, throw)
            if len(answers) > 1 and event.confidence >= MIN_PLAY_CONFIDENCE and self._asked is not event:
                self._asked = event
                return ask_left_lying(answers)
            if len(answers) == 1:
                lying, thrown = answers[0].split
        if refused and (left := subtract(refused, thrown)) is not None:
            self._refused = left
            return self._keep(left, offers) if left else NO_RESULT
        give_back, aside = find_move(offers, RETURN), sort(getattr(self._saved_game.game, "aside", ()))
        if give_back is not None and thrown == aside:
            return ReadingResult(give_back)
        if len(thrown) == (len(table) if throw is None else wanted) and self._was_set_aside(lying):
            # The dice set aside have stayed in the tray.
            self._left_in_tray = lying
            return self._fill_throw(event, thrown, throw)
        kept = subtract(lying, self._left_in_tray)
        kept = lying if kept is None else kept
        if len(kept) + len(thrown) == len(table) and (keep := _find_keep(offers, kept)):
            if sort((*kept, *thrown)) != sort(table):
                return ReadingResult(keep, read_again=True)
            return self._ask_thrown_again(event, thrown, keep, _("They show the same as before"))
        rest = subtract(aside, thrown)
        if rest is not None and kept == sort(table) and (back := self._find_way_back(give_back)):
            return self._return_some(back, rest)
        if give_back is not None and kept == sort(table) and len(thrown) == len(aside):
            # The dice taken out were not set aside but thrown again.
            return ReadingResult(give_back, read_again=True)
        if sort(event.values) == sort((*table, *self._left_in_tray)):
            return NO_RESULT  # dice were moved
        confidence = min(event.confidence, MAX_DOUBTFUL_CONFIDENCE)
        return self._fill_throw(replace(event, confidence=confidence), event.values, throw)

    def _find_way_back(self, give_back: Move | None) -> tuple[Any, tuple[Action, ...]] | None:
        """Find the game as it was before dice were set aside, and what leads there; None: none were since the throw."""
        if give_back is not None:
            return self._saved_game.game.play(give_back), (give_back,)
        steps = self._saved_game.replay.steps
        keeps = list(
            takewhile(lambda step: isinstance(step.played, Move) and step.played.kind == KEEP, reversed(steps))
        )
        return (keeps[-1].before, (Command(CommandName.UNDO),) * len(keeps)) if keeps else None

    def _return_some(self, way_back: tuple[Any, tuple[Action, ...]], rest: Values) -> ReadingResult:
        """Put back some of the dice that were set aside, or all; the `rest` stay aside, if they may by themselves."""
        before, back = way_back
        keep = Move(KEEP, before.active_seat, tuple(sorted(rest, reverse=True)))
        if rest and before.find_refusal(keep) is None:
            return ReadingResult((*back, keep))
        self._refused = rest
        return ReadingResult(back)

    def _may_all_be_thrown(self, event: DiceRead, wanted: int | None, *, is_early: bool) -> bool:
        """Return whether one die of a throw of all may have come to rest where an equal one lay.

        One that lies there as it lay was left in the tray.

        Args:
            wanted: how many dice are to be thrown now; None: no throw is possible, until the turn has ended.
            is_early: the dice may be the next player's throw.
        """
        dice, table = sort(event.values), sort(self._table)
        lying = subtract(dice, event.thrown_values) or ()
        if len(lying) != 1 or event.doubtful_values != lying:
            return False
        if wanted is None:
            return is_early and dice != table
        if not table:
            return len(dice) == wanted
        has_stayed = len(event.thrown_values) == wanted and self._was_set_aside(lying)
        return is_early and len(dice) > len(table) and not has_stayed

    def _handle_next_throw(
        self, event: DiceRead, early: Move, throw: Move | None, give_back: Move | None
    ) -> ReadingResult:
        """Play a throw of all dice that is the next player's; ask, if dice set aside may have been thrown again."""
        game: Any = self._saved_game.game

        def ask_whose(move: Move) -> Step:
            if throw is None or give_back is None:
                return move
            names, dice = self._saved_game.players, format_values(move.value)
            own = replace(throw, value=move.value, value_range=None)
            return ask_question(
                Question(_("Whose throw is {dice}?", dice=dice), _("All dice were thrown")),
                (ConsolePress.OK, names[early.player], move),
                (ConsolePress.NO, names[throw.player], (give_back, own)),
                subject=DICE,
            )

        step = play_or_ask(event, early, ask_whose)
        ends_turn = isinstance(step, Move) and game.play(step).active_seat != game.active_seat
        return ReadingResult(step, ends_turn=ends_turn)

    def _ask_throw_of_all(self, event: DiceRead, dice: Values, throw: Move | None, give_back: Move | None) -> Step:
        """Return the moves of who has put back the dice set aside and thrown all, or ask; None: not possible now."""
        if throw is None or throw.value_range is None or give_back is None:
            return None
        wanted = replace(throw.value_range, count=len(dice))
        all_dice = replace(throw, value_range=wanted)
        if dice not in wanted or self._saved_game.game.play(give_back).find_refusal(all_dice.fill(*dice)):
            return None
        if event.confidence < MIN_PLAY_CONFIDENCE:  # another number of dice was to be thrown: none is known
            event = replace(event, confidence=min(event.confidence, MAX_DOUBTFUL_CONFIDENCE), known_confidence=0.0)
        return play_or_ask(replace(event, values=dice, lying=()), all_dice, lambda move: (give_back, move))

    def _ask_thrown_again(self, event: DiceRead, thrown: Values, move: Move, detail: str) -> ReadingResult:
        """Ask whether dice were thrown again, so that `move` was made, or only moved."""
        if event is self._as_thrown:
            return ReadingResult(move, read_again=True)  # people have said so
        if self._asked is event:
            return NO_RESULT
        self._asked = event
        return ask_thrown_or_moved(thrown, detail, move)

    def _ask_thrown_to_same_place(self, event: DiceRead, offers: Sequence[Offer]) -> ReadingResult:
        """Ask whether dice that lie where equal ones lay were thrown there, if anybody could throw them."""
        throw, is_all = find_move(offers, THROW), event.doubtful_values == event.values
        is_early = is_all and find_move(offers, EARLY_THROW) is not None
        is_throw = throw is not None and (is_all or bool(self._table))
        parts = [split for split in list_splits(event) if split.thrown]
        if not is_early and not is_throw and not self._list_answers(parts, offers, throw):
            return NO_RESULT
        self._in_doubt, self._as_thrown = event, None

        def confirm() -> None:
            lying = tuple(not is_in_doubt for is_in_doubt in event.doubtful)
            self._as_thrown = replace(event, lying=lying, doubtful=())

        return ask_thrown_or_moved(event.doubtful_values, _("They show the same as before"), confirm)

    def _is_put_back(self, lying: Values, thrown: Values) -> bool:
        """Return whether just those dice came into the tray that the game has there already: a key has put them back.

        So has an undo, or the answer that they were not set aside.
        """
        is_as_in_game = sort((*lying, *thrown)) == sort(self._table)
        return bool(lying and thrown) and lying == self._in_tray and is_as_in_game

    def _list_answers(
        self, splits: Iterable[DiceSplit], offers: Sequence[Offer], throw: Move | None
    ) -> list[SplitAnswer]:
        """List the legal moves by which the dice may have come where they lie.

        One alone, if with it all is as the players have said: the dice set aside have stayed in the tray.
        """
        wanted = throw.value_range.count if throw is not None and throw.value_range is not None else 0
        answers = []
        for split in splits:
            lying, thrown = split
            if throw is not None and lying and len(thrown) == wanted and self._was_set_aside(lying):
                return [SplitAnswer(split, (), throw.fill(*thrown))]
            kept = subtract(lying, self._left_in_tray)
            kept = lying if kept is None else kept
            if kept and len(kept) + len(thrown) == len(self._table) and (keep := _find_keep(offers, kept)):
                answers.append(SplitAnswer(split, kept, keep))
            elif throw is not None and not lying and len(thrown) == wanted:
                answers.append(SplitAnswer(split, (), throw.fill(*thrown)))
        return answers

    def _was_set_aside(self, dice: Values) -> bool:
        """Return whether these dice are among those that were set aside in this turn."""
        return subtract(self._set_aside, dice) is not None

    def _ask_set_aside(
        self, event: DiceRead, count: int, offers: Sequence[Offer], refused: Values
    ) -> ReadingResult | None:
        """Ask which dice were set aside, if the others were thrown in the same movement of a hand.

        Args:
            refused: dice that were seen to be taken out although they may not be set aside.
        """
        keeps = [move for move in _list_keeps(offers) if len(move.value) == count]
        if not keeps or len(keeps) > _MAX_KEEPS_ASKED or self._asked is event:
            return None
        self._asked = event
        if len(keeps) == 1 and not refused:
            return ReadingResult(keeps[0], read_again=True)
        items: list[tuple[str, LazyStep]] = [(format_values(sort(move.value)), move) for move in keeps]
        if refused:
            items.append((_("Others: throw again"), None))
        return ReadingResult(ListMenu(_("Which dice were set aside?"), tuple(items), subject=DICE), read_again=True)

    def _fill_throw(self, event: DiceRead, thrown: Values, throw: Move | None) -> ReadingResult:
        """Play the throw if it is certain and has the right number of dice; else ask."""
        rest = subtract(event.values, thrown) or ()
        others = (subtract(values, rest) for values in event.alternatives)
        reading = replace(
            event,
            values=sort(thrown),
            lying=(),
            alternatives=tuple(sort(values) for values in others if values is not None),
        )
        return ReadingResult(self._decide_throw(reading, throw))

    # The game ---------------------------------------------------------------------------------------------------

    @property
    def _table(self) -> Values:
        """Values of the dice in play that lie as they were thrown last."""
        return tuple(getattr(self._saved_game.game, "table", ()))

    @property
    def _set_aside(self) -> Values:
        """Values of the dice that were set aside in this turn."""
        game = self._saved_game.game
        return (*getattr(game, "aside", ()), *getattr(game, "locked", ()))


def _is_keep(offer: Offer) -> bool:
    return isinstance(offer.input, TableAction) and offer.input.kind == KEEP


def _list_keeps(offers: Sequence[Offer]) -> list[Move]:
    """List the legal moves that set dice aside."""
    return [offer.action for offer in offers if _is_keep(offer) and isinstance(offer.action, Move)]


def _find_keep(offers: Sequence[Offer], dice: Values) -> Move | None:
    """Find the legal move that sets these dice aside."""
    wanted = sort(dice)
    return next((move for move in _list_keeps(offers) if sort(move.value) == wanted), None)
