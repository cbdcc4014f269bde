"""Compute face normals and the table's normal, to distinguish a tilted die from one seen at an angle.

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

FOCAL_LENGTHS = (0.7, 1.0, 1.5, 2.5)
"""Focal lengths, in longer sides of the picture, that are tried where only the dice show how the table lies."""

_MAX_NORMAL_LENGTH = 0.999
"""Largest usable sine of the angle between a normal and the line of sight; longer estimates are shortened to it."""


def compute_pixel_ray(point: Point, shape: Sequence[int], focal: float = 1.0) -> Direction:
    """Return the direction of the line of sight through a pixel.

    Args:
        point: x, y in pixels of the frame, from the top left.
        shape: height and width of the frame in pixels; further items are ignored.
        focal: assumed focal length in longer sides of the frame (not pixels), above 0.

    Returns:
        Unit vector in camera axes (right, down, forward), shape (3,) float64.
    """
    height, width = shape[:2]
    ray = np.array([point[0] - width / 2, point[1] - height / 2, focal * max(width, height)])
    return np.asarray(ray / np.linalg.norm(ray), np.float64)


def compute_face_normal(normal_xy: Point, point: Point, shape: Sequence[int], focal: float = 1.0) -> Direction:
    """Return the normal of a face that is seen at a pixel.

    Args:
        normal_xy: the normal's components across the line of sight, right and down, each -1 to 1 and together at most
            1 long (a longer normal is shortened).
        point: x, y of the face's centre in pixels of the frame.
        shape: height and width of the frame in pixels; further items are ignored.
        focal: assumed focal length in longer sides of the frame (not pixels), above 0.

    Returns:
        Unit vector towards the camera in camera axes (right, down, forward), shape (3,) float64.
    """
    ray = compute_pixel_ray(point, shape, focal)
    across = np.array([*normal_xy, -(normal_xy[0] * ray[0] + normal_xy[1] * ray[1]) / ray[2]])
    length = float(np.linalg.norm(across))
    if length > _MAX_NORMAL_LENGTH:
        across *= _MAX_NORMAL_LENGTH / length
        length = _MAX_NORMAL_LENGTH
    return np.asarray(across - np.sqrt(1 - length**2) * ray, np.float64)


def turn_normal(normal_xy: Point, turns: int) -> Point:
    """Return a normal's components across the line of sight after quarter turns of the frame anticlockwise.

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
    for focal in FOCAL_LENGTHS:
        normals, groups = _group_by_plane(faces, shape, focal, max_angle_deg)
        largest = [normals[i] for i in max(groups, key=len, default=[])]
        if len(largest) < 2 or len(largest) * 2 <= len(normals):
            continue
        deviations: list[float | None] = []
        for normal in normals:  # against the others only: two that differ are then off by the same angle
            others = np.sum([other for other in largest if other is not normal], axis=0)
            deviations.append(measure_angle_deg(normal, others / np.linalg.norm(others)))
        score = len(largest), -float(np.median(np.array(deviations)))
        if score > best[:2] or not best[0]:
            best = (*score, deviations)
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
    best = 0.0
    for focal in FOCAL_LENGTHS:
        _, groups = _group_by_plane(faces, shape, focal, max_angle_deg)
        best = max([best, *(sum(weights[i] for i in group) for group in groups)])
    return best


def _group_by_plane(
    faces: Sequence[tuple[Point, Point]], shape: Sequence[int], focal: float, max_angle_deg: float
) -> tuple[list[Direction], list[list[int]]]:
    """Return the faces' normals and, for each face, the numbers of those that lie in its plane, its own included."""
    normals = [compute_face_normal(normal_xy, point, shape, focal) for normal_xy, point in faces]
    groups = [
        [i for i, other in enumerate(normals) if measure_angle_deg(one, other) < max_angle_deg] for one in normals
    ]
    return normals, groups


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
