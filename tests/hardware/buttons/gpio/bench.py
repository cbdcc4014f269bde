"""Simulated presses at pins: on gpiozero's mock pins, with bouncing contacts, and on the rig's real kernel lines.

The same tests run on both. `play` presses at planned times and returns the source's events, to compare with the plan.
"""

from __future__ import annotations

import itertools
import math
import os
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gpiozero.pins.mock import MockFactory, MockPin, MockPWMPin

from companion.events import Button, ButtonPressed, ButtonReleased, Event
from companion.testing.table import ManualClock
from hardware.buttons.gpio.debounce import DEBOUNCE_SECONDS
from hardware.buttons.gpio.driver import LEVEL_CHECK_SECONDS, GpioPins, GpioSource, open_gpio
from hardware.buttons.lamp_effects import LampEffect

BUTTON_PINS = dict(zip(Button, (4, 5, 6, 16, 17, 22, 23, 24, 7, 8), strict=True))
LAMP_PINS = dict(zip(Button, (12, 13, 18, 19, 20, 21, 25, 26, 27, 9), strict=True))
PINS = GpioPins(BUTTON_PINS, LAMP_PINS)


@dataclass(frozen=True, slots=True, order=True)
class Edge:
    """The contact of a button closes (`down`) or opens at `at`, in seconds from the start.

    `lost`: the edge is not reported.
    """

    at: float
    button: Button
    down: bool
    lost: bool = False


def make_stroke(button: Button, at: float, hold: float, bounces: Iterable[float] = ()) -> list[Edge]:
    """Return a press and its release, each followed by bounces; `bounces` are their distances in seconds."""
    edges = []
    for down, since in ((True, at), (False, at + hold)):
        edges.append(Edge(since, button, down))
        when = since
        for gap in bounces:
            edges += [Edge(when + gap / 2, button, not down), Edge(when + gap, button, down)]
            when += gap
    return edges


class BouncingPin(MockPin):
    """A mock pin whose level and edges are set separately, because edges arrive later."""

    def set_level(self, high: bool) -> None:
        """Set the level that is read from the pin."""
        self._state = high

    def send_edge(self, ticks: float, high: bool) -> None:
        """Report an edge with the kernel's stamp."""
        if self.when_changed is not None:
            self.when_changed(ticks, int(high))


class BouncingPwmPin(BouncingPin, MockPWMPin):
    """A mock pin with PWM."""


class ClockFactory(MockFactory):
    """A mock pin factory with its own clock."""

    def __init__(self, clock: ManualClock, pin_class: type[MockPin] = BouncingPwmPin) -> None:
        super().__init__(pin_class=pin_class)
        self.clock = clock

    def ticks(self) -> float:
        return self.clock.now


class MockBench:
    """Buttons on gpiozero's mock; time moves only by `play`."""

    max_stamp_error = 1e-9
    """Seconds by which a stamp may be off the plan."""

    def __init__(
        self, latency: float = 0.008, pin_class: type[MockPin] = BouncingPwmPin, pins: GpioPins = PINS
    ) -> None:
        self.clock = ManualClock()
        self.factory = ClockFactory(self.clock, pin_class)
        self.latency = latency
        self.woken = 0
        self.gpio_pins = pins
        self.gpio = GpioSource(pins, self.factory, self.clock, self._wake)

    def _wake(self) -> None:
        self.woken += 1

    def pin(self, number: int) -> Any:
        """The mock pin of that number."""
        return self.factory.pin(number)

    def play(self, edges: Iterable[Edge], then: float = 0.2) -> list[Event]:
        """Press as planned, wait `then` seconds more, and return the events, stamped from the start."""
        start = self.clock.now
        todo: list[tuple[float, int, Edge | None]] = []
        for edge in edges:
            todo.append((edge.at, 0, edge))
            if not edge.lost:
                todo.append((edge.at + self.latency, 1, edge))
        signals: list[Event] = []
        end = max((each[0] for each in todo), default=0.0) + then
        checks = itertools.takewhile(lambda at: at < end, (n * LEVEL_CHECK_SECONDS for n in itertools.count()))
        todo += [(at, 2, None) for at in checks]
        for when, kind, edge in sorted(todo, key=lambda each: (each[0], each[1])):
            self.clock.now = start + when
            if edge is None:
                self.gpio.tick()
                signals += self.gpio.read()
            elif kind == 0:
                self.pin(BUTTON_PINS[edge.button]).set_level(not edge.down)
            else:
                self.pin(BUTTON_PINS[edge.button]).send_edge(start + edge.at, not edge.down)
        self.clock.now = start + end
        return [type(signal)(signal.button, signal.at - start) for signal in signals if isinstance(signal, Pressing)]

    def now(self) -> float:
        """Seconds."""
        return self.clock.now

    def set_lamps(self, lamps: Mapping[Button, LampEffect]) -> None:
        self.gpio.set_lamps(lamps)

    def get_brightness(self, button: Button) -> float:
        """Return the lamp's brightness, 0 to 1."""
        return float(self.pin(LAMP_PINS[button]).state)

    def wait(self, seconds: float) -> None:
        """Let time pass, with all lamp updates."""
        until = self.clock.now + seconds
        while self.clock.now < until:
            self.clock.now = min(until, max(self.gpio.tick(), self.clock.now + 0.001))
        self.gpio.tick()

    def close(self) -> None:
        self.gpio.close()


Pressing = ButtonPressed | ButtonReleased


class RigBench:
    """Buttons on the rig's gpiochip, through lgpio; time is real.

    A simulated line's interrupt comes with the guest's timer (100 Hz), so timestamps are up to that late, and only the
    last edge within one tick is seen. On a busy machine the guest stands still for longer than a tick, so the time
    until its timer has ticked is measured after each edge.

    Attributes:
        max_stamp_error: largest error of a timestamp of the last `play`, in seconds: the longest time from an edge to
            the end of the guest's next tick, which brings the interrupt; about 0.02 on an idle machine.
    """

    tick = 0.010
    plays = 60
    """Largest number of times that presses are played until no bounce train took longer than the debounce time: then
    the guest stood still within it, and its last bounces were another press."""

    def __init__(self) -> None:
        self._lines = Path(os.environ["RIG_GPIO"])
        for number in BUTTON_PINS.values():
            self._pull(number, down=False)
        self.max_stamp_error = 0.0
        self.gpio = open_gpio(PINS, time.monotonic)

    def _pull(self, number: int, *, down: bool) -> None:
        (self._lines / f"sim_gpio{number}" / "pull").write_text("pull-down" if down else "pull-up", encoding="ascii")

    def play(self, edges: Iterable[Edge], then: float = 0.2) -> list[Event]:
        """Press as planned, gap by gap; a delay moves all later edges and is subtracted from their timestamps."""
        planned = sorted(edges)
        for _ in range(self.plays):
            events, longest_train = self._play(planned, then)
            if longest_train < DEBOUNCE_SECONDS:
                break
        return events

    def _play(self, edges: list[Edge], then: float) -> tuple[list[Event], float]:
        """Return the events and the longest time of a bounce train, until its last interrupt, in seconds."""
        start = time.monotonic()
        longest_train = self.max_stamp_error = 0.0
        late = [(start, 0.0)]
        signals: list[Event] = []
        due = began = start
        before = 0.0
        is_train = False
        for edge, next_at in zip(edges, [*(edge.at for edge in edges[1:]), math.inf], strict=True):
            # The guest cannot sleep for less than a tick: bounces are written as fast as possible.
            if edge.at - before >= self.tick:
                time.sleep(max(0.0, due + edge.at - before - time.monotonic()))
            before, due = edge.at, time.monotonic()
            if not is_train:
                began = due
                late.append((due, due - start - edge.at))
            self._pull(BUTTON_PINS[edge.button], down=edge.down)
            is_lone, is_train = not is_train, next_at - edge.at < self.tick
            if not is_train:
                time.sleep(self.tick)  # the guest's timer ticks meanwhile, and brings the interrupts
                took = time.monotonic() - began
                self.max_stamp_error = max(self.max_stamp_error, took)
                longest_train = longest_train if is_lone else max(longest_train, took)
            signals += self.gpio.read()
        for _ in range(self.plays):  # until the guest's other threads had the time, too
            began = time.monotonic()
            time.sleep(then)
            if time.monotonic() - began < then + 3 * self.tick:
                break
        signals += self.gpio.read()
        stamps = [signal.at for signal in signals]
        assert longest_train >= DEBOUNCE_SECONDS or stamps == sorted(stamps)
        # A press and the next one may be moved by different delays, so `events` may be out of order by the difference.
        events = [
            type(signal)(signal.button, signal.at - start - [by for when, by in late if when <= signal.at][-1])
            for signal in signals
            if isinstance(signal, Pressing)
        ]
        return events, longest_train

    def now(self) -> float:
        return time.monotonic()

    def set_lamps(self, lamps: Mapping[Button, LampEffect]) -> None:
        self.gpio.set_lamps(lamps)

    def get_brightness(self, button: Button) -> float:
        return float((self._lines / f"sim_gpio{LAMP_PINS[button]}" / "value").read_text(encoding="ascii"))

    def wait(self, seconds: float) -> None:
        time.sleep(seconds)

    def close(self) -> None:
        self.gpio.close()


Bench = MockBench | RigBench
