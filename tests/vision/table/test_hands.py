"""Hands among the changed blocks of a frame. What the watcher makes of a hand: test_watcher_dice, _lid and _states."""

from __future__ import annotations

import numpy as np
import pytest

from companion.vision.frames.blocks import BlockMask
from companion.vision.table.hands import find_hands


def blocks(*areas: tuple[slice, slice]) -> BlockMask:
    flags = np.zeros((45, 80), np.bool_)
    for area in areas:
        flags[area] = True
    return flags


ARM = (slice(20, 45), slice(30, 37))
DICE = (slice(10, 13), slice(60, 63))


def test_an_arm_from_the_border_is_a_hand_and_dice_are_none() -> None:
    hands = find_hands(blocks(ARM, DICE))
    assert hands[ARM].all()
    assert not hands[DICE].any()


@pytest.mark.parametrize(
    "area",
    [
        (slice(43, 45), slice(10, 50)),  # the shadow of a lid at the border
        (slice(41, 45), slice(10, 13)),  # a die that rolled to the border
        (slice(5, 20), slice(10, 17)),  # a lid's window and its neighbours, away from the border
    ],
)
def test_thin_small_or_floating_changes_are_no_hands(area: tuple[slice, slice]) -> None:
    assert not find_hands(blocks(area)).any()


def test_a_change_as_large_as_a_hand_is_one_anywhere() -> None:
    assert find_hands(blocks((slice(5, 30), slice(10, 30)))).any()


def test_an_arm_over_the_lid_is_a_hand_and_a_token_there_is_none() -> None:
    ground = blocks((slice(15, 45), slice(20, 60)))
    token = (slice(30, 34), slice(42, 46))
    assert find_hands(blocks(ARM, token), ground)[ARM].all()
    assert not find_hands(blocks(token), ground).any()
    assert not find_hands(ground, ground)[:, 61:].any()
