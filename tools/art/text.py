"""Letters and figures on objects, in the typeface of the screen."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pygame
from ray_renderer import Array

FONT_FILE = Path(__file__).parents[2] / "companion/display/fonts/SofiaSansExtraCondensed-Bold.ttf"
TEXT_PX = 256
"""Side of the picture of a text in pixels."""


@cache
def cover_text(text: str) -> Array:
    """Return where a short text lies, 0 to 1, in the middle of a square picture: `(TEXT_PX, TEXT_PX)`."""
    pygame.font.init()
    drawn = pygame.font.Font(FONT_FILE, TEXT_PX).render(text, True, "white", "black")
    ink = pygame.surfarray.array3d(drawn)[..., 0].T.astype(np.float32) / 255
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    ink = ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    cover = np.zeros((TEXT_PX, TEXT_PX), np.float32)
    height, width = min(len(ink), TEXT_PX), min(ink.shape[1], TEXT_PX)
    top, left = (TEXT_PX - height) // 2, (TEXT_PX - width) // 2
    cover[top : top + height, left : left + width] = ink[:height, :width]
    return cover


def sample_cover(cover: Array, x: Array, y: Array) -> Array:
    """Return a square picture's values (0 outside it) at x to the right and y upwards, -0.5 to 0.5 each."""
    side = len(cover)
    column = np.clip(((x + 0.5) * side).astype(int), 0, side - 1)
    row = np.clip(((0.5 - y) * side).astype(int), 0, side - 1)
    inside = (np.abs(x) < 0.5) & (np.abs(y) < 0.5)
    return np.asarray(cover[row, column] * inside, np.float32)
