"""The box's clock on the host's: the stated error is kept under drift, asymmetric delays and wrap-around."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.buttons.usb_box.clock_sync import MAX_RATE_ERROR, MAX_ROUND_TRIPS, ClockSync
from hardware.buttons.usb_box.messages import TICK_MODULUS


@dataclass
class Bench:
    """A box's true clock and a line with given delays."""

    rate: float = 1.0001
    first: int = 0
    sync: ClockSync = field(default_factory=ClockSync)

    def ticks(self, at: float) -> int:
        return self.first + int(at * self.rate * 1e6)

    def ping(self, at: float, out: float, back: float, stay: float = 0.0001) -> None:
        received_at, sent_at = at + out, at + out + stay
        self.sync.add_round_trip(
            at, sent_at + back, self.ticks(received_at) % TICK_MODULUS, self.ticks(sent_at) % TICK_MODULUS
        )

    def off(self, at: float, reported_at: float | None = None) -> tuple[float, float]:
        """Return the true and the stated error of an event's timestamp, in seconds."""
        tick, now = self.ticks(at) % TICK_MODULUS, at + 0.002 if reported_at is None else reported_at
        # Ticks are whole microseconds: rounding adds up to 1 µs.
        host_time = self.sync.to_host_time(tick, now)
        return abs(host_time - at) - 1.5e-6, self.sync.compute_error(host_time)


@given(
    rate=st.floats(1 - 0.9 * MAX_RATE_ERROR, 1 + 0.9 * MAX_RATE_ERROR),
    first=st.integers(0, TICK_MODULUS - 1),
    seed=st.integers(0, 2**32),
    least=st.tuples(st.floats(0, 0.003), st.floats(0, 0.003)),
    jitter=st.tuples(st.floats(1e-5, 0.02), st.floats(1e-5, 0.02)),
    period=st.floats(0.01, 2.0),
    count=st.integers(1, 100),
    later=st.floats(-5.0, 30.0),
)
def test_the_stated_error_is_never_exceeded(
    rate: float,
    first: int,
    seed: int,
    least: tuple[float, float],
    jitter: tuple[float, float],
    period: float,
    count: int,
    later: float,
) -> None:
    rng, bench = random.Random(seed), Bench(rate, first)
    at = 5.0
    for _ in range(count):
        at += period * rng.uniform(0.5, 1.5)
        bench.ping(at, least[0] + rng.expovariate(1 / jitter[0]), least[1] + rng.expovariate(1 / jitter[1]))
    off, stated = bench.off(at + max(later, -at + 0.1))
    assert off <= stated
    assert bench.sync.jumps == 0


def test_symmetric_delays_with_low_jitter_give_100_microseconds() -> None:
    rng, bench = random.Random(3), Bench(rate=1.0001)
    at = 0.0
    for _ in range(MAX_ROUND_TRIPS):
        at += 0.5
        bench.ping(at, 0.0008 + rng.expovariate(1 / 0.0003), 0.0008 + rng.expovariate(1 / 0.0003))
    off, stated = zip(*(bench.off(at + 0.01 * n) for n in range(50)), strict=True)
    assert max(off) < 0.0001
    assert max(stated) < 0.001
    start, end = (bench.sync.to_host_time(bench.ticks(at + seconds), at + seconds) for seconds in (0.0, 1.0))
    assert end - start == pytest.approx(1.0, abs=1e-5)


@pytest.mark.parametrize("away", [0.0, 5000.0, 100_000.0])
def test_tick_wrap_around_is_handled_after_any_absence(away: float) -> None:
    bench = Bench(first=TICK_MODULUS - 3_000_000)
    for n in range(20):
        bench.ping(0.5 * n, 0.001, 0.001)
    at = 10.0 + away
    for n in range(20):
        bench.ping(at + 0.5 * n, 0.001, 0.001)
    assert bench.sync.jumps == 0
    for event in (at + 1.0, at + 9.0):
        off, stated = bench.off(event, reported_at=at + 10.0)
        assert off <= stated < 0.0015


def test_event_of_an_hour_ago_is_converted() -> None:
    bench = Bench(rate=1.0, first=TICK_MODULUS - 2_000_000_000)
    for n in range(20):
        bench.ping(4000.0 + 0.5 * n, 0.001, 0.001)
    off, stated = bench.off(400.0, reported_at=4010.0)
    assert off <= stated < 5.0, "the rate of ten seconds, an hour away"
    assert stated > 0.01, "the stated error grows too"


def test_no_time_before_the_first_round_trip() -> None:
    sync = ClockSync()
    assert not sync.has_estimate
    assert not sync.is_ready
    with pytest.raises(ValueError, match="no round trip"):
        sync.to_host_time(1, 2.0)
