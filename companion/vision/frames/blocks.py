"""Frames shrunk to blocks of 8x8 pixels, in which motion is looked for."""

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.reading import BoundingBox, GreyImage, Image

BlockMask = npt.NDArray[np.bool_]
"""One flag per block, shape (rows, columns)."""
MOTION_WIDTH_PX: Final = 640
"""Width of the shrunk frames. If it grows, smaller motions are seen, at more cost per frame."""
BLOCK_SIDE_PX: Final = 8
"""Side of a block in shrunk pixels. If it grows, there is less noise, and small motions are missed."""
_MAX_DARK_LEVEL = 10.0
"""Mean grey level below which a frame shows nothing: a covered lens, no light. If it grows, dim rooms count as dark."""


def shrink_to_blocks(image: Image) -> GreyImage:
    """Convert a frame to grey and shrink it to whole blocks.

    >>> shrink_to_blocks(np.zeros((720, 1280, 3), np.uint8)).shape
    (360, 640)

    Args:
        image: (H, W, 3) uint8 BGR.

    Returns:
        (h, w) uint8: at most about `MOTION_WIDTH_PX` (640) wide, both sides multiples of `BLOCK_SIDE_PX` (8); small
        frames keep their size, rounded to whole blocks.
    """
    height, width = image.shape[:2]
    scale = min(1.0, MOTION_WIDTH_PX / width)
    size = tuple(max(1, round(side * scale / BLOCK_SIDE_PX)) * BLOCK_SIDE_PX for side in (width, height))
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    if size != (width, height):
        grey = cv2.resize(grey, size, interpolation=cv2.INTER_AREA)
    return grey.astype(np.uint8, copy=False)


def is_dark(grey: GreyImage) -> bool:
    """Return whether a frame shows nothing at all: the lens is covered, or there is no light.

    >>> is_dark(np.full((360, 640), 3, np.uint8)), is_dark(np.full((360, 640), 90, np.uint8))
    (True, False)

    That is so if the mean level is below 10 and at most 1 pixel in 1000 reaches 40 (of 255).

    Args:
        grey: the frame in grey, (H, W) uint8, of any size above 0.
    """
    return float(grey.mean()) < _MAX_DARK_LEVEL and float(np.quantile(grey, 0.999)) < 4 * _MAX_DARK_LEVEL


def locate_blocks(box: BoundingBox, image: Image, blocks: BlockMask) -> tuple[slice, slice]:
    """Return the rows and columns of blocks that a box of the full frame touches.

    >>> frame, blocks = np.zeros((480, 640, 3), np.uint8), np.zeros((60, 80), bool)
    >>> locate_blocks((80, 40, 120, 60), frame, blocks)
    (slice(5, 8, None), slice(10, 16, None))

    Args:
        box: left, top, right, bottom in pixels of `image`; it may reach beyond the frame.
        image: the frame, (H, W, 3) uint8 BGR; only its shape is used.
        blocks: any block mask of the same frame; only its shape (rows, columns) is used.

    Returns:
        Slices of rows and of columns to index a block mask with; they select nothing where the box lies outside the
        frame by a block or more.
    """
    height, width = image.shape[:2]
    rows, columns = blocks.shape
    x0, y0, x1, y1 = box
    return (
        slice(max(0, int(y0 / height * rows)), max(0, int(y1 / height * rows) + 1)),
        slice(max(0, int(x0 / width * columns)), max(0, int(x1 / width * columns) + 1)),
    )


def enclose_blocks(blocks: BlockMask, image: Image) -> BoundingBox | None:
    """Return the box in the full frame around all flagged blocks.

    >>> blocks = np.zeros((60, 80), bool)
    >>> blocks[5:7, 10:15] = True
    >>> enclose_blocks(blocks, np.zeros((480, 640, 3), np.uint8))
    (80.0, 40.0, 120.0, 56.0)

    Args:
        blocks: flags, shape (rows, columns) bool.
        image: the frame, (H, W, 3) uint8 BGR; only its shape is used.

    Returns:
        Left, top, right, bottom in pixels of `image`; None if no block is flagged.
    """
    ys, xs = np.nonzero(blocks)
    if not len(ys):
        return None
    height, width = image.shape[:2]
    sy, sx = height / blocks.shape[0], width / blocks.shape[1]
    return float(xs.min() * sx), float(ys.min() * sy), float((xs.max() + 1) * sx), float((ys.max() + 1) * sy)


def average_blocks(pixels: npt.ArrayLike) -> GreyImage:
    """Return the mean of each block of 8x8 pixels, rounded, shape (rows, columns) uint8.

    >>> average_blocks(np.arange(256, dtype=np.uint8).reshape(8, 32)).tolist()
    [[116, 124, 132, 140]]
    """
    means = np.asarray(pixels, np.uint8)
    height, width = means.shape
    # Three halvings take a quarter of the time of one step by eight.
    for part in (2, 4, 8):
        means = np.asarray(cv2.resize(means, (width // part, height // part), interpolation=cv2.INTER_AREA), np.uint8)
    return means
