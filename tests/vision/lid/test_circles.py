"""Tests of the search for circles."""

from __future__ import annotations

import numpy as np
import pytest

from companion.vision.lid.outline import fit_outline
from tests.vision.lid.drawn_lid import DrawnLid


class TestCircles:
    def test_an_outline_is_fitted_to_a_fraction_of_a_pixel(self) -> None:
        picture, centers = DrawnLid("grid").draw(tilt=0.0)
        ellipse = fit_outline(picture, *(centers[5] + 2), 35.0)
        assert ellipse is not None
        assert np.linalg.norm(ellipse.center - centers[5]) < 0.7
        assert ellipse.radius == pytest.approx(36.5, abs=1.0)
