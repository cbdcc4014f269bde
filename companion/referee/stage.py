"""How signals come in, wherever in the evening: acknowledged at once, heeded in the order in which they happened."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from companion.events import Button, ButtonPressed, ButtonReleased, DeviceBack, DeviceLost, Signal
from companion.i18n import N_, Words
from companion.referee.buttons import Heard, Mash, name_of
from hardware.messages import Sentence

_ = Words("companion")

CAMERA = "camera"
KEYS_MEANWHILE = N_("The keys serve meanwhile.")
"""Said of missing buttons."""
GONE = {
    CAMERA: N_("The camera is gone: plug it in again"),
    "button box": N_("The button box is gone: plug it in again"),
    "GPIO": N_("The buttons on the pins are gone: see that they are plugged in"),
}
"""By the device's name; a device that knows why it is gone says that itself."""
ENDS = (".", "?", "!")
"""What a sentence ends with."""


class Intake:
    """What every stage of an evening has in common.

    Args:
        monotonic: the host's monotonic clock, in seconds; signals are stamped by the same clock.
    """

    MEANWHILE = ""
    """What is said of a missing camera besides that it is gone."""

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self.heard = Heard(monotonic)
        self.mash = Mash()
        self._now = monotonic
        self.missing: dict[str, str] = {}
        """By device: what it said itself of why it is gone, empty if nothing."""
        self._queue: list[Signal] = []

    def take(self, signal: Signal) -> None:
        """Heed a signal; it takes effect at the next `tick`, in the order of the stamps."""
        if isinstance(signal, ButtonPressed):
            if not self.mash.press(signal.button, signal.at):
                return
            self.heard.press(signal.button, signal.at)
        elif isinstance(signal, ButtonReleased):
            self.mash.release(signal.button)
        self._queue.append(signal)

    def trouble(self, seating: Sequence[Button] = (), names: Sequence[str] = ()) -> str | None:
        """What is wrong with a device or a button, in one line that says what to do."""
        for button in self.mash.loud(self._now()):
            return _("{button} is hammered on or stuck: let it go", button=name_of(button, seating, names))
        return next((self._gone(*item) for item in self.missing.items()), None)

    def _gone(self, device: str, why: str) -> str:
        """In the language spoken now: the device may have gone before that was chosen."""
        said = _(why.message, **why.places) if isinstance(why, Sentence) else why
        what = said or _(GONE.get(device) or N_("{device} is gone: plug it in again"), device=device)
        meanwhile = self.MEANWHILE if device == CAMERA else KEYS_MEANWHILE
        return f"{what if what.endswith(ENDS) else f'{what}.'} {_(meanwhile)}" if meanwhile else what

    def _due(self) -> list[Signal]:
        """The signals taken since the last call, earliest first."""
        queue, self._queue = sorted(self._queue, key=lambda signal: signal.at), []
        return queue

    def _note_device(self, signal: DeviceLost | DeviceBack) -> None:
        if isinstance(signal, DeviceLost):
            self.missing[signal.name] = signal.words
        else:
            self.missing.pop(signal.name, None)
