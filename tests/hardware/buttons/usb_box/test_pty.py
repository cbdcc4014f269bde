"""The driver on a real pty, with a simulated box at its other end. Time limits are generous for slow machines."""

from __future__ import annotations

import itertools
import os
import random
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import cast

import pytest
import serial

from companion.events import Button, ButtonPressed, DeviceLost, DeviceRestored, Event
from hardware.buttons.lamp_effects import LampEffect
from hardware.buttons.usb_box import driver as driver_module
from hardware.buttons.usb_box.driver import ButtonBox
from hardware.buttons.usb_box.framing import WireFrame, encode_frame
from hardware.buttons.usb_box.messages import BUTTONS, TICK_MODULUS, EdgeMessage, FrameType, LampsMessage
from hardware.buttons.usb_box.ports import (
    OpenPort,
    PortError,
    PortNotFound,
    SerialPort,
    make_path_finder,
    make_usb_id_finder,
    open_port,
)
from hardware.buttons.usb_box.session import SOURCE_NAME
from tests.doubles.pty_port import PtyBox
from tests.doubles.simulated_box import BoxSpec, LineFaults
from tests.hardware.buttons.usb_box.boxworld import NOISY_FAULTS, describe_buttons, list_presses

LIMIT = 30.0
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
    driver, box = bench.driver(), bench.box(BoxSpec(rate=1.0001, first_tick=TICK_MODULUS - 1_000_000))
    assert driver.read() == []
    assert not driver.is_connected
    box.plug()
    driver.set_lamps({Button.SEAT1: LampEffect.SLOW, Button.OK: LampEffect.ON})
    bench.count(driver, DeviceRestored, 1)
    truth = play(bench, driver, box, 60, random.Random(1))
    got = list_presses(bench.signals)
    assert [b for b, _ in got] == [b for b, _ in truth]
    assert all(s.source == SOURCE_NAME for s in bench.signals if isinstance(s, ButtonPressed))
    lit = LampsMessage((LampEffect.SLOW, *[LampEffect.OFF] * 5, LampEffect.ON, *[LampEffect.OFF] * 3))
    bench.until(driver, lambda: box.box.lamps == lit)
    assert driver.is_connected
    assert driver.problem is None
    driver.close()
    assert box.box.lamps == LampsMessage(), "dark when nobody plays"
    driver.close()


def test_stamps_are_within_the_stated_error(bench: Bench) -> None:
    driver, box = bench.driver(), bench.box(BoxSpec(rate=0.9999), LineFaults(delay=0.0005, jitter=0.0003))
    box.plug()
    bench.count(driver, DeviceRestored, 1)
    bench.until(driver, lambda: driver.status.stamp_error_seconds is not None)
    truth = play(bench, driver, box, 80, random.Random(2))
    stated = driver.status.stamp_error_seconds
    assert stated is not None
    off = [abs(a - t) for (_, a), (_, t) in zip(list_presses(bench.signals), truth, strict=True)]
    # Error stated at the end (it was larger at the start), plus 50 µs for the sampling of the inputs.
    assert sorted(off)[len(off) // 2] <= stated + 0.00005


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


def test_box_is_found_again_under_another_name(bench: Bench) -> None:
    driver, box = bench.driver(), bench.box()
    box.plug()
    bench.count(driver, DeviceRestored, 1)
    box.unplug()
    bench.count(driver, DeviceLost, 1)
    box.plug()
    bench.count(driver, DeviceRestored, 2)
    assert len(set(box.names)) == 2
    play(bench, driver, box, 3, random.Random(1))


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


def test_old_firmware_is_refused_with_a_remedy(bench: Bench) -> None:
    driver, box = bench.driver(), bench.box(BoxSpec(version=0, firmware=(0, 3, 0)))
    box.plug()
    bench.count(driver, DeviceLost, 1)
    (lost,) = bench.signals
    assert isinstance(lost, DeviceLost)
    assert "0.3.0" in lost.message
    assert driver.problem == lost.message
    assert not driver.is_connected
    box.press((Button.OK, True, 0.0))
    box.box.spec = BoxSpec()
    box.reboot()
    bench.count(driver, DeviceRestored, 1)
    assert describe_buttons(bench.signals) == []


def test_missing_required_box_is_reported_once(bench: Bench) -> None:
    driver = bench.driver(expected=True)
    bench.count(driver, DeviceLost, 1)
    assert [s.name for s in bench.signals if isinstance(s, DeviceLost)] == [SOURCE_NAME]
    assert "plugged in" in (driver.problem or "")
    bench.box().plug()
    bench.count(driver, DeviceRestored, 1)
    assert driver.problem is None
    assert len(bench.signals) == 2


def test_busy_port_is_reported_and_used_when_free(bench: Bench) -> None:
    box = bench.box()
    box.plug()
    other = serial.Serial(str(bench.path), exclusive=True)
    driver = bench.driver()
    bench.count(driver, DeviceLost, 1)
    assert "another program" in (driver.problem or "")
    other.close()
    bench.count(driver, DeviceRestored, 1)
    with pytest.raises(PortError, match="another program"):
        open_port(SerialPort(str(bench.path)))


def test_unusable_port_is_reported_with_a_remedy(tmp_path: Path) -> None:
    with pytest.raises(PortNotFound, match="is not there"):
        open_port(SerialPort(str(tmp_path / "ttyACM0")))
    plain = tmp_path / "file"
    plain.touch()
    with pytest.raises(PortError, match="cannot be opened"):
        open_port(SerialPort(str(plain)))


def test_missing_permission_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_args: object, **_options: object) -> None:
        raise serial.SerialException(13, "could not open port")

    monkeypatch.setattr(serial, "Serial", refuse)
    with pytest.raises(PortError, match="dialout"):
        open_port(SerialPort("/dev/ttyACM0"))


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


def test_silent_port_is_reported(bench: Bench) -> None:
    master, slave = os.openpty()
    bench.path.symlink_to(os.ttyname(slave))
    driver = bench.driver()
    bench.count(driver, DeviceLost, 1)
    assert "does not answer" in (driver.problem or "")
    driver.close()
    os.close(master)
    os.close(slave)


def test_boxes_are_found_by_their_usb_ids(monkeypatch: pytest.MonkeyPatch) -> None:
    from serial.tools import list_ports
    from serial.tools.list_ports_common import ListPortInfo

    def info(device: str, vid: int | None, pid: int | None) -> ListPortInfo:
        known = ListPortInfo(device, skip_link_detection=True)
        known.vid, known.pid = vid, pid
        return known

    ports = [
        info("/dev/ttyUSB0", 0x1A86, 0x7523),
        info("/dev/ttyS0", None, None),
        info("/dev/ttyACM1", 0x2E8A, 0x000A),
        info("/dev/ttyACM0", 0x1234, 0x5678),
    ]
    monkeypatch.setattr(list_ports, "comports", lambda: ports)
    monkeypatch.setattr(Path, "glob", lambda _self, _pattern: iter([Path("/dev/ttyACM0")]))
    found = make_usb_id_finder()()
    assert found == [SerialPort("/dev/ttyACM1"), SerialPort("/dev/ttyUSB0", is_bridged=True)]
    assert [place.byte_seconds > 0 for place in found] == [False, True]
    monkeypatch.setattr(Path, "glob", lambda _self, _pattern: iter(()))
    assert make_usb_id_finder()() == []


def test_a_foreign_device_is_opened_ever_more_seldom(monkeypatch: pytest.MonkeyPatch) -> None:
    """H7: each opening resets it. The clock goes half a second ahead at each look; the device sends zeros."""
    monkeypatch.setattr(driver_module, "SEARCH_SECONDS", 0.0)
    monkeypatch.setattr(driver_module, "READ_BYTES", 1)
    ticks = itertools.count()
    opened_at: list[float] = []
    done = threading.Event()

    def open_zeros(_port: SerialPort) -> OpenPort:
        opened_at.append(clock())
        if len(opened_at) == 8:
            done.set()
        return cast(OpenPort, Path("/dev/zero").open("r+b", buffering=0))

    def clock() -> float:
        return 0.5 * next(ticks)

    driver = ButtonBox(lambda: [SerialPort("/dev/ttyUSB0")], clock, opener=open_zeros)
    try:
        assert done.wait(LIMIT)
    finally:
        driver.close()
    pauses = [after - before for before, after in itertools.pairwise(opened_at[:8])]
    assert pauses == sorted(pauses)
    assert pauses[0] < 30.0 < 290.0 < pauses[-1]


def test_flooding_box_is_muted_with_words(bench: Bench) -> None:
    """F6: its port is closed, the screen says why, and everything else goes on."""
    driver, box = bench.driver(), bench.box()
    box.plug()
    bench.count(driver, DeviceRestored, 1)
    edges = [EdgeMessage(n, n % 10, n // 10 % 2 == 0, 5_000_000 + 66 * n, 0) for n in range(5000)]
    box.send_raw(b"".join(encode_frame(WireFrame(FrameType.EVENT, n % 256, e.pack())) for n, e in enumerate(edges)))
    bench.count(driver, DeviceLost, 1)
    assert "too many presses" in (driver.problem or "")
    bench.until(driver, lambda: driver.device is None)
    assert len(bench.signals) < 1200
