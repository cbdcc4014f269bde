"""Buttons and lamps at GPIO pins: gpiozero's mock here, real kernel lines in the rig."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from itertools import pairwise

import pytest

from companion.events import SEAT_BUTTONS, Button, ButtonPressed, ButtonReleased, Event
from hardware.buttons.lamp_effects import LampEffect
from tests.hardware.buttons.gpio.bench import Bench, Edge, MockBench, RigBench, make_stroke

IN_THE_RIG = "RIG_GPIO" in os.environ
BOUNCES = (0.0012, 0.0003, 0.004, 0.0008, 0.0001)
"""A worn switch: eleven edges in 6.4 ms."""


@pytest.fixture
def bench() -> Iterator[Bench]:
    bench: Bench = RigBench() if IN_THE_RIG else MockBench()
    yield bench
    bench.close()


def compare(bench: Bench, events: list[Event], plan: list[Event]) -> None:
    """Check that the events equal the plan: none lost, doubled or swapped, timestamps within the bench's error."""
    assert [(type(s), s.button) for s in events] == [(type(s), s.button) for s in plan]
    assert max(abs(s.at - p.at) for s, p in zip(events, plan, strict=True)) <= bench.max_stamp_error
    if isinstance(bench, MockBench):  # the rig's bench compares the stamps before it subtracts its own delays
        assert [s.at for s in events] == sorted(s.at for s in events)


def test_press_and_release(bench: Bench) -> None:
    events = bench.play(make_stroke(Button.OK, 0.05, hold=0.1))
    compare(bench, events, [ButtonPressed(Button.OK, 0.05), ButtonReleased(Button.OK, 0.15)])


def test_first_edge_of_a_bounce_train_sets_the_timestamp(bench: Bench) -> None:
    events = bench.play(make_stroke(Button.SEAT3, 0.05, hold=0.2, bounces=BOUNCES))
    compare(bench, events, [ButtonPressed(Button.SEAT3, 0.05), ButtonReleased(Button.SEAT3, 0.25)])


def test_every_button_is_reported_as_itself(bench: Bench) -> None:
    plan: list[Event] = []
    edges: list[Edge] = []
    for i, button in enumerate(Button):
        edges += make_stroke(button, 0.1 * i, hold=0.05)
        plan += [ButtonPressed(button, 0.1 * i), ButtonReleased(button, 0.1 * i + 0.05)]
    compare(bench, bench.play(edges), plan)


def test_six_simultaneous_presses(bench: Bench) -> None:
    # In the rig, writing six trains takes longer than the debounce time; on a busy machine even short trains do.
    bounces = BOUNCES if isinstance(bench, MockBench) else ()
    edges = [edge for button in SEAT_BUTTONS for edge in make_stroke(button, 0.05, hold=0.15, bounces=bounces)]
    events = bench.play(edges)
    assert len(events) == 12
    for kind, at in ((ButtonPressed, 0.05), (ButtonReleased, 0.2)):
        these = [s for s in events if isinstance(s, kind)]
        assert {s.button for s in these} == set(SEAT_BUTTONS)
        assert all(abs(s.at - at) <= bench.max_stamp_error for s in these)


def test_bouncing_gives_no_switch_an_advantage(bench: Bench) -> None:
    worn = make_stroke(Button.SEAT1, 0.05, hold=0.2, bounces=BOUNCES)
    fresh = make_stroke(Button.SEAT2, 0.05 + (0.0005 if isinstance(bench, MockBench) else 0.025), hold=0.2)
    events = bench.play([*worn, *fresh])
    assert [s.button for s in events if isinstance(s, ButtonPressed)] == [Button.SEAT1, Button.SEAT2]


def strokes(rng: random.Random, bench: Bench) -> list[tuple[Button, float, float]]:
    """Presses by random fingers: button, when, and for how long; in seconds."""
    if not isinstance(bench, MockBench):
        # The rig's timer merges edges within 10 ms, so there only one button is pressed at a time, and slowly, since a
        # busy machine may stop the rig for longer than the debounce time.
        return [(rng.choice(list(Button)), 0.05 + 0.25 * i, rng.uniform(0.1, 0.14)) for i in range(80)]
    found = []
    free = dict.fromkeys(Button, 0.0)
    at = 0.05
    for _ in range(3_000):
        at += rng.uniform(0.0001, 0.03)
        button = min(rng.sample(list(Button), 4), key=lambda b: free[b])
        at = max(at, free[button])
        found.append((button, at, rng.uniform(0.025, 0.3)))
        free[button] = at + found[-1][2] + 0.05
    return found


@pytest.mark.full
def test_random_presses_of_ten_fingers(bench: Bench) -> None:
    """On the mock 3,000 presses with bounces, as close as 0.1 ms together; on the rig 80."""
    rng = random.Random(5)
    edges: list[Edge] = []
    plan: list[Event] = []
    for button, at, hold in strokes(rng, bench):
        bounces = [rng.uniform(0.00005, 0.003) for _ in range(rng.randrange(6))] if isinstance(bench, MockBench) else ()
        edges += make_stroke(button, at, hold, bounces)
        plan += [ButtonPressed(button, at), ButtonReleased(button, at + hold)]
    compare(bench, bench.play(edges), sorted(plan, key=lambda s: s.at))


def test_lamps_on_and_off(bench: Bench) -> None:
    bench.set_lamps({Button.SEAT1: LampEffect.ON, Button.MINUS: LampEffect.ON})
    assert [b for b in Button if bench.get_brightness(b)] == [Button.SEAT1, Button.MINUS]
    bench.set_lamps({Button.SEAT2: LampEffect.ON})
    assert [b for b in Button if bench.get_brightness(b)] == [Button.SEAT2]


@pytest.mark.parametrize(("effect", "rate"), [(LampEffect.SLOW, 2), (LampEffect.FAST, 8)])
def test_lamps_blink(bench: Bench, effect: LampEffect, rate: int) -> None:
    bench.set_lamps({Button.OK: effect, Button.SEAT4: effect})
    times, levels = [bench.now()], []
    for _ in range(200):
        bench.wait(0.01)
        times.append(bench.now())
        levels.append(bench.get_brightness(Button.OK))
    changes = (times[-1] - times[0]) * rate
    # Where a busy machine stops the rig, nobody sees the changes.
    unseen = sum((b - a) * rate + 1 for a, b in pairwise(times) if b - a > 0.5 / rate)
    assert set(levels) == {0.0, 1.0}
    seen = sum(a != b for a, b in pairwise(levels))
    assert changes - 2 - unseen <= seen <= changes + 2


def test_lamps_breathe_then_stay_steady(bench: Bench) -> None:
    bench.set_lamps({Button.OK: LampEffect.BREATHE})
    levels = []
    for _ in range(400):
        bench.wait(0.01)
        levels.append(bench.get_brightness(Button.OK))
    assert 0.2 < sum(levels) / len(levels) < 0.55  # mean of the brightness curve: 3/8
    assert max(levels) > 0.95
    assert min(levels) == 0.0
    for wanted in (LampEffect.ON, LampEffect.OFF):
        bench.set_lamps({Button.OK: LampEffect.BREATHE})
        bench.wait(0.3)
        bench.set_lamps({Button.OK: wanted})
        bench.wait(0.2)
        for _ in range(20):
            bench.wait(0.003)
            assert bench.get_brightness(Button.OK) == float(wanted is LampEffect.ON)
