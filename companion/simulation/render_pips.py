"""Dice with pips on a simulated table: the pips, the body's colour and the lamp on them."""

import numpy as np
import numpy.typing as npt

from companion.simulation.appearance import TableAppearance
from companion.simulation.dice_throws import FACE_NORMALS, DiePose
from companion.simulation.render_dice import (
    Box,
    DieHits,
    Field,
    Vectors,
    average_rays,
    compute_box,
    compute_corners,
    create_rays,
    intersect_die,
    split_by_face,
)

EDGE_ROUNDING = 0.16
"""Radius of the edges divided by the die's edge length; the larger, the rounder the die, up to a ball at 0.5."""
PIP_RADIUS = 0.095
"""Radius of a pip divided by the edge length."""
PIP_OFFSET = 0.25
"""Distance of the outer pips' rows from the face's centre, divided by the edge length."""
_BOX_MARGIN_PX = 4
"""Margin around a die in which the lens blurs its outline; the larger, the less of the blur is cut off."""

PIP_PLACES: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
"""Places of the pips on each face, from its middle: -1, 0 or 1 across and along."""


def _create_pip_table() -> list[list[tuple[float, float]]]:
    """Create the pips' centres by face (see `split_by_face`), in edge lengths from the face's centre."""
    table: list[list[tuple[float, float]]] = [[] for _ in range(6)]
    for value, normal in FACE_NORMALS.items():
        axis = next(k for k in range(3) if normal[k])
        face = 2 * axis + (0 if normal[axis] > 0 else 1)
        table[face] = [(PIP_OFFSET * a, PIP_OFFSET * b) for a, b in PIP_PLACES[value]]
    return table


_PIPS_BY_FACE = _create_pip_table()


def compute_die_box(pose: DiePose, appearance: TableAppearance) -> Box:
    """Compute a box of the frame that contains the die and its blurred outline; it may exceed the frame."""
    corners = compute_corners(pose.center, pose.rotation, appearance.die_size_mm / 2)
    return compute_box(corners, appearance.optics, _BOX_MARGIN_PX)


def draw_die(
    pose: DiePose, appearance: TableAppearance, box: Box, supersampling: int, light: float
) -> tuple[Field, Field]:
    """Draw the die inside `box`.

    Args:
        pose: the die's pose.
        appearance: colours, die size, light and camera.
        box: the part of the frame to draw (see `compute_die_box`).
        supersampling: number of rays per pixel in each direction that are averaged.
        light: factor of the lamp's brightness at the die.

    Returns:
        Premultiplied colours, (h, w, 3) float32 BGR, and cover, (h, w) float32, 0 to 1.
    """
    optics = appearance.optics
    directions = create_rays(optics, box, supersampling)
    hits = intersect_die(pose.center, pose.rotation, appearance.die_size_mm, EDGE_ROUNDING, optics.position, directions)
    colours = light * _shade_surface(hits, pose.rotation.T, appearance).T
    return average_rays(hits.rays, colours, box, supersampling)


def _shade_surface(hits: DieHits, to_die: npt.NDArray[np.float64], appearance: TableAppearance) -> Field:
    """Compute the colours, (3, n) BGR, of surface points: pips, diffuse light and the lamp's highlight."""
    pip = _compute_pip_coverage(hits.points)
    light = np.array([-appearance.light[0], -appearance.light[1], 1.0])
    light = (to_die @ (light / np.linalg.norm(light))).astype(np.float32)
    up = to_die[:, 2].astype(np.float32)
    diffuse = np.clip(light @ hits.normals, 0.0, 1.0)
    shade = 0.36 + 0.18 * (up @ hits.normals) + 0.52 * diffuse
    # Highlight of the lamp: cosine between the mirrored view direction and the light (Phong 1975).
    mirrored = 2.0 * (light @ hits.normals) * (-(hits.directions * hits.normals).sum(axis=0)) + light @ hits.directions
    highlight = 60.0 * np.clip(mirrored, 0.0, 1.0) ** 24 * (1.0 - 0.6 * pip)
    body = np.array(appearance.die, np.float32)[:, None]
    ink = np.array(appearance.pip, np.float32)[:, None]
    return np.asarray((body + pip * (ink - body)) * shade + highlight, dtype=np.float32)


def _compute_pip_coverage(points: Vectors) -> Field:
    """Compute the share of pip ink, (n,) from 0 to 1, at surface points (3, n) in edge lengths."""
    share = np.zeros(points.shape[1], np.float32)
    for face, here, a, b in split_by_face(points):
        distance = np.full(here.size, 9.0, np.float32)
        for pa, pb in _PIPS_BY_FACE[face]:
            distance = np.minimum(distance, (a - pa) ** 2 + (b - pb) ** 2)
        share[here] = np.clip((PIP_RADIUS - np.sqrt(distance)) / 0.03 + 0.5, 0.0, 1.0)
    return share
