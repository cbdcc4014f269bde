"""Tests of the digit classifier."""

from __future__ import annotations

import numpy as np
import pytest

from companion.vision.lid.digit_reader import PATCH_SIDE_PX, DigitClassifier, extract_ink


class TestDigitClassifier:
    def test_ink_is_independent_of_polarity(self) -> None:
        """A digit and its negative leave the same ink."""
        patch = np.full((1, PATCH_SIDE_PX, PATCH_SIDE_PX, 3), 40, np.uint8)
        patch[0, 12:28, 18:22] = 220
        assert np.allclose(extract_ink(patch), extract_ink(255 - patch), atol=1e-5)
        assert extract_ink(patch)[0, 20, 20] == pytest.approx(1.0, abs=0.05)
        assert extract_ink(patch)[0, 0, 0] == 0

    def test_no_patches_give_no_probabilities(self) -> None:
        assert DigitClassifier().classify(np.zeros((0, PATCH_SIDE_PX, PATCH_SIDE_PX, 3), np.uint8)).shape == (0, 7)

    def test_only_doubtful_patches_are_turned(self) -> None:
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
