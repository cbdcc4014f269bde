"""Run the camera reader in a thread of its own: a press never waits for a frame, the first screen not for OpenCV.

A reader that raises or hangs is replaced here; a camera that was unplugged is opened again by `camera_reader.py`.
When the camera rests (`is_paused`) is decided in `companion/app/main_loop.py`.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.api import CameraUse
from companion.backoff import Backoff
from companion.camera.camera_use import DEFAULT_CAMERA_USE, find_camera_use
from companion.camera.reports import CAMERA_NAME, NO_PICTURES_MESSAGE, STARTING_VIEW
from companion.events import CameraState, CameraStateChanged, DeviceLost, DeviceRestored, Event
from companion.lazy_message import LazyMessage
from companion.log import log
from companion.screen_state import CameraView

if TYPE_CHECKING:  # it brings OpenCV, which is loaded after the first screen
    from companion.camera.camera_reader import CameraReader

CLOSE_TIMEOUT_SECONDS = 1.0
"""Longest wait for a poll under way when the worker is closed; the whole program has two seconds to end."""

HANG_SECONDS = 15.0
"""Duration of a poll from which it counts as hanging: a driver that does not answer blocks its caller for ever."""

FIRST_HANG_SECONDS = 90.0
"""As `HANG_SECONDS`, for the first poll, which loads OpenCV from a slow SD card."""

FIRST_RETRY_SECONDS = 1.0
"""Pause after the first failure of the reader; it doubles with each further one. Larger: recovers later."""

MAX_RETRY_SECONDS = 30.0
"""Longest pause after a failure of the reader."""

STABLE_SECONDS = 60.0
"""A failure this long after the last one counts as the first again."""

RECOVERED_SECONDS = 3.0
"""A reader that has polled without an event for this long after a failure works again. Larger: reported later."""

FAILURES_BEFORE_DISCARD = 3
"""Failures in a row after which the stored layout is discarded, because it may be the cause."""

FAILED_STATES = frozenset({CameraState.LOST, CameraState.BLIND})
"""States in which the reader itself reports that there are no pictures."""


class CameraWorker:
    """Poll a camera reader in a thread, and keep the program alive if it fails.

    The reader is made by the first poll, in the thread. If it raises an exception, the camera is reported as lost and
    the reader restarted, with exponential back-off. If a poll hangs, that is reported; if the thread dies, it is
    started again.

    Args:
        make_reader: makes the reader; called in the thread, again after it raised an exception.
        wake: called from the thread, without arguments, when there are new events or a new `camera_view`; must not
            raise, because that ends the thread.
        poll_seconds: pause between two polls, in seconds, 0 or more.
        monotonic: the host's monotonic clock, in seconds.
        is_paused: first value of the property of this name.
    """

    def __init__(
        self,
        make_reader: Callable[[], CameraReader],
        wake: Callable[[], None],
        *,
        poll_seconds: float = 1 / 60,
        monotonic: Callable[[], float] = time.monotonic,
        is_paused: bool = False,
    ) -> None:
        self._make_reader, self._wake = make_reader, wake
        self._poll_seconds, self._monotonic = poll_seconds, monotonic
        self._resumed = threading.Event()
        self.is_paused = is_paused
        self._reader: CameraReader | None = None
        self._camera_use = DEFAULT_CAMERA_USE
        self._events: deque[Event] = deque()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._thread_backoff = Backoff(FIRST_RETRY_SECONDS, MAX_RETRY_SECONDS)
        self._backoff = Backoff(FIRST_RETRY_SECONDS, MAX_RETRY_SECONDS)
        self._failed_at = monotonic()
        self._failed_view: CameraView | None = None  # while the reader has failed
        self._working_since: float | None = None  # first poll without an exception after a failure
        self._poll_started_at: float | None = None  # of the poll under way
        self._hang_seconds = FIRST_HANG_SECONDS
        self._hanging_view: CameraView | None = None  # while a poll hangs

    def start(self) -> None:
        """Start the thread. Call it once and not after `close`; `poll` starts the thread again if it has died.

        Raises:
            RuntimeError: the system cannot start another thread.
        """
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)
        self._thread.start()

    @property
    def is_paused(self) -> bool:
        """Whether the thread sleeps instead of polling, because the camera is not used: saves power.

        An open camera stays open. May be set at any time before `close`, from any thread.
        """
        return not self._resumed.is_set()

    @is_paused.setter
    def is_paused(self, value: bool) -> None:
        if value:
            self._resumed.clear()
        else:
            self._resumed.set()

    @property
    def camera_view(self) -> CameraView:
        """The camera's state, picture, reading and problem for the screen; a new object whenever it changes.

        The state is BLIND, without a picture, while the reader fails or a poll hangs. May be read from any thread.
        """
        return self._hanging_view or self._reader_view

    def follow_game(self, name: str) -> None:
        """Watch the table that a game declares, from the next poll on.

        Args:
            name: id of the game; one that is unknown or declares no camera gets `DEFAULT_CAMERA_USE`.

        Raises:
            Exception: anything that importing the game's modules raised; the table stays as it was.
        """
        self._camera_use = find_camera_use(name)

    def follow_use(self, use: CameraUse) -> None:
        """Watch the table by a use of the camera that belongs to no game, from the next poll on."""
        self._camera_use = use

    def poll(self) -> list[Event]:
        """Return the events that the thread has collected since the last call, without waiting.

        Exceptions of the reader stay in the thread. A thread that died is started again, with exponential back-off. A
        poll of the reader hangs if it takes `HANG_SECONDS` (15 s), the first one `FIRST_HANG_SECONDS` (90 s).

        Returns:
            The events in order, including those that report that a poll of the reader hangs or goes on again.

        Raises:
            RuntimeError: the thread had died and the system cannot start another one; the events of this call are lost.
        """
        events = [*self._check_hanging(), *(self._events.popleft() for _ in range(len(self._events)))]
        has_died = self._thread is not None and not self._thread.is_alive() and not self._stop.is_set()
        if has_died and self._thread_backoff.is_due(now := self._monotonic()):
            log.error("The camera thread has ended; it is restarted.")
            self._thread_backoff.note_failure(now)
            self.start()
        return events

    def poll_reader(self) -> list[Event]:
        """Poll the reader once, in the calling thread, and return its events; make the reader if there is none.

        Never raises: a failure of the reader is logged, and the reader restarted.

        For tests and for the thread itself; do not call it while the thread runs.

        Returns:
            The events; after an exception those that report the camera as lost; empty while the pause after a failure
            lasts.
        """
        if not self._backoff.is_due(self._monotonic()):
            return []
        try:
            if self._reader is None:
                self._reader = self._make_reader()
            self._reader.camera_use = self._camera_use
            events = self._reader.poll()
        # A fault in vision code or in a driver must not end the game, and an exit in it (sys.exit) not this thread.
        except (Exception, SystemExit):  # noqa: BLE001 - as said above
            return self._handle_failure()
        if self._failed_view is None:
            return events
        now = self._monotonic()
        self._working_since = now if self._working_since is None else self._working_since
        if not events and now - self._working_since < RECOVERED_SECONDS:
            return []  # a camera that is being opened has given no picture yet that could fail again
        self._failed_view = self._working_since = None
        log.info("The camera's pictures are processed again.")
        # The reader was restarted, so it knows nothing of the table until its own events arrive.
        return [DeviceRestored(CAMERA_NAME, now), CameraStateChanged(CameraState.SEARCHING, now), *events]

    def close(self) -> None:
        """Stop the thread, store the learnt layout and close the camera. Call it from another thread; raises nothing.

        Waits for the thread at most `CLOSE_TIMEOUT_SECONDS`; one that does not answer (it is a daemon) is left behind.
        """
        self._stop.set()
        self._resumed.set()
        if self._thread is None:
            self._close_reader()
        else:
            self._thread.join(CLOSE_TIMEOUT_SECONDS)

    @property
    def _reader_view(self) -> CameraView:
        """The view without regard to a hanging poll."""
        return self._failed_view or (self._reader.camera_view if self._reader else STARTING_VIEW)

    def _run(self) -> None:
        """Poll until the worker is closed (body of the thread)."""
        while self._resumed.wait() and not self._stop.is_set():
            before = self._reader_view
            self._poll_started_at = self._monotonic()
            try:
                events = self.poll_reader()
            finally:
                self._poll_started_at = None
            self._hang_seconds = HANG_SECONDS
            self._events.extend(events)
            if events or self._reader_view is not before:
                self._wake()
            self._stop.wait(self._poll_seconds)
        self._close_reader()

    def _check_hanging(self) -> list[Event]:
        """Return the events that a poll hangs, or that it is over."""
        now, started_at = self._monotonic(), self._poll_started_at
        seconds = now - (now if started_at is None else started_at)
        is_hanging = seconds >= self._hang_seconds
        is_failed = self._reader_view.state in FAILED_STATES  # then the reader itself has reported what is wrong
        if is_hanging and self._hanging_view is None and not is_failed:
            log.error("Processing the camera's pictures has taken %.0f s and goes on.", seconds)
            self._hanging_view = CameraView(CameraState.BLIND)
            return [
                DeviceLost(CAMERA_NAME, now, NO_PICTURES_MESSAGE),
                CameraStateChanged(CameraState.BLIND, now),
            ]
        if is_hanging or self._hanging_view is None:
            return []
        self._hanging_view = None
        if is_failed:
            return []
        log.info("The camera's pictures are processed again.")
        return [DeviceRestored(CAMERA_NAME, now), CameraStateChanged(self._reader_view.state, now)]

    def _handle_failure(self) -> list[Event]:
        """Restart the reader after an exception; report it once."""
        now = self._monotonic()
        if now - self._failed_at >= STABLE_SECONDS:
            self._backoff.note_success()
        self._backoff.note_failure(now)
        self._failed_at, self._working_since = now, None
        log.error(
            "Processing the camera's pictures failed; trying again in %.0f s.",
            self._backoff.pause_seconds,
            exc_info=True,
        )
        self._close_reader(discard_layout=self._backoff.failures >= FAILURES_BEFORE_DISCARD)
        if self._failed_view is not None:
            return []
        self._failed_view = CameraView(CameraState.BLIND)
        message = LazyMessage("The camera's pictures cannot be read at the moment; trying again")
        return [DeviceLost(CAMERA_NAME, now, message), CameraStateChanged(CameraState.BLIND, now)]

    def _close_reader(self, *, discard_layout: bool | None = None) -> None:
        """Close the reader, or restart it if `discard_layout` is given; log what fails in it."""
        try:
            if self._reader is not None and discard_layout is None:
                self._reader.close()
            elif self._reader is not None:
                self._reader.restart(discard_layout=bool(discard_layout))
        except Exception:  # a driver may raise anything, and the thread must go on
            log.warning("The camera could not be closed properly.", exc_info=True)
