"""Fuzzed frames: any size, format and memory layout, noise, parts of tables, truncated files."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import cv2
import numpy as np

from companion.vision.reading import Image
from tests.vision.lid.drawn_lid import LAYOUTS, DrawnLid
from tests.vision.watching import Table

Array = np.ndarray[Any, Any]
Rng = np.random.Generator

LARGE = ((3000, 4000), (4000, 3000), (6000, 8000), (1080, 1920), (2160, 3840))
EXACT = (1, 2, 3, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 640, 641)
"""Sides at the limits of block sizes, strides and minimum sizes."""

ENDINGS = (".jpg", ".png", ".bmp", ".webp", ".tiff")


def frame(rng: Rng) -> Array:
    """Return any array that a program may use as a picture."""
    image = _shred(rng) if rng.random() < 0.5 else _made(rng, _size(rng))
    if rng.random() < 0.3:
        image = _spoilt(rng, image)
    return _laid_out(rng, _of_type(rng, _with_channels(rng, image)))


def stream(rng: Rng, length: int) -> list[Array]:
    """Return frames of one camera: most similar, some torn, black, of another size or format, or identical."""
    size = _size(rng, least=16)
    base = cv2.resize(_table(rng), (size[1], size[0]), interpolation=cv2.INTER_AREA)
    frames: list[Array] = []
    for _ in range(length):
        dice = rng.random()
        if dice < 0.6:
            frames.append(_noisy(rng, base, 3))
        elif dice < 0.7 and frames:
            frames.append(frames[-1])
        elif dice < 0.8:
            base = cv2.resize(_table(rng), (size[1], size[0]), interpolation=cv2.INTER_AREA)
            frames.append(base)
        elif dice < 0.85:
            frames.append(np.zeros_like(base))
        elif dice < 0.9 and frames and frames[-1].shape == base.shape:
            torn = base.copy()
            torn[size[0] // 2 :] = frames[-1][size[0] // 2 :]
            frames.append(torn)
        else:
            frames.append(frame(rng))
    return frames


def file(rng: Rng) -> tuple[bytes, str]:
    """Return a file's content and suffix: pictures, whole, truncated, with bits flipped or bytes removed."""
    ending = ENDINGS[int(rng.integers(len(ENDINGS)))]
    image = _shred(rng) if rng.random() < 0.7 else _made(rng, _size(rng))
    if rng.random() < 0.2:
        image = image[:, :, 0] if rng.random() < 0.5 else np.dstack([image, image[:, :, :1]])
    good, coded = cv2.imencode(ending if image.ndim == 2 or image.shape[2] == 3 else ".png", image)
    assert good
    data = bytearray(coded.tobytes())
    fate = rng.random()
    if fate < 0.35:
        data = data[: int(rng.integers(len(data) + 1))]
    elif fate < 0.6:
        for _ in range(int(rng.integers(1, 30))):
            data[int(rng.integers(len(data)))] ^= 1 << int(rng.integers(8))
    elif fate < 0.75:
        start = int(rng.integers(len(data)))
        del data[start : start + int(rng.integers(1, 200))]
    elif fate < 0.8:
        data = bytearray(rng.bytes(int(rng.integers(200))))
    return bytes(data), ending


def _size(rng: Rng, least: int = 1) -> tuple[int, int]:
    """Return height and width: mostly small, because there are ten thousand."""
    kind = rng.random()
    if kind < 0.002:
        return LARGE[int(rng.integers(len(LARGE)))]
    if kind < 0.25:
        sides = [max(least, EXACT[int(rng.integers(len(EXACT)))]) for _ in range(2)]
        return sides[0], sides[1]
    if kind < 0.3:
        return int(rng.integers(least, 60)), int(rng.integers(300, 3000))
    if kind < 0.35:
        return int(rng.integers(300, 3000)), int(rng.integers(least, 60))
    return int(rng.integers(least, 500)), int(rng.integers(least, 600))


def _made(rng: Rng, size: tuple[int, int]) -> Image:
    height, width = size
    makers: list[Callable[[], Array]] = [
        lambda: rng.integers(0, 256, (height, width, 3), dtype=np.uint8),
        lambda: np.full((height, width, 3), rng.integers(0, 256), np.uint8),
        lambda: np.full((height, width, 3), 255, np.uint8),
        lambda: np.zeros((height, width, 3), np.uint8),
        lambda: np.broadcast_to(np.linspace(0, 255, width).astype(np.uint8)[None, :, None], (height, width, 3)).copy(),
        lambda: (np.indices((height, width)).sum(axis=0) % 2 * 255).astype(np.uint8)[:, :, None].repeat(3, axis=2),
        lambda: _circles(rng, height, width),
    ]
    return makers[int(rng.integers(len(makers)))]()


def _circles(rng: Rng, height: int, width: int) -> Array:
    image = np.full((height, width, 3), rng.integers(0, 256, 3), np.uint8)
    for _ in range(int(rng.integers(1, 60))):
        at = int(rng.integers(width)), int(rng.integers(height))
        colour = tuple(int(c) for c in rng.integers(0, 256, 3))
        cv2.circle(image, at, int(rng.integers(1, 40)), colour, int(rng.choice([-1, 1, 3])))
    return image


@cache
def _lids() -> list[Image]:
    rng = np.random.default_rng(11)
    lids = []
    for layout in LAYOUTS:
        for tags in (False, True):
            numbers = tuple(int(n) if n <= 6 else None for n in rng.integers(1, 8, 12))
            lids.append(DrawnLid(layout=layout, tags=tags).draw(numbers, angle=float(rng.uniform(0, 360)))[0])
        lids.append(DrawnLid(layout=layout).draw()[0])
    return lids


def _table(rng: Rng) -> Image:
    if rng.random() < 0.6:
        return _lids()[int(rng.integers(len(_lids())))]
    dice = [(int(v), float(x), float(y)) for v, x, y in rng.integers(1, 7, (3, 3)) * [1, 90, 50]]
    return Table(dice=dice).draw(int(rng.integers(5)))


def _shred(rng: Rng) -> Image:
    """Return a part of a table, resized, rotated or mirrored."""
    table = _table(rng)
    height, width = table.shape[:2]
    y0, x0 = int(rng.integers(height)), int(rng.integers(width))
    part = table[y0 : y0 + int(rng.integers(1, height + 1)), x0 : x0 + int(rng.integers(1, width + 1))]
    if rng.random() < 0.7:
        high, wide = _size(rng)
        part = cv2.resize(part, (wide, high), interpolation=int(rng.choice([cv2.INTER_NEAREST, cv2.INTER_LINEAR])))
    part = np.rot90(part, int(rng.integers(4)))
    return part[:, ::-1] if rng.random() < 0.3 else part


def _spoilt(rng: Rng, image: Image) -> Array:
    spoilers: list[Callable[[], Array]] = [
        lambda: 255 - image,
        lambda: _noisy(rng, image, int(rng.integers(1, 80))),
        lambda: cv2.convertScaleAbs(np.ascontiguousarray(image), alpha=float(rng.uniform(0, 4))),
        lambda: cv2.GaussianBlur(np.ascontiguousarray(image), (0, 0), float(rng.uniform(0.5, 9))),
    ]
    return spoilers[int(rng.integers(len(spoilers)))]()


def _noisy(rng: Rng, image: Image, sigma: int) -> Array:
    noise = rng.integers(-sigma, sigma + 1, image.shape, dtype=np.int16)
    return np.clip(image + noise, 0, 255).astype(np.uint8)


def _with_channels(rng: Rng, image: Image) -> Array:
    kind = rng.random()
    if kind < 0.6:
        return image
    grey = image[:, :, 1]
    return [
        grey,
        grey[:, :, None],
        np.dstack([image, grey]),
        np.dstack([grey, grey]),
        np.dstack([image, image]),
        grey[:, :, None, None],
        grey.ravel(),
    ][int(rng.choice(7, p=[0.3, 0.2, 0.3, 0.05, 0.05, 0.05, 0.05]))]


def _of_type(rng: Rng, image: Array) -> Array:
    if rng.random() < 0.7:
        return image
    kinds: list[Callable[[], Array]] = [
        lambda: image.astype(np.uint16) * 257,
        lambda: image.astype(np.float32) / 255,
        lambda: image.astype(np.float64),
        lambda: image.astype(np.float16),
        lambda: np.where(image > 200, np.nan, image / 255),
        lambda: np.where(image > 200, np.inf, image.astype(np.float32)),
        lambda: image > 127,
        lambda: image.astype(np.int32) * 3 - 100,
        lambda: image.astype(np.int8),
        lambda: image.astype(">u2"),
        lambda: image.astype(np.complex64),
        lambda: image.astype(object),
    ]
    return kinds[int(rng.integers(len(kinds)))]()


def _laid_out(rng: Rng, image: Array) -> Array:
    kind = rng.random()
    if kind < 0.5:
        return np.ascontiguousarray(image)
    if kind < 0.6:
        return np.asfortranarray(image)
    if kind < 0.7:
        return image[::-1]
    if kind < 0.8:
        return image[::2, ::2] if image.ndim > 1 else image[::2]
    if kind < 0.9:
        fixed = np.ascontiguousarray(image)
        fixed.flags.writeable = False
        return fixed
    return image
