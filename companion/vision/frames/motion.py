"""What moves in front of the camera, cheaply enough for every frame.

A frame is made grey and shrunk to 640 pixels' width; the mean absolute difference in blocks of 8x8 of these pixels is
compared with the noise, which is learnt as it goes. The mean over a block keeps the noise down by its number of
pixels, yet a die that turns in its place changes it.

What a lamp that flickers or a cloud explains (all of it, or rows of it, lighter or darker by up to a quarter) is no
motion.

When all that has edges moves, the view itself may (sway.py): then the frame before is laid over this one, and what
differs still, by more than edges do that are a little off, moves on the table.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.frames.view_shift import GreyImage, ViewShift, estimate_view_shift, make_zero_shift
from companion.vision.reading import BoundingBox, Image

BlockMask = npt.NDArray[np.bool_]
"""One flag a block, shape (rows, columns)."""

MOTION_WIDTH_PX: Final = 640
BLOCK_SIDE_PX: Final = 8

_MIN_CHANGE_LEVELS = 3.0
"""Grey levels a block must change by, beyond twice the noise: a token changes tens, compression one or two."""

_MAX_DARK_LEVEL = 10.0
"""A frame of this mean grey level shows nothing: a covered lens, no light."""


_MIN_EDGE_LEVELS = 8
"""Grey levels a pixel by which a block's pixels differ from their neighbours' if it shows edges."""
_NOISE_LEARNING_FRAMES = 4
_MAX_QUIET_SHARE = 0.7
"""One of so many frames teaches the noise as long as it keeps below this share of what counts as motion."""
_MIN_EDGE_BLOCKS = 6
"""So many blocks with edges have to be in view."""
_MIN_MOVING_EDGE_SHARE = 0.35
"""At least this share of the blocks with edges changes when the view moves."""
_MIN_EDGE_MOTION_PX = 0.06
"""Shrunk pixels by which edges then move at least, beyond what the view changes as a whole."""
_MIN_EXPLAINED_SHARE = 0.4
"""The least share of what moves that the view's motion has to explain; the rest are dice and hands."""
_MAX_CONTRADICTED_SHARE = 0.05
"""What stood still may be moved by it at most so much, in shares of what it explains: the edges of things."""
_EDGE_TOLERANCE_PX = 1.0
"""Shrunk pixels by which edges are off when the view moved: blur, parallax, and what lies between pixels."""
_MIN_VISIBLE_SHIFT_PX = 0.1
"""Shrunk pixels; what is less does not show."""
_VIEW_MOTION_SECONDS = 1.0
"""For so long after the view moved it is expected to move on, a little or much."""
_MAX_GAIN_RATIO = 1.25
"""The most that a camera's exposure changes from frame to frame; lamps that flicker by more change everything."""
_MIN_GAIN_CHANGE_SHARE = 0.01
"""The least change of light, as a share, that is worth being taken off."""
_LIGHT_LEVEL_RANGE = 24, 245
"""Mean grey levels of a block between which it tells by how much the light changed: neither noise nor clipped."""
_LIGHT_TOLERANCE_SHARE = 0.25
"""The share of a change of light that is left open: clipped and dark parts follow it less, shadows otherwise."""
_MIN_BANDED_ROW_SHARE = 0.5
"""From this share of rows on in which most has become lighter or darker, lamps may flicker within a frame, of which a
rolling shutter makes bands; an arm covers fewer rows."""
_MAX_UNEXPLAINED_SHARE = 0.5
"""The most of the changed blocks that bands may leave unexplained."""
_MIN_FAST_WIDTHS_PER_SECOND = 0.22
"""Widths of the view a second: a camera that is moved so fast, or nears so fast, is on its way to somewhere."""


@dataclass(frozen=True, slots=True)
class FrameChange:
    """How a frame differs from the one before.

    `still`: nothing moves on the table. `everywhere`: light, or the whole view, changed. `same`: not one bit is
    different. `swaying`: the view has been moving of late; then `shift` is its motion from the frame before in shrunk
    pixels, None if it could not be told, and `sweeping`, whether it goes fast. `astray`: most edges in view move,
    and it could not be told how.
    """

    moving: BlockMask
    is_still: bool
    is_everywhere: bool
    is_identical: bool
    is_view_moving: bool = False
    is_view_moving_fast: bool = False
    shift: ViewShift | None = None
    is_unexplained: bool = False


@dataclass(frozen=True, slots=True)
class ReferenceFrame:
    """An earlier frame, shrunk, and how the view moved since."""

    grey: GreyImage
    shift: ViewShift | None = None

    def shifted_by(self, shift: ViewShift) -> ReferenceFrame:
        """The same after the view moved on."""
        return replace(self, shift=shift if self.shift is None else self.shift.followed_by(shift))


class MotionDetector:
    """Frames in, blocks that move out.

    While things move, each frame is compared with the one before. While all rests, it is compared with an anchor that
    is renewed every second: so a slow hand adds up to a motion, and slow daylight does not.
    """

    def __init__(self, renew_s: float = 1.0) -> None:
        self._renew_s = renew_s
        self._anchor: GreyImage | None = None
        self._anchored_at = self._seen_at = 0.0
        self._noise: float | None = None
        self._swayed_at = -np.inf
        self._turn = 0
        self.grey: GreyImage | None = None
        """The last frame, shrunk."""

    def process_frame(self, image: Image, at: float) -> FrameChange | None:
        """What moved at `at` (seconds); None for the first frame after a start or another frame size."""
        gray = shrink_to_blocks(image)
        before, self.grey = self.grey, gray
        since, self._seen_at = at - self._seen_at, at
        if before is None or self._anchor is None or self._anchor.shape != gray.shape:
            self._anchor, self._anchored_at, self._noise, self._swayed_at = gray, at, None, -np.inf
            return None
        difference = _measure_differences(gray, self._anchor)
        if self._noise is None:
            self._noise = min(_estimate_median(difference), _MIN_CHANGE_LEVELS)
        largest = int(difference.max())
        same = largest == 0
        if largest > self._threshold:
            difference = self._remove_light_changes(difference, gray, self._anchor)
            largest = int(difference.max())
        still = largest <= self._threshold
        swaying = at - self._swayed_at < _VIEW_MOTION_SECONDS
        moving: BlockMask = difference > self._threshold if not still else np.zeros(difference.shape, np.bool_)
        astray = not still and (swaying or _have_most_edges_moved(difference, before))
        if astray:
            change = self._find_motion_beside_view(before, gray, moving, since, at)
            if change is not None:
                return change
        # A view that is still cannot have changed everywhere, and one frame in some teaches its noise as well.
        self._turn = (self._turn + 1) % _NOISE_LEARNING_FRAMES
        teaches = self._turn == 0 or largest > _MAX_QUIET_SHARE * self._threshold
        everywhere = teaches and self._learn_noise(_estimate_median(difference))
        if everywhere or not still or swaying or at - self._anchored_at >= self._renew_s:
            self._anchor, self._anchored_at = gray, at
        shift = make_zero_shift(gray) if still and swaying else None
        return FrameChange(moving, still, everywhere, same, swaying, shift=shift, is_unexplained=astray)

    def _find_motion_beside_view(
        self, before: GreyImage, gray: GreyImage, moving: BlockMask, since: float, at: float
    ) -> FrameChange | None:
        """What moves beside the view, if it was the view that moved."""
        shift = estimate_view_shift(before, gray)
        if shift is None:
            return None
        difference, apart = self._compare(gray, ReferenceFrame(before, shift))
        explained = np.count_nonzero(moving & ~apart)
        contradicted = np.count_nonzero(apart & ~moving)
        if explained < _MIN_EXPLAINED_SHARE * np.count_nonzero(moving) or contradicted > max(
            3.0, _MAX_CONTRADICTED_SHARE * explained
        ):
            return None
        if shift.max_travel_widths * gray.shape[1] > _MIN_VISIBLE_SHIFT_PX:
            self._swayed_at = at
        self._anchor, self._anchored_at = gray, at
        everywhere = self._learn_noise(_estimate_median(difference))
        sweeping = shift.max_travel_widths > _MIN_FAST_WIDTHS_PER_SECOND * max(since, 1e-3)
        swaying = at - self._swayed_at < _VIEW_MOTION_SECONDS
        return FrameChange(apart, not apart.any(), everywhere, False, swaying, sweeping, shift)

    def make_reference(self) -> ReferenceFrame:
        """The last frame, to be compared with later ones."""
        assert self.grey is not None
        return ReferenceFrame(self.grey)

    def find_changed_blocks(self, past: ReferenceFrame) -> BlockMask:
        """Blocks of the last frame that differ from an earlier one of the same shape."""
        assert self.grey is not None
        return self._compare(self.grey, past)[1]

    def _compare(self, gray: GreyImage, past: ReferenceFrame) -> tuple[GreyImage, BlockMask]:
        """The blocks' differences from an earlier frame, and those that are more than noise and edges a little off."""
        if past.shift is None:
            difference = self._remove_light_changes(_measure_differences(gray, past.grey), gray, past.grey)
            return difference, difference > self._threshold
        warped = past.shift.warp_frame(past.grey, gray)
        gain = float(gray.mean()) / max(1.0, float(warped.mean()))
        if _MAX_GAIN_RATIO > gain > 1 / _MAX_GAIN_RATIO:  # cameras follow the light of what they are held to
            warped = cv2.convertScaleAbs(warped, alpha=gain).astype(np.uint8, copy=False)
        difference = _measure_differences(gray, warped)
        return difference, difference > self._threshold + _EDGE_TOLERANCE_PX * _measure_edges(gray).astype(np.float32)

    def _remove_light_changes(self, difference: GreyImage, gray: GreyImage, before: GreyImage) -> GreyImage:
        """The blocks' differences from an earlier frame without what is the light's: a lamp's flicker, a cloud.

        A block counts as changed only if neither the light as it was nor its change explains it.
        """
        if int(difference.max()) <= self._threshold:
            return difference
        now, then = _average_blocks(gray), _average_blocks(before)
        lit = (np.minimum(now, then) >= _LIGHT_LEVEL_RANGE[0]) & (np.maximum(now, then) <= _LIGHT_LEVEL_RANGE[1])
        if 4 * np.count_nonzero(lit) < lit.size:
            return difference
        ratio = now / np.maximum(then, 1).astype(np.float32)
        gain = float(np.median(ratio[lit]))
        if abs(gain - 1) > _MIN_GAIN_CHANGE_SHARE and 1 / _MAX_GAIN_RATIO < gain < _MAX_GAIN_RATIO:
            difference = np.minimum(difference, _measure_relit_differences(gray, before, np.full(len(lit), gain)))
        going = np.count_nonzero(difference > self._threshold)
        rows = np.median(np.where(lit, ratio, gain), axis=1)
        if np.count_nonzero(np.abs(rows - 1) > _MIN_GAIN_CHANGE_SHARE) < _MIN_BANDED_ROW_SHARE * len(rows):
            return difference
        banded = np.minimum(
            difference, _measure_relit_differences(gray, before, np.clip(rows, 1 / _MAX_GAIN_RATIO, _MAX_GAIN_RATIO))
        )
        return banded if np.count_nonzero(banded > self._threshold) <= _MAX_UNEXPLAINED_SHARE * going else difference

    @property
    def _threshold(self) -> float:
        return 2 * (self._noise or 0.0) + _MIN_CHANGE_LEVELS

    def _learn_noise(self, median: float) -> bool:
        """Takes the typical block's difference in; says whether it rose by more than noise does."""
        assert self._noise is not None
        everywhere = median > 2 * self._noise + _MIN_CHANGE_LEVELS
        # Noise that rose for good (a camera's gain in the evening) is learnt in the end; a lamp is over long before.
        self._noise += min(0.1 * (median - self._noise), 0.1)
        return everywhere


def shrink_to_blocks(image: Image) -> GreyImage:
    """The frame in grey, about 640 pixels wide, both sides whole blocks; small frames keep their size."""
    height, width = image.shape[:2]
    scale = min(1.0, MOTION_WIDTH_PX / width)
    size = tuple(max(1, round(side * scale / BLOCK_SIDE_PX)) * BLOCK_SIDE_PX for side in (width, height))
    gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    if size != (width, height):
        gray = cv2.resize(gray, size, interpolation=cv2.INTER_AREA)
    return gray.astype(np.uint8, copy=False)


def is_dark(gray: GreyImage) -> bool:
    """Whether the frame shows nothing at all."""
    return float(gray.mean()) < _MAX_DARK_LEVEL and float(np.quantile(gray, 0.999)) < 4 * _MAX_DARK_LEVEL


def locate_blocks(box: BoundingBox, image: Image, blocks: BlockMask) -> tuple[slice, slice]:
    """The rows and columns of blocks that a box of the full frame touches."""
    height, width = image.shape[:2]
    rows, columns = blocks.shape
    x0, y0, x1, y1 = box
    return (
        slice(max(0, int(y0 / height * rows)), max(0, int(y1 / height * rows) + 1)),
        slice(max(0, int(x0 / width * columns)), max(0, int(x1 / width * columns) + 1)),
    )


def enclose_blocks(blocks: BlockMask, image: Image) -> BoundingBox | None:
    """The box in the full frame around all flagged blocks; None if there are none."""
    ys, xs = np.nonzero(blocks)
    if not len(ys):
        return None
    height, width = image.shape[:2]
    sy, sx = height / blocks.shape[0], width / blocks.shape[1]
    return float(xs.min() * sx), float(ys.min() * sy), float((xs.max() + 1) * sx), float((ys.max() + 1) * sy)


def _measure_differences(a: GreyImage, b: GreyImage) -> GreyImage:
    """The mean absolute difference in each block."""
    return _average_blocks(cv2.absdiff(a, b))


def _measure_relit_differences(gray: GreyImage, before: GreyImage, gains: npt.NDArray[np.floating[Any]]) -> GreyImage:
    """The differences had the light changed before by `gains`, one a row of blocks, less what these leave open."""
    each = cv2.resize(gains.astype(np.float32)[:, None], (1, len(gray)))
    difference = _measure_differences(gray, np.asarray(cv2.convertScaleAbs(before * each), np.uint8))
    return np.asarray(
        cv2.subtract(
            difference,
            cv2.convertScaleAbs(_average_blocks(gray) * (_LIGHT_TOLERANCE_SHARE * np.abs(gains - 1))[:, None]),
        ),
        np.uint8,
    )


def _measure_edges(gray: GreyImage) -> GreyImage:
    """By how much neighbouring pixels differ in each block, in both directions together: grey levels a pixel."""
    across = cv2.absdiff(gray[1:, 1:], gray[1:, :-1])
    down = cv2.absdiff(gray[1:, 1:], gray[:-1, 1:])
    return _average_blocks(cv2.copyMakeBorder(cv2.add(across, down), 1, 0, 1, 0, cv2.BORDER_REPLICATE))


def _have_most_edges_moved(difference: GreyImage, gray: GreyImage) -> bool:
    """Whether most of what shows edges changes a little or much: then the view may have moved."""
    edges = _measure_edges(gray)
    sharp = edges >= _MIN_EDGE_LEVELS
    sharp_edges, going = edges[sharp].astype(np.float32), difference[sharp]
    if len(going) < _MIN_EDGE_BLOCKS:
        return False
    least = _estimate_median(difference) + _MIN_EDGE_MOTION_PX * sharp_edges
    return bool(np.count_nonzero(going > least) >= _MIN_MOVING_EDGE_SHARE * len(going))


def _average_blocks(pixels: npt.ArrayLike) -> GreyImage:
    means = np.asarray(pixels, np.uint8)
    height, width = means.shape
    # Three halvings take a quarter of the time of one step by eight.
    for part in (2, 4, 8):
        means = np.asarray(cv2.resize(means, (width // part, height // part), interpolation=cv2.INTER_AREA), np.uint8)
    return means


def _estimate_median(difference: GreyImage) -> float:
    sample = difference[::3, ::3].ravel()
    middle = len(sample) // 2
    return float(np.partition(sample, middle)[middle])
