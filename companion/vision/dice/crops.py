"""Cut the inputs of the two dice nets out of a frame. Training (tools/training/train_dice) and reading share this code.

The detector sees the whole frame reduced, `DETECTOR_LONG_SIDE_PX` long in the usual search. The reader sees one die at
a time, `CROP_SIDE_PX` square, cut from the frame at full resolution.
"""

import cv2
import numpy as np

from companion.vision.onnx import Float32Array
from companion.vision.reading import Image

DETECTOR_LONG_SIDE_PX = 640
"""Longer side, in pixels, of the frame as the detector sees it by default; smaller frames are not enlarged.

Larger: smaller dice are found, and the search takes longer (in proportion to the area)."""

DETECTOR_STRIDES_PX = (4, 8, 16, 32)
"""Pixels per cell of the detector's four output maps, one map for each range of sizes. Fixed by the trained net."""

STRIDE_EDGE_LIMITS_PX = (4.5, 16.0, 36.0, 80.0, 420.0)
"""Edge lengths of a top face, in the detector's pixels, between which each map answers. Fixed by the trained net."""

CROP_SIDE_PX = 64
"""Side of the reader net's square input, in pixels. Fixed by the trained net."""

CROP_SIDE_EDGES = 2.4
"""Side of the reader net's input, in edges of the top face: larger shows more of the surroundings. Fixed by the net."""

PADDING_LEVEL = 128
"""Grey level (0 to 255) that fills a frame up to a multiple of the largest stride. Fixed by the trained net."""

MIN_DEVIATION_LEVELS = 8.0
"""Grey levels added to the standard deviation by which a crop is divided. Larger: flat crops are amplified less.

Fixed by the trained net."""


def get_reference_edge(stride: int) -> float:
    """Return the edge length for which the detector's output map of a stride outputs a logarithm of 0.

    >>> get_reference_edge(8)
    32.0

    The map outputs the natural logarithm of a top face's edge divided by this length.

    Args:
        stride: pixels of the detector's input per cell of the map, one of `DETECTOR_STRIDES_PX` (not checked).

    Returns:
        Pixels of the detector's input.
    """
    return 4.0 * stride


def resize_for_detector(image: Image, scale: float) -> tuple[Image, float]:
    """Resize a frame for the detector and pad it with grey at the right and the bottom.

    >>> resized, scale = resize_for_detector(np.zeros((720, 1280, 3), np.uint8), 0.5)
    >>> resized.shape, scale
    ((384, 640, 3), 0.5)

    Args:
        image: (H, W, 3) uint8 BGR, at least 1x1 pixel.
        scale: wanted output pixels per frame pixel, above 0 (not checked); above 1 the frame is enlarged.

    Returns:
        The resized frame, (h, w, 3) uint8 BGR with sides that are multiples of 32, and its actual pixels per frame
        pixel in width, after rounding to whole pixels. Of a frame that is reduced by 2 or more, columns and rows that
        cannot be halved are left out, at the right and the bottom.
    """
    height, width = image.shape[:2]
    size = max(1, round(width * scale)), max(1, round(height * scale))
    halvings = _count_halvings((width, height), size)
    width, height = width >> halvings << halvings, height >> halvings << halvings
    w, h = max(1, round(width * scale)), max(1, round(height * scale))
    image = _resize(image[:height, :width], (w, h))
    right, bottom = -w % DETECTOR_STRIDES_PX[-1], -h % DETECTOR_STRIDES_PX[-1]
    if right or bottom:
        grey = 3 * (PADDING_LEVEL,)
        padded = cv2.copyMakeBorder(image, 0, bottom, 0, right, borderType=cv2.BORDER_CONSTANT, value=grey)
        image = np.asarray(padded, np.uint8)
    return image, w / width


def locate_crop(x: float, y: float, edge: float) -> tuple[int, int, int]:
    """Return the square that becomes the crop of a top face: left, top and side in whole pixels.

    It may reach beyond the frame.

    Args:
        x: centre of the face, pixels of the frame from the left.
        y: centre of the face, pixels of the frame from the top.
        edge: edge of the face in pixels of the frame, above 0.
    """
    side = max(4.0, edge * CROP_SIDE_EDGES)
    return round(x - side / 2), round(y - side / 2), max(4, round(side))


def crop_face(image: Image, x: float, y: float, edge: float) -> Float32Array:
    """Cut out a top face for the reader net and normalise its brightness and contrast.

    The crop is a square of `CROP_SIDE_EDGES` edges (at least 4 pixels) about the centre. Beyond the frame its border
    pixels are repeated.

    Args:
        image: the frame, (H, W, 3) uint8 BGR, at least 1x1 pixel.
        x: centre of the face, pixels of the frame from the left; it may lie outside the frame.
        y: centre of the face, pixels of the frame from the top; likewise.
        edge: edge of the face in pixels of the frame, above 0.

    Returns:
        Shape (3, CROP_SIDE_PX, CROP_SIDE_PX) float32, channels B, G, R; mean 0, standard deviation 1 (less where there
        is hardly any contrast).
    """
    x0, y0, n = locate_crop(x, y, edge)
    h, w = image.shape[:2]
    left, top = min(max(x0, 0), w - 1), min(max(y0, 0), h - 1)
    right, bottom = min(max(x0 + n, left + 1), w), min(max(y0 + n, top + 1), h)
    part = image[top:bottom, left:right]
    padding = (
        max(0, min(top - y0, n - 1)),
        max(0, y0 + n - bottom),
        max(0, min(left - x0, n - 1)),
        max(0, x0 + n - right),
    )
    if any(padding):
        part = np.asarray(cv2.copyMakeBorder(part, *padding, borderType=cv2.BORDER_REPLICATE), np.uint8)
    pixels = _resize(part, (CROP_SIDE_PX, CROP_SIDE_PX))
    mean, deviation = cv2.meanStdDev(pixels.reshape(-1, 1))
    planes = np.subtract(pixels.transpose(2, 0, 1), np.float32(mean.item()), order="C")
    planes /= np.float32(deviation.item() + MIN_DEVIATION_LEVELS)
    return planes


def _count_halvings(before: tuple[int, int], after: tuple[int, int]) -> int:
    """Return how often a width and height in pixels can be halved before one falls below the wanted one."""
    return max(0, min(old // new for old, new in zip(before, after, strict=True)).bit_length() - 1)


def _resize(image: Image, size: tuple[int, int]) -> Image:
    """Resize an image, (H, W, 3) uint8, to a width and height in pixels: halve it, then interpolate linearly.

    Much as in training (train_dice.samples). To halve takes a tenth of the time of averaging over other areas, and
    needs even sides: an odd last row or column is left out.
    """
    height, width = image.shape[:2]
    for _ in range(_count_halvings((width, height), size)):
        width, height = width // 2, height // 2
        even = image[: 2 * height, : 2 * width]
        image = np.asarray(cv2.resize(even, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
    if (width, height) != size:
        image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_LINEAR), np.uint8)
    return image
