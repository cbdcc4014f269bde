"""The lesson at a virtual table: two minutes in which somebody does each thing once that is needed in every game.

A referee runs a game of Macroscope whose journal is in memory: nothing of the lesson is remembered.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum

from companion.api import (
    Command,
    CommandName,
    ConsolePress,
    Correction,
    Move,
    NumberPress,
    Offer,
    Seat,
)
from companion.api.registry import find_game
from companion.events import SEAT_BUTTONS, Button, ButtonPressed, CameraStateChanged, Event, LampState, TableMissed
from companion.i18n import N_, _
from companion.journal.entry import GameSetup
from companion.journal.known_players import shape_name
from companion.journal.memory_journal import MemoryJournal
from companion.journal.saved_game import SavedGame
from companion.lobby.pre_game_stage import PreGameStage
from companion.referee.game_stage import UNDO
from companion.referee.guide import build_guide
from companion.referee.lamps import map_lamps
from companion.referee.referee import Referee
from companion.referee.services import GameServices
from companion.screen_state import CameraView, ScreenKind, ScreenState

LESSON_GAME = "macroscope"
VERDICT_SECONDS = 3.0
"""Seconds for which the stage holds who was right, before the last page; a press ends it."""
LEAVE = Command(CommandName.BACK)
WRONG_KEY = N_("That key does nothing now: look for the ring")
WRONG_PLACE = N_("Not there: the ring shows where")
HOLD_LONGER = N_("Hold NO down for a whole second")


class LessonStep(IntEnum):
    """What is learnt, in its order."""

    SIT = 1
    ROLL = 2
    TAKE = 3
    GUESS = 4
    UNDO = 5
    GUESS_AGAIN = 6
    ANSWER = 7
    END = 8


SENTENCES = {
    LessonStep.SIT: N_("Sit down: press one of the six keys"),
    LessonStep.ROLL: N_("Touch the tray to roll the dice"),
    LessonStep.TAKE: N_("Touch a token with a ring"),
    LessonStep.GUESS: N_("You know the picture? Press your key"),
    LessonStep.UNDO: N_("Not sure? Hold NO: that undoes it"),
    LessonStep.GUESS_AGAIN: N_("Say what you see, and press your key again"),
    LessonStep.ANSWER: N_("Were you right? Press your key, or NO"),
    LessonStep.END: N_("Now you know how it works"),
}
LEARNT = (
    N_("A ring shows what the table waits for"),
    N_("The camera reads dice and tokens"),
    N_("Your key is for what you say"),
    N_("Hold NO: whatever happened is undone"),
)
"""What the last page sums up."""
MOVES_BY_STEP = {
    LessonStep.ROLL: ("roll",),
    LessonStep.TAKE: ("remove",),
    LessonStep.GUESS: ("guess",),
    LessonStep.GUESS_AGAIN: ("guess",),
    LessonStep.ANSWER: ("right", "nobody"),
}
"""Kinds of the moves that are open in a step."""


@dataclass(frozen=True, slots=True)
class LessonView:
    """A page before or after the game of the lesson: `ScreenState.view` on the screen LESSON."""

    sentence: str
    """What to do now, translated; empty on the last page."""
    learnt: tuple[str, ...] = ()
    """What was learnt, translated, in a line each."""


class _LessonReferee(Referee):
    """A referee that offers what the present step is about, and leaving; it explains every other press in a sentence.

    Attributes:
        was_undone: a guess was undone.
    """

    was_undone = False

    @property
    def step(self) -> LessonStep:
        """The present step: it follows from what was played last."""
        played = self.saved_game.last_played
        match played.kind if isinstance(played, Move) else "":
            case "":
                return LessonStep.ROLL
            case "roll":
                return LessonStep.TAKE
            case "remove":
                return LessonStep.GUESS_AGAIN if self.was_undone else LessonStep.GUESS
            case "guess":
                return LessonStep.UNDO
            case "cover":
                return LessonStep.ANSWER
            case _:
                return LessonStep.END

    def list_offers(self) -> Sequence[Offer]:
        """List the offers of the step, or of an open dialog, and leaving."""
        offers = super().list_offers()
        if self.dialog is None:
            kinds = MOVES_BY_STEP.get(self.step, ())
            offers = [o for o in offers if isinstance(o.action, Move | Correction) and o.action.kind in kinds]
            # What is entered by hand where the camera reads it is not the lesson.
            offers = [replace(o, awaited=True) for o in offers if o.input is not ConsolePress.PLUS]
        if self.step is LessonStep.UNDO:
            offers = [Offer(UNDO, ConsolePress.HOLD_NO, _("Hold: undo"), awaited=True)]
        return [*(o for o in offers if o.input is not ConsolePress.MINUS), make_leave_offer()]

    def _handle_hold(self, button: Button) -> None:
        if button is not Button.NO or self.step is LessonStep.UNDO:
            self.was_undone |= button is Button.NO
            super()._handle_hold(button)
        else:
            self.notice = _(WRONG_KEY)

    def _explain_refusal(self, button: Button) -> None:
        is_too_short = button is Button.NO and self.step is LessonStep.UNDO
        self.notice = _(HOLD_LONGER) if is_too_short else _(WRONG_KEY)

    def play_covering(self) -> None:
        """Cover the windows after the second guess: the table of a lesson does that itself."""
        played = self.saved_game.last_played
        if self.was_undone and isinstance(played, Move) and played.kind == "guess":
            self.play_move(Move("cover"))


class Lesson(PreGameStage):
    """The steps of the lesson, each done by the person: `exit` is LOBBY, at the end or by MINUS at any time.

    >>> lesson = Lesson(lambda: 0.0)
    >>> lesson.step.name, len(lesson.list_offers())
    ('SIT', 7)

    Args:
        monotonic: the host's monotonic clock, in seconds.
    """

    def __init__(self, monotonic: Callable[[], float]) -> None:
        super().__init__(find_game(LESSON_GAME), monotonic)
        self._referee: _LessonReferee | None = None
        self._journal: MemoryJournal | None = None
        self._camera_state: CameraStateChanged | None = None
        self._ended_at: float | None = None
        """When the question was answered; None: it is not yet."""

    @property
    def step(self) -> LessonStep:
        """The present step."""
        if self._referee is not None:
            return self._referee.step
        return LessonStep.SIT if self._ended_at is None else LessonStep.END

    def list_offers(self) -> Sequence[Offer]:
        """List the offers of the step, with MINUS to leave."""
        if self._referee is not None:
            return self._referee.list_offers()
        if self.step is LessonStep.END:
            return [Offer(Command(CommandName.NEXT), ConsolePress.OK, _("Continue"), awaited=True)]
        seats = [
            Offer(Command(CommandName.JOIN, (n,)), NumberPress(n), _("Sit here"), awaited=True)
            for n in range(1, len(SEAT_BUTTONS) + 1)
        ]
        return [*seats, make_leave_offer()]

    def find_offer(self, button: Button) -> Offer | None:
        """Find what a press of the button does now; None: nothing."""
        return super().find_offer(button) if self._referee is None else self._referee.find_offer(button)

    def map_lamps(self) -> dict[Button, LampState]:
        """Map each button to its lamp."""
        return dict(map_lamps(self.list_offers(), self._referee.saved_game.buttons if self._referee else ()))

    def receive(self, event: Event) -> None:
        """Queue an event for the next `tick`: of the game that is played, or of the page before and after it."""
        if isinstance(event, CameraStateChanged):
            self._camera_state = event
        if self._referee is None:
            super().receive(event)
        elif isinstance(event, ButtonPressed) and event.button is Button.MINUS:
            self._leave()
        elif isinstance(event, ButtonPressed) and self.step is LessonStep.END:
            self._end_game()
        elif isinstance(event, TableMissed):
            self._referee.notice = _(WRONG_PLACE)
        else:
            self._referee.receive(event)

    def tick(self) -> None:
        """Handle the queued events, and go on to the last page when who was right has been shown."""
        if self._referee is None:
            super().tick()
            return
        self._referee.tick()
        self._referee.play_covering()
        if self.step is LessonStep.END and self._ended_at is None:
            self._ended_at = self._monotonic()
        if self._ended_at is not None and self._monotonic() - self._ended_at >= VERDICT_SECONDS:
            self._end_game()

    def _handle_press(self, button: Button, at: float) -> None:
        is_offered = self.find_offer(button) is not None
        self.notice = None if is_offered else _(WRONG_KEY)
        super()._handle_press(button, at)

    def execute(self, command: Command) -> None:
        """Sit down, and begin the game; any other command leaves the lesson."""
        if command.name is CommandName.JOIN:
            self._begin_game(SEAT_BUTTONS[command.value[0] - 1])
        else:
            self._leave()

    def _begin_game(self, button: Button) -> None:
        """Begin a game of the easier variant, in which nobody else may guess, with a player who never acts."""
        other = SEAT_BUTTONS[(SEAT_BUTTONS.index(button) + 1) % len(SEAT_BUTTONS)]
        setup = GameSetup(
            game=self.definition.name,
            players=(shape_name(button), shape_name(other)),
            buttons=(button, other),
            first=Seat(0),
            settings=self.definition.settings_model(variant="easy").model_dump(mode="json"),
        )
        self._journal = MemoryJournal(self._monotonic)
        saved_game = SavedGame.begin(self._journal, setup, self.definition)
        self._referee = _LessonReferee(saved_game, GameServices(self._monotonic, is_table_virtual=True))
        # A button that is down now comes up in the game.
        self._referee.double_press_guard = self.double_press_guard
        self._referee.press_feedback, self._referee.stuck_filter = self.press_feedback, self.stuck_filter
        if self._camera_state is not None:
            self._referee.receive(self._camera_state)

    def _end_game(self) -> None:
        self._referee = None
        if self._journal is not None:
            self._journal.close()

    def _leave(self) -> None:
        self._end_game()
        self.exit = Command(CommandName.LOBBY)

    def build_screen_state(self, camera_view: CameraView) -> ScreenState:
        """Build the screen of the step: a page of its own, or the game with one sentence in place of its picture."""
        step, sentence = self.step, _(SENTENCES[self.step])
        title = _("Step {n} of {most}", n=min(step, LessonStep.ANSWER), most=int(LessonStep.ANSWER))
        if self._referee is None:
            is_end = step is LessonStep.END
            return replace(
                self._build_base_state(ScreenKind.LESSON, sentence if is_end else title, camera_view),
                view=LessonView("" if is_end else sentence, tuple(_(line) for line in LEARNT) if is_end else ()),
                guide=build_guide(self.list_offers(), ()),
            )
        state = self._referee.build_screen_state(camera_view)
        if step is LessonStep.END:
            return state
        asks = state.question is not None or state.menu is not None
        guide = build_guide(self.list_offers(), self._referee.saved_game.buttons, sentence="" if asks else sentence)
        return replace(
            state,
            prompt=state.prompt if asks else title,
            addressed=None,
            guide=replace(guide, is_strict=True),
        )


def make_leave_offer() -> Offer:
    """Make the offer that leaves the lesson."""
    return Offer(LEAVE, ConsolePress.MINUS, _("Leave lesson"))
