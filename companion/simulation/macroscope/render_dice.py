"""A die as the camera sees it: rays marched against a rounded cube, so that edges, sides and pips come out right."""

from __future__ import annotations

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
"""x0, y0, x1, y1 in whole pixels."""

EDGE_ROUNDING = 0.16
"""Radius of the edges by the die's edge length."""
INNER_HALF_EDGE = np.float32(0.5 - EDGE_ROUNDING)
PIP_RADIUS = 0.095
PIP_OFFSET = 0.25
MARCH_STEPS = 14

_PLACES = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


def _pip_table() -> list[list[tuple[float, float]]]:
    """Where the pips are by face (2 * axis, +1 where it looks the negative way), in edges from its middle."""
    table: list[list[tuple[float, float]]] = [[] for _ in range(6)]
    for value, normal in FACE_NORMALS.items():
        axis = next(k for k in range(3) if normal[k])
        face = 2 * axis + (0 if normal[axis] > 0 else 1)
        table[face] = [(PIP_OFFSET * a, PIP_OFFSET * b) for a, b in _PLACES[value]]
    return table


_PIPS = _pip_table()


def compute_die_box(pose: DiePose, size: float, optics: Optics) -> Box:
    """A box in the picture that surely holds the die, one pixel to spare; it may reach beyond the frame."""
    reach = 0.5 * math.sqrt(3.0) * size
    x, y, z = pose.center
    corners = [(x + i * reach, y + j * reach, z + k * reach) for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)]
    pixels = optics.project(corners)
    (x0, y0), (x1, y1) = pixels.min(axis=0), pixels.max(axis=0)
    return math.floor(x0) - 1, math.floor(y0) - 1, math.ceil(x1) + 2, math.ceil(y1) + 2


def draw_die(pose: DiePose, appearance: Appearance, box: Box, finer: int, light: float) -> tuple[Field, Field]:
    """The die within `box`: float BGR (h, w, 3), premultiplied, and its cover (h, w), 0 to 1.

    `finer` rays per pixel and direction are averaged.
    """
    x0, y0, x1, y1 = box
    w, h = x1 - x0, y1 - y0
    optics, size = appearance.optics, appearance.die_size_mm
    u = x0 + (np.arange(w * finer, dtype=np.float32) + 0.5) / finer - 0.5
    v = y0 + (np.arange(h * finer, dtype=np.float32) + 0.5) / finer - 0.5
    # Rays in the die's own axes and in units of its edge.
    to_die = pose.rotation.T
    m = (to_die @ np.linalg.inv(optics.projection_matrix()[:, :3])).astype(np.float32)
    ways = (m[:, :1, None] * u + m[:, 1:2, None] * v[:, None] + m[:, 2:, None]).reshape(3, -1)
    ways /= np.sqrt(ways[0] ** 2 + ways[1] ** 2 + ways[2] ** 2)
    origin = (to_die @ (optics.position - np.array(pose.center)) / size).astype(np.float32)
    # Only rays that meet the die's bounding ball are marched, from where they enter it.
    nearest = -(origin @ ways)
    inside = 0.75 - (origin @ origin - nearest * nearest)
    met = np.flatnonzero(inside > 0.0)
    ways = ways[:, met]
    point = origin[:, None] + (nearest[met] - np.sqrt(inside[met])) * ways
    hit = _march(point, ways)
    met, ways, point = met[hit], ways[:, hit], point[:, hit]

    picture, cover = np.zeros((h * finer, w * finer, 3), np.float32), np.zeros((h * finer, w * finer), np.float32)
    picture.reshape(-1, 3)[met] = light * _lit(point, ways, to_die, appearance).T
    cover.reshape(-1)[met] = 1.0
    if finer == 1:
        return picture, cover
    coarse, share = (cv2.resize(fine, (w, h), interpolation=cv2.INTER_AREA) for fine in (picture, cover))
    return np.asarray(coarse, np.float32), np.asarray(share, np.float32)


def _march(point: Rays, ways: Rays) -> npt.NDArray[np.bool_]:
    """Moves the points (3, n) along their ways, in place, until they touch the rounded cube; whether they do."""
    for _ in range(MARCH_STEPS):
        x, y, z = np.abs(point) - INNER_HALF_EDGE
        deep = np.minimum(np.maximum(np.maximum(x, y), z), 0.0)
        x, y, z = np.maximum(x, 0.0), np.maximum(y, 0.0), np.maximum(z, 0.0)
        gap = np.sqrt(x * x + y * y + z * z) + deep - np.float32(EDGE_ROUNDING)
        point += gap * ways
    return np.asarray(gap < 0.02)


def _lit(point: Rays, ways: Rays, to_die: npt.NDArray[np.float64], appearance: Appearance) -> Field:
    """BGR (3, n) of the surface at `point`: pips, light from above and the side, and the lamp's gleam."""
    normal = np.sign(point) * np.maximum(np.abs(point) - INNER_HALF_EDGE, 1e-4)
    normal /= np.sqrt(normal[0] ** 2 + normal[1] ** 2 + normal[2] ** 2)
    pip = _pips(point)
    light = np.array([-appearance.light[0], -appearance.light[1], 1.0])
    light = (to_die @ (light / np.linalg.norm(light))).astype(np.float32)
    up = to_die[:, 2].astype(np.float32)
    diffuse = np.clip(light @ normal, 0.0, 1.0)
    shade = 0.36 + 0.18 * (up @ normal) + 0.52 * diffuse
    # The lamp seen in the surface: where the way back, mirrored, points at it.
    mirrored = 2.0 * (light @ normal) * (-(ways * normal).sum(axis=0)) + light @ ways
    gleam = 60.0 * np.clip(mirrored, 0.0, 1.0) ** 24 * (1.0 - 0.6 * pip)
    body = np.array(appearance.die, np.float32)[:, None]
    ink = np.array(appearance.pip, np.float32)[:, None]
    return np.asarray((body + pip * (ink - body)) * shade + gleam, dtype=np.float32)


def _pips(point: Rays) -> Field:
    """How much of each surface point (3, n) is a pip's ink, 0 to 1."""
    axis = np.abs(point).argmax(axis=0)
    share = np.zeros(point.shape[1], np.float32)
    for face in range(6):
        here = np.flatnonzero((axis == face // 2) & ((point[face // 2] < 0) == bool(face % 2)))
        if not here.size:
            continue
        a, b = point[(face // 2 + 1) % 3, here], point[(face // 2 + 2) % 3, here]
        distance = np.full(here.size, 9.0, np.float32)
        for pa, pb in _PIPS[face]:
            distance = np.minimum(distance, (a - pa) ** 2 + (b - pb) ** 2)
        share[here] = np.clip((PIP_RADIUS - np.sqrt(distance)) / 0.03 + 0.5, 0.0, 1.0)
    return share
