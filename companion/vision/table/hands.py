"""Find hands that reach into the view among the changed blocks of a frame.

Windows below a hand: `hide_windows_below_hands` in `lid_area.py`.
"""

from collections.abc import Callable

import cv2
import numpy as np

from companion.vision.frames.blocks import BlockMask

_MIN_HAND_SHARE = 0.008
"""Least share of the view that a hand takes; dice take a tenth of it. Larger: small hands are missed."""

_MIN_ARM_BLOCKS = 3
"""Least number of blocks at the view's border that an arm over the lid takes. Larger: thin arms are missed."""

_MIN_HAND_CORE_SHARE = 0.002
"""Least share of the view that a hand takes more than one block inside its outline. Larger: thin hands are missed."""

_MIN_FLOATING_HAND_SHARE = 0.06
"""Share of the view from which a change is a hand even away from the border: a sleeve may look like the table.

Larger: such hands are missed; smaller: moved objects look like hands."""


def find_hands(
    changed: BlockMask,
    lid_blocks: BlockMask | None = None,
    uncovered_blocks: BlockMask | None = None,
    *,
    floating: bool = True,
) -> BlockMask:
    """Find the changed blocks that are hands: larger than dice, and usually connected to the border of the view.

    >>> changed = np.zeros((60, 80), bool)
    >>> changed[20:35, 40:80] = True
    >>> bool(find_hands(changed)[25, 60]), bool(find_hands(np.zeros((60, 80), bool)).any())
    (True, False)

    Players reach in from outside the view; dice and tokens lie inside. Changes on the lid are left out, unless they
    come in from the border as wide as an arm.

    Args:
        changed: flags of the blocks that differ from the table as last read, shape (rows, columns) bool.
        lid_blocks: where the lid lies, of the same shape; None: there is none.
        uncovered_blocks: where the lid moved away or to, of the same shape; an arm does not enter there. None: it has
            not moved. Ignored without `lid_blocks`.
        floating: whether changes of 6 % of the view and more are hands wherever they are; else only those connected to
            the border are.

    Returns:
        Flags of the blocks of hands, shape (rows, columns) bool; all False if there is no hand.

    Raises:
        ValueError: the masks differ in shape.
    """
    min_share = _MIN_FLOATING_HAND_SHARE if floating else None
    if lid_blocks is None:
        return _find_large_pieces(changed, changed, 1, min_share)
    entries = changed if uncovered_blocks is None else changed & ~uncovered_blocks
    beside = changed & ~lid_blocks
    over_lid = _find_large_pieces(changed, entries, _MIN_ARM_BLOCKS, None)
    return _find_large_pieces(beside, beside, 1, min_share) | over_lid


def drop_relit_pieces(hands: BlockMask, is_relit: Callable[[BlockMask], bool]) -> BlockMask:
    """Return the hands without the connected pieces that only the light changed.

    Args:
        hands: flags, shape (rows, columns) bool; not changed.
        is_relit: tells it of one piece, flags of the same shape.
    """
    count, labels = cv2.connectedComponents(hands.astype(np.uint8), connectivity=8)
    kept = [piece for piece in (labels == label for label in range(1, count)) if not is_relit(piece)]
    return np.asarray(np.any(kept, axis=0) if kept else np.zeros_like(hands), np.bool_)


def _find_large_pieces(
    changed: BlockMask, entries: BlockMask, min_entries: int, min_floating_share: float | None
) -> BlockMask:
    """Find connected pieces that are as large as a hand.

    Args:
        changed: the blocks to look at.
        entries: blocks at which a piece may be connected to the border.
        min_entries: number of such blocks at the border that make a piece a hand.
        min_floating_share: share of the view that makes a piece a hand without them; None: none does.
    """
    kernel = np.ones((3, 3), np.uint8)
    joined = cv2.morphologyEx(changed.astype(np.uint8), cv2.MORPH_CLOSE, kernel)
    # Arms and hands are some blocks wide; the edge of a lid that was pushed, or of its shadow, is not.
    core = cv2.erode(joined, kernel, borderType=cv2.BORDER_CONSTANT, borderValue=0)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
    border = entries.copy()
    border[1:-1, 1:-1] = False
    hands = np.zeros_like(changed)
    for label in range(1, count):
        share = stats[label, cv2.CC_STAT_AREA] / changed.size
        if share < _MIN_HAND_SHARE:
            continue
        piece = labels == label
        floats = min_floating_share is not None and share >= min_floating_share
        is_connected = np.count_nonzero(border & piece) >= min_entries
        if (is_connected or floats) and np.count_nonzero(core[piece]) >= _MIN_HAND_CORE_SHARE * changed.size:
            hands |= piece
    return hands


def dilate_blocks(blocks: BlockMask, distance: int) -> BlockMask:
    """Return the flagged blocks and all blocks near one.

    Args:
        blocks: flags, shape (rows, columns) bool; not changed.
        distance: distance in blocks, diagonals included, 0 or more.

    Returns:
        Flags of the same shape, a new array.

    Raises:
        ValueError: `distance` is negative.
    """
    side = 2 * distance + 1
    return np.asarray(cv2.dilate(blocks.astype(np.uint8), np.ones((side, side), np.uint8)), np.bool_)
