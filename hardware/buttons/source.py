"""The interface of every source of button presses, and a wrapper that reopens a source that was lost."""

from collections.abc import Callable, Mapping
from typing import Protocol

from companion.backoff import Backoff
from companion.events import Button, ButtonHeld, ButtonPressed, ButtonReleased, DeviceLost, DeviceRestored, Event
from hardware.buttons.lamp_effects import LampEffect

Clock = Callable[[], float]
"""The host's monotonic clock: returns seconds."""

MAX_UNREAD_EVENTS = 1024
"""Number of events that a source stores until they are read; then the oldest are dropped.

Ten fingers need minutes for them. A larger value takes more memory while the application hangs.
"""

RETRY_SECONDS = 1.0
"""Pause between two attempts to open a missing source. A larger value delays the return of a source."""


class SourceLost(OSError):
    """The source is gone or cannot be opened.

    >>> SourceLost("No box is plugged in.").message
    'No box is plugged in.'

    Args:
        message: the reason and the remedy, for people. A `LazyMessage` stays one.

    Attributes:
        message: the same.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class ButtonSource(Protocol):
    """An open device with buttons and lamps. All calls come from one thread.

    >>> class DoorBell:
    ...     name = "door bell"
    ...     def read(self):
    ...         return [ButtonPressed(Button.OK, 12.5, self.name)]
    ...     def set_lamps(self, lamps):
    ...         pass
    ...     def close(self):
    ...         pass
    ...
    >>> bell: ButtonSource = DoorBell()
    >>> bell.read()[0].button
    <Button.OK: 'ok'>
    """

    @property
    def name(self) -> str:
        """Name of the source for people and in its events, as in "button box"."""

    def read(self) -> list[Event]:
        """Return the presses and releases since the last call, earliest first, without waiting.

        Events are stamped in seconds of the clock that the source was opened with. At most `MAX_UNREAD_EVENTS` are
        stored between two calls; then the oldest are dropped.

        Raises:
            SourceLost: the source is gone; close it and open it again. A source that reopens itself never raises, and
                returns `DeviceLost` and `DeviceRestored` instead.
        """

    def set_lamps(self, lamps: Mapping[Button, LampEffect]) -> None:
        """Set the effects of all lamps, without waiting. A lost source raises from the next `read`, not from here.

        Args:
            lamps: the effect of each button's lamp; a button that is missing here is dark.
        """

    def close(self) -> None:
        """Switch the lamps off and release the device; may be called twice and raises nothing."""


class ReconnectingSource:
    """A `ButtonSource` that reopens a lost source, and reports its loss and its return as events.

    >>> def open_box():
    ...     raise SourceLost("no box is plugged in")
    ...
    >>> source = ReconnectingSource("button box", open_box, clock=lambda: 5.0, report_missing=True)
    >>> source.read()
    [DeviceLost(name='button box', at=5.0, message='no box is plugged in')]

    The source is opened by the first `read`, not before.

    Args:
        name: name of the source for people.
        open_source: opens the source or raises `SourceLost`; called by `read`. After a failure or a loss it is called
            again after `RETRY_SECONDS`.
        clock: the host's monotonic clock, in seconds.
        report_missing: also report a source that is missing from the start; a later loss is always reported.

    Attributes:
        name: name of the source for people.
    """

    def __init__(
        self, name: str, open_source: Callable[[], ButtonSource], clock: Clock, *, report_missing: bool
    ) -> None:
        self.name = name
        self._open_source, self._clock = open_source, clock
        self._report_missing = report_missing
        self._reported_problem: str | None = None
        self._source: ButtonSource | None = None
        self._backoff = Backoff(RETRY_SECONDS, RETRY_SECONDS)
        self._lamps: Mapping[Button, LampEffect] = {}
        self._pressed_at: dict[Button, float] = {}

    def read(self) -> list[Event]:
        """Return the events since the last call; open the source if it is not open and an attempt is due.

        Returns:
            `DeviceRestored` if the source was opened now; then its presses and releases, earliest first. At a loss: a
            release of each button that was held down, then `DeviceLost`. While it is missing, `DeviceLost` again only
            if the reason has changed. Stamps are seconds of the host's monotonic clock.

        Raises:
            Exception: any that `open_source` or the source raises other than `SourceLost`; the project's sources raise
                nothing else.
        """
        events: list[Event] = []
        if self._source is None and self._backoff.is_due(self._clock()):
            events += self._open()
        if self._source is not None:
            events += self._read(self._source)
        return events

    def set_lamps(self, lamps: Mapping[Button, LampEffect]) -> None:
        """Set the effects of all lamps, now if the source is open, and each time it is opened; raises nothing.

        Args:
            lamps: the effect of each button's lamp; a button that is missing here is dark.
        """
        self._lamps = dict(lamps)
        if self._source is not None:
            self._source.set_lamps(self._lamps)

    def close(self) -> None:
        """Close the source if it is open, without an event; may be called twice and raises nothing.

        A later `read` opens it again.
        """
        if self._source is not None:
            self._source.close()
            self._source = None

    def _open(self) -> list[Event]:
        try:
            self._source = self._open_source()
        except SourceLost as error:
            return self._handle_missing(error.message)
        self._reported_problem = None
        self._report_missing = True
        self._source.set_lamps(self._lamps)
        return [DeviceRestored(self.name, self._clock())]

    def _read(self, source: ButtonSource) -> list[Event]:
        try:
            events = source.read()
        except SourceLost as error:
            self.close()
            now = self._clock()
            held, self._pressed_at = self._pressed_at, {}
            releases = [ButtonReleased(button, max(now, since), self.name) for button, since in held.items()]
            return [*releases, *self._handle_missing(error.message)]
        for event in events:
            if isinstance(event, ButtonPressed | ButtonHeld):
                self._pressed_at[event.button] = event.at
            elif isinstance(event, ButtonReleased):
                self._pressed_at.pop(event.button, None)
        return events

    def _handle_missing(self, problem: str) -> list[Event]:
        now = self._clock()
        self._backoff.note_failure(now)
        if not self._report_missing or problem == self._reported_problem:
            return []
        self._reported_problem = problem
        return [DeviceLost(self.name, now, problem)]
