"""Teaching the buttons of a controller, one after the other; also what happens with a control that is another button's.

Stored by `companion.config.taught_buttons`.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from companion.api import AnyGameDefinition, Command, CommandName, ConsolePress, Offer
from companion.config.taught_buttons import TaughtButtons
from companion.events import SEAT_BUTTONS, Button, ControllerId, ControlPressed
from companion.i18n import _
from companion.journal.known_players import shape_name
from companion.lobby.pre_game_stage import PreGameStage
from companion.lobby_views import TeachingView
from companion.screen_state import CameraView, ScreenKind, ScreenState
from hardware.buttons.controllers.bindings import clean_name

TEACHING_ORDER = (Button.OK, Button.NO, *SEAT_BUTTONS, Button.PLUS, Button.MINUS)
"""OK and NO first: they lead through the rest where a gamepad is all that there is."""
SAME_PRESS_SECONDS = 0.4
"""Another control of the same device this soon belongs to the same press: a gamepad's trigger is an axis and a button,
and a trembling hand touches two. A larger value makes people wait."""


class ButtonTeaching(PreGameStage):
    """Asks for one button after the other: `exit` is NEXT after the last one, BACK if it was cancelled.

    Args:
        definition: the game that the lobby will open with.
        taught: stores what is learned; teaching begins now.
        monotonic: the host's monotonic clock, in seconds.

    Attributes:
        wanted: the button that is asked for.
        problem: why what was learned could not be stored, for the next stage; None: it was.
    """

    def __init__(self, definition: AnyGameDefinition, taught: TaughtButtons, monotonic: Callable[[], float]) -> None:
        super().__init__(definition, monotonic)
        self.wanted = TEACHING_ORDER[0]
        self.problem: str | None = None
        self._taught = taught
        self._last: tuple[ControllerId, float] | None = None
        """Controller and stamp of the press that was learned last."""
        taught.begin_teaching()

    def list_offers(self) -> Sequence[Offer]:
        """List the offers: OK goes on without this button, or ends; NO goes back, or cancels; MINUS forgets all."""
        is_first, is_last = self.wanted is TEACHING_ORDER[0], self.wanted is TEACHING_ORDER[-1]
        offers = [
            Offer(Command(CommandName.NEXT), ConsolePress.OK, _("Done") if is_last else _("Next"), awaited=True),
            Offer(Command(CommandName.BACK), ConsolePress.NO, _("Back")),
        ]
        if is_first and not self._taught.is_empty:
            offers.append(Offer(Command(CommandName.FORGET), ConsolePress.MINUS, _("Forget all")))
        elif not is_last and self._list_learned():
            offers.append(Offer(Command(CommandName.FINISH), ConsolePress.PLUS, _("Done")))
        return offers

    def execute(self, command: Command) -> None:
        """Execute the command of an offer; at the end what was learned is stored, and `notice` says if that fails."""
        self.notice = None
        at = TEACHING_ORDER.index(self.wanted)
        match command.name:
            case CommandName.FORGET:
                self.notice = self._taught.forget_all() or _("Everything that was taught is forgotten")
            case CommandName.BACK if at == 0:
                self._taught.cancel_teaching()
                self.exit = command
            case CommandName.BACK:
                self.wanted = TEACHING_ORDER[at - 1]
                self._taught.forget(self.wanted)
            case CommandName.NEXT if at + 1 < len(TEACHING_ORDER):
                self.wanted = TEACHING_ORDER[at + 1]
            case CommandName.NEXT | CommandName.FINISH:
                self.problem = self._taught.end_teaching()
                self.exit = Command(CommandName.NEXT)

    def handle_control(self, event: ControlPressed) -> None:
        """Learn the control that was pressed as the wanted button, and ask for the next one."""
        if self._last is not None:
            controller, at = self._last
            if controller == event.controller and abs(event.at - at) < SAME_PRESS_SECONDS:
                return
        self.notice = None
        self._last = (event.controller, event.at)
        self._taught.teach(event.controller, event.control, self.wanted)
        self.execute(Command(CommandName.NEXT))

    def _handle_press(self, button: Button, at: float) -> None:
        """Handle a press of a known button; a seat's says that it is taken."""
        if button in SEAT_BUTTONS:
            self.notice = _("This is already the button of {shape}: press another one", shape=shape_name(button))
            return
        super()._handle_press(button, at)

    def _list_learned(self) -> frozenset[Button]:
        return frozenset(binding.button for binding in self._taught.bindings)

    def build_screen_state(self, camera_view: CameraView) -> ScreenState:
        """Build the screen that asks for the wanted button; changes nothing."""
        last = self._taught.bindings[-1] if self._taught.bindings else None
        if self.wanted in SEAT_BUTTONS:
            prompt = _(
                "Press the button for seat {n}: {shape}", n=self.wanted.seat_number, shape=shape_name(self.wanted)
            )
        else:
            prompt = _("Press the button for {button}", button=str(self.wanted).upper())
        return replace(
            self._build_base_state(ScreenKind.TEACHING, prompt, camera_view),
            title=_("Teach buttons"),
            uses_camera=False,
            view=TeachingView(self.wanted, self._list_learned()),
            details=(
                _("Plug in a gamepad, an arcade encoder, Buzz! or a presenter")
                if last is None
                else _(
                    "{button} is learned: {device}",
                    button=shape_name(last.button) if last.button in SEAT_BUTTONS else str(last.button).upper(),
                    device=clean_name(last.controller),
                ),
            ),
        )
