"""The driver on a real pty, with a simulated box at its other end. Time limits are generous for slow machines.

Its limits, in simulated time: test_driver_times.py; with the real firmware: test_driver_and_firmware.py.
"""

from __future__ import annotations

import itertools
import os
import random
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from companion.events import Button, ButtonPressed, DeviceLost, DeviceRestored, Event
from hardware.buttons.lamp_effects import LampEffect
from hardware.buttons.usb_box.driver import ButtonBox
from hardware.buttons.usb_box.messages import BUTTONS, TICK_MODULUS, LampsMessage
from hardware.buttons.usb_box.ports import (
    make_path_finder,
)
from hardware.buttons.usb_box.session import SOURCE_NAME
from tests.doubles.pty_port import PtyBox
from tests.doubles.simulated_box import BoxSpec, LineFaults
from tests.hardware.buttons.usb_box.boxworld import NOISY_FAULTS, describe_buttons, list_presses

LIMIT = 200.0
"""Time limit for an expected event, in seconds."""


class Bench:
    """A simulated box and a driver that searches for it; collects the driver's events."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "box"
        self.signals: list[Event] = []
        self._heard = threading.Event()
        self._open: list[PtyBox | ButtonBox] = []

    def box(self, make: BoxSpec | None = None, faults: LineFaults | None = None, seed: int = 0) -> PtyBox:
        box = PtyBox(self.path, make, faults, faults, seed=seed)
        self._open.append(box)
        return box

    def driver(self, *, expected: bool = False) -> ButtonBox:
        driver = ButtonBox(make_path_finder(str(self.path)), wake=self._heard.set, report_missing=expected)
        self._open.insert(0, driver)
        return driver

    def until(self, driver: ButtonBox, what: Callable[[], bool]) -> None:
        """Read events until `what` is true; fail after `LIMIT` seconds."""
        end = time.monotonic() + LIMIT
        while not what():
            assert time.monotonic() < end, f"{self.signals} {driver.status}"
            self._heard.wait(0.02)
            self._heard.clear()
            self.signals += driver.read()

    def count(self, driver: ButtonBox, kind: type[DeviceRestored | DeviceLost], count: int) -> None:
        """Wait until `count` events of a kind have arrived."""
        self.until(driver, lambda: sum(isinstance(s, kind) for s in self.signals) >= count)

    def close(self) -> None:
        for resource in self._open:
            resource.close()


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    bench = Bench(tmp_path)
    yield bench
    bench.close()


def has_events(bench: Bench, count: int) -> bool:
    return len(list_presses(bench.signals)) >= count


def later(than: float) -> bool:
    """Return whether that time has passed."""
    return time.monotonic() > than


def tap(box: PtyBox, row: list[Button], rng: random.Random) -> list[tuple[Button, float]]:
    """Press several buttons, one to six milliseconds apart."""
    edges: list[tuple[Button, bool, float]] = []
    after = 0.001
    for button in row:
        edges += [(button, True, after), (button, False, after + 0.0003)]
        after += rng.uniform(0.001, 0.006)
    return list(zip(row, box.press(*edges)[::2], strict=True))


def play(bench: Bench, driver: ButtonBox, box: PtyBox, count: int, rng: random.Random) -> list[tuple[Button, float]]:
    """Press random buttons a few milliseconds apart; wait for the last press."""
    began = len(list_presses(bench.signals))
    truth = tap(box, [rng.choice(BUTTONS) for _ in range(count)], rng)
    bench.until(driver, lambda: len(list_presses(bench.signals)) - began >= count)
    return truth


def test_box_is_found_read_and_lit(bench: Bench) -> None:
    driver = bench.driver()
    box = bench.box(BoxSpec(rate=1.0001, first_tick=TICK_MODULUS - 1_000_000), LineFaults(delay=0.0005, jitter=0.0003))
    assert driver.read() == []
    assert not driver.is_connected
    box.plug()
    driver.set_lamps({Button.SEAT1: LampEffect.SLOW, Button.OK: LampEffect.ON})
    bench.count(driver, DeviceRestored, 1)
    bench.until(driver, lambda: driver.status.stamp_error_seconds is not None)
    truth = play(bench, driver, box, 30, random.Random(1))  # their edges find room in the box's queue
    got = list_presses(bench.signals)
    assert [b for b, _ in got] == [b for b, _ in truth]
    assert all(s.source == SOURCE_NAME for s in bench.signals if isinstance(s, ButtonPressed))
    # Error stated at the end (it was larger at the start), plus 50 µs for the sampling of the inputs.
    errors = sorted(abs(a - t) for (_, a), (_, t) in zip(got, truth, strict=True))
    assert errors[len(errors) // 2] <= (driver.status.stamp_error_seconds or 0.0) + 0.00005
    lit = LampsMessage((LampEffect.SLOW, *[LampEffect.OFF] * 5, LampEffect.ON, *[LampEffect.OFF] * 3))
    bench.until(driver, lambda: box.box.lamps == lit)
    assert driver.is_connected
    assert driver.problem is None
    driver.close()
    bench.until(driver, lambda: box.box.lamps == LampsMessage())  # dark when nobody plays
    driver.close()


def test_three_reconnects_under_new_names_lose_nothing(bench: Bench) -> None:
    driver, box = bench.driver(), bench.box(faults=NOISY_FAULTS, seed=4)
    rng = random.Random(3)
    truth: list[tuple[Button, float]] = []
    box.plug()
    bench.count(driver, DeviceRestored, 1)
    for cut in range(3):
        truth += play(bench, driver, box, 12, rng)
        # Unplug while data is being sent: these presses have not arrived yet.
        truth += tap(box, [rng.choice(BUTTONS) for _ in range(6)], rng)
        box.unplug()
        bench.count(driver, DeviceLost, cut + 1)
        # Leave a gap: the order of two presses within one sample of the box is undefined.
        bench.until(driver, partial(later, truth[-1][1] + 0.001))
        truth += tap(box, [Button.OK], rng)
        box.plug()
        bench.count(driver, DeviceRestored, cut + 2)
        bench.until(driver, partial(has_events, bench, len(truth)))
    truth += play(bench, driver, box, 12, rng)
    assert [b for b, _ in list_presses(bench.signals)] == [b for b, _ in sorted(truth, key=lambda press: press[1])]
    assert all(one != other for one, other in itertools.pairwise(box.names))
    bench.until(driver, lambda: len(describe_buttons(bench.signals)) >= 2 * len(truth))
    assert len(describe_buttons(bench.signals)) == 2 * len(truth)


def test_garbage_then_reboot(bench: Bench) -> None:
    driver, box = bench.driver(), bench.box()
    box.send_raw(random.Random(9).randbytes(3000))
    box.plug()
    bench.count(driver, DeviceRestored, 1)
    play(bench, driver, box, 5, random.Random(5))
    box.reboot()
    box.send_raw(b"Boot!\r\n" * 9)
    bench.until(driver, lambda: driver.status.welcome is not None and driver.status.welcome.boot_number == 2)
    play(bench, driver, box, 5, random.Random(6))


def test_calls_never_block_even_if_the_other_end_does_not_read(bench: Bench) -> None:
    master, slave = os.openpty()
    bench.path.symlink_to(os.ttyname(slave))
    driver = bench.driver()
    bench.until(driver, lambda: driver.device is not None)
    for n in range(5000):
        driver.set_lamps({Button.OK: LampEffect(n % 5)})
        driver.read()
    driver.close()
    os.close(master)
    os.close(slave)
