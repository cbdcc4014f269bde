"""Texts and emblems that are printed on the faces of dice."""

from __future__ import annotations

from math import pi

import cv2
import numpy as np

from train_dice.appearance import Array
from train_dice.tables import FONTS

Rng = np.random.Generator

PRINT_CELLS = 96


def draw_text(text: str, at: tuple[float, float], width: float, rng: Rng) -> Array:
    """Draw a text onto a face, its middle `at`, 0 to 1 each way, `width` in edges: (cells, cells), 0 to 1."""
    board = np.zeros((4 * PRINT_CELLS, 4 * PRINT_CELLS), np.uint8)
    font, cells = int(rng.choice(FONTS)), 4 * PRINT_CELLS
    (w, h), _ = cv2.getTextSize(text, font, 1.0, 2)
    scale = min(width * cells / w, 0.75 * cells / h)
    origin = (int(at[0] * cells - w * scale / 2), int(at[1] * cells + h * scale / 2))
    cv2.putText(board, text, origin, font, scale, 255, max(1, round(2.2 * scale)), cv2.LINE_AA)
    small = cv2.resize(board, (PRINT_CELLS, PRINT_CELLS), interpolation=cv2.INTER_AREA)
    turned = np.rot90(small, int(rng.integers(4)))
    return np.asarray(np.ascontiguousarray(turned, np.float32) / 255, np.float32)


def draw_sign(rng: Rng, width: float) -> Array:
    """Draw an emblem in the middle of a face, `width` in edges: a star, blossom, crescent, cross, heart or letter."""
    cells = PRINT_CELLS
    y, x = (np.mgrid[:cells, :cells].astype(np.float32) + 0.5) / cells * 2 - 1
    radius, angle = np.hypot(x, y), np.arctan2(y, x) + rng.uniform(0, 2 * pi)
    kind = int(rng.integers(6))
    if kind == 0:
        inside = radius < width * (0.62 + 0.38 * np.cos(rng.integers(4, 9) * angle))
    elif kind == 1:
        inside = radius < width * np.abs(np.cos(rng.integers(2, 5) * angle / 2 * 2)) ** 0.5
    elif kind == 2:
        inside = (radius < width) & (np.hypot(x - 0.45 * width, y) > 0.8 * width)
    elif kind == 3:
        inside = ((np.abs(x) < 0.25 * width) | (np.abs(y) < 0.25 * width)) & (np.maximum(abs(x), abs(y)) < width)
    elif kind == 4:
        u, v = x / width * 1.2, -y / width * 1.2
        inside = (u**2 + v**2 - 0.6) ** 3 - u**2 * v**3 < 0
    else:
        return draw_text(str(rng.choice(list("ABEFGKRSWX&$%?!"))), (0.5, 0.5), width, rng)
    if rng.random() < 0.4:  # only its outline
        line = cv2.morphologyEx(inside.astype(np.uint8), cv2.MORPH_GRADIENT, np.ones((9, 9), np.uint8))
        inside = line > 0
    return np.asarray(cv2.GaussianBlur(inside.astype(np.float32), (0, 0), 0.8), np.float32)
