"""Normals of faces and of the table: drawn by projection, found again."""

from __future__ import annotations

import numpy as np
import pytest

from companion.vision.dice.face_normals import (
    compute_face_normal,
    compute_table_normal,
    measure_angle_deg,
    measure_plane_deviations,
    weigh_largest_plane,
)
from companion.vision.reading import Lid

SHAPE = (720, 1280, 3)
LEANS = 24.0


def tilted(tilt: float, azimuth: float) -> np.ndarray:
    """Return a normal `tilt` degrees off the line from the table's centre to the camera."""
    t, a = np.radians([tilt, azimuth])
    return np.array([np.sin(t) * np.cos(a), np.sin(t) * np.sin(a), -np.cos(t)])


def make_normal_xy(normal: np.ndarray, point: tuple[float, float], focal: float = 1.0) -> tuple[float, float]:
    """Return the reader net's output for a face with that normal."""
    ray = np.array([point[0] - SHAPE[1] / 2, point[1] - SHAPE[0] / 2, focal * SHAPE[1]])
    ray /= np.linalg.norm(ray)
    across = normal - (normal @ ray) * ray
    return float(across[0]), float(across[1])


@pytest.mark.parametrize("point", [(640.0, 360.0), (100.0, 650.0), (1270.0, 10.0)])
@pytest.mark.parametrize("tilt", [0.0, 20.0, 40.0])
def test_the_normal_of_a_drawn_face_is_found_again(point: tuple[float, float], tilt: float) -> None:
    normal = tilted(tilt, 70.0)
    assert measure_angle_deg(compute_face_normal(make_normal_xy(normal, point), point, SHAPE), normal) < 1e-3


@pytest.mark.parametrize("focal", [0.7, 1.0, 2.5])
@pytest.mark.parametrize("tilt", [0.0, 35.0])
def test_a_tilted_face_deviates_with_any_camera(focal: float, tilt: float) -> None:
    table = tilted(tilt, 110.0)
    places = [(150.0, 120.0), (1100.0, 200.0), (600.0, 650.0), (700.0, 300.0)]
    seen = [(make_normal_xy(table, p, focal), p) for p in places]
    tilted_normal = tilted(tilt + 45.0, 110.0)
    seen.append((make_normal_xy(tilted_normal, (900.0, 500.0), focal), (900.0, 500.0)))
    off = measure_plane_deviations(seen, SHAPE, LEANS)
    assert all(one is not None and one < 8.0 for one in off[:4])
    assert off[4] is not None
    assert off[4] > 30.0


def test_two_faces_that_differ_deviate_equally() -> None:
    one, other = (400.0, 300.0), (800.0, 400.0)
    seen = [(make_normal_xy(tilted(0, 0), one), one), (make_normal_xy(tilted(50, 90), other), other)]
    assert measure_plane_deviations(seen, SHAPE, LEANS) == [None, None]


def lid_at(tilt: float, azimuth: float) -> Lid:
    """Return a lid of 30 x 22 on a table tilted so, two widths away, seen with focal length 1."""
    normal = tilted(tilt, azimuth)
    right = np.cross([0.0, 1.0, 0.0], normal)
    right /= np.linalg.norm(right)
    down = np.cross(normal, right)
    middle = np.array([3.0, 2.0, 70.0])
    flat = [(-15, -11), (15, -11), (15, 11), (-15, 11)]
    points = [middle + x * right + y * down for x, y in flat]
    a, b, c, d = ((float(640 + 1280 * p[0] / p[2]), float(360 + 1280 * p[1] / p[2])) for p in points)
    return Lid((a, b, c, d), None, ())


@pytest.mark.parametrize(("tilt", "azimuth"), [(0.0, 0.0), (10.0, 30.0), (20.0, 200.0), (20.0, 300.0)])
def test_the_corners_of_the_lid_show_the_plane_of_the_table(tilt: float, azimuth: float) -> None:
    table = compute_table_normal(lid_at(tilt, azimuth), SHAPE)
    assert table is not None
    assert measure_angle_deg(table, tilted(tilt, azimuth)) < 0.5


def test_the_heaviest_plane_counts_not_the_one_with_most_faces() -> None:
    places = [(150.0, 120.0), (1100.0, 200.0), (600.0, 650.0), (700.0, 300.0), (300.0, 500.0)]
    normals = [tilted(0, 0)] * 3 + [tilted(60, 90)] * 2
    seen = [(make_normal_xy(normal, p), p) for normal, p in zip(normals, places, strict=True)]
    assert weigh_largest_plane(seen, [0.1, 0.1, 0.1, 0.8, 0.7], SHAPE, LEANS) == pytest.approx(1.5)
    assert weigh_largest_plane([], [], SHAPE, LEANS) == 0
