"""Leagues: places, points by place, and strength."""

from __future__ import annotations

from random import Random

import pytest

from companion.club.leagues import LeagueKind, compute_league, compute_place_points
from tests.club.build import build_sitting


@pytest.mark.parametrize(
    ("places", "points"),
    [
        ((1, 2, 3), (10, 6, 4)),
        ((3, 1, 2), (4, 10, 6)),
        ((1, 1, 3), (8, 8, 4)),
        ((1, 2, 2, 4), (10, 5, 5, 3)),
        ((1, 1, 1), (20 / 3,) * 3),
        ((1, 2, 3, 4, 5, 6, 7), (10, 6, 4, 3, 2, 1, 0)),
        ((1,), (0,)),
    ],
)
def test_the_points_of_places_whatever_the_scores_say(places: tuple[int, ...], points: tuple[float, ...]) -> None:
    sitting = build_sitting(*((f"P{i}", 10 * place) for i, place in enumerate(places)), places=places)
    assert compute_place_points(sitting) == pytest.approx(points)


def test_a_league_by_places() -> None:
    table = compute_league(
        [
            build_sitting(("Ada", 9), ("Bob", 5), ("Cleo", 1)),
            build_sitting(("Bob", 9), ("Cleo", 5)),
            build_sitting(("Dora", 9)),
        ],
        LeagueKind.PLACES,
    )
    assert [(s.rank, s.player, s.value, s.played, s.won) for s in table] == [
        (1, "Bob", 16.0, 2, 1),
        (2, "Ada", 10.0, 1, 1),
        (2, "Cleo", 10.0, 2, 0),
        (4, "Dora", 0.0, 1, 1),
    ]


def test_strength_finds_the_order_of_true_skills() -> None:
    """Players win with the odds of their skill; after 400 games the table is in the order of the skills."""
    random = Random(11)
    skills = {"Ada": 16.0, "Bob": 8.0, "Cleo": 4.0, "Dora": 2.0, "Eve": 1.0}
    sittings = []
    for _ in range(400):
        players = random.sample(sorted(skills), 3)
        # Plackett-Luce: who has the shortest of exponential times is first.
        times = sorted((random.expovariate(skills[player]), player) for player in players)
        sittings.append(build_sitting(*((player, -place) for place, (_time, player) in enumerate(times))))
    table = compute_league(sittings, LeagueKind.STRENGTH)
    assert [standing.player for standing in table] == list(skills)
    assert sum(standing.played for standing in table) == 1200


def test_strength_counts_whom_one_beats() -> None:
    strong = [build_sitting(("Ada", 2), ("Bob", 1)) for _ in range(10)]
    last = [build_sitting(("Cleo", 2), ("Ada", 1)), build_sitting(("Dora", 2), ("Bob", 1))]
    values = {standing.player: standing.value for standing in compute_league(strong + last, LeagueKind.STRENGTH)}
    assert values["Cleo"] > values["Dora"]


def test_playing_alone_changes_no_strength() -> None:
    table = compute_league([build_sitting(("Ada", 9)), build_sitting(("Bob", 1))], LeagueKind.STRENGTH)
    assert [(s.rank, s.player, s.value) for s in table] == [(1, "Ada", 0.0), (1, "Bob", 0.0)]


def test_an_empty_league() -> None:
    assert compute_league([], LeagueKind.STRENGTH) == ()
