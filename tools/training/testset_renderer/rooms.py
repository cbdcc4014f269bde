"""Random light: ceiling lamps, desk lamps, windows, a flash; walls that reflect light."""

from __future__ import annotations

import numpy as np
from ray_tracer.camera import Array
from ray_tracer.light import Room, make_lamp

Rng = np.random.Generator


def _point_at(azimuth: float, elevation: float, distance: float) -> Array:
    c = np.cos(elevation)
    return np.array([c * np.cos(azimuth), c * np.sin(azimuth), np.sin(elevation)], np.float32) * distance


def random_room(rng: Rng, floor: Array, spots: int = 25, soft: bool = False) -> Room:
    """Draw one or two lamps and their surroundings.

    `floor` is the table's mean albedo. `soft` leaves out small, low lamps.
    """
    share = rng.uniform(0.45, 0.85)
    warm = float(rng.normal(0.08, 0.12))
    kind = rng.choice(["ceiling", "desk", "window", "near"], p=[0.5, 0.1, 0.3, 0.1] if soft else [0.35, 0.2, 0.3, 0.15])
    around = float(rng.uniform(0, 2 * np.pi))
    if kind == "ceiling":
        first = make_lamp(
            rng, _point_at(around, rng.uniform(0.75, 1.45), 2000), rng.uniform(120, 900), share, warm, spots
        )
    elif kind == "desk":
        first = make_lamp(
            rng, _point_at(around, rng.uniform(0.6, 1.2), 650), rng.uniform(25, 130), share, warm + 0.12, spots
        )
    elif kind == "window":
        first = make_lamp(
            rng, _point_at(around, rng.uniform(0.35, 0.8), 2200), rng.uniform(700, 1500), share, warm - 0.2, spots
        )
    else:
        first = make_lamp(
            rng, _point_at(around, rng.uniform(1.2, 1.5), 700), rng.uniform(15, 90), share * 0.8, warm, spots
        )
    lamps = [first]
    if rng.random() < 0.45:
        more = _point_at(around + rng.uniform(1, 5), rng.uniform(0.5, 1.3), 1800)
        power = share * rng.uniform(0.15, 0.6)
        lamps.append(make_lamp(rng, more, rng.uniform(200, 1000), power, float(rng.normal(0, 0.2)), max(9, spots // 2)))
    rest = max(0.12, 1.0 - share) * rng.uniform(0.8, 1.3)
    tone = np.array([np.exp(-warm * 0.5), 1.0, np.exp(warm * 0.5)])
    lobes = np.stack([_point_at(rng.uniform(0, 6.3), rng.uniform(0.15, 1.4), 1.0) for _ in range(4)])
    return Room(
        lamps=tuple(lamps),
        above=(tone * rest * rng.uniform(0.8, 1.3)).astype(np.float32),
        aside=(tone * rest * rng.uniform(0.3, 0.9)).astype(np.float32),
        lobes=lobes.astype(np.float32),
        glare=(rng.uniform(0, 2.2, 4) ** 2).astype(np.float32),
        floor=(floor * rng.uniform(0.5, 0.9)).astype(np.float32),
    )
