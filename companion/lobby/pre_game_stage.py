"""Base class of the stages before a game: the lobby, its menus and questions."""

from collections.abc import Callable

from companion.api import AnyGameDefinition, Command, CommandName
from companion.events import Button, ButtonPressed, ButtonReleased, CharacterTyped, ControlPressed
from companion.i18n import N_
from companion.referee.button_mapping import build_soft_keys, find_hold_offer, find_offer, is_held_step, is_seat_hold
from companion.referee.held_buttons import HOLD_SECONDS
from companion.referee.stage import Stage
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
                if not self._defer_press(event.button):
                    self._handle_press(event.button, event.at)
            elif isinstance(event, ControlPressed):
                self.handle_control(event)
            elif isinstance(event, ButtonReleased):
                self._handle_release(event.button, event.at)
        for button in tuple(self._deferred_offers):
            if self.press_feedback.take_hold(button):
                self._handle_hold(button)
        self._repeat_held_steps()

    def _handle_press(self, button: Button, at: float) -> None:
        offer = find_offer(self.list_offers(), button, ())
        if not self.press_guard.accept_press(button, at, offer):
            return
        if offer is not None and isinstance(offer.action, Command) and not is_seat_hold(offer.input):
            if is_held_step(offer):
                self.press_feedback.begin_repeat(button)
            self._deferred_offers.clear()  # what is held was meant for the page before
            self.execute(offer.action)

    def _handle_release(self, button: Button, at: float) -> None:
        """Handle a button that came up: one that may be held counts now, unless it was held."""
        seconds = self.press_feedback.note_release(button, at)
        if seconds is not None and self._is_still_offered(button):
            if seconds < HOLD_SECONDS:
                self._handle_press(button, at)
            else:
                self._handle_hold(button)  # press and release came in the same turn of the loop
        self._deferred_offers.pop(button, None)

    def _handle_hold(self, button: Button) -> None:
        held = find_hold_offer(self.list_offers(), button, ()) if self._is_still_offered(button) else None
        if self.exit is None and held is not None and isinstance(held.action, Command):
            self._deferred_offers.clear()
            self.execute(held.action)

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
            hold=self._find_deferred_hold(),
            camera_view=camera_view,
        )
