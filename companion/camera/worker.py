"""Eyes in a thread of their own: a press never waits for a frame, and the first picture not for vision to be loaded."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Protocol

from companion.camera.restart_guard import NAME, NO_PICTURES, Guarded, Looks
from companion.events import CameraSays, CameraState, DeviceBack, DeviceLost, Signal
from companion.screen_state import Eyes

log = logging.getLogger("companion")
USUAL, ROW = "macroscope", "memo_dice"
"""Games with eyes of their own; those of the first serve all others."""
NO_EYES = Eyes(CameraState.LOOKING)
RESTING = 0.25
"""Seconds between two looks at whether the camera is needed again."""
LET_GO = 1.0
"""Seconds that closing waits for a look that is under way; the program has two to end in."""
HANGS, FIRST_HANGS = 15.0, 90.0
"""Seconds that a look may take, and the first one, which loads OpenCV from a cold card, before it is said: a driver
that answers no more holds its caller for ever."""
GONE = frozenset({CameraState.LOST, CameraState.BLIND})


class Background:
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
        looking: Looks,
        wake: Callable[[], None],
        pause: float = 1 / 60,
        monotonic: Callable[[], float] = time.monotonic,
        *,
        resting: bool = False,
    ) -> None:
        self._looking = Guarded(looking, monotonic)
        self._wake = wake
        self._pause = pause
        self._signals: list[Signal] = []
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._resting = resting
        self._monotonic = monotonic
        self._since: float | None = None
        """When the look under way began; None: none is."""
        self._patience = FIRST_HANGS
        self._hung: Eyes | None = None
        """What is shown of the camera while a look hangs."""
        self._begin()

    def _begin(self) -> None:
        self._thread = threading.Thread(target=self._run, name="eyes", daemon=True)
        self._thread.start()

    @property
    def eyes(self) -> Eyes:
        """What is shown of the camera."""
        return self._hung or self._looking.eyes

    def look(self) -> list[Signal]:
        """The signals since the last call; that a look hangs is among them, and that it goes on."""
        hanging = self._hanging()
        with self._lock:
            signals, self._signals = self._signals, []
        if not self._thread.is_alive() and not self._stop.is_set():
            log.error("The thread of the eyes has ended; it is started anew.")
            self._begin()
        return hanging + signals

    def _hanging(self) -> list[Signal]:
        now, since = self._monotonic(), self._since
        if self._hung is None:
            if since is None or now - since < self._patience or self._looking.eyes.state in GONE:
                return []
            log.error("Looking at the camera's pictures has taken %.0f s and is not done.", now - since)
            self._hung = Eyes(CameraState.BLIND)
            return [DeviceLost(NAME, now, NO_PICTURES), CameraSays(CameraState.BLIND, now)]
        if since is not None and now - since >= self._patience:
            return []
        self._hung = None
        state = self._looking.eyes.state
        if state in GONE:
            return []  # what is wrong now is said by the eyes themselves
        log.info("The camera's pictures are looked at again.")
        return [DeviceBack(NAME, now), CameraSays(state, now)]

    def rest(self, resting: bool) -> None:
        """Leave the camera alone where it does not play, so that a Pi has nothing to do; or look again."""
        self._resting = resting

    def close(self) -> None:
        """Stops looking and lets the camera go; one that answers no more is left to itself after `LET_GO`."""
        self._stop.set()
        self._thread.join(LET_GO)

    def _run(self) -> None:
        while not self._stop.is_set():
            if self._resting:
                self._stop.wait(RESTING)
                continue
            before = self._looking.eyes
            self._since = self._monotonic()
            try:
                signals = self._looking.look()
            finally:
                self._since = None
            self._patience = HANGS
            if signals or self._looking.eyes is not before:
                with self._lock:
                    self._signals += signals
                self._wake()
            self._stop.wait(self._pause)
        self._looking.close()


class LooksByGame(Looks, Protocol):
    """Eyes that are told which game is played (`companion.camera.per_game.ByGame`)."""

    game: str


class Later:
    """Eyes that are made at the first look: in the thread of the one who looks, which loads OpenCV and the nets.

    Args:
        make: makes them.
    """

    def __init__(self, make: Callable[[], LooksByGame]) -> None:
        self.game = USUAL
        """What is played. May be set by another thread; the next look heeds it."""
        self._make = make
        self._made: LooksByGame | None = None

    @property
    def eyes(self) -> Eyes:
        """What is shown of the camera."""
        return self._made.eyes if self._made else NO_EYES

    def look(self) -> list[Signal]:
        """The signals of the next frame, if there is a new one."""
        if self._made is None:
            self._made = self._make()
        self._made.game = self.game
        return self._made.look()

    def restart(self, *, forget: bool) -> None:
        """See `Looks`."""
        if self._made is not None:
            self._made.restart(forget=forget)

    def close(self) -> None:
        """Lets the camera go."""
        if self._made is not None:
            self._made.close()
