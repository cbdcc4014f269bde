"""The kernel's input devices (/dev/input/event*), read with the standard library alone.

Source of numbers and structures: linux/input.h and linux/input-event-codes.h. Why not the library `evdev`:
docs/design/evdev-without-a-library.md.
"""

import errno
import os
import struct
import sys
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from companion.events import ControllerId

if sys.platform != "win32":
    import fcntl

EV_SYN, EV_KEY, EV_ABS, EV_LED = 0x00, 0x01, 0x03, 0x11
"""Types of events."""
SYN_REPORT, SYN_DROPPED = 0, 3
"""Codes of EV_SYN: the end of a report; the kernel's queue was full and events are lost."""
KEY_MAX, ABS_MAX, LED_MAX = 0x2FF, 0x3F, 0x0F
"""Highest code of each type."""

KEYBOARD_KEYS = range(1, 0x100)
"""Codes of the keys of keyboards, presenters and remote controls."""
JOYSTICK_KEYS = (*range(0x100, 0x10A), *range(0x120, 0x140), *range(0x220, 0x224), *range(0x2C0, 0x2E8))
"""Codes of the buttons of joysticks, gamepads and arcade encoders. Those of mice and touch panels are not among them:
the window has them."""
STICK_AXES = (*range(6), *range(0x10, 0x18))
"""Codes of the axes of sticks and direction pads."""

_EVENT = struct.Struct("llHHi")
"""`struct input_event`: seconds, microseconds, type, code, value."""
_READ_EVENTS = 256
_TEXT_BYTES = 256
_READ, _WRITE = 2, 1


def _request(direction: int, number: int, size: int) -> int:
    """Return the number of an ioctl of the input system (asm-generic/ioctl.h)."""
    return direction << 30 | size << 16 | ord("E") << 8 | number


@dataclass(frozen=True, slots=True)
class InputEvent:
    """One event as the kernel reports it; `at` is the kernel's stamp in seconds of CLOCK_MONOTONIC.

    >>> InputEvent(at=12.5, type=EV_KEY, code=288, value=1).value
    1
    """

    at: float
    type: int
    code: int
    value: int


@dataclass(frozen=True, slots=True)
class AxisRange:
    """Lowest and highest value of an axis, and the value that it had when the device was opened.

    >>> AxisRange(low=-127, high=127, at_rest=0).at_rest
    0
    """

    low: int
    high: int
    at_rest: int


class InputDevice:
    """An open input device, whose events are stamped by the kernel in seconds of CLOCK_MONOTONIC.

    >>> InputDevice(Path("/dev/null"))
    Traceback (most recent call last):
    ...
    OSError: [Errno 25] Inappropriate ioctl for device

    Args:
        path: its node, such as /dev/input/event3.

    Attributes:
        path: the node.
        id: what it is recognised by.
        keys: codes of the keys and buttons that it has.
        axes: the ranges of its sticks and direction pads, by code.
        leds: codes of the lights that can be switched, in order; empty if the node may only be read.

    Raises:
        OSError: it is gone, may not be read, or is no input device.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._handle, may_write = os.open(path, os.O_RDWR | os.O_NONBLOCK), True
        except PermissionError:
            self._handle, may_write = os.open(path, os.O_RDONLY | os.O_NONBLOCK), False
        try:
            fcntl.ioctl(self._handle, _request(_WRITE, 0xA0, 4), struct.pack("i", time.CLOCK_MONOTONIC))
            _bus, vendor, product, _version = struct.unpack("4H", self._ask(0x02, 8))
            self.id = ControllerId(vendor, product, self._ask_text(0x06), self._ask_text(0x08), self._ask_text(0x07))
            self.keys = frozenset(self._ask_codes(0x20 + EV_KEY, KEY_MAX))
            self.axes: Mapping[int, AxisRange] = {
                code: self._ask_axis(code) for code in self._ask_codes(0x20 + EV_ABS, ABS_MAX) if code in STICK_AXES
            }
            self.leds = tuple(sorted(self._ask_codes(0x20 + EV_LED, LED_MAX))) if may_write else ()
        except BaseException:
            os.close(self._handle)
            raise

    @property
    def is_joystick(self) -> bool:
        """Whether it is a joystick, gamepad or arcade encoder, and not a keyboard or anything else."""
        return not self.keys.isdisjoint(JOYSTICK_KEYS)

    @property
    def is_keyboard(self) -> bool:
        """Whether it sends keys of a keyboard, as presenters do, and is no joystick."""
        return not self.is_joystick and not self.keys.isdisjoint(KEYBOARD_KEYS)

    def fileno(self) -> int:
        """Return the descriptor, to wait for events."""
        return self._handle

    def read(self) -> list[InputEvent]:
        """Return the events since the last call, in the kernel's order, without waiting.

        Raises:
            OSError: the device was unplugged.
        """
        events: list[InputEvent] = []
        while True:
            try:
                data = os.read(self._handle, _READ_EVENTS * _EVENT.size)
            except BlockingIOError:
                return events
            if not data:
                raise OSError(errno.ENODEV, "unplugged")
            events += [
                InputEvent(seconds + microseconds * 1e-6, kind, code, value)
                for seconds, microseconds, kind, code, value in _EVENT.iter_unpack(data)
            ]
            if len(data) < _READ_EVENTS * _EVENT.size:
                return events

    def list_held_keys(self) -> frozenset[int]:
        """Return the codes of the keys that are down now.

        Raises:
            OSError: the device was unplugged.
        """
        return frozenset(self._ask_codes(0x18, KEY_MAX))

    def read_axis(self, code: int) -> int:
        """Return the present value of one of `axes`.

        Raises:
            OSError: the device was unplugged.
        """
        return self._ask_axis(code).at_rest

    def set_grabbed(self, is_grabbed: bool) -> None:
        """Take all events for this program alone, or give them back.

        Raises:
            OSError: another program has taken them, or the device was unplugged.
        """
        fcntl.ioctl(self._handle, _request(_WRITE, 0x90, 4), int(is_grabbed))

    def write_leds(self, lit: Iterable[int]) -> None:
        """Switch all lights of `leds`: those of these codes on, the others off.

        Raises:
            OSError: the device was unplugged.
        """
        wanted = set(lit)
        data = b"".join(_EVENT.pack(0, 0, EV_LED, code, int(code in wanted)) for code in self.leds)
        if data:
            os.write(self._handle, data + _EVENT.pack(0, 0, EV_SYN, SYN_REPORT, 0))

    def close(self) -> None:
        """Close the device; the kernel ends a grab by itself."""
        with suppress(OSError):
            os.close(self._handle)

    def _ask(self, number: int, size: int) -> bytes:
        return fcntl.ioctl(self._handle, _request(_READ, number, size), bytes(size))

    def _ask_text(self, number: int) -> str:
        try:
            data = self._ask(number, _TEXT_BYTES)
        except OSError as error:
            if error.errno == errno.ENOENT:  # it has no serial number, or no port
                return ""
            raise
        return data.split(b"\0", 1)[0].decode("utf-8", "replace")

    def _ask_codes(self, number: int, highest: int) -> list[int]:
        bits = int.from_bytes(self._ask(number, highest // 8 + 1), "little")
        return [code for code in range(highest + 1) if bits >> code & 1]

    def _ask_axis(self, code: int) -> AxisRange:
        value, low, high, _fuzz, _flat, _resolution = struct.unpack("6i", self._ask(0x40 + code, 24))
        return AxisRange(low, high, value)
