"""A table that does not know the companion: no throw, token or right to guess is lost, and few buttons are pressed."""

from random import Random
from statistics import median

import pytest

from companion.games.macroscope import GAME
from tests.games.differential.comparisons import seat_macroscope
from tests.games.macroscope.people import People

GAMES = 200
"""Games of each kind of people in `make proof`."""


@pytest.mark.parametrize("is_impatient", [False, True], ids=["patient", "impatient"])
@pytest.mark.parametrize(
    "seed", [*range(2), *(pytest.param(seed, marks=pytest.mark.proof) for seed in range(2, GAMES))]
)
def test_every_score_is_that_of_the_rulebook(table, seed, is_impatient):
    random = Random(seed)
    seats = random.randint(2, 6)
    tb = table(seats, definition=GAME)
    scorer = seat_macroscope(seats, 0, tb.game.settings)
    people = People(tb, scorer, random, is_impatient=is_impatient)
    people.play()
    assert tb.game.compute_outcome() is not None
    assert list(tb.game.totals) == scorer.crystals
    assert [list(scores) for scores in tb.game.round_scores] == scorer.rounds
    if not is_impatient:
        assert people.questions == 0
        presses = {kind: median(counts) for kind, counts in people.presses.items() if counts}
        assert presses.get("pass", 0) == 0
        assert presses.get("guess", 2) <= 2
