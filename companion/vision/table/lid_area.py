"""Where the lid lies on the table: its blocks, whether it moved, and what lies on it or below a hand."""

from dataclasses import dataclass, replace
from math import dist

import cv2
import numpy as np

from companion.vision.frames.blocks import BLOCK_SIDE_PX, MOTION_WIDTH_PX, BlockMask, locate_blocks
from companion.vision.reading import Die, Image, Lid
from companion.vision.table.hands import dilate_blocks

_SHADOW_DIAGONALS = 0.03
"""How far the lid's shadow and the side of its box reach beyond its outline, in diagonals of the lid."""

_TAG_REACH_DIAGONALS = 0.12
"""How far printed tags reach beyond the lid's outline, in diagonals of the lid. Larger: dice near it are missed."""

_MAX_SIDE_CHANGE = 0.12
"""Greatest relative change of a side of the lid from one place on the table to another, seen obliquely.

Larger: misread lids are believed more often."""


@dataclass(frozen=True, slots=True)
class BlockMap:
    """The view in blocks.

    >>> nothing = np.zeros((60, 80), bool)
    >>> int(BlockMap(nothing, nothing, nothing, nothing, dice_area=~nothing).dice_area.sum())
    4800

    Attributes:
        moving: what moves now.
        changed: what differs from the table as last read.
        lid: where the lid lies and lay.
        hands: where hands are.
        dice_area: where dice may lie.
    """

    moving: BlockMask
    changed: BlockMask
    lid: BlockMask
    hands: BlockMask
    dice_area: BlockMask


def mark_lid_blocks(image: Image, blocks: BlockMask, *lids: Lid | None) -> BlockMask:
    """Return the blocks that any of these lids takes up, with a margin for shadows.

    Args:
        image: the frame, (H, W, 3) uint8 BGR; only its shape is used.
        blocks: any block mask of the same frame; only its shape is used.
        lids: lids in pixels of `image`; None is skipped.

    Returns:
        Flags, shape (rows, columns) bool, as `blocks`; all False without a lid.
    """
    marked = np.zeros_like(blocks)
    scale = np.array([blocks.shape[1] / image.shape[1], blocks.shape[0] / image.shape[0]])
    for lid in filter(None, lids):
        corners = np.array(lid.corners) * scale
        filled = cv2.fillConvexPoly(np.zeros(blocks.shape, np.uint8), np.round(corners).astype(np.int32), 1)
        margin = 1 + round(_SHADOW_DIAGONALS * float(np.linalg.norm(corners[0] - corners[2])))
        marked |= dilate_blocks(filled > 0, margin)
    return marked


def has_lid_moved(before: Lid, now: Lid, image: Image) -> bool:
    """Return whether a corner of the lid moved by more than one block of the motion detector (1/80 of the width).

    Args:
        before: the lid in an earlier frame, in pixels.
        now: the lid in the present frame, in pixels.
        image: the frame, (H, W, 3) uint8 BGR, of the same size as the earlier one; only its shape is used.
    """
    travel = max(map(dist, before.corners, now.corners))
    return bool(travel > BLOCK_SIDE_PX * image.shape[1] / MOTION_WIDTH_PX)


def is_same_lid_size(one: Lid, other: Lid) -> bool:
    """Return whether two readings have sides of similar length (within 12 %), as correct readings of one lid have.

    Args:
        one: a lid in pixels of a frame.
        other: a lid in pixels of a frame of the same size.
    """
    sides = ([dist(lid.corners[i - 1], lid.corners[i]) for i in range(4)] for lid in (one, other))
    return all(abs(a - b) <= _MAX_SIDE_CHANGE * max(a, b) for a, b in zip(*sides, strict=True))


def hide_windows_below_hands(hands: BlockMask, lid: Lid, image: Image) -> Lid:
    """Return the lid with all windows that lie below a hand marked as not visible.

    Args:
        hands: flags of the blocks of hands, shape (rows, columns) bool, as `find_hands` returns them.
        lid: the lid in pixels of `image`; not changed.
        image: the frame, (H, W, 3) uint8 BGR; only its shape is used.

    Returns:
        A copy; `covered` and `number` of hidden windows are None, and their confidence is 0.
    """
    windows = (
        replace(window, covered=None, number=None, confidence=0.0)
        if hands[locate_blocks((*window.center, *window.center), image, hands)].any()
        else window
        for window in lid.windows
    )
    return replace(lid, windows=tuple(windows))


def is_on_lid(die: Die, lid: Lid) -> bool:
    """Return whether a die lies on the lid: then it is no die, but something dotted in a window's picture.

    An uncertain die also counts as on the lid up to a margin beside it, where printed tags may be attached.

    Args:
        die: a die in pixels of the frame.
        lid: the lid in the same frame.
    """
    outline = np.array(lid.corners, dtype=np.float32)
    margin = 0.0 if die.is_certain else _TAG_REACH_DIAGONALS * float(np.linalg.norm(outline[0] - outline[2]))
    return cv2.pointPolygonTest(outline, die.center, measureDist=True) >= -margin
