"""The box's events become presses and releases once each, in order, with a stamp and its error."""

from __future__ import annotations

import pytest

from companion.events import Button, ButtonHeld, ButtonPressed, ButtonReleased
from hardware.buttons.usb_box.box_events import BoxEvents
from hardware.buttons.usb_box.messages import BUTTONS, TICK_MODULUS, EdgeMessage, LevelsMessage

OK = BUTTONS.index(Button.OK)
LATER = 5_000_000
"""A tick long after the box was switched on."""


@pytest.fixture
def box() -> BoxEvents:
    return BoxEvents("box", 0.0)


def make_edge(number: int = 50, *, is_down: bool = True, tick: int = LATER) -> EdgeMessage:
    return EdgeMessage(number, OK, is_down, tick, 0)


def synchronise(box: BoxEvents, box_seconds: float, host_seconds: float, count: int = 1) -> None:
    """Let the clocks be compared without any delay, `count` times, a second apart."""
    for n in range(count):
        tick, at = int((box_seconds + n) * 1e6), host_seconds + n
        box.clock_sync.add_round_trip(at, at, tick, tick)


def accepts(box: BoxEvents, *numbers: int) -> list[bool]:
    return [box.accept_event(make_edge(number)) for number in numbers]


def test_event_ids_count_once_and_start_again_after_65535() -> None:
    assert accepts(BoxEvents("box", 0.0), 65534, 65535, 0, 65535, 0, 1) == [True, True, True, False, False, True]


@pytest.mark.parametrize(("gap", "is_new"), [(0, True), (32_767, True), (32_768, False), (65_535, False)])
def test_ids_up_to_half_a_turn_ahead_are_new(gap: int, is_new: bool) -> None:
    assert accepts(BoxEvents("box", 0.0), 99, 100 + gap) == [True, is_new]


@pytest.mark.parametrize(("boots", "is_new"), [(8, False), (9, True)])
def test_ids_of_the_last_eight_boots_are_remembered(box: BoxEvents, boots: int, is_new: bool) -> None:
    for boot in range(boots):
        box.handle_boot(boot, 0.0)
        assert accepts(box, 5) == [True]
    box.handle_boot(0, 0.0)
    assert accepts(box, 5) == [is_new]


@pytest.mark.parametrize(
    ("tick", "number", "is_press"), [(999, 9, False), (0, 0, False), (1000, 9, True), (999, 10, True)]
)
def test_a_button_held_while_the_box_is_switched_on_is_not_pressed(
    box: BoxEvents, tick: int, number: int, is_press: bool
) -> None:
    box.handle_edge(make_edge(number, tick=tick), 10.0)
    assert len(box.events) == is_press


@pytest.mark.parametrize(("received", "is_press"), [(9.99, False), (10.0, True)])
def test_presses_count_from_the_start_of_the_program(received: float, is_press: bool) -> None:
    box = BoxEvents("box", 10.0)
    box.handle_edge(make_edge(), received)
    assert len(box.events) == is_press


def test_stamp_of_an_unknown_clock_is_the_arrival_and_half_a_second_off_at_most(box: BoxEvents) -> None:
    box.handle_edge(make_edge(), 10.0)
    (press,) = box.events
    assert isinstance(press, ButtonPressed)
    assert (press, press.max_error_seconds) == (ButtonPressed(Button.OK, 10.0, "box"), 0.5)


def test_no_stamp_is_later_than_the_arrival(box: BoxEvents) -> None:
    synchronise(box, 5.0, 10.0, count=3)
    box.handle_edge(make_edge(tick=LATER + 3_000_000), 12.7)
    assert box.events[-1].at == 12.7


def test_a_second_press_without_a_release_adds_the_release(box: BoxEvents) -> None:
    for number in (50, 51):
        box.handle_edge(make_edge(number, tick=LATER + number), 10.0)
    box.handle_edge(make_edge(52, is_down=False), 11.0)
    box.handle_edge(make_edge(53, is_down=False), 12.0)
    assert [type(event) for event in box.events] == [ButtonPressed, ButtonReleased, ButtonPressed, ButtonReleased]


def test_a_corrected_clock_keeps_half_the_distance_of_two_presses(box: BoxEvents) -> None:
    box.handle_edge(make_edge(tick=LATER), 10.0)
    synchronise(box, 5.0, 9.0)  # the first one was a second earlier than it arrived
    box.handle_edge(make_edge(51, tick=LATER + 100_000), 10.2)
    press = box.events[-1]
    assert isinstance(press, ButtonPressed)
    assert press.at == pytest.approx(10.05, abs=1e-6)
    assert press.max_error_seconds == pytest.approx(0.95 + 0.006 * 0.1, abs=1e-6), "it was at 9.1"


@pytest.mark.parametrize(("apart", "at"), [(TICK_MODULUS // 2 - 1, 1073.741823), (TICK_MODULUS // 2, 500.0)])
def test_ticks_half_a_turn_apart_are_in_no_order(box: BoxEvents, apart: int, at: float) -> None:
    box.handle_edge(make_edge(tick=LATER), 0.0)
    synchronise(box, (LATER + apart) / 1e6, 500.0)
    box.handle_edge(make_edge(51, tick=LATER + apart), 3000.0)
    assert box.events[-1].at == pytest.approx(at, abs=1e-4)


def test_release_is_recovered_after_a_second_of_reports_that_the_button_is_up(box: BoxEvents) -> None:
    synchronise(box, 5.0, 10.0)
    box.handle_edge(make_edge(), 10.0)
    reports = [(10.25, 0, True), (11.0, 1 << OK, True), (11.5, 0, True), (12.25, 0, False), (12.375, 0, True)]
    for at, levels, is_quiet in reports:
        box.check_levels(LevelsMessage(levels, int((at - 5.0) * 1e6)), at, is_quiet=is_quiet)
    assert len(box.events) == 1, "it was down at 11.0"
    box.check_levels(LevelsMessage(0, 7_500_000), 12.5, is_quiet=True)
    assert box.events[1:] == [ButtonReleased(Button.OK, pytest.approx(12.5), "box")]
    box.check_levels(LevelsMessage(0, 8_500_000), 13.5, is_quiet=True)
    assert len(box.events) == 2


def test_a_button_that_is_down_without_a_press_is_held(box: BoxEvents) -> None:
    """It was down when the box was switched on, so that there is no press, only the levels."""
    box.handle_edge(make_edge(0, tick=150), 10.0)
    for at, levels, is_quiet in [(10.5, 1 << OK, True), (11.0, 0, True), (11.5, 1 << OK, True), (12.4, 1 << OK, True)]:
        box.check_levels(LevelsMessage(levels, int(at * 1e6)), at, is_quiet=is_quiet)
    assert box.events == []
    box.check_levels(LevelsMessage(1 << OK, 13_000_000), 13.0, is_quiet=False)
    assert box.events == [], "its press may be on the way"
    for at in (13.5, 14.0):
        box.check_levels(LevelsMessage(1 << OK, int(at * 1e6)), at, is_quiet=True)
    assert box.events == [ButtonHeld(Button.OK, 13.5, "box")]
    box.handle_edge(make_edge(1, is_down=False, tick=15_000_000), 15.0)
    assert [type(event) for event in box.events] == [ButtonHeld, ButtonReleased]


def test_an_edge_between_starts_the_second_of_reports_again(box: BoxEvents) -> None:
    box.handle_edge(make_edge(), 10.0)
    box.check_levels(LevelsMessage(0, LATER), 10.5, is_quiet=True)
    box.handle_edge(make_edge(51, is_down=False, tick=LATER + 1), 10.6)
    box.handle_edge(make_edge(52, tick=LATER + 2), 10.7)
    box.check_levels(LevelsMessage(0, LATER), 11.5, is_quiet=True)
    assert [type(event) for event in box.events] == [ButtonPressed, ButtonReleased, ButtonPressed]


def test_another_boot_releases_what_is_held_but_not_before_it_was_pressed(box: BoxEvents) -> None:
    box.handle_boot(1, 0.0)
    synchronise(box, 5.0, 10.0, count=3)
    box.handle_edge(make_edge(), 10.0)
    box.handle_boot(1, 11.0)
    assert box.clock_sync.is_ready
    assert len(box.events) == 1
    box.handle_boot(2, 9.0)
    assert box.events[1:] == [ButtonReleased(Button.OK, 10.0, "box")]
    assert not box.clock_sync.has_estimate


def test_clock_has_jumped_if_a_tick_is_off_by_more_than_the_tolerance(box: BoxEvents) -> None:
    synchronise(box, 1.0, 1.0, count=2)
    assert not box.has_clock_jumped(3_000_000, 99.0, 0.25), "two round trips are too few"
    assert box.get_stamp_error(3.0) is None
    synchronise(box, 3.0, 3.0)
    assert [box.has_clock_jumped(4_000_000, at, 0.25) for at in (3.7, 3.75, 4.25, 4.3)] == [True, False, False, True]
    assert box.get_stamp_error(3.0) == pytest.approx(0.0, abs=1e-9)
