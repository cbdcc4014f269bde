"""The limits of the merger, on both sides: how close presses tie, how long they wait, which sources are live.

The order of presses: test_press_merger.py.
"""

from __future__ import annotations

import math

import pytest

from companion.events import Button, ButtonPressed, DeviceLost, DeviceRestored, PressTie
from companion.testing.table import ManualClock
from hardware.buttons.press_merger import (
    GPIO_RESOLUTION,
    KEYBOARD_RESOLUTION,
    TOUCH_RESOLUTION,
    USB_BOX_RESOLUTION,
    PressMerger,
    TimingResolution,
)

RESOLUTIONS = {
    "button box": USB_BOX_RESOLUTION,
    "GPIO": GPIO_RESOLUTION,
    "keyboard": KEYBOARD_RESOLUTION,
    "touch": TOUCH_RESOLUTION,
}
A, B, C = Button.SEAT1, Button.SEAT2, Button.SEAT3


@pytest.fixture
def merge(clock: ManualClock) -> PressMerger:
    return PressMerger(RESOLUTIONS, clock)


def take_ties(merge: PressMerger) -> list[PressTie]:
    """Take what is due and return its ties."""
    return [event for event in merge.take_due() if isinstance(event, PressTie)]


def open_box_and_pins(merge: PressMerger) -> None:
    """Let two sources be live, so that presses wait."""
    for source in ("button box", "GPIO"):
        merge.add_events(source, [DeviceRestored(source, -math.inf)])
    merge.take_due()


@pytest.mark.parametrize(
    ("one", "other", "milliseconds"),
    [
        ("GPIO", "GPIO", 0.05),
        ("keyboard", "keyboard", 10.0),
        ("touch", "touch", 20.0),
        ("GPIO", "button box", 0.2),
        ("GPIO", "keyboard", 20.1),
        ("GPIO", "touch", 20.1),
    ],
)
def test_presses_tie_below_the_distance_that_their_sources_can_order(
    clock: ManualClock, one: str, other: str, milliseconds: float
) -> None:
    for share, ties in ((0.98, 1), (1.02, 0)):
        merge = PressMerger(RESOLUTIONS, clock)
        merge.add_events(one, [ButtonPressed(A, 0.0)])
        merge.add_events(other, [ButtonPressed(B, share * milliseconds / 1000.0)])
        assert len(take_ties(merge)) == ties


def test_presses_exactly_at_the_limit_are_in_order_unless_one_comes_late(clock: ManualClock) -> None:
    resolutions = {"box": TimingResolution(0.25, 0.25)}
    merge = PressMerger(resolutions, clock)
    merge.add_events("box", [ButtonPressed(A, 1.0), ButtonPressed(B, 1.25)])
    assert take_ties(merge) == []
    late = PressMerger(resolutions, clock)
    for press in (ButtonPressed(A, 1.0), ButtonPressed(B, 0.75)):
        late.add_events("box", [press])
        ties = take_ties(late)
    assert ties == [PressTie((ButtonPressed(B, 0.75), ButtonPressed(A, 1.0)), 0.25, 0.75, is_late=True)]


@pytest.mark.parametrize(("between", "is_tied"), [(31, True), (32, False)])
def test_a_press_is_compared_with_the_32_before_and_the_32_after_it(
    clock: ManualClock, between: int, is_tied: bool
) -> None:
    """A flood of presses must not cost more and more time."""
    first, last, others = ButtonPressed(A, 1.0), ButtonPressed(C, 1.0), [ButtonPressed(B, 1.0)] * between
    before = PressMerger(RESOLUTIONS, clock)
    before.add_events("GPIO", [first, *others])
    before.take_due()
    before.add_events("GPIO", [last])
    (tie,) = take_ties(before)
    assert (first in tie.presses, len(tie.presses)) == (is_tied, 33)
    after = PressMerger(RESOLUTIONS, clock)
    after.add_events("GPIO", [first, *others, last])
    tie = take_ties(after)[0]
    assert (last in tie.presses, len(tie.presses)) == (is_tied, 33)


@pytest.mark.parametrize(
    ("delay", "hold_back"),
    [(0.012, 0.02), (0.1, 0.125), (0.14, 0.15), (0.15, 0.15), (0.151, 0.02)],
    ids=["short", "longer", "at the limit", "the longest", "too long to count"],
)
def test_presses_wait_a_quarter_longer_than_the_last_delay_but_150_milliseconds_at_most(
    delay: float, hold_back: float
) -> None:
    clock = ManualClock(delay)
    merge = PressMerger(RESOLUTIONS, clock)
    open_box_and_pins(merge)
    merge.add_events("button box", [ButtonPressed(A, 0.0)])
    clock.now = 1.0
    merge.take_due()
    merge.add_events("GPIO", [ButtonPressed(B, 1.0)])
    assert merge.next_due_at == pytest.approx(1.0 + hold_back)


def test_a_delay_counts_for_a_minute(merge: PressMerger, clock: ManualClock) -> None:
    open_box_and_pins(merge)
    merge.add_events("button box", [ButtonPressed(A, 99.9)])
    clock.now = 160.0
    assert merge.next_due_at == pytest.approx(99.9 + 0.125, abs=1e-9)
    clock.now = 160.001
    assert merge.next_due_at == pytest.approx(99.9 + 0.02, abs=1e-9)


@pytest.mark.parametrize("source", ["keyboard", "touch"])
def test_a_source_of_the_screen_is_live_for_a_minute_after_its_last_press(
    merge: PressMerger, clock: ManualClock, source: str
) -> None:
    assert merge.list_live_sources() == frozenset()
    merge.add_events(source, [ButtonPressed(A, 99.0)])
    clock.now = 160.0
    assert merge.list_live_sources() == {source}
    clock.now = 160.001
    assert merge.list_live_sources() == frozenset()


def test_a_press_alone_shows_that_the_box_is_live_until_it_is_lost(merge: PressMerger, clock: ManualClock) -> None:
    merge.add_events("button box", [ButtonPressed(A, 100.0)])
    clock.now = 100_000.0
    assert merge.list_live_sources() == {"button box"}
    merge.add_events("button box", [DeviceLost("button box", clock.now)])
    assert merge.list_live_sources() == frozenset()


def test_a_press_of_an_unknown_source_is_an_error_of_the_program(merge: PressMerger) -> None:
    merge.add_events("camera", [DeviceRestored("camera", 100.0), DeviceLost("camera", 100.0)])
    with pytest.raises(KeyError):
        merge.add_events("camera", [ButtonPressed(A, 100.0)])
