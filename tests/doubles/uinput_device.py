"""Real input devices of the kernel, made through /dev/uinput: what the companion reads is the kernel's own."""

from __future__ import annotations

import fcntl
import os
import select
import struct
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from companion.events import ControllerId

UINPUT = Path("/dev/uinput")
EVENT = struct.Struct("llHHi")
SYN, KEY, ABS, LED = 0, 1, 3, 17


@dataclass(frozen=True)
class DeviceModel:
    """A product: its ids, name, keys, axes (lowest, highest and resting value by code) and lights."""

    vendor: int
    product: int
    name: str
    keys: Sequence[int]
    axes: dict[int, tuple[int, int, int]] = field(default_factory=dict)
    leds: Sequence[int] = ()


ENCODER = DeviceModel(
    0x0079, 0x0006, "DragonRise Inc.   Generic   USB  Joystick  ", range(288, 300), {0: (0, 255, 127), 1: (0, 255, 127)}
)
BUZZ = DeviceModel(0x054C, 0x0002, "Logitech Logitech Buzz(tm) Controller V1", range(288, 308))
GAMEPAD = DeviceModel(
    0x045E,
    0x028E,
    "Microsoft X-Box 360 pad",
    (304, 305, 307, 308, 310, 311, 314, 315),
    {0: (-32768, 32767, 0), 1: (-32768, 32767, 0), 2: (0, 255, 0), 16: (-1, 1, 0), 17: (-1, 1, 0)},
)
PRESENTER = DeviceModel(0x046D, 0xC52D, "Logitech USB Receiver", range(1, 128))
KEYBOARD = DeviceModel(0x413C, 0x2107, "Dell USB Entry Keyboard", range(1, 128), leds=(0, 1, 2))
LIT_ENCODER = DeviceModel(0x16C0, 0x05DC, "Arcade encoder with lamps", range(288, 294), leds=range(6))


class UinputDevice:
    """A device that is plugged in while it is open."""

    def __init__(self, model: DeviceModel, port: str = "usb-rig-1/input0") -> None:
        self.model, self.port = model, port
        self._lit: set[int] = set()
        self._handle: int | None = None
        self.node = Path()
        self.plug()

    @property
    def id(self) -> ControllerId:
        return ControllerId(self.model.vendor, self.model.product, self.model.name, "", self.port)

    @property
    def is_plugged(self) -> bool:
        return self._handle is not None

    def plug(self) -> None:
        self._handle = handle = os.open(UINPUT, os.O_RDWR | os.O_NONBLOCK)
        model = self.model
        for kind in (KEY, *([ABS] if model.axes else []), *([LED] if model.leds else [])):
            fcntl.ioctl(handle, 0x40045564, kind)
        for request, codes in ((0x40045565, model.keys), (0x40045567, model.axes), (0x40045569, model.leds)):
            for code in codes:
                fcntl.ioctl(handle, request, code)
        for code, (low, high, rest) in model.axes.items():
            fcntl.ioctl(handle, 0x401C5504, struct.pack("HxxiiiiiI", code, rest, low, high, 0, 0, 0))
        fcntl.ioctl(handle, 0x4008556C, self.port.encode() + b"\0")
        fcntl.ioctl(
            handle, 0x405C5503, struct.pack("4H80sI", 3, model.vendor, model.product, 1, model.name.encode(), 0)
        )
        fcntl.ioctl(handle, 0x5501)
        name = fcntl.ioctl(handle, 2 << 30 | 64 << 16 | 0x552C, bytes(64)).split(b"\0")[0].decode()
        (node,) = Path("/sys/devices/virtual/input", name).glob("event*")
        self.node = Path("/dev/input") / node.name

    def unplug(self) -> None:
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None
            self._lit.clear()

    def send(self, *events: tuple[int, int, int]) -> None:
        """Send events (type, code, value) as one report."""
        assert self._handle is not None, "it is unplugged"
        os.write(self._handle, b"".join(EVENT.pack(0, 0, *each) for each in (*events, (SYN, 0, 0))))

    def press(self, *codes: int) -> None:
        """Press buttons in one report."""
        self.send(*((KEY, code, 1) for code in codes))

    def release(self, *codes: int) -> None:
        """Release buttons in one report."""
        self.send(*((KEY, code, 0) for code in codes))

    def move(self, axis: int, value: int) -> None:
        """Move an axis."""
        self.send((ABS, axis, value))

    def read_lit(self, wanted: Iterable[int], seconds: float = 200.0) -> set[int]:
        """Follow the lights until those of `wanted` are lit, at most so many seconds; return those that are."""
        if self._handle is None:
            return set()
        lit = self._lit
        end = time.monotonic() + seconds
        while True:
            select.select([self._handle], [], [], min(0.05, seconds))
            with suppress(BlockingIOError):
                for *_, kind, code, value in EVENT.iter_unpack(os.read(self._handle, 64 * EVENT.size)):
                    if kind == LED:
                        (lit.add if value else lit.discard)(code)
            if lit == set(wanted) or time.monotonic() >= end:
                return set(lit)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.unplug()
