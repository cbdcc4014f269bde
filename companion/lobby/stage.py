"""What the places before a game have in common; and the question whether an interrupted game goes on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from companion.events import Button, ButtonPressed, DeviceLost, DeviceRestored, LampState
from companion.games.api.offers import Command, ConsolePress, GameDefinition, Offer
from companion.i18n import N_, Translator
from companion.referee.buttons import build_soft_keys, find_offer, map_lamps
from companion.referee.stage import Stage
from companion.screen_state import CameraView, ScreenKind, ScreenState

_ = Translator("companion")


class PreGameStage(Stage):
    """Presses in, offers out, no journal."""

    WITHOUT_CAMERA = N_("Buttons are enough to play.")

    def __init__(self, definition: GameDefinition, monotonic: Callable[[], float]) -> None:
        super().__init__(monotonic)
        self.definition = definition

    def list_offers(self) -> Sequence[Offer]:
        """What may be pressed now."""
        raise NotImplementedError

    def execute(self, command: Command) -> None:
        """Do what an offer says."""
        raise NotImplementedError

    @property
    def is_done(self) -> bool:
        """Whether this place has what it is for; presses after that are for the next one."""
        raise NotImplementedError

    def tick(self) -> None:
        """Do what the presses ask for."""
        for signal in self._take_due_events():
            match signal:
                case ButtonPressed(button=button) if not self.is_done:
                    offer = find_offer(self.list_offers(), button, ())
                    if offer is not None and isinstance(offer.action, Command):
                        self.execute(offer.action)
                case DeviceLost() | DeviceRestored():
                    self._note_device_event(signal)
                case _:
                    pass

    def map_lamps(self) -> Mapping[Button, LampState]:
        """Lit: may be pressed now. Blinking: the table waits for it."""
        return map_lamps(self.list_offers(), ())


class ResumePrompt(PreGameStage):
    """A sitting was interrupted: go on, or put it away.

    Args:
        kit: its game.
        lines: what is to be said of it (players, round, scores, when).
    """

    def __init__(self, definition: GameDefinition, lines: Sequence[str], monotonic: Callable[[], float]) -> None:
        super().__init__(definition, monotonic)
        self.lines = tuple(lines)
        self.answer: bool | None = None

    @property
    def is_done(self) -> bool:
        return self.answer is not None

    def list_offers(self) -> Sequence[Offer]:
        return [
            Offer(Command("resume"), ConsolePress.OK, _("Go on"), awaited=True),
            Offer(Command("put away"), ConsolePress.NO, _("Put it away"), awaited=True),
        ]

    def execute(self, command: Command) -> None:
        self.answer = command.name == "resume"

    def build_screen_state(self, camera_view: CameraView) -> ScreenState:
        """The question as the display is told it."""
        return ScreenState(
            kind=ScreenKind.RESUME,
            game_name=self.definition.name,
            title=self.definition.title,
            uses_camera=self.definition.uses_camera,
            prompt=_("A game was interrupted: go on with it?"),
            soft_keys=build_soft_keys(self.list_offers(), ()),
            notice=self.describe_problem(),
            pressed_buttons=self.press_feedback.recent_presses(),
            camera_view=camera_view,
            details=self.lines,
        )
