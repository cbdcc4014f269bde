"""The button box as a source of presses: a thread of its own owns the port, so that no caller ever waits for it."""

import logging
import math
import random
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress

from companion.backoff import Backoff
from companion.events import Button, Event
from companion.lazy_message import LazyMessage
from hardware.buttons.lamp_effects import LampColour, LampEffect
from hardware.buttons.source import MAX_UNREAD_EVENTS, Clock
from hardware.buttons.thread_waker import ThreadWaker
from hardware.buttons.usb_box.channel import make_channel
from hardware.buttons.usb_box.messages import BUTTONS
from hardware.buttons.usb_box.ports import (
    OpenPort,
    PortError,
    PortFinder,
    PortNotFound,
    PortOpener,
    SerialPort,
    keep_control_lines,
    open_port,
)
from hardware.buttons.usb_box.session import SOURCE_NAME, BoxSession, SessionState

log = logging.getLogger(__name__)

SEARCH_SECONDS = 0.3
"""Time between two searches for a box. A larger value finds a box later."""

REPORT_MISSING_SECONDS = 2.0
"""Time after the start at which a missing box is reported if `report_missing` is set: boards need up to two seconds."""

MAX_SILENT_OPENINGS = 2
"""Number of openings without an answer after which a port is left alone until it is plugged in again.

It is somebody else's device, and opening may reset it: a 3D printer at work. A larger value disturbs it more often, a
smaller one overlooks a box that is slow to start.
"""

SKIP_PORT_SECONDS = 10.0
"""Time for which a port is skipped where nothing answered, or the box was ignored; doubles each time.

Opening a port resets most boards. A larger value finds a box later whose firmware was missing or that was broken.
"""

MAX_SKIP_PORT_SECONDS = 300.0
"""Longest time for which a port is skipped. A larger value disturbs other devices less; unplugging ends it."""

STABLE_SECONDS = 60.0
"""Time for which a box must work until its port is no longer one that was skipped."""

GOODBYE_SECONDS = 0.25
"""Time for the last lamps (all dark) to arrive when the driver is closed. A larger value makes closing slower."""

DARK = (LampEffect.OFF,) * len(BUTTONS)
"""All lamps off."""


PortKey = tuple[str, int]
"""Device, and the number of its file: another one after it was plugged in again."""


def _get_key(port: SerialPort) -> PortKey:
    return port.device, port.find_node()


class ButtonBox:
    """A `ButtonSource` that finds the box, and finds it again after a loss, at any port; starts a thread for it.

    >>> box = ButtonBox(find_ports=lambda: [])
    >>> box.set_lamps({Button.OK: LampEffect.SLOW})
    >>> box.read()
    []
    >>> box.close()

    `read` never raises. A loss and a return are reported as `DeviceLost` and `DeviceRestored`; a box that is missing
    from the start is reported only with `report_missing`.

    Args:
        find_ports: finds the ports where a box may be, see `make_path_finder` and `make_usb_finder`; called from the
            box's thread, which an exception would end.
        clock: the host's monotonic clock, in seconds; called from several threads.
        wake: called from the box's thread when there is something to `read`; must not block.
        report_missing: report a box that is missing for `REPORT_MISSING_SECONDS` from the start.
        opener: opens a port that was found, or raises `PortError`; called from the box's thread.
        rng: source of the nonces of greetings; None: a new one with a random seed.
        get_colours: returns the colour of every button's lamp, for a box that has colours; called by `set_lamps`. None:
            the box keeps its own.

    Attributes:
        name: name of this source for people.
        status: state of the box when its thread last woke up; replaced by that thread.
        device: path of the open port, whether or not a box answers there; None if none is open.

    Raises:
        OSError: no sockets can be opened (the process has too many open files).
    """

    def __init__(
        self,
        find_ports: PortFinder,
        clock: Clock = time.monotonic,
        wake: Callable[[], None] = lambda: None,
        *,
        report_missing: bool = False,
        opener: PortOpener = open_port,
        rng: random.Random | None = None,
        get_colours: Callable[[], Mapping[Button, LampColour]] | None = None,
    ) -> None:
        self.name = SOURCE_NAME
        self._find_ports, self._opener, self._clock, self._wake = find_ports, opener, clock, wake
        nonces = rng or random.Random()
        self._session = BoxSession(clock(), lambda: nonces.randrange(1, 65536))
        self._report_missing_at = clock() + REPORT_MISSING_SECONDS if report_missing else None
        self._backoffs: dict[PortKey, Backoff] = {}
        self._silent_openings: dict[PortKey, int] = {}
        """How often nothing answered at a port."""
        self._last_good = ""
        self.device: str | None = None
        self._lock = threading.Lock()
        self._events: deque[Event] = deque(maxlen=MAX_UNREAD_EVENTS)
        self._effects = DARK
        self._get_colours = get_colours
        self._colours: tuple[LampColour, ...] = ()
        self._closing = threading.Event()
        self.status = self._session.get_status(clock())
        self._thread_waker = ThreadWaker()
        self._thread = threading.Thread(target=self._run, name=SOURCE_NAME, daemon=True)
        self._thread.start()

    # Called by other threads.

    def read(self) -> list[Event]:
        """Return the events since the last call in their order, without waiting; raises nothing.

        Returns:
            Presses, releases, `DeviceLost` and `DeviceRestored`, stamped in seconds of the host's monotonic clock. At
            most `MAX_UNREAD_EVENTS` are stored; then the oldest are dropped.
        """
        with self._lock:
            events = list(self._events)
            self._events.clear()
        return events

    def set_lamps(self, lamps: Mapping[Button, LampEffect]) -> None:
        """Set the effects of all lamps, without waiting; sent until the box has them, also to a box that returns.

        A box that cannot dim its lamps gets SLOW for BREATHE. Raises nothing.

        Args:
            lamps: the effect of each button's lamp; a button that is missing here is dark.
        """
        effects = tuple(lamps.get(button, LampEffect.OFF) for button in BUTTONS)
        wanted = self._get_colours() if self._get_colours else None
        colours = tuple(wanted[button] for button in BUTTONS) if wanted is not None else ()
        with self._lock:
            if (effects, colours) == (self._effects, self._colours):
                return
            self._effects, self._colours = effects, colours
        self._thread_waker.send()

    @property
    def is_connected(self) -> bool:
        """Whether a box answers and its buttons are used."""
        return self.status.state is SessionState.CONNECTED

    @property
    def problem(self) -> str | None:
        """In one line, why the box cannot be used and the remedy; None if it can, was unplugged or is not found yet."""
        return self.status.problem

    def close(self) -> None:
        """Switch the lamps off, release the port and end the thread; may be called twice and raises nothing.

        Waits up to `GOODBYE_SECONDS` for the box to confirm that its lamps are off. Must not be called by `wake`.
        """
        self._closing.set()
        self._thread_waker.send()
        self._thread.join()
        self._thread_waker.close()

    # Run by the box's thread.

    def _run(self) -> None:
        while not self._closing.is_set():
            found = self._open()
            if found is None:
                self._closing.wait(SEARCH_SECONDS)
                continue
            opened, port = found
            self.device = port.device
            try:
                problem = self._serve(opened, port)
            except OSError as error:
                log.info("%s is gone: %s", port.device, error)
                problem = ""
            finally:
                with suppress(OSError):
                    opened.close()
                self.device = None
            self._session.disconnect(self._clock(), problem)
            self._publish()

    def _open(self) -> tuple[OpenPort, SerialPort] | None:
        """Open the first port that can be opened; report the first problem if there is none."""
        now, problem = self._clock(), ""
        ports = list(self._find_ports())
        present = {_get_key(port) for port in ports}
        self._silent_openings = {key: count for key, count in self._silent_openings.items() if key in present}
        self._backoffs = {key: backoff for key, backoff in self._backoffs.items() if key in present}
        candidates = [port for port in ports if self._may_be_opened(port, now)]
        for port in sorted(candidates, key=lambda port: port.device != self._last_good):
            try:
                return self._opener(port), port
            except PortNotFound:
                continue  # it was unplugged since it was found
            except PortError as error:
                problem = problem or error.message
        if not ports and self._report_missing_at is not None and now >= self._report_missing_at:
            self._report_missing_at = None
            problem = LazyMessage("No button box is plugged in.")
        if problem:
            self._session.disconnect(now, problem)
        self._publish()
        return None

    def _may_be_opened(self, port: SerialPort, now: float) -> bool:
        """Return whether a port is due to be tried, and no foreign device as far as is known."""
        silent, backoff = self._silent_openings.get(_get_key(port), 0), self._backoffs.get(_get_key(port))
        return (port.is_named or silent < MAX_SILENT_OPENINGS) and (backoff is None or backoff.is_due(now))

    def _serve(self, opened: OpenPort, port: SerialPort) -> str:
        """Talk to the box until the driver is closed or nobody answers; return the problem, if there is one.

        Raises:
            OSError: the port failed.
        """
        session, channel, key = self._session, make_channel(opened, self._thread_waker.readable), _get_key(port)
        session.connect(self._clock(), port.byte_seconds)
        unwritten, close_at, opened_at = b"", math.inf, self._clock()
        while True:
            now = self._clock()
            due = min(session.deadline(now), close_at)
            if data := channel.wait(max(0.0, due - now), is_writing=bool(unwritten)):
                session.feed(data, self._clock())
            closing = self._closing.is_set()
            with self._lock:
                session.set_lamps(DARK if closing else self._effects, self._colours)
            now = self._clock()
            # Another frame within the rest of one would damage both.
            if unwritten:
                session.check_timeouts(now)
            else:
                unwritten = session.poll(now)
            if unwritten:
                unwritten = channel.write(unwritten)
            self._publish()
            if session.state is SessionState.CONNECTED:
                self._last_good = port.device
                # A box that answers and falls silent again and again keeps its growing pauses.
                if now - opened_at >= STABLE_SECONDS:
                    self._backoffs.pop(key, None)
                self._report_missing_at = None
            if closing:
                close_at = min(close_at, now + GOODBYE_SECONDS)
                if now >= close_at or (session.is_settled and not unwritten):
                    return ""
            if session.is_flooding or session.has_timed_out(now):
                self._backoffs.setdefault(key, Backoff(SKIP_PORT_SECONDS, MAX_SKIP_PORT_SECONDS)).note_failure(now)
                if not session.is_flooding and port.device != self._last_good:
                    self._silent_openings[key] = self._silent_openings.get(key, 0) + 1
                    keep_control_lines(opened)
                if session.is_flooding:
                    return LazyMessage(
                        "The button box sends too many presses and is ignored: check its buttons and wires."
                    )
                return LazyMessage("{name} does not answer like a button box: is its firmware on it?", name=port.device)

    def _publish(self) -> None:
        events = self._session.take_events()
        with self._lock:
            self._events += events
            self.status = self._session.get_status(self._clock())
        if events:
            self._wake()
