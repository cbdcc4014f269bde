"""Tell systemd how the program is: ready, alive, its status, stopping (sd_notify(3), sd_watchdog_enabled(3)).

Own code, since it is one datagram to a socket named in the environment: PyPI's sdnotify has had no release since 2017,
and the binding of libsystemd would be one more Debian package. Without systemd nothing is sent.
"""

import os
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from companion.log import log

FEEDS_PER_TIMEOUT = 4.0
"""How often the watchdog is fed within its timeout. systemd advises at least 2; more feeds tolerate slower loops."""
STARTUP_GRACE_SECONDS = 60.0
"""Seconds after the start in which the watchdog's timeout is this long: OpenCV is loaded with the first picture, and
while its two hundred libraries are read from a cold SD card no other Python thread runs."""
EXTENSION_SECONDS = 60.0
"""Time that each message of `extending_start` adds. Longer: a hung start is noticed that much later."""
EXTENSION_INTERVAL_SECONDS = 20.0
"""Time between two such messages; a slow machine may be late by twice as much."""
MAX_EXTENSIONS = 90
"""Such messages of one start, half an hour: far beyond the repair of the largest journal."""
MAX_STATUS_LETTERS = 120
"""Longest status line; the rest is cut off."""


class SystemdNotifier:
    """Notifications to systemd, if it runs the program; otherwise nothing is sent. No method raises.

    Feed the watchdog from the main loop only: a thread would go on feeding it while the main loop hangs. The thread of
    `extending_start` has an end of its own.

    Args:
        environ: the environment with $NOTIFY_SOCKET, $WATCHDOG_USEC and $WATCHDOG_PID.
        monotonic: returns seconds on the host's monotonic clock.
    """

    def __init__(
        self, environ: Mapping[str, str] = os.environ, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._address = _parse_address(environ.get("NOTIFY_SOCKET", ""))
        self._monotonic = monotonic
        self._timeout_seconds = _parse_watchdog_seconds(environ)
        self._feed_interval_seconds = self._timeout_seconds / FEEDS_PER_TIMEOUT
        self._last_fed_at = -1e9
        self._ready = False
        self._grace_until: float | None = None
        self._status = ""
        self._send_failed = False

    @property
    def is_present(self) -> bool:
        """Whether systemd runs the program as a service and listens."""
        return self._address is not None

    @contextmanager
    def extending_start(self) -> Iterator[None]:
        """Ask for more time to start while the block runs, in a thread: repairing a large journal takes minutes.

        That ends after MAX_EXTENSIONS messages, so that a start that hangs is noticed.
        """
        is_over = threading.Event()

        def extend() -> None:
            for _ in range(MAX_EXTENSIONS):
                self._send(f"EXTEND_TIMEOUT_USEC={round(EXTENSION_SECONDS * 1e6)}")
                if is_over.wait(EXTENSION_INTERVAL_SECONDS):
                    break

        thread = threading.Thread(target=extend, name="start timeout", daemon=True)
        if self.is_present:
            thread.start()
        try:
            yield
        finally:
            is_over.set()
            if self.is_present:
                thread.join()

    def notify_ready(self, status: str) -> None:
        """Notify that the program is ready to play; later calls only change the status line, if it is another one.

        For STARTUP_GRACE_SECONDS after the first call the watchdog's timeout is that long.

        Args:
            status: one line for `systemctl status`; line breaks become spaces, cut off after MAX_STATUS_LETTERS
                characters.
        """
        if not self._ready:
            self._ready = True
            self._send("READY=1")
            if 0 < self._timeout_seconds < STARTUP_GRACE_SECONDS:
                self._grace_until = self._monotonic() + STARTUP_GRACE_SECONDS
                self._set_watchdog_timeout(STARTUP_GRACE_SECONDS)
        status = " ".join(status.split())[:MAX_STATUS_LETTERS]
        if status != self._status:
            self._status = status
            self._send(f"STATUS={status}")

    def feed_watchdog(self) -> None:
        """Feed the watchdog if a quarter of its timeout has passed since it was last fed; call it in each turn.

        Without a watchdog nothing is sent.
        """
        if self._feed_interval_seconds <= 0:
            return
        now = self._monotonic()
        if now - self._last_fed_at >= self._feed_interval_seconds:
            self._last_fed_at = now
            self._send("WATCHDOG=1")
        if self._grace_until is not None and now >= self._grace_until:
            self._grace_until = None
            self._set_watchdog_timeout(self._timeout_seconds)

    def notify_waiting(self, reason: str) -> None:
        """Notify that the program waits for something that people must fix, so that systemd does not restart it.

        Call it again and again while it waits: it feeds the watchdog.

        Args:
            reason: what it waits for, shown by `systemctl status` as "waiting: REASON".
        """
        self.notify_ready(f"waiting: {reason}")
        self.feed_watchdog()

    def notify_stopping(self) -> None:
        """Notify that the program ends normally."""
        self._send("STOPPING=1")

    def _set_watchdog_timeout(self, seconds: float) -> None:
        self._send(f"WATCHDOG_USEC={round(seconds * 1e6)}")

    def _send(self, message: str) -> None:
        if self._address is None or sys.platform == "win32":
            return
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as connection:
                # systemd's queue may be full: do not wait for it, the watchdog is fed again soon.
                connection.setblocking(False)
                connection.sendto(message.encode(), self._address)
        except OSError as error:
            if not self._send_failed:
                log.warning("systemd cannot be notified: %s", error)
            self._send_failed = True


def _parse_address(text: str) -> str | None:
    """Return the socket's address for the kernel; None: nobody listens. A leading @ stands for a zero byte."""
    if text.startswith("@"):
        return "\0" + text[1:]
    return text if text.startswith("/") else None


def _parse_watchdog_seconds(environ: Mapping[str, str]) -> float:
    """Return after how many seconds without being fed the watchdog restarts the program; 0: it is off."""
    if environ.get("WATCHDOG_PID", "") not in {"", str(os.getpid())}:
        return 0.0  # it is another process's
    microseconds = environ.get("WATCHDOG_USEC", "")
    return int(microseconds) / 1e6 if microseconds.isascii() and microseconds.isdigit() else 0.0
