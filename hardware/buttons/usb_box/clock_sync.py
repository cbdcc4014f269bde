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

MAX_ROUND_TRIPS = 64
"""Round trips that are remembered: half a minute of them at two a second."""
MIN_ROUND_TRIPS = 3
"""Round trips before a tick's time is worth something."""
MAX_RATE_ERROR = 0.006
"""A box's rate is within 0.6 % of the host's: ceramic resonators, as on an Arduino Uno, are 0.5 % off at most."""
RATE_STANDARD_DEVIATION = 0.002
"""What is expected of a rate before it is measured: this standard deviation from 1."""
MAX_EXTRA_DURATION = 0.25
"""A round trip may be longer than the quickest by this part of it and still count for the line."""
MIN_FITTED_ROUND_TRIPS = 4
"""So many count however long they took."""
OUTLIERS_FOR_JUMP = 3
"""So many round trips in a row which cannot be true if the others are: something jumped (the host was suspended)."""
MAX_FUTURE_TICKS = int(16.0 * TICK_HZ)
"""Ticks. An event's tick is taken for one of the last 71 minutes; it may be this much after what is now expected."""


@dataclass(frozen=True, slots=True)
class RoundTrip:
    """Between `low` and `high` on the host's clock the box's stood at `tick` seconds (unwrapped)."""

    box_seconds: float
    earliest: float
    latest: float

    @property
    def midpoint(self) -> float:
        """The likeliest host time, if both ways are alike."""
        return 0.5 * (self.earliest + self.latest)

    @property
    def uncertainty(self) -> float:
        """What is unknown: the time spent on the line."""
        return self.latest - self.earliest


@dataclass(frozen=True, slots=True)
class _ClockLine:
    """Host time = at + rate * (tick - tick0)."""

    box_seconds: float
    host_seconds: float
    rate: float

    def __call__(self, tick: float) -> float:
        return self.host_seconds + self.rate * (tick - self.box_seconds)

    def to_box_seconds(self, at: float) -> float:
        return self.box_seconds + (at - self.host_seconds) / self.rate


class ClockSync:
    """Learns from round trips; forgets everything when the box has started anew (make another one).

    Args:
        out, back: seconds that the ping and its answer take on the wire at least, 0 where that is not known.
    """

    def __init__(self, min_delay_out: float = 0.0, min_delay_back: float = 0.0) -> None:
        self.jumps = 0
        self._min_delay_out, self._min_delay_back = min_delay_out, min_delay_back
        self._round_trips: deque[RoundTrip] = deque(maxlen=MAX_ROUND_TRIPS)
        self._outliers: list[RoundTrip] = []
        self._line: _ClockLine | None = None
        self._rate_error: float | None = None

    @property
    def is_ready(self) -> bool:
        """Enough round trips are known."""
        return len(self._round_trips) >= MIN_ROUND_TRIPS

    @property
    def has_estimate(self) -> bool:
        """At least one round trip is known."""
        return self._line is not None

    @property
    def round_trips(self) -> tuple[RoundTrip, ...]:
        """The round trips that are remembered, earliest first."""
        return tuple(self._round_trips)

    @property
    def rate(self) -> float:
        """Host seconds in a box's second."""
        return self._line.rate if self._line else 1.0

    def set_min_delays(self, min_delay_out: float, min_delay_back: float) -> None:
        """Another port: other least delays."""
        self._min_delay_out, self._min_delay_back = min_delay_out, min_delay_back

    def add_round_trip(self, sent: float, received: float, received_tick: int, sent_tick: int) -> None:
        """A ping that left at `sent`, was heard and answered at these ticks, and whose answer came at `received`."""
        stay = ((sent_tick - received_tick) % TICK_MODULUS) / TICK_HZ
        low, high = sent + self._min_delay_out, received - self._min_delay_back - stay
        if high < low:
            # A line that is quicker than its least delay, or an answer that stayed longer than it took: believe less.
            low, high = sent, max(sent, received - stay)
        trip = RoundTrip(self._unwrap(received_tick, 0.5 * (low + high)) / TICK_HZ, low, high)
        if self._is_outlier(trip):
            self._outliers.append(trip)
            if len(self._outliers) < OUTLIERS_FOR_JUMP:
                return
            self.jumps += 1
            self._round_trips = deque(self._outliers, maxlen=MAX_ROUND_TRIPS)
        else:
            self._round_trips.append(trip)
        self._outliers = []
        self._line = _fit_line(self._round_trips)
        self._rate_error = None

    def to_host_time(self, tick: int, now: float) -> float:
        """When the box's clock stood at `tick`, which it did not long after `now` and at most 71 minutes before.

        Raises:
            ValueError: no round trip is known yet.
        """
        return self._require_line()(self._unwrap_past(tick, now) / TICK_HZ)

    def compute_error(self, tick: int, now: float) -> float:
        """How far `host_time` can be off at most, either way, in seconds."""
        line, at = self._require_line(), self._unwrap_past(tick, now) / TICK_HZ
        return self._bound_error(line, at)

    def compute_error_at(self, now: float) -> float:
        """The same for an event at the host's time `now`."""
        line = self._require_line()
        return self._bound_error(line, line.to_box_seconds(now))

    def _require_line(self) -> _ClockLine:
        if self._line is None:
            raise ValueError("no round trip is known yet")
        return self._line

    def _unwrap(self, tick: int, at: float) -> int:
        """The tick nearest to what is expected at that time; however long nothing was heard, drift stays far below."""
        if self._line is None:
            return tick
        expected = round(self._line.to_box_seconds(at) * TICK_HZ)
        return tick + TICK_MODULUS * round((expected - tick) / TICK_MODULUS)

    def _unwrap_past(self, tick: int, now: float) -> int:
        latest = round(self._require_line().to_box_seconds(now) * TICK_HZ) + MAX_FUTURE_TICKS
        return tick + TICK_MODULUS * math.floor((latest - tick) / TICK_MODULUS)

    def _is_outlier(self, trip: RoundTrip) -> bool:
        if self._line is None or not self.is_ready:
            return False
        expected, bound = self._line(trip.box_seconds), self._bound_error(self._line, trip.box_seconds)
        return expected - bound > trip.latest or expected + bound < trip.earliest

    def _bound_error(self, line: _ClockLine, at: float) -> float:
        if self._rate_error is None:
            self._rate_error = _bound_rate_error(self._round_trips, line.rate)
        off = self._rate_error
        return min(
            max(line(trip.box_seconds) - trip.earliest, trip.latest - line(trip.box_seconds))
            + off * abs(at - trip.box_seconds)
            for trip in self._round_trips
        )


def _fit_line(trips: deque[RoundTrip]) -> _ClockLine:
    """Weighted least squares through the middles of the quickest round trips.

    The rate is drawn towards 1 as long as the trips span too little time to tell it.
    """
    by_width = sorted(trips, key=lambda trip: trip.uncertainty)
    limit = by_width[0].uncertainty * (1.0 + MAX_EXTRA_DURATION)
    quick = [trip for n, trip in enumerate(by_width) if n < MIN_FITTED_ROUND_TRIPS or trip.uncertainty <= limit]
    # A middle is off by half the width at most; half of that is taken for its standard deviation.
    weights = [1.0 / max(1e-6, 0.25 * trip.uncertainty) ** 2 for trip in quick]
    total = math.fsum(weights)
    # Relative to one of them: squares of a week's seconds would cost the microseconds.
    origin = quick[0]
    ticks = [trip.box_seconds - origin.box_seconds for trip in quick]
    drifts = [trip.midpoint - origin.midpoint - tick for trip, tick in zip(quick, ticks, strict=True)]
    tick0 = math.fsum(w * x for w, x in zip(weights, ticks, strict=True)) / total
    drift0 = math.fsum(w * y for w, y in zip(weights, drifts, strict=True)) / total
    across = math.fsum(w * (x - tick0) * (y - drift0) for w, x, y in zip(weights, ticks, drifts, strict=True))
    along = math.fsum(w * (x - tick0) ** 2 for w, x in zip(weights, ticks, strict=True))
    slope = across / (along + 1.0 / RATE_STANDARD_DEVIATION**2)
    slope = max(-MAX_RATE_ERROR, min(MAX_RATE_ERROR, slope))
    return _ClockLine(origin.box_seconds + tick0, origin.midpoint + tick0 + drift0, 1.0 + slope)


def _bound_rate_error(trips: deque[RoundTrip], rate: float) -> float:
    """How far the true rate can be from `rate`, as the bounds of all pairs of round trips allow."""
    slowest, fastest = 1.0 - MAX_RATE_ERROR, 1.0 + MAX_RATE_ERROR
    known = list(trips)
    for n, first in enumerate(known):
        for second in known[n + 1 :]:
            apart = second.box_seconds - first.box_seconds
            if apart > 0.0:
                slowest = max(slowest, (second.earliest - first.latest) / apart)
                fastest = min(fastest, (second.latest - first.earliest) / apart)
    return max(abs(fastest - rate), abs(rate - slowest))
