"""Random light: ceiling lamps, desk lamps, windows, a flash; walls that reflect light."""

from __future__ import annotations

import numpy as np

from testset_renderer.camera import Array
from testset_renderer.light import AreaLamp, Room
from testset_renderer.shapes import normalize

Rng = np.random.Generator


def make_lamp(rng: Rng, at: Array, size: float, power: float, warm: float, spots: int) -> AreaLamp:
    """Create a square lamp of `size` mm that faces the table's middle; its spots are spread evenly."""
    # The R2 sequence (M. Roberts, 2018): no two spots in a row or column, or tall things' shadows show the steps.
    cell = (rng.random(2) + np.arange(1, spots + 1)[:, None] * np.array([0.7548776662, 0.5698402910])) % 1 - 0.5
    way = normalize(np.asarray(-at, np.float32))
    right = normalize(np.cross(way, np.array([0.2, 1.0, 0.1], np.float32)))
    down = np.cross(way, right)
    places = at + size * (cell[:, :1] * right + cell[:, 1:] * down)
    places[:, 2] = np.maximum(places[:, 2], 60.0)
    color = np.array([np.exp(-warm), 1.0, np.exp(warm)], np.float32)
    return AreaLamp(places.astype(np.float32), (color * power).astype(np.float32))


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
