"""Leagues: what the sittings of some time are worth to each player, by places or by strength."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from openskill.models import PlackettLuce, PlackettLuceRating

from companion.club.sitting import Sitting
from companion.system.progress import show_progress

PLACE_POINTS = (10, 6, 4, 3, 2, 1)
"""League points of the places 1 to 6; none from the seventh on."""


class LeagueKind(StrEnum):
    """How a league counts."""

    PLACES = "places"
    """Points by place: who plays much and well leads."""
    STRENGTH = "strength"
    """An estimate of strength from who was placed before whom: who wins against the strong leads."""


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of a league."""

    rank: int
    """Rank in the league, from 1; tied players share it."""
    player: str
    value: float
    """Points, or strength: the value that the player's strength exceeds with near certainty (mean - 3 deviations)."""
    played: int
    won: int
    """Sittings won, shared victories included."""


def compute_place_points(sitting: Sitting) -> tuple[float, ...]:
    """Return the league points of each player of a sitting, in the order of `sitting.players`.

    Players who share a place share the points of the places that they take up. Who plays alone gets none.
    """
    places = [player.place for player in sitting.players]
    if len(places) < 2:
        return (0.0,) * len(places)
    points = (*PLACE_POINTS, *[0] * len(places))
    shares = {place: places.count(place) for place in places}
    return tuple(sum(points[place - 1 : place - 1 + shares[place]]) / shares[place] for place in places)


def compute_league(sittings: Iterable[Sitting], kind: LeagueKind) -> tuple[Standing, ...]:
    """Return the standings after these sittings, best first; players of equal value share a rank and stand by name.

    Args:
        sittings: finished, in the order in which they ended (strength depends on it).
        kind: points by place, or strength by the Plackett-Luce model of openskill (Weng and Lin, "A Bayesian
            Approximation Method for Online Ranking", 2011). Sittings of one player count as played and change nothing.
    """
    sittings = tuple(sittings)
    played: dict[str, int] = {}
    won: dict[str, int] = {}
    for sitting in sittings:
        for place in sitting.players:
            played[place.player] = played.get(place.player, 0) + 1
            won[place.player] = won.get(place.player, 0) + place.won
    values = _sum_place_points(sittings) if kind is LeagueKind.PLACES else _estimate_strengths(sittings)
    order = sorted(played, key=lambda player: (-values.get(player, 0.0), player))
    ranked = [round(values.get(player, 0.0), 6) for player in order]
    return tuple(
        Standing(ranked.index(value) + 1, player, value, played[player], won[player])
        for player, value in zip(order, ranked, strict=True)
    )


def _sum_place_points(sittings: Sequence[Sitting]) -> dict[str, float]:
    sums: dict[str, float] = {}
    for sitting in sittings:
        for place, points in zip(sitting.players, compute_place_points(sitting), strict=True):
            sums[place.player] = sums.get(place.player, 0.0) + points
    return sums


def _estimate_strengths(sittings: Sequence[Sitting]) -> dict[str, float]:
    model = PlackettLuce()
    ratings: dict[str, PlackettLuceRating] = {}
    for sitting in show_progress(sittings, "Rating"):
        names = [place.player for place in sitting.players]
        if len(set(names)) < max(2, len(names)):
            continue  # alone, or two names of one person at one table
        teams = [[ratings.get(name) or model.rating(name=name)] for name in names]
        rated = model.rate(teams, ranks=[float(player.place) for player in sitting.players])
        ratings.update(zip(names, (team[0] for team in rated), strict=True))
    return {name: rating.ordinal() for name, rating in ratings.items()}
