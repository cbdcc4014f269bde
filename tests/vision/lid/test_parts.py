"""The lid reader's parts: geometry, circles, what a set of tokens tells, the digit network."""

from __future__ import annotations

import numpy as np
import pytest

from companion.vision.lid.circles import CircleVoter, ImagePyramid, find_peaks, fit_outline
from companion.vision.lid.digit_reader import PATCH_SIDE_PX, DigitClassifier, extract_ink
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
from companion.vision.lid.layout import sort_in_reading_order
from companion.vision.lid.window_reader import apply_memory, balance_numbers
from companion.vision.reading import MIN_PLAY_CONFIDENCE
from tests.vision.lid.drawn_lid import DrawnLid

SLANT = np.array([[1.9, 0.1, 400.0], [-0.1, 1.8, 300.0], [0.0001, 0.0004, 1.0]])


class TestGeometry:
    @pytest.mark.parametrize("count", [8, 12])
    def test_fit_finds_a_homography_again(self, count: int) -> None:
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

    def test_equal_circles_tell_the_tilt(self) -> None:
        """Twelve circles seen aslant are straightened into circles of radius 1 at the right mutual distances."""
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

    def test_scale_at_is_the_local_enlargement(self) -> None:
        assert compute_scale(np.diag([3.0, 3.0, 1.0]), np.zeros(2)) == pytest.approx(3.0)
        assert np.allclose(invert(SLANT) @ SLANT, np.eye(3))

    def test_rows_read_like_a_page(self) -> None:
        points = np.array([[3.0, 0.1], [0.0, 2.0], [-3.0, -0.1], [1.0, 2.2], [0.0, 0.0]])
        assert sort_in_reading_order(points) == [2, 4, 0, 1, 3]


class TestColours:
    LID = np.array([40.0, 80.0, 130.0])

    def test_shadow_and_reflection_are_the_same_surface(self) -> None:
        assert not find_changed_colours(self.LID * 0.5, self.LID, 0.2)
        assert not find_changed_colours(self.LID + 35, self.LID, 0.4)

    def test_skin_is_not_a_grey_lid(self) -> None:
        assert find_changed_colours(np.array([120.0, 150.0, 180.0]), np.array([170.0, 170.0, 170.0]), 0.2)


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


def odds(*rows_: dict[int, float]) -> np.ndarray:
    """Twelve windows' odds from sparse rows."""
    table = np.full((12, 7), 1e-3, np.float32)
    for i, row in enumerate(rows_):
        for number, p in row.items():
            table[i, number] = p
    return np.asarray(table / table.sum(axis=1, keepdims=True), np.float32)


class TestSettling:
    CLEAR = tuple({n: 0.99} for n in (1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6))

    def test_a_doubtful_token_is_settled_by_the_others(self) -> None:
        settled = balance_numbers(odds(*self.CLEAR, {6: 0.5, 5: 0.45}))
        assert settled[11].argmax() == 6
        assert settled[11, 6] > 0.8

    def test_where_the_readings_are_not_two_of_each_nothing_is_made_surer(self) -> None:
        """Two 4s were read as 3s: which of the four 3s are 4s can only be guessed, and is not acted on."""
        read = [{n: 0.99} for n in (1, 1, 2, 2, 3, 3, 5, 5, 6, 6)]
        settled = balance_numbers(odds(*read, {3: 0.6, 4: 0.3}, {3: 0.85, 4: 0.05}))
        sure = settled[:, 1:].max(axis=1)
        assert (sure[10:] < MIN_PLAY_CONFIDENCE).all()
        assert (settled[[0, 1, 2, 3, 6, 7, 8, 9], 1:].max(axis=1) > MIN_PLAY_CONFIDENCE).all()
        assert settled[4:6].argmax(axis=1).tolist() == [3, 3]

    def test_a_clear_reading_is_not_overruled(self) -> None:
        """A set with three fives is read as it is."""
        settled = balance_numbers(odds(*self.CLEAR, {5: 0.998}))
        assert settled[11].argmax() == 5


class TestRemembering:
    KNOWN = odds({2: 0.99})[0]

    def test_a_token_that_hardly_shows_its_known_number_is_still_there(self) -> None:
        after = apply_memory(odds({0: 0.51, 2: 0.46})[0], self.KNOWN)
        assert after.argmax() == 2
        assert after.max() < 0.9  # but the table is asked
        assert after.sum() == pytest.approx(1.0)

    def test_another_number_or_a_clear_hole_is_taken_as_seen(self) -> None:
        for seen in (odds({0: 0.51, 3: 0.46})[0], odds({0: 0.9, 2: 0.09})[0]):
            assert (apply_memory(seen, self.KNOWN) == seen).all()


class TestTokens:
    def test_ink_knows_no_colours(self) -> None:
        """A digit and its negative leave the same ink."""
        patch = np.full((1, PATCH_SIDE_PX, PATCH_SIDE_PX, 3), 40, np.uint8)
        patch[0, 12:28, 18:22] = 220
        assert np.allclose(extract_ink(patch), extract_ink(255 - patch), atol=1e-5)
        assert extract_ink(patch)[0, 20, 20] == pytest.approx(1.0, abs=0.05)
        assert extract_ink(patch)[0, 0, 0] == 0

    def test_no_patches_no_readings(self) -> None:
        assert DigitClassifier().classify(np.zeros((0, PATCH_SIDE_PX, PATCH_SIDE_PX, 3), np.uint8)).shape == (0, 7)

    def test_a_doubtful_patch_is_looked_at_from_all_sides_and_a_clear_one_only_once(self) -> None:
        rng = np.random.default_rng(2)
        patches = np.clip(rng.normal(120, 25, (30, PATCH_SIDE_PX, PATCH_SIDE_PX, 3)), 0, 255).astype(np.uint8)
        for i, at in enumerate(range(4, 28)):
            patches[i, 4:28, at : at + 4] = 230
        net = DigitClassifier()
        once, checked = net.classify(patches), net.classify(patches, as_windows=True)
        clear = once.max(axis=1) >= 0.98
        assert 0 < np.count_nonzero(clear) < len(clear)
        same = once[clear] * ([3.5] + 6 * [1.0])  # a window is as likely open as covered
        assert np.allclose(same / same.sum(axis=1, keepdims=True), checked[clear])
        turned = np.rot90(patches, 1, (1, 2))
        apart = np.abs(net.classify(turned) - once)[~clear].sum(axis=1).mean()
        assert np.abs(net.classify(turned, as_windows=True) - checked)[~clear].sum(axis=1).mean() < 0.5 * apart
        assert np.allclose(checked.sum(axis=1), 1, atol=1e-4)

    def test_plain_patches_hold_no_digit(self) -> None:
        plain = np.stack([np.full((PATCH_SIDE_PX, PATCH_SIDE_PX, 3), level, np.uint8) for level in (0, 60, 128, 255)])
        assert (DigitClassifier().classify(plain)[:, 0] > 0.9).all()
