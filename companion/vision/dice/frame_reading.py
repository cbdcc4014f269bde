"""The dice and faces of one frame, and what candidates say about each other."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion.vision.confidence_limits import MIN_KNOWN_COUNT_CONFIDENCE
from companion.vision.dice.assembly import MAX_SIZE_RATIO, MIN_TOP_FACE_DISTANCE_EDGES, NO_FACE, FaceReading
from companion.vision.dice.detector import Candidate, is_near
from companion.vision.dice.frame_orientation import have_common_plane, is_impossible_top, is_oblique, turn_die
from companion.vision.reading import Die, Image

NOT_FACE_REFINED = 0.75
"""P(not a face), after position and size were refined, from which no further view is read. Larger: slower."""

_MIN_DISPUTED_SCORE = 0.6
"""Detector score, 0 to 1, from which a place of a die's size is asked about although the reader sees no face there.

Larger: fewer questions about scenery, more dice missed without a question."""


@dataclass(frozen=True, slots=True)
class FrameReading:
    """The dice and faces of a frame, in the pixels of the orientation in which it was read.

    >>> frame = np.zeros((480, 640, 3), np.uint8)
    >>> FrameReading(frame, dice=(Die(5, (100, 80, 140, 120), 0.97),)).is_certain
    True

    Attributes:
        image: the frame in that orientation, (H, W, 3) uint8 BGR.
        turns: quarter turns anticlockwise from the frame as it is held to that orientation.
        dice: the dice, in no particular order.
        faces: all faces that were read in the last search, rejected ones included.
        found: the detector's candidates, best first.
        was_limited: whether dice may be missing, because more places were found than are examined.
        impossible: dice whose face cannot be a top, where no better orientation was found: the companion asks about
            them.
    """

    image: Image
    turns: int = 0
    dice: Sequence[Die] = ()
    faces: Sequence[FaceReading] = ()
    found: Sequence[Candidate] = ()
    was_limited: bool = False
    impossible: Sequence[Die] = ()

    @property
    def is_certain(self) -> bool:
        """Whether there are dice, and all can be played without asking."""
        return bool(self.dice) and all(die.is_certain for die in self.dice)

    @property
    def tops(self) -> list[FaceReading]:
        """The top face of each die."""
        return [min(self.faces, key=lambda face: _measure_distance(face.candidate, die)) for die in self.dice]

    @property
    def has_common_plane(self) -> bool:
        """Whether there are several dice, and all lie on one table."""
        return have_common_plane(self.tops, self.image.shape)

    @property
    def is_oblique(self) -> bool:
        """Whether a die is seen from aside, or, if there is none, a place that may be one."""
        likely = [face for face in self.faces if face.state_probabilities[NO_FACE] < NOT_FACE_REFINED]
        return any(is_oblique(face.normal_xy) for face in (self.tops or likely))

    def list_impossible_tops(self) -> list[Die]:
        """Return the dice whose face cannot be a top in this orientation."""
        return [die for die, top in zip(self.dice, self.tops, strict=True) if is_impossible_top(top, self.image.shape)]

    def turn_back(self, dice: Sequence[Die]) -> list[Die]:
        """Return dice of this orientation where they lie in the frame as it is held."""
        return [turn_die(die, 4 - self.turns, self.image.shape) for die in dice]


def find_disputed(faces: Sequence[FaceReading]) -> list[FaceReading]:
    """Find rejected faces that the detector takes for dice: of a size with one that is not rejected, and beside all."""
    likely = [face.candidate for face in faces if not face.is_rejected]

    def may_be_die(at: Candidate) -> bool:
        ratios = [max(at.edge / other.edge, other.edge / at.edge) for other in likely]
        # Sides of a die lie nearer than one edge.
        return min(ratios, default=np.inf) <= MAX_SIZE_RATIO and not any(is_near(at, other, 1.0) for other in likely)

    rejected = [face for face in faces if face.is_rejected and face.candidate.score >= _MIN_DISPUTED_SCORE]
    return [face for face in rejected if may_be_die(face.candidate)]


def cover_all(dice: Sequence[Die], others: Sequence[Die]) -> bool:
    """Return whether each of `others` may be another face of one of the dice: none lies by itself.

    >>> die, side = Die(5, (100, 80, 140, 120), 0.97), Die(2, (100, 100, 140, 140), 0.4)
    >>> cover_all([die], [side]), cover_all([die], [side, Die(2, (300, 80, 340, 120), 0.4)])
    (True, False)
    """
    return all(is_at_any(dice, other) for other in others)


def is_at_any(dice: Sequence[Die], die: Die) -> bool:
    """Return whether a die may be another face of one of `dice`."""
    return any(one.distance_to(die) < MIN_TOP_FACE_DISTANCE_EDGES for one in dice)


def have_like_sizes(dice: Sequence[Die]) -> bool:
    """Return whether the dice that may be played are of about one size, as dice of a game are.

    >>> large, pip = Die(5, (0, 0, 120, 120), 0.95), Die(1, (200, 200, 230, 230), 0.97)
    >>> have_like_sizes([large]), have_like_sizes([large, pip])
    (True, False)
    """
    sides = [die.side for die in dice if max(die.confidence, die.known_confidence) >= MIN_KNOWN_COUNT_CONFIDENCE]
    return not sides or max(sides) <= MAX_SIZE_RATIO * min(sides)


def _measure_distance(candidate: Candidate, die: Die) -> float:
    """Return the distance of a candidate's centre from a die's, in pixels."""
    x, y = die.center
    return float(np.hypot(candidate.x - x, candidate.y - y))
