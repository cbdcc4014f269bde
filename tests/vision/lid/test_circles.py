"""Tests of the search for circles."""

from __future__ import annotations

import numpy as np
import pytest

from companion.vision.lid.circles import CircleVoter, find_peaks
from companion.vision.lid.image_pyramid import ImagePyramid
from companion.vision.lid.outline import fit_outline
from tests.vision.lid.drawn_lid import DrawnLid


class TestCircles:
    def test_twelve_tokens_give_the_twelve_highest_peaks(self) -> None:
        picture, centers = DrawnLid("staggered").draw()
        edges = CircleVoter(ImagePyramid(picture), 1)
        votes = edges.count_best_votes([33.0, 35.0, 37.0])
        found = edges.to_frame(find_peaks(votes, 14, 0.4, 40)[:12, :2])
        away = np.linalg.norm(found[:, None] - centers, axis=2)
        assert sorted(away.argmin(axis=1).tolist()) == list(range(12))
        assert away.min(axis=1).max() < 5

    def test_an_outline_is_fitted_to_a_fraction_of_a_pixel(self) -> None:
        picture, centers = DrawnLid("grid").draw(tilt=0.0)
        ellipse = fit_outline(picture, *(centers[5] + 2), 35.0)
        assert ellipse is not None
        assert np.linalg.norm(ellipse.center - centers[5]) < 0.7
        assert ellipse.radius == pytest.approx(36.5, abs=1.0)

    def test_an_empty_table_has_no_outline(self) -> None:
        assert fit_outline(np.full((200, 200, 3), 90, np.uint8), 100.0, 100.0, 30.0) is None
