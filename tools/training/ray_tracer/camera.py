"""A pinhole camera above a table. World in millimetres, table z = 0, z up."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float32]


@dataclass(frozen=True)
class CameraPose:
    """Pose of a camera. `axes` rows are its right, down and forward; `focal` and `center` are in pixels."""

    position: Array
    axes: Array
    focal: float
    center: tuple[float, float]
    size: tuple[int, int]

    def project(self, points: npt.ArrayLike) -> Array:
        """Project world points (n, 3) to pixels (n, 2). A pixel's middle has integer coordinates."""
        seen = (np.asarray(points, np.float32).reshape(-1, 3) - self.position) @ self.axes.T
        return (self.focal * seen[:, :2] / seen[:, 2:] + np.array(self.center)).astype(np.float32)

    def cast_rays(self, x: np.ndarray, y: np.ndarray) -> Array:
        """Return the directions (n, 3) in the world of pixels; their component along the view axis is 1."""
        u = ((x - self.center[0]) / self.focal).astype(np.float32)[:, None]
        v = ((y - self.center[1]) / self.focal).astype(np.float32)[:, None]
        return np.asarray(u * self.axes[0] + v * self.axes[1] + self.axes[2], np.float32)

    def compute_ray_z(self, box: tuple[int, int, int, int]) -> Array:
        """Return the z of these directions (h, w) for the pixels in `box` (x0, y0, x1, y1)."""
        u = (np.arange(box[0], box[2], dtype=np.float32) - self.center[0]) / self.focal * self.axes[0, 2]
        v = (np.arange(box[1], box[3], dtype=np.float32) - self.center[1]) / self.focal * self.axes[1, 2]
        return np.asarray(u + v[:, None] + self.axes[2, 2], np.float32)

    def compute_homography(self, z: float) -> npt.NDArray[np.float64]:
        """Return the homography from (x, y) in mm at height `z` to pixels."""
        origin = np.array([0, 0, z], np.float32) - self.position
        seen = np.stack([self.axes[:, 0], self.axes[:, 1], self.axes @ origin], 1)
        pixels = np.array([[self.focal, 0, self.center[0]], [0, self.focal, self.center[1]], [0, 0, 1]])
        return np.asarray(pixels @ seen, np.float64)

    def find_table_point(self, x: float, y: float, z: float = 0.0) -> Array:
        """Return the world point (3,) at height `z` that is seen at a pixel."""
        p = np.linalg.inv(self.compute_homography(z)) @ np.array([x, y, 1.0])
        return np.array([p[0] / p[2], p[1] / p[2], z], np.float32)

    def refine(self, factor: int) -> CameraPose:
        """Return the same view with `factor` pixels in place of one, each way."""
        half = (factor - 1) / 2
        return replace(
            self,
            focal=self.focal * factor,
            center=(self.center[0] * factor + half, self.center[1] * factor + half),
            size=(self.size[0] * factor, self.size[1] * factor),
        )


def aim_camera(
    target: tuple[float, float],
    distance: float,
    tilt: float,
    azimuth: float,
    roll: float,
    focal: float,
    size: tuple[int, int],
) -> CameraPose:
    """Create a camera `distance` from a point of the table, `tilt` radians off the vertical, aimed at it."""
    away = np.array([np.sin(tilt) * np.cos(azimuth), np.sin(tilt) * np.sin(azimuth), np.cos(tilt)])
    right = np.array([-np.sin(azimuth), np.cos(azimuth), 0.0])
    down = np.cross(-away, right)
    c, s = np.cos(roll), np.sin(roll)
    axes = np.stack([c * right + s * down, c * down - s * right, -away])
    place = np.array([*target, 0.0]) + away * distance
    middle = ((size[0] - 1) / 2, (size[1] - 1) / 2)
    return CameraPose(place.astype(np.float32), axes.astype(np.float32), focal, middle, size)
