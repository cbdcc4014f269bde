"""A USB cable between the simulated box and the companion: it can be pulled out and put back in."""

from __future__ import annotations

import os
import pty
import select
import threading
import tty
from contextlib import suppress
from pathlib import Path


class Cable:
    """A USB cable that carries bytes between the box's pty and a new one, linked at `port` while it is plugged in.

    Args:
        box: the simulated box's pty.
        port: a path for the companion; a symbolic link, as udev makes them.
    """

    def __init__(self, box: str, port: Path) -> None:
        self._box = os.open(box, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        tty.setraw(self._box)
        self._port = port
        self._ends: tuple[int, int] | None = None
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._carry, daemon=True)
        self._thread.start()
        self.plug()

    def plug(self) -> None:
        """Plug the cable in, under a new name of the system's."""
        host, far = pty.openpty()
        tty.setraw(far)
        os.set_blocking(host, False)
        with self._lock:
            self._ends = (host, far)
        self._port.symlink_to(os.ttyname(far))

    def pull(self) -> None:
        """Pull the cable out: bytes on the line are lost."""
        self._port.unlink()
        with self._lock:
            ends, self._ends = self._ends, None
            assert ends is not None
            for end in ends:
                os.close(end)

    def close(self) -> None:
        self._stop.set()
        self._thread.join()
        if self._ends is not None:
            self.pull()
        os.close(self._box)

    def _carry(self) -> None:
        while not self._stop.is_set():
            with self._lock:
                host = self._ends[0] if self._ends else None
                for source, target in ((self._box, host), (host, self._box)):
                    if source is None or not select.select([source], [], [], 0)[0]:
                        continue
                    with suppress(OSError):
                        data = os.read(source, 512)
                        if target is not None:
                            os.write(target, data)
            self._stop.wait(0.001)
