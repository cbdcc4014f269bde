"""Lamp effects, measured behind the shift registers or at the pins."""

from __future__ import annotations

import itertools

import pytest

from tests.firmware.host import Host
from tests.firmware.simulator import Stepped

OFF, ON, SLOW, FAST, BREATHING = range(5)


def test_each_lamp_is_controlled_separately(box: Stepped, host: Host) -> None:
    for lamp in range(10):
        host.light(bytes(ON if other == lamp else OFF for other in range(10)))
        host.run(60_000)
        box.lamps()
        host.run(60_000)
        assert box.lamps() == [1000 if other == lamp else 0 for other in range(10)]


def test_lamps_are_dark_until_set(box: Stepped) -> None:
    box.run(100_000)
    assert box.lamps() == [0] * 10
    Host(box).connect()
    assert box.lamps() == [0] * 10


@pytest.mark.parametrize(("effect", "hertz"), [(SLOW, 1), (FAST, 4)])
def test_blinking(box: Stepped, host: Host, effect: int, hertz: int) -> None:
    host.light(bytes([effect] * 10))
    host.run(100_000)
    box.lamps()
    states = []
    for _ in range(400):  # two seconds
        host.run(5_000)
        states.append(box.lamps()[0] > 500)
    rises = sum(1 for before, after in itertools.pairwise(states) if after and not before)
    assert rises == pytest.approx(2 * hertz, abs=1)
    assert sum(states) / len(states) == pytest.approx(0.5, abs=0.03)


def test_breathing(box: Stepped, host: Host) -> None:
    """The brightness rises and falls in four seconds, in many small steps, and never reaches zero."""
    host.light(bytes([BREATHING] * 10))
    host.run(100_000)
    box.lamps()
    levels = []
    for _ in range(40):
        host.run(100_000)
        levels.append(box.lamps()[3])
    assert min(levels) > 10
    assert max(levels) > 900
    top = levels.index(max(levels))
    around = levels[top:] + levels[:top]
    down, up = around[:20], around[20:]
    assert all(after <= before + 20 for before, after in itertools.pairwise(down))
    assert all(after >= before - 20 for before, after in itertools.pairwise(up))
    assert len(set(levels)) > 15


def test_lamps_go_dark_when_the_host_is_gone(box: Stepped, host: Host) -> None:
    host.light(bytes([ON] * 10))
    host.run(4_900_000)
    box.lamps()
    host.run(50_000)
    assert box.lamps() == [1000] * 10
    host.run(100_000)
    box.lamps()
    host.run(50_000)
    assert box.lamps() == [0] * 10
    host.light(bytes([ON] * 10))
    host.run(50_000)
    box.lamps()
    host.run(50_000)
    assert box.lamps() == [1000] * 10, "the session goes on"


def test_an_unknown_effect_changes_nothing(box: Stepped, host: Host) -> None:
    host.light(bytes([ON] * 10))
    host.run(50_000)
    host.light(bytes([OFF] * 9 + [5]))
    host.run(50_000)
    box.lamps()
    host.run(50_000)
    assert box.lamps() == [1000] * 10
    assert host._waiting == [], "it is acknowledged all the same"
