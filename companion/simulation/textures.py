"""Textures of a simulated tabletop."""

import cv2
import numpy as np
import numpy.typing as npt

from companion.simulation.appearance import Colour

Field = npt.NDArray[np.float32]


def draw_smooth_noise(size: tuple[int, int], cells: tuple[int, int], rng: np.random.Generator) -> Field:
    """Draw a smooth random field of mean 0, about -1 to 1, (height, width) float32.

    Args:
        size: width and height in pixels.
        cells: number of random cells across and down; the more, the finer the structure.
        rng: random generator.
    """
    coarse = rng.uniform(-1.0, 1.0, (cells[1], cells[0])).astype(np.float32)
    return np.asarray(cv2.resize(coarse, size, interpolation=cv2.INTER_CUBIC), dtype=np.float32)


def draw_tabletop(colour: Colour, wood: bool, size: tuple[int, int], rng: np.random.Generator) -> Field:
    """Draw the table's albedo, (height, width, 3) float32 BGR: boards with grain if `wood`, else woven cloth.

    Args:
        colour: mean colour.
        wood: whether to draw wood.
        size: width and height in pixels.
        rng: random generator.
    """
    w, h = size
    if wood:
        shade = 1.0 + 0.05 * draw_smooth_noise(size, (9, 120), rng) + 0.035 * draw_smooth_noise(size, (30, 420), rng)
        shade += 0.05 * np.sin(
            7.0 * draw_smooth_noise(size, (4, 14), rng) + np.linspace(0, 60, h, dtype=np.float32)[:, None]
        )
        board = h // 4
        for k in range(1, 4):
            y = k * board
            shade[y - 1 : y + 2] *= 0.72
            shade[y + 2 : y + 4] *= 1.04
        for k in range(4):
            shade[k * board : (k + 1) * board] *= 1.0 + 0.07 * rng.uniform(-1.0, 1.0)
    else:
        weave = 0.03 * (np.sin(np.arange(w) * 1.3)[None] + np.sin(np.arange(h) * 1.3)[:, None])
        shade = np.float32(1.0) + weave.astype(np.float32) + 0.04 * draw_smooth_noise(size, (24, 14), rng)
    shade = shade + 0.02 * rng.standard_normal((h, w)).astype(np.float32)
    return np.asarray(shade[..., None] * np.array(colour, np.float32), dtype=np.float32)
