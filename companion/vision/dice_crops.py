"""How a frame is laid before the two nets of the dice reader; training and reading share these few lines.

The finder sees a frame at several sizes side by side on one canvas, so that a die of any size is, on one of them, about
`FOUND` pixels. The reader sees one die at a time, `CROP` pixels square, the top face about half as wide.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.reading import Image

FOUND = (8.0, 32.0)
"""Edges of a top face, in canvas pixels, that the finder answers to."""

LONG_SIDE = 640
"""The largest size of a frame on the canvas. Longer side, pixels."""

CROP = 64
CROP_EDGES = 2.0
"""A crop's edge in pixels, and in edges of the top face."""

_GAP = 8
_SMALLEST = 24
GRAY = 128
"""What lies around a frame on the canvas."""


@dataclass(frozen=True, slots=True)
class Level:
    """One copy of the frame on the canvas: where it lies, and canvas pixels per frame pixel."""

    x: int
    y: int
    width: int
    height: int
    scale: float


def levels(width: int, height: int, scale: float) -> tuple[Level, ...]:
    """Copies at `scale` and each half of it, the first at the top, the others in a row below it."""
    w, h = max(1, round(width * scale)), max(1, round(height * scale))
    out = [Level(0, 0, w, h, scale)]
    x, y = 0, h + _GAP
    while max(w, h) // 2 >= _SMALLEST:
        w, h, scale = max(1, w // 2), max(1, h // 2), scale / 2
        out.append(Level(x, y, w, h, scale))
        x += w + _GAP
    return tuple(out)


def canvas(image: Image, places: tuple[Level, ...]) -> Image:
    """The copies of `image` on gray, shape (h, w, 3), both sides multiples of 8."""
    right = max(p.x + p.width for p in places)
    bottom = max(p.y + p.height for p in places)
    out = np.full((-(-bottom // 8) * 8, -(-right // 8) * 8, 3), GRAY, np.uint8)
    copy = image
    for p in places:
        shrinks = p.width < copy.shape[1]
        way = cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR
        copy = np.asarray(cv2.resize(copy, (p.width, p.height), interpolation=way), np.uint8)
        out[p.y : p.y + p.height, p.x : p.x + p.width] = copy
    return out


def crop(image: Image, x: float, y: float, edge: float) -> npt.NDArray[np.float32]:
    """The reader's view, shape (3, CROP, CROP), of a top face of `edge` pixels about (x, y).

    Beyond the frame its border is repeated. Brightness and contrast are evened out: mean 0, deviation 1 over the crop,
    less where there is hardly any contrast to even out.
    """
    side = max(4.0, edge * CROP_EDGES)
    x0, y0 = round(x - side / 2), round(y - side / 2)
    n = max(4, round(side))
    h, w = image.shape[:2]
    left, top = min(max(x0, 0), w - 1), min(max(y0, 0), h - 1)
    right, bottom = min(max(x0 + n, left + 1), w), min(max(y0 + n, top + 1), h)
    part = image[top:bottom, left:right]
    pads = (
        max(0, min(top - y0, n - 1)),
        max(0, y0 + n - bottom),
        max(0, min(left - x0, n - 1)),
        max(0, x0 + n - right),
    )
    if any(pads):
        part = np.asarray(cv2.copyMakeBorder(part, *pads, borderType=cv2.BORDER_REPLICATE), np.uint8)
    way = cv2.INTER_AREA if n > CROP else cv2.INTER_LINEAR
    pixels = np.asarray(cv2.resize(part, (CROP, CROP), interpolation=way), np.float32)
    pixels = (pixels - pixels.mean()) / (pixels.std() + 8.0)
    return np.ascontiguousarray(pixels.transpose(2, 0, 1))
