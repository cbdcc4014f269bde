"""One frame beside those before it, as the watcher of any game has to know it before it looks at the table."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from companion.vision.frames.motion import Change, Motion, is_dark
from companion.vision.reading import Image

_FROZEN_S = 10.0
"""A picture that stays the same to the last bit for so long comes from no camera that works."""


@dataclass(frozen=True, slots=True)
class Glimpse:
    """What can be said of a frame by itself and those before it."""

    change: Change | None
    """How it differs; None: the whole view is another (start, lamp, frame size, lens covered or free again), and
    nothing seen before can be compared with it."""
    blind: bool
    """It is dark, or the camera has been giving the same frame for long."""
    resized: bool = False
    """It has another size, so places in pixels mean nothing any more."""


class Stream:
    """Frames of one camera in, how each follows on the others out.

    Args:
        motion: sees what moves.
    """

    def __init__(self, motion: Motion) -> None:
        self._motion = motion
        self._news_at = -np.inf
        self._blind = False
        self.size: tuple[int, ...] = ()
        """Height and width of the last frame, in pixels; may be set to what it was before a restart."""

    def see(self, image: Image, at: float) -> Glimpse:
        """Takes one BGR frame of the time `at` (seconds, rising) in."""
        change = self._motion.see(image, at)
        resized, self.size = image.shape[:2] != self.size, image.shape[:2]
        if change is None or resized or change.everywhere or (self._blind and not change.same):
            self._news_at = at
            self._blind = is_dark(self._motion.past().gray)
            return Glimpse(None, self._blind, resized)
        if not change.same:
            self._news_at = at
        elif at - self._news_at >= _FROZEN_S:
            self._blind = True
        return Glimpse(change, self._blind)
