"""Wait for bytes of an open serial port and for a wake-up, and write: by `poll`, or on Windows by pyserial alone."""

import os
import select
import socket
import sys
from contextlib import suppress
from typing import Protocol

from hardware.buttons.usb_box.ports import OpenPort

READ_BYTES = 65536
"""Largest number of bytes read at once."""


class PortChannel(Protocol):
    """The bytes of an open port, for its own thread.

    >>> from types import SimpleNamespace
    >>> board, port = os.openpty()
    >>> waker, wake = socket.socketpair()
    >>> with waker, wake:
    ...     channel = make_channel(SimpleNamespace(fileno=lambda: port), wake)
    ...     channel.write(b"HELLO"), channel.wait(0.0, is_writing=False)
    ...
    (b'', b'')
    """

    def wait(self, seconds: float, *, is_writing: bool) -> bytes:
        """Wait until bytes arrive, the thread is woken, or the time is over; return the bytes.

        Args:
            seconds: 0 or more.
            is_writing: wait also until the port takes more bytes.

        Raises:
            OSError: the port was unplugged.
        """

    def write(self, data: bytes) -> bytes:
        """Write as much as the port takes; return the rest.

        Raises:
            OSError: the port was unplugged.
        """


def make_channel(port: OpenPort, wake: socket.socket) -> PortChannel:
    """Return the channel of an open port.

    Args:
        port: open, and not blocking.
        wake: readable when the thread is to be woken.
    """
    return TimedChannel(port, wake) if sys.platform == "win32" else PollChannel(port, wake)


class PollChannel:
    """Waits by `poll`: the port is a file."""

    def __init__(self, port: OpenPort, wake: socket.socket) -> None:
        self._descriptor, self._wake = port.fileno(), wake
        self._poll = select.poll()
        self._poll.register(wake, select.POLLIN)

    def wait(self, seconds: float, *, is_writing: bool) -> bytes:
        # A port is nearly always writable: waiting for that with nothing to write would never wait.
        self._poll.register(self._descriptor, select.POLLIN | select.POLLOUT if is_writing else select.POLLIN)
        ready = dict(self._poll.poll(seconds * 1000.0))
        if self._wake.fileno() in ready:
            self._wake.recv(READ_BYTES)
        mask = ready.get(self._descriptor, 0)
        data = os.read(self._descriptor, READ_BYTES) if mask & select.POLLIN else b""
        if not data and mask & (select.POLLIN | select.POLLHUP | select.POLLERR | select.POLLNVAL):
            raise OSError("unplugged")  # readable and empty, or hung up with nothing left
        return data

    def write(self, data: bytes) -> bytes:
        with suppress(BlockingIOError):
            return data[os.write(self._descriptor, data) :]
        return data


class TimedChannel:
    """Waits in pyserial's `read`, which returns after READ_SECONDS at the latest: what wakes the thread waits so long.

    Bytes are returned as soon as they arrive. The port is no file here, and nothing else can be waited for beside it.
    """

    def __init__(self, port: OpenPort, wake: socket.socket) -> None:
        self._port, self._wake = port, wake
        wake.setblocking(False)

    def wait(self, seconds: float, *, is_writing: bool) -> bytes:
        with suppress(BlockingIOError):
            self._wake.recv(READ_BYTES)
        waiting = self._port.in_waiting
        if not waiting and seconds <= 0.0:
            return b""
        data = self._port.read(waiting or 1)
        return data + self._port.read(self._port.in_waiting) if data else data

    def write(self, data: bytes) -> bytes:
        return data[self._port.write(data) :]
