"""The lesson at a virtual table: two minutes in which somebody does each thing once that is needed in every game.

The first game of the lobby's menu with a script for it is played, by a referee whose journal is in memory: nothing of
the lesson is remembered.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pkgutil import resolve_name
from typing import Any

from companion.api import (
    AnyGameDefinition,
    Command,
    CommandName,
    ConsolePress,
    Correction,
    Move,
    NumberPress,
    Offer,
    Seat,
)
from companion.events import (
    SEAT_BUTTONS,
    Button,
    ButtonPressed,
    CameraStateChanged,
    DiceRead,
    Event,
    LampState,
    LidEvent,
    TableMissed,
)
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

VERDICT_SECONDS = 3.0
"""Seconds for which the stage holds the end of the game, before the last page; a press ends it."""
LEAVE = Command(CommandName.BACK)
SIT_DOWN = N_("Sit down: press one of the six keys")
END = N_("Now you know how it works")
WRONG_KEY = N_("That key does nothing now: look for the ring")
WRONG_PLACE = N_("Not there: the ring shows where")
HOLD_LONGER = N_("Hold NO down for a whole second")


@dataclass(frozen=True, slots=True)
class LessonStep:
    """One thing that somebody does in the game of the lesson."""

    sentence: str
    """What to do now, to be translated by the game's catalogue."""
    moves: tuple[str, ...] = ()
    """Kinds of the moves that are open, one of which is played; empty: NO is held, which undoes the step before."""
    then: Move | None = None
    """Move that the table makes itself after it."""


@dataclass(frozen=True, slots=True)
class LessonScript:
    """What `GameDefinition.lesson` names; two sit at the table, of whom the other never acts.

    >>> steps = (LessonStep("Roll", ("roll",)), LessonStep("Hold NO: that undoes it"))
    >>> LessonScript({"rounds": 1}, steps, ("Dice are rolled",)).settings["rounds"]
    1
    """

    settings: Mapping[str, Any]
    """House rules, in which one person can play it alone."""
    steps: tuple[LessonStep, ...]
    """After sitting down, in their order."""
    learnt: tuple[str, ...]
    """What the last page sums up, a line each, to be translated by the game's catalogue."""


@dataclass(frozen=True, slots=True)
class LessonView:
    """A page before or after the game of the lesson: `ScreenState.view` on the screen LESSON."""

    sentence: str
    """What to do now, translated; empty on the last page."""
    learnt: tuple[str, ...] = ()
    """What was learnt, translated, in a line each."""


class _LessonReferee(Referee):
    """A referee that offers what the present step is about, and leaving; a sentence explains every other press."""

    def __init__(self, script: LessonScript, saved_game: SavedGame, services: GameServices) -> None:
        super().__init__(saved_game, services)
        self._steps = list(script.steps)
        """Those left when what was undone is left out together with its undoing."""
        self._undone_count = 0

    @property
    def step(self) -> LessonStep | None:
        """The present step: it follows from what was played; None: all are done."""
        index = self._count_done()
        return self._steps[index] if index < len(self._steps) else None

    @property
    def step_number(self) -> int:
        """The number of the present step among all of the script, from 1."""
        return self._count_done() + 2 * self._undone_count + 1

    def _count_done(self) -> int:
        """Count the steps left that are done; none is while one before it is not."""
        count = 0
        for played in (step.played for step in self.saved_game.replay.steps):
            if count < len(self._steps) and isinstance(played, Move) and played.kind in self._steps[count].moves:
                count += 1
        return count

    @property
    def is_undo_due(self) -> bool:
        """Whether the present step is to hold NO."""
        return self.step is not None and not self.step.moves

    def list_offers(self) -> Sequence[Offer]:
        """List the offers of the step, or of an open dialog, and leaving."""
        offers = super().list_offers()
        if self.dialog is None:
            kinds = self.step.moves if self.step else ()
            offers = [o for o in offers if isinstance(o.action, Move | Correction) and o.action.kind in kinds]
            # What is entered by hand where the camera reads it is not the lesson.
            offers = [replace(o, awaited=True) for o in offers if o.input is not ConsolePress.PLUS]
        if self.is_undo_due:
            offers = [Offer(UNDO, ConsolePress.HOLD_NO, _("Hold: undo"), awaited=True)]
        return [*(o for o in offers if o.input is not ConsolePress.MINUS), make_leave_offer()]

    def _handle_hold(self, button: Button) -> None:
        if button is Button.NO and not self.is_undo_due:
            self.notice = _(WRONG_KEY)
            return
        if button is Button.NO:
            index = self._count_done()
            del self._steps[index - 1 : index + 1]
            self._undone_count += 1
        super()._handle_hold(button)

    def _explain_refusal(self, button: Button) -> None:
        self.notice = _(HOLD_LONGER) if button is Button.NO and self.is_undo_due else _(WRONG_KEY)

    def play_table_move(self) -> None:
        """Play the move that the table makes itself after the last step that was done."""
        done, played = self._steps[: self._count_done()], self.saved_game.last_played
        if done and done[-1].then is not None and isinstance(played, Move) and played.kind in done[-1].moves:
            self.play_move(done[-1].then)


class Lesson(PreGameStage):
    """The steps of the lesson, each done by the person: `exit` is LOBBY, at the end or by MINUS at any time.

    >>> from companion.api.registry import find_lesson_game
    >>> lesson = Lesson(find_lesson_game(), lambda: 0.0)
    >>> lesson.step_number, len(lesson.list_offers())
    (1, 7)

    Args:
        definition: a game with a script for the lesson.
        monotonic: the host's monotonic clock, in seconds.
    """

    def __init__(self, definition: AnyGameDefinition, monotonic: Callable[[], float]) -> None:
        super().__init__(definition, monotonic)
        self._script: LessonScript = resolve_name(definition.lesson)
        self._referee: _LessonReferee | None = None
        self._journal: MemoryJournal | None = None
        self._camera_state: CameraStateChanged | None = None
        self._ended_at: float | None = None
        """When the last step was done; None: it is not yet."""

    @property
    def step_number(self) -> int:
        """The number of the present step: 1 is sitting down; after the script's steps comes the end."""
        if self._referee is not None:
            return 1 + self._referee.step_number
        return 1 if self._ended_at is None else len(self._script.steps) + 2

    @property
    def is_done(self) -> bool:
        """Whether all steps are done."""
        return self.step_number > len(self._script.steps) + 1

    def list_offers(self) -> Sequence[Offer]:
        """List the offers of the step, with MINUS to leave."""
        if self._referee is not None:
            return self._referee.list_offers()
        if self.is_done:
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
        elif isinstance(event, ButtonPressed) and self.is_done:
            self._end_game()
        elif isinstance(event, DiceRead | LidEvent) and self._referee.is_undo_due:
            pass  # nothing on the table may take the place of the guess, which is undone next
        elif isinstance(event, TableMissed):
            self._referee.notice = _(WRONG_PLACE)
        else:
            self._referee.receive(event)

    def tick(self) -> None:
        """Handle the queued events, and go on to the last page when the end of the game has been shown."""
        if self._referee is None:
            super().tick()
            return
        self._referee.tick()
        self._referee.play_table_move()
        if self.is_done and self._ended_at is None:
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
        """Begin the game, with another player who never acts."""
        other = SEAT_BUTTONS[(SEAT_BUTTONS.index(button) + 1) % len(SEAT_BUTTONS)]
        setup = GameSetup(
            game=self.definition.name,
            players=(shape_name(button), shape_name(other)),
            buttons=(button, other),
            first=Seat(0),
            settings=self.definition.settings_model.model_validate(self._script.settings).model_dump(mode="json"),
        )
        self._journal = MemoryJournal(self._monotonic)
        saved_game = SavedGame.begin(self._journal, setup, self.definition)
        services = GameServices(self._monotonic, is_table_virtual=True)
        self._referee = _LessonReferee(self._script, saved_game, services)
        # A button that is down now comes up in the game.
        self._referee.press_guard = self.press_guard
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
        camera_view = replace(camera_view, problem=None)  # at a virtual table nobody can put it right
        most = len(self._script.steps) + 1
        title = _("Step {n} of {most}", n=min(self.step_number, most), most=most)
        if self._referee is None:
            learnt = tuple(self.definition.translate(line) for line in self._script.learnt)
            return replace(
                self._build_base_state(ScreenKind.LESSON, _(END) if self.is_done else title, camera_view),
                view=LessonView("", learnt) if self.is_done else LessonView(_(SIT_DOWN)),
                guide=build_guide(self.list_offers(), ()),
            )
        state, step = self._referee.build_screen_state(camera_view), self._referee.step
        if step is None:
            return state
        asks = state.question is not None or state.menu is not None
        sentence = "" if asks else self.definition.translate(step.sentence)
        guide = build_guide(self.list_offers(), self._referee.saved_game.buttons, sentence=sentence)
        return replace(
            state,
            prompt=state.prompt if asks else title,
            addressed=None,
            guide=replace(guide, is_strict=True),
        )


def make_leave_offer() -> Offer:
    """Make the offer that leaves the lesson."""
    return Offer(LEAVE, ConsolePress.MINUS, _("Leave lesson"))
