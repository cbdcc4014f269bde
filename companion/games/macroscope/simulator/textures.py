"""Textures of tokens, which are warped into the scene."""

from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from companion.simulation.appearance import Colour

Image = npt.NDArray[np.uint8]


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
        size: side in pixels.
        face: colour of the token.
        ink: colour of the number.
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
