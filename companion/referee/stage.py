"""Base class of everything that can be open at the table: the lobby, the draw of the first player, a game.

Presses are acknowledged at once; events take effect at the next `tick`, in the order in which they happened.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from companion.api import AnyGameDefinition, Command, Offer
from companion.events import (
    CONSOLE_BUTTONS,
    Button,
    ButtonHeld,
    ButtonPressed,
    ButtonReleased,
    DeviceLost,
    DeviceRestored,
    Event,
    LampState,
)
from companion.i18n import N_, _
from companion.referee.button_mapping import find_hold_offer, find_offer, format_button_name, is_held_step
from companion.referee.held_buttons import PressFeedback
from companion.referee.lamps import map_lamps
from companion.referee.missing_devices import describe_missing_device
from companion.referee.stuck_buttons import StuckButtonFilter
from companion.referee.unmeant_presses import PressGuard
from companion.screen_state import CameraView, HoldProgress, ScreenState


class Stage(ABC):
    """Takes events, lists what is open now, and builds the screen. All calls come from the main loop's thread.

    Args:
        monotonic: the host's monotonic clock, in seconds; events are stamped by the same clock.
        buttons: the players' buttons, by seat; empty before a game.
        names: the players' names, by seat; as many as `buttons`.

    Attributes:
        notice: a line for the screen about the last press, in the current language; None: there is nothing to say.
        exit: the command by which the players left this stage; further presses are for the next one. None: they are
            still here.
        installed_version: an upgrade of the device that starts with its next restart, which is offered; empty: none.
        press_feedback: the presses that the screen acknowledges, and long presses.
        stuck_filter: mutes stuck buttons.
        wants_help: somebody chose the help in a menu; the session opens it.
        press_guard: refuses presses that nobody can have meant (`unmeant_presses.py`); stages may share it.
    """

    WITHOUT_CAMERA = ""
    """Added to the message that the camera is missing."""

    def __init__(
        self, monotonic: Callable[[], float], buttons: Sequence[Button] = (), names: Sequence[str] = ()
    ) -> None:
        self.press_feedback = PressFeedback(monotonic)
        self.stuck_filter = StuckButtonFilter()
        self.press_guard = PressGuard()
        self._monotonic, self._buttons, self._names = monotonic, buttons, names
        self.notice: str | None = None
        self.installed_version = ""
        self.exit: Command | None = None
        self.wants_help = False
        self.missing_devices: dict[str, str] = {}
        """By device: its own message, empty if it has none."""
        self._deferred_offers: dict[Button, Offer | None] = {}
        """By seat button that is down and also may be held: the offer of pressing it, which counts when it comes up."""
        self._queue: list[Event] = []

    def offer_restart(self, version: str) -> None:
        """Offer from now on to restart the device into an upgrade.

        Args:
            version: the upgrade's version; empty: there is none.
        """
        self.installed_version = version

    def receive(self, event: Event) -> None:
        """Queue an event for the next `tick`, and note at once what must not wait; nothing is raised.

        At once a press is acknowledged on the screen, and a device is noted as lost or restored. A press of a muted
        button (pressed much too fast, see `StuckButtonFilter`) is dropped.

        Args:
            event: a press, a reading or a device's event, stamped in seconds of the host's monotonic clock.
        """
        match event:
            case ButtonPressed(button=button, at=at):
                if not self.stuck_filter.accept_press(button, at):
                    return
                self.press_feedback.note_press(button, at)
            case ButtonReleased(button=button):
                self.stuck_filter.note_release(button)
            case ButtonHeld(button=button, at=at):
                self.stuck_filter.note_held(button, at)
                return
            case DeviceLost(name=name, message=message):
                self.missing_devices[name] = message
                self.notice = None  # it would hide the loss until the next press, which may be what is lost
            case DeviceRestored(name=name):
                self.missing_devices.pop(name, None)
        self._queue.append(event)

    @abstractmethod
    def tick(self) -> None:
        """Handle the queued events in the order of their stamps, and what the clocks ask for. Called once per frame.

        Raises:
            Exception: a game of another package may raise any error.
        """

    @abstractmethod
    def _handle_press(self, button: Button, at: float) -> None:
        """Handle a press that counts; `at`: its stamp, in seconds of the host's monotonic clock."""

    def _defer_press(self, button: Button) -> bool:
        """Let a press wait for its release if the button may also be held, and return whether it waits."""
        offers = self.list_offers()
        if find_hold_offer(offers, button, self._buttons) is None:
            return False
        self._deferred_offers[button] = find_offer(offers, button, self._buttons)
        return True

    def _is_still_offered(self, button: Button) -> bool:
        """Return whether a seat button that came up still means what it meant when it went down."""
        offer = self._deferred_offers.get(button)
        return offer is not None and self.find_offer(button) == offer

    def _find_deferred_hold(self) -> HoldProgress | None:
        """Find the seat button that is held and will do something; None: there is none."""
        for button in self._deferred_offers:
            if (share := self.press_feedback.measure_hold(button)) and self._is_still_offered(button):
                return HoldProgress(button, share)
        return None

    def _repeat_held_steps(self) -> None:
        """Repeat the step of PLUS or MINUS that is held, as long as it is a step."""
        for button in CONSOLE_BUTTONS:
            while self.press_feedback.take_repeat(button):
                offer = self.find_offer(button)
                if offer is not None and is_held_step(offer):
                    self._handle_press(button, self._monotonic())

    @abstractmethod
    def list_offers(self) -> Sequence[Offer]:
        """List everything that may be pressed or done now; changes nothing.

        Raises:
            Exception: a game of another package may raise any error.
        """

    def find_offer(self, button: Button) -> Offer | None:
        """Find what a press of the button does now; None: nothing.

        Raises:
            Exception: a game of another package may raise any error.
        """
        return find_offer(self.list_offers(), button, self._buttons)

    def find_rules(self) -> tuple[AnyGameDefinition, Any] | None:
        """Return the game whose rules the help shows, with its house rules; None: only what can be done now."""
        return None

    def list_lit_offers(self) -> Sequence[Offer]:
        """List all whose keys are lit: those that are open, and presses that still count."""
        return self.list_offers()

    def map_lamps(self) -> Mapping[Button, LampState]:
        """Map each of the ten buttons to its lamp: on if it may be pressed now, blinking if awaited, else off.

        Raises:
            IndexError: an offer is for a seat that the stage does not have.
            Exception: a game of another package may raise any error.
        """
        return map_lamps(self.list_lit_offers(), self._buttons)

    @abstractmethod
    def build_screen_state(self, camera_view: CameraView) -> ScreenState:
        """Build everything that the display needs for the next frame; changes nothing.

        Args:
            camera_view: the camera's state, its latest picture and what it read there.

        Raises:
            Exception: a game of another package may raise any error.
        """

    def describe_problem(self) -> str | None:
        """Describe the first stuck button or else the first missing device, and the remedy, in one line.

        Returns:
            The line in the current language; None: all buttons and devices work.
        """
        for button in self.stuck_filter.list_stuck_buttons(self._monotonic()):
            if self.stuck_filter.was_pressed(button):
                text = N_("{button} is pressed too fast or stuck: release it")
            else:
                text = N_("{button} stays down: stuck, or wired to N.C. instead of N.O.")
            return _(text, button=format_button_name(button, self._buttons, self._names))
        missing = self.missing_devices.items()
        return next((describe_missing_device(name, why, self.WITHOUT_CAMERA) for name, why in missing), None)

    def _take_due_events(self) -> list[Event]:
        """Return the events received since the last call, earliest first."""
        queue, self._queue = sorted(self._queue, key=lambda event: event.at), []
        return queue
