"""What the kernel is asked, by the numbers of linux/input.h, written and read: without uinput, at a FIFO.

On devices of a real kernel: test_driver.py.
"""

from __future__ import annotations

import os
import stat
import struct
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.events import (
    Button,
    ButtonPressed,
    ButtonReleased,
    ControllerId,
    ControlPressed,
    DeviceLost,
    DeviceRestored,
    Event,
)
from hardware.buttons.controllers.bindings import ButtonBinding
from hardware.buttons.controllers.driver import ControllerSource
from hardware.buttons.controllers.evdev import EV_KEY, EV_LED, EV_SYN, SYN_REPORT, AxisRange, InputDevice

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no FIFOs here")

PAD = ControllerId(0x79, 6, "Pad", port="usb-1")
EVIOCGRAB, EVIOCSCLOCKID, EVIOCGKEY = 0x40044590, 0x400445A0, 0x80604518
ANSWERS = {
    0x80084502: struct.pack("4H", 3, 0x79, 6, 1),  # EVIOCGID
    0x81004506: b"Pad\0".ljust(256, b"?"),  # EVIOCGNAME
    0x81004507: b"usb-1\0".ljust(256, b"?"),  # EVIOCGPHYS
    0x81004508: bytes(256),  # EVIOCGUNIQ
    0x80604521: (1 << 288 | 1 << 289 | 1 << 0x2FF).to_bytes(96, "little"),  # EVIOCGBIT(EV_KEY)
    0x80084523: b"\x43".ljust(8, b"\0"),  # EVIOCGBIT(EV_ABS): a stick, and a throttle, which is none
    0x80024531: b"\6\0",  # EVIOCGBIT(EV_LED)
    EVIOCGKEY: (1 << 288).to_bytes(96, "little"),
    0x80184540: struct.pack("6i", 5, -127, 127, 0, 0, 0),  # EVIOCGABS(ABS_X)
    0x80184541: struct.pack("6i", 128, 0, 255, 0, 0, 0),  # EVIOCGABS(ABS_Y)
}


class Kernel:
    """Answers requests; notes those that ask for nothing, each with its number."""

    def __init__(self) -> None:
        self.answers, self.orders = dict(ANSWERS), list[tuple[int, int]]()

    def answer(self, _handle: int, request: int, argument: bytes | int) -> bytes:
        if isinstance(argument, int) or request == EVIOCSCLOCKID:
            self.orders.append((request, argument if isinstance(argument, int) else struct.unpack("i", argument)[0]))
            return b""
        assert len(argument) == len(self.answers[request])
        return self.answers[request]


@pytest.fixture
def kernel(monkeypatch: pytest.MonkeyPatch) -> Kernel:
    kernel = Kernel()
    monkeypatch.setattr("fcntl.ioctl", kernel.answer)
    return kernel


@pytest.fixture
def node(tmp_path: Path) -> Path:
    os.mkfifo(tmp_path / "event3")
    return tmp_path / "event3"


def test_a_device_is_described_grabbed_and_lit(kernel: Kernel, node: Path) -> None:
    device = InputDevice(node)
    assert (device.id, device.is_joystick, device.is_keyboard) == (PAD, True, False)
    assert sorted(device.keys) == [288, 289, 0x2FF]
    assert device.axes == {0: AxisRange(-127, 127, 5), 1: AxisRange(0, 255, 128)}
    assert (sorted(device.list_held_keys()), device.read_axis(0)) == ([288], 5)
    device.set_grabbed(is_grabbed=True)
    device.set_grabbed(is_grabbed=False)
    assert kernel.orders == [(EVIOCSCLOCKID, 1), (EVIOCGRAB, 1), (EVIOCGRAB, 0)], "stamps are of the monotonic clock"
    assert device.leds == (1, 2)
    device.write_leds([2])
    written = [(each.type, each.code, each.value) for each in device.read()]
    assert written == [(EV_LED, 1, 0), (EV_LED, 2, 1), (EV_SYN, SYN_REPORT, 0)]
    device.close()


class Listener:
    """A source of controllers whose bindings change, and its events."""

    def __init__(self, node: Path) -> None:
        self._node = node
        self.bindings: list[ButtonBinding] = []
        self._turn = threading.Event()
        self.source = ControllerSource(self._list_bindings, lambda: False, time.monotonic, folder=node.parent)

    def _list_bindings(self) -> list[ButtonBinding]:
        self._turn.set()
        return list(self.bindings)

    def read_events(self) -> list[Event]:
        """Let the source have a whole turn; return its events."""
        for _ in range(2):
            self._turn.clear()
            self.source.set_lamps({})  # wakes it
            assert self._turn.wait(10.0)
        return self.source.read()

    def press(self, code: int, *values: int) -> list[Event]:
        with self._node.open("wb") as pipe:
            for value in values:
                pipe.write(struct.pack("llHHi", 1, 0, EV_KEY, code, value))
        return self.read_events()


@pytest.fixture
def listener(kernel: Kernel, node: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Listener]:
    """The source with the pad plugged in and no key held."""
    kernel.answers[EVIOCGKEY] = bytes(96)
    status, get_status = os.stat_result((stat.S_IFCHR, *range(1, 10))), Path.stat

    def stat_node(path: Path, **how: bool) -> os.stat_result:
        # A FIFO's times change whenever something is written to it: it would be another device.
        return status if path == node and os.path.lexists(path) else get_status(path, **how)

    monkeypatch.setattr(Path, "stat", stat_node)
    listener = Listener(node)
    yield listener
    listener.source.close()


def test_a_taught_pad_is_announced_once_and_when_it_is_forgotten(listener: Listener) -> None:
    def press(code: int) -> list[Event]:
        return [each for each in listener.press(code, 1, 0) if not isinstance(each, ButtonReleased)]

    listener.bindings.append(ButtonBinding(PAD, "key 288", Button.OK))
    (there,) = listener.read_events()
    assert isinstance(there, DeviceRestored)
    assert there.name == "Pad"
    assert press(288) == [ButtonPressed(Button.OK, 1.0, "Pad")]
    listener.bindings.append(ButtonBinding(PAD, "key 289", Button.NO))
    assert [each for each in listener.read_events() if not isinstance(each, ButtonReleased)] == [], "it has been there"
    assert press(289) == [ButtonPressed(Button.NO, 1.0, "Pad")]
    listener.bindings.clear()
    (forgotten,) = (each for each in listener.read_events() if not isinstance(each, ButtonReleased))
    assert isinstance(forgotten, DeviceRestored)
    assert forgotten.name == "Pad", "nobody misses it"
    assert press(289) == [ControlPressed(PAD, "key 289", 1.0, False)]


def test_a_pad_that_is_unplugged_is_lost_and_its_held_key_released(
    listener: Listener, node: Path, caplog: pytest.LogCaptureFixture
) -> None:
    listener.bindings.append(ButtonBinding(PAD, "key 288", Button.OK))
    listener.read_events()
    assert listener.press(288, 1) == [ButtonPressed(Button.OK, 1.0, "Pad")]
    node.unlink()
    listener.bindings.append(ButtonBinding(PAD, "key 289", Button.NO))  # so that it searches at once
    events = listener.read_events()
    assert {type(each) for each in events} == {ButtonReleased, DeviceLost}
    assert [record.getMessage() for record in caplog.records] == ["Pad: gone"]


def test_a_pad_is_not_missed_at_the_end(listener: Listener, caplog: pytest.LogCaptureFixture) -> None:
    listener.bindings.append(ButtonBinding(PAD, "key 288", Button.OK))
    listener.read_events()
    listener.source.close()
    assert not caplog.records
