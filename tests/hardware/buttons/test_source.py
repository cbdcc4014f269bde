"""A source of presses that is lost and comes back."""

from __future__ import annotations

from collections.abc import Mapping

from companion.events import Button, ButtonPressed, ButtonReleased, DeviceLost, DeviceRestored, Event
from hardware.buttons.lamp_effects import Effect
from hardware.buttons.source import RETRY, Returning, SourceLost
from tests.hardware.conftest import TravelClock

OK, NO = Button.OK, Button.NO


class Fake:
    """A source under the test's thumb: `gone` says why it is not there."""

    name = "GPIO"
    trouble: tuple[str, ...] = ()

    def __init__(self, gone: str | None = None) -> None:
        self.gone = gone
        self.opened = 0
        self.closed = 0
        self.lit: Mapping[Button, Effect] = {}
        self.next: list[Event] = []

    def open(self) -> Fake:
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

    def light(self, lamps: Mapping[Button, Effect]) -> None:
        self.lit = lamps

    def close(self) -> None:
        self.closed += 1


def returning(fake: Fake, clock: TravelClock, *, needed: bool = False) -> Returning:
    return Returning("GPIO", fake.open, clock, needed=needed)


def test_one_that_is_there_says_so_and_hands_on_what_it_reads(clock: TravelClock) -> None:
    fake = Fake()
    source = returning(fake, clock)
    assert source.read() == [DeviceRestored("GPIO", 100.0)]
    fake.next = [ButtonPressed(OK, 99.0)]
    assert source.read() == [ButtonPressed(OK, 99.0)]
    assert source.read() == []
    assert source.present


def test_one_that_was_never_there_is_said_where_it_is_needed_only(clock: TravelClock) -> None:
    assert returning(Fake("no pins"), clock).read() == []
    assert returning(Fake("no pins"), clock, needed=True).read() == [DeviceLost("GPIO", 100.0, "no pins")]


def test_it_is_looked_for_again_and_again_and_said_once(clock: TravelClock) -> None:
    fake = Fake("no pins")
    source = returning(fake, clock, needed=True)
    source.read()
    for _ in range(20):
        clock.now += RETRY / 2
        assert source.read() == []
    fake.gone = "no rights"
    clock.now += RETRY
    assert source.read() == [DeviceLost("GPIO", clock.now, "no rights")]
    fake.gone = None
    assert source.read() == []  # its time has not come
    clock.now += RETRY
    assert source.read() == [DeviceRestored("GPIO", clock.now)]
    assert source.words is None


def test_a_lost_one_lets_go_of_what_it_held(clock: TravelClock) -> None:
    fake = Fake()
    source = returning(fake, clock)
    source.read()
    fake.next = [ButtonPressed(OK, 100.0), ButtonPressed(NO, 100.1), ButtonReleased(NO, 100.2)]
    source.read()
    fake.gone = "torn off"
    clock.now = 101.0
    assert source.read() == [ButtonReleased(OK, 101.0, "GPIO"), DeviceLost("GPIO", 101.0, "torn off")]
    assert fake.closed == 1
    assert not source.present


def test_one_that_comes_back_is_lit_as_the_table_is_now(clock: TravelClock) -> None:
    fake = Fake()
    source = returning(fake, clock)
    source.read()
    source.light({OK: Effect.ON})
    assert fake.lit == {OK: Effect.ON}
    fake.gone = "torn off"
    source.read()
    source.light({NO: Effect.SLOW})
    fake.gone = None
    clock.now += RETRY
    source.read()
    assert (fake.opened, fake.lit) == (2, {NO: Effect.SLOW})


def test_closing_twice_closes_once(clock: TravelClock) -> None:
    fake = Fake()
    source = returning(fake, clock)
    source.close()
    source.read()
    source.close()
    source.close()
    assert fake.closed == 1
