"""When the source at the pins ticks, stamps and wakes its caller, and what it does without edges, pins or answers.

Presses and lamps through the whole driver: test_driver.py.
"""

from __future__ import annotations

import logging
import threading
from pathlib import Path

import pytest

from companion.events import Button, ButtonHeld, ButtonPressed, ButtonReleased, Event
from companion.testing.table import ManualClock
from hardware.buttons.gpio import driver as driver_module
from hardware.buttons.gpio.driver import LEVEL_CHECK_SECONDS, GpioPins, GpioSource, ThreadedGpioSource, open_gpio
from hardware.buttons.gpio.pin_factory import GpioMissing
from hardware.buttons.lamp_effects import LampEffect
from tests.hardware.buttons.gpio.bench import (
    BUTTON_PINS,
    LAMP_PINS,
    PINS,
    BouncingPin,
    ClockFactory,
    Edge,
    MockBench,
    make_stroke,
)

OK = Button.OK
"""Time limit for what a thread does at once, in seconds."""


@pytest.fixture
def bench() -> MockBench:
    return MockBench()


def send_press(bench: MockBench, button: Button, at: float) -> None:
    """Close a button's contact, with the edge stamped at `at`."""
    bench.pin(BUTTON_PINS[button]).set_level(False)
    bench.pin(BUTTON_PINS[button]).send_edge(at, False)


class BrittlePin(BouncingPin):
    """A pin that breaks when a test says so."""

    is_broken = False

    def _get_state(self) -> bool:
        if type(self).is_broken:
            raise RuntimeError("'bad handle'")
        return bool(super()._get_state())

    def close(self) -> None:
        if type(self).is_broken:
            raise RuntimeError("'bad handle'")
        super().close()


class BusyPin(BouncingPin):
    """A pin that another program may be using."""

    numbers = frozenset({BUTTON_PINS[Button.PLUS], LAMP_PINS[OK]})

    def output_with_state(self, state: float) -> None:
        self._refuse()
        super().output_with_state(state)

    def input_with_pull(self, pull: str) -> None:
        self._refuse()
        super().input_with_pull(pull)

    def _refuse(self) -> None:
        if self._number in self.numbers:
            raise RuntimeError("'GPIO busy'")


class HeldPin(BouncingPin):
    """The pin of a button that is held down at the start."""

    def input_with_pull(self, pull: str) -> None:
        super().input_with_pull(pull)
        self._state = False


# Edges ---------------------------------------------------------------------------------------------------------------


def test_levels_are_read_every_40_milliseconds(bench: MockBench) -> None:
    for _ in range(3):
        now = bench.clock.now
        assert bench.gpio.tick() == pytest.approx(now + 0.04)
        bench.clock.now += 0.02
        assert bench.gpio.tick() == pytest.approx(now + 0.04), "not due yet"
        bench.clock.now = bench.gpio.tick()


def test_a_press_is_reported_as_soon_as_it_is_decided(bench: MockBench) -> None:
    start = bench.clock.now
    bench.gpio.tick()
    bench.clock.now += 0.001
    send_press(bench, OK, start)
    due = bench.gpio.tick()
    assert due == pytest.approx(start + 0.005)
    assert bench.gpio.read() == []
    bench.clock.now = due
    assert bench.woken == 0
    bench.gpio.tick()
    assert bench.woken > 0
    assert bench.gpio.read() == [ButtonPressed(OK, start, "GPIO")]


def test_blinking_lamp_ticks_when_it_changes(bench: MockBench) -> None:
    bench.gpio.set_lamps({OK: LampEffect.SLOW})
    bench.clock.now = 100.48
    bench.gpio.tick()
    assert bench.gpio.tick() == 100.5


@pytest.mark.parametrize(("earlier", "count"), [(0.0, 1), (0.000_5, 0)])
def test_a_press_waits_only_for_one_that_began_earlier(bench: MockBench, earlier: float, count: int) -> None:
    start = bench.clock.now
    send_press(bench, Button.SEAT2, start)
    send_press(bench, Button.SEAT1, start + earlier)
    # A later edge of the second one decides it before the first one is.
    bench.clock.now = start + 0.006
    bench.pin(BUTTON_PINS[Button.SEAT1]).send_edge(bench.clock.now, False)
    presses = [ButtonPressed(Button.SEAT2, start, "GPIO"), ButtonPressed(Button.SEAT1, start + earlier, "GPIO")]
    assert bench.gpio.read() == presses[2 - count :]
    bench.clock.now = start + 0.01
    bench.gpio.tick()
    assert bench.gpio.read() == presses[: 2 - count]


@pytest.mark.parametrize("latency", [0.0, 0.008, 0.025])
@pytest.mark.parametrize(
    ("edges", "expected"),
    [
        (
            [Edge(0.1, OK, True), Edge(0.3, OK, False, lost=True)],
            [(ButtonPressed, 0.1, 0.1), (ButtonReleased, 0.3, 0.3 + 2 * LEVEL_CHECK_SECONDS)],
        ),
        (
            [Edge(0.1, OK, True, lost=True), Edge(0.3, OK, False)],
            [(ButtonPressed, 0.1, 0.1 + 2 * LEVEL_CHECK_SECONDS), (ButtonReleased, 0.3, 0.3)],
        ),
        # By the edges the contact is open after 0.101; reading the pin's level corrects that.
        (
            [Edge(0.1, OK, True), Edge(0.101, OK, False), Edge(0.102, OK, True, lost=True), Edge(0.4, OK, False)],
            [
                (ButtonPressed, 0.1, 0.1),
                (ButtonReleased, 0.1, 0.3),
                (ButtonPressed, 0.1, 0.3),
                (ButtonReleased, 0.4, 0.4),
            ],
        ),
    ],
    ids=["release", "press", "end of a bounce"],
)
def test_lost_edge_is_recovered_from_the_level(
    latency: float, edges: list[Edge], expected: list[tuple[type[Event], float, float]]
) -> None:
    events = MockBench(latency).play(edges)
    assert [type(event) for event in events] == [kind for kind, _, _ in expected]
    for event, (_, earliest, latest) in zip(events, expected, strict=True):
        assert earliest - 1e-9 <= event.at <= latest + 1e-9


def test_late_edges_are_not_treated_as_lost() -> None:
    bench = MockBench(latency=0.025)
    events = bench.play([edge for i in range(50) for edge in make_stroke(OK, 0.15 * i, 0.07, (0.002, 0.001))])
    assert [s.at for s in events] == pytest.approx([0.15 * i + at for i in range(50) for at in (0.0, 0.07)])


def test_button_held_at_start_is_not_a_press() -> None:
    bench = MockBench(pin_class=HeldPin)
    assert {type(event) for event in bench.gpio.read()} == {ButtonHeld}
    assert [type(s) for s in bench.play([Edge(0.1, OK, False)]) if s.button is OK] == [ButtonReleased]


@pytest.mark.parametrize(
    ("off", "is_trusted"),
    # Kernels before 5.7 use the wall clock for stamps.
    [(-60.0, False), (-59.99, True), (0.009, True), (0.01, False), (0.011, False), (1_700_000_000.0, False)],
)
def test_stamps_of_the_last_minute_are_trusted(bench: MockBench, off: float, is_trusted: bool) -> None:
    now = bench.clock.now
    send_press(bench, OK, now + off)
    bench.wait(0.03)
    (press,) = bench.gpio.read()
    assert isinstance(press, ButtonPressed)
    expected = (now + off, 0.0) if is_trusted else (now, 0.03)
    assert (press.at, press.max_error_seconds) == pytest.approx(expected)


class CountingClock(ManualClock):
    """A clock that has advanced by `step` each time that it is read."""

    step = 0.5

    def __call__(self) -> float:
        self.now += self.step
        return self.now


@pytest.mark.parametrize("shift", [0.0, 0.5, -1000.0])
def test_ticks_of_another_clock_are_converted_and_those_of_the_hosts_taken_as_they_are(shift: float) -> None:
    clock = CountingClock()
    factory = ClockFactory(clock)
    factory.ticks = lambda: clock.now + shift
    gpio = GpioSource(GpioPins({OK: 2}), factory, clock)
    clock.step = 0.0
    pressed_at, clock.now = clock.now, clock.now + 1.0
    factory.pin(2).set_level(False)
    factory.pin(2).send_edge(pressed_at + (shift if shift < 0.0 else 0.0), False)
    gpio.tick()
    (press,) = gpio.read()
    # The conversion is half a reading off.
    assert press == ButtonPressed(OK, pytest.approx(pressed_at, abs=0.25 if shift < 0.0 else 0.0), "GPIO")


# Lamps ---------------------------------------------------------------------------------------------------------------


def test_no_pin_is_an_output_before_a_press_shows_the_wiring() -> None:
    """H9: by default nobody has said that anything is wired."""
    clock = ManualClock()
    factory = ClockFactory(clock)
    gpio = GpioSource(PINS, factory, clock, are_lamps_certain=False)
    gpio.set_lamps({OK: LampEffect.ON})
    assert {pin.function for pin in factory.pins.values()} == {"input"}
    factory.pin(BUTTON_PINS[Button.NO]).set_level(False)
    factory.pin(BUTTON_PINS[Button.NO]).send_edge(clock.now, False)
    for _ in range(2):
        clock.now += 0.01
        gpio.tick()
    assert factory.pin(LAMP_PINS[OK]).state == 1
    assert factory.pin(LAMP_PINS[Button.NO]).state == 0


# Missing and failing pins --------------------------------------------------------------------------------------------


def test_pins_with_a_hat_are_used_only_if_the_settings_say_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(driver_module, "HAT_DESCRIPTION", tmp_path)
    clock = ManualClock()
    monkeypatch.setattr(driver_module, "open_lgpio", lambda: ClockFactory(clock))
    with pytest.raises(GpioMissing, match="A HAT is on the pins"):
        open_gpio(PINS, clock, is_required=False, is_proven=True)
    open_gpio(PINS, clock).close()


@pytest.mark.parametrize("is_proven", [False, True])
def test_pins_that_were_pressed_before_have_their_lamps_from_the_start(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, *, is_proven: bool
) -> None:
    monkeypatch.setattr(driver_module, "HAT_DESCRIPTION", tmp_path / "none")
    factory = ClockFactory(ManualClock())
    monkeypatch.setattr(driver_module, "open_lgpio", lambda: factory)
    gpio = open_gpio(PINS, ManualClock(), is_required=False, is_proven=is_proven)
    gpio.set_lamps({OK: LampEffect.ON})
    functions = {pin.function for pin in list(factory.pins.values())}
    gpio.close()
    assert ("output" in functions) is is_proven


def test_unavailable_pin_is_named_and_the_others_work() -> None:
    bench = MockBench(pin_class=BusyPin)
    assert [line.split(" (")[0] for line in bench.gpio.problems] == [
        f"GPIO{LAMP_PINS[OK]} is not available for the lamp of ok",
        f"GPIO{BUTTON_PINS[Button.PLUS]} is not available for plus",
    ]
    assert "(GPIO busy)" in bench.gpio.problems[0]
    assert len(bench.play([*make_stroke(OK, 0.1, 0.1), *make_stroke(Button.MINUS, 0.3, 0.1)])) == 4
    with pytest.raises(GpioMissing, match="GPIO7 is not available for plus"):
        MockBench(pin_class=BusyPin, pins=GpioPins({Button.PLUS: BUTTON_PINS[Button.PLUS]}))


def test_no_wired_buttons_is_no_error() -> None:
    bench = MockBench(pins=GpioPins())
    bench.set_lamps({OK: LampEffect.ON})
    bench.wait(0.2)
    assert bench.gpio.read() == []


def test_events_before_a_loss_are_returned_before_it_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = MockBench(pin_class=BrittlePin)
    start = bench.clock.now
    send_press(bench, Button.SEAT1, start)
    send_press(bench, Button.SEAT2, start + 0.000_5)
    bench.clock.now = start + 0.006
    bench.pin(BUTTON_PINS[Button.SEAT2]).send_edge(bench.clock.now, False)
    monkeypatch.setattr(BrittlePin, "is_broken", True)
    woken = bench.woken
    assert bench.gpio.tick() == pytest.approx(bench.clock.now + 0.04)
    assert bench.woken == woken + 1
    assert bench.gpio.read() == [ButtonPressed(Button.SEAT2, start + 0.000_5, "GPIO")]
    monkeypatch.setattr(BrittlePin, "is_broken", False)
    for _ in range(2):
        assert bench.gpio.tick() == pytest.approx(bench.clock.now + 0.04)
        with pytest.raises(GpioMissing, match="no longer answer: bad handle"):
            bench.gpio.read()
    assert bench.woken == woken + 1, "a lost source does nothing any more"
    monkeypatch.setattr(BrittlePin, "is_broken", True)
    bench.set_lamps({OK: LampEffect.ON})
    bench.close()
    assert not bench.factory.pins, "the next open creates new pins"


def test_failing_lamp_is_reported_by_read(bench: MockBench) -> None:
    bench.set_lamps({OK: LampEffect.BREATHE})

    class DeadPin:
        def __setattr__(self, name: str, value: object) -> None:
            raise RuntimeError("'bad handle'")

    bench.gpio._lamps[OK]._pin = DeadPin()
    bench.set_lamps({OK: LampEffect.ON})
    with pytest.raises(GpioMissing, match="no longer answer: bad handle"):
        bench.gpio.read()


def test_a_closed_source_has_dark_lamps_and_leaves_the_pins_alone(bench: MockBench) -> None:
    bench.set_lamps({OK: LampEffect.ON})
    lamp = bench.pin(LAMP_PINS[OK])
    closed: list[tuple[int, float]] = []
    release_all = bench.factory.close

    def close_factory() -> None:
        closed.append((len(bench.factory.pins), lamp.state))
        release_all()

    bench.factory.close = close_factory
    bench.close()
    bench.close()
    assert closed == [(20, 0)], "once, with all pins"
    bench.gpio.set_lamps({OK: LampEffect.ON})
    assert bench.gpio.tick() == pytest.approx(bench.clock.now + 0.04)
    assert bench.gpio.read() == []


def test_a_pin_that_cannot_be_released_is_logged_with_the_reason(
    bench: MockBench, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:

    def refuse() -> None:
        raise RuntimeError("bad handle")

    monkeypatch.setattr(bench.gpio._factory, "close", refuse)
    with caplog.at_level(logging.INFO):
        bench.close()
    assert "RuntimeError: bad handle" in caplog.text


def test_the_thread_sleeps_until_the_next_tick_or_an_edge() -> None:
    """Runs in real time: waits for a tick that comes at once."""
    ticked = threading.Semaphore(0)

    class Waiting(ThreadedGpioSource):
        pauses = (0.0, 0.0, 1000.0, 1000.0)

        def tick(self) -> float:
            pause, *rest = self.pauses
            self.pauses = (*rest, 1000.0)
            ticked.release()
            return self._clock() + pause

    clock = ManualClock()
    factory = ClockFactory(clock)
    source = Waiting(PINS, factory, clock, are_lamps_certain=True)
    try:
        (thread,) = (each for each in threading.enumerate() if each.name == "gpio")
        assert thread.daemon, "it does not keep the program from ending"
        for _ in range(3):
            ticked.acquire()
        pin = factory.pin(BUTTON_PINS[OK])
        pin.set_level(False)
        pin.send_edge(clock.now, False)
        ticked.acquire()  # the edge wakes it
    finally:
        source.close()
    assert not thread.is_alive()
