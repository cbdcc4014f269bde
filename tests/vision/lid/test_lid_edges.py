"""The lid's outline found by its straight edges, where colours do not tell it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.vision.lid.corners import find_lid_corners, segment_lid
from companion.vision.lid.geometry import FloatArray, make_rigid_motion
from companion.vision.lid.lid_edges import RectangleFinder
from companion.vision.reading import Image
from tests.vision.lid.drawn_lid import LAYOUTS

SIDE, REACH = 420, 9.0
PIXELS = SIDE / (2 * REACH)
HALF = np.array([5.6, 5.2])
POINTS = np.array(LAYOUTS["grid"], float) / 20


def make_corners(angle: float) -> FloatArray:
    """Return the true corners, turned by `angle` degrees clockwise."""
    flat = HALF * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    return np.asarray(flat @ make_rigid_motion(np.radians(angle))[:2, :2].T, np.float64)


def draw_view(angle: float, table: Image | None = None, *, edges: bool = True) -> tuple[Image, FloatArray]:
    """A grey lid on a grey table, turned, and its windows; without `edges` it has the table's very colour."""
    picture = np.full((SIDE, SIDE, 3), 105, np.uint8) if table is None else table.copy()
    outline = np.rint((make_corners(angle) + REACH) * PIXELS * 16).astype(np.int32)
    if edges:
        cv2.fillPoly(picture, [outline], (120, 120, 120), cv2.LINE_AA, 4)
    points = POINTS @ make_rigid_motion(np.radians(angle))[:2, :2].T
    for x, y in np.rint((points + REACH) * PIXELS * 16).astype(int).tolist():
        cv2.circle(picture, (x, y), round(PIXELS * 16), (60, 60, 160), -1, cv2.LINE_AA, 4)
    return picture, points


def measure_error(found: FloatArray | None, angle: float) -> float:
    """How far the worst corner is from a true one, token radii."""
    assert found is not None
    return float(np.linalg.norm(found[:, None] - make_corners(angle), axis=2).min(axis=1).max())


@pytest.mark.parametrize("angle", [0.0, 14.3, 44.0, -31.0])
def test_a_lid_of_nearly_the_table_colour_is_outlined(angle: float) -> None:
    picture, points = draw_view(angle)
    assert measure_error(RectangleFinder(picture, points, REACH).find_best(), angle) < 0.12


def test_a_table_full_of_edges_does_not_hide_the_lid() -> None:
    rng = np.random.default_rng(1)
    rough = cv2.GaussianBlur(rng.normal(0, 1, (SIDE, SIDE)), (0, 0), 1.5)
    table = np.clip(110 + 200 * rough[..., None], 0, 255).astype(np.uint8) * np.ones(3, np.uint8)
    picture, points = draw_view(20.0, np.asarray(table, np.uint8))
    assert measure_error(RectangleFinder(picture, points, REACH).find_best(), 20.0) < 0.15


def test_no_outline_without_edges() -> None:
    picture, points = draw_view(0.0, edges=False)
    assert RectangleFinder(picture, points, REACH).find_best() is None


def test_the_visible_share_of_a_rectangle() -> None:
    picture, points = draw_view(10.0)
    edges = RectangleFinder(picture, points, REACH)
    assert edges.measure_visible_share(make_corners(10.0)) > 0.95
    assert edges.measure_visible_share(make_corners(10.0) * 1.15) < 0.1
    assert edges.measure_visible_share(make_corners(25.0)) < 0.3


def test_a_line_in_the_wood_is_not_taken_for_a_side() -> None:
    table = np.full((SIDE, SIDE, 3), 200, np.uint8)
    picture, points = draw_view(0.0, table)
    x = round((REACH + 5.05) * PIXELS)
    top, bottom = (round((REACH + sign * 5.1) * PIXELS) for sign in (-1, 1))
    cv2.line(picture, (x, top), (x, bottom), (70, 70, 70), 2)
    mask = segment_lid(picture, points, REACH)
    assert measure_error(find_lid_corners(picture, mask, points, REACH), 0.0) < 0.25
