"""A place under other light is distinguished from a hand.

No throw in changing light: tests/vision/table/test_watcher_states.py.
"""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.vision.frames.relighting import are_only_relit
from companion.vision.reading import GreyImage

PLACE = np.zeros((45, 80), np.bool_)
PLACE[10:35, 30:60] = True
THRESHOLD = 6.0


def draw_table(light: float = 1.0, *, hand: int | None = None) -> GreyImage:
    """A grey table, 640x360, with light of this share in `PLACE`, or a hand of this level there."""
    rng = np.random.default_rng(5)
    table = 110 + cv2.GaussianBlur(rng.normal(0, 40, (360, 640)), (0, 0), 2)
    part = table[80:280, 240:480]
    part *= light
    if hand is not None:
        cv2.ellipse(table, (360, 180), (110, 90), 0, 0, 360, hand, -1)
    return np.asarray(np.clip(table + rng.normal(0, 2, table.shape), 0, 255), np.uint8)


@pytest.mark.parametrize("light", [0.82, 0.95, 1.2])
def test_a_place_under_other_light_is_only_relit(light: float) -> None:
    assert are_only_relit(draw_table(light), draw_table(), PLACE, THRESHOLD)


@pytest.mark.parametrize("level", [60, 85, 140, 200])
def test_a_hand_is_not_only_light(level: int) -> None:
    assert not are_only_relit(draw_table(hand=level), draw_table(), PLACE, THRESHOLD)


def test_what_is_as_it_was_is_not_relit() -> None:
    assert not are_only_relit(draw_table(), draw_table(), PLACE, THRESHOLD)


def test_a_plain_hand_over_a_plain_table_shows_its_edges() -> None:
    table = np.full((360, 640), 110, np.uint8)
    hand = table.copy()
    cv2.ellipse(hand, (360, 180), (110, 90), 0, 0, 360, 130, -1)
    place = cv2.resize((hand > 120).astype(np.uint8), (80, 45), interpolation=cv2.INTER_AREA) > 0
    assert not are_only_relit(hand, table, place, THRESHOLD)
