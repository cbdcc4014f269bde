"""Rims and the rings printed within them, and circles that only their digits tell to be tokens."""

from __future__ import annotations

import numpy as np

from companion.vision.lid.image_pyramid import ImagePyramid
from companion.vision.lid.token_outlines import find_circles_around, find_rims
from tests.vision.lid.drawn_lid import RADIUS, DrawnLid

DRAWN = DrawnLid("grid")


def test_mixed_rings_and_rims_give_equal_rims() -> None:
    _, centers = DRAWN.draw(tilt=0.0)
    sizes = np.where(np.arange(12) % 3, RADIUS, 0.8 * RADIUS)
    tokens = np.column_stack([centers, sizes, np.ones(12)])
    found = find_rims(DRAWN.ringed(0.8), tokens, tokens)
    radii = np.array([e.radius for e in found if e is not None])
    assert len(radii) == 12
    assert radii.max() / radii.min() < 1.04


def test_no_rim_without_an_outline() -> None:
    bare = np.full((720, 1280, 3), 90, np.uint8)
    places = np.array([[300.0, 300.0, RADIUS, 1.0], [500.0, 300.0, RADIUS, 1.0]])
    assert find_rims(bare, places, places) == [None, None]


def test_all_tokens_are_found_around_some_known_ones() -> None:
    picture, centers = DRAWN.draw()
    some = np.column_stack([centers[:6], np.full(6, 0.9 * RADIUS)])
    found = find_circles_around(ImagePyramid(picture), some)
    away = np.linalg.norm(found[:, None, :2] - centers, axis=2).min(axis=0)
    assert away.max() < 5
    assert (np.diff(found[:, 3]) <= 0).all()
