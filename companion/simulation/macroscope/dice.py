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

TRAY = (165.0, -48.0)
"""The tray's middle on the table, mm."""
TRAY_INNER = 72.0
"""Half the tray's inner width, mm."""
TRAY_FLOOR = 2.0
"""The felt's height above the table, mm."""

FACES = {1: (0, 0, 1), 2: (0, 1, 0), 3: (1, 0, 0), 4: (-1, 0, 0), 5: (0, -1, 0), 6: (0, 0, -1)}
"""Outward normals of a western die at rest with 1 up: opposite faces sum to 7; 1, 2, 3 run anticlockwise."""


class Fall(StrEnum):
    """How a die ends."""

    TRAY = "tray"  # flat on the felt
    COCKED = "cocked"  # leaning on the rim
    TABLE = "table"  # beside the tray, in view
    FLOOR = "floor"  # off the table, out of sight


@dataclass(frozen=True, slots=True, eq=False)
class DiePose:
    """A die's middle, mm, and its rotation (3x3, applied to the die lying with 1 up)."""

    middle: tuple[float, float, float]
    rotation: Matrix


def about(axis: npt.ArrayLike, degrees: float) -> Matrix:
    """Rotation by `degrees` about `axis` (Rodrigues)."""
    x, y, z = np.asarray(axis, dtype=np.float64) / np.linalg.norm(axis)
    a = math.radians(degrees)
    k = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    rotation: Matrix = np.eye(3) + math.sin(a) * k + (1.0 - math.cos(a)) * (k @ k)
    return rotation


def face_up(value: int, yaw: float) -> Matrix:
    """The rotation of a die that lies flat with `value` up, turned by `yaw` degrees."""
    normal = np.array(FACES[value], dtype=np.float64)
    up = np.array([0.0, 0.0, 1.0])
    axis = np.cross(normal, up)
    if not axis.any():
        axis = np.array([1.0, 0.0, 0.0])
    return about(up, yaw) @ about(axis, math.degrees(math.acos(float(normal @ up))))


def support(rotation: Matrix, size: float) -> float:
    """How high the middle of a die in this rotation stands over what it touches, mm (rounded corners)."""
    rounding = 0.16 * size
    return float((size / 2 - rounding) * np.abs(rotation[2]).sum() + rounding)


@dataclass(frozen=True, slots=True, eq=False)
class Throw:
    """One die's way: it lands at `rest` after `seconds`, having come from direction `heading` (radians)."""

    value: int
    fall: Fall
    size: float
    start: float
    seconds: float
    rest: tuple[float, float]
    rotation: Matrix
    heading: float
    distance: float
    turns: float

    @property
    def end(self) -> float:
        """When it has come to rest."""
        return self.start + self.seconds

    def from_hand(self, at: float) -> Throw:
        """The same way, begun at `at`."""
        return replace(self, start=at)

    def pose(self, now: float) -> DiePose | None:
        """Where it is; None before it leaves the hand, and once it has fallen to the floor."""
        if now < self.start or (self.fall is Fall.FLOOR and now >= self.end):
            return None
        left = max(0.0, 1.0 - (now - self.start) / self.seconds) ** 2
        x = self.rest[0] - math.cos(self.heading) * self.distance * left
        y = self.rest[1] - math.sin(self.heading) * self.distance * left
        if self.fall in (Fall.TRAY, Fall.COCKED):
            room = TRAY_INNER - 0.7 * self.size
            x, y = _fold(x, TRAY[0], room, self.rest[0]), _fold(y, TRAY[1], room, self.rest[1])
        rolling = about((-math.sin(self.heading), math.cos(self.heading), 0.0), -360.0 * self.turns * left)
        rotation = rolling @ self.rotation
        ground = 0.0 if self.fall is Fall.TABLE else TRAY_FLOOR
        bounce = 40.0 * left * abs(math.cos(9.0 * left))
        return DiePose((x, y, ground + support(rotation, self.size) + bounce), rotation)


def _fold(value: float, middle: float, room: float, rest: float) -> float:
    """Reflects a straight way at the tray's walls; a rest nearer to the wall than `room` widens it."""
    room = max(room, abs(rest - middle))
    period = 4.0 * room
    offset = (value - middle + room) % period
    return middle - room + (offset if offset <= 2.0 * room else period - offset)


def throw(
    values: Sequence[int], size: float, rng: random.Random, falls: Sequence[Fall] | None = None
) -> tuple[Throw, ...]:
    """Ways for dice that end with `values` up, apart from each other; `falls` (default: all in the tray) by die."""
    heading = rng.uniform(-2.4, -0.7)
    thrown: list[Throw] = []
    for value, fall in zip(values, falls or [Fall.TRAY] * len(values), strict=True):
        yaw = rng.uniform(0.0, 360.0)
        rest, rotation = _rest(fall, size, rng, face_up(value, yaw), [other.rest for other in thrown])
        thrown.append(
            Throw(
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


def _rest(
    fall: Fall, size: float, rng: random.Random, flat: Matrix, others: Sequence[tuple[float, float]]
) -> tuple[tuple[float, float], Matrix]:
    room = TRAY_INNER - 0.8 * size
    while True:
        along = rng.uniform(-room, room)
        if fall is Fall.TRAY:
            rest, rotation = (TRAY[0] + rng.uniform(-room, room), TRAY[1] + along), flat
        elif fall is Fall.COCKED:
            # One edge stands on the felt, the opposite side leans on the right wall.
            rest = (TRAY[0] + TRAY_INNER - 0.66 * size, TRAY[1] + along)
            rotation = about((0.0, 1.0, 0.0), -rng.uniform(24.0, 36.0)) @ flat
        else:
            rest, rotation = (TRAY[0] + TRAY_INNER + 40.0, TRAY[1] + along), flat
        if all(math.dist(rest, other) > 1.5 * size for other in others):
            return rest, rotation
