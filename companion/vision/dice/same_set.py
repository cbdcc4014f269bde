"""Compare two faces by the colours of body and pips and by size: do they belong to one set of dice?

Dice on one table are mostly of one make. A doubtful face that looks like the certain dice is more likely to be a die.
"""

from collections.abc import Sequence

import cv2
import numpy as np

from companion.vision.dice.detector import Candidate, is_near
from companion.vision.onnx import Float32Array
from companion.vision.reading import Image

_SAMPLED_EDGES = 0.8
"""Side of the sampled square in the middle of a face, in edges. Larger: more of the rounded rim is sampled."""

_SAMPLE_CELLS = 16
"""Rows and columns to which that square is reduced. Larger: finer, slower."""

_PIP_CELLS = 26
"""Number of the `_SAMPLE_CELLS` ** 2 cells that count as pips: those least like the body, for any value.

Larger: on faces of few pips more of the body is averaged in."""

_LAB_WEIGHTS = np.array([0.4, 1.0, 1.0], np.float32)
"""Weights of CIELAB's L, a, b in a colour distance. L weighs less because shade changes it most."""

_MAX_COLOUR_DISTANCE = 20.0
"""Weighted CIELAB distance from which two faces are of different sets. Larger: more faces count as one set."""

_MAX_SIZE_RATIO = 1.5
"""Ratio of edges from which two faces are of different sets. Larger: more faces count as one set."""

_SIDE_FACE_EDGES = 1.1
"""A face nearer than this to a die, in edges, may be that die's side face, which looks like it.

Larger: fewer faces gain from the comparison."""

FaceColours = tuple[Float32Array, Float32Array]
"""Mean colours of a face's body and of its pips, CIELAB, shape (3,) each."""


def measure_face_colours(image: Image, candidate: Candidate) -> FaceColours:
    """Measure the colours of a face's body and of its pips.

    Args:
        image: the frame, (H, W, 3) uint8 BGR.
        candidate: the face, in pixels of `image`; the part outside the frame is left out.

    Returns:
        Colour of the body (the median) and of the pips (the mean of the pixels farthest from it), each CIELAB, shape
        (3,) float32: L 0 to 100, a and b about -127 to 127.
    """
    half = _SAMPLED_EDGES / 2 * candidate.edge
    height, width = image.shape[:2]
    x0, y0 = min(max(0, int(candidate.x - half)), width - 1), min(max(0, int(candidate.y - half)), height - 1)
    x1, y1 = min(max(x0 + 1, int(candidate.x + half)), width), min(max(y0 + 1, int(candidate.y + half)), height)
    part = cv2.resize(image[y0:y1, x0:x1], (_SAMPLE_CELLS, _SAMPLE_CELLS), interpolation=cv2.INTER_AREA)
    lab = cv2.cvtColor(np.asarray(part, np.float32) / 255, cv2.COLOR_BGR2LAB).reshape(-1, 3)
    body = np.median(lab, axis=0)
    farthest = np.argsort(np.linalg.norm(lab - body, axis=1))[-_PIP_CELLS:]
    return np.asarray(body, np.float32), np.asarray(lab[farthest].mean(0), np.float32)


def compute_colour_distance(one: FaceColours, other: FaceColours) -> float:
    """Return the weighted CIELAB distance of two faces: that of the bodies plus half of that of the pips.

    Args:
        one: colours of a face, as `measure_face_colours` returned them.
        other: colours of another face.

    Returns:
        0 or more, in CIELAB units, weighted per channel by `_LAB_WEIGHTS`.
    """
    body, pips = (float(np.linalg.norm((a - b) * _LAB_WEIGHTS)) for a, b in zip(one, other, strict=True))
    return body + pips / 2


def is_same_set(
    image: Image, candidate: Candidate, certain: Sequence[Candidate], parallel: Sequence[Candidate]
) -> bool:
    """Return whether a face looks like one of the certain dice and is not a side face of one.

    Args:
        image: the frame, (H, W, 3) uint8 BGR.
        candidate: the face in question, in pixels of `image`.
        certain: faces that are certainly dice, without `candidate`.
        parallel: those of `certain` that face the same way as `candidate`; only these are compared. If it is empty the
            answer is False.
    """
    if any(is_near(candidate, die, _SIDE_FACE_EDGES) for die in certain):
        return False
    similar = [die for die in parallel if 1 / _MAX_SIZE_RATIO < candidate.edge / die.edge < _MAX_SIZE_RATIO]
    return bool(similar) and not is_foreign(image, candidate, similar)


def is_foreign(image: Image, candidate: Candidate, certain: Sequence[Candidate]) -> bool:
    """Return whether a face has the colours of none of the certain dice.

    Args:
        image: the frame, (H, W, 3) uint8 BGR.
        candidate: the face in question, in pixels of `image`.
        certain: faces that are certainly dice; if it is empty the answer is True.
    """
    colours = measure_face_colours(image, candidate)
    return all(
        compute_colour_distance(colours, measure_face_colours(image, die)) >= _MAX_COLOUR_DISTANCE for die in certain
    )
