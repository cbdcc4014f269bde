"""Camera readings of Macroscope: a move where the reading is certain, a question where it is not.

A question offers the likeliest answers one press away, and entering by hand.
"""

from collections.abc import Sequence
from typing import Any

from companion.api import (
    BadCorrection,
    Command,
    CommandName,
    ConsolePress,
    Correction,
    Move,
    NumberPress,
    Offer,
    SeatPress,
    Visibility,
)
from companion.games.macroscope.corrections import LetStand
from companion.games.macroscope.moves import ActionKind, Remove
from companion.games.macroscope.state import Phase
from companion.i18n import _
from companion.referee.api import (
    Dialog,
    Event,
    LidCovered,
    Question,
    QuestionDialog,
    ReadingResult,
    Step,
    TokenPlaced,
    TokenTaken,
    ask_question,
    find_move,
)
from companion.referee.dialogs.base import Answer, ListMenu, Subject
from companion.referee.readings import DiceRollReadings
from companion.vision.reading import MIN_PLAY_CONFIDENCE

TOKEN = "token"
"""Subject of the question which token was taken, if players have opened it: any token answers it."""


class MacroscopeReadings(DiceRollReadings):
    """Readings of the dice, the tokens and the lid.

    Args:
        saved_game: the game of Macroscope in play; it is only read.
    """

    def find_subject(self, event: Event) -> Subject | None:
        """Find the subject of a question about a reading: the index of a token's window, DICE for dice, else None."""
        return event.window if isinstance(event, TokenTaken | TokenPlaced) else super().find_subject(event)

    def is_answer(self, event: Event, dialog: Dialog | None) -> bool:
        """Return whether a reading answers the open dialog, also one that players opened to enter the same by hand.

        A token taken answers the question which one was taken.
        """
        match event, dialog:
            case TokenTaken(), QuestionDialog(subject=subject) | ListMenu(subject=subject) if subject == TOKEN:
                return True
        return super().is_answer(event, dialog)

    def handle(self, event: Event, offers: Sequence[Offer], *, is_answer: bool) -> ReadingResult:
        """Decide what dice, a token or a covered lid mean now: a move, a question, a message or nothing.

        A reading of confidence 0.9 (`MIN_PLAY_CONFIDENCE`) or more is certain. `last_window` is set to the window of a
        token taken; the game is not changed. Right after an answer a token that was put back asks nothing.

        Raises:
            ValueError: as many dice as wanted, but one shows a value that is not 1 to 6.
        """
        cover = find_move(offers, ActionKind.COVER)
        match event:
            case LidCovered():
                return ReadingResult(cover)
            case TokenTaken():
                self.last_window = event.window
                # Tokens change places while the windows are covered again.
                return ReadingResult() if cover else self._handle_taken_token(event, offers)
            case TokenPlaced() if not is_answer and not cover:
                return ReadingResult(ask_returned_token(event, self._saved_game.last_played))
            case _:
                return super().handle(event, offers, is_answer=is_answer)

    def handle_command(self, command: Command) -> Step:
        """Open the choice of a token by its number, for players who take it without the camera, at any command.

        Returns:
            The dialog; None: no token may be taken now.
        """
        return self._ask_which_token("", TOKEN)

    def _ask_which_token(self, detail: str, subject: Subject) -> Step:
        """Ask which token was taken, by number keys; in a menu while the others are asked, whose buttons they are."""
        setup = self._saved_game.setup
        game: Any = self._saved_game.game
        removes = [move for move in game.list_moves() if move.kind == Remove.kind]
        if not removes:
            return None
        if game.phase is not Phase.ASKING:
            return ask_which_token(removes, detail, subject)
        offers = self._saved_game.definition.list_offers(game, setup.players, Visibility())
        own = tuple(Answer(o.input, o.label, o.action, o.awaited) for o in offers if isinstance(o.input, SeatPress))
        items = tuple((str(move.value[0]), move) for move in removes)
        return ListMenu(_("Which token was taken?"), items, shortcuts=own, subject=subject)

    def _handle_taken_token(self, event: TokenTaken, offers: Sequence[Offer]) -> ReadingResult:
        number = event.number
        if number is None or event.confidence < MIN_PLAY_CONFIDENCE:
            detail = "" if number is None else _("It looked like a {number}", number=number)
            return ReadingResult(self._ask_which_token(detail, event.window))
        take = find_move(offers, ActionKind.TAKE, number)
        if take is not None:
            return ReadingResult(take)
        correction = Correction(LetStand.kind, None, (number,))
        try:
            self._saved_game.game.correct(correction)
        except BadCorrection:
            return ReadingResult(notice=_("That was a {number}: please put it back", number=number))
        return ReadingResult(ask_unexpected_token(event, number, correction))


def ask_which_token(removes: Sequence[Move], detail: str = "", window: Subject | None = None) -> QuestionDialog:
    """Ask which token was taken: a question with one number key for each possible move, and NO for none.

    Args:
        removes: the possible moves; the first value of each is the token's number, 1 to 6.
        detail: second line of the question, translated; empty: none.
        window: index of the window from which it was taken, from 0, or TOKEN for any window: readings about it answer
            the question. None: no reading does.

    Raises:
        IndexError: a move has no value.
    """
    numbers = [(NumberPress(move.value[0]), str(move.value[0]), move) for move in removes]
    return ask_question(
        Question(_("Which token was taken?"), detail),
        *numbers,
        (ConsolePress.NO, _("None"), None),
        subject=window,
    )


def ask_unexpected_token(reading: TokenTaken, number: int, correction: Correction) -> QuestionDialog:
    """Ask about a token that the dice do not allow: put it back, or let it stand by a press of OK.

    Args:
        reading: the token that was taken.
        number: its number, 1 to 6.
        correction: lets it stand; the step of OK.
    """
    return ask_question(
        Question(_("That was a {number}", number=number), _("Put it back, or press OK to let it stand"), warning=True),
        (ConsolePress.OK, _("Accept it"), correction),
        (ConsolePress.NO, _("Not taken"), None),
        subject=reading.window,
    )


def ask_returned_token(reading: TokenPlaced, last: Move | Correction | None) -> QuestionDialog | None:
    """Ask whether to undo the last move, if the token that came back onto the lid is the one just taken.

    Args:
        reading: the token that came back; one without a number may be any token.
        last: the move or correction that was played last; None: there is none.

    Returns:
        The question; None if `last` took no token, or took one of another number.
    """
    if last is None or last.kind not in {Remove.kind, LetStand.kind} or reading.number not in {None, *last.value}:
        return None
    return ask_question(
        Question(_("The {number} is back on the lid", number=last.value[0]), _("Undo the move?")),
        # Behind a function: bots never choose an offer of "undo" itself.
        (ConsolePress.OK, _("Undo it"), lambda: Command(CommandName.UNDO)),
        (ConsolePress.NO, _("No, it is off"), None),
        subject=reading.window,
    )
