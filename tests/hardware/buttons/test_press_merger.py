"""Events of several sources merged by timestamp: no avoidable swap or delay, and ties are announced."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.events import Button, ButtonPressed, ButtonReleased, DeviceLost, DeviceRestored, Event, PressTie
from companion.testing.table import ManualClock
from hardware.buttons import press_merger
from hardware.buttons.press_merger import (
    GPIO_RESOLUTION,
    HOLD_BACK_SECONDS,
    KEYBOARD_RESOLUTION,
    MAX_HOLD_BACK_SECONDS,
    MAX_NEIGHBOURS,
    USB_BOX_RESOLUTION,
    PressMerger,
)
from tests.doubles.timing_races import (
    HARD_CONDITIONS,
    RaceConditions,
    RunRace,
    measure_swap_curve,
    race_across_two_sources,
    race_on_one_box,
    race_under_conditions,
)

GRAINS = {"button box": USB_BOX_RESOLUTION, "GPIO": GPIO_RESOLUTION, "keyboard": KEYBOARD_RESOLUTION}
A, B, C = Button.SEAT1, Button.SEAT2, Button.SEAT3


@pytest.fixture
def merge(clock: ManualClock) -> PressMerger:
    return PressMerger(GRAINS, clock)


def press(button: Button, at: float) -> ButtonPressed:
    return ButtonPressed(button, at)


def note_open(merge: PressMerger, *sources: str) -> None:
    """Let sources report that they are open, long before all other events."""
    for source in sources:
        merge.add_events(source, [DeviceRestored(source, -math.inf)])
    assert [type(event) for event in merge.take_due()] == [DeviceRestored] * len(sources)


@pytest.mark.parametrize(("apart", "is_tie"), [(0.0019, True), (0.0021, False)])
def test_presses_of_one_box_tie_within_the_resolution_that_it_states(
    merge: PressMerger, apart: float, is_tie: bool
) -> None:
    presses = [ButtonPressed(A, 100.0, "box", 0.05, 0.002), ButtonPressed(B, 100.0 + apart, "box", 0.05, 0.002)]
    merge.add_events("button box", presses)
    assert [type(event) for event in merge.take_due()] == [PressTie] * is_tie + [ButtonPressed] * 2


def test_a_single_source_has_no_delay(merge: PressMerger, clock: ManualClock) -> None:
    merge.add_events("button box", [DeviceRestored("button box", 99.0), press(A, 100.0)])
    assert merge.take_due() == [DeviceRestored("button box", 99.0), press(A, 100.0)]
    merge.add_events("button box", [press(B, 100.5)])
    assert merge.take_due() == [press(B, 100.5)], "even with a timestamp after now"
    assert merge.next_due_at is None


def test_two_live_sources_are_sorted_by_time(merge: PressMerger, clock: ManualClock) -> None:
    note_open(merge, "button box", "GPIO")
    merge.add_events("GPIO", [press(A, 100.0)])
    clock.now = 100.004
    merge.add_events("button box", [press(B, 99.995)])
    assert merge.take_due() == []
    assert merge.next_due_at == pytest.approx(100.015), "a press waits for 20 ms"
    clock.now = 100.0149
    assert merge.take_due() == []
    clock.now = 100.0201
    assert merge.take_due() == [press(B, 99.995), press(A, 100.0)]


def test_old_events_do_not_wait(merge: PressMerger, clock: ManualClock) -> None:
    note_open(merge, "button box", "GPIO")
    merge.add_events("button box", [press(A, clock.now - 2 * MAX_HOLD_BACK_SECONDS)])
    assert merge.take_due() == [press(A, clock.now - 2 * MAX_HOLD_BACK_SECONDS)]


def test_lost_source_delays_no_events(merge: PressMerger, clock: ManualClock) -> None:
    note_open(merge, "GPIO")
    merge.add_events("button box", [DeviceRestored("button box", 50.0)])
    merge.add_events("GPIO", [press(A, 100.0)])
    assert merge.take_due() == [DeviceRestored("button box", 50.0)]
    merge.add_events("button box", [DeviceLost("button box", 100.0)])
    assert merge.list_live_sources() == {"GPIO"}
    assert merge.take_due() == [press(A, 100.0), DeviceLost("button box", 100.0)]


def test_late_press_is_announced(merge: PressMerger, clock: ManualClock) -> None:
    note_open(merge, "button box", "GPIO")
    merge.add_events("GPIO", [press(A, 99.0)])
    assert merge.take_due() == [press(A, 99.0)]
    merge.add_events("button box", [press(B, 98.5)])
    assert merge.take_due() == [PressTie((press(B, 98.5), press(A, 99.0)), 0.5, 98.5, is_late=True), press(B, 98.5)]


def test_tie_limit_follows_the_stated_errors(merge: PressMerger, clock: ManualClock) -> None:
    note_open(merge, "button box", "GPIO")
    for error, count in ((0.0015, 0), (0.003, 1)):
        at = clock.now
        clock.now += 1.0
        merge.add_events("GPIO", [press(A, at)])
        merge.add_events("button box", [ButtonPressed(B, at + 0.002, max_error_seconds=error)])
        assert sum(isinstance(event, PressTie) for event in merge.take_due()) == count


def test_wrong_stamps_of_the_box_are_in_order_and_those_of_pins_are_not(merge: PressMerger, clock: ManualClock) -> None:
    for source, count in (("button box", 0), ("GPIO", 1)):
        at, clock.now = clock.now, clock.now + 1.0
        merge.add_events(source, [ButtonPressed(b, at + gap, max_error_seconds=0.03) for b, gap in ((A, 0), (B, 0.01))])
        assert sum(isinstance(event, PressTie) for event in merge.take_due()) == count
        merge.add_events(source, [DeviceLost(source, clock.now)])
        merge.take_due()


def test_time_for_a_flood_grows_with_its_length_only(clock: ManualClock) -> None:
    """F6: comparisons of tie limits are counted, not time."""

    class CountingMerger(PressMerger):
        comparisons = 0

        def _get_tie_limit(self, one: Any, other: Any) -> float:
            self.comparisons += 1
            return super()._get_tie_limit(one, other)

    merge = CountingMerger(GRAINS, clock)
    for _ in range(3):
        merge.add_events("button box", [press(Button(b), clock.now) for b in tuple(Button) * 100])
        merge.take_due()
    assert merge.comparisons <= 3000 * 2 * MAX_NEIGHBOURS


def test_tie_precedes_its_presses_if_both_were_held_back(merge: PressMerger, clock: ManualClock) -> None:
    note_open(merge, "button box", "GPIO")
    merge.add_events("GPIO", [press(A, 100.0)])
    merge.add_events("button box", [ButtonPressed(B, 100.002, max_error_seconds=0.002)])
    clock.now += 1.0
    tie, *presses = merge.take_due()
    limit = 0.002 + USB_BOX_RESOLUTION.cross_source_seconds + GPIO_RESOLUTION.cross_source_seconds
    assert tie == PressTie((press(A, 100.0), press(B, 100.002)), pytest.approx(limit), 100.0)
    assert presses == [press(A, 100.0), press(B, 100.002)]


def test_tie_on_one_source_is_reported_with_the_second_press(merge: PressMerger) -> None:
    merge.add_events("button box", [press(A, 100.0)])
    assert merge.take_due() == [press(A, 100.0)]
    merge.add_events("button box", [press(B, 100.000_05)])
    assert merge.take_due() == [
        PressTie((press(A, 100.0), press(B, 100.000_05)), USB_BOX_RESOLUTION.same_source_seconds, 100.000_05),
        press(B, 100.000_05),
    ]
    merge.add_events("button box", [press(C, 100.000_2)])
    assert merge.take_due() == [press(C, 100.000_2)], "this one can be distinguished"


def test_three_simultaneous_presses_are_one_tie(merge: PressMerger) -> None:
    presses = [press(button, 100.0) for button in (A, B, C)]
    merge.add_events("button box", presses)
    assert merge.take_due() == [PressTie(tuple(presses), USB_BOX_RESOLUTION.same_source_seconds, 100.0), *presses]


def test_growing_tie_is_reported_again(merge: PressMerger) -> None:
    a, b, c = press(A, 100.0), press(B, 100.000_06), press(C, 100.000_12)
    merge.add_events("button box", [a, b, c])
    first, second = (x for x in merge.take_due() if isinstance(x, PressTie))
    assert (first.presses, second.presses) == ((a, b), (a, b, c))


def test_same_button_and_releases_do_not_tie(merge: PressMerger) -> None:
    signals: list[Event] = [press(A, 100.0), ButtonReleased(B, 100.0), press(A, 100.000_01)]
    merge.add_events("button box", signals)
    assert merge.take_due() == signals


@given(st.lists(st.tuples(st.booleans(), st.floats(0, 0.05), st.floats(0, 0.9 * HOLD_BACK_SECONDS)), max_size=40))
def test_events_within_the_hold_back_are_returned_in_order(pattern: list[tuple[bool, float, float]]) -> None:
    clock = ManualClock(0.0)
    merge = PressMerger(GRAINS, clock)
    note_open(merge, "button box", "GPIO")
    at, arrivals = 1.0, []
    last = {"button box": 0.0, "GPIO": 0.0}
    for n, (box, gap, late) in enumerate(pattern):
        at += gap
        source = "button box" if box else "GPIO"
        last[source] = max(last[source], at + late)
        arrivals.append((last[source], n, source, ButtonPressed(tuple(Button)[n % 10], at)))
    out: list[Event | PressTie] = []
    for when, _, source, signal in sorted(arrivals):
        clock.now = when
        merge.add_events(source, [signal])
        out += merge.take_due()
    clock.now += 1.0
    out += merge.take_due()
    stamps = [s.at for s in out if isinstance(s, ButtonPressed)]
    assert stamps == sorted(stamps)
    assert len(stamps) == len(pattern)


@pytest.mark.full
@pytest.mark.parametrize(
    ("run_race", "distance_seconds"),
    [(race_on_one_box, 0.001), (race_across_two_sources, 0.005)],
    ids=["box", "across"],
)
def test_no_pair_that_the_sources_can_order_is_swapped(run_race: RunRace, distance_seconds: float) -> None:
    race = run_race(distance_seconds, 2000, seed=1)
    assert (race.pairs, race.swapped, race.lost, race.ties, race.late) == (2000, 0, 0, 0, 0)
    assert race.max_stamp_error_seconds < 0.005


@pytest.mark.full
def test_swaps_below_the_limit_are_announced_ties() -> None:
    for measure in (race_on_one_box, race_across_two_sources):
        curve = measure_swap_curve(measure, (0.000_02, 0.000_1, 0.000_5, 0.002, 0.006), 150, seed=2)
        assert [race.distance_seconds for race in curve] == [0.000_02, 0.000_1, 0.000_5, 0.002, 0.006]
        assert curve[0].swapped > 0, "these cannot be distinguished"
        assert curve[-1].swapped == 0
        assert all(race.unannounced == 0 for race in curve), "a swap without an announced tie"


def test_order_across_sources_needs_the_hold_back(monkeypatch: pytest.MonkeyPatch) -> None:
    assert race_across_two_sources(0.005, 300, seed=3, hold_back=0.0).swapped < 10, "it follows the delay"
    monkeypatch.setattr(press_merger, "DELAY_MARGIN", 0.0)
    race = race_across_two_sources(0.005, 300, seed=3, hold_back=0.0)
    assert race.swapped > 10
    assert race.unannounced == 0


def test_stalls_of_a_thread_swap_nothing_silently() -> None:
    """H4: with constants 40 of 1,000 pairs were swapped without a word."""
    race = race_across_two_sources(0.005, 250, seed=4, stalls=True)
    assert (race.unannounced, race.lost) == (0, 0)
    assert race.swapped < 5, "the hold-back follows the stalls"


@pytest.mark.parametrize("conditions", HARD_CONDITIONS, ids=lambda each: each.name)
def test_nothing_is_swapped_silently_by_stalls_a_slow_chip_or_a_slewed_clock(conditions: RaceConditions) -> None:
    race = race_under_conditions(conditions, 0.005, 60)
    assert (race.unannounced, race.lost) == (0, 0)


@pytest.mark.proof
@pytest.mark.parametrize("conditions", HARD_CONDITIONS, ids=lambda each: each.name)
@pytest.mark.parametrize("distance_seconds", [0.005, 0.008, 0.012, 0.020])
def test_of_10000_pairs_none_is_swapped_silently(conditions: RaceConditions, distance_seconds: float) -> None:
    race = race_under_conditions(conditions, distance_seconds, 10_000)
    assert (race.unannounced, race.lost) == (0, 0)


def test_the_ties_of_a_race_are_what_the_errors_say() -> None:
    """A merger that believes every stamp swaps silently under the same conditions: the race can fail."""
    conditions = next(each for each in HARD_CONDITIONS if each.name == "pad and pins, stalls")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tests.doubles.timing_races.CONTROLLER_RESOLUTION", GPIO_RESOLUTION)
        assert race_under_conditions(conditions, 0.005, 120).unannounced > 0
