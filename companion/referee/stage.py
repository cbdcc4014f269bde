"""How signals come in, wherever in the evening: acknowledged at once, heeded in the order in which they happened."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from companion.events import Button, ButtonPressed, ButtonReleased, DeviceLost, DeviceRestored, Event
from companion.i18n import N_, Translator
from companion.referee.buttons import PressFeedback, StuckButtonFilter, format_button_name
from hardware.messages import LazyMessage

_ = Translator("companion")

CAMERA = "camera"
WITHOUT_BUTTONS = N_("The keys serve meanwhile.")
"""Said of missing buttons."""
DEVICE_LOST_MESSAGES = {
    CAMERA: N_("The camera is gone: plug it in again"),
    "button box": N_("The button box is gone: plug it in again"),
    "GPIO": N_("The buttons on the pins are gone: see that they are plugged in"),
}
"""By the device's name; a device that knows why it is gone says that itself."""
SENTENCE_ENDS = (".", "?", "!")
"""What a sentence ends with."""


class Stage:
    """What every stage of an evening has in common.

    Args:
        monotonic: the host's monotonic clock, in seconds; signals are stamped by the same clock.
    """

    WITHOUT_CAMERA = ""
    """What is said of a missing camera besides that it is gone."""

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self.press_feedback = PressFeedback(monotonic)
        self.stuck_filter = StuckButtonFilter()
        self._now = monotonic
        self.missing_devices: dict[str, str] = {}
        """By device: what it said itself of why it is gone, empty if nothing."""
        self._queue: list[Event] = []

    def receive(self, event: Event) -> None:
        """Heed a signal; it takes effect at the next `tick`, in the order of the stamps."""
        if isinstance(event, ButtonPressed):
            if not self.stuck_filter.accept_press(event.button, event.at):
                return
            self.press_feedback.note_press(event.button, event.at)
        elif isinstance(event, ButtonReleased):
            self.stuck_filter.note_release(event.button)
        self._queue.append(event)

    def describe_problem(self, seating: Sequence[Button] = (), names: Sequence[str] = ()) -> str | None:
        """What is wrong with a device or a button, in one line that says what to do."""
        for button in self.stuck_filter.list_stuck_buttons(self._now()):
            return _("{button} is hammered on or stuck: let it go", button=format_button_name(button, seating, names))
        return next((self._describe_missing(*item) for item in self.missing_devices.items()), None)

    def _describe_missing(self, device: str, why: str) -> str:
        """In the language spoken now: the device may have gone before that was chosen."""
        said = _(why.template, **why.values) if isinstance(why, LazyMessage) else why
        what = said or _(DEVICE_LOST_MESSAGES.get(device) or N_("{device} is gone: plug it in again"), device=device)
        meanwhile = self.WITHOUT_CAMERA if device == CAMERA else WITHOUT_BUTTONS
        return f"{what if what.endswith(SENTENCE_ENDS) else f'{what}.'} {_(meanwhile)}" if meanwhile else what

    def _take_due_events(self) -> list[Event]:
        """The signals taken since the last call, earliest first."""
        queue, self._queue = sorted(self._queue, key=lambda signal: signal.at), []
        return queue

    def _note_device_event(self, event: DeviceLost | DeviceRestored) -> None:
        if isinstance(event, DeviceLost):
            self.missing_devices[event.name] = event.message
        else:
            self.missing_devices.pop(event.name, None)
