"""Paints of solids, one colour or a picture on top, and the pose of a solid that stands on the table."""

from __future__ import annotations

import cv2
import numpy as np

from ray_tracer.camera import Array
from ray_tracer.light import SurfaceMaterial
from ray_tracer.scene import Paint, SurfacePoints
from ray_tracer.shapes import rotate_about


def make_paint(albedo: Array, rough: float = 0.5, shine: float = 0.04) -> Paint:
    """Create a paint of one colour."""

    def paint(points: Array, normals: Array, rays: Array) -> SurfacePoints:
        color = np.broadcast_to(np.asarray(albedo, np.float32), points.shape)
        return SurfacePoints(SurfaceMaterial(color, rough, shine), normals, np.ones(len(points), np.float32))

    return paint


def make_picture_paint(
    picture: Array, half: tuple[float, float], side: Array, rough: float = 0.5, shine: float = 0.04
) -> Paint:
    """Create a paint with a linear picture on the face along the solid's own +z, and `side` elsewhere.

    `half` is half the picture's size in mm.
    """

    def paint(points: Array, normals: Array, rays: Array) -> SurfacePoints:
        h, w = picture.shape[:2]
        x = np.clip((points[:, 0] / half[0] * 0.5 + 0.5) * (w - 1), 0, w - 1).astype(np.float32)
        y = np.clip((0.5 - points[:, 1] / half[1] * 0.5) * (h - 1), 0, h - 1).astype(np.float32)
        rows = -(-len(x) // 1024)  # remap takes no more than 32767 rows
        pad = rows * 1024 - len(x)
        x, y = (np.pad(v, (0, pad)).reshape(rows, 1024) for v in (x, y))
        top = cv2.remap(picture, x, y, cv2.INTER_LINEAR).reshape(-1, 3)[: len(points)]
        color = np.where((normals[:, 2] > 0.6)[:, None], top, side)
        return SurfacePoints(
            SurfaceMaterial(color.astype(np.float32), rough, shine), normals, np.ones(len(points), np.float32)
        )

    return paint


def place_upright(x: float, y: float, z: float, half: tuple[float, float, float], yaw: float = 0.0) -> dict[str, Array]:
    """Return centre, rotation and half extents of a solid that stands at the height `z`."""
    return {
        "center": np.array([x, y, z + half[2]], np.float32),
        "turn": rotate_about((0, 0, 1), yaw),
        "half": np.array(half, np.float32),
    }
