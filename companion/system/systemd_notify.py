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

FEEDS = 4.0
"""How often in the watchdog's time it is fed; twice is what systemd advises as the least."""
GRACE = 60.0
"""Seconds from ready on in which the watchdog is more patient, and how patient it is then: OpenCV is loaded behind the
first picture, and while its two hundred libraries come from a cold card, no other thread of Python runs."""
LONGEST = 120
"""Letters of a status line."""
log = logging.getLogger("companion")


class Supervisor:
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
        self._address = _address(environ.get("NOTIFY_SOCKET", ""))
        self._monotonic = monotonic
        self._strict = _watchdog_seconds(environ)
        self._every = self._strict / FEEDS
        self._fed_at = -1e9
        self._ready = False
        self._grace_until: float | None = None
        self._status = ""
        self._deaf = False

    @property
    def there(self) -> bool:
        """Whether somebody listens."""
        return self._address is not None

    def ready(self, status: str) -> None:
        """The table is playable; said once, later calls change the status alone."""
        if not self._ready:
            self._ready = True
            self._send("READY=1")
            if 0 < self._strict < GRACE:
                self._grace_until = self._monotonic() + GRACE
                self._patience(GRACE)
        self.status(status)

    def status(self, words: str) -> None:
        """What the program does, in one line for `systemctl status`; sent when it changes."""
        words = " ".join(words.split())[:LONGEST]
        if words != self._status:
            self._status = words
            self._send(f"STATUS={words}")

    def alive(self) -> None:
        """The main loop goes round. May be called as often as one likes."""
        if self._every <= 0:
            return
        now = self._monotonic()
        if now - self._fed_at >= self._every:
            self._fed_at = now
            self._send("WATCHDOG=1")
        if self._grace_until is not None and now >= self._grace_until:
            self._grace_until = None
            self._patience(self._strict)

    def waits(self, what: str) -> None:
        """It waits for what only people can mend, and tells them so: no start that has failed, to be begun anew."""
        self.ready(f"waiting: {what}")
        self.alive()

    def stopping(self) -> None:
        """The program ends in good order."""
        self._send("STOPPING=1")

    def _patience(self, seconds: float) -> None:
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
            if not self._deaf:
                log.warning("systemd does not hear: %s", error)
            self._deaf = True


def _address(given: str) -> str | None:
    """The socket's name as the kernel wants it; None: nobody listens. An @ stands for the abstract ones' zero byte."""
    if given.startswith("@"):
        return "\0" + given[1:]
    return given if given.startswith("/") else None


def _watchdog_seconds(environ: Mapping[str, str]) -> float:
    """Seconds after which systemd takes the program for hung; 0: it does not look, or at another process."""
    for_whom = environ.get("WATCHDOG_PID", "")
    if for_whom and for_whom != str(os.getpid()):
        return 0.0
    given = environ.get("WATCHDOG_USEC", "")
    return int(given) / 1e6 if given.isascii() and given.isdigit() else 0.0
