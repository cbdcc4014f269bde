"""The groups of a tournament's round: who sits at which table, in which seat."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from companion.club.group_draw import TournamentError, draw_groups, split_into_tables

SIX = ("Ada", "Bob", "Cleo", "Dora", "Eve", "Finn")


@pytest.mark.parametrize(
    ("count", "seats", "sizes"),
    [
        (12, range(3, 5), (4, 4, 4)),
        (11, range(3, 5), (4, 4, 3)),
        (9, range(3, 5), (3, 3, 3)),
        (6, range(3, 5), (3, 3)),
        (7, range(2, 7), (4, 3)),
        (2, range(2, 3), (2,)),
        (100, range(4, 5), (4,) * 25),
    ],
)
def test_tables_are_few_and_even(count: int, seats: range, sizes: tuple[int, ...]) -> None:
    assert split_into_tables(count, seats) == sizes


@pytest.mark.parametrize(("count", "seats"), [(5, range(3, 5)), (1, range(2, 5)), (0, range(2, 5)), (7, range(4, 5))])
def test_players_who_cannot_be_split_are_named(count: int, seats: range) -> None:
    sizes = {range(3, 5): "3 to 4", range(2, 5): "2 to 4", range(4, 5): "4$"}[seats]
    with pytest.raises(TournamentError, match=f"{count} players cannot be split into tables of {sizes}"):
        split_into_tables(count, seats)


def test_sixteen_players_meet_each_other_once_in_three_rounds() -> None:
    """Three rounds of four tables of four without a second meeting exist; the draw finds them for most seeds."""
    players, found = [f"P{i:02}" for i in range(16)], 0
    for seed in range(5):
        random, earlier = Random(seed), []
        for _ in range(3):
            groups = draw_groups(players, range(4, 5), earlier, random)
            assert sorted(player for group in groups for player in group) == players
            earlier += groups
        met = Counter(frozenset(pair) for group in earlier for pair in combinations(group, 2))
        found += max(met.values()) == 1
    assert found >= 4


def test_seats_change_from_round_to_round() -> None:
    players, earlier, random = list(SIX), [], Random(3)
    for _ in range(6):
        earlier += draw_groups(players, range(3, 4), earlier, random)
    sat = Counter((player, seat) for group in earlier for seat, player in enumerate(group))
    assert all(sat[player, seat] in {1, 2, 3} for player in players for seat in range(3))


def test_players_of_like_rank_meet() -> None:
    players = [f"P{i:02}" for i in range(12)]
    ranks = {player: rank for rank, player in enumerate(players, 1)}
    groups = draw_groups(players, range(3, 4), [], Random(5), ranks)
    assert {frozenset(group) for group in groups} == {frozenset(players[i : i + 3]) for i in range(0, 12, 3)}
