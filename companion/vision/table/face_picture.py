"""Compare pictures of a die's face, to tell a die that was left lying from an equal one that was thrown there."""

import cv2
import numpy as np

from companion.vision.onnx import Float32Array
from companion.vision.reading import Die, Image

_PICTURE_SIDE_PX = 24
"""Side of a face's picture. Larger: finer, and more sensitive to a box that is a little off."""

_PICTURE_EDGES = 1.4
"""Side of the square that the picture shows, in edges of the face: its outline tells how a die with one pip is turned.

Larger: more of the surroundings, which may change, is compared."""

_FACE = slice(*(round(_PICTURE_SIDE_PX * (0.5 + sign * 0.5 / _PICTURE_EDGES)) for sign in (-1, 1)))
"""The part of a picture's rows and columns that shows the face alone."""

_MIN_OUTLINE_CORRELATION = 0.72
"""Least correlation of two whole pictures of a die that lies still. Larger: more questions.

Of 271 dice that were left lying while others were thrown the least was 0.80, of four equal ones that were thrown there
the most was 0.69 (games of Yacht with the seeds 136, 148, 200 and 202)."""

_MIN_FACE_CORRELATION = 0.6
"""As `_MIN_OUTLINE_CORRELATION` for the face alone; the least was 0.73, and the most 0.42."""

_PUSHED_CORRELATIONS = 0.88, 0.8
"""Least correlations, of the whole picture and of the face, of a die that was pushed and turned by 5 degrees at most.

Larger: more questions. Of 90 rendered dice of each turn the least were 0.92 and 0.86 (not turned), 0.90 and 0.82 (5
degrees), 0.82 and 0.67 (8); of two that were thrown 0.92 and 0.89, 0.85 and 0.62 (Yacht, seed 55)."""

_MIN_PRESENT_CORRELATION = 0.3
"""Least correlation of two whole pictures of a place that still shows the die. Larger: more questions."""


def cut_face_picture(image: Image, die: Die) -> Float32Array:
    """Cut out a die's face in grey, with a rim of a fifth of its edge.

    >>> cut_face_picture(np.zeros((480, 640, 3), np.uint8), Die(5, (100, 80, 140, 120), 0.97)).shape
    (24, 24)

    Args:
        image: the frame, (H, W, 3) uint8 BGR.
        die: a die of this frame; beyond the frame its border pixels are repeated.

    Returns:
        Shape (24, 24) float32, grey levels 0 to 255.
    """
    (x, y), side = die.center, max(1.0, die.side) * _PICTURE_EDGES
    half = round(side / 2) + 2
    left, top = round(x) - half, round(y) - half
    height, width = image.shape[:2]
    x0, y0 = min(max(left, 0), width - 1), min(max(top, 0), height - 1)
    x1, y1 = min(max(left + 2 * half, x0 + 1), width), min(max(top + 2 * half, y0 + 1), height)
    grey = cv2.cvtColor(image[y0:y1, x0:x1], cv2.COLOR_BGR2GRAY)
    scale = _PICTURE_SIDE_PX / side
    if scale < 1:  # linear interpolation alone would skip pixels
        grey = cv2.GaussianBlur(grey, (0, 0), 0.6 / scale)
    middle = (_PICTURE_SIDE_PX - 1) / 2
    matrix = np.array([[scale, 0, middle - (x - x0 - 0.5) * scale], [0, scale, middle - (y - y0 - 0.5) * scale]])
    picture = cv2.warpAffine(
        grey, matrix, (_PICTURE_SIDE_PX, _PICTURE_SIDE_PX), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(picture, np.float32)


def is_turned(was: Die, now: Die, *, is_pushed: bool = False) -> bool:
    """Return whether a die's face looks turned or otherwise different; False without a picture of before or of now.

    Brightness and contrast may differ.

    Args:
        is_pushed: the die lies at another place now, so that only its looks tell: they must be more alike.
    """
    if was.picture is None or now.picture is None:
        return False
    outline, face = _PUSHED_CORRELATIONS if is_pushed else (_MIN_OUTLINE_CORRELATION, _MIN_FACE_CORRELATION)
    return (
        _correlate(was.picture, now.picture) < outline
        or _correlate(was.picture[_FACE, _FACE], now.picture[_FACE, _FACE]) < face
    )


def resembles(before: Float32Array, now: Float32Array) -> bool:
    """Return whether a picture of a die's place may still show it, in any light.

    Args:
        before: shape (24, 24), as `cut_face_picture` returned it.
        now: the same place later.
    """
    return _correlate(before, now) >= _MIN_PRESENT_CORRELATION


def _correlate(one: Float32Array, other: Float32Array) -> float:
    """Return the correlation of two pictures' grey levels, -1 to 1; 0 for a picture without any contrast."""
    a, b = one - one.mean(), other - other.mean()
    power = float((a * a).sum() * (b * b).sum())
    return float((a * b).sum()) / power**0.5 if power > 0 else 0.0
