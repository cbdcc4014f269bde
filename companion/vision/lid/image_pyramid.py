"""A frame and its halvings: each search takes the level that suits the size it looks for."""

from math import log2

import cv2
import numpy as np

from companion.vision.lid.geometry import LID_CENTRE, FloatArray, compute_scale, sample_image
from companion.vision.reading import Image

_MIN_COLOUR_RADIUS_PX = 12.0
"""Least token radius (pixels) at which single colours are sampled. If it grows, more of a sensor's noise stays."""


class ImagePyramid:
    """One frame and its halvings (cv2.INTER_AREA); each level is made when it is first needed.

    >>> pyramid = ImagePyramid(np.zeros((480, 640, 3), np.uint8))
    >>> pyramid.frame_size, pyramid.get_level(2).shape
    ((640, 480), (120, 160, 3))

    Args:
        image: the frame, (H, W, 3) uint8 BGR; it must not be changed afterwards.
    """

    def __init__(self, image: Image) -> None:
        self._levels = [image]

    @property
    def frame_size(self) -> tuple[int, int]:
        """Width and height of the frame, pixels (in this order, unlike a shape)."""
        height, width = self._levels[0].shape[:2]
        return width, height

    def get_level(self, level: int) -> Image:
        """Return the frame halved a number of times.

        Args:
            level: number of halvings, 0 or more; 0 is the frame itself.

        Returns:
            (h, w, 3) uint8 BGR, not a copy; an image without pixels where a side would be below 1 pixel.
        """
        while len(self._levels) <= level:
            last = self._levels[-1]
            height, width = last.shape[0] // 2, last.shape[1] // 2
            if min(height, width) < 1:
                return last[:0, :0]
            half = cv2.resize(last[: 2 * height, : 2 * width], (width, height), interpolation=cv2.INTER_AREA)
            self._levels.append(np.asarray(half, np.uint8))
        return self._levels[level]

    def reduce_for(self, homography: FloatArray, min_radius_px: float) -> tuple[Image, FloatArray]:
        """Return the smallest level at which a token is large enough, and the homography to it.

        Args:
            homography: (3, 3) float64, from the lid's plane to the frame's pixels.
            min_radius_px: least radius of a token in pixels of the level, above 0; its actual radius stays below twice
                as much, unless the frame itself shows it smaller: then the frame is returned.

        Returns:
            The level's image, (h, w, 3) uint8 BGR, and the homography from the lid's plane to its pixels, (3, 3)
            float64.
        """
        level = choose_level(compute_scale(homography, LID_CENTRE), min_radius_px)
        scale = 0.5**level
        shift = (scale - 1) / 2  # pixel centres lie at whole numbers
        return self.get_level(level), np.array([[scale, 0, shift], [0, scale, shift], [0, 0, 1]]) @ homography


def choose_level(radius_px: float, min_radius_px: float) -> int:
    """Return how often to halve a frame until a radius is below twice a least radius.

    >>> choose_level(50.0, min_radius_px=12.0)
    2

    Args:
        radius_px: radius in pixels of the frame.
        min_radius_px: least radius in pixels of the halved frame, above 0 (else ZeroDivisionError or a wrong result).

    Returns:
        0 or more; 0 also if `radius_px` is below `min_radius_px`.
    """
    return max(0, int(np.floor(log2(max(radius_px / min_radius_px, 1.0)))))


def sample_colours(pyramid: ImagePyramid, homography: FloatArray, points: FloatArray) -> FloatArray:
    """Sample the frame's colours at points of the lid's plane, so coarsely that a sensor's noise is averaged out.

    Args:
        homography: (3, 3) float64, from the lid's plane to the frame's pixels.
        points: (rows, columns, 2) in the lid's plane, token radii; outside the frame the nearest border pixel counts.

    Returns:
        BGR colours, (rows, columns, 3) float64, 0 to 255.
    """
    return sample_image(*pyramid.reduce_for(homography, _MIN_COLOUR_RADIUS_PX), points).astype(np.float64)
