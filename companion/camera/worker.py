"""Eyes in a thread of their own: a press never waits for a frame, and the first picture not for vision to be loaded."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Protocol

from companion.camera.restart_guard import CAMERA_NAME, NO_PICTURES_MESSAGE, FrameReader, RestartGuard
from companion.events import CameraState, CameraStateChanged, DeviceLost, DeviceRestored, Event
from companion.screen_state import CameraView

log = logging.getLogger("companion")
DEFAULT_GAME, CUP_ROW_GAME = "macroscope", "memo_dice"
"""Games with eyes of their own; those of the first serve all others."""
STARTING_VIEW = CameraView(CameraState.SEARCHING)
PAUSED_POLL_SECONDS = 0.25
"""Seconds between two looks at whether the camera is needed again."""
CLOSE_TIMEOUT_SECONDS = 1.0
"""Seconds that closing waits for a look that is under way; the program has two to end in."""
HANG_SECONDS, FIRST_HANG_SECONDS = 15.0, 90.0
"""Seconds that a look may take, and the first one, which loads OpenCV from a cold card, before it is said: a driver
that answers no more holds its caller for ever."""
FAILED_STATES = frozenset({CameraState.LOST, CameraState.BLIND})


class CameraWorker:
    """Eyes that look in a thread of their own, so that a press never waits for a frame.

    Args:
        looking: the eyes.
        wake: called when they have seen something new, from their thread.
        pause: seconds between two looks for a new frame.
        monotonic: the host's monotonic clock, in seconds.
        resting: they begin at the first `rest(False)`.
    """

    def __init__(
        self,
        reader: FrameReader,
        wake: Callable[[], None],
        poll_seconds: float = 1 / 60,
        monotonic: Callable[[], float] = time.monotonic,
        *,
        paused: bool = False,
    ) -> None:
        self._looking = RestartGuard(reader, monotonic)
        self._wake = wake
        self._pause = poll_seconds
        self._signals: list[Event] = []
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._resting = paused
        self._monotonic = monotonic
        self._since: float | None = None
        """When the look under way began; None: none is."""
        self._patience = FIRST_HANG_SECONDS
        self._hung: CameraView | None = None
        """What is shown of the camera while a look hangs."""
        self._begin()

    def _begin(self) -> None:
        self._thread = threading.Thread(target=self._run, name="eyes", daemon=True)
        self._thread.start()

    @property
    def camera_view(self) -> CameraView:
        """What is shown of the camera."""
        return self._hung or self._looking.camera_view

    def poll(self) -> list[Event]:
        """The signals since the last call; that a look hangs is among them, and that it goes on."""
        hanging = self._hanging()
        with self._lock:
            signals, self._signals = self._signals, []
        if not self._thread.is_alive() and not self._stop.is_set():
            log.error("The thread of the eyes has ended; it is started anew.")
            self._begin()
        return hanging + signals

    def _hanging(self) -> list[Event]:
        now, since = self._monotonic(), self._since
        if self._hung is None:
            if since is None or now - since < self._patience or self._looking.camera_view.state in FAILED_STATES:
                return []
            log.error("Looking at the camera's pictures has taken %.0f s and is not done.", now - since)
            self._hung = CameraView(CameraState.BLIND)
            return [DeviceLost(CAMERA_NAME, now, NO_PICTURES_MESSAGE), CameraStateChanged(CameraState.BLIND, now)]
        if since is not None and now - since >= self._patience:
            return []
        self._hung = None
        state = self._looking.camera_view.state
        if state in FAILED_STATES:
            return []  # what is wrong now is said by the eyes themselves
        log.info("The camera's pictures are looked at again.")
        return [DeviceRestored(CAMERA_NAME, now), CameraStateChanged(state, now)]

    def set_paused(self, paused: bool) -> None:
        """Leave the camera alone where it does not play, so that a Pi has nothing to do; or look again."""
        self._resting = paused

    def close(self) -> None:
        """Stops looking and lets the camera go; one that answers no more is left to itself after `LET_GO`."""
        self._stop.set()
        self._thread.join(CLOSE_TIMEOUT_SECONDS)

    def _run(self) -> None:
        while not self._stop.is_set():
            if self._resting:
                self._stop.wait(PAUSED_POLL_SECONDS)
                continue
            before = self._looking.camera_view
            self._since = self._monotonic()
            try:
                signals = self._looking.poll()
            finally:
                self._since = None
            self._patience = HANG_SECONDS
            if signals or self._looking.camera_view is not before:
                with self._lock:
                    self._signals += signals
                self._wake()
            self._stop.wait(self._pause)
        self._looking.close()


class GameFrameReader(FrameReader, Protocol):
    """Eyes that are told which game is played (`companion.camera.per_game.ByGame`)."""

    game: str


class LazyReader:
    """Eyes that are made at the first look: in the thread of the one who looks, which loads OpenCV and the nets.

    Args:
        make: makes them.
    """

    def __init__(self, make: Callable[[], GameFrameReader]) -> None:
        self.game = DEFAULT_GAME
        """What is played. May be set by another thread; the next look heeds it."""
        self._make = make
        self._made: GameFrameReader | None = None

    @property
    def camera_view(self) -> CameraView:
        """What is shown of the camera."""
        return self._made.camera_view if self._made else STARTING_VIEW

    def poll(self) -> list[Event]:
        """The signals of the next frame, if there is a new one."""
        if self._made is None:
            self._made = self._make()
        self._made.game = self.game
        return self._made.poll()

    def restart(self, *, discard_layout: bool) -> None:
        """See `Looks`."""
        if self._made is not None:
            self._made.restart(discard_layout=discard_layout)

    def close(self) -> None:
        """Lets the camera go."""
        if self._made is not None:
            self._made.close()
