"""Random games of all five games agree, after every move, with scorers written from the rulebooks alone."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.games.differential.comparisons import ALL
from tests.games.differential.driver import Differential, DifferentialGame

FEW_SEEDS, MANY_SEEDS = range(3), range(1000, 2000)


def play_all(differential: Differential, seeds: range) -> Counter[str]:
    """Play one game for each seed; return the figures."""
    figures: Counter[str] = Counter()
    for seed in seeds:
        try:
            figures += DifferentialGame(differential, seed).play()
        except AssertionError as error:
            raise AssertionError(f"{differential.name}, seed {seed}: {error}") from error
    return figures


@pytest.mark.parametrize("differential", ALL, ids=lambda each: each.name)
def test_random_games_agree_with_the_rulebook(differential: Differential) -> None:
    figures = play_all(differential, FEW_SEEDS)
    assert figures["games"] == len(FEW_SEEDS)
    assert min(figures["undone"], figures["corrections"]) > 0


@pytest.mark.proof
@pytest.mark.parametrize("differential", ALL, ids=lambda each: each.name)
def test_a_thousand_random_games_agree_with_the_rulebook(differential: Differential) -> None:
    print(differential.name, dict(play_all(differential, MANY_SEEDS)))
