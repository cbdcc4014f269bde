"""Eyes that stumble get up again: whatever goes wrong while looking costs the camera's help for a moment, no more.

A fault in vision code, in a driver's Python side or in what was kept of the table must not end the evening: the game
goes on by buttons, the screen says so in a line, and the eyes are made anew after a pause that grows with each fall.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Protocol

from companion.events import CameraState, CameraStateChanged, DeviceLost, DeviceRestored, Event
from companion.screen_state import CameraView
from hardware.messages import LazyMessage

log = logging.getLogger("companion")
CAMERA_NAME = "camera"
NO_PICTURES_MESSAGE = LazyMessage("The camera gives no pictures: pull its plug and put it in again")
FIRST_RETRY_SECONDS, MAX_RETRY_SECONDS = 1.0, 30.0
"""Seconds until the first new attempt, doubled with each that fails; at most so many."""
STABLE_SECONDS = 60.0
"""Seconds without a fall after which the next one counts as the first."""
RECOVERED_SECONDS = 3.0
"""Seconds of looking at nothing new after a fall until they count as up again."""
FAILURES_BEFORE_DISCARD = 3
"""Falls in a row after which what was learnt of the table is suspected, and learnt anew."""


class FrameReader(Protocol):
    """Eyes, one frame a call: a `Looking`, or the choice of one by the game in play."""

    @property
    def camera_view(self) -> CameraView: ...

    def poll(self) -> list[Event]: ...

    def restart(self, *, discard_layout: bool) -> None:
        """Lets the camera go and begins anew with the next look. `forget`: also what was learnt of the table."""
        ...

    def close(self) -> None: ...


class RestartGuard:
    """`Looks` that never raise.

    Args:
        looks: what looks.
        monotonic: the host's monotonic clock, in seconds.
    """

    def __init__(self, reader: FrameReader, monotonic: Callable[[], float]) -> None:
        self._looks, self._monotonic = reader, monotonic
        self._falls = 0
        self._fell_at = self._again = -MAX_RETRY_SECONDS
        self._good_since: float | None = None
        """When the first look came back after a fall; None: none has yet."""
        self._down: CameraView | None = None
        """What is shown of the camera while they are down; None: they look."""

    @property
    def camera_view(self) -> CameraView:
        """What is shown of the camera."""
        return self._down or self._looks.camera_view

    def poll(self) -> list[Event]:
        """The signals of the next frame, if there is a new one."""
        if self._down is not None and self._monotonic() < self._again:
            return []
        try:
            signals = self._looks.poll()
        except Exception:  # noqa: BLE001 - whatever it is: see above
            return self._fall()
        if self._down is None:
            return signals
        now = self._monotonic()
        self._good_since = now if self._good_since is None else self._good_since
        if not signals and now - self._good_since < RECOVERED_SECONDS:
            return []  # a camera that is being opened has shown nothing yet that they could fall over
        self._down = self._good_since = None
        log.info("The camera's pictures are looked at again.")
        # What the eyes that fell had found out went with them; what the new ones say of it comes behind.
        back: list[Event] = [DeviceRestored(CAMERA_NAME, now), CameraStateChanged(CameraState.SEARCHING, now)]
        return back + signals

    def close(self) -> None:
        """Lets the camera go."""
        self._let_go(self._looks.close)

    @staticmethod
    def _let_go(way: Callable[[], None]) -> None:
        try:
            way()
        except Exception:
            log.warning("The camera could not be let go in order.", exc_info=True)

    def _fall(self) -> list[Event]:
        now = self._monotonic()
        self._falls = self._falls + 1 if now - self._fell_at < STABLE_SECONDS else 1
        self._fell_at, self._good_since = now, None
        pause = min(MAX_RETRY_SECONDS, FIRST_RETRY_SECONDS * 2.0 ** (self._falls - 1))
        self._again = now + pause
        log.error("Looking at the camera's pictures failed; it is tried again in %.0f s.", pause, exc_info=True)
        self._let_go(lambda: self._looks.restart(discard_layout=self._falls >= FAILURES_BEFORE_DISCARD))
        if self._down is not None:
            return []
        self._down = CameraView(CameraState.BLIND)
        words = LazyMessage("The camera's pictures cannot be read at the moment; it is tried again")
        return [DeviceLost(CAMERA_NAME, now, words), CameraStateChanged(CameraState.BLIND, now)]
