"""What vision says of one frame. Pixels are of the frame as given, x to the right, y down.

The app acts on a reading of confidence `ACT` and above; below, it asks the table.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]
"""A BGR frame, shape (height, width, 3), dtype uint8."""

Point = tuple[float, float]
BoundingBox = tuple[float, float, float, float]
"""x0, y0, x1, y1 in pixels."""

MIN_PLAY_CONFIDENCE = 0.9
"""Readings at or above this confidence are acted on; they are right at least 99.5 % of the time."""


@dataclass(frozen=True, slots=True)
class Die:
    """One die's top face. `alternative` is the next likeliest value, for the question on the screen."""

    value: int
    box: BoundingBox
    confidence: float
    alternative: int | None = None
    tilted: bool = False


@dataclass(frozen=True, slots=True)
class LidWindow:
    """One of the lid's round windows.

    `covered` None: hidden by a hand or otherwise not to be seen. `number` is the token's, None if open or unread.
    `confidence` is that of `covered` and, where a number is given, of the number.
    """

    center: Point
    radius: float
    covered: bool | None
    number: int | None
    confidence: float


@dataclass(frozen=True, slots=True)
class Lid:
    """The Macroscope's lid: its four corners clockwise from the arrow's left, the arrow, and its 12 windows.

    Windows keep their index from frame to frame, row by row with the arrow up. `mirrored`: so are the numbers on the
    tokens; a camera, or a telephone that serves as one, shows its picture as a mirror does. `tags`: the four corners of
    each printed tag that is known to lie beside it, where it lies now.
    """

    corners: tuple[Point, Point, Point, Point]
    arrow: Point | None
    windows: tuple[LidWindow, ...]
    mirrored: bool = False
    tags: tuple[tuple[Point, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """All that was read in one frame."""

    dice: tuple[Die, ...] = ()
    lid: Lid | None = None
    duration_ms: float = 0.0
    notes: tuple[str, ...] = field(default=())
