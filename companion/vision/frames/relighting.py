"""Differences of two grey frames, block by block, and whether light alone explains them."""

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.frames.blocks import BLOCK_SIDE_PX, BlockMask, average_blocks
from companion.vision.reading import GreyImage

MAX_GAIN_RATIO = 1.25
"""Largest change of a camera's exposure from frame to frame; lamps that flicker by more change everything. If it grows,
hands that darken the view are missed."""

MIN_GAIN_CHANGE_SHARE = 0.01
"""Least change of light, as a share, that is removed. If it grows, weak flicker counts as motion."""

MIN_EDGE_LEVELS = 8
"""Mean difference of neighbouring pixels (grey levels) from which a block shows edges. If it grows, fewer blocks do."""

_LIGHT_TOLERANCE_SHARE = 0.25
"""Share of a change of light that is tolerated in each block: clipped and dark parts follow it less, shadows otherwise.
If it grows, motions during flicker are missed."""

_MAX_THING_SHARE = 0.2
"""Largest share of a place under other light that dice may have changed as well. If it grows, hands that are nearly as
bright as the table are missed."""

_MAX_NEW_EDGE_SHARE = 0.2
"""Largest share of such a place's outline with edges that were not there: a hand has them around it. If it grows, hands
are missed."""

_NEW_EDGE_RATIO = 1.3
"""A block shows a new edge if its edges exceed this multiple of those that it had, and `_NEW_EDGE_LEVELS` more. If it
grows, hands in front of patterned tables are missed."""

_NEW_EDGE_LEVELS = 2.0
"""Grey levels, see `_NEW_EDGE_RATIO`. If it grows, hands nearly as bright as the table are missed."""

_BLOCK_AND_NEIGHBOURS = np.ones((3, 3), np.uint8)


def measure_differences(a: GreyImage, b: GreyImage) -> GreyImage:
    """Return the mean absolute difference in each block, (rows, columns) uint8, of frames of one size.

    >>> light, dark = np.full((16, 16), 200, np.uint8), np.full((16, 16), 150, np.uint8)
    >>> measure_differences(light, dark).tolist()
    [[50, 50], [50, 50]]
    """
    return average_blocks(cv2.absdiff(a, b))


def measure_relit_differences(grey: GreyImage, before: GreyImage, gains: npt.NDArray[np.floating[Any]]) -> GreyImage:
    """Return the differences as if the light had changed before, less what the change tolerates.

    Args:
        grey: the frame, (h, w) uint8, whole blocks.
        before: the earlier frame, of the same size.
        gains: the changes of light, one per row of blocks: 1.1 is a tenth lighter.

    Returns:
        Levels, (rows, columns) uint8.
    """
    each = cv2.resize(gains.astype(np.float32)[:, None], (1, len(grey)))
    difference = measure_differences(grey, np.asarray(cv2.convertScaleAbs(before * each), np.uint8))
    tolerance = average_blocks(grey) * (_LIGHT_TOLERANCE_SHARE * np.abs(gains - 1))[:, None]
    return np.asarray(cv2.subtract(difference, cv2.convertScaleAbs(tolerance)), np.uint8)


def measure_edges(grey: GreyImage) -> GreyImage:
    """Return each block's mean difference of neighbouring pixels, both directions added, (rows, columns) uint8."""
    across = cv2.absdiff(grey[1:, 1:], grey[1:, :-1])
    down = cv2.absdiff(grey[1:, 1:], grey[:-1, 1:])
    return average_blocks(cv2.copyMakeBorder(cv2.add(across, down), 1, 0, 1, 0, cv2.BORDER_REPLICATE))


def are_only_relit(now: GreyImage, then: GreyImage, blocks: BlockMask, threshold: float) -> bool:
    """Return whether light alone explains how some blocks differ from an earlier frame.

    They became lighter or darker by one share, but for dice among them, and around them no edge appeared, as a hand's
    would: a coloured tray may do so when the camera adapts to a throw.

    Args:
        now: the frame, (h, w) uint8, whole blocks.
        then: the earlier frame, of the same size.
        blocks: the blocks, shape (rows, columns) bool, at least one; connected.
        threshold: difference, in grey levels, up to which noise explains a block.
    """
    (top, bottom), (left, right) = (np.flatnonzero(blocks.any(axis=axis))[[0, -1]] for axis in (1, 0))
    inside = blocks[top : bottom + 1, left : right + 1]
    rows = slice(BLOCK_SIDE_PX * top, BLOCK_SIDE_PX * (bottom + 1))
    columns = slice(BLOCK_SIDE_PX * left, BLOCK_SIDE_PX * (right + 1))
    now, then = now[rows, columns], then[rows, columns]
    gain = float(np.median((average_blocks(now) / np.maximum(average_blocks(then), 1).astype(np.float32))[inside]))
    if abs(gain - 1) < MIN_GAIN_CHANGE_SHARE or not 1 / MAX_GAIN_RATIO < gain < MAX_GAIN_RATIO:
        return False
    core = cv2.erode(inside.astype(np.uint8), _BLOCK_AND_NEIGHBOURS, borderType=cv2.BORDER_CONSTANT, borderValue=0) > 0
    difference = measure_relit_differences(now, then, np.full(len(inside), gain))
    if np.count_nonzero(difference[core] > threshold) > _MAX_THING_SHARE * np.count_nonzero(core):
        return False
    outline = inside & ~core
    is_new_edge = measure_edges(now) > _NEW_EDGE_RATIO * gain * measure_edges(then) + _NEW_EDGE_LEVELS
    return bool(np.count_nonzero(is_new_edge[outline]) <= _MAX_NEW_EDGE_SHARE * np.count_nonzero(outline))
