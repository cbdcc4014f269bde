"""Presses at known times against the events that come out: none lost, none doubled, stamps within the stated error.

The host's debouncing at pins: tests/hardware/buttons/gpio/test_debounce.py.
"""

from __future__ import annotations

import itertools
import random

import pytest

from tests.firmware.host import Host
from tests.firmware.presses import Edge, bounce, check_stamps, hammer, hammer_on_busy_line
from tests.firmware.simulator import Stepped


@pytest.mark.parametrize(
    ("presses", "seed"),
    [(60, 1), *(pytest.param(10_000, seed, marks=pytest.mark.proof) for seed in (2, 20, 21))],
)
def test_presses_with_bounce_trains(box: Stepped, host: Host, presses: int, seed: int) -> None:
    changes, edges, over = hammer(random.Random(seed), box.now + 1000, presses)
    box.pins(changes)
    host.run(over - box.now + 200_000)
    assert len(host.events) == 2 * presses
    assert not host.lost
    check_stamps(box, edges, host.events)


@pytest.mark.full
def test_busy_line_delays_no_timestamp(box: Stepped, host: Host) -> None:
    """Sent and received bytes cause interrupts, too."""
    edges = hammer_on_busy_line(box, host, seed=4, microseconds=20_000)
    check_stamps(box, edges, host.events)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("decided", [1, 6, 9])
def test_deciding_a_change_delays_no_timestamp(box: Stepped, host: Host, decided: int) -> None:
    """Buttons pressed 5 ms before are decided while the last button has its first contact, of 60 µs."""
    edges = []
    for number in range(30):
        at, level = box.now + 10_000 + 50_000 * number, 1 - number % 2
        first = at + 4_950 + 5 * number
        edges += [Edge(at, button, level) for button in range(decided)] + [Edge(first, 9, level)]
        box.pins([(first + 60, 9, 1 - level), (first + 500, 9, level)])
    box.pins((edge.at, edge.button, edge.level) for edge in edges)
    host.run(edges[-1].at - box.now + 100_000)
    check_stamps(box, edges, host.events)


def test_six_simultaneous_presses(box: Stepped, host: Host) -> None:
    """Six simultaneous presses are six events with the same tick; those slightly apart keep their order."""
    at = box.now + 10_000
    dice = random.Random(5)
    for seat in range(6):
        box.pins(bounce(dice, at, seat, 1))
        box.pins(bounce(dice, at + 100_000 + 100 * (5 - seat), seat, 0))
    host.run(200_000)
    down, up = host.events[:6], host.events[6:]
    assert [event.button for event in down] == [0, 1, 2, 3, 4, 5]
    assert len({event.tick for event in down}) == 1
    assert [event.levels for event in down] == [0x01, 0x03, 0x07, 0x0F, 0x1F, 0x3F]
    assert [event.button for event in up] == [5, 4, 3, 2, 1, 0]
    assert [event.level for event in up] == [0] * 6
    assert [after.tick - before.tick for before, after in itertools.pairwise(up)] == pytest.approx([100] * 5, abs=5)


def test_two_presses_just_after_the_debounce_time(box: Stepped, host: Host) -> None:
    at = box.now + 10_000
    edges = [Edge(at + 20_200 * number, 3, 1 - number % 2) for number in range(8)]
    box.pins((edge.at, edge.button, edge.level) for edge in edges)
    host.run(300_000)
    check_stamps(box, edges, host.events)


def test_press_shorter_than_the_debounce_time_is_reported_with_its_release(box: Stepped, host: Host) -> None:
    at = box.now + 10_000
    box.pins([(at, 9, 1), (at + 2_000, 9, 0)])
    host.run(100_000)
    down, up = host.events
    assert (down.level, up.level) == (1, 0)
    assert up.tick - down.tick == pytest.approx(20_000, abs=60)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("first", range(0, 50, 10))
def test_glitches_are_no_events(box: Stepped, host: Host, first: int) -> None:
    """H3: a pulse of 20 µs, sampled or not, and 30 µs of a held button that opens."""
    at = box.now + 10_000 + first
    box.pins([(at, 1, 1), (at + 20, 1, 0), (at, 2, 1), (at + 100_000, 2, 0), (at + 100_030, 2, 1)])
    host.run(200_000)
    assert [(event.button, event.level) for event in host.events] == [(2, 1)]


def test_button_held_at_power_on_is_an_event(box: Stepped) -> None:
    box.pin(1.0, 7, 1)
    host = Host(box)
    host.connect()
    host.run(50_000)
    assert [(event.button, event.level) for event in host.events] == [(7, 1)]
    assert host.events[0].tick < 200


@pytest.mark.full
def test_ticks_continue_across_timer_overflows(box: Stepped, host: Host) -> None:
    """Timer 1 overflows every 32.768 ms, which moves against the samples by 2 µs at a time: with a press just before
    each of fifty overflows some are stamped in the very moment at which the count has begun again and no interrupt
    has said so yet.
    """
    first = box.clock_at + 32_768 * (int((box.now - box.clock_at) / 32_768) + 2)
    edges = [Edge(first + 32_768 * n - 30, n % 10, 1 - (n // 10) % 2) for n in range(50)]
    box.pins((edge.at, edge.button, edge.level) for edge in edges)
    host.run(edges[-1].at - box.now + 100_000)
    check_stamps(box, edges, host.events)
