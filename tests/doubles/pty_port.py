"""The virtual box behind a real pty: the driver opens it as it would /dev/ttyACM0, the kernel in between.

A thread of its own plays the microcontroller. What it is asked to do (unplug, reboot, press) happens in that thread.
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
from tests.doubles.simulated_box import Faults, Line, Make, VirtualBox


class End(Protocol):
    """What is at the far end of the cable; see `VirtualBox`."""

    def feed(self, data: bytes, now: float) -> None: ...
    def poll(self, now: float) -> bytes: ...
    def deadline(self) -> float: ...


class Cable:
    """A cable with a real pty at the host's end, plugged into another port each time.

    Args:
        path: where the driver looks; plugged in, it is a link to the pty.
        end: what is at the other end.
        there, back: what the line does, to the box and from it.
        clock: the host's monotonic clock, in seconds.
        seed: of the line's faults.
        listen: a file that is readable when `end` has something to say by itself.
    """

    def __init__(
        self,
        path: Path,
        end: End,
        there: Faults | None = None,
        back: Faults | None = None,
        clock: Callable[[], float] = time.monotonic,
        seed: int = 0,
        listen: int | None = None,
    ) -> None:
        self.path, self._clock, self._end, self._listen_to = path, clock, end, listen
        rng = random.Random(seed)
        self.there, self.back = Line(rng, there or Faults()), Line(rng, back or Faults())
        self.names: list[str] = []
        """The ptys that it has been at."""
        self._master: int | None = None
        self._orders: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._wake_out, self._wake_in = os.pipe()
        self._stop = False
        self._rest = threading.Event()
        self._thread = threading.Thread(target=self._run, name="virtual box", daemon=True)
        self._thread.start()

    def do(self, order: Callable[[], None]) -> None:
        """Have something done in the box's thread, and wait until it is done."""
        done = threading.Event()

        def obey() -> None:
            order()
            done.set()

        self._orders.put(obey)
        os.write(self._wake_in, b"!")
        if not done.wait(30.0):
            raise TimeoutError("the virtual box does not answer")

    def plug(self) -> None:
        """Into a free port, with whatever name the kernel gives."""
        self.do(self._plug)

    def unplug(self) -> None:
        """In the middle of whatever is being said."""
        self.do(self._unplug)

    def say(self, data: bytes) -> None:
        """Sends bytes of no protocol."""
        self.do(lambda: self.back.put(data, self._clock()))

    def close(self) -> None:
        """Ends it; may be called once."""
        self.do(self._leave)
        self._thread.join()
        os.close(self._wake_in)
        os.close(self._wake_out)

    def _leave(self) -> None:
        self._unplug()
        self._stop = True

    def _plug(self) -> None:
        if self._master is not None:
            return
        self._master, slave = os.openpty()
        if self.names and os.ttyname(slave) == self.names[-1]:
            # Another name each time, as USB may give: held while the next one is asked for.
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
        self.there.clear()
        self.back.clear()

    def _run(self) -> None:
        while not self._stop:
            due = min(self.there.next(), self.back.next(), self._end.deadline())
            poll = select.poll()
            poll.register(self._wake_out, select.POLLIN)
            for file in (self._master, self._listen_to):
                if file is not None:
                    poll.register(file, select.POLLIN)
            wait = min(due - self._clock(), 1.0)
            ready = dict(poll.poll(max(0.0, wait) * 1000.0))
            if self._wake_out in ready:
                os.read(self._wake_out, 1)
                self._orders.get()()
            if self._master is not None and ready.get(self._master, 0) & select.POLLIN:
                self._listen(self._master)
            elif self._master is not None and ready.get(self._master, 0) & select.POLLHUP:
                # Nobody has it open: a pty says so all the time, and would keep a core busy.
                self._rest.wait(0.005)
            self._speak()

    def _listen(self, master: int) -> None:
        try:
            data = os.read(master, 4096)
        except OSError:
            return  # the driver closed its end
        self.there.put(data, self._clock())

    def _speak(self) -> None:
        now = self._clock()
        self._end.feed(self.there.get(now), now)
        self.back.put(self._end.poll(now), now)
        data = self.back.get(self._clock())
        if data and self._master is not None:
            with suppress(BlockingIOError):  # nobody reads: a UART's bytes are lost, too
                os.write(self._master, data)


class PtyBox(Cable):
    """A virtual box at a cable's end. It stays powered when it is unplugged, so that what it knows outlives it.

    Args:
        make: what box it is.
        path, there, back, clock, seed: see `Cable`.
    """

    def __init__(
        self,
        path: Path,
        make: Make | None = None,
        there: Faults | None = None,
        back: Faults | None = None,
        clock: Callable[[], float] = time.monotonic,
        seed: int = 0,
    ) -> None:
        self.box = VirtualBox(make or Make(), clock())
        super().__init__(path, self.box, there, back, clock, seed)

    def reboot(self) -> None:
        """It starts anew, and the port stays."""
        self.do(lambda: self.box.reboot(self._clock()))

    def press(self, *edges: tuple[Button, bool, float]) -> list[float]:
        """Buttons go down or up so many seconds from now; gives the host's times of it."""
        times: list[float] = []

        def order() -> None:
            now = self._clock()
            for button, down, after in edges:
                times.append(now + after)
                self.box.edge(button, down, times[-1])

        self.do(order)
        return times
