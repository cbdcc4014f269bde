"""The lid's arrow in a straightened view.

Which way round arrow and tags put a lid: test_calibration.py, test_moved_lid.py.
"""

from __future__ import annotations

import cv2
import numpy as np

from companion.vision.lid.corners import VIEW_SIDE_PX, find_lid_corners, segment_lid
from companion.vision.lid.markers import find_arrow
from companion.vision.reading import Image
from tests.vision.lid.drawn_lid import LAYOUTS, Array

REACH = 9.0
"""Half a view's side, in token radii."""


def draw_view(
    layout: str = "grid", *, lid: tuple[int, int, int] = (128, 74, 36), mark: str = "arrow"
) -> tuple[Image, Array]:
    """A lid straight from above on a table, and its windows (12, 2) in token radii; `mark` is above the windows."""
    points = np.array(LAYOUTS[layout], float) / 20
    pixels = VIEW_SIDE_PX / (2 * REACH)
    picture = np.full((VIEW_SIDE_PX, VIEW_SIDE_PX, 3), (96, 138, 176), np.uint8)

    def at(x: float, y: float) -> tuple[int, int]:
        return round((x + REACH) * pixels), round((y + REACH) * pixels)

    cv2.rectangle(picture, at(-5.7, -5.8), at(5.7, 5.8), lid, -1)
    for x, y in points.tolist():
        cv2.circle(picture, at(x, y), round(pixels), (50, 46, 190), -1, cv2.LINE_AA)
    if mark == "arrow":
        cv2.fillPoly(picture, [np.array([at(0, -5.6), at(0.5, -5), at(-0.5, -5)])], (240, 240, 240), cv2.LINE_AA)
    if mark == "screw":
        cv2.circle(picture, at(0, -5.3), round(0.3 * pixels), (240, 240, 240), -1, cv2.LINE_AA)
    return picture, points


def test_an_arrow_is_found_and_a_screw_is_not() -> None:
    found = {}
    for mark in ("arrow", "screw", "none"):
        picture, points = draw_view(mark=mark)
        mask = segment_lid(picture, points, REACH)
        found[mark] = find_arrow(picture, mask, points, find_lid_corners(picture, mask, points, REACH), REACH)
    assert found["screw"] is None
    assert found["none"] is None
    assert found["arrow"] is not None
    assert np.linalg.norm(found["arrow"] - [0, -5.2]) < 0.25
