"""Tells systemd how the program is: ready, alive, what it does, ending (sd_notify(3), sd_watchdog_enabled(3)).

Own code, as it is one datagram to a socket that stands in the environment: PyPI's sdnotify has had no release since
2017, and the binding of libsystemd would be one more Debian package to be without on a desk. Where no systemd waits for
it nothing is sent.
"""

from __future__ import annotations

import logging
import os
import socket
import time
from collections.abc import Callable, Mapping

FEEDS_PER_TIMEOUT = 4.0
"""How often in the watchdog's time it is fed; twice is what systemd advises as the least."""
STARTUP_GRACE_SECONDS = 60.0
"""Seconds from ready on in which the watchdog is more patient, and how patient it is then: OpenCV is loaded behind the
first picture, and while its two hundred libraries come from a cold card, no other thread of Python runs."""
MAX_STATUS_LETTERS = 120
"""Letters of a status line."""
log = logging.getLogger("companion")


class SystemdNotifier:
    """Who watches over the program, if anybody does.

    Feed the watchdog from the loop that plays and from nowhere else: a thread would go on feeding it while the table
    hangs.

    Args:
        environ: the environment in which systemd says where it listens.
        monotonic: the host's monotonic clock, in seconds.
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
        """Whether somebody listens."""
        return self._address is not None

    def notify_ready(self, status: str) -> None:
        """The table is playable; said once, later calls change the status alone."""
        if not self._ready:
            self._ready = True
            self._send("READY=1")
            if 0 < self._timeout_seconds < STARTUP_GRACE_SECONDS:
                self._grace_until = self._monotonic() + STARTUP_GRACE_SECONDS
                self._set_watchdog_timeout(STARTUP_GRACE_SECONDS)
        self.notify_status(status)

    def notify_status(self, text: str) -> None:
        """What the program does, in one line for `systemctl status`; sent when it changes."""
        text = " ".join(text.split())[:MAX_STATUS_LETTERS]
        if text != self._status:
            self._status = text
            self._send(f"STATUS={text}")

    def feed_watchdog(self) -> None:
        """The main loop goes round. May be called as often as one likes."""
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
        """It waits for what only people can mend, and tells them so: no start that has failed, to be begun anew."""
        self.notify_ready(f"waiting: {reason}")
        self.feed_watchdog()

    def notify_stopping(self) -> None:
        """The program ends in good order."""
        self._send("STOPPING=1")

    def _set_watchdog_timeout(self, seconds: float) -> None:
        self._send(f"WATCHDOG_USEC={round(seconds * 1e6)}")

    def _send(self, message: str) -> None:
        if self._address is None:
            return
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as door:
                # systemd's queue may be full: the loop must not wait for it, the next feeding comes soon.
                door.setblocking(False)
                door.sendto(message.encode(), self._address)
        except OSError as error:
            if not self._send_failed:
                log.warning("systemd does not hear: %s", error)
            self._send_failed = True


def _parse_address(given: str) -> str | None:
    """The socket's name as the kernel wants it; None: nobody listens. An @ stands for the abstract ones' zero byte."""
    if given.startswith("@"):
        return "\0" + given[1:]
    return given if given.startswith("/") else None


def _parse_watchdog_seconds(environ: Mapping[str, str]) -> float:
    """Seconds after which systemd takes the program for hung; 0: it does not look, or at another process."""
    for_whom = environ.get("WATCHDOG_PID", "")
    if for_whom and for_whom != str(os.getpid()):
        return 0.0
    given = environ.get("WATCHDOG_USEC", "")
    return int(given) / 1e6 if given.isascii() and given.isdigit() else 0.0
