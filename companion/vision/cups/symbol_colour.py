"""Classify the colour of a die's symbol by how its ink absorbs light.

The die's own light face serves as white, so the lamp's colour cancels out. A pixel that is half ink and half face
absorbs half of what ink absorbs, in every channel alike: the direction of the absorption is the ink's, however thin the
lines. Red ink absorbs blue and green, blue ink red and some green, black ink all alike.

The weights are fitted on rendered dice (tools/training/train_symbol_dice/ink.py).
"""

from functools import lru_cache
from importlib.resources import files

import cv2
import numpy as np
from cv2.typing import MatLike

from companion.vision.onnx import DamagedDataFile, Float32Array, softmax
from companion.vision.reading import Image, Point

WEIGHTS_FILE = "memo_ink.txt"
"""File name of the packaged weights."""

FACE_SIDE_PX = 48
"""Side, in pixels, to which a face is resampled before it is measured. Larger: slower."""

_FACE_SHARE = 0.86
"""Share of the face's edge that is measured; beyond lie rounded edges and the symbols of side faces."""

_SRGB_TO_LINEAR = np.array(
    [v / 255 / 12.92 if v <= 10 else ((v / 255 + 0.055) / 1.055) ** 2.4 for v in range(256)], np.float32
)
"""Linear light, 0 to 1, of each sRGB level (IEC 61966-2-1)."""

_LUMINANCE_WEIGHTS = np.array([0.2, 0.5, 0.3], np.float32)
"""Weights of blue, green, red when pixels are sorted by brightness."""

_WHITE_FROM = 0.70
"""Share of the pixels that are darker than those that serve as white."""

_WHITE_TO = 0.95
"""Share of the pixels beyond which they are too bright to serve as white: reflections."""

_MIN_INK_SHARE = 0.12
"""Least absorbed share of the face's light at which a pixel counts as ink. Larger: faint symbols are missed."""

_MIN_CORE_SHARE = 0.75
"""Pixels that absorb at least this share of what the darkest ones do are measured as ink."""

_DARKEST_FROM = 0.97
"""Quantile of the absorption that stands for the darkest pixels."""


def classify_symbol_colour(image: Image, center: Point, edge: float, rotation_deg: float) -> Float32Array:
    """Return the probabilities that the symbol on a die's top face is red, blue or black.

    Args:
        image: the frame, (H, W, 3) uint8 BGR.
        center: x, y of the centre of the face, pixels of `image`.
        edge: edge of the face, pixels of `image`, above 0.
        rotation_deg: rotation of its edges, degrees clockwise in the picture.

    Returns:
        Shape (3,) float32 in the order red, blue, black; sums to 1.

    Raises:
        DamagedDataFile: the packaged weights are missing or damaged (first call).
        ZeroDivisionError: `edge` is 0.
    """
    weights, mean, deviation = _load_weights()
    return softmax(
        _compute_quadratic_terms((measure_ink(image, center, edge, rotation_deg) - mean) / deviation) @ weights
    )


def make_crop_matrix(center: Point, rotation_deg: float, scale: float, side: int) -> MatLike:
    """Return the affine matrix that straightens a rotated square and centres it in a picture.

    Args:
        center: x, y of the centre of the square, pixels of the frame.
        rotation_deg: its rotation, degrees clockwise in the picture.
        scale: enlargement: pixels of the result per pixel of the frame.
        side: side of the resulting picture in pixels.

    Returns:
        Shape (2, 3) float64, from pixels of the frame to pixels of the result, as `cv2.warpAffine` takes it.
    """
    matrix = cv2.getRotationMatrix2D(center, rotation_deg, scale)
    matrix[0, 2] += side / 2 - center[0]
    matrix[1, 2] += side / 2 - center[1]
    return matrix


def measure_ink(image: Image, center: Point, edge: float, rotation_deg: float) -> Float32Array:
    """Measure the ink on a die's top face.

    Args:
        image: the frame, (H, W, 3) uint8 BGR.
        center: x, y of the centre of the face, pixels of `image`.
        edge: edge of the face, pixels of `image`, above 0.
        rotation_deg: rotation of its edges, degrees clockwise in the picture.

    Returns:
        Shape (8,) float32: direction of the absorption (blue, green, red; the largest is 1), its strength (share of the
        light, 0 to 1), the share of inked pixels (0 to 1), and the differences of the absorption blue - red, green -
        red, blue - green.

    Raises:
        ZeroDivisionError: `edge` is 0.
    """
    matrix = make_crop_matrix(center, rotation_deg, FACE_SIDE_PX / (_FACE_SHARE * edge), FACE_SIDE_PX)
    face = cv2.warpAffine(image, matrix, (FACE_SIDE_PX, FACE_SIDE_PX), borderMode=cv2.BORDER_REPLICATE)
    light = _SRGB_TO_LINEAR[cv2.GaussianBlur(face, (0, 0), 0.8)].reshape(-1, 3)
    order = np.argsort(light @ _LUMINANCE_WEIGHTS)
    white = order[int(_WHITE_FROM * len(order)) : int(_WHITE_TO * len(order))]
    absorbed = 1 - light / np.maximum(np.median(light[white], axis=0), 1e-3)
    strongest = absorbed.max(axis=1)
    darkest = float(np.sort(strongest)[int(_DARKEST_FROM * len(strongest))])
    is_ink = strongest >= max(_MIN_CORE_SHARE * darkest, _MIN_INK_SHARE)
    weight = strongest * is_ink
    ink = (absorbed * weight[:, None]).sum(axis=0) / max(float(weight.sum()), 1e-6)
    direction = ink / max(float(ink.max()), 1e-3)
    differences = ink[0] - ink[2], ink[1] - ink[2], ink[0] - ink[1]
    return np.array([*direction, ink.max(), is_ink.mean(), *differences], np.float32)


def _compute_quadratic_terms(x: Float32Array) -> Float32Array:
    """Return the measures, the products of each two of them, and 1."""
    products = [x[i] * x[j] for i in range(len(x)) for j in range(i, len(x))]
    return np.array([*x, *products, 1.0], np.float32)


@lru_cache(maxsize=1)
def _load_weights() -> tuple[Float32Array, Float32Array, Float32Array]:
    """Load the weights, shape (45, 3), and each measure's mean and standard deviation, shape (8,)."""
    path = files("companion.vision").joinpath("models", WEIGHTS_FILE)
    try:
        lines = path.read_text(encoding="ascii").splitlines()
        table = [np.array([float(word) for word in line.split()], np.float32) for line in lines if line[:1] != "#"]
        mean, deviation, *rows = table
        return np.stack(rows).reshape(45, 3), mean.reshape(8), deviation.reshape(8)
    except (OSError, ValueError) as error:
        raise DamagedDataFile(path) from error
