"""The picture cards of the simulated table."""

from __future__ import annotations

import numpy as np
import pytest

from companion.games.macroscope.simulator.cards import PICTURES, draw_card


def test_equal_seeds_draw_equal_cards() -> None:
    assert np.array_equal(draw_card(3, (300, 200)), draw_card(3, (300, 200)))
    assert draw_card(3, (300, 200)).shape == (200, 300, 3)


def test_all_pictures_occur_also_mirrored() -> None:
    cards = {draw_card(seed, (48, 36)).tobytes() for seed in range(400)}
    assert len(PICTURES) < len(cards) <= 2 * len(PICTURES)


@pytest.mark.parametrize("seed", range(8))
def test_several_windows_show_different_parts(seed: int) -> None:
    """A picture can be guessed: most of the twelve windows show more than one colour."""
    card = draw_card(seed, (400, 300))
    windows = [
        card[y - 35 : y + 35, x - 35 : x + 35].reshape(-1, 3) for y in (50, 150, 250) for x in (50, 150, 250, 350)
    ]
    assert sum(len({tuple(pixel) for pixel in window}) > 1 for window in windows) >= 6
