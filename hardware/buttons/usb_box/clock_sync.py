"""Convert the box's ticks to the host's monotonic clock, by regression over round trips of pings.

A ping leaves at a known host time and arrives at a known tick; the answer leaves at a known tick and arrives at a known
host time. The host time of the tick therefore lies between two bounds, and no delay on the line, however asymmetric,
can move it out of them. The midpoints of the fastest round trips are fitted by a line, and the bounds of all round
trips give the maximum error. Klipper's `clocksync` does the same regression; the bounds are Marzullo's intersection
("Maintaining the Time in a Distributed System", 1983).

The stated error is exact as long as the box's rate is constant over the remembered round trips and within
`MAX_RATE_ERROR` of the host's. All times are in seconds, unless named ticks.
"""

import itertools
import math
from collections import deque
from dataclasses import dataclass

from hardware.buttons.usb_box.messages import TICK_HZ, TICK_MODULUS

MAX_ROUND_TRIPS = 64
"""Number of remembered round trips: half a minute at two a second. More give a better rate but follow drift later."""

MIN_ROUND_TRIPS = 3
"""Number of round trips after which stamps are used. A larger value makes the first presses wait longer."""

MAX_RATE_ERROR = 0.006
"""Largest relative deviation of the box's rate from the host's.

Ceramic resonators, as on an Arduino Uno, are off by at most 0.5 %. A larger value makes the stated error larger.
"""

RATE_STANDARD_DEVIATION = 0.002
"""Standard deviation of the relative rate, around 1, that is assumed before it is measured.

A larger value trusts a few round trips more.
"""

MAX_EXTRA_DURATION = 0.25
"""A round trip is used for the line if it took at most this fraction longer than the fastest one.

A larger value uses more round trips, with larger errors.
"""

MIN_FITTED_ROUND_TRIPS = 4
"""Number of fastest round trips that are used for the line however long they took."""

OUTLIERS_FOR_JUMP = 3
"""Number of round trips in a row that contradict all others, after which a clock is taken to have jumped.

Happens when the host was suspended. A larger value needs longer to recover.
"""

MAX_FUTURE_TICKS = int(16.0 * TICK_HZ)
"""An event's tick may be this far ahead of the tick expected now; else it is from the last turn of the counter.

So a tick may be up to 71 minutes minus this old. A larger value tolerates a larger error of the clocks.
"""


@dataclass(frozen=True, slots=True)
class RoundTrip:
    """The box's clock stood at `box_seconds` between the host times `earliest` and `latest`.

    >>> round_trip = RoundTrip(box_seconds=3.0, earliest=10.000, latest=10.004)
    >>> round(round_trip.midpoint, 3), round(round_trip.uncertainty, 3)
    (10.002, 0.004)
    """

    box_seconds: float
    """Ticks without wrap-around, in seconds of the box."""
    earliest: float
    """Lower bound, in seconds of the host's monotonic clock."""
    latest: float
    """Upper bound, on the same clock."""

    @property
    def midpoint(self) -> float:
        """The most likely host time of the tick, in seconds: both directions are assumed to take equally long."""
        return 0.5 * (self.earliest + self.latest)

    @property
    def uncertainty(self) -> float:
        """Distance of the two bounds, in seconds: the time spent on the line."""
        return self.latest - self.earliest


@dataclass(frozen=True, slots=True)
class _ClockLine:
    """Host time = host_seconds + rate * (box time - box_seconds)."""

    box_seconds: float
    host_seconds: float
    rate: float

    def __call__(self, box_seconds: float) -> float:
        return self.host_seconds + self.rate * (box_seconds - self.box_seconds)

    def to_box_seconds(self, host_seconds: float) -> float:
        return self.box_seconds + (host_seconds - self.host_seconds) / self.rate


class ClockSync:
    """Learns from round trips how the box's clock relates to the host's; a restarted box needs a new one.

    >>> sync = ClockSync()
    >>> for second in range(MIN_ROUND_TRIPS):
    ...     tick = second * TICK_HZ
    ...     sync.add_round_trip(sent=second, received=second + 0.002, received_tick=tick + 500, sent_tick=tick + 600)
    ...
    >>> sync.is_ready
    True

    Args:
        min_delays: least time that a ping, and least time that its answer takes on the line, in seconds; 0.0 if
            unknown.

    Attributes:
        min_delays: the same, for the round trips to come; set it when the port is changed.
        jumps: number of jumps of a clock that were detected so far.
    """

    def __init__(self, min_delays: tuple[float, float] = (0.0, 0.0)) -> None:
        self.min_delays = min_delays
        self.jumps = 0
        self._round_trips: deque[RoundTrip] = deque(maxlen=MAX_ROUND_TRIPS)
        self._outliers: list[RoundTrip] = []
        self._line: _ClockLine | None = None
        self._rate_error = MAX_RATE_ERROR

    @property
    def is_ready(self) -> bool:
        """Whether there are `MIN_ROUND_TRIPS`, so that stamps can be used."""
        return len(self._round_trips) >= MIN_ROUND_TRIPS

    @property
    def has_estimate(self) -> bool:
        """Whether there is at least one round trip, so that `to_host_time` works."""
        return self._line is not None

    def add_round_trip(self, sent: float, received: float, received_tick: int, sent_tick: int) -> None:
        """Add the round trip of a ping, and estimate the box's clock again; the oldest of 65 is forgotten.

        If `is_ready`, one that contradicts all others is set aside; `OUTLIERS_FOR_JUMP` of these in a row replace all
        others, because a clock has jumped. Raises nothing.

        Args:
            sent: time at which the ping left, in seconds of the host's monotonic clock.
            received: time at which the answer arrived, in seconds of the same clock.
            received_tick: tick at which the ping arrived at the box (microseconds modulo 2**32).
            sent_tick: tick at which the answer left the box (microseconds modulo 2**32).
        """
        stay = ((sent_tick - received_tick) % TICK_MODULUS) / TICK_HZ
        delay_out, delay_back = self.min_delays
        earliest, latest = sent + delay_out, received - delay_back - stay
        if latest < earliest:
            # The line was faster than its least delay, or the answer stayed longer than it took: assume less.
            earliest, latest = sent, max(sent, received - stay)
        trip = RoundTrip(self._unwrap(received_tick, 0.5 * (earliest + latest)) / TICK_HZ, earliest, latest)
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
        self._rate_error = _bound_rate_error(self._round_trips, self._line.rate)

    def to_host_time(self, tick: int, now: float) -> float:
        """Return the host time of a tick, in seconds of the host's monotonic clock.

        Args:
            tick: the box's clock (microseconds modulo 2**32), from at most 71 minutes before `now` to 16 seconds after
                it.
            now: the present time, in seconds of the host's monotonic clock.

        Raises:
            ValueError: there is no round trip yet.
        """
        return self._require_line()(self._unwrap_past(tick, now) / TICK_HZ)

    def compute_error(self, now: float) -> float:
        """Return the maximum error of `to_host_time`, in seconds; it grows with the time since the last round trip.

        Args:
            now: time of the event whose tick is converted, in seconds of the host's monotonic clock.

        Raises:
            ValueError: there is no round trip yet.
        """
        line = self._require_line()
        return self._bound_error(line, line.to_box_seconds(now))

    def _require_line(self) -> _ClockLine:
        if self._line is None:
            raise ValueError("no round trip is known yet")
        return self._line

    def _unwrap(self, tick: int, at: float) -> int:
        """Return the unwrapped tick nearest to the one expected at that time: drift stays far below half a turn."""
        if self._line is None:
            return tick
        expected = round(self._line.to_box_seconds(at) * TICK_HZ)
        return tick + TICK_MODULUS * round((expected - tick) / TICK_MODULUS)

    def _unwrap_past(self, tick: int, now: float) -> int:
        latest = round(self._require_line().to_box_seconds(now) * TICK_HZ) + MAX_FUTURE_TICKS
        return tick + TICK_MODULUS * math.floor((latest - tick) / TICK_MODULUS)

    def _is_outlier(self, trip: RoundTrip) -> bool:
        """Return whether a round trip contradicts the others."""
        if not self.is_ready:
            return False
        line = self._require_line()
        expected, bound = line(trip.box_seconds), self._bound_error(line, trip.box_seconds)
        return expected - bound > trip.latest or expected + bound < trip.earliest

    def _bound_error(self, line: _ClockLine, at: float) -> float:
        return min(
            max(line(trip.box_seconds) - trip.earliest, trip.latest - line(trip.box_seconds))
            + self._rate_error * abs(at - trip.box_seconds)
            for trip in self._round_trips
        )


def _fit_line(trips: deque[RoundTrip]) -> _ClockLine:
    """Fit a line through the midpoints of the fastest round trips, by weighted least squares.

    The rate is drawn towards 1 while the round trips span too little time to measure it.
    """
    by_uncertainty = sorted(trips, key=lambda trip: trip.uncertainty)
    limit = by_uncertainty[0].uncertainty * (1.0 + MAX_EXTRA_DURATION)
    fast = [trip for n, trip in enumerate(by_uncertainty) if n < MIN_FITTED_ROUND_TRIPS or trip.uncertainty <= limit]
    # A midpoint is off by half the uncertainty at most; half of that is taken as its standard deviation.
    # Relative to one of them: the squares of a week's seconds would cost the microseconds.
    origin = fast[0]
    points = [
        (
            1.0 / max(1e-6, 0.25 * trip.uncertainty) ** 2,
            trip.box_seconds - origin.box_seconds,
            (trip.midpoint - origin.midpoint) - (trip.box_seconds - origin.box_seconds),
        )
        for trip in fast
    ]
    total = math.fsum(weight for weight, _, _ in points)
    mean_time = math.fsum(weight * time for weight, time, _ in points) / total
    mean_drift = math.fsum(weight * drift for weight, _, drift in points) / total
    covariance = math.fsum(weight * time * (drift - mean_drift) for weight, time, drift in points)
    variance = math.fsum(weight * (time - mean_time) ** 2 for weight, time, _ in points)
    slope = covariance / (variance + 1.0 / RATE_STANDARD_DEVIATION**2)
    slope = max(-MAX_RATE_ERROR, min(MAX_RATE_ERROR, slope))
    return _ClockLine(origin.box_seconds + mean_time, origin.midpoint + mean_time + mean_drift, 1.0 + slope)


def _bound_rate_error(trips: deque[RoundTrip], rate: float) -> float:
    """Return how far the true rate can be from `rate`, given the bounds of all pairs of round trips."""
    slowest, fastest = 1.0 - MAX_RATE_ERROR, 1.0 + MAX_RATE_ERROR
    for first, second in itertools.combinations(trips, 2):
        apart = second.box_seconds - first.box_seconds
        if apart > 0.0:
            slowest = max(slowest, (second.earliest - first.latest) / apart)
            fastest = min(fastest, (second.latest - first.earliest) / apart)
    return max(abs(fastest - rate), abs(rate - slowest))
