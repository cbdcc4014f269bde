"""When the source at the pins ticks, stamps and wakes its caller, and that it is silent once it is closed or lost."""

from __future__ import annotations

import logging
import threading

import pytest

from companion.events import Button, ButtonPressed
from companion.testing.table import ManualClock
from hardware.buttons.gpio.driver import GpioPins, GpioSource, ThreadedGpioSource
from hardware.buttons.gpio.pin_factory import GpioMissing
from hardware.buttons.lamp_effects import LampEffect
from tests.hardware.buttons.gpio.bench import BUTTON_PINS, PINS, BouncingPin, ClockFactory, MockBench

OK = Button.OK
LIMIT = 20.0
"""Time limit for what a thread does at once, in seconds."""


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


def test_levels_are_read_every_40_milliseconds() -> None:
    bench = MockBench()
    for _ in range(3):
        now = bench.clock.now
        assert bench.gpio.tick() == pytest.approx(now + 0.04)
        bench.clock.now += 0.02
        assert bench.gpio.tick() == pytest.approx(now + 0.04), "not due yet"
        bench.clock.now = bench.gpio.tick()


def test_a_press_is_reported_as_soon_as_it_is_decided() -> None:
    bench = MockBench()
    start = bench.clock.now
    bench.gpio.tick()
    bench.clock.now += 0.001
    send_press(bench, OK, start)
    due = bench.gpio.tick()
    assert due == pytest.approx(start + 0.005)
    assert bench.gpio.read() == []
    bench.clock.now = due
    bench.gpio.tick()
    assert bench.gpio.read() == [ButtonPressed(OK, start, "GPIO")]


def test_blinking_lamp_ticks_when_it_changes() -> None:
    bench = MockBench()
    bench.gpio.set_lamps({OK: LampEffect.SLOW})
    bench.clock.now = 100.48
    bench.gpio.tick()
    assert bench.gpio.tick() == 100.5


def test_of_two_simultaneous_presses_the_decided_one_does_not_wait() -> None:
    bench = MockBench()
    start = bench.clock.now
    for button in (Button.SEAT1, Button.SEAT2):
        send_press(bench, button, start)
    bench.clock.now = start + 0.006
    bench.pin(BUTTON_PINS[Button.SEAT1]).send_edge(bench.clock.now, False)
    assert bench.gpio.read() == [ButtonPressed(Button.SEAT1, start, "GPIO")]


@pytest.mark.parametrize(
    ("off", "is_trusted"), [(-60.0, False), (-59.99, True), (0.009, True), (0.01, False), (0.011, False)]
)
def test_stamps_of_the_last_minute_are_trusted(off: float, is_trusted: bool) -> None:
    bench = MockBench()
    now = bench.clock.now
    send_press(bench, OK, now + off)
    bench.wait(0.03)
    (press,) = bench.gpio.read()
    assert isinstance(press, ButtonPressed)
    expected = (now + off, 0.0) if is_trusted else (now, 0.03)
    assert (press.at, press.max_error_seconds) == pytest.approx(expected)


@pytest.mark.parametrize("shift", [0.0, 0.5])
def test_ticks_that_may_be_the_hosts_clock_are_taken_as_they_are(shift: float) -> None:
    class CountingClock(ManualClock):
        """A clock that has advanced by half a second each time that it is read."""

        step = 0.5

        def __call__(self) -> float:
            self.now += self.step
            return self.now

    clock = CountingClock()
    factory = ClockFactory(clock)
    factory.ticks = lambda: clock.now + shift  # type: ignore[method-assign]
    gpio = GpioSource(GpioPins({OK: 2}), factory, clock)
    clock.step = 0.0
    pressed_at, clock.now = clock.now, clock.now + 1.0
    factory.pin(2).set_level(False)
    factory.pin(2).send_edge(pressed_at, False)
    gpio.tick()
    assert gpio.read() == [ButtonPressed(OK, pressed_at, "GPIO")]


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


def test_a_closed_source_leaves_the_pins_alone() -> None:
    bench = MockBench()
    closed: list[int] = []
    release_all = bench.factory.close

    def close_factory() -> None:
        closed.append(len(bench.factory.pins))
        release_all()

    bench.factory.close = close_factory  # type: ignore[method-assign]
    bench.close()
    bench.close()
    assert closed == [20], "once, with all pins"
    bench.gpio.set_lamps({OK: LampEffect.ON})
    assert bench.gpio.tick() == pytest.approx(bench.clock.now + 0.04)
    assert bench.gpio.read() == []


def test_a_pin_that_cannot_be_released_is_logged_with_the_reason(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    bench = MockBench()

    def refuse() -> None:
        raise RuntimeError("bad handle")

    monkeypatch.setattr(bench.gpio._factory, "close", refuse)
    with caplog.at_level(logging.INFO):
        bench.close()
    assert "RuntimeError: bad handle" in caplog.text


def test_the_thread_sleeps_until_the_next_tick_or_an_edge() -> None:
    """Runs in real time: waits for a tick that comes at once, with a generous limit."""
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
            assert ticked.acquire(timeout=LIMIT)
        pin = factory.pin(BUTTON_PINS[OK])
        pin.set_level(False)
        pin.send_edge(clock.now, False)
        assert ticked.acquire(timeout=LIMIT), "the edge wakes it"
    finally:
        source.close()
    assert not thread.is_alive()
