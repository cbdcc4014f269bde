"""Simulated time for a driver's thread: each of its waits turns a clock, so that seconds pass in microseconds."""

from __future__ import annotations

import math
import queue
import select
import socket
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from types import SimpleNamespace

import pytest

from hardware.buttons.usb_box import channel as channel_module
from hardware.buttons.usb_box import driver as driver_module
from hardware.buttons.usb_box.driver import ButtonBox
from hardware.buttons.usb_box.framing import FrameDecoder, WireFrame, encode_frame
from hardware.buttons.usb_box.ports import OpenPort, PortError, SerialPort
from tests.doubles.simulated_box import SimulatedBox

GRID_SECONDS = 2.0**-20
"""All times are multiples of it, so that their sums and differences are exact."""


class SimulatedTime:
    """The clock, the ports and the devices of one driver, whose thread stops at the time that `run` names.

    Attributes:
        now: the time of the clock.
        ports: what a search finds.
        boxes: the box at each device; a port without one is silent.
        refusals: why a device cannot be opened.
        searched_at: times of the searches.
        opened: each opening, as (time, device).
        frames: what the open port was sent, as (time, frame).
        lose: whether a frame to the box is lost.
        sendings: bytes that the device will send, as (time, bytes).
    """

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        self.ports: Sequence[SerialPort] = ()
        self.boxes: dict[str, SimulatedBox] = {}
        self.refusals: dict[str, str] = {}
        self.searched_at: list[float] = []
        self.opened: list[tuple[float, str]] = []
        self.frames: list[tuple[float, WireFrame]] = []
        self.lose: Callable[[WireFrame], bool] = lambda _frame: False
        self.sendings: list[tuple[float, bytes]] = []
        self._limit = 0.0
        self._is_searching = False
        self._stops = queue.SimpleQueue[float]()
        self._go_out, self._go_in = socket.socketpair()
        self._far: socket.socket | None = None
        self._decoder = FrameDecoder()
        self._drivers: list[ButtonBox] = []
        world = self

        class Event(threading.Event):
            def wait(self, timeout: float | None = None) -> bool:
                return world._wait_for_end(self, timeout or 0.0)

            def set(self) -> None:
                super().set()
                if world._is_searching:
                    world._go_in.send(b"!")

        class Poll:
            def __init__(self) -> None:
                self._poll = select.poll()
                self._poll.register(world._go_out, select.POLLIN)

            def register(self, file: int | socket.socket, mask: int) -> None:
                self._poll.register(file, mask)

            def poll(self, milliseconds: float) -> list[tuple[int, int]]:
                return world._poll(self._poll, milliseconds / 1000.0)

        masks = {name: getattr(select, name) for name in ("POLLIN", "POLLOUT", "POLLHUP", "POLLERR", "POLLNVAL")}
        patch.setattr(channel_module, "select", SimpleNamespace(poll=Poll, **masks))
        kinds = SimpleNamespace(Event=Event, Lock=threading.Lock, Thread=threading.Thread)
        patch.setattr(driver_module, "threading", kinds)

    def start(self, **options: object) -> ButtonBox:
        """Start a driver, at 0 s."""
        driver = ButtonBox(self._find, lambda: self.now, opener=self._open, **options)
        self._drivers.append(driver)
        return driver

    def run(self, until: float) -> None:
        """Let the driver's thread run until that time and wait until it has nothing left to do then."""
        self._limit = until
        self._go_in.send(b"!")
        while self._stops.get() != until:
            pass

    def measure_close(self, driver: ButtonBox) -> float:
        """Close the driver; return how long that took, in simulated seconds."""
        started, self._limit = self.now, math.inf
        driver.close()
        return self.now - started

    def unplug(self) -> None:
        """Unplug the open port's device."""
        if self._far is not None:
            self._far.close()

    def close(self) -> None:
        for driver in self._drivers:
            self.measure_close(driver)
        self.unplug()
        self._go_out.close()
        self._go_in.close()

    # Run by the driver's thread.

    def _find(self) -> Sequence[SerialPort]:
        self.searched_at.append(self.now)
        return self.ports

    def _open(self, port: SerialPort) -> OpenPort:
        if port.device in self.refusals:
            raise PortError(self.refusals[port.device])
        self.unplug()
        self.opened.append((self.now, port.device))
        near, self._far = socket.socketpair()
        self._far.setblocking(False)
        near.setblocking(False)
        self._decoder = FrameDecoder()
        return near  # type: ignore[return-value]  # what `poll` needs of a port

    def _poll(self, poll: select.poll, seconds: float) -> list[tuple[int, int]]:
        end = self.now + round(seconds / GRID_SECONDS) * GRID_SECONDS
        if end <= self.now:
            end += GRID_SECONDS  # as each turn of a loop takes time
        while True:
            box = self._exchange()
            ready = [pair for pair in poll.poll(0) if pair[0] != self._go_out.fileno()]
            if ready or self.now >= end:
                return ready
            due = min([end, box.deadline() if box else math.inf, *(at for at, _ in self.sendings)])
            self._advance(due, poll)

    def _wait_for_end(self, event: threading.Event, seconds: float) -> bool:
        self._is_searching = True
        poll = select.poll()
        poll.register(self._go_out, select.POLLIN)
        end = self.now + round(seconds / GRID_SECONDS) * GRID_SECONDS
        while self.now < end and not event.is_set():
            self._advance(end, poll)
        self._is_searching = False
        return event.is_set()

    def _advance(self, due: float, poll: select.poll) -> None:
        """Turn the clock to `due`, or to the limit and wait there until something happens."""
        limit = self._limit  # read once, and before the poll: the test may set a new one now
        if due <= limit:
            self.now = max(due, self.now + GRID_SECONDS)
            return
        ready = poll.poll(0)
        if not ready:  # all that the test did before it set this limit has been handled
            self.now = max(self.now, limit)
            self._stops.put(limit)
            ready = poll.poll()
        if any(file == self._go_out.fileno() for file, _ in ready):
            self._go_out.recv(1)

    def _exchange(self) -> SimulatedBox | None:
        """Let the device read and write; return the box, if there is one."""
        far, box = self._far, self.boxes.get(self.opened[-1][1])
        if far is None or far.fileno() < 0:
            return None
        with suppress(BlockingIOError):
            frames = self._decoder.feed(far.recv(65536))
            self.frames += [(self.now, frame) for frame in frames]
            for frame in frames:
                if box and not self.lose(frame):
                    box.feed(encode_frame(frame), self.now)
        out = box.poll(self.now) if box else b""
        out += b"".join(data for at, data in self.sendings if at <= self.now)
        self.sendings = [(at, data) for at, data in self.sendings if at > self.now]
        if out:
            far.send(out)
        return box
