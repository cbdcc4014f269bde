"""Where the lid's windows lie in the picture of the lid turned upright."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from companion.vision.reading import Lid, LidWindow, Point


@dataclass(frozen=True, slots=True)
class RectifiedWindow:
    """A window with its place in the upright picture, in that picture's pixels."""

    window: LidWindow
    center: Point
    radius: float


def rectify_windows(lid: Lid, size: tuple[int, int]) -> list[RectifiedWindow]:
    """Place the windows as `vision.lid.reader.upright` does: the lid as large as fits, in the middle.

    Args:
        size: width and height of the upright picture in pixels.
    """
    corners = np.array(lid.corners, np.float32)
    width, height = (
        float(np.linalg.norm(corners[list(a)] - corners[list(b)], axis=1).mean())
        for a, b in (((1, 2), (0, 3)), ((3, 2), (0, 1)))
    )
    if not lid.windows or width < 1 or height < 1:
        return []
    scale = min(size[0] / width, size[1] / height)
    half = np.array([width, height]) * scale / 2
    flat = np.array(size) / 2 + half * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    import cv2  # not before there is a lid: the first picture does without

    turn = cv2.getPerspectiveTransform(corners, flat.astype(np.float32))
    centres = np.array([[w.center for w in lid.windows]], np.float64)
    there = cv2.perspectiveTransform(centres, turn)[0]
    return [
        RectifiedWindow(window, (float(x), float(y)), window.radius * scale)
        for window, (x, y) in zip(lid.windows, there, strict=True)
    ]
