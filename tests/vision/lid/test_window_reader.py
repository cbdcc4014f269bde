"""Tests of what windows show: a set's numbers and remembered ones."""

from __future__ import annotations

import numpy as np
import pytest

from companion.vision.confidence_limits import MIN_PLAY_CONFIDENCE
from companion.vision.lid.geometry import find_changed_colours
from companion.vision.lid.window_probabilities import apply_memory, balance_numbers
from companion.vision.lid.window_reader import find_unchanged


def make_probabilities(*rows_: dict[int, float]) -> np.ndarray:
    """Twelve windows' odds from sparse rows."""
    table = np.full((12, 7), 1e-3, np.float32)
    for i, row in enumerate(rows_):
        for number, p in row.items():
            table[i, number] = p
    return np.asarray(table / table.sum(axis=1, keepdims=True), np.float32)


class TestBalanceNumbers:
    CLEAR = tuple({n: 0.99} for n in (1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6))

    def test_the_other_tokens_decide_a_doubtful_one(self) -> None:
        settled = balance_numbers(make_probabilities(*self.CLEAR, {6: 0.5, 5: 0.45}))
        assert settled[11].argmax() == 6
        assert settled[11, 6] > 0.8

    def test_guessed_numbers_stay_uncertain(self) -> None:
        """Two 4s were read as 3s: which of the four 3s are 4s can only be guessed, and is not acted on."""
        read = [{n: 0.99} for n in (1, 1, 2, 2, 3, 3, 5, 5, 6, 6)]
        settled = balance_numbers(make_probabilities(*read, {3: 0.6, 4: 0.3}, {3: 0.85, 4: 0.05}))
        sure = settled[:, 1:].max(axis=1)
        assert (sure[10:] < MIN_PLAY_CONFIDENCE).all()
        assert (settled[[0, 1, 2, 3, 6, 7, 8, 9], 1:].max(axis=1) > MIN_PLAY_CONFIDENCE).all()
        assert settled[4:6].argmax(axis=1).tolist() == [3, 3]

    def test_a_clear_reading_is_kept(self) -> None:
        """A set with three fives is read as it is."""
        settled = balance_numbers(make_probabilities(*self.CLEAR, {5: 0.998}))
        assert settled[11].argmax() == 5


class TestApplyMemory:
    KNOWN = make_probabilities({2: 0.99})[0]

    def test_a_faint_known_number_is_still_there(self) -> None:
        after = apply_memory(make_probabilities({0: 0.51, 2: 0.46})[0], self.KNOWN)
        assert after.argmax() == 2
        assert after.max() < 0.9  # but the table is asked
        assert after.sum() == pytest.approx(1.0)

    def test_another_number_or_a_clear_hole_is_not_corrected(self) -> None:
        for seen in (make_probabilities({0: 0.51, 3: 0.46})[0], make_probabilities({0: 0.9, 2: 0.09})[0]):
            assert (apply_memory(seen, self.KNOWN) == seen).all()


@pytest.mark.parametrize("light", [1.0, 0.4, 0.25])
def test_a_token_that_was_taken_is_noticed_in_any_light(light: float) -> None:
    covered = np.full((12, 24, 24, 3), 130, np.uint8)
    covered[:, 6:18, 6:18] = (60, 160, 200)
    opened = covered.copy()
    opened[3, 6:18, 6:18] = (50, 70, 90)
    before, now = (np.asarray(picture * light, np.uint8) for picture in (covered, opened))
    assert np.flatnonzero(~find_unchanged(before, now)).tolist() == [3]
    noise = np.random.default_rng(0).normal(0, 2, now.shape)
    assert find_unchanged(before, np.asarray(np.clip(before + noise, 0, 255), np.uint8)).all()


def test_shadow_and_reflection_are_the_same_surface_and_skin_is_another() -> None:
    lid, grey = np.array([40.0, 80.0, 130.0]), np.array([170.0, 170.0, 170.0])
    assert not find_changed_colours(lid * 0.5, lid, 0.2)
    assert not find_changed_colours(lid + 35, lid, 0.4)
    assert find_changed_colours(np.array([120.0, 150.0, 180.0]), grey, 0.2)
