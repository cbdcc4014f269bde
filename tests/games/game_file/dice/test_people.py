"""Tables of Pig and Yacht that do not know the companion: no throw is lost or counts for somebody else."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from companion.api.registry import find_game
from companion.testing.table import TableUnderTest
from tests.games.game_file.dice.people import DicePeople, PigPeople, YachtPeople

GAMES = 200
"""Games of each kind of people in `make proof`."""


@pytest.mark.parametrize("is_impatient", [False, True], ids=["patient", "impatient"])
@pytest.mark.parametrize(("name", "people"), [("pig", PigPeople), ("yacht", YachtPeople)])
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.proof) for seed in range(1, GAMES))])
def test_every_score_is_that_of_the_rules(
    table: Callable[..., TableUnderTest], name: str, people: type[DicePeople], seed: int, is_impatient: bool
) -> None:
    random = Random(f"{name} {seed}")
    tb = table(random.randint(2, 6), definition=find_game(name))
    group = people(tb, random, is_impatient=is_impatient)
    group.play()
    assert tb.game.compute_outcome() is not None
    assert list(tb.game.totals) == group.scorer.totals()
    assert group.claims > 0
    if not is_impatient:
        assert min(group.presses, default=0) <= 1
        if name == "pig":
            assert max(group.presses) == 1, "the press that ends the turn"
