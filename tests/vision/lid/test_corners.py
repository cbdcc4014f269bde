"""The corners of a lid's top, where neither edges nor colours show it. Where edges show it: test_lid_edges.py."""

from __future__ import annotations

import numpy as np

from companion.vision.lid.corners import find_lid_corners, segment_lid
from tests.vision.lid.test_markers import REACH, draw_view


def test_default_margin_on_a_table_of_the_lids_colour() -> None:
    picture, points = draw_view(lid=(96, 138, 176))
    corners = find_lid_corners(picture, segment_lid(picture, points, REACH), points, REACH)
    beyond = np.abs(corners).max(axis=0) - np.abs(points).max(axis=0)
    assert ((beyond > 1.15) & (beyond < 2.5)).all()
