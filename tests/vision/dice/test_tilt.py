"""Which way faces and the table look: drawn by projection, found again."""

from __future__ import annotations

import numpy as np
import pytest

from companion.vision.dice.tilt import (
    angle_between_deg,
    face_normal,
    measure_plane_deviations,
    ray_through_pixel,
    table_normal,
)
from companion.vision.reading import Lid

SHAPE = (720, 1280, 3)
LEANS = 24.0


def tilted(tilt: float, azimuth: float) -> np.ndarray:
    """A normal `tilt` degrees off the line from the table's middle to the camera."""
    t, a = np.radians([tilt, azimuth])
    return np.array([np.sin(t) * np.cos(a), np.sin(t) * np.sin(a), -np.cos(t)])


def lean(normal: np.ndarray, point: tuple[float, float], focal: float = 1.0) -> tuple[float, float]:
    """What the reader net would say of a face that looks along `normal`."""
    ray = ray_through_pixel(point, SHAPE, focal)
    across = normal - (normal @ ray) * ray
    return float(across[0]), float(across[1])


@pytest.mark.parametrize("point", [(640.0, 360.0), (100.0, 650.0), (1270.0, 10.0)])
@pytest.mark.parametrize("tilt", [0.0, 20.0, 40.0])
def test_a_face_looks_where_it_was_drawn_to_look(point: tuple[float, float], tilt: float) -> None:
    normal = tilted(tilt, 70.0)
    assert angle_between_deg(face_normal(lean(normal, point), point, SHAPE), normal) < 1e-3


def test_the_middle_is_seen_straight_ahead() -> None:
    assert ray_through_pixel((640.0, 360.0), SHAPE) == pytest.approx([0, 0, 1])


@pytest.mark.parametrize("focal", [0.7, 1.0, 2.5])
@pytest.mark.parametrize("tilt", [0.0, 35.0])
def test_the_one_that_leans_is_off_whatever_the_camera(focal: float, tilt: float) -> None:
    table = tilted(tilt, 110.0)
    places = [(150.0, 120.0), (1100.0, 200.0), (600.0, 650.0), (700.0, 300.0)]
    seen = [(lean(table, p, focal), p) for p in places]
    leaning = tilted(tilt + 45.0, 110.0)
    seen.append((lean(leaning, (900.0, 500.0), focal), (900.0, 500.0)))
    off = measure_plane_deviations(seen, SHAPE, LEANS)
    assert all(one is not None and one < 8.0 for one in off[:4])
    assert off[4] is not None
    assert off[4] > 30.0


def test_one_face_alone_agrees_with_nothing() -> None:
    assert measure_plane_deviations([((0.1, 0.2), (300.0, 300.0))], SHAPE, LEANS) == [None]
    assert measure_plane_deviations([], SHAPE, LEANS) == []


def test_two_that_differ_leave_it_open() -> None:
    one, other = (400.0, 300.0), (800.0, 400.0)
    seen = [(lean(tilted(0, 0), one), one), (lean(tilted(50, 90), other), other)]
    assert measure_plane_deviations(seen, SHAPE, LEANS) == [None, None]


def lid_at(tilt: float, azimuth: float) -> Lid:
    """A lid of 30 x 22 on a table so tilted, two widths away, as a camera of focal length 1 sees it."""
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
def test_the_table_is_told_by_the_lids_corners(tilt: float, azimuth: float) -> None:
    table = table_normal(lid_at(tilt, azimuth), SHAPE)
    assert table is not None
    assert angle_between_deg(table, tilted(tilt, azimuth)) < 0.5


def test_corners_in_one_point_tell_nothing() -> None:
    point = (10.0, 10.0)
    assert table_normal(Lid((point, point, point, point), None, ()), SHAPE) is None
