"""Where many dice come to rest in a tray: beside each other, some of them touching, never one inside another."""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

from companion.simulation.actions import ImpossibleAction
from companion.simulation.dice import SimulatedTray

TOUCHING_SHARE = 0.25
"""Probability, 0 to 1, that a die comes to rest against another one, where there is one."""
_TOUCHING_GAP_MM = 0.3
"""Gap in mm between dice that touch; the larger, the easier they are told apart."""
_MIN_GAP_MM = 0.8
"""Least gap in mm between other dice."""
_MAX_TRIES = 400
"""Attempts to find a place; the more, the fuller a tray may be."""


class FullTray(ImpossibleAction):
    """No place was found for a die: the tray is too full."""


@dataclass(frozen=True, slots=True)
class Footprint:
    """The square in mm on which a die lies: centre, edge length and its turn in degrees."""

    center: tuple[float, float]
    size_mm: float
    yaw_deg: float

    def distance_to(self, other: "Footprint") -> float:
        """Return a gap in mm along the best separating axis of the two squares; negative: they overlap.

        Source: C. Ericson, "Real-Time Collision Detection" (2005), section 5.2.1 (separating axes).
        """
        best = -math.inf
        dx, dy = other.center[0] - self.center[0], other.center[1] - self.center[1]
        for yaw in (self.yaw_deg, self.yaw_deg + 90, other.yaw_deg, other.yaw_deg + 90):
            a = math.radians(yaw)
            reach = sum(
                square.size_mm / 2 * (abs(math.cos(a - b)) + abs(math.sin(a - b)))
                for square in (self, other)
                for b in (math.radians(square.yaw_deg),)
            )
            best = max(best, abs(dx * math.cos(a) + dy * math.sin(a)) - reach)
        return best


def find_place(
    size_mm: float, yaw_deg: float, others: Sequence[Footprint], tray: SimulatedTray, rng: random.Random
) -> Footprint:
    """Find a free place for a die in a tray, now and then right against another die.

    Args:
        size_mm: edge length of the die.
        yaw_deg: its turn.
        others: dice that lie there.
        tray: the tray; the die lies wholly inside it.
        rng: random generator for the place.

    Raises:
        FullTray: no free place was found.
    """
    margin = 0.75 * size_mm
    half = tray.half_size[0] - margin, tray.half_size[1] - margin
    touching = bool(others) and rng.random() < TOUCHING_SHARE
    for attempt in range(_MAX_TRIES):
        if touching and attempt < _MAX_TRIES // 4:
            found = _slide_against(rng.choice(others), size_mm, yaw_deg, rng.uniform(0.0, math.tau))
            gap = 0.5 * _TOUCHING_GAP_MM
        else:
            x, y = (middle + rng.uniform(-h, h) for middle, h in zip(tray.center, half, strict=True))
            found, gap = Footprint((x, y), size_mm, yaw_deg), _MIN_GAP_MM
        inside = all(abs(v - m) <= h for v, m, h in zip(found.center, tray.center, half, strict=True))
        if inside and all(found.distance_to(other) >= gap for other in others):
            return found
    raise FullTray(f"{len(others)} dice of {size_mm:.0f} mm leave no place in the tray")


def _slide_against(other: Footprint, size_mm: float, yaw_deg: float, direction_rad: float) -> Footprint:
    """Return the place at which a die that comes from a direction touches another one."""
    near, far = 0.0, 3.0 * size_mm
    for _ in range(20):
        middle = (near + far) / 2
        x = other.center[0] + middle * math.cos(direction_rad)
        y = other.center[1] + middle * math.sin(direction_rad)
        if Footprint((x, y), size_mm, yaw_deg).distance_to(other) < _TOUCHING_GAP_MM:
            near = middle
        else:
            far = middle
    x, y = (v + far * d for v, d in zip(other.center, (math.cos(direction_rad), math.sin(direction_rad)), strict=True))
    return Footprint((x, y), size_mm, yaw_deg)
