"""Presses with contact bounce, as lists of pin changes for the simulator."""

from __future__ import annotations

import random
from dataclasses import dataclass

from tests.firmware.host import Event, Host
from tests.firmware.simulator import Stepped

Change = tuple[float, int, int]
"""Microseconds of simulated time, button, level."""

BOUNCE_MOST = 10_000.0


@dataclass(frozen=True, slots=True)
class Edge:
    """A true edge: a button went down or up, with its first contact at `at`."""

    at: float
    button: int
    level: int


def bounce(dice: random.Random, at: float, button: int, level: int) -> list[Change]:
    """Return an edge and its bounces, which end within BOUNCE_MOST.

    The first contact holds for at least 60 µs: one that is over between two samples cannot be seen, and is not what
    switches do (their metal moves in tenths of milliseconds).
    """
    changes = [(at, button, level)]
    time, now = at + dice.uniform(60, 400), level
    for _ in range(dice.choice((0, 0, 1, 2, 4, 8)) * 2):
        now = 1 - now
        changes.append((time, button, now))
        time += dice.uniform(5, 600)
    assert time < at + BOUNCE_MOST
    assert now == level
    return changes


def hammer(dice: random.Random, begin: float, presses: int) -> tuple[list[Change], list[Edge], float]:
    """Simulate ten players who press independently; return pin changes, edges in order, and the end time."""
    changes: list[Change] = []
    edges: list[Edge] = []
    free = [begin + dice.uniform(0, 50_000) for _ in range(10)]
    for _ in range(presses):
        button = min(range(10), key=free.__getitem__)
        down = free[button]
        up = down + dice.uniform(30_000, 60_000)
        free[button] = up + dice.uniform(30_000, 60_000)
        for at, level in ((down, 1), (up, 0)):
            changes += bounce(dice, at, button, level)
            edges.append(Edge(at, button, level))
    changes.sort()
    edges.sort(key=lambda edge: edge.at)
    return changes, edges, max(free)


def hammer_on_busy_line(box: Stepped, host: Host, seed: int, microseconds: int) -> list[Edge]:
    """Make 60 presses while the host sends lamps and a ping every so many microseconds; return the edges."""
    changes, edges, over = hammer(random.Random(seed), box.now + 1000, 60)
    box.pins(changes)
    while box.now < over + 100_000:
        host.light(bytes(random.Random(int(box.now)).randrange(5) for _ in range(10)))
        host.send(0x82, 0, b"ping")
        host.run(microseconds)
    return edges


def errors(edges: list[Edge], events: list[Event], clock_at: float) -> list[float]:
    """Return for each event the delay of its timestamp after its edge, in microseconds.

    Asserts that they are the same edges, button by button: none lost, none doubled, none swapped.
    """
    late = []
    for button in range(10):
        mine = [edge for edge in edges if edge.button == button]
        seen = [event for event in events if event.button == button]
        assert [event.level for event in seen] == [edge.level for edge in mine], f"button {button}"
        late += [_wrap(event.tick + clock_at - edge.at) for edge, event in zip(mine, seen, strict=True)]
    assert [event.id for event in events] == [(events[0].id + n) % 65536 for n in range(len(events))]
    return late


def check_stamps(box: Stepped, edges: list[Edge], events: list[Event]) -> None:
    """Check that the events are these edges, each stamped no later than the board promises, and none too early."""
    late = errors(edges, events, box.clock_at)
    print(f"{len(late)} edges: {min(late):.1f} to {max(late):.1f} us late, {sum(late) / len(late):.1f} on average")
    assert min(late) > -1.0
    assert max(late) < box.board.most_late


def _wrap(microseconds: float) -> float:
    """Return the time nearest to 0 that has the same tick: ticks count modulo 2^32."""
    return (microseconds + 2**31) % 2**32 - 2**31
