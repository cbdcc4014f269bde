"""Find which edge of a frame is up, so that a camera that looks from aside may be mounted in any quarter turn.

Seen from aside, two or three faces of a die look alike. The reader net learnt from frames that are held upright, and
takes the face nearest to the upper edge for the top. In the right orientation all faces that it takes for tops have the
normal of the table; in a wrong one it takes sides for tops, whose normals differ from die to die.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import atan2, degrees, hypot

import numpy as np

from companion.vision.dice.assembly import TILTED_DEG, FaceReading, list_places
from companion.vision.dice.face_normals import (
    Direction,
    compute_face_normal,
    measure_plane_deviations,
    turn_normal,
    weigh_largest_plane,
)
from companion.vision.reading import BoundingBox, Die, Image, Lid, Point

OBLIQUE_SINE = 0.42
"""Sine of the angle between a face's normal and the line of sight above which the view is oblique: only the frame's
upper edge tells the top from the sides, as in training (train_dice.samples)."""

_MAX_ROLL_DEG = 60.0
"""Greatest angle in the frame, in degrees, between the normal of an oblique top and the frame's upward direction.

A camera looks down on the table, so above it the face is a side, or the frame is not upright. Larger: fewer tops are
doubted, and orientations are found less often."""


def turn_image(image: Image, turns: int) -> Image:
    """Turn a frame by quarter turns anticlockwise.

    >>> turn_image(np.zeros((480, 640, 3), np.uint8), turns=1).shape
    (640, 480, 3)

    Args:
        image: (H, W, 3) uint8 BGR.
        turns: any number of turns; 4 are none.
    """
    return np.ascontiguousarray(np.rot90(image, turns)) if turns else image


def turn_point(point: Point, turns: int, shape: Sequence[int]) -> Point:
    """Return where a point of a frame lies after quarter turns anticlockwise.

    >>> turn_point((600, 20), turns=1, shape=(480, 640))
    (20, 40)

    Args:
        point: x, y in pixels from the top left.
        turns: 0 or more.
        shape: height and width of the frame before the turns, in pixels; further items are ignored.
    """
    (x, y), (height, width) = point, shape[:2]
    for _ in range(turns):
        x, y, height, width = y, width - x, width, height
    return x, y


def turn_box(box: BoundingBox, turns: int, shape: Sequence[int]) -> BoundingBox:
    """Return a box of a frame, not an empty one, after quarter turns anticlockwise, see `turn_point`.

    >>> turn_box((600, 20, 640, 60), turns=1, shape=(480, 640))
    (20, 0, 60, 40)
    """
    (x0, y0), (x1, y1) = (turn_point(corner, turns, shape) for corner in (box[:2], box[2:]))
    return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)


def turn_die(die: Die, turns: int, shape: Sequence[int]) -> Die:
    """Return a die of a frame after quarter turns anticlockwise, see `turn_point`.

    >>> turn_die(Die(5, (600, 20, 640, 60), 0.97), turns=1, shape=(480, 640)).box
    (20, 0, 60, 40)
    """
    return replace(die, box=turn_box(die.box, turns, shape))


def turn_lid(lid: Lid, turns: int, shape: Sequence[int]) -> Lid:
    """Return a lid of a frame after quarter turns anticlockwise, see `turn_point`; its windows are left out."""

    def turn_all(points: Sequence[Point]) -> tuple[Point, ...]:
        return tuple(turn_point(point, turns, shape) for point in points)

    a, b, c, d = turn_all(lid.corners)
    arrow = None if lid.arrow is None else turn_point(lid.arrow, turns, shape)
    return replace(lid, corners=(a, b, c, d), arrow=arrow, windows=(), tags=tuple(turn_all(tag) for tag in lid.tags))


def is_oblique(normal_xy: Point) -> bool:
    """Return whether a face is seen so far from aside that the frame's upper edge matters.

    Args:
        normal_xy: components of its normal across the line of sight, right and down, each -1 to 1.
    """
    return hypot(*normal_xy) > OBLIQUE_SINE


def count_turns_to_upright(table: Direction) -> int:
    """Return the quarter turns anticlockwise that turn the table's far side up, 0 to 3; 0 if it is seen from above.

    Args:
        table: the table's normal towards the camera in camera axes (right, down, forward), shape (3,).
    """
    across = float(table[0]), float(table[1])
    return min(range(4), key=lambda turns: turn_normal(across, turns)[1]) if is_oblique(across) else 0


def have_common_plane(faces: Sequence[FaceReading], shape: Sequence[int]) -> bool:
    """Return whether there are at least two faces and all lie in one plane, that of the table.

    Args:
        faces: top faces of one frame.
        shape: height and width of the frame in pixels; further items are ignored.
    """
    deviations = measure_plane_deviations(list_places(faces), shape, TILTED_DEG)
    return bool(faces) and all(deviation is not None and deviation < TILTED_DEG for deviation in deviations)


def is_impossible_top(face: FaceReading, shape: Sequence[int], turns: int = 0) -> bool:
    """Return whether a face that is seen obliquely cannot be the top of a die in an orientation of the frame.

    Args:
        face: a face, its normal and position in the frame as it is held.
        shape: height and width of the frame in pixels; further items are ignored.
        turns: quarter turns anticlockwise to the orientation that is checked.
    """
    ((normal_xy, point),) = list_places([face])
    normal = compute_face_normal(normal_xy, point, shape)
    right, down = turn_normal((float(normal[0]), float(normal[1])), turns)
    return is_oblique((right, down)) and abs(degrees(atan2(right, -down))) > _MAX_ROLL_DEG


def find_upright_turns(
    faces: Sequence[FaceReading], read_turned: Callable[[int], Sequence[FaceReading]], shape: Sequence[int]
) -> int:
    """Find the orientation in which most faces read like tops in one plane.

    Args:
        faces: the faces of a frame as it is held.
        read_turned: reads the same places, turned by a number of quarter turns anticlockwise; returns faces with
            normals in the frame as it is held.
        shape: height and width of the frame in pixels; further items are ignored.

    Returns:
        Quarter turns anticlockwise, 0 to 3; the fewest if several are equal.
    """

    def weigh_tops(turns: int) -> float:
        read = read_turned(turns) if turns else faces
        tops = [face for face in read if face.is_readable and not is_impossible_top(face, shape, turns)]
        weights = [_compute_top_confidence(face) for face in tops]
        return weigh_largest_plane(list_places(tops), weights, shape, TILTED_DEG)

    return max(range(4), key=weigh_tops)


def _compute_top_confidence(face: FaceReading) -> float:
    """Return the probability that a face is a readable top face, times that of its value."""
    return float(face.readable_probability * face.value_probabilities.max())
