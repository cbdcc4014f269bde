"""A button source that is lost and comes back."""

from __future__ import annotations

from collections.abc import Mapping

from companion.events import Button, ButtonPressed, ButtonReleased, DeviceLost, DeviceRestored, Event
from companion.testing.table import ManualClock
from hardware.buttons.lamp_effects import LampEffect
from hardware.buttons.source import RETRY_SECONDS, ReconnectingSource, SourceLost
from tests.hardware.buttons.gpio.bench import BUTTON_PINS, MockBench

OK, NO = Button.OK, Button.NO


class FakeSource:
    """A source controlled by the test; `gone` is the reason why it is missing."""

    name = "GPIO"
    problems: tuple[str, ...] = ()

    def __init__(self, gone: str | None = None) -> None:
        self.gone = gone
        self.opened = 0
        self.closed = 0
        self.lit: Mapping[Button, LampEffect] = {}
        self.next: list[Event] = []

    def open(self) -> FakeSource:
        if self.gone is not None:
            raise SourceLost(self.gone)
        self.opened += 1
        self.lit = {}
        return self

    def read(self) -> list[Event]:
        if self.gone is not None:
            raise SourceLost(self.gone)
        signals, self.next = self.next, []
        return signals

    def set_lamps(self, lamps: Mapping[Button, LampEffect]) -> None:
        self.lit = lamps

    def close(self) -> None:
        self.closed += 1


def make_reconnecting(fake: FakeSource, clock: ManualClock, *, needed: bool = False) -> ReconnectingSource:
    return ReconnectingSource("GPIO", fake.open, clock, report_missing=needed)


def test_available_source_is_announced_and_its_events_returned(clock: ManualClock) -> None:
    fake = FakeSource()
    source = make_reconnecting(fake, clock)
    assert source.read() == [DeviceRestored("GPIO", 100.0)]
    fake.next = [ButtonPressed(OK, 99.0)]
    assert source.read() == [ButtonPressed(OK, 99.0)]
    assert source.read() == []


def test_missing_source_is_reported_only_if_required(clock: ManualClock) -> None:
    assert make_reconnecting(FakeSource("no pins"), clock).read() == []
    assert make_reconnecting(FakeSource("no pins"), clock, needed=True).read() == [DeviceLost("GPIO", 100.0, "no pins")]


def test_missing_source_is_retried_and_reported_once(clock: ManualClock) -> None:
    fake = FakeSource("no pins")
    source = make_reconnecting(fake, clock, needed=True)
    source.read()
    for _ in range(20):
        clock.now += RETRY_SECONDS / 2
        assert source.read() == []
    fake.gone = "no rights"
    clock.now += RETRY_SECONDS
    assert source.read() == [DeviceLost("GPIO", clock.now, "no rights")]
    fake.gone = None
    clock.now += 0.99
    assert source.read() == []
    clock.now += 0.01  # a second after the last try
    assert source.read() == [DeviceRestored("GPIO", clock.now)]


def test_lost_source_releases_held_buttons(clock: ManualClock) -> None:
    fake = FakeSource()
    source = make_reconnecting(fake, clock)
    source.read()
    fake.next = [ButtonPressed(OK, 100.0), ButtonPressed(NO, 100.1), ButtonReleased(NO, 100.2)]
    source.read()
    fake.gone = "torn off"
    clock.now = 101.0
    assert source.read() == [ButtonReleased(OK, 101.0, "GPIO"), DeviceLost("GPIO", 101.0, "torn off")]
    assert fake.closed == 1


def test_returning_source_gets_the_current_lamps(clock: ManualClock) -> None:
    fake = FakeSource()
    source = make_reconnecting(fake, clock)
    source.read()
    source.set_lamps({OK: LampEffect.ON})
    assert fake.lit == {OK: LampEffect.ON}
    fake.gone = "torn off"
    source.read()
    source.set_lamps({NO: LampEffect.SLOW})
    fake.gone = None
    clock.now += RETRY_SECONDS
    source.read()
    assert (fake.opened, fake.lit) == (2, {NO: LampEffect.SLOW})


def test_closing_twice_closes_once(clock: ManualClock) -> None:
    fake = FakeSource()
    source = make_reconnecting(fake, clock)
    source.close()
    source.read()
    source.close()
    source.close()
    assert fake.closed == 1


def test_releases_at_a_loss_are_not_before_their_presses(clock: ManualClock) -> None:
    fake = FakeSource()
    source = make_reconnecting(fake, clock)
    source.read()
    fake.next = [ButtonPressed(OK, 100.5)]  # stamped by a clock that is ahead
    source.read()
    fake.gone = "torn off"
    assert source.read() == [ButtonReleased(OK, 100.5, "GPIO"), DeviceLost("GPIO", 100.0, "torn off")]


def test_application_that_hangs_gets_the_last_1024_events() -> None:
    bench = MockBench(latency=0.0)
    source = ReconnectingSource("GPIO", lambda: bench.gpio, bench.clock, report_missing=True)
    assert [type(event) for event in source.read()] == [DeviceRestored]
    pin = bench.pin(BUTTON_PINS[OK])
    started = bench.clock.now
    for n in range(1030):
        bench.clock.now = started + 0.05 * n
        pin.set_level(n % 2 == 1)
        pin.send_edge(bench.clock.now, n % 2 == 1)
    bench.wait(0.01)
    events = source.read()
    assert len(events) == 1024
    assert events[-1] == ButtonReleased(OK, started + 0.05 * 1029, "GPIO")
