"""Camera readings of a game: base class of what turns them into moves and questions, one class per camera game.

A reading that comes while a dialog is open waits in `Referee._handle_reading`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from companion.api import (
    Command,
    Correction,
    Move,
    Offer,
    TableAction,
    Visibility,
    join_and,
)
from companion.events import DiceRead, Event
from companion.journal.entry import SeatChange
from companion.journal.replay import PlayedStep
from companion.journal.saved_game import SavedGame
from companion.referee.dialogs.base import (
    Action,
    Dialog,
    ListMenu,
    QuestionDialog,
    Step,
    Subject,
)
from companion.screen_state import DiePicture

DICE = "dice"
"""Subject of questions about dice: a new throw answers them. Also the kind of the corrections of a throw."""
THROW = "throw"
"""Kind of the table action that dice come to rest."""


@dataclass(frozen=True, slots=True)
class ReadingResult:
    """Result of a reading.

    >>> ReadingResult(notice="The die is out of the tray").step is None
    True

    Attributes:
        step: what it leads to; None: nothing.
        notice: a line for the screen; empty: none.
        read_again: the reading is kept, and read again after the next step.
        implied: moves that people have made by going on at the table; the reading is read again at once after them.
        ends_turn: the step ends somebody's turn without a press.
    """

    step: Step = None
    notice: str = ""
    read_again: bool = False
    implied: tuple[Move, ...] = ()
    ends_turn: bool = False


class GameReadings:
    """Readings of one saved game. This base class serves games in which the camera does not play: it ignores all.

    >>> readings = GameReadings(saved_game=None)
    >>> readings.handle(DiceRead((2, 5), confidence=0.97, at=12.5), (), is_answer=False)
    ReadingResult(step=None, notice='', read_again=False, implied=(), ends_turn=False)

    A subclass is named by the game's definition (`CameraUse.readings`).

    Args:
        saved_game: the game in play; it is only read, the referee changes it.
    """

    def __init__(self, saved_game: SavedGame) -> None:
        self._saved_game = saved_game
        self.last_window: int | None = None
        """Index of the window from which the last token was taken; None: not known, or the game has no windows."""

    @property
    def die_picture(self) -> DiePicture | None:
        """Picture of the die that was uncovered last, for the screen; None: there is none (always in this class)."""
        return None

    def find_subject(self, event: Event) -> Subject | None:
        """Find the subject that a question about a reading has (`QuestionDialog.subject`).

        Args:
            event: any event of the camera.

        Returns:
            "dice" or the index of a window, from 0; None: no question is about this reading. None always in this base
            class.
        """
        return None

    def is_answer(self, event: Event, dialog: Dialog | None) -> bool:
        """Return whether a reading answers the open dialog, which the referee then closes: both have the same subject.

        Args:
            event: any event of the camera.
            dialog: the open dialog; None: there is none.
        """
        if isinstance(event, DiceRead) and (event.is_in_doubt or event.was_picked_up):
            return False  # dice that may have been pushed, or lay there before those that were asked about
        subject = dialog.subject if isinstance(dialog, QuestionDialog | ListMenu) else None
        return subject is not None and subject == self.find_subject(event)

    def handle(self, event: Event, offers: Sequence[Offer], *, is_answer: bool) -> ReadingResult:
        """Decide what a reading means now: a move, a question, a message or nothing. Changes no game.

        This base class answers with nothing.

        Args:
            event: a reading of the camera.
            offers: the game's own offers, with what the camera can see now.
            is_answer: the reading has just answered the question that was open.

        Raises:
            ValueError: dice were read with a value that the game does not have.
        """
        return ReadingResult()

    def handle_picked_up(self, event: DiceRead, offers: Sequence[Offer]) -> ReadingResult:
        """Decide what dice mean that people took up before they were read (`DiceRead.was_picked_up`).

        This base class answers with nothing: it counts what lies on the table now.
        """
        return ReadingResult()

    def explain_refusal(self, move: Move) -> ReadingResult:
        """Say why what the camera has seen for certain is no move now; nothing if it is one."""
        refusal = self._saved_game.game.find_refusal(move)
        return ReadingResult(notice=refusal.describe(self._saved_game.players) if refusal else "")

    def note_motion(self, is_moving: bool, at: float) -> None:
        """Note whether anything moves on the table, since `at`: what is read after a rest has happened after it."""

    def is_counting(self, move: Move) -> bool:
        """Return whether a move makes what lies on the lid count: a press of it waits until that was read.

        False always in this base class.
        """
        return False

    def follows_presses(self, event: Event) -> bool:
        """Return whether people press what they have to say before they do what a reading shows.

        False always in this base class.
        """
        return False

    def check_against_camera(self, move: Move, following: Sequence[Action]) -> Step:
        """Return what to do in place of a move: a question, where the camera sees otherwise than the game has it.

        This base class accepts every move.

        Args:
            move: a legal move that is about to be played.
            following: what is to be done after it.

        Returns:
            The question, whose answers lead to the move and what follows, or the move and what an earlier answer kept
            back; None: the move itself, all is as the camera sees it.
        """
        return None

    def find_thrown_values(self, step: PlayedStep) -> Sequence[int] | None:
        """Return the values of the dice that a move threw, or a correction corrected; None: it is about something else.

        None always in this base class.

        Args:
            step: a move or correction of this game, as it was played.
        """
        return None

    def handle_command(self, command: Command) -> Step:
        """Handle a command that only this game offers, and return the step that it leads to.

        Args:
            command: the command of one of the game's own offers.

        Returns:
            A dialog, something for the referee to do, or None: nothing.

        Raises:
            NotImplementedError: the game has no such command; always in this base class.
        """
        raise NotImplementedError(command)


def find_move(offers: Sequence[Offer], kind: str, number: int | None = None) -> Move | None:
    """Find the move that a table action plays now.

    >>> from companion.api import Seat, TableAction
    >>> offer = Offer(Move("open", Seat(0), (5,)), TableAction("token_taken", 5), "")
    >>> find_move([offer], "token_taken", 5).value, find_move([offer], "token_taken", 4)
    ((5,), None)

    Args:
        offers: the game's own offers.
        kind: kind of the table action, as the game names it (an `ActionKind`).
        number: its number, such as a token's; None: it has none.

    Returns:
        None if no offer of a move has this table action.
        An open move (a roll) is returned without its value.
    """
    found = next((offer.action for offer in offers if offer.input == TableAction(kind, number)), None)
    return found if isinstance(found, Move) else None


def find_thrown_dice(saved_game: SavedGame, step: PlayedStep) -> tuple[int, ...] | None:
    """Return the value of a step that threw dice (`THROW`), or corrected them (a correction of the kind `DICE`).

    Args:
        step: a move or correction of this game, as it was played.

    Returns:
        None: the step is about something else.
    """
    if isinstance(step.played, SeatChange):
        return None
    if isinstance(step.played, Correction):
        return step.played.value if step.played.kind == DICE else None
    visibility = Visibility(dice=True, tokens=True)
    offers = saved_game.definition.list_offers(step.before, saved_game.players, visibility)
    throw = find_move(offers, THROW)
    return step.played.value if throw is not None and throw.kind == step.played.kind else None


def format_values(values: Sequence[int]) -> str:
    """Format numbers as people say them, in the current language; without numbers "".

    >>> format_values((2, 5)), format_values((1, 3, 6)), format_values((4,))
    ('2 and 5', '1, 3 and 6', '4')
    """
    return join_and([str(v) for v in values])
