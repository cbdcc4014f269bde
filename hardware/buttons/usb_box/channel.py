"""Wait for bytes of an open serial port and for a wake-up, and write: by `poll`, macOS `select`, Windows pyserial."""

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
    if sys.platform == "win32":
        return TimedChannel(port, wake)
    # Apple's poll(2) does not support devices.
    return SelectChannel(port, wake) if sys.platform == "darwin" else PollChannel(port, wake)


class _FileChannel:
    """A port that is a file: written without waiting."""

    def __init__(self, port: OpenPort, wake: socket.socket) -> None:
        self._descriptor, self._wake = port.fileno(), wake

    def write(self, data: bytes) -> bytes:
        with suppress(BlockingIOError):
            return data[os.write(self._descriptor, data) :]
        return data


class SelectChannel(_FileChannel):
    """Waits by `select`.

    `select` takes file numbers below 1024. macOS gives a process 256 files, and the companion asks for no more.
    """

    def wait(self, seconds: float, *, is_writing: bool) -> bytes:
        # A port is nearly always writable: waiting for that with nothing to write would never wait.
        written = [self._descriptor] if is_writing else []
        ready, _, _ = select.select([self._descriptor, self._wake.fileno()], written, [], seconds)
        if self._wake.fileno() in ready:
            self._wake.recv(READ_BYTES)
        if self._descriptor not in ready:
            return b""
        if data := os.read(self._descriptor, READ_BYTES):
            return data
        raise OSError("unplugged")  # readable and empty


class PollChannel(_FileChannel):
    """Waits by `poll`, which takes every file number."""

    def __init__(self, port: OpenPort, wake: socket.socket) -> None:
        super().__init__(port, wake)
        self._poll = select.poll()
        self._poll.register(wake, select.POLLIN)

    def wait(self, seconds: float, *, is_writing: bool) -> bytes:
        self._poll.register(self._descriptor, select.POLLIN | select.POLLOUT if is_writing else select.POLLIN)
        ready = dict(self._poll.poll(seconds * 1000.0))
        if self._wake.fileno() in ready:
            self._wake.recv(READ_BYTES)
        mask = ready.get(self._descriptor, 0)
        data = os.read(self._descriptor, READ_BYTES) if mask & select.POLLIN else b""
        if not data and mask & (select.POLLIN | select.POLLHUP | select.POLLERR | select.POLLNVAL):
            raise OSError("unplugged")  # readable and empty, or hung up with nothing left
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
