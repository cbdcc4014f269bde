"""Presses of several sources in the order in which they happened.

Every source stamps its presses where they happened, but some reach us later than others: two presses at two sources
may come in the wrong way round. So they are held back until `HOLD_BACK` after their stamp, and only while two sources
are live; with one there is nothing to wait for and nothing waits.

How well two presses can be told apart is known of each source (`Grain`). Those which cannot are announced by a `Tie`,
so that nobody is told that the machine knew better.
"""

from __future__ import annotations

import heapq
import itertools
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from companion.events import ButtonPressed, DeviceLost, DeviceRestored, Event, PressTie

HOLD_BACK_SECONDS = 0.020
"""Seconds after its stamp until which a press is held back while two sources are live: longer than a box's event
takes on a sound line (3 ms) and than a 60 Hz loop takes to hear of a key, shorter than anybody feels."""


@dataclass(frozen=True, slots=True)
class TimingResolution:
    """How well a source knows when a press was; seconds.

    Within one source presses closer than `within` are a tie; across two, those closer than both `across` together.
    `idle`: it counts as live for this long after its last signal; None: for as long as it is there.
    """

    same_source_seconds: float
    cross_source_seconds: float
    idle_seconds: float | None = None


USB_BOX_RESOLUTION = TimingResolution(same_source_seconds=0.000_1, cross_source_seconds=0.002_5)
"""Inputs are looked at every 50 microseconds; its clock is mapped to half a round trip (2.5 ms at 115200 baud)."""
GPIO_RESOLUTION = TimingResolution(same_source_seconds=0.000_05, cross_source_seconds=0.000_1)
"""Stamped by the kernel when the edge's interrupt comes; two interrupts are taken one after the other."""
TOUCH_RESOLUTION = TimingResolution(same_source_seconds=0.020, cross_source_seconds=0.020, idle_seconds=60.0)
"""A touch panel reports its fingers 60 to 120 times a second, and the loop hears of them between two frames."""
KEYBOARD_RESOLUTION = TimingResolution(same_source_seconds=0.010, cross_source_seconds=0.020, idle_seconds=60.0)
"""A USB keyboard scans its keys every few milliseconds, and the window's loop looks 60 times a second."""


@dataclass(slots=True)
class MergeCounts:
    """What the merging has seen."""

    events: int = 0
    held: int = 0
    """Signals that had to wait."""
    late: int = 0
    """Signals that came in after a later one had been handed out."""
    max_lateness_seconds: float = 0.0
    """Seconds: the most that one of those was behind."""
    ties: int = 0


class PressMerger:
    """Signals in by source, signals out by stamp. Belongs to one thread.

    Args:
        grains: the sources that there may be, by the name that `DeviceLost` and `put` use.
        clock: the host's monotonic clock, in seconds.
        hold_back: see `HOLD_BACK`.
    """

    def __init__(
        self,
        resolutions: Mapping[str, TimingResolution],
        clock: Callable[[], float],
        hold_back_seconds: float = HOLD_BACK_SECONDS,
    ) -> None:
        self.counts = MergeCounts()
        self._resolutions, self._clock, self._hold_back_seconds = dict(resolutions), clock, hold_back_seconds
        self._present_sources: set[str] = set()
        self._last_event_at: dict[str, float] = {}
        self._heap: list[tuple[float, int, str, Event]] = []
        self._arrival_numbers = itertools.count()
        self._last_taken_at = float("-inf")
        self._recent_presses: deque[tuple[int, str, ButtonPressed]] = deque()
        """Presses handed out that may still tie with one to come; the number says in which order they came in."""
        self._announced_pairs: set[frozenset[int]] = set()
        """The pairs that were announced to tie."""
        self._max_tie_seconds = 2.0 * max(
            (max(g.same_source_seconds, g.cross_source_seconds) for g in self._resolutions.values()), default=0.0
        )

    def set_present(self, source: str, present: bool = True) -> None:
        """A source was opened, or closed; `DeviceLost` and `DeviceBack` that come from it say the same."""
        if present:
            self._present_sources.add(source)
        else:
            self._present_sources.discard(source)

    def list_live_sources(self) -> frozenset[str]:
        """The sources that a press may come from now."""
        now = self._clock()
        recent = {
            source
            for source, at in self._last_event_at.items()
            if (idle := self._resolutions[source].idle_seconds) is not None and now - at <= idle
        }
        lasting = {source for source in self._present_sources if self._resolutions[source].idle_seconds is None}
        return frozenset(recent | lasting)

    def add_events(self, source: str, events: Iterable[Event]) -> None:
        """Signals that came in from a source."""
        for signal in events:
            self.counts.events += 1
            if isinstance(signal, DeviceLost):
                self.set_present(source, False)
            elif isinstance(signal, DeviceRestored) or self._resolutions[source].idle_seconds is None:
                self.set_present(source)
            self._last_event_at[source] = self._clock()
            self.counts.held += signal.at > self._release_limit()
            heapq.heappush(self._heap, (signal.at, next(self._arrival_numbers), source, signal))

    def take_due(self) -> list[Event | PressTie]:
        """What can be handed out now, earliest first; a tie stands before those of its presses that were held."""
        until = self._release_limit()
        out: list[Event | PressTie] = []
        while self._heap and self._heap[0][0] <= until:
            at, number, source, signal = heapq.heappop(self._heap)
            if at < self._last_taken_at:
                self.counts.late += 1
                self.counts.max_lateness_seconds = max(self.counts.max_lateness_seconds, self._last_taken_at - at)
            self._last_taken_at = max(self._last_taken_at, at)
            if isinstance(signal, ButtonPressed):
                out += self._find_ties(number, source, signal)
            out.append(signal)
        return out

    @property
    def next_due_at(self) -> float | None:
        """When something that is held back will be due; None: nothing is."""
        return self._heap[0][0] + self._hold_back_seconds if self._heap else None

    def _release_limit(self) -> float:
        return self._clock() - self._hold_back_seconds if len(self.list_live_sources()) > 1 else float("inf")

    def _get_tie_limit(self, one: str, other: str) -> float:
        if one == other:
            return self._resolutions[one].same_source_seconds
        return self._resolutions[one].cross_source_seconds + self._resolutions[other].cross_source_seconds

    def _find_ties(self, number: int, source: str, press: ButtonPressed) -> list[PressTie]:
        """The tie that this press is part of, if it was not announced; what is still held back is looked at, too."""
        while self._recent_presses and press.at - self._recent_presses[0][2].at > self._max_tie_seconds:
            gone, _, _ = self._recent_presses.popleft()
            self._announced_pairs = {pair for pair in self._announced_pairs if gone not in pair}
        held = [(n, where, other) for _, n, where, other in sorted(self._heap) if isinstance(other, ButtonPressed)]
        tied, within = [(number, press)], 0.0
        for n, where, other in (*self._recent_presses, *held):
            limit = self._get_tie_limit(source, where)
            if other.button is not press.button and abs(other.at - press.at) < limit:
                tied.append((n, other))
                within = max(within, limit)
        self._recent_presses.append((number, source, press))
        if all(frozenset((number, n)) in self._announced_pairs for n, _ in tied[1:]):
            return []
        self._announced_pairs |= {frozenset((one, other)) for (one, _), (other, _) in itertools.combinations(tied, 2)}
        self.counts.ties += 1
        return [PressTie(tuple(sorted((p for _, p in tied), key=lambda p: p.at)), within, press.at)]
