"""The button box as a source of presses: a thread of its own holds the port; nobody ever waits for it."""

from __future__ import annotations

import logging
import os
import random
import select
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress

from companion.events import Button, Event
from hardware.buttons.lamp_effects import LampEffect
from hardware.buttons.usb_box.messages import BUTTONS
from hardware.buttons.usb_box.ports import (
    OpenPort,
    PortError,
    PortFinder,
    PortNotFound,
    PortOpener,
    SerialPort,
    open_port,
)
from hardware.buttons.usb_box.session import SOURCE_NAME, BoxSession, BoxStatus, SessionState
from hardware.messages import LazyMessage

log = logging.getLogger(__name__)
SEARCH_SECONDS = 0.3
"""Seconds between two looks for a box."""
REPORT_MISSING_SECONDS = 2.0
"""Seconds after which a box that the settings ask for is told to be missing."""
SKIP_PORT_SECONDS = 10.0
"""Seconds for which a port where nothing answered is left alone, if there are others."""
GOODBYE_SECONDS = 0.25
"""Seconds that the last lamps (all dark) get to arrive when the driver is closed."""


class ButtonBox:
    """A `ButtonSource`: finds the box, loses it, finds it again under whatever name, without a word from outside.

    It says so by `DeviceLost` and `DeviceBack` ("button box"); a box that is not there when the driver starts is no
    loss, unless it is `expected`.

    Args:
        find: where a box may be: `ports.at_path(path)` or `ports.by_ids()`.
        clock: the host's monotonic clock, in seconds.
        wake: called from the box's thread when there is something to `read`.
        expected: the settings ask for a box: its absence is told.
        open_at: opens a place that was found.
        nonces: for greetings.
    """

    def __init__(
        self,
        find_ports: PortFinder,
        clock: Callable[[], float] = time.monotonic,
        wake: Callable[[], None] = lambda: None,
        *,
        report_missing: bool = False,
        opener: PortOpener = open_port,
        rng: random.Random | None = None,
    ) -> None:
        self.name = SOURCE_NAME
        self._find_ports, self._opener, self._clock, self._wake = find_ports, opener, clock, wake
        rng = rng or random.Random()
        self._session = BoxSession(clock(), lambda: rng.randrange(1, 65536))
        self._report_missing_at = clock() + REPORT_MISSING_SECONDS if report_missing else None
        self._skipped_until: dict[str, float] = {}
        self._last_good = ""
        self._device: str | None = None
        self._lock = threading.Lock()
        self._events: list[Event] = []
        self._effects = (LampEffect.OFF,) * len(BUTTONS)
        self._closing = threading.Event()
        self._status = self._session.get_status(clock())
        self._wake_read, self._wake_write = os.pipe()
        os.set_blocking(self._wake_read, False)
        os.set_blocking(self._wake_write, False)
        self._thread = threading.Thread(target=self._run, name=SOURCE_NAME, daemon=True)
        self._thread.start()

    # What the other threads call.

    def read(self) -> list[Event]:
        """The signals since the last call, in the box's order; does not wait, and never raises."""
        with self._lock:
            signals, self._events = self._events, []
        return signals

    def set_lamps(self, lamps: Mapping[Button, LampEffect]) -> None:
        """What the lamps are to show from now on; a button that is not named is dark. Does not wait."""
        effects = tuple(lamps.get(button, LampEffect.OFF) for button in BUTTONS)
        with self._lock:
            if effects == self._effects:
                return
            self._effects = effects
        self._wake_thread()

    @property
    def status(self) -> BoxStatus:
        """What is known of the box; as old as the last thing that happened there."""
        with self._lock:
            return self._status

    @property
    def device(self) -> str | None:
        """The port that is open, whether or not a box answers there."""
        return self._device

    @property
    def is_connected(self) -> bool:
        """A box answers, and its buttons count."""
        return self.status.state is SessionState.CONNECTED

    @property
    def problem(self) -> str | None:
        """What is wrong and what helps, where it is not that no box is plugged in."""
        return self.status.problem

    def close(self) -> None:
        """Lamps dark, port free; may be called twice. Waits for that, a quarter of a second at most."""
        if not self._closing.is_set():
            self._closing.set()
            self._wake_thread()
        self._thread.join()
        with self._lock:
            ends, self._wake_read, self._wake_write = (self._wake_read, self._wake_write), -1, -1
        for end in ends:
            if end >= 0:
                os.close(end)

    def _wake_thread(self) -> None:
        with self._lock:
            if self._wake_write >= 0:
                with suppress(BlockingIOError):  # full of nudges: one more says nothing new
                    os.write(self._wake_write, b"!")

    # What the box's thread does.

    def _run(self) -> None:
        while not self._closing.is_set():
            port, place = self._open()
            if port is None or place is None:
                self._closing.wait(SEARCH_SECONDS)
                continue
            self._device = place.device
            try:
                words = self._serve(port, place)
            except OSError as error:
                log.info("%s is gone: %s", place.device, error)
                words = ""
            finally:
                with suppress(OSError):
                    port.close()
                self._device = None
            self._session.disconnect(self._clock(), words)
            self._publish()

    def _open(self) -> tuple[OpenPort | None, SerialPort | None]:
        now, words = self._clock(), ""
        places = list(self._find_ports())
        fresh = [place for place in places if self._skipped_until.get(place.device, now) <= now]
        for place in sorted(fresh, key=lambda place: place.device != self._last_good):
            try:
                return self._opener(place), place
            except PortNotFound:
                continue  # it went away between the finding and the opening
            except PortError as trouble:
                words = words or trouble.message
        missing = self._report_missing_at is not None and now >= self._report_missing_at
        if words:
            self._session.disconnect(now, words)
        elif missing and not places:
            self._report_missing_at = None
            self._session.disconnect(now, LazyMessage("No button box is plugged in."))
        self._publish()
        return None, None

    def _serve(self, port: OpenPort, place: SerialPort) -> str:
        """Talks until the port fails (OSError), the driver is closed, or nobody answers; then it says why."""
        session, line = self._session, port.fileno()
        poll = select.poll()
        poll.register(self._wake_read, select.POLLIN)
        session.connect(self._clock(), place.byte_seconds)
        rest, until = b"", None
        while True:
            now = self._clock()
            poll.register(line, select.POLLIN | (select.POLLOUT if rest else 0))
            due = min(session.deadline(now), now + 1.0 if until is None else until)
            ready = dict(poll.poll(max(0.0, due - now) * 1000.0))
            if line in ready:
                self._read_port(line, ready[line])
            if self._wake_read in ready:
                os.read(self._wake_read, 4096)
            closing = self._closing.is_set()
            with self._lock:
                session.set_lamps((LampEffect.OFF,) * len(BUTTONS) if closing else self._effects)
            now = self._clock()
            if rest:
                session.check_timeouts(now)
            else:
                rest = session.poll(now)
            if rest:
                rest = rest[_write(line, rest) :]
            self._publish()
            if session.state is SessionState.CONNECTED:
                self._last_good = place.device
                self._report_missing_at = None
            if closing:
                until = now + GOODBYE_SECONDS if until is None else until
                if now >= until or (session.is_settled and not rest):
                    return ""
            if session.has_timed_out(now):
                self._skipped_until[place.device] = now + (SKIP_PORT_SECONDS if len(self._find_ports()) > 1 else 0.0)
                return LazyMessage(
                    "{name} does not answer like a button box: is its firmware on it?", name=place.device
                )

    def _read_port(self, line: int, events: int) -> None:
        """Takes in what there is.

        Raises:
            OSError: the line is dead.
        """
        if events & select.POLLIN:
            data = os.read(line, 65536)
            at = self._clock()
            if data:
                self._session.feed(data, at)
                return
        if events & (select.POLLIN | select.POLLHUP | select.POLLERR | select.POLLNVAL):
            # Readable and empty, or hung up with nothing left: unplugged.
            raise OSError("unplugged")

    def _publish(self) -> None:
        signals, status = self._session.take_events(), self._session.get_status(self._clock())
        with self._lock:
            self._events += signals
            self._status = status
        if signals:
            self._wake()


def _write(line: int, data: bytes) -> int:
    try:
        return os.write(line, data)
    except BlockingIOError:
        return 0
