"""Merge the presses of several sources into the order in which they happened.

Each source stamps its presses where they happen, but some reach the program later than others: two presses at two
sources may arrive in the wrong order. Therefore a press is held back until `HOLD_BACK_SECONDS` after its stamp, but
only while two sources are live; with a single source nothing waits.

How well a source can order two presses is stated by its `TimingResolution`. Presses that cannot be ordered are
announced by a `PressTie`.
"""

import heapq
import itertools
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from companion.events import ButtonPressed, DeviceLost, DeviceRestored, Event, PressTie
from hardware.buttons.source import Clock

HOLD_BACK_SECONDS = 0.020
"""Time after its stamp until which a press is held back while two sources are live.

Longer than an event of the button box takes on a working line (3 ms) and than a 60 Hz loop needs to see a key press;
shorter than anybody feels. A larger value delays each press, a smaller one lets more presses swap.
"""


@dataclass(frozen=True, slots=True)
class TimingResolution:
    """How precisely a source stamps its presses. All values are in seconds."""

    same_source_seconds: float
    """Presses of this source that are closer together than this are a tie."""
    cross_source_seconds: float
    """Presses of two sources are a tie if they are closer together than the sum of both values."""
    idle_seconds: float | None = None
    """The source counts as live for this long after its last event; None: as long as it is present."""


USB_BOX_RESOLUTION = TimingResolution(same_source_seconds=0.000_1, cross_source_seconds=0.002_5)
"""The box samples its inputs every 50 microseconds; its clock is known within half a round trip (2.5 ms)."""

GPIO_RESOLUTION = TimingResolution(same_source_seconds=0.000_05, cross_source_seconds=0.000_1)
"""The kernel stamps each edge when its interrupt arrives; two interrupts are handled one after the other."""

TOUCH_RESOLUTION = TimingResolution(same_source_seconds=0.020, cross_source_seconds=0.020, idle_seconds=60.0)
"""A touch panel reports 60 to 120 times a second, and the main loop reads it between two frames."""

KEYBOARD_RESOLUTION = TimingResolution(same_source_seconds=0.010, cross_source_seconds=0.020, idle_seconds=60.0)
"""A USB keyboard scans its keys every few milliseconds, and the main loop reads it 60 times a second."""


class PressMerger:
    """Takes events by source and returns them in the order of their stamps. All calls come from one thread.

    Args:
        resolutions: the possible sources, by the name that `DeviceLost` and `add_events` use.
        clock: the host's monotonic clock, in seconds; it stamps the events as well.
        hold_back_seconds: time after its stamp until which a press waits; see `HOLD_BACK_SECONDS`.
    """

    def __init__(
        self, resolutions: Mapping[str, TimingResolution], clock: Clock, hold_back_seconds: float = HOLD_BACK_SECONDS
    ) -> None:
        self._resolutions, self._clock, self._hold_back_seconds = dict(resolutions), clock, hold_back_seconds
        self._present_sources: set[str] = set()
        self._last_event_at: dict[str, float] = {}
        self._heap: list[tuple[float, int, str, Event]] = []
        self._arrival_numbers = itertools.count()
        self._recent_presses: deque[tuple[int, str, ButtonPressed]] = deque()
        """Returned presses that may still tie with a later one: arrival number, source and press."""
        self._announced_pairs: set[frozenset[int]] = set()
        """Arrival numbers of the pairs that were announced as ties."""
        self._max_tie_seconds = 2.0 * max(
            (max(r.same_source_seconds, r.cross_source_seconds) for r in self._resolutions.values()), default=0.0
        )

    def list_live_sources(self) -> frozenset[str]:
        """Return the names of the sources that a press may come from now.

        A source with `idle_seconds` is live for that time after its last event, any other while it is present.
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
        """Add events that arrived from a source; they also tell whether it is present.

        Args:
            source: name of the source.
            events: its new events, stamped in seconds of the host's monotonic clock.

        Raises:
            KeyError: the source is not one of `resolutions`.
        """
        for event in events:
            if isinstance(event, DeviceLost):
                self._present_sources.discard(source)
            elif isinstance(event, DeviceRestored) or self._resolutions[source].idle_seconds is None:
                self._present_sources.add(source)
            self._last_event_at[source] = self._clock()
            heapq.heappush(self._heap, (event.at, next(self._arrival_numbers), source, event))

    def take_due(self) -> list[Event | PressTie]:
        """Return and forget the events that need not wait any longer, earliest first, and the ties among their presses.

        A `PressTie` comes before those of its presses that have not been returned yet.
        """
        limit = self._compute_release_limit()
        due: list[Event | PressTie] = []
        while self._heap and self._heap[0][0] <= limit:
            _, number, source, event = heapq.heappop(self._heap)
            if isinstance(event, ButtonPressed):
                due += self._find_ties(number, source, event)
            due.append(event)
        return due

    @property
    def next_due_at(self) -> float | None:
        """Time at which the next waiting event is due, in seconds of the host's monotonic clock; None if none waits."""
        return self._heap[0][0] + self._hold_back_seconds if self._heap else None

    def _compute_release_limit(self) -> float:
        """Return the latest stamp that need not wait."""
        return self._clock() - self._hold_back_seconds if len(self.list_live_sources()) > 1 else float("inf")

    def _get_tie_limit(self, one: str, other: str) -> float:
        if one == other:
            return self._resolutions[one].same_source_seconds
        return self._resolutions[one].cross_source_seconds + self._resolutions[other].cross_source_seconds

    def _find_ties(self, number: int, source: str, press: ButtonPressed) -> list[PressTie]:
        """Return the tie that this press is part of unless it was announced; presses that still wait count too."""
        while self._recent_presses and press.at - self._recent_presses[0][2].at > self._max_tie_seconds:
            gone, _, _ = self._recent_presses.popleft()
            self._announced_pairs = {pair for pair in self._announced_pairs if gone not in pair}
        held = [(n, where, other) for _, n, where, other in sorted(self._heap) if isinstance(other, ButtonPressed)]
        tied, resolution = [(number, press)], 0.0
        for n, where, other in (*self._recent_presses, *held):
            limit = self._get_tie_limit(source, where)
            if other.button is not press.button and abs(other.at - press.at) < limit:
                tied.append((n, other))
                resolution = max(resolution, limit)
        self._recent_presses.append((number, source, press))
        if all(frozenset((number, n)) in self._announced_pairs for n, _ in tied[1:]):
            return []
        self._announced_pairs |= {frozenset((one, other)) for (one, _), (other, _) in itertools.combinations(tied, 2)}
        return [PressTie(tuple(sorted((p for _, p in tied), key=lambda p: p.at)), resolution, press.at)]
