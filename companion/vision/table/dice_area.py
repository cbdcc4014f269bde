"""The part of the view in which dice lie, and where to search for dice that moved.

Dice on or beside the lid: `lid_area.py`. Which dice count at all: `_may_be_die` in `watcher.py`.
"""

from collections.abc import Sequence

import numpy as np

from companion.vision.frames.blocks import BlockMask, enclose_blocks, locate_blocks
from companion.vision.frames.view_shift import ViewShift
from companion.vision.reading import BoundingBox, Die, Image, clip_box

_LEARNT_MARGIN_SIDES = 2
"""Margin around a die that joins the dice area, in sides of the die. Larger: the area grows faster."""

_AREA_MARGIN_SIDES = 4
"""How far the tray may reach beyond the dice area, in sides of a die. Larger: clutter is taken for dice more often."""

_SEARCH_MARGIN_SHARE = 0.03
"""Margin around a change in which dice are searched, as a share of the frame's width, where no die lay before."""


class DiceArea:
    """The part of the view in which dice have lain, learnt from throw to throw; users need not configure it.

    >>> area = DiceArea()
    >>> area.learn([Die(5, (100, 80, 140, 120), 0.97)])
    >>> area.box, area.is_near(Die(5, (600, 400, 640, 440), 0.97))
    ((20, 0, 220, 200), False)

    Args:
        box: the area, left, top, right, bottom in pixels of the frame; None: no die has lain anywhere yet.

    Attributes:
        box: the present area, in the same form.
    """

    def __init__(self, box: BoundingBox | None = None) -> None:
        self.box = box

    def learn(self, dice: Sequence[Die]) -> None:
        """Extend the area to the places where these dice lie, with a margin.

        Args:
            dice: dice at rest, in pixels of the frame; if it is empty the area stays. The margin is 2 sides of each.
        """
        for die in dice:
            grown = _grow_box(die.box, _LEARNT_MARGIN_SIDES * die.side)
            self.box = grown if self.box is None else _enclose_boxes([grown, self.box])

    def apply_shift(self, shift: ViewShift) -> None:
        """Move the area with the view.

        Args:
            shift: the view's motion, in pixels of the full frame (see `ViewShift.rescaled_to`).
        """
        if self.box is not None:
            self.box = shift.move_box(self.box)

    def is_near(self, die: Die) -> bool:
        """Return whether a die's centre is at most 4 of its sides outside the area; always True while there is none.

        Args:
            die: a die in pixels of the frame.
        """
        if self.box is None:
            return True
        x0, y0, x1, y1 = _grow_box(self.box, _AREA_MARGIN_SIDES * die.side)
        x, y = die.center
        return x0 <= x <= x1 and y0 <= y <= y1

    def mark_blocks(self, image: Image, blocks: BlockMask) -> BlockMask:
        """Return the blocks of the area; all blocks while there is none.

        Args:
            image: the frame, (H, W, 3) uint8 BGR; only its shape is used.
            blocks: any block mask of the same frame; only its shape is used.

        Returns:
            Flags, shape (rows, columns) bool, as `blocks`.
        """
        if self.box is None:
            return np.ones_like(blocks)
        marked = np.zeros_like(blocks)
        marked[locate_blocks(self.box, image, blocks)] = True
        return marked


def find_search_region(changed: BlockMask, dice_at_rest: Sequence[Die], image: Image) -> BoundingBox | None:
    """Return where in the frame to search for dice: around the changes and around the dice that lay there.

    The margin is one side of a die, because a die that looks like the table may not look changed.

    Args:
        changed: flags of the changed blocks, shape (rows, columns) bool.
        dice_at_rest: the dice as they lay before, in pixels of `image`; without any, the margin is 3 % of the width.
        image: the frame, (H, W, 3) uint8 BGR; only its shape is used.

    Returns:
        Left, top, right, bottom in pixels of `image`, inside the frame; None: nothing changed.
    """
    around = enclose_blocks(changed, image)
    if around is None:
        return None
    margin = max((die.side for die in dice_at_rest), default=_SEARCH_MARGIN_SHARE * image.shape[1])
    return clip_box(_grow_box(_enclose_boxes([around, *(die.box for die in dice_at_rest)]), margin), image)


def _grow_box(box: BoundingBox, margin: float) -> BoundingBox:
    """Return the box with `margin` pixels more on every side."""
    return box[0] - margin, box[1] - margin, box[2] + margin, box[3] + margin


def _enclose_boxes(boxes: Sequence[BoundingBox]) -> BoundingBox:
    """Return the smallest box that contains all of these."""
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)
