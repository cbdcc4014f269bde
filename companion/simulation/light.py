"""The lamp over a simulated table: brightness of a place, soft shadows, shaded walls."""

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from companion.simulation.appearance import Colour, TableAppearance

Image = npt.NDArray[np.uint8]
Field = npt.NDArray[np.float32]
Point = tuple[float, float]

_SHADOW_REDUCTION = 4
"""Soft shadows are drawn at 1 / _SHADOW_REDUCTION of the frame's resolution; the larger, the faster and coarser."""


def compute_brightness(appearance: TableAppearance, x: npt.ArrayLike, y: npt.ArrayLike) -> Field:
    """Compute the factor of the albedo at points of the table: a pool of light and the vignetting of the lens.

    Args:
        appearance: the lamp's place (`glow`) and brightness.
        x: table coordinates in mm, of any shape.
        y: table coordinates in mm, of the same shape.

    Returns:
        Factors of the same shape, float32; about 1 in the brightest place.
    """
    x, y = np.asarray(x, np.float32), np.asarray(y, np.float32)
    pool = np.exp(-((x - appearance.glow[0]) ** 2 + (y - appearance.glow[1]) ** 2) / (2.0 * 260.0**2))
    vignette = 1.0 - 0.22 * (x * x + y * y) / 367.0**2
    return np.asarray(appearance.brightness * (0.74 + 0.36 * pool) * vignette, dtype=np.float32)


def draw_shadow(image: Image, outline: npt.NDArray[np.float64], softness: float, strength: float) -> None:
    """Darken `image` in place inside the convex hull of `outline`.

    Args:
        image: (H, W, 3) uint8 BGR.
        outline: (n, 2) pixels.
        softness: sigma of the shadow's edge in pixels.
        strength: share of the light that is lost, 0 to 1.
    """
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
    appearance: TableAppearance, points: Sequence[tuple[float, float, float]], floor: float
) -> list[tuple[float, float, float]]:
    """Compute the shadows of points (x, y, z) in mm on the plane at the height `floor`, in mm."""
    lx, ly = appearance.light
    return [(x + lx * (z - floor), y + ly * (z - floor), floor) for x, y, z in points]


def draw_walls(
    image: Image,
    appearance: TableAppearance,
    corners: Sequence[Point],
    heights: tuple[float, float],
    colour: Colour,
    zoom: int = 1,
) -> None:
    """Draw the side walls of a prism that the camera sees into `image`, in place.

    Args:
        image: (H, W, 3) uint8 BGR.
        appearance: the light and the camera.
        corners: corners in mm on the table; clockwise in the picture for walls seen from outside, anticlockwise for
            walls of a hollow.
        heights: lower and upper edge of the walls in mm above the table.
        colour: colour of the walls in full light.
        zoom: size of the image divided by the size of a frame.
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
    """Fill a convex polygon, (n, 2) pixels, in place; its edge is anti-aliased."""
    cv2.fillConvexPoly(image, np.round(pixels * 16).astype(np.int32), colour, cv2.LINE_AA, 4)


def scale_colour(colour: Colour, factor: float) -> Colour:
    """Multiply the colour by `factor`; channels are clamped to 0 to 255."""
    b, g, r = (int(min(255.0, max(0.0, c * factor))) for c in colour)
    return b, g, r
