"""The simulated box behind a real pty, which the driver opens like /dev/ttyACM0.

A thread of its own runs the microcontroller. All requests (unplug, reboot, press) are carried out in that thread.
"""

from __future__ import annotations

import os
import queue
import random
import select
import threading
import time
import tty
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from companion.events import Button
from tests.doubles.simulated_box import BoxSpec, LineFaults, SimulatedBox, SimulatedLine


class CableEnd(Protocol):
    """The device at the far end of the cable; see `SimulatedBox`."""

    def feed(self, data: bytes, now: float) -> None: ...
    def poll(self, now: float) -> bytes: ...
    def deadline(self) -> float: ...


class PtyCable:
    """A cable with a real pty at the host's end, which gets another name each time it is plugged in.

    Args:
        path: where the driver looks; a link to the pty while it is plugged in.
        end: the device at the other end.
        there, back: what the line does, to the box and from it.
        clock: the host's monotonic clock, in seconds.
        seed: of the line's faults.
        listen: a file that is readable when `end` has something to say by itself.
    """

    def __init__(
        self,
        path: Path,
        end: CableEnd,
        to_box_faults: LineFaults | None = None,
        from_box_faults: LineFaults | None = None,
        clock: Callable[[], float] = time.monotonic,
        seed: int = 0,
        end_output: int | None = None,
    ) -> None:
        self.path, self._clock, self._end, self._end_output = path, clock, end, end_output
        rng = random.Random(seed)
        self.to_box, self.from_box = (
            SimulatedLine(rng, to_box_faults or LineFaults()),
            SimulatedLine(rng, from_box_faults or LineFaults()),
        )
        self.names: list[str] = []
        """Names of the ptys used so far."""
        self._master: int | None = None
        self._actions: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._wake_out, self._wake_in = os.pipe()
        self._stop = False
        self._rest = threading.Event()
        self._thread = threading.Thread(target=self._run, name="virtual box", daemon=True)
        self._thread.start()

    def run_in_thread(self, action: Callable[[], None]) -> None:
        """Run `action` in the box's thread and wait for it."""
        done = threading.Event()

        def run() -> None:
            action()
            done.set()

        self._actions.put(run)
        os.write(self._wake_in, b"!")
        done.wait()

    def plug(self) -> None:
        """Plug the cable into a free port."""
        self.run_in_thread(self._plug)

    def unplug(self) -> None:
        """Unplug the cable, even in the middle of a frame."""
        self.run_in_thread(self._unplug)

    def replace_end(self, end: CableEnd, end_output: int | None) -> None:
        """Put another device at the far end; the old one is no longer used when this returns."""

        def replace() -> None:
            self._end, self._end_output = end, end_output

        self.run_in_thread(replace)

    def send_raw(self, data: bytes) -> None:
        """Send arbitrary bytes to the host."""
        self.run_in_thread(lambda: self.from_box.write(data, self._clock()))

    def close(self) -> None:
        """End the thread; may be called once."""
        self.run_in_thread(self._stop_thread)
        self._thread.join()
        os.close(self._wake_in)
        os.close(self._wake_out)

    def _stop_thread(self) -> None:
        self._unplug()
        self._stop = True

    def _plug(self) -> None:
        if self._master is not None:
            return
        self._master, slave = os.openpty()
        if self.names and os.ttyname(slave) == self.names[-1]:
            # Another name each time, as with USB: hold this one while the next one is opened.
            old = (self._master, slave)
            self._master, slave = os.openpty()
            for end in old:
                os.close(end)
        tty.setraw(slave)
        name = os.ttyname(slave)
        self.names.append(name)
        os.close(slave)
        os.set_blocking(self._master, False)
        fresh = self.path.with_name(self.path.name + ".new")
        fresh.symlink_to(name)
        fresh.replace(self.path)

    def _unplug(self) -> None:
        if self._master is None:
            return
        self.path.unlink(missing_ok=True)
        os.close(self._master)
        self._master = None
        self.to_box.clear()
        self.from_box.clear()

    def _run(self) -> None:
        while not self._stop:
            due = min(self.to_box.next_arrival(), self.from_box.next_arrival(), self._end.deadline())
            poll = select.poll()
            poll.register(self._wake_out, select.POLLIN)
            for file in (self._master, self._end_output):
                if file is not None:
                    poll.register(file, select.POLLIN)
            wait = min(due - self._clock(), 1.0)
            ready = dict(poll.poll(max(0.0, wait) * 1000.0))
            if self._wake_out in ready:
                os.read(self._wake_out, 1)
                self._actions.get()()
            if self._master is not None and ready.get(self._master, 0) & select.POLLIN:
                self._read_host(self._master)
            elif self._master is not None and ready.get(self._master, 0) & select.POLLHUP:
                # The pty is not open: poll reports this all the time and would keep a core busy.
                self._rest.wait(0.005)
            self._exchange()

    def _read_host(self, master: int) -> None:
        try:
            data = os.read(master, 4096)
        except OSError:
            return  # the driver closed its end
        self.to_box.write(data, self._clock())

    def _exchange(self) -> None:
        now = self._clock()
        self._end.feed(self.to_box.read(now), now)
        self.from_box.write(self._end.poll(now), now)
        data = self.from_box.read(self._clock())
        if data and self._master is not None:
            with suppress(BlockingIOError):  # nobody reads: a UART's bytes are lost, too
                os.write(self._master, data)


class PtyBox(PtyCable):
    """A simulated box at a cable's end. It stays powered while it is unplugged, so that it keeps its state.

    Args:
        make: what box it is.
        path, there, back, clock, seed: see `Cable`.
    """

    def __init__(
        self,
        path: Path,
        spec: BoxSpec | None = None,
        to_box_faults: LineFaults | None = None,
        from_box_faults: LineFaults | None = None,
        clock: Callable[[], float] = time.monotonic,
        seed: int = 0,
    ) -> None:
        self.box = SimulatedBox(spec or BoxSpec(), clock())
        super().__init__(path, self.box, to_box_faults, from_box_faults, clock, seed)

    def reboot(self) -> None:
        """Restart the box; the port stays."""
        self.run_in_thread(lambda: self.box.reboot(self._clock()))

    def press(self, *edges: tuple[Button, bool, float]) -> list[float]:
        """Plan edges as (button, is_down, seconds from now) and return their host times."""
        times: list[float] = []

        def order() -> None:
            now = self._clock()
            for button, down, after in edges:
                times.append(now + after)
                self.box.add_edge(button, down, times[-1])

        self.run_in_thread(order)
        return times
