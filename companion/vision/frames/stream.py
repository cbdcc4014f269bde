"""One frame beside those before it, as the watcher of any game has to know it before it looks at the table."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from companion.vision.frames.motion import FrameChange, MotionDetector, is_dark
from companion.vision.reading import Image

_SECONDS_TO_FREEZE = 10.0
"""A picture that stays the same to the last bit for so long comes from no camera that works."""


@dataclass(frozen=True, slots=True)
class FrameInfo:
    """What can be said of a frame by itself and those before it."""

    change: FrameChange | None
    """How it differs; None: the whole view is another (start, lamp, frame size, lens covered or free again), and
    nothing seen before can be compared with it."""
    is_blind: bool
    """It is dark, or the camera has been giving the same frame for long."""
    is_resized: bool = False
    """It has another size, so places in pixels mean nothing any more."""


class FrameStream:
    """Frames of one camera in, how each follows on the others out.

    Args:
        motion: sees what moves.
    """

    def __init__(self, motion: MotionDetector) -> None:
        self._motion = motion
        self._news_at = -np.inf
        self._blind = False
        self.frame_size: tuple[int, ...] = ()
        """Height and width of the last frame, in pixels; may be set to what it was before a restart."""

    def process_frame(self, image: Image, at: float) -> FrameInfo:
        """Takes one BGR frame of the time `at` (seconds, rising) in."""
        change = self._motion.process_frame(image, at)
        resized, self.frame_size = image.shape[:2] != self.frame_size, image.shape[:2]
        if change is None or resized or change.is_everywhere or (self._blind and not change.is_identical):
            self._news_at = at
            self._blind = is_dark(self._motion.make_reference().grey)
            return FrameInfo(None, self._blind, resized)
        if not change.is_identical:
            self._news_at = at
        elif at - self._news_at >= _SECONDS_TO_FREEZE:
            self._blind = True
        return FrameInfo(change, self._blind)
