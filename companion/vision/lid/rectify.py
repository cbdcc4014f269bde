"""The lid as it is shown on the screen: straight, enlarged, arrow up."""

from __future__ import annotations

import cv2
import numpy as np

from companion.vision.reading import Image, Lid

_SHARPENING_SHARE = 0.5
"""This share of what a blur takes away is added: what the enlargement softened."""

_MAX_REDUCTION_RATIO = 1.5
"""If the frame shows the lid so many times larger than the picture, it is halved first, else fine lines would break."""


def rectify_lid(image: Image, lid: Lid, size: int = 480) -> Image:
    """The lid straightened and enlarged, arrow up: a square of `size` pixels, the lid's longer side filling it.

    The same frame and place give the same picture to the last bit, so it stands still while the lid does.
    """
    corners = np.array(lid.corners, np.float64)
    width = np.linalg.norm(corners[[1, 2]] - corners[[0, 3]], axis=1).mean()
    height = np.linalg.norm(corners[[3, 2]] - corners[[0, 1]], axis=1).mean()
    longest = max(float(width), float(height), 1.0)
    source = image
    while longest > _MAX_REDUCTION_RATIO * size and min(source.shape[:2]) > 1:
        rows, columns = source.shape[0] // 2, source.shape[1] // 2
        source = np.asarray(
            cv2.resize(source[: 2 * rows, : 2 * columns], (columns, rows), interpolation=cv2.INTER_AREA), np.uint8
        )
        corners, longest = (corners + 0.5) / 2 - 0.5, longest / 2
    half = np.array([width, height]) / max(width, height, 1.0) * size / 2
    flat = (size - 1) / 2 + half * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    turn = cv2.getPerspectiveTransform(corners.astype(np.float32), flat.astype(np.float32))
    straight = cv2.warpPerspective(source, turn, (size, size), flags=cv2.INTER_LANCZOS4)
    soft = cv2.GaussianBlur(straight, (0, 0), max(1.0, 0.6 * size / longest))
    return np.asarray(cv2.addWeighted(straight, 1 + _SHARPENING_SHARE, soft, -_SHARPENING_SHARE, 0), np.uint8)
