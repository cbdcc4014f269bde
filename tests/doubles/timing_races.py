"""Who was first? Pairs of presses at a known distance, through everything between a button and the referee.

In simulated time: the virtual box and its line, the session, the merging; the same each time. `tools/bench.py` plots
what `swap_curve` gives.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from companion.events import SEAT_BUTTONS, Button, ButtonPressed, Event, PressTie
from hardware.buttons.merge import BOX, GPIO, HOLD_BACK, Merge
from hardware.buttons.usb_box.messages import TICK_MODULUS
from hardware.buttons.usb_box.session import NAME, Session
from tests.doubles.simulated_box import BYTE_TIME, Faults, Line, Make, Talk, VirtualBox

BEGAN, SETTLED = 1000.0, 4.0
PAIR_EVERY = 0.030
"""Seconds from one pair to the next: the line carries 700 events a second, and each pair is four."""
HELD_FOR = 0.012
PIN_LATENCY = 0.008
"""Seconds that a pin's press takes to reach us at most, its stamp being the kernel's."""
FAULTS = Faults(delay=0.0003, jitter=0.0002, byte_time=BYTE_TIME)


@dataclass(frozen=True, slots=True)
class Race:
    """How pairs of presses `apart` seconds came out."""

    apart: float
    pairs: int
    swapped: int
    """The later one was handed out first."""
    ties: int
    """Pairs of which it was said that they cannot be told apart."""
    unannounced: int
    """Pairs that were swapped without a word."""
    lost: int
    late: int
    off: float
    """Seconds: the worst error of a stamp of the box."""

    @property
    def rate(self) -> float:
        """The part that was swapped."""
        return self.swapped / self.pairs


Measure = Callable[..., Race]


def swap_curve(measure: Measure, distances: Sequence[float], pairs: int, seed: int = 0) -> list[Race]:
    """A race for each distance in seconds; `measure` is `on_the_box` or `across_two`."""
    return [measure(apart, pairs, seed=seed) for apart in distances]


def on_the_box(apart: float, pairs: int, seed: int = 0, rate: float = 1.0001, faults: Faults = FAULTS) -> Race:
    """Both presses at the box, whose clock runs `rate` times the host's and begins anew on the way."""
    return _race(apart, pairs, seed, rate, faults, HOLD_BACK, across=False)


def across_two(
    apart: float,
    pairs: int,
    seed: int = 0,
    rate: float = 1.0001,
    faults: Faults = FAULTS,
    hold_back: float = HOLD_BACK,
) -> Race:
    """One press at the box, one at a pin, in either order."""
    return _race(apart, pairs, seed, rate, faults, hold_back, across=True)


@dataclass(frozen=True, slots=True)
class _Pair:
    first: Button
    second: Button
    at: float


def _race(apart: float, pairs: int, seed: int, rate: float, faults: Faults, hold_back: float, *, across: bool) -> Race:
    rng = random.Random(seed)
    session = Session(BEGAN, lambda: rng.randrange(1, 65536))
    session.connect(BEGAN)
    make = Make(rate=rate, first_tick=TICK_MODULUS - 60_000_000)
    talk = Talk(session, VirtualBox(make, BEGAN - 3.0), Line(rng, faults), Line(rng, faults), BEGAN)
    now = BEGAN
    merge = Merge({NAME: BOX, "GPIO": GPIO}, lambda: now, hold_back)
    if across:
        merge.there("GPIO")
    run: list[_Pair] = []
    pins: list[tuple[float, Event]] = []
    at = BEGAN + SETTLED
    for _ in range(pairs):
        at += PAIR_EVERY + rng.uniform(0.0, 0.001)
        first, second = rng.sample(SEAT_BUTTONS, 2)
        pair = _Pair(first, second, at)
        run.append(pair)
        pin = rng.randrange(2) if across else None
        for n, button in enumerate((first, second)):
            press_at = at + n * apart
            if n == pin:
                pins.append((press_at + rng.uniform(0.0, PIN_LATENCY), ButtonPressed(button, press_at, "GPIO")))
            else:
                talk.box.edge(button, True, press_at)
                talk.box.edge(button, False, press_at + HELD_FOR)
    pins.sort(key=lambda arrival: arrival[0])
    out: list[Event | PressTie] = []
    waiting = 0

    def each(at: float) -> None:
        nonlocal now, waiting
        while waiting < len(pins) and pins[waiting][0] <= at:
            now, signal = pins[waiting]
            merge.put("GPIO", [signal])
            out.extend(merge.due())
            waiting += 1
        now = at
        merge.put(NAME, session.signals())
        out.extend(merge.due())

    talk.run(at + 3.0, each)
    now = at + 4.0
    out += merge.due()
    return _judge(apart, run, out, merge)


def _judge(apart: float, run: Sequence[_Pair], out: Sequence[Event | PressTie], merge: Merge) -> Race:
    presses = [s for s in out if isinstance(s, ButtonPressed)]
    ties = [s for s in out if isinstance(s, PressTie)]
    swapped = unannounced = tied = lost = 0
    off = 0.0
    p = t = 0
    for pair in run:
        end = pair.at + PAIR_EVERY / 2
        mine: list[ButtonPressed] = []
        while p < len(presses) and presses[p].at < end:
            mine.append(presses[p])
            p += 1
        said = False
        while t < len(ties) and ties[t].at < end:
            said = True
            t += 1
        tied += said
        if sorted(press.button for press in mine) != sorted((pair.first, pair.second)):
            lost += 1
            continue
        if mine[0].button is not pair.first:
            swapped += 1
            unannounced += not said
        true = {pair.first: pair.at, pair.second: pair.at + apart}
        off = max(off, *(abs(press.at - true[press.button]) for press in mine))
    return Race(apart, len(run), swapped, tied, unannounced, lost, merge.counts.late, off)
