"""Textures that are warped into the scene: the tabletop, a token's face."""

from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from companion.games.macroscope.simulator.appearance import Colour

Image = npt.NDArray[np.uint8]
Field = npt.NDArray[np.float32]


def draw_smooth_noise(size: tuple[int, int], cells: tuple[int, int], rng: np.random.Generator) -> Field:
    """Draw a smooth random field of mean 0, about -1 to 1, (height, width) float32.

    Args:
        size: Width and height in pixels.
        cells: Number of random cells across and down; the more, the finer the structure.
        rng: Random generator.
    """
    coarse = rng.uniform(-1.0, 1.0, (cells[1], cells[0])).astype(np.float32)
    return np.asarray(cv2.resize(coarse, size, interpolation=cv2.INTER_CUBIC), dtype=np.float32)


def draw_tabletop(colour: Colour, wood: bool, size: tuple[int, int], rng: np.random.Generator) -> Field:
    """Draw the table's albedo, (height, width, 3) float32 BGR: boards with grain if `wood`, else woven cloth.

    Args:
        colour: Mean colour.
        wood: Whether to draw wood.
        size: Width and height in pixels.
        rng: Random generator.
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


def draw_disc(size: int, radius: float) -> Image:
    """Draw a mask, (size, size) uint8: 255 within `radius` pixels of the centre, with an anti-aliased edge."""
    mask = np.zeros((size, size), np.uint8)
    middle = round((size / 2 - 0.5) * 16)
    cv2.circle(mask, (middle, middle), round(radius * 16), 255, -1, cv2.LINE_AA, 4)
    return mask


@lru_cache(maxsize=32)
def _draw_digit(number: int, height: int) -> Image:
    """Draw a digit as a mask, uint8, cropped to its ink and scaled to `height` pixels."""
    canvas = np.zeros((260, 260), np.uint8)
    cv2.putText(canvas, str(number), (60, 190), cv2.FONT_HERSHEY_SIMPLEX, 5.0, 255, 13, cv2.LINE_AA)
    x, y, w, h = cv2.boundingRect(canvas)
    return np.asarray(
        cv2.resize(canvas[y : y + h, x : x + w], (round(w * height / h), height), interpolation=cv2.INTER_AREA),
        dtype=np.uint8,
    )


def draw_token_texture(number: int, size: int, face: Colour, ink: Colour) -> Image:
    """Draw a token's face, (size, size, 3) uint8 BGR: a grip piece with the number; a 6 has a bar below it.

    Args:
        number: 1 to 6.
        size: Side in pixels.
        face: Colour of the token.
        ink: Colour of the number.
    """
    picture = np.full((size, size, 3), face, np.uint8)
    grip = np.zeros((size, size), np.float32)
    half_w, half_h = round(0.27 * size), round(0.36 * size)
    middle = size // 2
    cv2.rectangle(grip, (middle - half_w, middle - half_h), (middle + half_w, middle + half_h), 1.0, -1)
    grip = np.asarray(cv2.GaussianBlur(grip, (0, 0), 0.012 * size), np.float32)
    edge = 30.0 * (np.roll(grip, -2, 0) - np.roll(grip, 2, 0))
    tone = 1.0 + 0.05 * grip
    picture = np.clip(picture * tone[..., None] + edge[..., None], 0, 255).astype(np.uint8)
    shape = _draw_digit(number, round(0.43 * size))
    top, left = middle - shape.shape[0] // 2, middle - shape.shape[1] // 2
    mask = np.zeros((size, size), np.uint8)
    mask[top : top + shape.shape[0], left : left + shape.shape[1]] = shape
    if number == 6:
        below = top + shape.shape[0] + round(0.06 * size)
        cv2.rectangle(mask, (middle - size // 7, below), (middle + size // 7, below + round(0.025 * size)), 255, -1)
    share = mask[..., None].astype(np.float32) / 255.0
    return np.asarray(picture * (1.0 - share) + share * np.array(ink, np.float32), dtype=np.uint8)
