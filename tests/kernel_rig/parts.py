"""The rig's devices as players use them: camera and button box with their plugs, pins, lamps, screen."""

from __future__ import annotations

import fcntl
import os
import select
import struct
import threading
import time
import tty
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np

from companion.config.gpio_pins import ButtonPins, LampPins
from companion.events import Button
from companion.games.macroscope.simulator.appearance import MacroscopeAppearance
from companion.games.macroscope.simulator.render import MacroscopeRenderer
from companion.games.macroscope.simulator.table import MacroscopeTable
from hardware.buttons.usb_box.messages import BUTTONS
from tests.firmware.simulator import Live
from tests.kernel_rig.usb_gadget import show_pico

GADGET = Path("/dev/ttyGS0")
"""The device's side of the USB cable."""
PICTURE_EVERY = 0.12
"""Seconds between two pictures of the camera."""
PLUG_SECONDS = 0.05
"""Seconds until the cable notices that its plug was pulled or put in."""
SIZE = (1280, 720)
VIDIOC_S_FMT, OUTPUT, YUYV = 0xC0D05605, 2, 0x56595559


class TableCamera:
    """A virtual table, seen by the rig's loopback camera while it is plugged in. Its thread moves the table as well."""

    def __init__(self, device: Path, seed: int) -> None:
        look = MacroscopeAppearance()
        self.table = MacroscopeTable(Random(seed), look.layout, look.die_size_mm)
        self._renderer = MacroscopeRenderer(look, seed)
        self._device = device
        self._lock = threading.Lock()
        self._there = True
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def run_on_table(self, action: Callable[[MacroscopeTable, float], Any]) -> Any:
        """Run an action on the table in its thread; return its result."""
        with self._lock:
            return action(self.table, time.monotonic())

    def unplug(self) -> None:
        """Unplug the cable."""
        self._there = False

    def plug(self) -> None:
        """Plug the cable in again."""
        self._there = True

    def close(self) -> None:
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        handle: int | None = None
        version: object = None
        # Add noise: the companion treats a camera that repeats the same picture as frozen.
        noise = [np.random.default_rng(n).integers(0, 4, (SIZE[1], SIZE[0], 3), np.uint8) for n in range(2)]
        pictures, number = [b""], 0
        while not self._stop.is_set():
            began = time.monotonic()
            with self._lock:
                self.table.step(began)
                if self.table.version != version or self.table.is_moving:
                    version = self.table.version
                    image = cv2.resize(self._renderer.render(self.table), SIZE)
                    pictures = [cv2.cvtColor(cv2.add(image, n), cv2.COLOR_BGR2YUV_YUYV).tobytes() for n in noise]
                number += 1
            if self._there:
                handle = self._open() if handle is None else handle
                os.write(handle, pictures[number % len(pictures)])
            elif handle is not None:
                os.close(handle)
                handle = None
            self._stop.wait(max(0.01, PICTURE_EVERY - (time.monotonic() - began)))

    def _open(self) -> int:
        handle = os.open(self._device, os.O_RDWR)
        width, height = SIZE
        form = bytearray(208)
        struct.pack_into("I", form, 0, OUTPUT)
        struct.pack_into("IIIIIII", form, 8, width, height, YUYV, 1, width * 2, width * height * 2, 8)
        fcntl.ioctl(handle, VIDIOC_S_FMT, form)
        return handle


class UsbBox:
    """The simulated chip with the box's firmware, at the far end of the rig's USB cable."""

    def __init__(self, folder: Path) -> None:
        show_pico()
        self.live = Live(folder)
        self._far = os.open(self.live.port, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        tty.setraw(self._far)
        self._gadget: int | None = None
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._carry, daemon=True)
        self._thread.start()
        self._udc = Path(os.environ["RIG_USB"])
        self.plug()

    def plug(self) -> None:
        if not self._udc.read_text(encoding="ascii").strip():
            self._udc.write_text("dummy_udc.0\n", encoding="ascii")
        handle = os.open(GADGET, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        tty.setraw(handle)
        with self._lock:
            self._gadget = handle

    def unplug(self) -> None:
        with self._lock:
            handle, self._gadget = self._gadget, None
        if handle is not None:
            os.close(handle)
        self._udc.write_text("\n", encoding="ascii")

    def press(self, button: Button) -> None:
        """Press a button for 60 ms, with a bounce."""
        number = BUTTONS.index(button)
        # One command: between two, simulated time passes, and on a busy machine the bounce would be a press of its own.
        edges = ((500, 1), (700, 0), (900, 1), (60_000, 0))
        self.live.tell("\n".join(f"pin +{at} {number} {level}" for at, level in edges))

    def close(self) -> None:
        self._stop.set()
        self._thread.join()
        self.unplug()
        os.close(self._far)
        self.live.__exit__(None, None, None)

    def _carry(self) -> None:
        while not self._stop.is_set():
            gadget = self._gadget
            ends = [self._far] if gadget is None else [self._far, gadget]
            try:
                ready = select.select(ends, [], [], PLUG_SECONDS)[0]
            except OSError:  # the plug was pulled just now
                continue
            carried = 0
            with self._lock:
                for source in ready if gadget == self._gadget else []:
                    target = gadget if source == self._far else self._far
                    with suppress(OSError):
                        data = os.read(source, 512)
                        carried += len(data)
                        if target is not None and data:
                            os.write(target, data)
            if ready and not carried:  # hung up, until the plug is pulled
                self._stop.wait(PLUG_SECONDS)


class RigPins:
    """The rig's GPIO lines, wired as the default settings have them."""

    def __init__(self) -> None:
        self._lines = Path(os.environ["RIG_GPIO"])
        self._buttons, self._lamps = ButtonPins().list_wired(), LampPins().list_wired()

    def press(self, button: Button) -> None:
        """Press and release a button; the kernel timestamps the edges."""
        pull = self._lines / f"sim_gpio{self._buttons[button]}" / "pull"
        pull.write_text("pull-down", encoding="ascii")
        time.sleep(0.1)
        pull.write_text("pull-up", encoding="ascii")

    def list_lit(self) -> set[Button]:
        """Return the buttons whose lamps are lit now."""
        return {
            button
            for button, pin in self._lamps.items()
            if (self._lines / f"sim_gpio{pin}" / "value").read_text(encoding="ascii").strip() == "1"
        }


def read_screen_state() -> dict[str, bool]:
    """Return the kernel's screen state: whether a mode is set and a picture attached."""
    state = Path("/sys/kernel/debug/dri/0/state").read_text(encoding="ascii")
    return {"active": "active=1" in state, "picture": "allocated by" in state or "fb=" in state.replace("fb=0\n", "")}
