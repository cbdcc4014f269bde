"""Tests of Stone Race: what every game must pass, and its own rules."""

from typing import ClassVar

import pytest
from stone_race import GAME, Settings, StoneRace
from stone_race.samples import build_samples

from companion.api import IllegalMove, Move, Seat
from companion.testing import GameSuite


class TestStoneRace(GameSuite):
    """All the companion's checks of a game."""

    definition = GAME
    build_samples = staticmethod(build_samples)
    extremes: ClassVar = {"stones": (10, 40)}
    self_play_counts = (2,)
    locale_package = "stone_race"


def throw(game: StoneRace, *values: int) -> StoneRace:
    for value in values:
        game = game.play(Move("throw", game.active_seat, (value,)))
    return game


def test_who_is_met_goes_back_to_the_bank() -> None:
    game = throw(StoneRace.create(2, Seat(0), Settings()), 4, 4)
    assert game.places == (0, 4)
    assert game.bumped == (0,)


def test_after_a_six_the_same_player_throws_again() -> None:
    game = throw(StoneRace.create(2, Seat(0), Settings()), 6)
    assert game.active_seat == 0
    assert throw(game, 5).active_seat == 1


def test_the_first_on_the_last_stone_wins() -> None:
    game = throw(StoneRace.create(2, Seat(0), Settings(stones=10)), 6, 6)
    outcome = game.compute_outcome()
    assert game.places == (10, 0)
    assert outcome is not None
    assert outcome.winners == (0,)
    with pytest.raises(IllegalMove, match="S5"):
        throw(game, 1)
