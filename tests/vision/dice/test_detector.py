"""Candidates of the first net: positions, duplicates, limits."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from train_dice.scenes import render_scene

from companion.vision.dice.detector import (
    MAX_CANDIDATES,
    Candidate,
    DiceDetector,
    _find_peaks,
    is_near,
    is_same_face,
)


@pytest.fixture(scope="module")
def detector() -> DiceDetector:
    return DiceDetector(0.12)


def test_near_candidates_of_similar_size_are_the_same_face() -> None:
    one = Candidate(100, 100, 40, 0.9)
    assert is_same_face(one, Candidate(110, 100, 44, 0.5))
    assert not is_same_face(one, Candidate(121, 100, 40, 0.5))  # a touching die's
    assert not is_same_face(one, Candidate(100, 100, 12, 0.5))  # a pip taken for a die
    assert is_near(one, Candidate(130, 100, 20, 0.5), 0.85)
    assert not is_near(one, Candidate(140, 100, 20, 0.5), 0.85)


@pytest.mark.parametrize(
    ("logits", "centre", "peaks"),
    [
        ((2.0, 1.0), 0.2, [True, False]),
        ((2.0, 1.0), 0.9, [True, True]),
        ((2.0, 2.0), 0.2, [True, True]),
        ((2.0,), 0.0, [True]),
        ((), 0.0, []),
    ],
    ids=["same face", "another die's", "equal", "alone", "empty"],
)
@pytest.mark.parametrize("row", [0, 2])
def test_a_cell_gives_way_to_a_better_neighbour_of_the_same_face(
    logits: tuple[float, ...], centre: float, peaks: list[bool], row: int
) -> None:
    """In the upper left and the lower right corner of the map; faces have an edge of one cell."""
    n = len(logits)
    logit = np.full((3, 3), -9.0, np.float32)
    columns = np.arange(row, row - n, -1) if row else np.arange(n)
    logit[row, columns] = logits
    faces = (np.array([1.5, 1.5 + centre][:n]), np.full(n, 2.5), np.ones(n))
    assert _find_peaks(logit, (np.full(n, row), columns), faces).tolist() == peaks


def test_positions_are_pixels_of_the_frame_as_given(detector: DiceDetector) -> None:
    image, truths, _ = render_scene(900_100)
    large = cv2.resize(image, None, fx=4.0, fy=4.0, interpolation=cv2.INTER_CUBIC)
    small, big = detector.detect(image), detector.detect(np.asarray(large, np.uint8))
    confident = [c for c in small if c.score > 0.5]
    assert confident, truths
    shared = [c for c in confident if any(is_same_face(Candidate(c.x * 4, c.y * 4, c.edge * 4, 1), b) for b in big)]
    assert len(shared) >= 0.8 * len(confident)


def test_the_number_of_candidates_is_limited(detector: DiceDetector, monkeypatch: pytest.MonkeyPatch) -> None:
    image, _, _ = render_scene(900_101)
    candidates = detector.detect(image)
    assert 2 < len(candidates) <= MAX_CANDIDATES
    monkeypatch.setattr("companion.vision.dice.detector.MAX_CANDIDATES", 2)
    assert detector.detect(image) == candidates[:2]


def test_nothing_is_found_on_an_empty_table(detector: DiceDetector) -> None:
    assert detector.detect(np.full((480, 640, 3), 90, np.uint8)) == []
