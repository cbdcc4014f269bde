"""Simulated throws of dice: each die's pose is a function of time alone, from the hand to its resting place."""

import math
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
import numpy.typing as npt

Matrix = npt.NDArray[np.float64]

TRAY_FLOOR_MM = 2.0
"""Height of the tray's felt above the table in mm."""


@dataclass(frozen=True, slots=True)
class SimulatedTray:
    """Place and size of a dice tray on a simulated table, in mm."""

    center: tuple[float, float]
    """Its centre."""
    half_size: tuple[float, float]
    """Half its inner width and depth; the larger, the farther apart dice come to rest."""

    def contains(self, point: tuple[float, float], margin: float = 0.0) -> bool:
        """Return whether a point of the table lies in the tray, or at most `margin` mm outside."""
        return all(
            abs(value - middle) <= half + margin
            for value, middle, half in zip(point, self.center, self.half_size, strict=True)
        )


FACE_NORMALS = {1: (0, 0, 1), 2: (0, 1, 0), 3: (1, 0, 0), 4: (-1, 0, 0), 5: (0, -1, 0), 6: (0, 0, -1)}
"""Outward normals of the faces of a western die with 1 up: opposite faces sum to 7; 1, 2, 3 run anticlockwise."""


class LandingPlace(StrEnum):
    """Where and how a die comes to rest."""

    TRAY = "tray"  # flat on the felt
    COCKED = "cocked"  # leaning on the rim
    TABLE = "table"  # beside the tray, in view
    FLOOR = "floor"  # off the table, out of sight


@dataclass(frozen=True, slots=True, eq=False)
class DiePose:
    """Position and rotation of a die."""

    center: tuple[float, float, float]
    """Centre in mm."""
    rotation: Matrix
    """(3, 3), applied to a die that lies with 1 up."""


def rotate_about(axis: npt.ArrayLike, degrees: float) -> Matrix:
    """Compute the (3, 3) rotation by `degrees` about `axis`, of any length (Rodrigues' formula)."""
    x, y, z = np.asarray(axis, dtype=np.float64) / np.linalg.norm(axis)
    a = math.radians(degrees)
    k = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    rotation: Matrix = np.eye(3) + math.sin(a) * k + (1.0 - math.cos(a)) * (k @ k)
    return rotation


def turn_face_up(value: int, yaw: float) -> Matrix:
    """Compute the (3, 3) rotation of a die that lies flat with `value` up, turned by `yaw` degrees."""
    normal = np.array(FACE_NORMALS[value], dtype=np.float64)
    up = np.array([0.0, 0.0, 1.0])
    axis = np.cross(normal, up)
    if not axis.any():
        axis = np.array([1.0, 0.0, 0.0])
    return rotate_about(up, yaw) @ rotate_about(axis, math.degrees(math.acos(float(normal @ up))))


def compute_rest_height(rotation: Matrix, size: float) -> float:
    """Compute the height in mm of a die's centre above the surface that it touches; `size` is its edge in mm.

    Its corners and edges are rounded by 0.16 of the edge.
    """
    rounding = 0.16 * size
    return float((size / 2 - rounding) * np.abs(rotation[2]).sum() + rounding)


@dataclass(frozen=True, slots=True, eq=False)
class DieThrow:
    """The path of one die from the hand to its resting place."""

    value: int
    """The upper face at rest, 1 to 6."""
    landing_place: LandingPlace
    size_mm: float
    """Edge length in mm."""
    started_at: float
    """When it leaves the hand, in seconds."""
    duration_seconds: float
    rest_position: tuple[float, float]
    """Where it comes to rest on the table, in mm."""
    rotation: Matrix
    """(3, 3), at rest."""
    heading_rad: float
    """Direction of motion on the table in radians, clockwise in the picture from the x axis."""
    distance_mm: float
    """Length of the path on the table in mm; the larger, the faster the die."""
    turns: float
    """Number of full rotations on the way."""
    tray: SimulatedTray
    """The tray whose walls reflect it."""

    @property
    def ended_at(self) -> float:
        """When it comes to rest, in seconds."""
        return self.started_at + self.duration_seconds

    def from_hand(self, at: float) -> "DieThrow":
        """Return the same throw, started at the time `at`, in seconds."""
        return replace(self, started_at=at)

    def compute_pose(self, now: float) -> DiePose | None:
        """Compute the pose at `now`, in seconds; None before the die leaves the hand and once it is on the floor."""
        if now < self.started_at or (self.landing_place is LandingPlace.FLOOR and now >= self.ended_at):
            return None
        remaining = max(0.0, 1.0 - (now - self.started_at) / self.duration_seconds) ** 2
        x = self.rest_position[0] - math.cos(self.heading_rad) * self.distance_mm * remaining
        y = self.rest_position[1] - math.sin(self.heading_rad) * self.distance_mm * remaining
        if self.landing_place in (LandingPlace.TRAY, LandingPlace.COCKED):
            x, y = (
                _reflect(value, middle, half - 0.7 * self.size_mm, rest)
                for value, middle, half, rest in zip(
                    (x, y), self.tray.center, self.tray.half_size, self.rest_position, strict=True
                )
            )
        rolling = rotate_about(
            (-math.sin(self.heading_rad), math.cos(self.heading_rad), 0.0), -360.0 * self.turns * remaining
        )
        rotation = rolling @ self.rotation
        ground = 0.0 if self.landing_place is LandingPlace.TABLE else TRAY_FLOOR_MM
        bounce = 40.0 * remaining * abs(math.cos(9.0 * remaining))
        return DiePose((x, y, ground + compute_rest_height(rotation, self.size_mm) + bounce), rotation)


def _reflect(value: float, middle: float, half_range: float, rest: float) -> float:
    """Reflect a coordinate of a straight path at the tray's walls, all in mm.

    Args:
        value: the coordinate without walls.
        middle: the tray's centre.
        half_range: largest distance from the centre; widened if the die rests nearer to the wall.
        rest: the coordinate at rest.
    """
    half_range = max(half_range, abs(rest - middle))
    period = 4.0 * half_range
    offset = (value - middle + half_range) % period
    return middle - half_range + (offset if offset <= 2.0 * half_range else period - offset)
