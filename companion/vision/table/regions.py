"""Where on the table things are: hands that reach in, the lid's ground, the part of the view where dice lie."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import dist

import cv2
import numpy as np

from companion.vision.frames.motion import BLOCK_SIDE_PX, MOTION_WIDTH_PX, BlockMask, enclose_blocks, locate_blocks
from companion.vision.frames.view_shift import ViewShift
from companion.vision.reading import MIN_PLAY_CONFIDENCE, BoundingBox, Die, Image, Lid, Point

_MIN_HAND_SHARE = 0.008
"""The least share of the view that a hand takes; dice are an order smaller."""
_MIN_ARM_BLOCKS = 3
"""So many blocks of the border are the least that an arm takes."""
_MIN_HAND_CORE_SHARE = 0.002
"""The least share of the view that a hand takes beyond one block from its outline."""
_MIN_FLOATING_HAND_SHARE = 0.06
"""From this share on something is a hand though nothing joins it to the border: a sleeve of the table's colour."""
_SHADOW_DIAGONALS = 0.03
"""How far a lid's shadow and its box's side reach, in diagonals of the lid."""
_TAG_REACH_DIAGONALS = 0.12
"""How far beyond the lid's outline tags reach, in diagonals of the lid."""
_MAX_SIDE_CHANGE = 0.12
"""By so much, in shares, a lid's sides may differ from one place on the table to another, seen aslant."""
_MIN_TOUCHING_DISTANCE_SIDES = 0.85
"""Dice that touch lie a side apart, less what the boxes are off."""
_DICE_AREA_MARGIN_SIDES = 4
"""How far beyond where dice have lain the tray may reach, in sides of a die."""


def find_hands(
    changed: BlockMask,
    lid_blocks: BlockMask | None = None,
    uncovered_blocks: BlockMask | None = None,
    *,
    floating: bool = True,
) -> BlockMask:
    """The changed blocks that are hands: larger than dice, and as a rule in one piece with the frame's border.

    Whoever sits at the table reaches in from outside the view; dice and tokens lie within it. What changed on the
    lid's `ground` is left out, unless it comes in from the border as broadly as an arm does, elsewhere than over the
    `fresh` ground that the lid itself came to or left. `floating`: large pieces count wherever they are, for an arm
    may look like the table.
    """
    within = _MIN_FLOATING_HAND_SHARE if floating else None
    if lid_blocks is None:
        return _find_large_pieces(changed, changed, foot=1, within=within)
    feet = changed if uncovered_blocks is None else changed & ~uncovered_blocks
    beside = changed & ~lid_blocks
    return _find_large_pieces(beside, beside, foot=1, within=within) | _find_large_pieces(
        changed, feet, foot=_MIN_ARM_BLOCKS, within=None
    )


def _find_large_pieces(changed: BlockMask, feet: BlockMask, foot: int, within: float | None) -> BlockMask:
    """The pieces with `foot` of the `feet` or more at the border, or of the share `within` of the view wherever."""
    kernel = np.ones((3, 3), np.uint8)
    joined = cv2.morphologyEx(changed.astype(np.uint8), cv2.MORPH_CLOSE, kernel)
    # Arms and hands are some blocks wide; the rim of a lid that was pushed, or of its shadow, is not.
    thick = cv2.erode(joined, kernel, borderType=cv2.BORDER_CONSTANT, borderValue=0)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
    border = feet.copy()
    border[1:-1, 1:-1] = False
    hands = np.zeros_like(changed)
    for label in range(1, count):
        share = stats[label, cv2.CC_STAT_AREA] / changed.size
        if share < _MIN_HAND_SHARE:
            continue
        piece = labels == label
        stands = np.count_nonzero(border & piece) >= foot
        if not (stands or (within is not None and share >= within)):
            continue
        if np.count_nonzero(thick[piece]) >= _MIN_HAND_CORE_SHARE * changed.size:
            hands |= piece
    return hands


def mark_lid_blocks(lids: Sequence[Lid], image: Image, blocks: BlockMask) -> BlockMask:
    """The blocks that these lids take up, with a margin for their shadows; `blocks` gives the shape."""
    ground = np.zeros_like(blocks)
    scale = np.array([blocks.shape[1] / image.shape[1], blocks.shape[0] / image.shape[0]])
    for lid in lids:
        corners = np.array(lid.corners) * scale
        filled = cv2.fillConvexPoly(np.zeros(blocks.shape, np.uint8), np.round(corners).astype(np.int32), 1)
        ground |= dilate_blocks(
            filled > 0, 1 + round(_SHADOW_DIAGONALS * float(np.linalg.norm(corners[0] - corners[2])))
        )
    return ground


def drop_missing(*lids: Lid | None) -> list[Lid]:
    """Those that there are."""
    return [lid for lid in lids if lid is not None]


def has_lid_moved(before: Lid, now: Lid, image: Image) -> bool:
    """Whether the lid lies elsewhere, by more than a block."""
    return bool(max(map(dist, before.corners, now.corners)) > BLOCK_SIDE_PX * image.shape[1] / MOTION_WIDTH_PX)


def is_same_lid_size(one: Lid, other: Lid) -> bool:
    """Whether both can be the same lid, read right: its sides do not grow."""
    sides = ([dist(lid.corners[i - 1], lid.corners[i]) for i in range(4)] for lid in (one, other))
    return all(abs(a - b) <= _MAX_SIDE_CHANGE * max(a, b) for a, b in zip(*sides, strict=True))


def hide_windows_below_hands(hands: BlockMask, lid: Lid, image: Image) -> Lid:
    """The lid without what was read of windows that are below a hand."""
    windows = (
        replace(window, covered=None, number=None, confidence=0.0)
        if hands[locate_blocks((*window.center, *window.center), image, hands)].any()
        else window
        for window in lid.windows
    )
    return replace(lid, windows=tuple(windows))


def dilate_blocks(blocks: BlockMask, by: int) -> BlockMask:
    """The flagged blocks and their neighbours up to `by` blocks away."""
    side = 2 * by + 1
    wide: BlockMask = cv2.dilate(blocks.astype(np.uint8), np.ones((side, side), np.uint8)) > 0
    return wide


def box_center(box: BoundingBox) -> Point:
    """The box's middle."""
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def box_side(box: BoundingBox) -> float:
    """The box's longer side in pixels."""
    return max(box[2] - box[0], box[3] - box[1])


def is_on_lid(die: Die, lid: Lid, *, certain: bool) -> bool:
    """Whether this lies on the lid: then it is no die, but something dotted in a window's picture.

    What is not `sure` to be a die is none beside the lid either, where printed tags may be stuck on.
    """
    outline = np.array(lid.corners, dtype=np.float32)
    margin = 0.0 if certain else _TAG_REACH_DIAGONALS * float(np.linalg.norm(outline[0] - outline[2]))
    return cv2.pointPolygonTest(outline, box_center(die.box), measureDist=True) >= -margin


def drop_side_faces(dice: Sequence[Die]) -> tuple[Die, ...]:
    """The dice without what is unsure and closer to a sure top face than another die can lie: one of its side faces."""
    sure = [die for die in dice if die.confidence >= MIN_PLAY_CONFIDENCE]
    return tuple(
        die
        for die in dice
        if die.confidence >= MIN_PLAY_CONFIDENCE
        or all(die_distance(die, other) >= _MIN_TOUCHING_DISTANCE_SIDES for other in sure)
    )


class DiceArea:
    """The part of the view in which dice have lain, learnt from throw to throw; nobody has to show it."""

    def __init__(self, box: BoundingBox | None = None) -> None:
        self.box = box

    def learn(self, dice: Sequence[Die]) -> None:
        """Takes in where dice lie, with two dice's sides around them."""
        for die in dice:
            x0, y0, x1, y1 = grow_box(die.box, 2 * box_side(die.box))
            if self.box is not None:
                x0, y0, x1, y1 = (
                    min(x0, self.box[0]),
                    min(y0, self.box[1]),
                    max(x1, self.box[2]),
                    max(y1, self.box[3]),
                )
            self.box = (x0, y0, x1, y1)

    def apply_shift(self, shift: ViewShift) -> None:
        """The view moved, and what is known of it with it."""
        if self.box is not None:
            self.box = shift.move_box(self.box)

    def is_near(self, die: Die) -> bool:
        """Whether a die may be thrown there: within some dice's sides of where dice have lain, or none have yet."""
        if self.box is None:
            return True
        x0, y0, x1, y1 = grow_box(self.box, _DICE_AREA_MARGIN_SIDES * box_side(die.box))
        x, y = box_center(die.box)
        return x0 <= x <= x1 and y0 <= y <= y1

    def mark_blocks(self, image: Image, blocks: BlockMask) -> BlockMask:
        """The blocks in which dice may lie: all of them as long as no die was seen."""
        if self.box is None:
            return np.ones_like(blocks)
        ground = np.zeros_like(blocks)
        ground[locate_blocks(self.box, image, blocks)] = True
        return ground


def find_search_region(changed: BlockMask, dice_at_rest: Sequence[Die], image: Image) -> BoundingBox | None:
    """Where in the frame (pixels) to look for dice: where something changed and where dice lay; None: nothing changed.

    Around it is a die's side more, for a die may look like the table where it does not look changed.
    """
    around = enclose_blocks(changed, image)
    if around is None:
        return None
    boxes = [around, *(die.box for die in dice_at_rest)]
    margin = max((box_side(die.box) for die in dice_at_rest), default=0.03 * image.shape[1])
    x0, y0, x1, y1 = grow_box(
        (min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes)),
        margin,
    )
    height, width = image.shape[:2]
    return max(0.0, x0), max(0.0, y0), min(float(width), x1), min(float(height), y1)


def grow_box(box: BoundingBox, by: float) -> BoundingBox:
    """The box with `by` pixels more on every side."""
    return box[0] - by, box[1] - by, box[2] + by, box[3] + by


def die_distance(one: Die, other: Die) -> float:
    """How far two dice lie from each other, in sides of a die."""
    return dist(box_center(one.box), box_center(other.box)) / max(1.0, box_side(one.box), box_side(other.box))
