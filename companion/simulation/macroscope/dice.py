"""Dice that fly, bounce off the tray's walls, tumble and come to rest: each pose is a function of the time alone."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
import numpy.typing as npt

Matrix = npt.NDArray[np.float64]

TRAY_CENTER_MM = (165.0, -48.0)
"""The tray's middle on the table, mm."""
TRAY_HALF_WIDTH_MM = 72.0
"""Half the tray's inner width, mm."""
TRAY_FLOOR_MM = 2.0
"""The felt's height above the table, mm."""

FACE_NORMALS = {1: (0, 0, 1), 2: (0, 1, 0), 3: (1, 0, 0), 4: (-1, 0, 0), 5: (0, -1, 0), 6: (0, 0, -1)}
"""Outward normals of a western die at rest with 1 up: opposite faces sum to 7; 1, 2, 3 run anticlockwise."""


class LandingPlace(StrEnum):
    """How a die ends."""

    TRAY = "tray"  # flat on the felt
    COCKED = "cocked"  # leaning on the rim
    TABLE = "table"  # beside the tray, in view
    FLOOR = "floor"  # off the table, out of sight


@dataclass(frozen=True, slots=True, eq=False)
class DiePose:
    """A die's middle, mm, and its rotation (3x3, applied to the die lying with 1 up)."""

    center: tuple[float, float, float]
    rotation: Matrix


def rotate_about(axis: npt.ArrayLike, degrees: float) -> Matrix:
    """Rotation by `degrees` about `axis` (Rodrigues)."""
    x, y, z = np.asarray(axis, dtype=np.float64) / np.linalg.norm(axis)
    a = math.radians(degrees)
    k = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    rotation: Matrix = np.eye(3) + math.sin(a) * k + (1.0 - math.cos(a)) * (k @ k)
    return rotation


def turn_face_up(value: int, yaw: float) -> Matrix:
    """The rotation of a die that lies flat with `value` up, turned by `yaw` degrees."""
    normal = np.array(FACE_NORMALS[value], dtype=np.float64)
    up = np.array([0.0, 0.0, 1.0])
    axis = np.cross(normal, up)
    if not axis.any():
        axis = np.array([1.0, 0.0, 0.0])
    return rotate_about(up, yaw) @ rotate_about(axis, math.degrees(math.acos(float(normal @ up))))


def compute_rest_height(rotation: Matrix, size: float) -> float:
    """How high the middle of a die in this rotation stands over what it touches, mm (rounded corners)."""
    rounding = 0.16 * size
    return float((size / 2 - rounding) * np.abs(rotation[2]).sum() + rounding)


@dataclass(frozen=True, slots=True, eq=False)
class DieThrow:
    """One die's way: it lands at `rest` after `seconds`, having come from direction `heading` (radians)."""

    value: int
    landing_place: LandingPlace
    size: float
    started_at: float
    duration_seconds: float
    rest_position: tuple[float, float]
    rotation: Matrix
    heading_rad: float
    distance: float
    turns: float

    @property
    def ended_at(self) -> float:
        """When it has come to rest."""
        return self.started_at + self.duration_seconds

    def from_hand(self, at: float) -> DieThrow:
        """The same way, begun at `at`."""
        return replace(self, started_at=at)

    def compute_pose(self, now: float) -> DiePose | None:
        """Where it is; None before it leaves the hand, and once it has fallen to the floor."""
        if now < self.started_at or (self.landing_place is LandingPlace.FLOOR and now >= self.ended_at):
            return None
        left = max(0.0, 1.0 - (now - self.started_at) / self.duration_seconds) ** 2
        x = self.rest_position[0] - math.cos(self.heading_rad) * self.distance * left
        y = self.rest_position[1] - math.sin(self.heading_rad) * self.distance * left
        if self.landing_place in (LandingPlace.TRAY, LandingPlace.COCKED):
            room = TRAY_HALF_WIDTH_MM - 0.7 * self.size
            x, y = (
                _reflect(x, TRAY_CENTER_MM[0], room, self.rest_position[0]),
                _reflect(y, TRAY_CENTER_MM[1], room, self.rest_position[1]),
            )
        rolling = rotate_about(
            (-math.sin(self.heading_rad), math.cos(self.heading_rad), 0.0), -360.0 * self.turns * left
        )
        rotation = rolling @ self.rotation
        ground = 0.0 if self.landing_place is LandingPlace.TABLE else TRAY_FLOOR_MM
        bounce = 40.0 * left * abs(math.cos(9.0 * left))
        return DiePose((x, y, ground + compute_rest_height(rotation, self.size) + bounce), rotation)


def _reflect(value: float, middle: float, room: float, rest: float) -> float:
    """Reflects a straight way at the tray's walls; a rest nearer to the wall than `room` widens it."""
    room = max(room, abs(rest - middle))
    period = 4.0 * room
    offset = (value - middle + room) % period
    return middle - room + (offset if offset <= 2.0 * room else period - offset)


def throw_dice(
    values: Sequence[int], size: float, rng: random.Random, landing_places: Sequence[LandingPlace] | None = None
) -> tuple[DieThrow, ...]:
    """Ways for dice that end with `values` up, apart from each other; `falls` (default: all in the tray) by die."""
    heading = rng.uniform(-2.4, -0.7)
    thrown: list[DieThrow] = []
    for value, fall in zip(values, landing_places or [LandingPlace.TRAY] * len(values), strict=True):
        yaw = rng.uniform(0.0, 360.0)
        rest, rotation = _choose_rest(
            fall, size, rng, turn_face_up(value, yaw), [other.rest_position for other in thrown]
        )
        thrown.append(
            DieThrow(
                value,
                fall,
                size,
                0.0,
                rng.uniform(0.6, 1.2),
                rest,
                rotation,
                heading + rng.uniform(-0.35, 0.35),
                rng.uniform(110.0, 220.0),
                rng.uniform(1.5, 3.0),
            )
        )
    return tuple(thrown)


def _choose_rest(
    fall: LandingPlace, size: float, rng: random.Random, flat: Matrix, others: Sequence[tuple[float, float]]
) -> tuple[tuple[float, float], Matrix]:
    room = TRAY_HALF_WIDTH_MM - 0.8 * size
    while True:
        along = rng.uniform(-room, room)
        if fall is LandingPlace.TRAY:
            rest, rotation = (TRAY_CENTER_MM[0] + rng.uniform(-room, room), TRAY_CENTER_MM[1] + along), flat
        elif fall is LandingPlace.COCKED:
            # One edge stands on the felt, the opposite side leans on the right wall.
            rest = (TRAY_CENTER_MM[0] + TRAY_HALF_WIDTH_MM - 0.66 * size, TRAY_CENTER_MM[1] + along)
            rotation = rotate_about((0.0, 1.0, 0.0), -rng.uniform(24.0, 36.0)) @ flat
        else:
            rest, rotation = (TRAY_CENTER_MM[0] + TRAY_HALF_WIDTH_MM + 40.0, TRAY_CENTER_MM[1] + along), flat
        if all(math.dist(rest, other) > 1.5 * size for other in others):
            return rest, rotation
