"""Compute the normals of faces and of the table, to distinguish a tilted die from one seen at an angle.

From which angle on a die counts as tilted: `TILTED_DEG` in `assembly.py`.

Directions are unit vectors in camera axes: right, down, forward. The camera's focal length is unknown; `focal` is an
assumption, in longer sides of the picture. It is about 1 for most webcams and telephones, and more for a picture that
was cut out of a larger one.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from companion.vision.reading import Lid, Point

Direction = npt.NDArray[np.float64]
"""Unit vector in camera axes (right, down, forward), shape (3,)."""

Directions = npt.NDArray[np.float64]
"""Unit vectors in camera axes, shape (n, 3)."""

FOCAL_LENGTHS = (0.7, 1.0, 1.5, 2.5)
"""Focal lengths, in longer sides of the picture, that are tried where only the dice show how the table lies."""


def compute_face_normal(normal_xy: Point, point: Point, shape: Sequence[int], focal: float = 1.0) -> Direction:
    """Return the normal of a face that is seen at a pixel.

    >>> compute_face_normal((0.0, 0.0), (320.0, 240.0), shape=(480, 640)).round(3).tolist()
    [0.0, 0.0, -1.0]

    Args:
        normal_xy: the normal's components across the line of sight, right and down, each -1 to 1 and together at most
            1 long (a longer normal is shortened).
        point: x, y of the face's centre in pixels of the frame.
        shape: height and width of the frame in pixels; further items are ignored.
        focal: assumed focal length in longer sides of the frame (not pixels), above 0.

    Returns:
        Unit vector towards the camera in camera axes (right, down, forward), shape (3,) float64.
    """
    return np.asarray(_compute_normals([(normal_xy, point)], shape, focal)[0], np.float64)


def turn_normal(normal_xy: Point, turns: int) -> Point:
    """Return a normal's components across the line of sight after quarter turns of the frame anticlockwise.

    >>> turn_normal((0.5, 0.0), turns=1)
    (0.0, -0.5)

    Args:
        normal_xy: components right and down, each -1 to 1.
        turns: 0 or more.
    """
    right, down = normal_xy
    for _ in range(turns):
        right, down = down, -right
    return right, down


def measure_angle_deg(one: Direction, other: Direction) -> float:
    """Return the angle between two directions in degrees, 0 to 180.

    >>> measure_angle_deg(np.array([0.0, 0.0, -1.0]), np.array([0.0, -1.0, 0.0]))
    90.0

    Args:
        one: unit vector, shape (3,); that its length is 1 is not checked.
        other: unit vector, shape (3,).
    """
    return float(np.degrees(np.arccos(np.clip(one @ other, -1.0, 1.0))))


def measure_plane_deviations(
    faces: Sequence[tuple[Point, Point]], shape: Sequence[int], max_angle_deg: float
) -> list[float | None]:
    """Measure how far each face is tilted against the plane in which most of the others lie.

    Each of the focal lengths `FOCAL_LENGTHS` is tried; the result is that of the one with which most faces agree, and
    then with the least median deviation.

    Args:
        faces: for each face its `normal_xy` (components of the normal across the line of sight, right and down, -1 to
            1) and its centre (x, y in pixels of the frame).
        shape: height and width of the frame in pixels; further items are ignored.
        max_angle_deg: faces whose normals differ by less than this angle, in degrees, lie in one plane.

    Returns:
        For each face, in order, the angle in degrees, 0 to 180; all None if no majority of at least two faces agrees.
    """
    best: tuple[int, float, list[float | None]] = (0, 0.0, [None] * len(faces))
    for focal in FOCAL_LENGTHS if len(faces) > 1 else ():
        normals = _compute_normals(faces, shape, focal)
        are_parallel = _compare_planes(normals, max_angle_deg)
        largest = are_parallel[are_parallel.sum(1).argmax()]
        count = int(largest.sum())
        if count < 2 or count * 2 <= len(faces):
            continue
        # Against the others only: two that differ are then off by the same angle.
        others = normals[largest].sum(0) - normals * largest[:, None]
        cosines = (normals * others).sum(1) / np.linalg.norm(others, axis=1)
        deviations = np.degrees(np.arccos(np.clip(cosines, -1.0, 1.0)))
        score = count, -float(np.median(deviations))
        if score > best[:2] or not best[0]:
            best = (*score, deviations.tolist())
    return best[2]


def weigh_largest_plane(
    faces: Sequence[tuple[Point, Point]], weights: Sequence[float], shape: Sequence[int], max_angle_deg: float
) -> float:
    """Return the greatest sum of weights of faces that lie in one plane, with the best of `FOCAL_LENGTHS`.

    Args:
        faces: for each face its `normal_xy` and its centre, as for `measure_plane_deviations`.
        weights: a weight of 0 or more for each face.
        shape: height and width of the frame in pixels; further items are ignored.
        max_angle_deg: faces whose normals differ by less than this angle, in degrees, lie in one plane.
    """
    if not faces:
        return 0.0
    planes = (_compare_planes(_compute_normals(faces, shape, focal), max_angle_deg) for focal in FOCAL_LENGTHS)
    return max(float((are_parallel @ np.array(weights)).max()) for are_parallel in planes)


def _compute_normals(faces: Sequence[tuple[Point, Point]], shape: Sequence[int], focal: float) -> Directions:
    """Return the normals of faces, see `compute_face_normal`."""
    height, width = shape[:2]
    across, points = (np.array(column, np.float64) for column in zip(*faces, strict=True))
    focal_px = np.full((len(faces), 1), focal * max(width, height))
    rays = np.hstack([points - (width / 2, height / 2), focal_px])
    rays /= np.linalg.norm(rays, axis=1, keepdims=True)
    across = np.hstack([across, -(across * rays[:, :2]).sum(1, keepdims=True) / rays[:, 2:]])
    lengths = np.linalg.norm(across, axis=1, keepdims=True)
    shortened = np.minimum(lengths, 1.0)
    across *= shortened / np.maximum(lengths, 1e-12)
    return np.asarray(across - np.sqrt(1 - shortened**2) * rays, np.float64)


def _compare_planes(normals: Directions, max_angle_deg: float) -> npt.NDArray[np.bool_]:
    """Return, shape (n, n), which faces lie in one plane: their normals differ by less than an angle in degrees."""
    return np.degrees(np.arccos(np.clip(normals @ normals.T, -1.0, 1.0))) < max_angle_deg


def compute_table_normal(lid: Lid, shape: Sequence[int]) -> Direction | None:
    """Return the table's normal, from the vanishing points of the lid's opposite edges (its corners' rectangle).

    Source: R. Hartley and A. Zisserman, "Multiple View Geometry in Computer Vision" (2004), section 8.6. The focal
    length is taken to be the frame's longer side.

    Args:
        lid: the lid as read in the frame.
        shape: height and width of the frame in pixels; further items are ignored.

    Returns:
        Unit vector towards the camera in camera axes (right, down, forward), shape (3,) float64; None if the corners
        are no image of a rectangle.
    """
    height, width = shape[:2]
    focal = float(max(width, height))
    corners = np.array([((x - width / 2) / focal, (y - height / 2) / focal, 1.0) for x, y in lid.corners])
    top, right, bottom, left = (np.cross(corners[i], corners[(i + 1) % 4]) for i in range(4))
    normal = np.cross(np.cross(top, bottom), np.cross(left, right))
    length = float(np.linalg.norm(normal))
    if not np.isfinite(length) or length < 1e-12:
        return None
    normal /= length
    return np.asarray(-normal if normal[2] > 0 else normal, np.float64)
