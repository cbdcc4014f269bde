"""The dice tray beside the Macroscope's lid, and throws into it."""

import math
import random
from collections.abc import Sequence

from companion.simulation.dice_throws import DieThrow, LandingPlace, Matrix, SimulatedTray, rotate_about, turn_face_up

TRAY_CENTER_MM = (165.0, -48.0)
"""Centre of the dice tray on the table in mm."""
TRAY_HALF_WIDTH_MM = 72.0
"""Half the inner width of the square tray in mm; the larger, the farther apart the dice come to rest."""
MACROSCOPE_TRAY = SimulatedTray(TRAY_CENTER_MM, (TRAY_HALF_WIDTH_MM, TRAY_HALF_WIDTH_MM))
"""The tray beside the Macroscope's lid."""


def throw_dice(
    values: Sequence[int], size: float, rng: random.Random, landing_places: Sequence[LandingPlace] | None = None
) -> tuple[DieThrow, ...]:
    """Create throws, started at 0 seconds, of dice that come to rest apart from each other.

    Args:
        values: the upper face of each die at rest, 1 to 6.
        size: edge length of the dice in mm.
        rng: random generator for paths and resting places.
        landing_places: the landing place of each die; None: all land in the tray.

    Raises:
        ValueError: There are more or fewer landing places than values.
    """
    heading = rng.uniform(-2.4, -0.7)
    thrown: list[DieThrow] = []
    for value, landing_place in zip(values, landing_places or [LandingPlace.TRAY] * len(values), strict=True):
        yaw = rng.uniform(0.0, 360.0)
        rest, rotation = _choose_rest(
            landing_place, size, rng, turn_face_up(value, yaw), [other.rest_position for other in thrown]
        )
        thrown.append(
            DieThrow(
                value,
                landing_place,
                size,
                0.0,
                rng.uniform(0.6, 1.2),
                rest,
                rotation,
                heading + rng.uniform(-0.35, 0.35),
                rng.uniform(110.0, 220.0),
                rng.uniform(1.5, 3.0),
                MACROSCOPE_TRAY,
            )
        )
    return tuple(thrown)


def _choose_rest(
    landing_place: LandingPlace, size: float, rng: random.Random, flat: Matrix, others: Sequence[tuple[float, float]]
) -> tuple[tuple[float, float], Matrix]:
    """Choose the place (mm) and rotation of a die at rest, more than 1.5 edges from the dice at `others`."""
    half_range = TRAY_HALF_WIDTH_MM - 0.8 * size
    while True:
        along = rng.uniform(-half_range, half_range)
        if landing_place is LandingPlace.TRAY:
            rest, rotation = (TRAY_CENTER_MM[0] + rng.uniform(-half_range, half_range), TRAY_CENTER_MM[1] + along), flat
        elif landing_place is LandingPlace.COCKED:
            # One edge stands on the felt, the opposite side leans on the right wall.
            rest = (TRAY_CENTER_MM[0] + TRAY_HALF_WIDTH_MM - 0.66 * size, TRAY_CENTER_MM[1] + along)
            rotation = rotate_about((0.0, 1.0, 0.0), -rng.uniform(24.0, 36.0)) @ flat
        else:
            rest, rotation = (TRAY_CENTER_MM[0] + TRAY_HALF_WIDTH_MM + 40.0, TRAY_CENTER_MM[1] + along), flat
        if all(math.dist(rest, other) > 1.5 * size for other in others):
            return rest, rotation
