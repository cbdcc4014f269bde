"""The picture cards of the simulated table."""

from __future__ import annotations

import random

import numpy as np
import pytest

from companion.games.macroscope.simulator.cards import PICTURES, draw_card, shuffle_deck


def test_equal_numbers_draw_equal_cards() -> None:
    assert np.array_equal(draw_card(3, (300, 200)), draw_card(3, (300, 200)))
    assert draw_card(3, (300, 200)).shape == (200, 300, 3)


def test_all_pictures_occur_also_mirrored() -> None:
    count = len(PICTURES)
    cards = [draw_card(number, (48, 36)) for number in range(2 * count)]
    assert all(np.array_equal(card[:, ::-1], mirrored) for card, mirrored in zip(cards, cards[count:], strict=False))
    assert len({card.tobytes() for card in cards}) > count


def test_a_deck_has_each_picture_once_and_does_not_begin_with_the_last_one() -> None:
    decks = [shuffle_deck(random.Random(seed), last=5) for seed in range(100)]
    assert all(sorted(number % len(PICTURES) for number in deck) == list(range(len(PICTURES))) for deck in decks)
    assert all(deck[0] % len(PICTURES) != 5 for deck in decks)
    assert len({number >= len(PICTURES) for deck in decks for number in deck}) == 2, "some are mirrored"


@pytest.mark.parametrize("number", range(len(PICTURES)))
def test_several_windows_show_different_parts(number: int) -> None:
    """A picture can be guessed: half of the twelve windows show more than one colour."""
    card = draw_card(number, (400, 300))
    windows = [
        card[y - 35 : y + 35, x - 35 : x + 35].reshape(-1, 3) for y in (50, 150, 250) for x in (50, 150, 250, 350)
    ]
    assert sum(len({tuple(pixel) for pixel in window}) > 1 for window in windows) >= 6
