"""Ray-marched picture of a die with pips: a rounded cube, shaded, seen by the simulated camera."""

import math
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.simulation.macroscope.appearance import Appearance
from companion.simulation.macroscope.dice import FACE_NORMALS, DiePose
from companion.simulation.optics import Optics

Field = npt.NDArray[np.float32]
Rays = npt.NDArray[np.floating[Any]]
Box = tuple[int, int, int, int]
"""x0, y0, x1, y1 in whole pixels; x1 and y1 are exclusive."""

EDGE_ROUNDING = 0.16
"""Radius of the edges divided by the die's edge length; the larger, the rounder the die, up to a ball at 0.5."""
INNER_HALF_EDGE = np.float32(0.5 - EDGE_ROUNDING)
"""Half the flat part of a face, divided by the edge length."""
PIP_RADIUS = 0.095
"""Radius of a pip divided by the edge length."""
PIP_OFFSET = 0.25
"""Distance of the outer pips' rows from the face's centre, divided by the edge length."""
MARCH_STEPS = 14
"""Number of steps along each ray; the larger, the more exact the outline and the slower."""

_PIP_GRID = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


def _create_pip_table() -> list[list[tuple[float, float]]]:
    """Create the pips' centres by face, in edge lengths from the face's centre.

    The index of a face is 2 * axis, plus 1 if its normal points in the negative direction.
    """
    table: list[list[tuple[float, float]]] = [[] for _ in range(6)]
    for value, normal in FACE_NORMALS.items():
        axis = next(k for k in range(3) if normal[k])
        face = 2 * axis + (0 if normal[axis] > 0 else 1)
        table[face] = [(PIP_OFFSET * a, PIP_OFFSET * b) for a, b in _PIP_GRID[value]]
    return table


_PIPS_BY_FACE = _create_pip_table()


def compute_die_box(pose: DiePose, size: float, optics: Optics) -> Box:
    """Compute a box of the frame that contains the die, with a margin of one pixel; it may exceed the frame.

    Args:
        pose: The die's pose.
        size: Edge length of the die in mm.
        optics: The camera.
    """
    reach = 0.5 * math.sqrt(3.0) * size
    x, y, z = pose.center
    corners = [(x + i * reach, y + j * reach, z + k * reach) for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)]
    pixels = optics.project(corners)
    (x0, y0), (x1, y1) = pixels.min(axis=0), pixels.max(axis=0)
    return math.floor(x0) - 1, math.floor(y0) - 1, math.ceil(x1) + 2, math.ceil(y1) + 2


def draw_die(pose: DiePose, appearance: Appearance, box: Box, supersampling: int, light: float) -> tuple[Field, Field]:
    """Draw the die inside `box`.

    Args:
        pose: The die's pose.
        appearance: Colours, die size, light and camera.
        box: The part of the frame to draw (see `compute_die_box`).
        supersampling: Number of rays per pixel in each direction that are averaged.
        light: Factor of the lamp's brightness at the die.

    Returns:
        Premultiplied colours, (h, w, 3) float32 BGR, and cover, (h, w) float32, 0 to 1.
    """
    x0, y0, x1, y1 = box
    w, h = x1 - x0, y1 - y0
    optics, size = appearance.optics, appearance.die_size_mm
    u = x0 + (np.arange(w * supersampling, dtype=np.float32) + 0.5) / supersampling - 0.5
    v = y0 + (np.arange(h * supersampling, dtype=np.float32) + 0.5) / supersampling - 0.5
    # Rays in the die's own axes and in units of its edge length.
    to_die = pose.rotation.T
    m = (to_die @ np.linalg.inv(optics.projection_matrix()[:, :3])).astype(np.float32)
    directions = (m[:, :1, None] * u + m[:, 1:2, None] * v[:, None] + m[:, 2:, None]).reshape(3, -1)
    directions /= np.sqrt(directions[0] ** 2 + directions[1] ** 2 + directions[2] ** 2)
    origin = (to_die @ (optics.position - np.array(pose.center)) / size).astype(np.float32)
    # Only rays that hit the die's bounding sphere are marched, from the point where they enter it.
    nearest = -(origin @ directions)
    inside = 0.75 - (origin @ origin - nearest * nearest)
    hits = np.flatnonzero(inside > 0.0)
    directions = directions[:, hits]
    point = origin[:, None] + (nearest[hits] - np.sqrt(inside[hits])) * directions
    is_hit = _march_rays(point, directions)
    hits, directions, point = hits[is_hit], directions[:, is_hit], point[:, is_hit]

    picture, cover = (
        np.zeros((h * supersampling, w * supersampling, 3), np.float32),
        np.zeros((h * supersampling, w * supersampling), np.float32),
    )
    picture.reshape(-1, 3)[hits] = light * _shade_surface(point, directions, to_die, appearance).T
    cover.reshape(-1)[hits] = 1.0
    if supersampling == 1:
        return picture, cover
    coarse, share = (cv2.resize(fine, (w, h), interpolation=cv2.INTER_AREA) for fine in (picture, cover))
    return np.asarray(coarse, np.float32), np.asarray(share, np.float32)


def _march_rays(point: Rays, directions: Rays) -> npt.NDArray[np.bool_]:
    """Move points (3, n) along their directions, in place, to the rounded cube (sphere tracing, Hart 1996).

    Returns:
        Whether each point has reached the surface, (n,) bool.
    """
    for _ in range(MARCH_STEPS):
        x, y, z = np.abs(point) - INNER_HALF_EDGE
        deep = np.minimum(np.maximum(np.maximum(x, y), z), 0.0)
        x, y, z = np.maximum(x, 0.0), np.maximum(y, 0.0), np.maximum(z, 0.0)
        gap = np.sqrt(x * x + y * y + z * z) + deep - np.float32(EDGE_ROUNDING)
        point += gap * directions
    return np.asarray(gap < 0.02)


def _shade_surface(point: Rays, directions: Rays, to_die: npt.NDArray[np.float64], appearance: Appearance) -> Field:
    """Compute the colours, (3, n) BGR, of surface points (3, n): pips, diffuse light and the lamp's highlight."""
    normal = np.sign(point) * np.maximum(np.abs(point) - INNER_HALF_EDGE, 1e-4)
    normal /= np.sqrt(normal[0] ** 2 + normal[1] ** 2 + normal[2] ** 2)
    pip = _compute_pip_coverage(point)
    light = np.array([-appearance.light[0], -appearance.light[1], 1.0])
    light = (to_die @ (light / np.linalg.norm(light))).astype(np.float32)
    up = to_die[:, 2].astype(np.float32)
    diffuse = np.clip(light @ normal, 0.0, 1.0)
    shade = 0.36 + 0.18 * (up @ normal) + 0.52 * diffuse
    # Highlight of the lamp: cosine between the mirrored view direction and the light (Phong 1975).
    mirrored = 2.0 * (light @ normal) * (-(directions * normal).sum(axis=0)) + light @ directions
    highlight = 60.0 * np.clip(mirrored, 0.0, 1.0) ** 24 * (1.0 - 0.6 * pip)
    body = np.array(appearance.die, np.float32)[:, None]
    ink = np.array(appearance.pip, np.float32)[:, None]
    return np.asarray((body + pip * (ink - body)) * shade + highlight, dtype=np.float32)


def _compute_pip_coverage(point: Rays) -> Field:
    """Compute the share of pip ink, (n,) from 0 to 1, at surface points (3, n) in edge lengths."""
    axis = np.abs(point).argmax(axis=0)
    share = np.zeros(point.shape[1], np.float32)
    for face in range(6):
        here = np.flatnonzero((axis == face // 2) & ((point[face // 2] < 0) == bool(face % 2)))
        if not here.size:
            continue
        a, b = point[(face // 2 + 1) % 3, here], point[(face // 2 + 2) % 3, here]
        distance = np.full(here.size, 9.0, np.float32)
        for pa, pb in _PIPS_BY_FACE[face]:
            distance = np.minimum(distance, (a - pa) ** 2 + (b - pb) ** 2)
        share[here] = np.clip((PIP_RADIUS - np.sqrt(distance)) / 0.03 + 0.5, 0.0, 1.0)
    return share
