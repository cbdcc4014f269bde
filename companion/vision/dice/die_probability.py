"""Decide how probably each face that the two nets found is a die, and how probably a die's reading is right.

Two logistic regressions. The one takes what the nets say of a face, and how it compares with the certain dice of the
picture; the other turns the product of all probabilities into the reported confidence. Both are fitted to photographs
by tools/training/train_dice/fit_decision.py, the first to rendered scenes too.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from math import log
from typing import Any

import numpy as np

from companion.vision.dice.assembly import (
    FLAT,
    NO_FACE,
    FaceReading,
    compute_colour_distances,
    is_certain_face,
    measure_face_colours,
)
from companion.vision.dice.detector import Candidate
from companion.vision.onnx import DamagedDataFile, Float32Array
from companion.vision.reading import Image

FEATURES = (
    "detector",
    "face",
    "flat",
    "value",
    "alone",
    "colours",
    "size",
)
"""What the model knows of a face, in the order of its weights."""

_FILE = "dice_decision.json"
_MOST_LOGIT = 6.0
"""Limit of logarithms of odds: what a net says beyond it adds nothing."""

_FAR_COLOURS = 40.0
"""Colour distance (CIELAB, see `assembly.compute_colour_distances`) from which faces differ altogether."""


def measure_faces(image: Image, faces: Sequence[FaceReading]) -> Float32Array:
    """Measure what the model knows of each face.

    Args:
        image: the frame, (H, W, 3) uint8 BGR.
        faces: all faces that were read in it, in its pixels.

    Returns:
        Shape (n, 7) float32, columns as `FEATURES`.
    """
    certain = [face.candidate for face in faces if is_certain_face(face)]
    doubtful = [face.candidate for face in faces if not is_certain_face(face)]
    far = _measure_colour_differences(image, doubtful, certain)
    rows = []
    for face in faces:
        states, values, edge = face.state_probabilities, face.value_probabilities, face.candidate.edge
        others = [other for other in certain if other is not face.candidate]
        rows.append(
            (
                limit_logit(face.candidate.score),
                -limit_logit(float(states[NO_FACE])),
                float(states[FLAT]),
                face.readable_probability * float(values.max()),
                float(not others),
                far.get(id(face.candidate), 0.0),
                min([2.0, *(abs(log(edge / other.edge)) for other in others)]) if others else 0.0,
            )
        )
    return np.array(rows, np.float32).reshape(-1, len(FEATURES))


@dataclass(frozen=True)
class Decision:
    """The two models.

    >>> round(Decision(np.zeros(7, np.float32), 0.0, 1.0, 0.0).calibrate(0.8), 3)
    0.8

    Attributes:
        weights: shape (7,), in the order of `FEATURES`.
        bias: logarithm of odds of a face whose features are all 0.
        slope: factor of the logarithm of odds that the reading of a die is right.
        offset: added to it. Larger: all dice are more confident.
    """

    weights: Float32Array
    bias: float
    slope: float
    offset: float

    def decide_faces(self, image: Image, faces: Sequence[FaceReading]) -> list[FaceReading]:
        """Return copies of the faces with the probability that each is a die (`FaceReading.die_probability`).

        Args:
            image: the frame, (H, W, 3) uint8 BGR.
            faces: all faces that were read in it, in its pixels.
        """
        if not faces:
            return []
        odds = measure_faces(image, faces) @ self.weights + self.bias
        probabilities = 1 / (1 + np.exp(-odds))
        return [replace(face, die_probability=float(p)) for face, p in zip(faces, probabilities, strict=True)]

    def calibrate(self, confidence: float) -> float:
        """Return the share of such readings that are right, given the product of the probabilities, 0 to 1."""
        return float(1 / (1 + np.exp(-self.slope * limit_logit(confidence) - self.offset)))


@cache
def load_decision() -> Decision:
    """Load the packaged models.

    Raises:
        DamagedDataFile: the file is missing or damaged.
    """
    path = files("companion.vision").joinpath("models", _FILE)
    try:
        return parse_decision(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise DamagedDataFile(path) from error


def parse_decision(known: Mapping[str, Any]) -> Decision:
    """Parse the two models as fit_decision.py writes them.

    Raises:
        KeyError: something is missing.
    """
    weights = np.array([known["weights"][name] for name in FEATURES], np.float32)
    return Decision(weights, float(known["bias"]), float(known["slope"]), float(known["offset"]))


def limit_logit(probability: float) -> float:
    """Return the logarithm of the odds, limited."""
    p = min(max(probability, 1e-6), 1 - 1e-6)
    return min(max(log(p / (1 - p)), -_MOST_LOGIT), _MOST_LOGIT)


def _measure_colour_differences(
    image: Image, faces: Sequence[Candidate], dice: Sequence[Candidate]
) -> dict[int, float]:
    """Return by id how much each face differs in colour from the most similar die, 0 to 1; empty without dice."""
    if not faces or not dice:
        return {}
    colours = measure_face_colours(image, [*faces, *dice])
    distances = compute_colour_distances(colours[: len(faces)], colours[len(faces) :])
    return {id(face): min(float(d), _FAR_COLOURS) / _FAR_COLOURS for face, d in zip(faces, distances, strict=True)}
