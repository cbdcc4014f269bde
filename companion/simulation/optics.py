"""The pinhole camera over the virtual table.

Table coordinates are millimetres: origin on the table under the picture's middle, x to the right, y down in the
picture, z up towards the camera.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

Point = tuple[float, float]
Matrix = npt.NDArray[np.float64]

FRAME_SIZE_PX = (1280, 720)
"""Width and height of a frame, pixels."""


@dataclass(frozen=True, slots=True)
class Optics:
    """Camera `height` mm from the table's middle, leaning by `tilt` degrees towards the lower edge of the picture.

    `roll` turns the camera about its own axis, degrees. `focal` is in pixels.
    """

    tilt_deg: float = 4.0
    roll_deg: float = 0.0
    height_mm: float = 700.0
    focal_px: float = 1400.0

    @property
    def position(self) -> npt.NDArray[np.float64]:
        """The pinhole, mm."""
        t = math.radians(self.tilt_deg)
        return self.height_mm * np.array([0.0, math.sin(t), math.cos(t)])

    @property
    def axes(self) -> Matrix:
        """Rows: the directions of the picture's x, its y, and of view; 3x3, orthonormal."""
        t, r = math.radians(self.tilt_deg), math.radians(self.roll_deg)
        right = np.array([1.0, 0.0, 0.0])
        down = np.array([0.0, math.cos(t), -math.sin(t)])
        forward = np.array([0.0, -math.sin(t), -math.cos(t)])
        c, s = math.cos(r), math.sin(r)
        return np.array([c * right + s * down, -s * right + c * down, forward])

    def projection_matrix(self) -> Matrix:
        """The projection matrix, 3x4: homogeneous table millimetres to homogeneous pixels."""
        return _projection(self)

    def plane_homography(self, z: float) -> Matrix:
        """The homography, 3x3, from millimetres on the plane at height `z` to pixels."""
        m = self.projection_matrix()
        return np.column_stack([m[:, 0], m[:, 1], m[:, 2] * z + m[:, 3]])

    def project(self, points: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Table points (n, 3) in mm to pixels (n, 2)."""
        p = (
            np.asarray(points, dtype=np.float64).reshape(-1, 3) @ self.projection_matrix()[:, :3].T
            + self.projection_matrix()[:, 3]
        )
        pixels: npt.NDArray[np.float64] = p[:, :2] / p[:, 2:]
        return pixels

    def to_table(self, pixel: Point, z: float = 0.0) -> Point:
        """The point in mm on the plane at height `z` that is seen at `pixel`."""
        p = np.linalg.solve(self.plane_homography(z), np.array([pixel[0], pixel[1], 1.0]))
        return float(p[0] / p[2]), float(p[1] / p[2])


@lru_cache(maxsize=16)
def _projection(optics: Optics) -> Matrix:
    axes, (w, h) = optics.axes, FRAME_SIZE_PX
    k = np.array([[optics.focal_px, 0.0, w / 2], [0.0, optics.focal_px, h / 2], [0.0, 0.0, 1.0]])
    projection: Matrix = k @ np.column_stack([axes, -axes @ optics.position])
    return projection
