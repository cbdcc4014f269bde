"""Digits 1 to 6 as a broad pen writes them: shapes of numerals in no font that anything was trained on."""

from __future__ import annotations

from itertools import pairwise

import cv2
import numpy as np
from ray_tracer.camera import Array

Rng = np.random.Generator
_Path = list[tuple[float, float]]

_BOWL: _Path = [(0.08, 0.45), (0.28, 0.38), (0.5, 0.46), (0.58, 0.68), (0.48, 0.92), (0.26, 1.0), (0.04, 0.92)]
_BELLY: _Path = [(0.27, 0.45), (0.49, 0.53), (0.57, 0.72), (0.47, 0.94), (0.25, 1.0), (0.04, 0.9)]

# Strokes: ("line" through corners or "curve" through points, path); x 0 to 0.6, y down 0 to 1.
_SHAPES: dict[int, list[list[tuple[str, _Path]]]] = {
    1: [
        [("line", [(0.12, 0.24), (0.36, 0.0), (0.36, 1.0)])],
        [("line", [(0.1, 0.22), (0.32, 0.0), (0.32, 1.0)]), ("line", [(0.06, 1.0), (0.58, 1.0)])],
    ],
    2: [
        [
            ("curve", [(0.05, 0.24), (0.15, 0.05), (0.33, 0.0), (0.52, 0.1), (0.55, 0.28), (0.45, 0.48), (0.03, 1.0)]),
            ("line", [(0.03, 1.0), (0.58, 1.0)]),
        ],
    ],
    3: [
        [
            ("curve", [(0.06, 0.1), (0.25, 0.0), (0.47, 0.05), (0.54, 0.22), (0.46, 0.4), (0.27, 0.45)]),
            ("curve", _BELLY),
        ],
        [("line", [(0.05, 0.0), (0.54, 0.0), (0.27, 0.42)]), ("curve", _BELLY)],
    ],
    4: [
        [("line", [(0.6, 0.7), (0.02, 0.7), (0.42, 0.0), (0.42, 1.0)])],
        [("line", [(0.16, 0.0), (0.04, 0.6), (0.6, 0.6)]), ("line", [(0.44, 0.3), (0.44, 1.0)])],
    ],
    5: [[("line", [(0.54, 0.0), (0.13, 0.0), (0.08, 0.45)]), ("curve", _BOWL)]],
    6: [
        [
            ("curve", [(0.5, 0.03), (0.27, 0.14), (0.09, 0.42), (0.04, 0.7), (0.13, 0.93), (0.31, 1.0), (0.5, 0.92)]),
            ("curve", [(0.5, 0.92), (0.57, 0.7), (0.48, 0.5), (0.31, 0.44), (0.13, 0.51), (0.05, 0.68)]),
        ],
    ],
}


def _smooth(path: _Path, curved: bool) -> Array:
    """Points close together on the way (Catmull-Rom through the points, or straight)."""
    p = np.array(path, np.float32)
    t = np.linspace(0, 1, 40, endpoint=False)[:, None]
    if not curved:
        return np.concatenate([a + (b - a) * t for a, b in pairwise(p)] + [p[-1:]])
    q = np.concatenate([2 * p[:1] - p[1:2], p, 2 * p[-1:] - p[-2:-1]])
    out = []
    for a, b, c, d in zip(q[:-3], q[1:-2], q[2:-1], q[3:], strict=True):
        bend = 2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3
        out.append(0.5 * bend)
    return np.concatenate([*out, p[-1:]])


class Handwriting:
    """One way of writing, the same for all digits of a set of tokens."""

    def __init__(self, rng: Rng) -> None:
        self.pick = {d: int(rng.integers(len(shapes))) for d, shapes in _SHAPES.items()}
        self.width = float(rng.uniform(0.1, 0.2))
        self.thin = float(rng.choice([1.0, rng.uniform(0.35, 0.9)]))
        self.angle = float(rng.uniform(0, 180))
        self.slant = float(rng.choice([0.0, rng.uniform(-0.05, 0.28)]))
        self.wide = float(rng.uniform(0.85, 1.2))
        self.mark = rng.choice(["line", "dot", "none"], p=[0.7, 0.15, 0.15])

    def draw_mask(self, digit: int, side: int, height: float) -> Array:
        """The digit in the middle of a square (side, side), 0 to 1, `height` of the side high; a 6 has its mark."""
        big = 3 * side
        canvas = np.zeros((big, big), np.uint8)
        scale = height * big
        pen = (max(1, round(self.width * scale * 0.5)), max(1, round(self.width * self.thin * scale * 0.5)))
        for kind, path in _SHAPES[digit][self.pick[digit]]:
            for x, y in _smooth(path, kind == "curve"):
                u = (x - 0.3) * self.wide + (0.5 - y) * self.slant
                at = (round(big / 2 + u * scale), round(big / 2 + (y - 0.5) * scale))
                cv2.ellipse(canvas, at, pen, self.angle, 0, 360, 255, -1)
        if digit == 6 and self.mark != "none":
            y = round(big / 2 + 0.72 * scale)
            thick = max(1, round(0.07 * scale))
            if self.mark == "line":
                half = round(0.27 * scale)
                cv2.line(canvas, (big // 2 - half, y), (big // 2 + half, y), 255, thick)
            else:
                cv2.circle(canvas, (round(big / 2 + 0.42 * scale), round(y - 0.15 * scale)), thick, 255, -1)
        return cv2.resize(canvas, (side, side), interpolation=cv2.INTER_AREA).astype(np.float32) / 255
