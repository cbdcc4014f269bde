"""Cards, face down or with a question mark."""

from __future__ import annotations

import numpy as np
from ray_renderer import Array, Body, Surface, Vector, mix, smoothstep, srgb

from art.shapes import GOLD, measure_plate, measure_star

CARD_ASPECT = 0.7
"""Width of a card in heights."""
CREAM = srgb(245, 236, 214)


def _cover_question_mark(x: Array, y: Array) -> Array:
    """Return where a question mark lies, 0 to 1, about 1.2 high around x = 0, y = 0."""
    angle = np.arctan2(y - 0.25, x)
    hook = np.where((angle > -0.7) & (angle < 3.0), np.abs(np.sqrt(x * x + (y - 0.25) ** 2) - 0.27), 9)
    bends = ((-0.27, 0.29), (-0.27, 0.27)), ((0.207, 0.076), (0.0, -0.1)), ((0.0, -0.1), (0.0, -0.22))
    stroke = hook - 0.088
    for (x0, y0), (x1, y1) in bends:
        dx, dy = x1 - x0, y1 - y0
        along = np.clip(((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy), 0, 1)
        bar = np.sqrt((x - x0 - along * dx) ** 2 + (y - y0 - along * dy) ** 2) - 0.088
        stroke = np.minimum(stroke, bar)
    dot = np.sqrt(x * x + (y + 0.5) ** 2) - 0.115
    return smoothstep(0.008, -0.008, np.minimum(stroke, dot).astype(np.float32))


def make_card(
    centre: Vector, turn: Array | None = None, size: float = 1.0, *, back: Array | None = None, asks: bool = False
) -> Body:
    """Return a card that lies on the table; `size` is half its height.

    Args:
        centre: where it lies.
        turn: how it is turned.
        size: half its height.
        back: colour of the back that it shows; None: its blank front.
        asks: a question mark stands on its front.
    """
    half = (CARD_ASPECT * size, 0.022 * size, size)

    def paint(p: Array, normal: Array, view: Array) -> Surface:
        u, v = p[:, 0] / size, -p[:, 2] / size
        flat = np.stack([u, np.zeros_like(u), v], axis=1).astype(np.float32)
        inside = smoothstep(0.004, -0.004, measure_plate(flat, (CARD_ASPECT - 0.085, 1, 0.915), 0.06, 0))
        colour = np.broadcast_to(CREAM, p.shape).copy()
        upper = (p[:, 1] > 0).astype(np.float32)
        if back is None:
            colour = mix(colour, srgb(222, 210, 184), inside * smoothstep(0.03, 0, np.abs(inside - 0.5)) * upper)
            if asks:
                colour = mix(colour, srgb(196, 40, 60), _cover_question_mark(u * 1.05, v * 1.05) * upper)
            return Surface(colour, normal, 0.22, 40)
        s, t = (u + v) * 7, (u - v) * 7
        lattice = np.minimum(np.abs(s - np.round(s)), np.abs(t - np.round(t)))
        dots = np.sqrt((s - np.floor(s) - 0.5) ** 2 + (t - np.floor(t) - 0.5) ** 2)
        pattern = mix(np.broadcast_to(back, p.shape), back * 1.9 + 0.03, smoothstep(0.09, 0.05, lattice))
        pattern = mix(pattern, GOLD, smoothstep(0.2, 0.15, dots))
        oval = np.sqrt((u / 0.36) ** 2 + (v / 0.36) ** 2)
        pattern = mix(pattern, GOLD, smoothstep(1.0, 0.97, oval))
        pattern = mix(pattern, back * 0.8, smoothstep(0.9, 0.87, oval))
        star = measure_star(np.stack([u, np.zeros_like(u), -v], axis=1).astype(np.float32), 0.26, 0.5)
        pattern = mix(pattern, GOLD, smoothstep(0.006, -0.006, star))
        return Surface(mix(colour, pattern, inside * upper), normal, 0.32, 60)

    plain = np.eye(3, dtype=np.float32) if turn is None else turn
    return Body(lambda p: measure_plate(p, half, 0.11 * size, 0.015 * size), paint, centre, plain, 1.24 * size)
