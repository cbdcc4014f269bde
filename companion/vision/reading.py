"""What vision reads in one frame. Positions are pixels of the frame as given: x to the right, y down.

A confidence is 0 to 1; companion/vision/confidence_limits.py says from which on a reading is played.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from math import dist

import numpy as np
import numpy.typing as npt

from companion.vision.confidence_limits import MIN_PLAY_CONFIDENCE

Image = npt.NDArray[np.uint8]
"""A BGR frame, shape (height, width, 3), uint8."""

GreyImage = npt.NDArray[np.uint8]
"""A grey image, shape (height, width), uint8."""

Point = tuple[float, float]
"""x, y in pixels."""

BoundingBox = tuple[float, float, float, float]
"""x0, y0, x1, y1 in pixels: left, top, right, bottom."""


@dataclass(frozen=True, slots=True)
class Die:
    """One die, by its top face. Positions are pixels of the frame; values are not checked.

    >>> die = Die(value=5, box=(100, 80, 140, 120), confidence=0.97)
    >>> die.center, die.side, die.is_certain
    ((120.0, 100.0), 40, True)
    >>> die.distance_to(Die(6, (140, 80, 180, 120), 0.4))
    1.0

    Attributes:
        value: 1 to 6.
        box: square about the top face, pixels of the frame.
        confidence: that the value is right, 0 to 1.
        alternative: the next most likely value, 1 to 6, for the question on the screen; None: unknown.
        tilted: whether the die leans against something (a cocked die).
        known_confidence: that the value is right if a die is known to lie here, because a game knows how many were
            thrown; less than `confidence`: not known.
        picture: its face in grey as `table.face_picture.cut_face_picture` cuts it; None: not needed, or not kept.
    """

    value: int
    box: BoundingBox
    confidence: float
    alternative: int | None = None
    tilted: bool = False
    known_confidence: float = 0.0
    picture: npt.NDArray[np.float32] | None = field(default=None, compare=False, repr=False)

    @property
    def center(self) -> Point:
        """The middle of the die's box: x, y in pixels of the frame."""
        return (self.box[0] + self.box[2]) / 2, (self.box[1] + self.box[3]) / 2

    @property
    def side(self) -> float:
        """The longer side of the die's box in pixels of the frame."""
        return max(self.box[2] - self.box[0], self.box[3] - self.box[1])

    @property
    def is_certain(self) -> bool:
        """Whether the value can be played without asking: the confidence is at least `MIN_PLAY_CONFIDENCE` (0.9)."""
        return self.confidence >= MIN_PLAY_CONFIDENCE

    def distance_to(self, other: Die) -> float:
        """Return the distance of the two dice's centres, in sides of the larger one (not pixels).

        Args:
            other: a die in the same frame.

        Returns:
            0 or more; about 1 for two equal dice that touch. Sides below 1 pixel count as 1 pixel.
        """
        return dist(self.center, other.center) / max(1.0, self.side, other.side)


@dataclass(frozen=True, slots=True)
class LidWindow:
    """One of the lid's round windows.

    >>> window = LidWindow((320.0, 240.0), 15.0, covered=True, number=4, confidence=0.98)
    >>> window.number if window.covered else None
    4

    Attributes:
        center: x, y of its centre in pixels of the frame.
        radius: its radius in pixels of the frame.
        covered: whether a token lies on it; None: not visible, below a hand for example.
        number: the token's number, 1 to 6; None: no token, or one whose number is not known.
        confidence: that `covered` and, if given, `number` are right, 0 to 1. Of a covered window without a number it is
            high if the token lies blank side up, and low if its digit could not be read.
    """

    center: Point
    radius: float
    covered: bool | None
    number: int | None
    confidence: float


@dataclass(frozen=True, slots=True)
class Lid:
    """The lid with its 12 windows. Positions are pixels of the frame.

    >>> open_windows = tuple(LidWindow((40.0 * i, 60.0), 15.0, False, None, 0.99) for i in range(12))
    >>> lid = Lid(((0, 0), (480, 0), (480, 120), (0, 120)), arrow=None, windows=open_windows)
    >>> sum(window.covered is False for window in lid.windows)
    12

    Attributes:
        corners: x, y of its four corners, clockwise from the one at the left of the arrow.
        arrow: x, y of the printed arrow's centre; None: not seen.
        windows: 12, row by row with the arrow up; a window keeps its index from frame to frame.
        mirrored: whether the camera shows a mirror image, as some webcams and telephones do.
        tags: the four corners of each printed tag that is known to lie beside the lid, where it lies in this frame.
    """

    corners: tuple[Point, Point, Point, Point]
    arrow: Point | None
    windows: tuple[LidWindow, ...]
    mirrored: bool = False
    tags: tuple[tuple[Point, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """All that was read in one frame.

    >>> reading = Reading(dice=(Die(5, (100, 80, 140, 120), 0.97), Die(2, (200, 80, 240, 120), 0.6)))
    >>> [die.value for die in reading.dice if die.is_certain]
    [5]

    Attributes:
        dice: the dice, uncertain ones included.
        lid: the lid; None: not seen.
        duration_ms: milliseconds that reading took; of a watcher's reading, that the latest read of dice or lid took.
        notes: what is wrong with the view or the reading, in English.
    """

    dice: tuple[Die, ...] = ()
    lid: Lid | None = None
    duration_ms: float = 0.0
    notes: tuple[str, ...] = ()


def clip_box(box: BoundingBox, image: Image) -> BoundingBox:
    """Return the part of a box that lies in a frame.

    >>> clip_box((-5.0, 10.0, 50.0, 700.0), np.zeros((480, 640, 3), np.uint8))
    (0.0, 10.0, 50.0, 480.0)

    Args:
        box: left, top, right, bottom in pixels of `image`.
        image: the frame, (H, W, 3) uint8; only its shape is used.

    Returns:
        Left, top, right, bottom in pixels of `image`. Of a box that lies wholly outside, the right is less than the
        left or the bottom less than the top: there is no such part.
    """
    height, width = image.shape[:2]
    return max(0.0, box[0]), max(0.0, box[1]), min(float(width), box[2]), min(float(height), box[3])


class ProblemKind(StrEnum):
    """The kinds of problems, the most important first: that one is reported first.

    >>> next(iter(ProblemKind))
    <ProblemKind.DARK: 'too dark'>
    """

    DARK = "too dark"
    BRIGHT = "too bright"
    FLICKERING = "lamp flickers"
    BLURRED = "blurred"
    MIRRORED = "mirrored"
    CUT_OFF = "lid cut off"
    FAR = "too far away"
    TILTED = "tilted"
    GLARE = "glare"
    UNKNOWN_LID = "lid unknown"
    NO_DICE = "no dice seen"


@dataclass(frozen=True, slots=True)
class ViewProblem:
    """One thing that is wrong with the view.

    >>> ViewProblem(ProblemKind.DARK, "It is too dark: switch a lamp on.", (0, 0, 640, 480)).kind
    <ProblemKind.DARK: 'too dark'>

    Attributes:
        kind: the kind of problem.
        message: what is wrong and how to correct it, in the language chosen when the problem was made.
        box: where it is: left, top, right, bottom in pixels of the frame.
    """

    kind: ProblemKind
    message: str
    box: BoundingBox
