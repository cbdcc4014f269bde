"""Whether two things are dice of one kind: colours of body and pips, and size.

Dice on one table are mostly of one make. What a net takes for a die with some doubt is one the more likely, the more it
looks like those that are surely dice.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.dice.detector import Candidate, is_near
from companion.vision.reading import Image

Array = npt.NDArray[np.float32]

_SAMPLED_EDGES, _SAMPLE_CELLS = 0.8, 16
"""The middle of a face that is looked at, in edges, and the cells each way that it is reduced to."""

_PIP_CELLS = 26
"""So many of the cells are as unlike the body as pips are, whatever the value."""

_LAB_WEIGHTS = np.array([0.4, 1.0, 1.0], np.float32)
"""Of CIELAB's lightness and two colours: shade changes the first most."""

_MAX_COLOUR_DISTANCE, _MAX_SIZE_RATIO = 20.0, 1.5
"""Distances in CIELAB, of the bodies and half of the pips', and ratios of sizes, from which on two are of two kinds."""

_SIDE_FACE_EDGES = 1.1
"""Edges. What lies nearer to a die may be its side face, which looks like it."""


def measure_face_colours(image: Image, at: Candidate) -> tuple[Array, Array]:
    """Colours in CIELAB, shape (3,) each, of a face's body and of its pips."""
    half = _SAMPLED_EDGES / 2 * at.edge
    height, width = image.shape[:2]
    x0, y0 = min(max(0, int(at.x - half)), width - 1), min(max(0, int(at.y - half)), height - 1)
    x1, y1 = min(max(x0 + 1, int(at.x + half)), width), min(max(y0 + 1, int(at.y + half)), height)
    part = cv2.resize(image[y0:y1, x0:x1], (_SAMPLE_CELLS, _SAMPLE_CELLS), interpolation=cv2.INTER_AREA)
    lab = cv2.cvtColor(np.asarray(part, np.float32) / 255, cv2.COLOR_BGR2LAB).reshape(-1, 3)
    body = np.median(lab, axis=0)
    farthest = np.argsort(np.linalg.norm(lab - body, axis=1))[-_PIP_CELLS:]
    return np.asarray(body, np.float32), np.asarray(lab[farthest].mean(0), np.float32)


def colour_distance(one: tuple[Array, Array], other: tuple[Array, Array]) -> float:
    """How far the colours of two faces are from each other."""
    body, pips = (float(np.linalg.norm((a - b) * _LAB_WEIGHTS)) for a, b in zip(one, other, strict=True))
    return body + pips / 2


def is_same_set(image: Image, candidate: Candidate, certain: Sequence[Candidate], alike: Sequence[Candidate]) -> bool:
    """Whether one of `alike` is of the same kind, and `one` no side face of a `sure` die."""
    if any(is_near(candidate, die, _SIDE_FACE_EDGES) for die in certain):
        return False
    near = [die for die in alike if 1 / _MAX_SIZE_RATIO < candidate.edge / die.edge < _MAX_SIZE_RATIO]
    mine = measure_face_colours(image, candidate) if near else None
    return mine is not None and any(
        colour_distance(mine, measure_face_colours(image, die)) < _MAX_COLOUR_DISTANCE for die in near
    )


def is_foreign(image: Image, candidate: Candidate, certain: Sequence[Candidate]) -> bool:
    """Whether its colours are none of the `sure` dice's."""
    mine = measure_face_colours(image, candidate)
    return all(colour_distance(mine, measure_face_colours(image, die)) >= _MAX_COLOUR_DISTANCE for die in certain)
