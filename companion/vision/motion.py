"""What moves in front of a camera that stands still, cheaply enough for every frame.

A frame is made grey and shrunk to 640 pixels' width; the mean absolute difference in blocks of 8x8 of these pixels is
compared with the noise, which is learnt as it goes. The mean over a block keeps the noise down by its number of
pixels, yet a die that turns in its place changes it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.reading import Box, Image

Gray = npt.NDArray[np.uint8]
"""A shrunk grey frame, shape (rows * 8, columns * 8)."""

Blocks = npt.NDArray[np.bool_]
"""One flag a block, shape (rows, columns)."""

WIDTH: Final = 640
BLOCK: Final = 8

_MARGIN = 3.0
"""Grey levels a block must change by, beyond twice the noise: a token changes tens, compression one or two."""

_DARK = 10.0
"""A frame of this mean grey level shows nothing: a covered lens, no light."""


@dataclass(frozen=True, slots=True)
class Change:
    """How a frame differs from the one before.

    `still`: nothing moves. `everywhere`: light, or the whole view, changed. `same`: not one bit is different.
    """

    moving: Blocks
    still: bool
    everywhere: bool
    same: bool


class Motion:
    """Frames in, blocks that move out.

    While things move, each frame is compared with the one before. While all rests, it is compared with an anchor that
    is renewed every second: so a slow hand adds up to a motion, and slow daylight does not.
    """

    def __init__(self, renew_s: float = 1.0) -> None:
        self._renew_s = renew_s
        self._anchor: Gray | None = None
        self._anchored_at = 0.0
        self._noise: float | None = None
        self.gray: Gray | None = None
        """The last frame, shrunk."""

    def see(self, image: Image, at: float) -> Change | None:
        """What moved at `at` (seconds); None for the first frame after a start or another frame size."""
        gray = shrink(image)
        self.gray = gray
        if self._anchor is None or self._anchor.shape != gray.shape:
            self._anchor, self._anchored_at, self._noise = gray, at, None
            return None
        difference = _differences(gray, self._anchor)
        sample = difference[::3, ::3].ravel()
        middle = len(sample) // 2
        everywhere = self._learn_noise(float(np.partition(sample, middle)[middle]))
        largest = int(difference.max())
        still = largest <= self._threshold
        if everywhere or not still or at - self._anchored_at >= self._renew_s:
            self._anchor, self._anchored_at = gray, at
        moving: Blocks = np.zeros(difference.shape, np.bool_) if still else difference > self._threshold
        return Change(moving, still, everywhere, same=largest == 0)

    def changed_since(self, reference: Gray) -> Blocks:
        """Blocks of the last frame that differ from an earlier `gray` of the same shape."""
        assert self.gray is not None
        return _differences(self.gray, reference) > self._threshold

    @property
    def _threshold(self) -> float:
        return 2 * (self._noise or 0.0) + _MARGIN

    def _learn_noise(self, median: float) -> bool:
        """Takes the typical block's difference in; says whether it rose by more than noise does."""
        if self._noise is None:
            self._noise = min(median, _MARGIN)
        everywhere = median > 2 * self._noise + _MARGIN
        # Noise that rose for good (a camera's gain in the evening) is learnt in the end; a lamp is over long before.
        self._noise += min(0.1 * (median - self._noise), 0.1)
        return everywhere


def shrink(image: Image) -> Gray:
    """The frame in grey, about 640 pixels wide, both sides whole blocks; small frames keep their size."""
    height, width = image.shape[:2]
    scale = min(1.0, WIDTH / width)
    size = tuple(max(1, round(side * scale / BLOCK)) * BLOCK for side in (width, height))
    gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    if size != (width, height):
        gray = cv2.resize(gray, size, interpolation=cv2.INTER_AREA)
    return gray.astype(np.uint8, copy=False)


def is_dark(gray: Gray) -> bool:
    """Whether the frame shows nothing at all."""
    return float(gray.mean()) < _DARK and float(np.quantile(gray, 0.999)) < 4 * _DARK


def blocks_of(box: Box, image: Image, blocks: Blocks) -> tuple[slice, slice]:
    """The rows and columns of blocks that a box of the full frame touches."""
    height, width = image.shape[:2]
    rows, columns = blocks.shape
    x0, y0, x1, y1 = box
    return (
        slice(max(0, int(y0 / height * rows)), max(0, int(y1 / height * rows) + 1)),
        slice(max(0, int(x0 / width * columns)), max(0, int(x1 / width * columns) + 1)),
    )


def box_of(blocks: Blocks, image: Image) -> Box | None:
    """The box in the full frame around all flagged blocks; None if there are none."""
    ys, xs = np.nonzero(blocks)
    if not len(ys):
        return None
    height, width = image.shape[:2]
    sy, sx = height / blocks.shape[0], width / blocks.shape[1]
    return float(xs.min() * sx), float(ys.min() * sy), float((xs.max() + 1) * sx), float((ys.max() + 1) * sy)


def _differences(a: Gray, b: Gray) -> Gray:
    """The mean absolute difference in each block."""
    means = cv2.absdiff(a, b)
    # Three halvings take a quarter of the time of one step by eight.
    for part in (2, 4, 8):
        means = cv2.resize(means, (a.shape[1] // part, a.shape[0] // part), interpolation=cv2.INTER_AREA)
    return means.astype(np.uint8, copy=False)
