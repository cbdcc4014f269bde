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

HOLD_BACK = 0.020
"""Seconds after its stamp until which a press is held back while two sources are live: longer than a box's event
takes on a sound line (3 ms) and than a 60 Hz loop takes to hear of a key, shorter than anybody feels."""


@dataclass(frozen=True, slots=True)
class Grain:
    """How well a source knows when a press was; seconds.

    Within one source presses closer than `within` are a tie; across two, those closer than both `across` together.
    `idle`: it counts as live for this long after its last signal; None: for as long as it is there.
    """

    within: float
    across: float
    idle: float | None = None


BOX = Grain(within=0.000_1, across=0.002_5)
"""Inputs are looked at every 50 microseconds; its clock is mapped to half a round trip (2.5 ms at 115200 baud)."""
GPIO = Grain(within=0.000_05, across=0.000_1)
"""Stamped by the kernel when the edge's interrupt comes; two interrupts are taken one after the other."""
TOUCH = Grain(within=0.020, across=0.020, idle=60.0)
"""A touch panel reports its fingers 60 to 120 times a second, and the loop hears of them between two frames."""
KEYBOARD = Grain(within=0.010, across=0.020, idle=60.0)
"""A USB keyboard scans its keys every few milliseconds, and the window's loop looks 60 times a second."""


@dataclass(slots=True)
class Counts:
    """What the merging has seen."""

    signals: int = 0
    held: int = 0
    """Signals that had to wait."""
    late: int = 0
    """Signals that came in after a later one had been handed out."""
    latest: float = 0.0
    """Seconds: the most that one of those was behind."""
    ties: int = 0


class Merge:
    """Signals in by source, signals out by stamp. Belongs to one thread.

    Args:
        grains: the sources that there may be, by the name that `DeviceLost` and `put` use.
        clock: the host's monotonic clock, in seconds.
        hold_back: see `HOLD_BACK`.
    """

    def __init__(self, grains: Mapping[str, Grain], clock: Callable[[], float], hold_back: float = HOLD_BACK) -> None:
        self.counts = Counts()
        self._grains, self._clock, self._hold_back = dict(grains), clock, hold_back
        self._there: set[str] = set()
        self._last_at: dict[str, float] = {}
        self._heap: list[tuple[float, int, str, Event]] = []
        self._order = itertools.count()
        self._out_at = float("-inf")
        self._recent: deque[tuple[int, str, ButtonPressed]] = deque()
        """Presses handed out that may still tie with one to come; the number says in which order they came in."""
        self._said: set[frozenset[int]] = set()
        """The pairs that were announced to tie."""
        self._longest = 2.0 * max((max(g.within, g.across) for g in self._grains.values()), default=0.0)

    def there(self, source: str, present: bool = True) -> None:
        """A source was opened, or closed; `DeviceLost` and `DeviceBack` that come from it say the same."""
        if present:
            self._there.add(source)
        else:
            self._there.discard(source)

    def live(self) -> frozenset[str]:
        """The sources that a press may come from now."""
        now = self._clock()
        recent = {
            source
            for source, at in self._last_at.items()
            if (idle := self._grains[source].idle) is not None and now - at <= idle
        }
        lasting = {source for source in self._there if self._grains[source].idle is None}
        return frozenset(recent | lasting)

    def put(self, source: str, signals: Iterable[Event]) -> None:
        """Signals that came in from a source."""
        for signal in signals:
            self.counts.signals += 1
            if isinstance(signal, DeviceLost):
                self.there(source, False)
            elif isinstance(signal, DeviceRestored) or self._grains[source].idle is None:
                self.there(source)
            self._last_at[source] = self._clock()
            self.counts.held += signal.at > self._until()
            heapq.heappush(self._heap, (signal.at, next(self._order), source, signal))

    def due(self) -> list[Event | PressTie]:
        """What can be handed out now, earliest first; a tie stands before those of its presses that were held."""
        until = self._until()
        out: list[Event | PressTie] = []
        while self._heap and self._heap[0][0] <= until:
            at, number, source, signal = heapq.heappop(self._heap)
            if at < self._out_at:
                self.counts.late += 1
                self.counts.latest = max(self.counts.latest, self._out_at - at)
            self._out_at = max(self._out_at, at)
            if isinstance(signal, ButtonPressed):
                out += self._ties(number, source, signal)
            out.append(signal)
        return out

    @property
    def wake_at(self) -> float | None:
        """When something that is held back will be due; None: nothing is."""
        return self._heap[0][0] + self._hold_back if self._heap else None

    def _until(self) -> float:
        return self._clock() - self._hold_back if len(self.live()) > 1 else float("inf")

    def _limit(self, one: str, other: str) -> float:
        if one == other:
            return self._grains[one].within
        return self._grains[one].across + self._grains[other].across

    def _ties(self, number: int, source: str, press: ButtonPressed) -> list[PressTie]:
        """The tie that this press is part of, if it was not announced; what is still held back is looked at, too."""
        while self._recent and press.at - self._recent[0][2].at > self._longest:
            gone, _, _ = self._recent.popleft()
            self._said = {pair for pair in self._said if gone not in pair}
        held = [(n, where, other) for _, n, where, other in sorted(self._heap) if isinstance(other, ButtonPressed)]
        tied, within = [(number, press)], 0.0
        for n, where, other in (*self._recent, *held):
            limit = self._limit(source, where)
            if other.button is not press.button and abs(other.at - press.at) < limit:
                tied.append((n, other))
                within = max(within, limit)
        self._recent.append((number, source, press))
        if all(frozenset((number, n)) in self._said for n, _ in tied[1:]):
            return []
        self._said |= {frozenset((one, other)) for (one, _), (other, _) in itertools.combinations(tied, 2)}
        self.counts.ties += 1
        return [PressTie(tuple(sorted((p for _, p in tied), key=lambda p: p.at)), within, press.at)]
