"""Tests of the lid's plane geometry."""

from __future__ import annotations

import numpy as np
import pytest

from companion.vision.lid.geometry import (
    Ellipse,
    compute_scale,
    find_changed_colours,
    fit_homography,
    invert,
    make_rigid_motion,
    project_points,
    rectify_circles,
)
from companion.vision.lid.window_places import sort_in_reading_order

SLANT = np.array([[1.9, 0.1, 400.0], [-0.1, 1.8, 300.0], [0.0001, 0.0004, 1.0]])


class TestGeometry:
    @pytest.mark.parametrize("count", [8, 12])
    def test_fit_recovers_a_homography(self, count: int) -> None:
        points = np.random.default_rng(1).uniform(-80, 80, (count, 2))
        found = fit_homography(points, project_points(SLANT, points), np.ones(count))
        assert np.allclose(project_points(found, points), project_points(SLANT, points), atol=1e-6)

    def test_fit_of_few_points_is_a_similarity(self) -> None:
        points = np.array([[0.0, 0.0], [10.0, 0.0], [0.0, 10.0]])
        motion = make_rigid_motion(0.7, np.array([5.0, -3.0]))
        assert np.allclose(fit_homography(points, project_points(motion, points), np.ones(3)), motion)

    def test_fit_of_one_point_is_refused(self) -> None:
        with pytest.raises(ValueError, match="two points"):
            fit_homography(np.zeros((1, 2)), np.zeros((1, 2)), np.ones(1))

    def test_equal_circles_give_the_tilt(self) -> None:
        """Twelve circles seen at an angle are rectified to circles of radius 1 at the right mutual distances."""
        centers = np.array([(x, y) for y in (-60.0, 0.0, 60.0) for x in (-90.0, -30.0, 30.0, 90.0)])
        angles = np.linspace(0, 2 * np.pi, 60, endpoint=False)
        circle = 20 * np.column_stack([np.cos(angles), np.sin(angles)])
        seen = []
        for center in centers:
            rim = project_points(SLANT, center + circle)
            middle = rim.mean(axis=0)
            seen.append(Ellipse(middle, 2 * (rim - middle).T @ (rim - middle) / len(rim)))
        flat = project_points(rectify_circles(seen), np.array([e.center for e in seen]))
        ratio = np.linalg.norm(flat[:, None] - flat, axis=2) / (
            np.linalg.norm(centers[:, None] - centers, axis=2) + 1e-9
        )
        assert np.allclose(ratio[~np.eye(12, dtype=bool)] * 20, 1.0, atol=0.03)

    def test_compute_scale_is_the_local_enlargement(self) -> None:
        assert compute_scale(np.diag([3.0, 3.0, 1.0]), np.zeros(2)) == pytest.approx(3.0)
        assert np.allclose(invert(SLANT) @ SLANT, np.eye(3))

    def test_reading_order_is_row_by_row(self) -> None:
        points = np.array([[3.0, 0.1], [0.0, 2.0], [-3.0, -0.1], [1.0, 2.2], [0.0, 0.0]])
        assert sort_in_reading_order(points) == [2, 4, 0, 1, 3]


class TestColours:
    LID = np.array([40.0, 80.0, 130.0])

    def test_shadow_and_reflection_are_the_same_surface(self) -> None:
        assert not find_changed_colours(self.LID * 0.5, self.LID, 0.2)
        assert not find_changed_colours(self.LID + 35, self.LID, 0.4)

    def test_skin_differs_from_a_grey_lid(self) -> None:
        assert find_changed_colours(np.array([120.0, 150.0, 180.0]), np.array([170.0, 170.0, 170.0]), 0.2)
