"""The lamp over the virtual table: how bright a place is, how shadows fall, how walls are shaded."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from companion.simulation.macroscope.appearance import Appearance, Colour

Image = npt.NDArray[np.uint8]
Field = npt.NDArray[np.float32]
Point = tuple[float, float]

_SHADOW_REDUCTION = 4
"""Soft shadows are drawn at a quarter of the resolution."""


def compute_brightness(appearance: Appearance, x: npt.ArrayLike, y: npt.ArrayLike) -> Field:
    """Factor of the albedo at table millimetres: a pool of light, and the lens's fall-off towards the corners."""
    x, y = np.asarray(x, np.float32), np.asarray(y, np.float32)
    pool = np.exp(-((x - appearance.glow[0]) ** 2 + (y - appearance.glow[1]) ** 2) / (2.0 * 260.0**2))
    vignette = 1.0 - 0.22 * (x * x + y * y) / 367.0**2
    return np.asarray(appearance.brightness * (0.74 + 0.36 * pool) * vignette, dtype=np.float32)


def draw_shadow(image: Image, outline: npt.NDArray[np.float64], softness: float, strength: float) -> None:
    """Darkens `image` under the convex hull of `outline` (pixels, (n, 2)); `softness` is a sigma in pixels."""
    margin = 3.0 * softness + _SHADOW_REDUCTION
    h, w = image.shape[:2]
    x0, y0 = (max(0, int(c - margin)) // _SHADOW_REDUCTION * _SHADOW_REDUCTION for c in outline.min(axis=0))
    x1, y1 = (min(limit, int(c + margin) + 1) for c, limit in zip(outline.max(axis=0), (w, h), strict=True))
    if x1 - x0 < _SHADOW_REDUCTION or y1 - y0 < _SHADOW_REDUCTION:
        return
    small = np.zeros(((y1 - y0) // _SHADOW_REDUCTION + 1, (x1 - x0) // _SHADOW_REDUCTION + 1), np.uint8)
    hull = cv2.convexHull(((outline - (x0, y0)) / _SHADOW_REDUCTION).astype(np.float32))
    cv2.fillConvexPoly(small, np.round(hull * 16).astype(np.int32), round(255 * strength), cv2.LINE_AA, 4)
    small = 255 - cv2.GaussianBlur(small, (0, 0), max(0.5, softness / _SHADOW_REDUCTION))
    size = small.shape[1] * _SHADOW_REDUCTION, small.shape[0] * _SHADOW_REDUCTION
    factor = cv2.cvtColor(cv2.resize(small, size, interpolation=cv2.INTER_LINEAR), cv2.COLOR_GRAY2BGR)
    part = image[y0:y1, x0:x1]
    cv2.multiply(part, factor[: y1 - y0, : x1 - x0], dst=part, scale=1 / 255)


def cast_shadow_points(
    appearance: Appearance, points: Sequence[tuple[float, float, float]], floor: float
) -> list[tuple[float, float, float]]:
    """Where the shadows of points (mm) fall on the plane at height `floor`."""
    lx, ly = appearance.light
    return [(x + lx * (z - floor), y + ly * (z - floor), floor) for x, y, z in points]


def draw_walls(
    image: Image,
    appearance: Appearance,
    corners: Sequence[Point],
    heights: tuple[float, float],
    colour: Colour,
    zoom: int = 1,
) -> None:
    """Draws those side walls of a prism that the camera sees.

    `corners` run clockwise in the picture for walls seen from outside, anticlockwise for those of a hollow.
    `zoom` is the image's size by the frame's.
    """
    eye = appearance.optics.position
    for (ax, ay), (bx, by) in zip(corners, (*corners[1:], corners[0]), strict=True):
        normal = np.array([by - ay, ax - bx])
        normal /= np.linalg.norm(normal)
        if normal @ (eye[:2] - (ax, ay)) <= 0.0:
            continue
        shade = float(compute_brightness(appearance, (ax + bx) / 2, (ay + by) / 2))
        shade *= 0.62 - 0.3 * float(normal @ np.array(appearance.light))
        low, high = heights
        quad = zoom * appearance.optics.project([(ax, ay, low), (bx, by, low), (bx, by, high), (ax, ay, high)])
        draw_polygon(image, quad, scale_colour(colour, shade))


def draw_polygon(image: Image, pixels: npt.NDArray[np.float64], colour: Colour) -> None:
    """A filled convex polygon with a soft edge."""
    cv2.fillConvexPoly(image, np.round(pixels * 16).astype(np.int32), colour, cv2.LINE_AA, 4)


def scale_colour(colour: Colour, factor: float) -> Colour:
    """The colour, brighter or darker."""
    b, g, r = (int(min(255.0, max(0.0, c * factor))) for c in colour)
    return b, g, r
