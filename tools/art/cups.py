"""The cups of Memo Dice."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from ray_renderer import Array, Body, Surface, Vector, Viewpoint, mix, smoothstep, srgb

from art.shapes import CUP_PX, draw_object, smooth_max, smooth_min

CUP_HEIGHT = 2.15
"""Height of a cup, over a die of side 2."""
CUP_BOTTOM_RADIUS = 0.98
CUP_TOP_RADIUS = 0.7
CUPS: dict[str, tuple[Array, int, float]] = {
    "red": (srgb(206, 44, 40), 1, 0.0),
    "blue": (srgb(38, 98, 214), 2, 0.0),
    "black": (srgb(44, 45, 54), 3, 0.0),
    "golden": (srgb(255, 196, 60), 0, 0.35),
}
"""Colour, number of bands, and share of metal of each cup; the metal one has a crown."""
BAND_HEIGHTS = {0: (), 1: (1.68,), 2: (1.54, 1.78), 3: (1.36, 1.58, 1.8)}
"""Heights of a cup's bands, by their number: the lower half is free for a number."""
BAND_HALF_WIDTH = 0.062
"""Half the width of a cup's band."""
CROWN_PLACE = (1.66, 0.56)
"""Height of the middle of a cup's crown, and its size."""
CUBE_RGB = {"red": srgb(222, 50, 44), "blue": srgb(44, 108, 226), "black": srgb(48, 49, 58)}
"""Colours of the dice on the title picture."""


def _cover_crown(x: Array, y: Array) -> Array:
    """Return where a crown lies, 0 to 1, about 0.8 wide around x = 0, y = 0."""
    away = np.abs(x)
    points = np.where(away < 0.19, 0.4 - away * 2.1, np.where(away < 0.42, (away - 0.19) * 1.45, -1))
    side = 0.36 + np.clip(y + 0.3, 0, 1) * 0.1
    inside = np.minimum(np.minimum(points - y, y + 0.32), side - away)
    gap = np.abs(y + 0.17) - 0.022
    cover = smoothstep(-0.008, 0.012, np.minimum(inside, gap))
    for cx, cy, r in ((0.0, 0.46, 0.075), (0.43, 0.38, 0.07)):
        cover = np.maximum(cover, smoothstep(r + 0.01, r - 0.01, np.sqrt((away - cx) ** 2 + (y - cy) ** 2)))
    return cover.astype(np.float32)


def make_cup(name: str, centre: Vector, scale: float = 1.0, turn: Array | None = None) -> Body:
    """Return a cup of `CUPS` that stands upside down; its own origin is half way up."""
    colour, bands, metal = CUPS[name]
    slope = (CUP_BOTTOM_RADIUS - CUP_TOP_RADIUS) / CUP_HEIGHT
    steep = 1 / np.sqrt(1 + slope * slope)

    def distance(p: Array) -> Array:
        p = p / scale
        away, y = np.sqrt(p[:, 0] ** 2 + p[:, 2] ** 2), p[:, 1] + CUP_HEIGHT / 2
        side = (away - CUP_BOTTOM_RADIUS + slope * y) * steep
        for height in BAND_HEIGHTS[bands]:
            side = side - 0.024 * smoothstep(BAND_HALF_WIDTH + 0.02, BAND_HALF_WIDTH - 0.02, np.abs(y - height))
        body = smooth_max(side, np.abs(y - CUP_HEIGHT / 2) - CUP_HEIGHT / 2, 0.16)
        dent = np.sqrt((np.maximum(away - 0.3, 0)) ** 2 + (y - CUP_HEIGHT - 0.02) ** 2) - 0.09
        body = smooth_max(body, -dent.astype(np.float32), 0.1)
        lip = np.sqrt((away - CUP_BOTTOM_RADIUS - 0.0) ** 2 + (y - 0.1) ** 2) - 0.115
        return (smooth_min(body, lip.astype(np.float32), 0.05) * 0.95 * scale).astype(np.float32)

    def paint(p: Array, normal: Array, view: Array) -> Surface:
        y = p[:, 1] / scale + CUP_HEIGHT / 2
        painted = np.broadcast_to(colour, p.shape).copy()
        for height in BAND_HEIGHTS[bands]:
            share = smoothstep(BAND_HALF_WIDTH + 0.005, BAND_HALF_WIDTH - 0.015, np.abs(y - height))
            painted = mix(painted, srgb(244, 236, 220), share)
        if metal:
            height, size = CROWN_PLACE
            crown = _cover_crown(p[:, 0] / scale / size, (y - height) / size)
            painted = mix(painted, srgb(104, 52, 12), crown * (p[:, 2] > 0))
        return Surface(painted, normal, 0.75 if metal else 0.5, 70, metal)

    radius = 1.55 * scale
    return Body(distance, paint, centre, np.eye(3, dtype=np.float32) if turn is None else turn, radius)


def draw_cup_art(name: str) -> npt.NDArray[np.uint8]:
    """Draw a cup that stands upside down, seen from a little above."""
    camera = Viewpoint((0.06, 1.05, 0), 20, 2.75)
    return draw_object(make_cup(name, (0, CUP_HEIGHT / 2, 0)), camera=camera, size=(CUP_PX, CUP_PX))
