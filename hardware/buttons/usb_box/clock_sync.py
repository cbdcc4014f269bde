"""The box's ticks on the host's monotonic clock, by regression over ping round trips.

A ping leaves at a known host time and comes in at a known tick; the answer leaves at a known tick and comes back at
a known host time. So the host time of that tick lies between two bounds, and nothing that the line does (delays,
however lopsided) can move it out of them. The middle is taken of the quickest round trips, a line is laid through
them, and the bounds of all round trips say how far it can be off at most. (Klipper's `clocksync` does the regression;
the bounds are Marzullo's intersection, "Maintaining the Time in a Distributed System", 1983.)

The stated error is exact as long as the box's rate is constant over the window of round trips and within
`RATE_TOLERANCE` of the host's. Seconds throughout, ticks where it says so.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass

from hardware.buttons.usb_box.messages import TICK_HZ, TICK_MODULUS

WINDOW = 64
"""Round trips that are remembered: half a minute of them at two a second."""
ENOUGH = 3
"""Round trips before a tick's time is worth something."""
RATE_TOLERANCE = 0.006
"""A box's rate is within 0.6 % of the host's: ceramic resonators, as on an Arduino Uno, are 0.5 % off at most."""
RATE_SPREAD = 0.002
"""What is expected of a rate before it is measured: this standard deviation from 1."""
SLOWER = 0.25
"""A round trip may be longer than the quickest by this part of it and still count for the line."""
FEWEST = 4
"""So many count however long they took."""
STRANGERS = 3
"""So many round trips in a row which cannot be true if the others are: something jumped (the host was suspended)."""
PAST = int(16.0 * TICK_HZ)
"""Ticks. An event's tick is taken for one of the last 71 minutes; it may be this much after what is now expected."""


@dataclass(frozen=True, slots=True)
class RoundTrip:
    """Between `low` and `high` on the host's clock the box's stood at `tick` seconds (unwrapped)."""

    tick: float
    low: float
    high: float

    @property
    def middle(self) -> float:
        """The likeliest host time, if both ways are alike."""
        return 0.5 * (self.low + self.high)

    @property
    def width(self) -> float:
        """What is unknown: the time spent on the line."""
        return self.high - self.low


@dataclass(frozen=True, slots=True)
class _Line:
    """Host time = at + rate * (tick - tick0)."""

    tick: float
    at: float
    rate: float

    def __call__(self, tick: float) -> float:
        return self.at + self.rate * (tick - self.tick)

    def inverse(self, at: float) -> float:
        return self.tick + (at - self.at) / self.rate


class ClockSync:
    """Learns from round trips; forgets everything when the box has started anew (make another one).

    Args:
        out, back: seconds that the ping and its answer take on the wire at least, 0 where that is not known.
    """

    def __init__(self, out: float = 0.0, back: float = 0.0) -> None:
        self.jumps = 0
        self._out, self._back = out, back
        self._trips: deque[RoundTrip] = deque(maxlen=WINDOW)
        self._strangers: list[RoundTrip] = []
        self._line: _Line | None = None
        self._off: float | None = None

    @property
    def ready(self) -> bool:
        """Enough round trips are known."""
        return len(self._trips) >= ENOUGH

    @property
    def known(self) -> bool:
        """At least one round trip is known."""
        return self._line is not None

    @property
    def trips(self) -> tuple[RoundTrip, ...]:
        """The round trips that are remembered, earliest first."""
        return tuple(self._trips)

    @property
    def rate(self) -> float:
        """Host seconds in a box's second."""
        return self._line.rate if self._line else 1.0

    def line_delays(self, out: float, back: float) -> None:
        """Another port: other least delays."""
        self._out, self._back = out, back

    def add(self, sent: float, received: float, heard: int, said: int) -> None:
        """A ping that left at `sent`, was heard and answered at these ticks, and whose answer came at `received`."""
        stay = ((said - heard) % TICK_MODULUS) / TICK_HZ
        low, high = sent + self._out, received - self._back - stay
        if high < low:
            # A line that is quicker than its least delay, or an answer that stayed longer than it took: believe less.
            low, high = sent, max(sent, received - stay)
        trip = RoundTrip(self._unwrap(heard, 0.5 * (low + high)) / TICK_HZ, low, high)
        if self._strange(trip):
            self._strangers.append(trip)
            if len(self._strangers) < STRANGERS:
                return
            self.jumps += 1
            self._trips = deque(self._strangers, maxlen=WINDOW)
        else:
            self._trips.append(trip)
        self._strangers = []
        self._line = _fit(self._trips)
        self._off = None

    def host_time(self, tick: int, now: float) -> float:
        """When the box's clock stood at `tick`, which it did not long after `now` and at most 71 minutes before.

        Raises:
            ValueError: no round trip is known yet.
        """
        return self._known()(self._of_the_past(tick, now) / TICK_HZ)

    def error(self, tick: int, now: float) -> float:
        """How far `host_time` can be off at most, either way, in seconds."""
        line, at = self._known(), self._of_the_past(tick, now) / TICK_HZ
        return self._bound(line, at)

    def error_at(self, now: float) -> float:
        """The same for an event at the host's time `now`."""
        line = self._known()
        return self._bound(line, line.inverse(now))

    def _known(self) -> _Line:
        if self._line is None:
            raise ValueError("no round trip is known yet")
        return self._line

    def _unwrap(self, tick: int, at: float) -> int:
        """The tick nearest to what is expected at that time; however long nothing was heard, drift stays far below."""
        if self._line is None:
            return tick
        expected = round(self._line.inverse(at) * TICK_HZ)
        return tick + TICK_MODULUS * round((expected - tick) / TICK_MODULUS)

    def _of_the_past(self, tick: int, now: float) -> int:
        latest = round(self._known().inverse(now) * TICK_HZ) + PAST
        return tick + TICK_MODULUS * math.floor((latest - tick) / TICK_MODULUS)

    def _strange(self, trip: RoundTrip) -> bool:
        if self._line is None or not self.ready:
            return False
        expected, bound = self._line(trip.tick), self._bound(self._line, trip.tick)
        return expected - bound > trip.high or expected + bound < trip.low

    def _bound(self, line: _Line, at: float) -> float:
        if self._off is None:
            self._off = _rate_error(self._trips, line.rate)
        off = self._off
        return min(
            max(line(trip.tick) - trip.low, trip.high - line(trip.tick)) + off * abs(at - trip.tick)
            for trip in self._trips
        )


def _fit(trips: deque[RoundTrip]) -> _Line:
    """Weighted least squares through the middles of the quickest round trips.

    The rate is drawn towards 1 as long as the trips span too little time to tell it.
    """
    by_width = sorted(trips, key=lambda trip: trip.width)
    limit = by_width[0].width * (1.0 + SLOWER)
    quick = [trip for n, trip in enumerate(by_width) if n < FEWEST or trip.width <= limit]
    # A middle is off by half the width at most; half of that is taken for its standard deviation.
    weights = [1.0 / max(1e-6, 0.25 * trip.width) ** 2 for trip in quick]
    total = math.fsum(weights)
    # Relative to one of them: squares of a week's seconds would cost the microseconds.
    origin = quick[0]
    ticks = [trip.tick - origin.tick for trip in quick]
    drifts = [trip.middle - origin.middle - tick for trip, tick in zip(quick, ticks, strict=True)]
    tick0 = math.fsum(w * x for w, x in zip(weights, ticks, strict=True)) / total
    drift0 = math.fsum(w * y for w, y in zip(weights, drifts, strict=True)) / total
    across = math.fsum(w * (x - tick0) * (y - drift0) for w, x, y in zip(weights, ticks, drifts, strict=True))
    along = math.fsum(w * (x - tick0) ** 2 for w, x in zip(weights, ticks, strict=True))
    slope = across / (along + 1.0 / RATE_SPREAD**2)
    slope = max(-RATE_TOLERANCE, min(RATE_TOLERANCE, slope))
    return _Line(origin.tick + tick0, origin.middle + tick0 + drift0, 1.0 + slope)


def _rate_error(trips: deque[RoundTrip], rate: float) -> float:
    """How far the true rate can be from `rate`, as the bounds of all pairs of round trips allow."""
    slowest, fastest = 1.0 - RATE_TOLERANCE, 1.0 + RATE_TOLERANCE
    known = list(trips)
    for n, first in enumerate(known):
        for second in known[n + 1 :]:
            apart = second.tick - first.tick
            if apart > 0.0:
                slowest = max(slowest, (second.low - first.high) / apart)
                fastest = min(fastest, (second.high - first.low) / apart)
    return max(abs(fastest - rate), abs(rate - slowest))
