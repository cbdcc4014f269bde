"""The colour of a die's symbol, by what its ink takes from the light.

The die's own light face is the white that everything is measured by, so the lamp's colour drops out. A pixel that is
half ink and half face lacks half of what ink lacks, in every channel alike: the direction of what is missing is the
ink's, however thin the lines. Red ink takes blue and green, blue ink red and some green, black ink all alike.

The weights are fitted on rendered dice (tools/train_memo_dice/ink.py).
"""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.onnx import softmax
from companion.vision.reading import Image, Point

Array = npt.NDArray[np.float32]

WEIGHTS_FILE = "memo_ink.txt"
FACE_SIDE_PX = 48
_FACE_SHARE = 0.86
"""Of the face that is looked at: beyond lie rounded edges, and side faces with symbols of their own."""
_SRGB_TO_LINEAR = np.array(
    [v / 255 / 12.92 if v <= 10 else ((v / 255 + 0.055) / 1.055) ** 2.4 for v in range(256)], np.float32
)
_MIN_INK_SHARE = 0.12
"""What lacks less than this share of the face's light is no ink."""


def classify_symbol_colour(image: Image, center: Point, edge: float, rotation_deg: float) -> Array:
    """The odds that the symbol on a top face is red, blue, black; they sum to 1.

    Args:
        image: a BGR frame.
        center: the face's middle, pixels.
        edge: of the face, pixels.
        turn: of its edges, degrees.
    """
    weights, mean, spread = _load_weights()
    logits = _quadratic_terms((measure_ink(image, center, edge, rotation_deg) - mean) / spread) @ weights
    return softmax(logits)


def measure_ink(image: Image, center: Point, edge: float, rotation_deg: float) -> Array:
    """What is measured of a face: the direction of its ink, how dark, how much of it there is."""
    scale = FACE_SIDE_PX / (_FACE_SHARE * edge)
    m = cv2.getRotationMatrix2D(center, rotation_deg, scale)
    m[0, 2] += FACE_SIDE_PX / 2 - center[0]
    m[1, 2] += FACE_SIDE_PX / 2 - center[1]
    face = cv2.warpAffine(
        image, m, (FACE_SIDE_PX, FACE_SIDE_PX), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    light = _SRGB_TO_LINEAR[cv2.GaussianBlur(face, (0, 0), 0.8)].reshape(-1, 3)
    order = np.argsort(light @ np.array([0.2, 0.5, 0.3], np.float32))
    bright = order[int(0.70 * len(order)) : int(0.95 * len(order))]
    missing = 1 - light / np.maximum(np.median(light[bright], axis=0), 1e-3)
    most = missing.max(axis=1)
    core = most >= max(0.75 * float(np.sort(most)[int(0.97 * len(most))]), _MIN_INK_SHARE)
    weight = most * core
    ink = (missing * weight[:, None]).sum(axis=0) / max(float(weight.sum()), 1e-6)
    way = ink / max(float(ink.max()), 1e-3)
    return np.array([*way, ink.max(), core.mean(), ink[0] - ink[2], ink[1] - ink[2], ink[0] - ink[1]], np.float32)


def _quadratic_terms(x: Array) -> Array:
    """The measures, each by each, and 1."""
    pairs = [x[i] * x[j] for i in range(len(x)) for j in range(i, len(x))]
    return np.array([*x, *pairs, 1.0], np.float32)


@lru_cache(maxsize=1)
def _load_weights() -> tuple[Array, Array, Array]:
    """Weights (products, 3), and each measure's mean and spread."""
    lines = files("companion.vision").joinpath("models", WEIGHTS_FILE).read_text(encoding="ascii").splitlines()
    table = [np.array([float(word) for word in line.split()], np.float32) for line in lines if line[:1] != "#"]
    return np.stack(table[2:]), table[0], table[1]
