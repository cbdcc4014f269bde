"""What few round trips say about the box's clock: the estimate, its stated error, and which of them count.

What holds on any line: test_clock_sync.py.
"""

from __future__ import annotations

import pytest

from hardware.buttons.usb_box.clock_sync import ClockSync
from hardware.buttons.usb_box.messages import TICK_HZ, TICK_MODULUS


@pytest.fixture
def sync() -> ClockSync:
    return ClockSync()


def add(sync: ClockSync, box_seconds: float, earliest: float, latest: float | None = None) -> None:
    """Add a round trip by which the box's clock stood at `box_seconds` between two host times."""
    tick = round(box_seconds * TICK_HZ)
    sync.add_round_trip(earliest, earliest if latest is None else latest, tick, tick)


def convert(sync: ClockSync, box_seconds: float) -> float:
    """Return the host time of a time of the box's clock."""
    return sync.to_host_time(round(box_seconds * TICK_HZ) % TICK_MODULUS, box_seconds)


def test_stamps_are_used_from_the_third_round_trip_on(sync: ClockSync) -> None:
    states = []
    for n in range(3):
        add(sync, n, n)
        states.append((sync.has_estimate, sync.is_ready))
    assert states == [(True, False), (True, False), (True, True)]


def test_error_is_half_the_round_trip_and_grows_by_six_milliseconds_a_second(sync: ClockSync) -> None:
    add(sync, 10.0, 8.0, 12.0)
    assert convert(sync, 10.0) == 10.0
    for at in (0.0, 20.0):
        assert sync.compute_error(at) == pytest.approx(2.0 + 0.06)


def test_error_grows_less_the_better_the_rate_is_known(sync: ClockSync) -> None:
    for at in (0.0, 100.0):
        add(sync, at, at - 0.05, at + 0.05)
    # The true rate is between 0.999 and 1.001: two midpoints are off by half of 0.1 s in opposite directions.
    assert sync.compute_error(1100.0) == pytest.approx(0.05 + 0.001 * 1000.0)
    assert sync.compute_error(-1000.0) == pytest.approx(0.05 + 0.001 * 1000.0)
    short = ClockSync()
    for at in (0.0, 0.5):
        add(short, at, at - 0.000_5, at + 0.000_5)
    assert short.compute_error(100.5) == pytest.approx(0.000_5 + 0.002 * 100.0)
    skewed = ClockSync()
    add(skewed, 0.0, 0.0)
    add(skewed, 100.0, 100.0, 100.4)
    estimate = convert(skewed, 1100.0)
    assert skewed.compute_error(estimate) == pytest.approx(max(estimate - 1100.0, 1104.4 - estimate))


@pytest.mark.parametrize("rate", [1.01, 0.99])
def test_rate_is_never_taken_for_more_than_six_in_a_thousand(sync: ClockSync, rate: float) -> None:
    for at in (0.0, 100.0):
        add(sync, at, rate * at)
    bound = 1.006 if rate > 1.0 else 0.994
    assert convert(sync, 150.0) - convert(sync, 50.0) == pytest.approx(100.0 * bound)


@pytest.mark.parametrize(
    ("apart", "uncertainty", "deviation"),
    [(1.0, 0.01, 0.0025), (0.001, 0.0, 1e-6)],
    ids=["a quarter of the round trip", "a microsecond at least"],
)
def test_two_round_trips_count_for_the_rate_as_far_as_they_can_measure_it(
    sync: ClockSync, apart: float, uncertainty: float, deviation: float
) -> None:
    """Bayes: the rate deviates by 0.002 (standard deviation), a midpoint by a quarter of the round trip."""
    for box_seconds, host_seconds in ((0.0, 0.0), (apart, 1.004 * apart)):
        add(sync, box_seconds, host_seconds - uncertainty / 2, host_seconds + uncertainty / 2)
    measured = 0.004
    share = 0.002**2 / (0.002**2 + 2 * deviation**2 / apart**2)
    assert convert(sync, 11.0) - convert(sync, 1.0) == pytest.approx(10.0 * (1.0 + share * measured), abs=1e-7)


@pytest.mark.parametrize(("uncertainty", "is_used"), [(5 / 32, True), (5.1 / 32, False)])
def test_round_trips_are_fitted_that_took_a_quarter_longer_than_the_fastest(
    sync: ClockSync, uncertainty: float, is_used: bool
) -> None:
    for _ in range(4):
        add(sync, 0.0, -1 / 16, 1 / 16)
    add(sync, 0.0, 0.0, uncertainty)  # its answer took all the time
    assert (convert(sync, 0.0) != 0.0) == is_used


@pytest.mark.parametrize(("before", "is_used"), [(3, True), (4, False)])
def test_the_four_fastest_round_trips_are_fitted_however_long_they_took(
    sync: ClockSync, before: int, is_used: bool
) -> None:
    add(sync, 0.0, -1 / 16, 1 / 16)
    for _ in range(before - 1):
        add(sync, 0.0, -0.5, 0.5)
    add(sync, 0.0, 0.0, 2.0)
    assert (convert(sync, 0.0) != 0.0) == is_used


@pytest.mark.parametrize(("others", "error"), [(63, 0.0), (64, 0.1)])
def test_the_oldest_of_65_round_trips_is_forgotten(sync: ClockSync, others: int, error: float) -> None:
    add(sync, 0.0, 0.0)
    for _ in range(others):
        add(sync, 0.0, -0.1, 0.1)
    assert sync.compute_error(0.0) == pytest.approx(error, abs=1e-6)


def test_known_delays_narrow_the_bounds() -> None:
    sync = ClockSync((0.25, 0.5))
    add(sync, 1.0, 0.0, 0.75)
    assert convert(sync, 1.0) == 0.25
    assert sync.compute_error(0.25) == 0.0
    assert ClockSync().min_delays == (0.0, 0.0)


def test_round_trip_faster_than_the_known_delays_counts_without_them() -> None:
    sync = ClockSync((1.0, 1.0))
    sync.add_round_trip(0.0, 0.5, 1_000_000, 1_250_000)  # the answer stayed for a quarter of a second
    assert convert(sync, 1.0) == 0.125
    assert sync.compute_error(0.125) == 0.125


@pytest.mark.parametrize(("ahead", "turns"), [(15.9, 0), (16.1, 1)])
def test_tick_more_than_16_seconds_ahead_is_of_the_last_turn(sync: ClockSync, ahead: float, turns: int) -> None:
    add(sync, 100.0, 100.0)
    tick = round((100.0 + ahead) * TICK_HZ)
    assert sync.to_host_time(tick, 100.0) == pytest.approx(100.0 + ahead - turns * TICK_MODULUS / TICK_HZ)


def test_contradictions_are_believed_until_the_clocks_have_been_compared(sync: ClockSync) -> None:
    for at in (0.0, 5.0, 6.0):
        add(sync, at, at + (3.0 if at else 0.0))
    assert sync.is_ready
    assert sync.jumps == 0


@pytest.mark.parametrize(("at", "is_outlier"), [(0.0, False), (1.0, False), (-0.001, True), (1.001, True)])
def test_round_trip_that_touches_the_bounds_is_no_contradiction(sync: ClockSync, at: float, is_outlier: bool) -> None:
    for _ in range(3):
        add(sync, 0.0, 0.0, 1.0)
    add(sync, 0.0, at)
    assert (convert(sync, 0.0) == 0.5) == is_outlier


def test_three_contradictions_in_a_row_are_a_jump_and_replace_all_others(sync: ClockSync) -> None:
    for n in range(3):
        add(sync, n, n)
    for n, host in ((3, 10.0), (4, 11.0), (5, 5.0), (6, 13.0), (7, 14.0)):
        add(sync, n, host)
    assert sync.jumps == 0, "one between agreed"
    assert convert(sync, 8.0) == pytest.approx(8.0)
    add(sync, 8.0, 15.0)
    assert sync.jumps == 1
    assert convert(sync, 8.0) == pytest.approx(15.0)
    assert sync.compute_error(15.0) == pytest.approx(0.0, abs=1e-6)
