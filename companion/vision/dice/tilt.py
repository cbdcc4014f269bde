"""Which way top faces and the table look, to tell a die that leans from one that is seen at an angle.

Directions are unit vectors in the camera's axes: right, down, forward. The focal length of the camera is not known;
`focal` is what it is taken to be, in longer sides of the picture. It is about 1 for most webcams and telephones, and
more for a picture that was cut out of a larger one.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from companion.vision.reading import Lid, Point

Direction = npt.NDArray[np.float64]
"""Shape (3,), length 1."""

FOCAL_LENGTHS = (0.7, 1.0, 1.5, 2.5)
"""Focal lengths that are tried where nothing else tells, in longer sides of the picture."""


def ray_through_pixel(point: Point, shape: Sequence[int], focal: float = 1.0) -> Direction:
    """The line of sight through a pixel of a picture of this shape (height, width, ...)."""
    height, width = shape[:2]
    ray = np.array([point[0] - width / 2, point[1] - height / 2, focal * max(width, height)])
    return np.asarray(ray / np.linalg.norm(ray), np.float64)


def face_normal(normal_xy: Point, point: Point, shape: Sequence[int], focal: float = 1.0) -> Direction:
    """The normal of a face at `point` whose normal has this share across the line of sight, right and down."""
    ray = ray_through_pixel(point, shape, focal)
    across = np.array([normal_xy[0], normal_xy[1], -(normal_xy[0] * ray[0] + normal_xy[1] * ray[1]) / ray[2]])
    length = float(np.linalg.norm(across))
    if length > 0.999:
        across *= 0.999 / length
        length = 0.999
    return np.asarray(across - np.sqrt(1 - length**2) * ray, np.float64)


def angle_between_deg(one: Direction, other: Direction) -> float:
    """The angle between two directions."""
    return float(np.degrees(np.arccos(np.clip(one @ other, -1.0, 1.0))))


def measure_plane_deviations(
    faces: Sequence[tuple[Point, Point]], shape: Sequence[int], max_angle_deg: float
) -> list[float | None]:
    """How far each face is off, in degrees, from what most of the others take for the table; None where no two agree.

    `seen`: lean and place of each face. Of `FOCALS` that one is believed under which the faces agree best, and faces
    are of one mind that look the same way `within` so many degrees.
    """
    best: tuple[int, float, list[float | None]] = (0, 0.0, [None] * len(faces))
    for focal in FOCAL_LENGTHS:
        normals = [face_normal(lean, point, shape, focal) for lean, point in faces]
        groups = [[other for other in normals if angle_between_deg(one, other) < max_angle_deg] for one in normals]
        most = max(groups, key=len, default=[])
        if len(most) < 2 or len(most) * 2 <= len(normals):
            continue
        off = []
        for normal in normals:  # against the others: of two that differ, each is as far off as they differ
            rest = np.sum([other for other in most if other is not normal], axis=0)
            off.append(angle_between_deg(normal, rest / np.linalg.norm(rest)))
        if (len(most), -float(np.median(off))) > best[:2] or not best[0]:
            best = (len(most), -float(np.median(off)), list(off))
    return best[2]


def table_normal(lid: Lid, shape: Sequence[int]) -> Direction | None:
    """The table's normal, out of the directions in which the lid's opposite edges meet (its corners' rectangle).

    R. Hartley and A. Zisserman, "Multiple View Geometry" (2004), 8.6. None where the corners make no rectangle.
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
