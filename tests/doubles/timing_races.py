"""Measure how often two presses are swapped: pairs at a known distance, through all layers from button to referee.

Deterministic, in simulated time: the simulated box and its line, the session and the merger. `tools/bench_buttons.py`
plots the result of `measure_swap_curve`.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from companion.events import SEAT_BUTTONS, Button, ButtonPressed, DeviceRestored, Event, PressTie
from hardware.buttons.merge import GPIO_RESOLUTION, HOLD_BACK_SECONDS, USB_BOX_RESOLUTION, PressMerger
from hardware.buttons.usb_box.messages import TICK_MODULUS
from hardware.buttons.usb_box.session import SOURCE_NAME, BoxSession
from tests.doubles.simulated_box import BYTE_SECONDS, BoxConversation, BoxSpec, LineFaults, SimulatedBox, SimulatedLine

START_SECONDS = 1000.0
"""Host time at which a race starts."""

SETTLE_SECONDS = 4.0
"""Time before the first pair, in which the clocks are compared."""

PAIR_SECONDS = 0.030
"""Time from one pair to the next: the line carries 700 events a second, and each pair has four."""

STALL_SECONDS = (0.040, 0.100)
"""Shortest and longest stall of the thread that reads the pins; between the pairs is room for it."""

STALL_RATE = 0.08
"""Fraction of the presses at pins that arrive after a stall."""

HOLD_SECONDS = 0.012
"""Time for which a button is held down."""

MAX_PIN_LATENCY_SECONDS = 0.008
"""Longest time that a press at a pin takes to reach the program; its stamp is the kernel's."""

UART_FAULTS = LineFaults(delay=0.0003, jitter=0.0002, byte_seconds=BYTE_SECONDS)
"""A board with a UART at 115200 baud behind a USB chip."""


@dataclass(frozen=True, slots=True)
class RaceResult:
    """Counts over all pairs of presses that were `distance_seconds` apart."""

    distance_seconds: float
    pairs: int
    swapped: int
    """Pairs whose later press was returned first."""
    ties: int
    """Pairs that were announced as a tie."""
    unannounced: int
    """Pairs that were swapped without an announced tie."""
    lost: int
    late: int
    """Presses that were returned after a later one."""
    max_stamp_error_seconds: float
    """Largest error of a stamp."""

    @property
    def swap_rate(self) -> float:
        """Fraction of pairs that were swapped."""
        return self.swapped / self.pairs


RunRace = Callable[..., RaceResult]


def measure_swap_curve(run_race: RunRace, distances: Sequence[float], pairs: int, seed: int = 0) -> list[RaceResult]:
    """Run one race for each distance; `run_race` is `race_on_one_box` or `race_across_two_sources`."""
    return [run_race(apart, pairs, seed=seed) for apart in distances]


def race_on_one_box(
    distance_seconds: float, pairs: int, seed: int = 0, rate: float = 1.0001, faults: LineFaults = UART_FAULTS
) -> RaceResult:
    """Race with both presses at the box, whose clock runs at `rate` of the host's and wraps around meanwhile."""
    return _run_race(distance_seconds, pairs, seed, rate, faults, HOLD_BACK_SECONDS, across=False)


def race_across_two_sources(
    distance_seconds: float,
    pairs: int,
    seed: int = 0,
    rate: float = 1.0001,
    faults: LineFaults = UART_FAULTS,
    hold_back: float = HOLD_BACK_SECONDS,
    *,
    stalls: bool = False,
) -> RaceResult:
    """Race with one press at the box and one at a pin, in either order; with `stalls` some pins are read late."""
    return _run_race(distance_seconds, pairs, seed, rate, faults, hold_back, across=True, stalls=stalls)


@dataclass(frozen=True, slots=True)
class _Pair:
    first: Button
    second: Button
    at: float


def _run_race(
    apart: float,
    pairs: int,
    seed: int,
    rate: float,
    faults: LineFaults,
    hold_back: float,
    *,
    across: bool,
    stalls: bool = False,
) -> RaceResult:
    rng = random.Random(seed)
    spacing = PAIR_SECONDS + (2 * STALL_SECONDS[1] if stalls else 0.0)
    session = BoxSession(START_SECONDS, lambda: rng.randrange(1, 65536))
    session.connect(START_SECONDS, byte_seconds=0.0)
    make = BoxSpec(rate=rate, first_tick=TICK_MODULUS - 60_000_000)
    talk = BoxConversation(
        session,
        SimulatedBox(make, START_SECONDS - 3.0),
        SimulatedLine(rng, faults),
        SimulatedLine(rng, faults),
        START_SECONDS,
    )
    now = START_SECONDS
    merge = PressMerger({SOURCE_NAME: USB_BOX_RESOLUTION, "GPIO": GPIO_RESOLUTION}, lambda: now, hold_back)
    if across:
        merge.add_events("GPIO", [DeviceRestored("GPIO", START_SECONDS)])
    run: list[_Pair] = []
    pins: list[tuple[float, Event]] = []
    at = START_SECONDS + SETTLE_SECONDS
    for _ in range(pairs):
        at += spacing + rng.uniform(0.0, 0.001)
        first, second = rng.sample(SEAT_BUTTONS, 2)
        pair = _Pair(first, second, at)
        run.append(pair)
        pin = rng.randrange(2) if across else None
        for n, button in enumerate((first, second)):
            press_at = at + n * apart
            if n == pin:
                latency = rng.uniform(0.0, MAX_PIN_LATENCY_SECONDS)
                latency += rng.uniform(*STALL_SECONDS) if stalls and rng.random() < STALL_RATE else 0.0
                pins.append((press_at + latency, ButtonPressed(button, press_at, "GPIO")))
            else:
                talk.box.add_edge(button, True, press_at)
                talk.box.add_edge(button, False, press_at + HOLD_SECONDS)
    pins.sort(key=lambda arrival: arrival[0])
    out: list[Event | PressTie] = []
    waiting = 0

    def each(at: float) -> None:
        nonlocal now, waiting
        while waiting < len(pins) and pins[waiting][0] <= at:
            now, signal = pins[waiting]
            merge.add_events("GPIO", [signal])
            out.extend(merge.take_due())
            waiting += 1
        now = at
        merge.add_events(SOURCE_NAME, session.take_events())
        out.extend(merge.take_due())

    talk.run(at + 3.0, each)
    now = at + 4.0
    out += merge.take_due()
    return _evaluate(apart, run, out, spacing)


def _evaluate(apart: float, run: Sequence[_Pair], out: Sequence[Event | PressTie], spacing: float) -> RaceResult:
    presses = [s for s in out if isinstance(s, ButtonPressed)]
    ties = [s for s in out if isinstance(s, PressTie)]
    swapped = unannounced = tied = lost = 0
    off = 0.0
    p = t = 0
    for pair in run:
        end = pair.at + spacing / 2
        mine: list[ButtonPressed] = []
        while p < len(presses) and presses[p].at < end:
            mine.append(presses[p])
            p += 1
        announced = False
        while t < len(ties) and ties[t].at < end:
            announced = True
            t += 1
        tied += announced
        if sorted(press.button for press in mine) != sorted((pair.first, pair.second)):
            lost += 1
            continue
        if mine[0].button is not pair.first:
            swapped += 1
            unannounced += not announced
        true = {pair.first: pair.at, pair.second: pair.at + apart}
        off = max(off, *(abs(press.at - true[press.button]) for press in mine))
    latest = itertools.accumulate((press.at for press in presses), max)
    late = sum(press.at < at for press, at in zip(presses, latest, strict=True))
    return RaceResult(apart, len(run), swapped, tied, unannounced, lost, late, off)
