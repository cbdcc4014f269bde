"""Wake a thread that waits for a device."""

import socket
import threading
from contextlib import suppress


class ThreadWaker:
    """Wakes a thread that waits with `select` or `poll`: register `readable` beside the device.

    >>> import select
    >>> waker = ThreadWaker()
    >>> waker.send()
    >>> select.select([waker.readable], [], [], 60)[0] == [waker.readable]
    True
    >>> waker.close()

    Attributes:
        readable: readable once `send` was called, until the thread has read what is there.

    Raises:
        OSError: no sockets can be opened (the process has too many open files).
    """

    def __init__(self) -> None:
        self.readable, self._writable = socket.socketpair()
        self._writable.setblocking(False)
        self._lock = threading.Lock()

    def send(self) -> None:
        """Wake the thread; may be called by any thread, after `close` too, and raises nothing."""
        with self._lock, suppress(OSError):  # it is full: the thread wakes up anyway; or closed: the thread has ended
            self._writable.send(b"!")

    def close(self) -> None:
        """Close both ends, once the thread has ended; may be called twice."""
        with self._lock:
            self.readable.close()
            self._writable.close()
