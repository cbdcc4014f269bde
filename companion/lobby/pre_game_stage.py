"""Base class of the stages before a game: the lobby, its menus and questions."""

from collections.abc import Callable

from companion.api import AnyGameDefinition, Command, CommandName
from companion.events import Button, ButtonPressed, ButtonReleased, CharacterTyped, ControlPressed
from companion.i18n import N_
from companion.referee.button_mapping import build_soft_keys, find_offer
from companion.referee.stage import Stage, is_held_step
from companion.screen_state import CameraView, ScreenKind, ScreenState


class PreGameStage(Stage):
    """A stage that is worked by presses alone and journals nothing. All calls come from the main loop's thread.

    Args:
        definition: the game that is to be played.
        monotonic: the host's monotonic clock, in seconds; events are stamped by the same clock.

    Attributes:
        may_teach: a press of a controller of which nothing is known opens the teaching.
    """

    WITHOUT_CAMERA = N_("Buttons are enough to play.")

    def __init__(self, definition: AnyGameDefinition, monotonic: Callable[[], float]) -> None:
        super().__init__(monotonic)
        self.definition = definition
        self.may_teach = False

    def execute(self, command: Command) -> None:
        """Execute the command of an offer; a command that this stage does not execute itself leaves it (`exit`).

        Args:
            command: the command of one of `list_offers`.

        Raises:
            Exception: a game of another package may raise any error.
        """
        self.exit = command

    def type_character(self, character: str) -> None:
        """Do nothing: this stage asks for no text.

        Args:
            character: what was typed on a keyboard; "\\b" erases the last character.
        """

    def handle_control(self, event: ControlPressed) -> None:
        """Let a controller be taught that was pressed and of which nothing is known: leave this stage by TEACH.

        Not for a stick: one that trembles would ask again and again.

        Args:
            event: the press.
        """
        if self.may_teach and not event.is_taught and not event.control.startswith("axis"):
            self.exit = Command(CommandName.TEACH)

    def tick(self) -> None:
        """Execute the commands of the queued presses in the order of their stamps, until the stage is over.

        The second press of a double press does nothing, and neither do the events of camera and devices.

        Raises:
            Exception: a game of another package may raise any error.
        """
        for event in self._take_due_events():
            if self.exit is not None:
                return
            if isinstance(event, CharacterTyped):
                self.type_character(event.character)
            elif isinstance(event, ButtonPressed):
                self._handle_press(event.button, event.at)
            elif isinstance(event, ControlPressed):
                self.handle_control(event)
            elif isinstance(event, ButtonReleased):
                self.press_feedback.note_release(event.button, event.at)
        self._repeat_held_steps()

    def _handle_press(self, button: Button, at: float) -> None:
        offer = find_offer(self.list_offers(), button, ())
        if not self.double_press_guard.accept_press(button, at, offer):
            return
        if offer is not None and isinstance(offer.action, Command):
            if is_held_step(offer):
                self.press_feedback.begin_repeat(button)
            self.execute(offer.action)

    def _build_base_state(self, kind: ScreenKind, prompt: str, camera_view: CameraView) -> ScreenState:
        """Build the parts of the screen state that all stages before a game have."""
        return ScreenState(
            kind=kind,
            game_name=self.definition.name,
            title=self.definition.translated_title,
            uses_camera=self.definition.uses_camera,
            prompt=prompt,
            soft_keys=build_soft_keys(self.list_offers(), ()),
            notice=self.notice or self.describe_problem(),
            pressed_buttons=self.press_feedback.recent_presses(),
            camera_view=camera_view,
        )
