"""Ray-marched dice, drawn the same way on every simulated table: rounded cubes, seen by the simulated camera.

The symbols on the faces and the light belong to each table's own renderer.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.simulation.optics import Optics

Field = npt.NDArray[np.float32]
Vectors = npt.NDArray[np.floating[Any]]
"""Vectors as columns, (3, n)."""
Indices = npt.NDArray[np.intp]
Point3 = tuple[float, float, float]
Box = tuple[int, int, int, int]
"""x0, y0, x1, y1 in whole pixels; x1 and y1 are exclusive."""

_MARCH_STEPS = 16
"""Number of steps along each ray; the larger, the more exact the outline and the slower."""
_MAX_GAP = 0.02
"""Distance from the surface, in edge lengths, below which a ray has hit it; the larger, the thicker the outline."""


@dataclass(frozen=True, slots=True)
class DieHits:
    """The rays that hit a die."""

    rays: Indices
    """Indices of the rays, (n,)."""
    points: Vectors
    """Points of the surface in the die's own axes and in edge lengths, (3, n)."""
    normals: Vectors
    """Unit normals in the die's own axes, (3, n)."""
    directions: Vectors
    """Directions of the rays in the die's own axes, (3, n)."""


def compute_box(points_mm: npt.ArrayLike, optics: Optics, margin_px: int) -> Box:
    """Compute the box of the frame that contains points, (n, 3), with a margin; it may exceed the frame."""
    pixels = optics.project(points_mm)
    (x0, y0), (x1, y1) = pixels.min(axis=0) - margin_px, pixels.max(axis=0) + margin_px
    return math.floor(x0), math.floor(y0), math.ceil(x1) + 1, math.ceil(y1) + 1


def compute_corners(center: Point3, rotation: npt.NDArray[np.float64], half_mm: float) -> list[Point3]:
    """Compute the eight corners in mm of a rotated cube around `center`; `half_mm` is half its edge."""
    turned = [rotation @ (half_mm * np.array((i, j, k))) for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)]
    return [(float(x), float(y), float(z)) for x, y, z in (np.array(center) + c for c in turned)]


def create_rays(optics: Optics, box: Box, supersampling: int) -> Vectors:
    """Create a unit vector for each ray through `box`, (3, n) float32 in the table's axes, row by row.

    Args:
        optics: the camera; its `position` is the origin of all rays.
        box: the part of the frame.
        supersampling: number of rays per pixel in each direction.
    """
    x0, y0, x1, y1 = box
    u = x0 + (np.arange((x1 - x0) * supersampling, dtype=np.float32) + 0.5) / supersampling - 0.5
    v = y0 + (np.arange((y1 - y0) * supersampling, dtype=np.float32) + 0.5) / supersampling - 0.5
    m = np.linalg.inv(optics.projection_matrix()[:, :3]).astype(np.float32)
    directions: Vectors = (m[:, :1, None] * u + m[:, 1:2, None] * v[:, None] + m[:, 2:, None]).reshape(3, -1)
    directions /= np.sqrt(directions[0] ** 2 + directions[1] ** 2 + directions[2] ** 2)
    return directions


def intersect_die(
    center: Point3,
    rotation: npt.NDArray[np.float64],
    size_mm: float,
    edge_rounding: float,
    origin: npt.NDArray[np.floating[Any]],
    directions: Vectors,
) -> DieHits:
    """Intersect rays with a die (sphere tracing of a rounded cube, Hart 1996).

    Args:
        center: centre of the die in mm.
        rotation: rotation of the die, (3, 3).
        size_mm: edge length.
        edge_rounding: radius of the edges divided by the edge length; 0.5 makes a ball.
        origin: origin of the rays in mm, (3,).
        directions: unit vectors, (3, n).
    """
    to_die = rotation.T.astype(np.float32)
    directions = to_die @ directions
    start = (to_die @ ((origin - np.array(center)) / size_mm)).astype(np.float32)
    # Only rays that hit the die's bounding sphere are marched, from the point where they enter it.
    nearest = -(start @ directions)
    inside = 0.75 - (start @ start - nearest * nearest)
    rays = np.flatnonzero(inside > 0.0)
    directions = directions[:, rays]
    points = start[:, None] + (nearest[rays] - np.sqrt(inside[rays])) * directions
    inner, rounding = np.float32(0.5 - edge_rounding), np.float32(edge_rounding)
    gap = np.zeros(len(rays), np.float32)
    for _ in range(_MARCH_STEPS):
        x, y, z = np.abs(points) - inner
        deep = np.minimum(np.maximum(np.maximum(x, y), z), 0.0)
        x, y, z = np.maximum(x, 0.0), np.maximum(y, 0.0), np.maximum(z, 0.0)
        gap = np.sqrt(x * x + y * y + z * z) + deep - rounding
        points += gap * directions
    is_hit = gap < _MAX_GAP
    rays, points, directions = rays[is_hit], points[:, is_hit], directions[:, is_hit]
    normals = np.sign(points) * np.maximum(np.abs(points) - inner, 1e-4)
    normals /= np.sqrt(normals[0] ** 2 + normals[1] ** 2 + normals[2] ** 2)
    return DieHits(rays, points, normals, directions)


def split_by_face(points: Vectors) -> Iterator[tuple[int, Indices, Field, Field]]:
    """Split surface points of a die, (3, n), by the face on which they lie; faces without a point are left out.

    Yields:
        The face, 2 * axis, plus 1 if its normal points in the negative direction; the indices of its points, (m,);
        and their two coordinates on the face, (m,) each, in edge lengths from the face's centre.
    """
    axes = np.abs(points).argmax(axis=0)
    for face in range(6):
        axis = face // 2
        here = np.flatnonzero((axes == axis) & ((points[axis] < 0) == bool(face % 2)))
        if here.size:
            yield face, here, points[(axis + 1) % 3, here], points[(axis + 2) % 3, here]


def average_rays(rays: Indices, colours: Field, box: Box, supersampling: int) -> tuple[Field, Field]:
    """Average the rays of each pixel.

    Args:
        rays: indices of the rays that hit, (n,), as in `create_rays`.
        colours: their colours, (n, 3).
        box: the part of the frame.
        supersampling: number of rays per pixel in each direction.

    Returns:
        Premultiplied colours, (h, w, 3) float32, and cover, (h, w) float32, 0 to 1.
    """
    x0, y0, x1, y1 = box
    w, h = x1 - x0, y1 - y0
    picture = np.zeros((h * supersampling, w * supersampling, 3), np.float32)
    cover = np.zeros((h * supersampling, w * supersampling), np.float32)
    picture.reshape(-1, 3)[rays] = colours
    cover.reshape(-1)[rays] = 1.0
    if supersampling == 1:
        return picture, cover
    coarse, share = (cv2.resize(fine, (w, h), interpolation=cv2.INTER_AREA) for fine in (picture, cover))
    return np.asarray(coarse, np.float32), np.asarray(share, np.float32)
