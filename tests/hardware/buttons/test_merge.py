"""Sources merged by stamp: nothing swapped that can be told apart, nothing delayed without need, ties said openly."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.events import Button, ButtonPressed, ButtonReleased, DeviceLost, DeviceRestored, Event, PressTie
from hardware.buttons.merge import BOX, GPIO, HOLD_BACK, KEYBOARD, Merge
from tests.doubles.timing_races import across_two, on_the_box, swap_curve
from tests.hardware.conftest import TravelClock

GRAINS = {"button box": BOX, "GPIO": GPIO, "keyboard": KEYBOARD}
A, B, C = Button.SEAT1, Button.SEAT2, Button.SEAT3


@pytest.fixture
def merge(clock: TravelClock) -> Merge:
    return Merge(GRAINS, clock)


def press(button: Button, at: float) -> ButtonPressed:
    return ButtonPressed(button, at)


def test_a_single_source_has_no_delay(merge: Merge, clock: TravelClock) -> None:
    merge.put("button box", [DeviceRestored("button box", 99.0), press(A, 100.0)])
    assert merge.due() == [DeviceRestored("button box", 99.0), press(A, 100.0)]
    merge.put("button box", [press(B, 100.5)])
    assert merge.due() == [press(B, 100.5)], "even one that was stamped after now"
    assert merge.counts.held == 0
    assert merge.wake_at is None


def test_two_live_sources_are_put_in_order(merge: Merge, clock: TravelClock) -> None:
    merge.there("button box")
    merge.there("GPIO")
    merge.put("GPIO", [press(A, 100.0)])
    clock.now = 100.004
    merge.put("button box", [press(B, 99.995)])
    assert merge.due() == []
    assert merge.wake_at == pytest.approx(99.995 + HOLD_BACK)
    clock.now = 100.0 + HOLD_BACK
    assert merge.due() == [press(B, 99.995), press(A, 100.0)]
    assert (merge.counts.held, merge.counts.late) == (2, 0)


def test_what_is_old_when_it_comes_in_does_not_wait(merge: Merge, clock: TravelClock) -> None:
    merge.there("button box")
    merge.there("GPIO")
    merge.put("button box", [press(A, clock.now - HOLD_BACK)])
    assert merge.due() == [press(A, clock.now - HOLD_BACK)]


def test_a_source_that_is_lost_holds_nobody_up(merge: Merge, clock: TravelClock) -> None:
    merge.there("GPIO")
    merge.put("button box", [DeviceRestored("button box", 50.0)])
    merge.put("GPIO", [press(A, 100.0)])
    assert merge.due() == [DeviceRestored("button box", 50.0)]
    merge.put("button box", [DeviceLost("button box", 100.0)])
    assert merge.live() == {"GPIO"}
    assert merge.due() == [press(A, 100.0), DeviceLost("button box", 100.0)]


def test_the_keyboard_is_live_for_a_minute_after_a_key(merge: Merge, clock: TravelClock) -> None:
    merge.there("button box")
    assert merge.live() == {"button box"}
    merge.put("keyboard", [press(A, 100.0)])
    assert merge.live() == {"button box", "keyboard"}
    clock.now = 160.1
    assert merge.live() == {"button box"}


def test_a_signal_that_comes_too_late_is_handed_out_and_counted(merge: Merge, clock: TravelClock) -> None:
    merge.there("button box")
    merge.there("GPIO")
    merge.put("GPIO", [press(A, 99.0)])
    assert merge.due() == [press(A, 99.0)]
    merge.put("button box", [press(B, 98.5)])
    assert merge.due() == [press(B, 98.5)]
    assert merge.counts.late == 1
    assert merge.counts.latest == pytest.approx(0.5)


def test_a_tie_stands_before_its_presses_where_both_were_held(merge: Merge, clock: TravelClock) -> None:
    merge.there("button box")
    merge.there("GPIO")
    merge.put("GPIO", [press(A, 100.0)])
    merge.put("button box", [press(B, 100.002)])
    clock.now += 1.0
    tie, *presses = merge.due()
    assert tie == PressTie((press(A, 100.0), press(B, 100.002)), BOX.across + GPIO.across, 100.0)
    assert presses == [press(A, 100.0), press(B, 100.002)]


def test_a_tie_on_one_source_is_told_with_its_second_press(merge: Merge) -> None:
    merge.put("button box", [press(A, 100.0)])
    assert merge.due() == [press(A, 100.0)]
    merge.put("button box", [press(B, 100.000_05)])
    assert merge.due() == [
        PressTie((press(A, 100.0), press(B, 100.000_05)), BOX.within, 100.000_05),
        press(B, 100.000_05),
    ]
    merge.put("button box", [press(C, 100.000_2)])
    assert merge.due() == [press(C, 100.000_2)], "that one can be told apart"


def test_three_at_once_are_one_tie(merge: Merge) -> None:
    presses = [press(button, 100.0) for button in (A, B, C)]
    merge.put("button box", presses)
    assert merge.due() == [PressTie(tuple(presses), BOX.within, 100.0), *presses]
    assert merge.counts.ties == 1


def test_a_chain_of_ties_is_said_anew_when_it_grows(merge: Merge) -> None:
    a, b, c = press(A, 100.0), press(B, 100.000_06), press(C, 100.000_12)
    merge.put("button box", [a, b, c])
    first, second = (x for x in merge.due() if isinstance(x, PressTie))
    assert (first.presses, second.presses) == ((a, b), (a, b, c))


def test_the_same_button_and_releases_do_not_tie(merge: Merge) -> None:
    signals: list[Event] = [press(A, 100.0), ButtonReleased(B, 100.0), press(A, 100.000_01)]
    merge.put("button box", signals)
    assert merge.due() == signals


@given(st.lists(st.tuples(st.booleans(), st.floats(0, 0.05), st.floats(0, 0.9 * HOLD_BACK)), max_size=40))
def test_whatever_comes_within_the_hold_back_comes_out_in_order(pattern: list[tuple[bool, float, float]]) -> None:
    clock = TravelClock(0.0)
    merge = Merge(GRAINS, clock)
    merge.there("button box")
    merge.there("GPIO")
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
        merge.put(source, [signal])
        out += merge.due()
    clock.now += 1.0
    out += merge.due()
    stamps = [s.at for s in out if isinstance(s, ButtonPressed)]
    assert stamps == sorted(stamps)
    assert len(stamps) == len(pattern)
    assert merge.counts.late == 0


def test_none_of_10_000_pairs_a_millisecond_apart_on_the_box_is_swapped() -> None:
    race = on_the_box(0.001, 10_000, seed=1)
    assert (race.pairs, race.swapped, race.lost, race.ties) == (10_000, 0, 0, 0)
    assert race.off < 0.005


def test_none_of_10_000_pairs_five_milliseconds_apart_across_sources_is_swapped() -> None:
    race = across_two(0.005, 10_000, seed=1)
    assert (race.pairs, race.swapped, race.lost, race.ties, race.late) == (10_000, 0, 0, 0, 0)


def test_the_curve_below_has_its_swaps_among_announced_ties_only() -> None:
    for measure in (on_the_box, across_two):
        curve = swap_curve(measure, (0.000_02, 0.000_1, 0.000_5, 0.002, 0.006), 300, seed=2)
        assert [race.apart for race in curve] == [0.000_02, 0.000_1, 0.000_5, 0.002, 0.006]
        assert curve[0].swapped > 0, "nobody can tell these apart"
        assert curve[-1].swapped == 0
        assert all(race.unannounced == 0 for race in curve), "a swap that nobody was told of"


def test_hold_back_is_what_keeps_the_order_across_sources() -> None:
    assert across_two(0.005, 300, seed=3, hold_back=0.0).swapped > 10
