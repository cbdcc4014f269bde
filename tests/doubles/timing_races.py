"""Measure how often two presses are swapped: pairs at a known distance, through all layers from button to referee.

Deterministic, in simulated time: the simulated box and its line, the session and the merger. `tools/bench_buttons.py`
plots the result of `measure_swap_curve`.
"""

from __future__ import annotations

import itertools
import math
import random
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from companion.events import SEAT_BUTTONS, Button, ButtonPressed, DeviceRestored, Event, PressTie
from hardware.buttons.press_merger import (
    CONTROLLER_RESOLUTION,
    GPIO_RESOLUTION,
    HOLD_BACK_SECONDS,
    USB_BOX_RESOLUTION,
    PressMerger,
)
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


MAX_POLL_SECONDS = 0.008
"""Longest time from a press at a controller to its stamp: a USB device is polled every 8 ms."""

STALL_EVERY_SECONDS = 2.0
"""Mean time between two stalls of a thread, each as long as `STALL_SECONDS`."""

FTDI_FAULTS = LineFaults(delay=0.0003, jitter=0.0002, byte_seconds=BYTE_SECONDS, latency_timer=0.016)
"""A box behind an FTDI chip that nobody has set to low latency."""

NTP_SLEW = 0.0005
"""The kernel slews its clock by at most 500 ppm (MAXFREQ in Linux' timex.h)."""


@dataclass(frozen=True, slots=True)
class RaceConditions:
    """What goes wrong while presses of two sources race."""

    name: str
    box_faults: LineFaults = UART_FAULTS
    slew: float = 0.0
    """Share by which the host's clock is slewed, to and fro."""
    has_stalls: bool = False
    """The thread of each source and the main loop stall for 40 to 100 ms, each about every two seconds."""
    sources: tuple[str, str] = (SOURCE_NAME, "GPIO")


HARD_CONDITIONS = (
    RaceConditions("box and pins, stalls", has_stalls=True),
    RaceConditions("box and pins, FTDI 16 ms", FTDI_FAULTS),
    RaceConditions("box and pins, NTP slew", slew=NTP_SLEW),
    RaceConditions("box and pins, all three", FTDI_FAULTS, NTP_SLEW, has_stalls=True),
    RaceConditions("pad and pins, stalls", has_stalls=True, sources=("controllers", "GPIO")),
    RaceConditions(
        "pad and box, all three", FTDI_FAULTS, NTP_SLEW, has_stalls=True, sources=(SOURCE_NAME, "controllers")
    ),
    RaceConditions("two pads, stalls", has_stalls=True, sources=("controllers", "controllers")),
)
"""The conditions of the published fairness curve."""


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


def race_under_conditions(conditions: RaceConditions, distance_seconds: float, pairs: int, seed: int = 0) -> RaceResult:
    """Race pairs of presses, one at each source in either order, with all that goes wrong.

    Presses at pins are stamped when they happen, those at a controller up to 8 ms later, those in the box by its clock.
    What arrives during a stall of a thread is read when it ends; the main loop takes the events of all sources 60 times
    a second, except during its own stalls.
    """
    rng = random.Random(f"{conditions.name} {seed}")
    spacing = 2 * PAIR_SECONDS + 2 * STALL_SECONDS[1]
    begin = START_SECONDS + SETTLE_SECONDS
    run: list[_Pair] = []
    at = begin
    for _ in range(pairs):
        at += spacing + rng.uniform(0.0, 0.05)
        first, second = rng.sample(SEAT_BUTTONS, 2)
        run.append(_Pair(first, second, at))
    end = at + 3.0
    has_box = SOURCE_NAME in conditions.sources
    session = BoxSession(START_SECONDS, lambda: rng.randrange(1, 65536))
    box = SimulatedBox(
        BoxSpec(rate=1.0001, first_tick=TICK_MODULUS - 60_000_000, slew=conditions.slew), START_SECONDS - 3.0
    )
    # Kernel stamp, button, release time at the source: what the source's thread could read.
    direct: dict[str, list[tuple[float, Event]]] = {name: [] for name in conditions.sources if name != SOURCE_NAME}
    for pair in run:
        sources = list(conditions.sources)
        rng.shuffle(sources)
        for n, (source, button) in enumerate(zip(sources, (pair.first, pair.second), strict=True)):
            press_at = pair.at + n * distance_seconds
            if source == SOURCE_NAME:
                box.add_edge(button, True, press_at)
                box.add_edge(button, False, press_at + HOLD_SECONDS)
                continue
            stamp = press_at + (rng.uniform(0.0, MAX_POLL_SECONDS) if source == "controllers" else 0.0)
            direct[source].append((stamp, ButtonPressed(button, stamp, source)))
    names = dict.fromkeys(conditions.sources)
    stalls = {name: _plan_stalls(rng, end, conditions.has_stalls) for name in (*names, "main loop")}
    arrivals = {
        name: sorted(
            (_end_of_stall(stalls[name], at + rng.uniform(0.0, MAX_PIN_LATENCY_SECONDS)), number, event)
            for number, (at, event) in enumerate(sorted(events, key=lambda each: each[0]))
        )
        for name, events in direct.items()
    }
    now = START_SECONDS
    resolutions = {SOURCE_NAME: USB_BOX_RESOLUTION, "GPIO": GPIO_RESOLUTION, "controllers": CONTROLLER_RESOLUTION}
    merger = PressMerger(resolutions, lambda: now)
    for name in direct:
        merger.add_events(name, [DeviceRestored(name, START_SECONDS)])
    out: list[Event | PressTie] = []
    talk = _StallingConversation(
        session,
        box,
        SimulatedLine(rng, conditions.box_faults),
        SimulatedLine(rng, conditions.box_faults),
        START_SECONDS,
        stalls.get(SOURCE_NAME, []),
    )
    if has_box:
        session.connect(START_SECONDS, byte_seconds=0.0)
    frame = 0
    positions = dict.fromkeys(direct, 0)
    while now < end + 1.0:
        frame += 1
        now = max(now + 1e-6, _end_of_stall(stalls["main loop"], START_SECONDS + frame / 60.0))
        if has_box:
            talk.run(now)
            merger.add_events(SOURCE_NAME, session.take_events())
        for name, waiting in arrivals.items():
            count = bisect_right(waiting, now, key=lambda arrival: arrival[0])
            merger.add_events(name, [event for _, _, event in waiting[positions[name] : count]])
            positions[name] = count
        out += merger.take_due()
        while merger.next_due_at is not None and merger.next_due_at <= START_SECONDS + (frame + 1) / 60.0:
            now = max(now + 1e-6, merger.next_due_at)
            out += merger.take_due()
    return _evaluate(distance_seconds, run, out, spacing)


_Stall = tuple[float, float]
"""Begin and end of a stall."""


def _plan_stalls(rng: random.Random, end: float, has_stalls: bool) -> list[_Stall]:
    stalls: list[_Stall] = []
    at = START_SECONDS + SETTLE_SECONDS
    while has_stalls and at < end:
        at += rng.expovariate(1.0 / STALL_EVERY_SECONDS)
        stalls.append((at, at + rng.uniform(*STALL_SECONDS)))
        at = stalls[-1][1]
    return stalls


def _end_of_stall(stalls: Sequence[_Stall], at: float) -> float:
    """Return the time at which a thread gets to what is there at `at`."""
    index = bisect_right(stalls, at, key=lambda stall: stall[0]) - 1
    return max(at, stalls[index][1]) if index >= 0 else at


@dataclass(slots=True)
class _StallingConversation(BoxConversation):
    """A conversation whose host's thread stalls now and then: the bytes wait."""

    stalls: Sequence[_Stall]

    def run(self, until: float, after_step: Callable[[float], None] = lambda now: None) -> None:
        """Run until a time; call `after_step` with the time after each step."""
        while self.now < until:
            host = max(self.from_box.next_arrival(), self.now) if self.from_box.next_arrival() < math.inf else math.inf
            host = _end_of_stall(self.stalls, max(self.now, min(host, self.session.deadline(self.now))))
            due = max(min(host, self.to_box.next_arrival(), self.box.deadline()), self.now + 1e-6)
            self.now = min(due, until)
            self.box.feed(self.to_box.read(self.now), self.now)
            if _end_of_stall(self.stalls, self.now) == self.now:
                self.session.feed(self.from_box.read(self.now), self.now)
                out = self.session.poll(self.now)
                if out:
                    self.to_box.write(out, self.now)
            out = self.box.poll(self.now)
            if out:
                self.from_box.write(out, self.now)
            after_step(self.now)


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
