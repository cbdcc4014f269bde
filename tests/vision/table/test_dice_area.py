"""The part of the view in which dice lie."""

from __future__ import annotations

import numpy as np

from companion.vision.frames.blocks import locate_blocks
from companion.vision.reading import Die
from companion.vision.table.dice_area import DiceArea

IMAGE = np.zeros((720, 1280, 3), np.uint8)
NO_BLOCKS = np.zeros((45, 80), np.bool_)


def die_at(x: float, y: float, size: float = 30.0) -> Die:
    return Die(3, (x - size / 2, y - size / 2, x + size / 2, y + size / 2), 0.97)


def test_the_area_is_learnt_from_where_dice_lie() -> None:
    tray = DiceArea()
    assert tray.mark_blocks(IMAGE, NO_BLOCKS).all()
    assert tray.is_near(die_at(10, 10))
    tray.learn([die_at(800, 300), die_at(900, 400)])
    assert tray.box == (725.0, 225.0, 975.0, 475.0)
    ground = tray.mark_blocks(IMAGE, NO_BLOCKS)
    assert ground[locate_blocks((800, 300, 900, 400), IMAGE, ground)].all()
    assert not ground[:, :40].any()
    assert tray.is_near(die_at(1000, 300))
    assert not tray.is_near(die_at(300, 300))
