"""The pinhole camera over a simulated table.

Table coordinates are in mm: the origin lies on the table in the middle of the picture, x points to the right, y down in
the picture, and z up towards the camera.
"""

import math
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt

Point = tuple[float, float]
FrameArea = tuple[float, float, float, float]
"""Left, top, width and height of a part of a frame, in pixels of the frame."""
Matrix = npt.NDArray[np.float64]

FRAME_SIZE_PX = (1280, 720)
"""Width and height of a frame in pixels."""


@dataclass(frozen=True, slots=True)
class Optics:
    """A pinhole camera that looks at the table's middle."""

    tilt_deg: float = 4.0
    """Angle to the vertical in degrees; with a larger tilt the camera moves towards the lower edge of the picture."""
    roll_deg: float = 0.0
    """Rotation of the camera about its own axis in degrees."""
    height_mm: float = 700.0
    """Distance of the pinhole from the table's middle in mm; the larger, the smaller the table in the picture."""
    focal_px: float = 1400.0
    """Focal length in pixels; the larger, the larger the table in the picture."""
    size_px: tuple[int, int] = FRAME_SIZE_PX
    """Width and height of the picture."""
    center_px: Point = (FRAME_SIZE_PX[0] / 2, FRAME_SIZE_PX[1] / 2)
    """The pixel on the axis of view."""
    zoom: float = 1.0
    """Size of things in this picture divided by their size in the frame that it is a part of (see `crop`)."""

    def crop(self, box: FrameArea, zoom: float) -> "Optics":
        """Return the camera that sees a part of this one's frame, enlarged.

        >>> Optics().crop((320, 180, 640, 360), 3.0).size_px
        (1920, 1080)

        Args:
            box: the part; it may exceed the frame.
            zoom: the factor by which it is enlarged.
        """
        left, top, width, height = box
        # Pixel centres are whole numbers: half a pixel of this frame is half a pixel at any zoom.
        x, y = (zoom * (c - edge + 0.5) - 0.5 for c, edge in zip(self.center_px, (left, top), strict=True))
        return replace(
            self,
            focal_px=zoom * self.focal_px,
            size_px=(round(zoom * width), round(zoom * height)),
            center_px=(x, y),
            zoom=zoom * self.zoom,
        )

    def find_area(self, points: npt.ArrayLike) -> FrameArea:
        """Return the smallest part of the frame with whole pixels in which table points, (n, 3) in mm, lie."""
        pixels = self.project(points)
        (x0, y0), (x1, y1) = np.floor(pixels.min(axis=0)), np.ceil(pixels.max(axis=0))
        return float(x0), float(y0), float(x1 - x0), float(y1 - y0)

    def find_square(self, center: Point, half: float, height: float) -> FrameArea:
        """Return the part of the frame with a square of the table; all lengths in mm."""
        (x, y) = center
        return self.find_area([(x + a, y + b, height) for a in (-half, half) for b in (-half, half)])

    @property
    def position(self) -> npt.NDArray[np.float64]:
        """Position of the pinhole in mm, shape (3,)."""
        t = math.radians(self.tilt_deg)
        return self.height_mm * np.array([0.0, math.sin(t), math.cos(t)])

    @property
    def axes(self) -> Matrix:
        """Directions of the picture's x, of its y, and of view, as the rows of an orthonormal (3, 3) matrix."""
        t, r = math.radians(self.tilt_deg), math.radians(self.roll_deg)
        right = np.array([1.0, 0.0, 0.0])
        down = np.array([0.0, math.cos(t), -math.sin(t)])
        forward = np.array([0.0, -math.sin(t), -math.cos(t)])
        c, s = math.cos(r), math.sin(r)
        return np.array([c * right + s * down, -s * right + c * down, forward])

    def projection_matrix(self) -> Matrix:
        """Return the (3, 4) projection matrix from homogeneous table coordinates in mm to homogeneous pixels."""
        return _projection(self)

    def plane_homography(self, z: float) -> Matrix:
        """Return the (3, 3) homography from mm on the plane at the height `z`, in mm, to pixels."""
        m = self.projection_matrix()
        return np.column_stack([m[:, 0], m[:, 1], m[:, 2] * z + m[:, 3]])

    def project(self, points: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Project table points, (n, 3) in mm, to pixels, (n, 2)."""
        p = (
            np.asarray(points, dtype=np.float64).reshape(-1, 3) @ self.projection_matrix()[:, :3].T
            + self.projection_matrix()[:, 3]
        )
        pixels: npt.NDArray[np.float64] = p[:, :2] / p[:, 2:]
        return pixels

    def to_table(self, pixel: Point, z: float = 0.0) -> Point:
        """Return the point in mm that is seen at `pixel` on the plane at the height `z`, in mm."""
        p = np.linalg.solve(self.plane_homography(z), np.array([pixel[0], pixel[1], 1.0]))
        return float(p[0] / p[2]), float(p[1] / p[2])


@lru_cache(maxsize=16)
def _projection(optics: Optics) -> Matrix:
    axes, (x, y) = optics.axes, optics.center_px
    k = np.array([[optics.focal_px, 0.0, x], [0.0, optics.focal_px, y], [0.0, 0.0, 1.0]])
    projection: Matrix = k @ np.column_stack([axes, -axes @ optics.position])
    return projection
