"""How a frame is laid before the two nets of the dice reader; training and reading share these few lines.

The finder sees the whole frame made smaller, `LONG_SIDE` pixels long where it looks closely. The reader sees one die at
a time, `CROP` pixels square, cut from the frame in its full size.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.reading import Image

DETECTOR_LONG_SIDE_PX = 640
"""Longer side, in pixels, of what the finder sees if it is told no other; smaller frames stay as they are."""

DETECTOR_STRIDES_PX = (4, 8, 16, 32)
"""Pixels per cell of the finder's maps, one map for each range of sizes."""

STRIDE_EDGE_LIMITS_PX = (4.5, 16.0, 36.0, 80.0, 420.0)
"""Edges of a top face, in the finder's pixels, between which each map answers."""

CROP_SIDE_PX = 64
CROP_SIDE_EDGES = 2.4
"""A crop's edge in pixels, and in edges of the top face."""

PADDING_LEVEL = 128
"""What lies around a frame where its sides are no multiples of the last stride."""

Array = npt.NDArray[np.float32]


def reference_edge(stride: int) -> float:
    """The edge in pixels whose logarithm is 0 in the finder's map of edges."""
    return 4.0 * stride


def resize_for_detector(image: Image, scale: float) -> tuple[Image, float]:
    """The frame as the finder sees it, shape (h, w, 3) with sides multiples of 32, and its pixels per frame pixel."""
    height, width = image.shape[:2]
    w, h = max(1, round(width * scale)), max(1, round(height * scale))
    # Areas of whole pixels, and what is left by lines: a tenth of the time of areas of any size.
    times = int(1 / scale) if scale < 1 else 1
    if times > 1:
        whole = max(1, width // times), max(1, height // times)
        image = np.asarray(cv2.resize(image, whole, interpolation=cv2.INTER_AREA), np.uint8)
    if (w, h) != (image.shape[1], image.shape[0]):
        image = np.asarray(cv2.resize(image, (w, h), interpolation=cv2.INTER_LINEAR), np.uint8)
    last = DETECTOR_STRIDES_PX[-1]
    right, bottom = -w % last, -h % last
    if right or bottom:
        gray = (PADDING_LEVEL, PADDING_LEVEL, PADDING_LEVEL)
        image = np.asarray(
            cv2.copyMakeBorder(image, 0, bottom, 0, right, borderType=cv2.BORDER_CONSTANT, value=gray), np.uint8
        )
    return image, w / width


def crop_face(image: Image, x: float, y: float, edge: float) -> Array:
    """The reader's view, shape (3, CROP, CROP), of a top face of `edge` pixels about (x, y).

    Beyond the frame its border is repeated. Brightness and contrast are evened out: mean 0, deviation 1 over the crop,
    less where there is hardly any contrast to even out.
    """
    side = max(4.0, edge * CROP_SIDE_EDGES)
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
    # So near to its size, an area is no better than a line, and takes several times as long.
    way = cv2.INTER_AREA if n > 1.5 * CROP_SIDE_PX else cv2.INTER_LINEAR
    pixels = np.asarray(cv2.resize(part, (CROP_SIDE_PX, CROP_SIDE_PX), interpolation=way), np.float32)
    mean, deviation = cv2.meanStdDev(pixels.reshape(-1, 1))
    pixels = (pixels - mean.item()) / (deviation.item() + 8.0)
    return np.ascontiguousarray(pixels.transpose(2, 0, 1))
