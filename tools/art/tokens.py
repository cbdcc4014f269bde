"""Round tokens of wood, and golden stars."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from ray_renderer import Array, Body, Surface, Vector, Viewpoint, mix, smoothstep, srgb

from art.shapes import DEEP_BLUE, GOLD, draw_grain, draw_object, measure_disc, measure_star, smooth_max


def make_token(centre: Vector, turn: Array | None = None, radius: float = 1.0, colour: Array = DEEP_BLUE) -> Body:
    """Return a round token: pale wood with a hollow rim and a painted edge; its number is drawn by the stage."""
    height = 0.17 * radius

    def distance(p: Array) -> Array:
        plate = measure_disc(p, radius, height, 0.07 * radius)
        away = np.sqrt(p[:, 0] ** 2 + p[:, 2] ** 2)
        groove = np.sqrt((away - 0.79 * radius) ** 2 + (p[:, 1] - height) ** 2) - 0.045 * radius
        return smooth_max(plate, (-groove).astype(np.float32), 0.03 * radius)

    def paint(p: Array, normal: Array, view: Array) -> Surface:
        away = np.sqrt(p[:, 0] ** 2 + p[:, 2] ** 2) / radius
        wood = draw_grain(p / radius, srgb(245, 224, 186), srgb(225, 190, 140), 0.8)
        painted = smoothstep(0.775, 0.79, away)
        return Surface(mix(wood, colour, painted), normal, 0.18 + 0.4 * painted, 50)

    return Body(distance, paint, centre, np.eye(3, dtype=np.float32) if turn is None else turn, 1.04 * radius)


def make_star(centre: Vector, turn: Array | None = None, radius: float = 1.0, colour: Array = GOLD) -> Body:
    """Return a golden star with ridges from its middle to its tips."""

    def distance(p: Array) -> Array:
        flat = measure_star(p, radius, 0.5)
        roof = np.abs(p[:, 1]) - 0.16 * radius + np.maximum(flat, -0.6 * radius) * 0.34
        return (smooth_max(flat, (roof * 0.85).astype(np.float32), 0.07 * radius) - 0.035 * radius).astype(np.float32)

    def paint(p: Array, normal: Array, view: Array) -> Surface:
        return Surface(np.broadcast_to(colour, p.shape).copy(), normal, 0.85, 60, 0.5)

    return Body(distance, paint, centre, np.eye(3, dtype=np.float32) if turn is None else turn, 1.12 * radius)


def draw_token_art() -> npt.NDArray[np.uint8]:
    """Draw a token that lies on the table."""
    return draw_object(make_token((0, 0.17, 0)), camera=Viewpoint((0.06, 0.2, 0.06), 78, 2.5))


def draw_star_art() -> npt.NDArray[np.uint8]:
    """Draw a star that lies on the table."""
    return draw_object(make_star((0, 0.2, 0)), camera=Viewpoint((0.06, 0.2, 0.0), 76, 2.45))
