"""Shapes, colours and sizes that the objects of the stage share; lengths are in units of which a die's side is 2."""

from __future__ import annotations

from math import cos, pi, sin

import cv2
import numpy as np
import numpy.typing as npt
from ray_renderer import Array, Body, Ground, Vector, Viewpoint, mix, render, srgb

OBJECT_PX = 320
"""Side of an object's picture in pixels."""
CUP_PX = 480
"""Side of a cup's picture in pixels: that of a cup on the stage of a 1920x1080 screen."""
TITLE_SIZE = (640, 360)
"""Width and height of a title picture in pixels."""
SHADOW_ONLY = Ground()
"""Nothing is seen of the table but the shadows on it."""

IVORY = srgb(243, 232, 208)
PIP = srgb(32, 30, 38)
GOLD = srgb(255, 196, 70)
BRASS = srgb(226, 178, 92)
DEEP_BLUE = srgb(36, 66, 140)
WOOD_LIGHT = srgb(233, 200, 150)
WOOD_DARK = srgb(196, 150, 98)


def measure_box(p: Array, half: Vector, radius: float) -> Array:
    """Return the distance of a box with round edges; `half` is half its size."""
    q = np.abs(p) - (np.array(half, np.float32) - radius)
    outside = np.sqrt((np.maximum(q, 0) ** 2).sum(axis=1))
    return np.asarray(outside + np.minimum(q.max(axis=1), 0) - radius, np.float32)


def measure_round_cube(p: Array) -> Array:
    """Return the distance of a die: a cube of half 1, cut by a sphere."""
    sphere = np.sqrt((p * p).sum(axis=1)) - 1.5
    return smooth_max(measure_box(p, (1, 1, 1), 0.2), sphere.astype(np.float32), 0.08)


def smooth_max(a: Array, b: Array, width: float) -> Array:
    """Return the maximum with a round transition: cuts one shape by another."""
    h = np.clip(0.5 - 0.5 * (b - a) / width, 0, 1)
    return np.asarray(b * (1 - h) + a * h + width * h * (1 - h), np.float32)


def smooth_min(a: Array, b: Array, width: float) -> Array:
    """Return the minimum with a round transition: merges two shapes."""
    return -smooth_max(-a, -b, width)


def measure_disc(p: Array, radius: float, half_height: float, edge: float) -> Array:
    """Return the distance of an upright cylinder with round edges."""
    x = np.sqrt(p[:, 0] ** 2 + p[:, 2] ** 2) - radius + edge
    y = np.abs(p[:, 1]) - half_height + edge
    outside = np.sqrt(np.maximum(x, 0) ** 2 + np.maximum(y, 0) ** 2)
    return np.asarray(outside + np.minimum(np.maximum(x, y), 0) - edge, np.float32)


def measure_plate(p: Array, half: Vector, corner: float, edge: float) -> Array:
    """Return the distance of a flat plate with round corners; `corner` is their radius, `edge` that of its edges."""
    q = np.abs(p[:, [0, 2]]) - (np.array([half[0], half[2]], np.float32) - corner)
    side = np.sqrt((np.maximum(q, 0) ** 2).sum(axis=1)) + np.minimum(q.max(axis=1), 0) - corner + edge
    height = np.abs(p[:, 1]) - half[1] + edge
    outside = np.sqrt(np.maximum(side, 0) ** 2 + np.maximum(height, 0) ** 2)
    return np.asarray(outside + np.minimum(np.maximum(side, height), 0) - edge, np.float32)


def measure_ellipsoid(p: Array, centre: Vector, radii: Vector) -> Array:
    r = np.array(radii, np.float32)
    q = p - np.array(centre, np.float32)
    k = np.sqrt(((q / r) ** 2).sum(axis=1))
    return np.asarray((k - 1) * k / np.maximum(np.sqrt(((q / (r * r)) ** 2).sum(axis=1)), 1e-6), np.float32)


def measure_ball(p: Array, centre: Vector, radius: float) -> Array:
    q = p - np.array(centre, np.float32)
    return np.asarray(np.sqrt(np.einsum("ij,ij->i", q, q)) - radius, np.float32)


def measure_star(p: Array, radius: float, inner: float) -> Array:
    """Return the distance of a flat star with five points, in the plane of x and z, its tip away from the viewer."""
    angle = np.arctan2(p[:, 0], -p[:, 2])
    step = 2 * pi / 5
    folded = np.abs((angle + step / 2) % step - step / 2)
    away = np.sqrt(p[:, 0] ** 2 + p[:, 2] ** 2)
    x, y = away * np.sin(folded), away * np.cos(folded)
    corner = np.array([inner * radius * sin(step / 2), inner * radius * cos(step / 2)])
    edge = corner - np.array([0, radius])
    along = np.clip((x * edge[0] + (y - radius) * edge[1]) / (edge @ edge), 0, 1)
    dx, dy = x - along * edge[0], y - radius - along * edge[1]
    side = np.sign(x * edge[1] - (y - radius) * edge[0])
    return np.asarray(-np.sqrt(dx * dx + dy * dy) * side, np.float32)


def sample_texture(texture: Array, u: Array, v: Array) -> Array:
    """Return a texture's colours at u to the right and v upwards, 0 to 1 each."""
    height, width = texture.shape[:2]
    columns = (np.clip(u, 0, 1) * width - 0.5).astype(np.float32)
    rows = ((1 - np.clip(v, 0, 1)) * height - 0.5).astype(np.float32)
    found = np.empty((len(u), 3), np.float32)
    for begin in range(0, len(u), 30_000):  # cv2.remap takes at most 32767 points a row
        part = slice(begin, begin + 30_000)
        found[part] = cv2.remap(
            texture, columns[None, part], rows[None, part], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )[0]
    return found


def draw_grain(p: Array, light: Array = WOOD_LIGHT, dark: Array = WOOD_DARK, scale: float = 1.0) -> Array:
    """Return the colours of wood at points: rings of a trunk that lies along x."""
    x, y, z = (p[:, i] * scale for i in range(3))
    wave = 0.22 * np.sin(1.3 * x + 0.7 * np.sin(2.1 * z)) + 0.07 * np.sin(4.1 * x + 3 * z)
    ring = np.sqrt((y + 0.9) ** 2 + (z * 1.15 + wave + 0.35) ** 2) * 7.5
    band = 0.5 + 0.5 * np.sin(2 * pi * ring)
    pores = 0.5 + 0.5 * np.sin(ring * 31 + 7 * np.sin(x * 1.7)) * np.sin(x * 3.3 + ring)
    return mix(light, dark, np.clip(band**2 * 0.6 + pores * 0.25, 0, 1).astype(np.float32))


def draw_object(
    *bodies: Body, camera: Viewpoint, size: tuple[int, int] = (OBJECT_PX, OBJECT_PX)
) -> npt.NDArray[np.uint8]:
    """Draw bodies on nothing but their shadow."""
    return render(bodies, camera, size, SHADOW_ONLY)
