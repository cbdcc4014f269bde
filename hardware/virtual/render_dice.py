"""A die as the camera sees it: rays marched against a rounded cube, so that edges, sides and pips come out right."""

from __future__ import annotations

import math

import cv2
import numpy as np
import numpy.typing as npt

from hardware.virtual.dice import FACES, DiePose
from hardware.virtual.look import Look
from hardware.virtual.optics import Optics

Field = npt.NDArray[np.float32]
Box = tuple[int, int, int, int]
"""x0, y0, x1, y1 in whole pixels."""

ROUNDING = 0.16
"""Radius of the edges by the die's edge length."""
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


def _pip_table() -> Field:
    """Where the pips are, (6, 6, 2): by face (axis, +1 before -1) and pip; missing ones lie far away."""
    table = np.full((6, 6, 2), 9.0, np.float32)
    for value, normal in FACES.items():
        axis = int(np.argmax(np.abs(normal)))
        face = 2 * axis + (0 if sum(normal) > 0 else 1)
        table[face, : len(_PLACES[value])] = PIP_OFFSET * np.array(_PLACES[value], np.float32)
    return table


_PIPS = _pip_table()


def die_box(pose: DiePose, size: float, optics: Optics) -> Box:
    """A box in the picture that surely holds the die, one pixel to spare; it may reach beyond the frame."""
    reach = 0.5 * math.sqrt(3.0) * size
    x, y, z = pose.middle
    corners = [(x + i * reach, y + j * reach, z + k * reach) for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)]
    pixels = optics.project(corners)
    (x0, y0), (x1, y1) = pixels.min(axis=0), pixels.max(axis=0)
    return math.floor(x0) - 1, math.floor(y0) - 1, math.ceil(x1) + 2, math.ceil(y1) + 2


def draw_die(pose: DiePose, look: Look, box: Box, finer: int, light: float) -> tuple[Field, Field]:
    """The die within `box`: float BGR (h, w, 3), premultiplied, and its cover (h, w), 0 to 1.

    `finer` rays per pixel and direction are averaged.
    """
    x0, y0, x1, y1 = box
    w, h = x1 - x0, y1 - y0
    optics, size = look.optics, look.die_size
    u = x0 + (np.arange(w * finer, dtype=np.float32) + 0.5) / finer - 0.5
    v = y0 + (np.arange(h * finer, dtype=np.float32) + 0.5) / finer - 0.5
    matrix = optics.matrix()
    inverse = np.linalg.inv(matrix[:, :3])
    pixels = np.stack([*np.meshgrid(u, v), np.ones((v.size, u.size), np.float32)]).reshape(3, -1)
    # Rays in the die's own axes and in units of its edge.
    to_die = pose.rotation.T
    ways = (to_die @ inverse @ pixels).astype(np.float32)
    ways /= np.linalg.norm(ways, axis=0)
    origin = (to_die @ (optics.position - np.array(pose.middle)) / size).astype(np.float32)[:, None]
    along = -(origin * ways).sum(axis=0) - np.float32(0.87)

    inner = np.float32(0.5 - ROUNDING)
    for _ in range(MARCH_STEPS):
        q = np.abs(origin + along * ways) - inner
        outside = np.maximum(q, 0.0)
        gap = np.sqrt((outside * outside).sum(axis=0)) + np.minimum(q.max(axis=0), 0.0) - np.float32(ROUNDING)
        along += gap
    hit = gap < 0.02
    point = origin + along * ways
    normal = np.sign(point) * np.maximum(np.abs(point) - inner, 1e-4)
    normal /= np.linalg.norm(normal, axis=0)

    colour = light * _lit(point, normal, ways, to_die, look) * hit
    picture = colour.T.reshape(h * finer, w * finer, 3)
    cover = hit.astype(np.float32).reshape(h * finer, w * finer)
    if finer > 1:
        picture = cv2.resize(picture, (w, h), interpolation=cv2.INTER_AREA)
        cover = cv2.resize(cover, (w, h), interpolation=cv2.INTER_AREA)
    return np.asarray(picture, np.float32), np.asarray(cover, np.float32)


def _lit(point: Field, normal: Field, ways: Field, to_die: npt.NDArray[np.float64], look: Look) -> Field:
    """BGR (3, n) of the surface at `point`: pips, light from above and the side, and the lamp's gleam."""
    axis = np.abs(point).argmax(axis=0)
    columns = np.arange(point.shape[1])
    face = 2 * axis + (point[axis, columns] < 0)
    flat = np.stack([point[(axis + 1) % 3, columns], point[(axis + 2) % 3, columns]], axis=1)
    distance = np.linalg.norm(_PIPS[face] - flat[:, None, :], axis=2).min(axis=1)
    pip = np.clip((PIP_RADIUS - distance) / 0.03 + 0.5, 0.0, 1.0).astype(np.float32)

    light = np.array([-look.light[0], -look.light[1], 1.0])
    light = (to_die @ (light / np.linalg.norm(light))).astype(np.float32)
    up = to_die[:, 2].astype(np.float32)
    diffuse = np.clip(light @ normal, 0.0, 1.0)
    sky = 0.5 + 0.5 * (up @ normal)
    shade = 0.16 + 0.34 * sky + 0.52 * diffuse
    halfway = light[:, None] - ways
    halfway /= np.linalg.norm(halfway, axis=0)
    gleam = 70.0 * np.clip((halfway * normal).sum(axis=0), 0.0, 1.0) ** 60 * (1.0 - 0.6 * pip)
    body = np.array(look.die, np.float32)[:, None] * (1.0 - pip) + np.array(look.pip, np.float32)[:, None] * pip
    return np.asarray(body * shade + gleam, dtype=np.float32)
