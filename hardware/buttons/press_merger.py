"""Merge presses and touches of several sources into the order in which they happened.

While two sources are live, a press is held back for as long as a press of the other one needed recently to arrive. What
cannot be ordered by the errors that stamps state, and a press that arrives after a later one was returned, are
announced by a `PressTie`. Why: docs/design/stamped-presses.md.
"""

import itertools
from bisect import bisect_right, insort
from collections import deque
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from companion.events import (
    TOUCH_RESOLUTION_SECONDS,
    Button,
    ButtonPressed,
    DeviceLost,
    DeviceRestored,
    Event,
    PressTie,
)
from hardware.buttons.source import Clock

HOLD_BACK_SECONDS = 0.020
"""Least time after its stamp until which a press is held back while two sources are live.

Longer than an event of the button box takes on a working line (4 ms) and than a 60 Hz loop needs to see a key press;
shorter than anybody feels. A larger value delays each press, a smaller one lets more presses swap.
"""

MAX_HOLD_BACK_SECONDS = 0.150
"""Longest time for which a press is held back, however late others arrived. A larger value makes presses feel slow."""

DELAY_MARGIN = 1.25
"""Held back is this many times the longest recent delay. A larger value swaps less and delays more."""

DELAY_MEMORY_SECONDS = 60.0
"""Time for which the delay of an arrival counts. A larger value delays presses for longer after a stall."""

MAX_NEIGHBOURS = 32
"""Number of presses before, and of events after a press, that are compared with it.

More than ten fingers cause while a press is held back. A larger value costs more time in a flood of presses.
"""


@dataclass(frozen=True, slots=True)
class TimingResolution:
    """How precisely a source stamps its presses where a stamp states no error of its own. All values are in seconds.

    >>> keyboard = TimingResolution(same_source_seconds=0.010, cross_source_seconds=0.020, idle_seconds=60.0)
    >>> keyboard.is_ordered
    False
    """

    same_source_seconds: float
    """Presses of this source closer together than this plus both stamps' errors are a tie (see `is_ordered`)."""
    cross_source_seconds: float
    """Presses of two sources closer together than the sum of both values and both stamps' errors are a tie."""
    idle_seconds: float | None = None
    """The source counts as live for this long after its last event; None: from its first event to `DeviceLost`."""
    is_ordered: bool = False
    """Between presses of this source the larger `order_seconds` counts, and not the stamps' `max_error_seconds`."""


USB_BOX_RESOLUTION = TimingResolution(same_source_seconds=0.000_1, cross_source_seconds=0.000_1, is_ordered=True)
"""Our firmware stamps up to 70 µs late (firmware_notes/README.md); other boxes state more in their presses.

Each press also states how well the box's clock was known.
"""

GPIO_RESOLUTION = TimingResolution(same_source_seconds=0.000_05, cross_source_seconds=0.000_1)
"""The kernel stamps each edge when its interrupt arrives; two interrupts are handled one after the other."""

CONTROLLER_RESOLUTION = TimingResolution(same_source_seconds=0.008, cross_source_seconds=0.008)
"""The kernel stamps when the host polls the controller, every 8 ms for most: up to 8 ms after the press, never before.
Two presses at controllers, one or several, are therefore up to 8 ms further apart than their stamps, or less."""

TOUCH_RESOLUTION = TimingResolution(
    same_source_seconds=TOUCH_RESOLUTION_SECONDS, cross_source_seconds=TOUCH_RESOLUTION_SECONDS, idle_seconds=60.0
)

KEYBOARD_RESOLUTION = TimingResolution(same_source_seconds=0.010, cross_source_seconds=0.020, idle_seconds=60.0)
"""A USB keyboard scans its keys every few milliseconds, and the main loop reads it 60 times a second."""

_Arrival = tuple[float, int, str, Event]
"""Stamp, number in the order of arrival, source and event: sorted by stamp, never compared beyond the number."""


class PressMerger:
    """Takes events by source and returns them in the order of their stamps. All calls come from one thread.

    >>> from companion.events import ButtonPressed
    >>> now = 10.0
    >>> merger = PressMerger({"box": USB_BOX_RESOLUTION, "gpio": GPIO_RESOLUTION}, clock=lambda: now)
    >>> merger.add_events("gpio", [ButtonPressed(Button.SEAT2, 9.999, "gpio")])
    >>> merger.add_events("box", [ButtonPressed(Button.SEAT1, 9.995, "box")])
    >>> now = 10.2
    >>> [event.button for event in merger.take_due()]
    [<Button.SEAT1: 'seat1'>, <Button.SEAT2: 'seat2'>]

    Args:
        resolutions: the possible sources, by the name that is passed to `add_events`.
        clock: the host's monotonic clock, in seconds; it stamps the events as well.
        least_hold_back_seconds: least time after its stamp, in seconds from 0, until which a press is held back while
            two sources are live. It grows to 1.25 times the longest delay of the last minute, at most
            `MAX_HOLD_BACK_SECONDS`.
        unproven_sources: those that are live only from their first press, because nothing may be wired to them.
    """

    def __init__(
        self,
        resolutions: Mapping[str, TimingResolution],
        clock: Clock,
        least_hold_back_seconds: float = HOLD_BACK_SECONDS,
        unproven_sources: Collection[str] = (),
    ) -> None:
        self._resolutions, self._clock = dict(resolutions), clock
        self._least_hold_back_seconds = least_hold_back_seconds
        self._unproven_sources = set(unproven_sources)
        self._present_sources: set[str] = set()
        self._last_event_at: dict[str, float] = {}
        self._waiting: list[_Arrival] = []
        self._arrival_numbers = itertools.count()
        self._returned: deque[_Arrival] = deque(maxlen=MAX_NEIGHBOURS)
        """The last returned presses, which may still tie with a later one."""
        self._announced: deque[frozenset[int]] = deque(maxlen=MAX_NEIGHBOURS)
        """Arrival numbers of the presses of each tie that was announced lately."""
        self._last_take_at = float("-inf")
        self._delays: deque[tuple[float, float]] = deque()
        """Arrival time and delay in seconds of recent events; each delay is shorter than the one before it."""

    def list_live_sources(self) -> frozenset[str]:
        """Return the names of the sources that a press may come from now.

        A source with `idle_seconds` is live for that time after its last event arrived; any other from its first event
        (`DeviceRestored` or a press, for example) until `DeviceLost`. Sources are never live before an event, unproven
        ones not before a press.
        """
        now = self._clock()
        return frozenset(
            source
            for source, resolution in self._resolutions.items()
            if (
                source in self._present_sources
                if resolution.idle_seconds is None
                else now - self._last_event_at.get(source, float("-inf")) <= resolution.idle_seconds
            )
        )

    def add_events(self, source: str, events: Iterable[Event]) -> None:
        """Add events that arrived from a source, in any order; `take_due` returns them later.

        Also notes whether the source is live, and how late its presses arrive, which sets the hold-back.

        Args:
            source: name of the source, a key of `resolutions`.
            events: its new events, stamped in seconds of the host's monotonic clock; may be empty.

        Raises:
            KeyError: an event other than `DeviceLost` and `DeviceRestored` is from a source that is not in
                `resolutions`; the events before it have been added.
        """
        for event in events:
            if isinstance(event, ButtonPressed):
                self._unproven_sources.discard(source)
            if isinstance(event, DeviceLost):
                self._present_sources.discard(source)
            elif source not in self._unproven_sources and (
                isinstance(event, DeviceRestored) or self._resolutions[source].idle_seconds is None
            ):
                self._present_sources.add(source)
            self._last_event_at[source] = self._clock()
            if isinstance(event, ButtonPressed):
                self._note_delay(self._last_take_at - event.at)
            insort(self._waiting, (event.at, next(self._arrival_numbers), source, event))

    def take_due(self) -> list[Event | PressTie]:
        """Return and forget the events that need not wait any longer, and the ties among their presses.

        All events are due if fewer than two sources are live; otherwise those of any kind whose stamp is older than the
        hold-back (20 to 150 ms). Raises nothing.

        Returns:
            Events by their stamps, equal ones in the order of arrival; empty if none is due. A `PressTie` comes before
            those of its presses that have not been returned yet, and once for each tie. A press that arrives after a
            later one was returned comes after it, with a `PressTie` whose `is_late` is set.
        """
        self._last_take_at = self._clock()
        limit = self._last_take_at - self._compute_hold_back() if len(self.list_live_sources()) > 1 else float("inf")
        count = bisect_right(self._waiting, limit, key=lambda arrival: arrival[0])
        taken = self._waiting
        self._waiting = taken[count:]
        due: list[Event | PressTie] = []
        for index, arrival in enumerate(taken[:count]):
            event = arrival[3]
            if isinstance(event, ButtonPressed):
                due += self._find_ties(arrival, event.button, taken[index + 1 : index + 1 + MAX_NEIGHBOURS])
                self._returned.append(arrival)
            due.append(event)
        return due

    @property
    def next_due_at(self) -> float | None:
        """Latest time at which the next event is due, in seconds of the host's monotonic clock; None if none waits.

        It is due at once if fewer than two sources are live then; this time does not consider that.
        """
        return self._waiting[0][0] + self._compute_hold_back() if self._waiting else None

    def _compute_hold_back(self) -> float:
        """Return the seconds after its stamp until which an event waits while two sources are live."""
        while self._delays and self._clock() - self._delays[0][0] > DELAY_MEMORY_SECONDS:
            self._delays.popleft()
        longest = self._delays[0][1] if self._delays else 0.0
        return max(self._least_hold_back_seconds, min(MAX_HOLD_BACK_SECONDS, DELAY_MARGIN * longest))

    def _note_delay(self, seconds: float) -> None:
        """Note how long after its stamp a press was still missing, though all sources had been read.

        Where the main loop itself is late, all sources are, and nothing can swap. Longer delays than the hold-back may
        be (the box sends presses again after its cable was cut) are no measure of the next one.
        """
        if 0.0 < seconds <= MAX_HOLD_BACK_SECONDS:
            while self._delays and self._delays[-1][1] <= seconds:
                self._delays.pop()
            self._delays.append((self._clock(), seconds))

    def _get_tie_limit(self, one: _Arrival, other: _Arrival) -> float:
        """Return the seconds below which the order of two presses is not known."""
        resolution, others = self._resolutions[one[2]], self._resolutions[other[2]]
        is_same_source = one[2] == other[2]
        limit = (
            resolution.same_source_seconds
            if is_same_source
            else resolution.cross_source_seconds + others.cross_source_seconds
        )
        presses = [event for event in (one[3], other[3]) if isinstance(event, ButtonPressed)]
        if is_same_source and resolution.is_ordered:
            return max([limit, *(press.order_seconds for press in presses)])
        return limit + sum(press.max_error_seconds for press in presses)

    def _find_ties(self, press: _Arrival, button: Button, following: Iterable[_Arrival]) -> list[PressTie]:
        """Return the tie that this press is part of unless it was announced; presses that still wait count too.

        A press that comes after one with a later stamp is late; then the others were handled first.
        """
        tied, resolution, is_late = [press], 0.0, False
        for other in (*self._returned, *following):
            if not isinstance(other[3], ButtonPressed) or other[3].button is button:
                continue
            limit, ahead = self._get_tie_limit(press, other), other[0] - press[0]
            comes_late = ahead >= limit and other in self._returned
            if comes_late or abs(ahead) < limit:
                tied.append(other)
                resolution, is_late = max(resolution, limit, ahead), is_late or comes_late
        numbers = frozenset(number for _, number, _, _ in tied)
        if len(tied) == 1 or any(numbers <= announced for announced in self._announced):
            return []
        self._announced.append(numbers)
        presses = tuple(event for *_, event in sorted(tied) if isinstance(event, ButtonPressed))
        return [PressTie(presses, resolution, press[0], is_late)]
