"""What every source of button presses has in common: the Pi's pins, the button box, and their twins in tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from companion.events import Button, ButtonPressed, ButtonReleased, DeviceLost, DeviceRestored, Event
from hardware.buttons.lamp_effects import LampEffect

RETRY_SECONDS = 1.0
"""Seconds between two attempts to open a source that is missing."""


class SourceLost(OSError):
    """The source is gone, or cannot be opened. `words` say why and what helps."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message
        """As they came: a `Sentence` stays one."""


class ButtonSource(Protocol):
    """Buttons with lamps, opened. It belongs to the thread that reads it."""

    @property
    def name(self) -> str:
        """What people call it, as in "The button box is gone"."""
        ...

    def read(self) -> list[Event]:
        """What was pressed and released since the last call, earliest first; does not wait.

        Raises:
            SourceLost: it is gone; close it and open it anew.
        """
        ...

    def set_lamps(self, lamps: Mapping[Button, LampEffect]) -> None:
        """What the lamps are to show from now on; a button that is not named is dark. Does not wait.

        A source that is gone says so at the next `read`, not here.
        """
        ...

    def close(self) -> None:
        """Lets go of the device, lamps dark; may be called twice."""
        ...


class ReconnectingSource:
    """A `ButtonSource` that never raises: it is opened again and again, and says when it is lost and when it is back.

    Args:
        name: what people call it.
        opener: opens the source, or raises `SourceLost`.
        clock: the host's monotonic clock, in seconds.
        needed: whether it is said that it is missing from the start; a loss is said in any case.
    """

    def __init__(
        self, name: str, open_source: Callable[[], ButtonSource], clock: Callable[[], float], *, report_missing: bool
    ) -> None:
        self.name = name
        self.problem: str | None = None
        """Why it is missing; None: it is there, or was not looked for yet."""
        self._open_source, self._clock = open_source, clock
        self._report_missing = report_missing
        self._reported_problem: str | None = None
        self._source: ButtonSource | None = None
        self._next_try_at = clock()
        self._lamps: Mapping[Button, LampEffect] = {}
        self._pressed_at: dict[Button, float] = {}

    @property
    def is_present(self) -> bool:
        """Whether it is open."""
        return self._source is not None

    def read(self) -> list[Event]:
        """See `ButtonSource`; besides, `DeviceLost` and `DeviceBack`, and releases of what a lost source held."""
        signals: list[Event] = []
        if self._source is None:
            if self._clock() < self._next_try_at:
                return []
            signals += self._open()
        if self._source is not None:
            signals += self._read(self._source)
        return signals

    def set_lamps(self, lamps: Mapping[Button, LampEffect]) -> None:
        """See `ButtonSource`; a source that comes back is lit like this."""
        self._lamps = dict(lamps)
        if self._source is not None:
            self._source.set_lamps(self._lamps)

    def close(self) -> None:
        """See `ButtonSource`."""
        if self._source is not None:
            self._source.close()
            self._source = None

    def _open(self) -> list[Event]:
        try:
            self._source = self._open_source()
        except SourceLost as why:
            return self._handle_missing(why.message)
        self.problem = self._reported_problem = None
        self._report_missing = True
        self._source.set_lamps(self._lamps)
        return [DeviceRestored(self.name, self._clock())]

    def _read(self, source: ButtonSource) -> list[Event]:
        try:
            signals = source.read()
        except SourceLost as why:
            self.close()
            now = self._clock()
            held, self._pressed_at = self._pressed_at, {}
            # A source that is gone holds nothing down.
            let_go = [ButtonReleased(button, max(now, since), self.name) for button, since in held.items()]
            return [*let_go, *self._handle_missing(why.message)]
        for signal in signals:
            if isinstance(signal, ButtonPressed):
                self._pressed_at[signal.button] = signal.at
            elif isinstance(signal, ButtonReleased):
                self._pressed_at.pop(signal.button, None)
        return signals

    def _handle_missing(self, words: str) -> list[Event]:
        now = self._clock()
        self._next_try_at = now + RETRY_SECONDS
        self.problem = words
        if not self._report_missing or words == self._reported_problem:
            return []
        self._reported_problem = words
        return [DeviceLost(self.name, now, words)]
