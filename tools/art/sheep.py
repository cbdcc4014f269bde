"""The black sheep of Pictomania."""

from __future__ import annotations

from math import cos, pi, sin

import numpy as np
import numpy.typing as npt
from ray_renderer import Array, Body, Surface, Vector, Viewpoint, mix, normalise, smoothstep, srgb

from art.shapes import draw_object, measure_ball, measure_ellipsoid, smooth_min

WOOL = srgb(62, 56, 74)
SKIN = srgb(34, 30, 40)
WOOL_CURLS = 70
"""Balls of wool on the sheep."""


def _list_curls() -> list[tuple[Vector, float]]:
    curls = []
    for i in range(WOOL_CURLS):
        y = 1 - 2 * (i + 0.5) / WOOL_CURLS
        r, angle = (1 - y * y) ** 0.5, i * pi * (3 - 5**0.5)
        curls.append(
            ((0.88 * r * cos(angle) - 0.1, 1.2 + 0.6 * y, 0.6 * r * sin(angle)), 0.19 + 0.05 * ((i * 7) % 5) / 4)
        )
    return [
        *curls,
        ((0.78, 1.98, 0.5), 0.19),
        ((0.98, 2.0, 0.56), 0.17),
        ((0.6, 1.88, 0.46), 0.18),
        ((-1.1, 1.3, 0.1), 0.2),
    ]


CURLS = _list_curls()


def make_sheep(centre: Vector, turn: Array | None = None) -> list[Body]:
    """Return a black sheep as bodies: wool, skin, eyes; it stands at `centre`."""
    plain = np.eye(3, dtype=np.float32) if turn is None else turn
    x, y, z = centre
    at = (x, y, z)

    def wool(p: Array) -> Array:
        p = p + np.array([0, 1.2, 0], np.float32)
        found = measure_ellipsoid(p, (-0.1, 1.2, 0), (0.85, 0.58, 0.58))
        for place, radius in CURLS:
            found = np.minimum(found, measure_ball(p, place, radius))
        return found

    def skin(p: Array) -> Array:
        p = p + np.array([0, 1.2, 0], np.float32)
        head = measure_ellipsoid(p, (0.86, 1.66, 0.58), (0.27, 0.38, 0.3))
        head = smooth_min(head, measure_ellipsoid(p, (0.97, 1.48, 0.74), (0.21, 0.2, 0.22)), 0.12)
        ears = np.minimum(
            measure_ellipsoid(p, (0.42, 1.7, 0.72), (0.24, 0.09, 0.09)),
            measure_ellipsoid(p, (1.24, 1.74, 0.36), (0.22, 0.09, 0.09)),
        )
        found = smooth_min(head, ears, 0.06)
        for lx, lz in ((-0.62, 0.28), (0.42, 0.32), (-0.5, -0.3), (0.45, -0.28)):
            q = np.abs(p[:, 1] - 0.35) - 0.27
            leg = np.sqrt((p[:, 0] - lx) ** 2 + (p[:, 2] - lz) ** 2 + np.maximum(q, 0) ** 2) - 0.11
            found = np.minimum(found, leg.astype(np.float32))
        return found

    eyes = ((0.79, 1.72, 0.86), (1.06, 1.72, 0.76))

    def eye(p: Array) -> Array:
        p = p + np.array([0, 1.2, 0], np.float32)
        return np.minimum(*(measure_ball(p, place, 0.095) for place in eyes))

    def paint_wool(p: Array, normal: Array, view: Array) -> Surface:
        return Surface(np.broadcast_to(WOOL, p.shape).copy(), normal, 0.12, 12)

    def paint_skin(p: Array, normal: Array, view: Array) -> Surface:
        return Surface(np.broadcast_to(SKIN, p.shape).copy(), normal, 0.3, 30)

    def paint_eye(p: Array, normal: Array, view: Array) -> Surface:
        looks = normalise(np.array([[0.35, -0.05, 0.93]], np.float32))[0]
        pupil = smoothstep(0.8, 0.84, normal @ looks)
        return Surface(mix(srgb(250, 250, 250), srgb(12, 12, 16), pupil), normal, 0.6, 120)

    own = (at[0], at[1] + 1.2, at[2])
    return [
        Body(wool, paint_wool, own, plain, 1.45),
        Body(skin, paint_skin, own, plain, 1.7),
        Body(eye, paint_eye, own, plain, 1.45),
    ]


def draw_sheep_art() -> npt.NDArray[np.uint8]:
    """Draw the black sheep."""
    return draw_object(*make_sheep((0, 0, 0)), camera=Viewpoint((0.08, 1.08, 0), 14, 3.0))
