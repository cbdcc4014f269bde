"""The base class of what follows a table from frame to frame."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, Generic, TypeVar

import numpy as np

from companion.events import CameraState, CameraStateChanged, VisionEvent
from companion.vision.frames.blocks import is_dark
from companion.vision.frames.image_io import normalise_frame
from companion.vision.frames.motion import FrameChange, MotionDetector
from companion.vision.reading import Image, Reading

_SECONDS_TO_FREEZE = 10.0
"""Seconds of identical frames after which the camera hangs. If it grows, hanging cameras are reported later."""

TableEventT = TypeVar("TableEventT", bound=VisionEvent)
"""The events of a kind of table, besides changes of the state."""


class TableWatcher(ABC, Generic[TableEventT]):
    """Base class that follows a table from frame to frame of one camera, and emits events.

    >>> from companion.vision.tray.watcher import make_dice_tray_watcher
    >>> watcher = make_dice_tray_watcher()
    >>> empty_tray = np.full((480, 640, 3), 120, np.uint8)
    >>> for n in range(10):
    ...     events = watcher.process_frame(empty_tray, at=n / 15)
    ...
    >>> watcher.reading.dice
    ()

    Every frame is only checked for motion; a subclass reads the parts of the table that have come to rest. The first
    view at rest is the baseline: objects that lie there then make no event. Not thread-safe.

    Attributes:
        state: state of the table.
        reading: the latest reading, a new object each time; None before the first.
    """

    def __init__(self) -> None:
        self._motion = MotionDetector()
        self._frame_size: tuple[int, ...] = ()  # height and width; restored, so that the first frame is not resized
        self._changed_at = -np.inf
        self._is_blind = self._is_lid_hidden = False
        self.state = CameraState.SEARCHING
        self.reading: Reading | None = None

    def process_frame(self, image: Image, at: float) -> list[TableEventT | CameraStateChanged]:
        """Process the next frame; update `state`, and `reading` where the table was read again.

        `state` becomes SEARCHING with the first frame, with a frame of another size and while the whole view changes;
        BLIND while the frame is dark, and after 10 s of identical frames (the camera hangs).

        Args:
            image: (H, W, 3) uint8 BGR; other formats are converted, see `image_io.normalise_frame`.
            at: time of the frame in seconds on any one clock, rising from call to call (not checked).

        Returns:
            The events of this frame in order, with `at` as their time; empty if nothing has come to rest or changed. A
            change of `state` is one of them.

        Raises:
            UnreadableImage: `image` is no array of numbers, has another shape, or is too small or narrow to show a
                table.
            DamagedDataFile: a packaged network or weights file that is loaded on first use is missing or damaged.
        """
        image = normalise_frame(image)
        change = self._motion.process_frame(image, at)
        is_resized, self._frame_size = image.shape[:2] != self._frame_size, image.shape[:2]
        if is_resized:
            self._forget_positions()
        if change is None or is_resized or change.is_everywhere or (self._is_blind and not change.is_identical):
            self._changed_at = at
            self._is_blind = is_dark(self._motion.make_reference().grey)
            self._restart_comparison(at)
            return [*self._set_state(CameraState.BLIND if self._is_blind else CameraState.SEARCHING, at)]
        if not change.is_identical:
            self._changed_at = at
        elif at - self._changed_at >= _SECONDS_TO_FREEZE:
            self._is_blind = True
        return [*self._set_state(CameraState.BLIND, at)] if self._is_blind else self._process_change(image, change, at)

    @abstractmethod
    def snapshot(self) -> dict[str, Any]:
        """Return the state that a restart in the middle of a round needs to repeat no event, as JSON values.

        Returns:
            A new dictionary for `restore` of the same class; its keys are private to the class. `state` and `reading`
            are not part of it.
        """

    @abstractmethod
    def restore(self, snapshot: Mapping[str, Any]) -> None:
        """Continue from a snapshot; changes in the meantime are reported at the first view at rest.

        To be called before the first frame. If it raises, the watcher may be half restored: make a new one.

        Args:
            snapshot: the dictionary that `snapshot` of this class returned.

        Raises:
            ArithmeticError, AttributeError, LookupError, TypeError, ValueError: `snapshot` of this class did not return
                this.
        """

    @abstractmethod
    def _forget_positions(self) -> None:
        """The frames have another size: positions in pixels are void."""

    @abstractmethod
    def _restart_comparison(self, at: float) -> None:
        """The whole view changed: nothing seen before can be compared."""

    @abstractmethod
    def _process_change(self, image: Image, change: FrameChange, at: float) -> list[TableEventT | CameraStateChanged]:
        """Process a frame that can be compared with the one before."""

    def _set_state(self, state: CameraState, at: float, *, lid_hidden: bool = False) -> list[CameraStateChanged]:
        """Set the state; return the event if it changed."""
        if (state, lid_hidden) == (self.state, self._is_lid_hidden):
            return []
        self.state, self._is_lid_hidden = state, lid_hidden
        lid_known = self.reading is not None and self.reading.lid is not None
        return [CameraStateChanged(state, at, lid_known, lid_hidden)]
