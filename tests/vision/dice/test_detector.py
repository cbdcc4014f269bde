"""Where the first net looks for dice, and what it makes of what it finds."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from train_dice.scenes import CLEAR, scene

from companion.vision.dice.detector import MAX_CANDIDATES, Candidate, DiceDetector, is_near, is_same_face


@pytest.fixture(scope="module")
def finder() -> DiceDetector:
    return DiceDetector(0.12)


def test_faces_are_the_same_when_near_and_alike() -> None:
    one = Candidate(100, 100, 40, 0.9)
    assert is_same_face(one, Candidate(110, 100, 44, 0.5))
    assert not is_same_face(one, Candidate(121, 100, 40, 0.5))  # a touching die's
    assert not is_same_face(one, Candidate(100, 100, 12, 0.5))  # a pip taken for a die
    assert is_near(one, Candidate(130, 100, 20, 0.5), 0.85)
    assert not is_near(one, Candidate(140, 100, 20, 0.5), 0.85)


def test_clear_dice_are_found_where_they_lie(finder: DiceDetector) -> None:
    clear = found = 0
    for seed in range(900_100, 900_140):
        image, truths, _ = scene(seed)
        candidates = finder.detect(image)
        assert [c.score for c in candidates] == sorted((c.score for c in candidates), reverse=True)
        for t in truths:
            if t.state == CLEAR and t.edge >= 20:
                clear += 1
                near = (c for c in candidates if np.hypot(c.x - t.x, c.y - t.y) < 0.35 * t.edge)
                found += any(0.6 < c.edge / t.edge < 1.7 for c in near)
    assert clear >= 40
    assert found / clear >= 0.9


def test_places_are_pixels_of_the_frame_as_it_was_given(finder: DiceDetector) -> None:
    image, truths, _ = scene(900_100)
    large = cv2.resize(image, None, fx=4.0, fy=4.0, interpolation=cv2.INTER_CUBIC)
    small, big = finder.detect(image), finder.detect(np.asarray(large, np.uint8))
    hot = [c for c in small if c.score > 0.5]
    assert hot, truths
    shared = [c for c in hot if any(is_same_face(Candidate(c.x * 4, c.y * 4, c.edge * 4, 1), b) for b in big)]
    assert len(shared) >= 0.8 * len(hot)


def test_clutter_gives_no_more_candidates_than_there_is_time_for(
    finder: DiceDetector, monkeypatch: pytest.MonkeyPatch
) -> None:
    image, _, _ = scene(900_101)
    every = finder.detect(image)
    assert 2 < len(every) <= MAX_CANDIDATES
    monkeypatch.setattr("companion.vision.dice.detector.MAX_CANDIDATES", 2)
    assert finder.detect(image) == every[:2]


def test_nothing_is_found_on_an_empty_table(finder: DiceDetector) -> None:
    assert finder.detect(np.full((480, 640, 3), 90, np.uint8)) == []
