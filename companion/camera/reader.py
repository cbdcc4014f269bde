"""The eyes: camera frames through vision into signals, and what the display shows of them.

One place joins the two rooms that know nothing of each other: `hardware` hands out frames, `vision` says what is to
be seen in them, and the referee gets stamped signals.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from companion.camera.layout_cache import LayoutCache
from companion.camera.restart_guard import CAMERA_NAME, NO_PICTURES_MESSAGE
from companion.events import (
    CameraState,
    CameraStateChanged,
    DeviceLost,
    DeviceRestored,
    Event,
    VisionEvent,
)
from companion.screen_state import CameraView
from companion.vision.dice.reader import DiceReader
from companion.vision.frames.image_io import UnreadableImage, normalise_frame
from companion.vision.frames.motion import is_dark
from companion.vision.lid.reader import LidReader, rectify_lid
from companion.vision.reading import Image, Reading
from companion.vision.table.watcher import DiceAndLidWatcher
from companion.vision.view_check.problem import ViewProblem
from hardware.cameras.sources import Camera, CameraLost, Frame
from hardware.messages import LazyMessage

log = logging.getLogger("companion")
REOPEN_SECONDS = 1.0
"""Seconds between two attempts to find a lost camera."""
SILENCE_SECONDS = 3.0
"""Seconds without a picture after which that is said."""
MAX_SILENCE_SECONDS = 12.0
"""Seconds without a picture after which the camera is closed and opened anew."""
PAUSED_GAP_SECONDS = 1.0
"""Seconds between two looks above which nobody was looking, so that no picture was missed."""


class CameraFactory(Protocol):
    """Somewhere that frames come from, again and again: opens the camera, however often it has been lost."""

    def __call__(self) -> Camera:
        """Opens it.

        Raises:
            CameraLost: it is not there.
        """
        ...


class TableWatcher(Protocol):
    """Keeps track of a table from frame to frame: the `Watcher`, or another game's."""

    @property
    def state(self) -> CameraState:
        """What goes on, in a word."""
        ...

    @property
    def reading(self) -> Reading | None:
        """The latest reading; a new one each time."""
        ...

    @property
    def lid_image(self) -> Image | None:
        """The lid upright."""
        ...

    def process_frame(self, image: Image, at: float) -> Sequence[VisionEvent]:
        """Takes one frame of the time `at` (seconds, rising) in and tells what it settled."""
        ...

    def snapshot(self) -> dict[str, Any]:
        """What a restart needs, as JSON holds it."""
        ...

    def restore(self, snapshot: Mapping[str, Any], /) -> None:
        """Takes up what `memory` returned."""
        ...


class ViewChecker(Protocol):
    """Says what is wrong with the view: a `ViewWatch`."""

    def process_frame(self, image: Image, at: float, state: CameraState, reading: Reading | None) -> ViewProblem | None:
        """Takes a frame of the time `at` (seconds, rising) in; None: nothing is wrong."""
        ...


def make_table_watcher() -> DiceAndLidWatcher:
    """The companion's own eyes: dice by pips, the lid by its tokens."""
    return DiceAndLidWatcher(DiceReader(), LidReader(), rectify=rectify_lid)


class CameraReader:
    """The eyes, one frame a call.

    Args:
        source: opens the camera.
        watcher: keeps track of the table from frame to frame.
        monotonic: the host's monotonic clock, in seconds.
        memory: keeps what was learnt of the table for the next start; None: nothing is kept.
        view: judges the camera's view; None: nobody does.
    """

    def __init__(
        self,
        open_camera: CameraFactory,
        watcher: TableWatcher,
        monotonic: Callable[[], float],
        layout_cache: LayoutCache | None = None,
        view_checker: ViewChecker | None = None,
    ) -> None:
        self._view = view_checker
        self._refused: str | None = None
        self.camera_view = CameraView(CameraState.SEARCHING)
        self._memory = layout_cache
        kept = layout_cache.load() if layout_cache else None
        if layout_cache is not None and kept is not None:
            try:
                watcher.restore(kept)
            except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
                layout_cache.set_aside()
        self._to_keep = False
        """Something happened since the memory was kept last."""
        self._source = open_camera
        self._watcher = watcher
        self._monotonic = monotonic
        self._camera: Camera | None = None
        self._lost = self._there = False
        """Whether the camera is missing; whether there has been one at all."""
        self._try_at = self._looked_at = self._fed_at = monotonic()
        self._lid = False

    def poll(self) -> list[Event]:
        """The signals of the next frame, if there is a new one."""
        self._keep()  # what was seen last is told by now: it need not wait for the disk
        now = self._monotonic()
        if now - self._looked_at > PAUSED_GAP_SECONDS:
            self._fed_at = now
        self._looked_at = now
        camera = self._camera or self._open()
        if camera is None:
            return self._missing(
                CameraState.LOST, "" if self._there else LazyMessage("There is no camera: plug one in")
            )
        try:
            frame = camera.read()
        except CameraLost as why:
            if not self._lost:
                log.warning("%s", why)
            return self._give_up(CameraState.LOST)
        if frame is not None and (image := self._readable(frame)) is not None:
            self._fed_at = now
            return self._see(image, frame.at)
        if now - self._fed_at < SILENCE_SECONDS:
            return []
        if now - self._fed_at < MAX_SILENCE_SECONDS:
            return self._without_pictures()
        log.warning("%s has given no picture for %.0f s: it is opened anew.", camera.name, MAX_SILENCE_SECONDS)
        return self._give_up(CameraState.BLIND)

    def restart(self, *, discard_layout: bool) -> None:
        """Lets the camera go; it is opened anew by the next look. `forget`: what was learnt of the table, too."""
        self._to_keep = False  # the eyes have failed: nothing that they hold now is worth keeping
        self.close()
        if discard_layout and self._memory is not None:
            self._memory.set_aside()

    def close(self) -> None:
        """Lets the camera go."""
        self._keep()
        if self._camera is not None:
            self._camera.close()
            self._camera = None

    def _open(self) -> Camera | None:
        if self._monotonic() < self._try_at:
            return None
        try:
            self._camera = self._source()
            self._there = True
            self._fed_at = self._monotonic()
        except CameraLost:
            self._try_at = self._monotonic() + REOPEN_SECONDS
        return self._camera

    def _give_up(self, state: CameraState) -> list[Event]:
        self.close()
        self._try_at = self._monotonic() + REOPEN_SECONDS
        return self._missing(state)

    def _missing(self, state: CameraState, words: str = "") -> list[Event]:
        # One that gave no pictures may be unplugged then; that one unplugged gives none goes without saying.
        if self._lost and (state is not CameraState.LOST or self.camera_view.state is state):
            return []
        self._lost = True
        self.camera_view = CameraView(state)
        now = self._monotonic()
        return [DeviceLost(CAMERA_NAME, now, words), CameraStateChanged(state, now)]

    def _without_pictures(self) -> list[Event]:
        return self._missing(CameraState.BLIND, NO_PICTURES_MESSAGE)

    def _found(self) -> list[Event]:
        if not self._lost:
            return []
        self._lost = False
        log.info("The camera gives pictures again.")
        return [DeviceRestored(CAMERA_NAME, self._monotonic())]

    def _readable(self, frame: Frame) -> Image | None:
        """The picture in the frame; None: there is none."""
        try:
            return normalise_frame(frame.image)
        except UnreadableImage as why:
            self._refuse(str(why))
            return None

    def _see(self, image: Image, at: float) -> list[Event]:
        events = self._watcher.process_frame(image, at)
        reading = self._watcher.reading
        lid = reading is not None and reading.lid is not None
        signals = list(events)
        self._to_keep = self._to_keep or bool(events)
        if self._watcher.state is CameraState.BLIND and not is_dark(np.asarray(image.mean(axis=2), np.uint8)):
            # The same picture again and again: a camera that hangs, and says nothing of it.
            return signals + self._without_pictures()
        back = self._found()
        if (lid != self._lid or back) and not any(isinstance(s, CameraStateChanged) for s in signals):
            signals.append(CameraStateChanged(self._watcher.state, at, lid))
        self._lid = lid
        problem = self._view.process_frame(image, at, self._watcher.state, reading) if self._view else None
        self._picture(image, reading, problem)
        return back + signals

    def _keep(self) -> None:
        if self._to_keep and self._memory is not None:
            self._memory.save(self._watcher.snapshot())
        self._to_keep = False

    def _refuse(self, why: str) -> None:
        """A frame that is none: said once, for a camera that gives one gives many."""
        if why != self._refused:
            self._refused = why
            log.warning("The camera gives what is %s.", why)

    def _picture(self, image: Image, reading: Reading | None, problem: ViewProblem | None) -> None:
        """A new `Eyes` only when there is something new to be shown: the display compares by identity."""
        state = self._watcher.state
        upright = self._watcher.lid_image
        seen = self.camera_view
        if (
            state is not seen.state
            or reading is not seen.reading
            or upright is not seen.rectified_lid
            or problem is not seen.problem
        ):
            self.camera_view = CameraView(state, reading, image, upright, problem)
