"""Where the lid lies, and what may lie on it."""

from __future__ import annotations

import numpy as np
import pytest

from companion.vision.frames.blocks import locate_blocks
from companion.vision.reading import Die, Lid
from companion.vision.table.lid_area import is_on_lid, mark_lid_blocks

IMAGE = np.zeros((720, 1280, 3), np.uint8)
NO_BLOCKS = np.zeros((45, 80), np.bool_)
LID = Lid(((100.0, 100.0), (500.0, 100.0), (500.0, 500.0), (100.0, 500.0)), None, ())


def test_the_blocks_of_a_lid_have_a_margin() -> None:
    ground = mark_lid_blocks(IMAGE, NO_BLOCKS, LID, None)
    inside, shadow, outside = (locate_blocks((x, 300, x + 1, 301), IMAGE, ground) for x in (300, 508, 600))
    assert ground[inside].all()
    assert ground[shadow].all()
    assert not ground[outside].any()


@pytest.mark.parametrize(
    ("x", "sure", "on"), [(300, True, True), (300, False, True), (540, False, True), (540, True, False)]
)
def test_only_a_certain_die_may_lie_close_to_the_lid(x: float, sure: bool, on: bool) -> None:
    die = Die(3, (x - 15, 285, x + 15, 315), 0.97 if sure else 0.4)
    assert is_on_lid(die, LID) is on
