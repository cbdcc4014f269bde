"""Compare each frame with those before it, as the watcher of any game needs before it looks at the table."""

from dataclasses import dataclass

import numpy as np

from companion.vision.frames.motion import FrameChange, MotionDetector, is_dark
from companion.vision.reading import Image

_SECONDS_TO_FREEZE = 10.0
"""Seconds of identical frames after which the camera hangs. If it grows, hanging cameras are reported later."""


@dataclass(frozen=True, slots=True)
class FrameInfo:
    """The properties of a frame, by itself and beside those before it.

    Attributes:
        change: how it differs; None: the whole view is another (start, lamp, frame size, lens covered or free again),
            and nothing seen before can be compared with it.
        is_blind: it is dark, or the camera has been giving the same frame for ten seconds.
        is_resized: it has another size, so positions in pixels are no longer valid; also True for the first frame.
    """

    change: FrameChange | None
    is_blind: bool
    is_resized: bool = False


class FrameStream:
    """Follows the frames of one camera. Not thread-safe.

    Args:
        motion: detects motion; it must not be given frames by anything else.

    Attributes:
        frame_size: height and width of the last frame in pixels, empty before the first; a restart sets it to the size
            that was stored, so the first frame of that size counts as not resized.
    """

    def __init__(self, motion: MotionDetector) -> None:
        self._motion = motion
        self._changed_at = -np.inf
        self._blind = False
        self.frame_size: tuple[int, ...] = ()

    def process_frame(self, image: Image, at: float) -> FrameInfo:
        """Compare a frame with those before it.

        Args:
            image: (H, W, 3) uint8 BGR, as `image_io.normalise_frame` returns it (not checked).
            at: time of the frame in seconds, rising from call to call.

        Returns:
            The frame's properties; its `change` is None where nothing seen before can be compared with it.
        """
        change = self._motion.process_frame(image, at)
        resized, self.frame_size = image.shape[:2] != self.frame_size, image.shape[:2]
        if change is None or resized or change.is_everywhere or (self._blind and not change.is_identical):
            self._changed_at = at
            self._blind = is_dark(self._motion.make_reference().grey)
            return FrameInfo(None, self._blind, resized)
        if not change.is_identical:
            self._changed_at = at
        elif at - self._changed_at >= _SECONDS_TO_FREEZE:
            self._blind = True
        return FrameInfo(change, self._blind)
