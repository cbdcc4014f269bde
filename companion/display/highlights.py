"""The best moments of a game that is over: only what its numbers say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from companion.display.widgets.score_chart import accumulate_scores
from companion.games.api.game import Seat
from companion.i18n import N_, Translator, join_and
from companion.screen_state import Player

_ = Translator("companion")

MIN_ROUNDS_LED = 2
"""Rounds that somebody must have led for it to be told."""
MIN_POINTS_BEHIND = 3
"""Points that a winner must have been behind for it to be told."""
MIN_LEAD_CHANGES = 3
"""Changes of the lead from which on they are told."""


@dataclass(frozen=True, slots=True)
class HighlightTexts:
    """How the moments are told, by what the players call that which is counted as rounds."""

    most_points: str
    most_points_shared: str
    comeback: str
    longest_lead: str


ROUND_TEXTS = HighlightTexts(
    N_("Most in one round: {who}, {n} in round {round}"),
    N_("Most in one round: {who}, {n}"),
    N_("Greatest comeback: {who}, {n} behind after round {round}"),
    N_("Longest in the lead: {who}, rounds {first} to {last}"),
)
GAME_TEXTS = HighlightTexts(
    N_("Most in one game: {who}, {n} in game {round}"),
    N_("Most in one game: {who}, {n}"),
    N_("Greatest comeback: {who}, {n} behind after game {round}"),
    N_("Longest in the lead: {who}, games {first} to {last}"),
)


@dataclass(frozen=True, slots=True)
class Lead:
    """Rounds after which a seat alone was first, without a break."""

    seat: Seat
    first: int
    last: int

    @property
    def rounds(self) -> int:
        return self.last - self.first + 1


def find_leads(rounds: Sequence[Sequence[int]], scores: Sequence[int]) -> tuple[Lead, ...]:
    """Who led alone, and from which round to which, in order; numbers from 1.

    >>> leads(((3, 0), (0, 3), (0, 1), (0, 1)), (3, 5))
    (Lead(seat=0, first=1, last=1), Lead(seat=1, first=3, last=4))
    """
    found: list[Lead] = []
    for number, after in enumerate(list(zip(*accumulate_scores(rounds, scores), strict=True))[1:], 1):
        best = max(after)
        if after.count(best) > 1:
            continue
        seat = Seat(after.index(best))
        if found and found[-1].seat == seat and found[-1].last == number - 1:
            found[-1] = Lead(seat, found[-1].first, number)
        else:
            found.append(Lead(seat, number, number))
    return tuple(found)


def describe_highlights(
    rounds: Sequence[Sequence[int]],
    scores: Sequence[int],
    players: Sequence[Player],
    winners: Sequence[Seat],
    texts: HighlightTexts = ROUND_TEXTS,
) -> tuple[str, ...]:
    """What there is to tell, each in one line, the greatest first.

    Args:
        rounds: points of each round, by seat.
        scores: as they are in the end, by seat.
    """
    if len(rounds) < 2:
        return ()
    names = [player.name for player in players]
    led = find_leads(rounds, scores)
    told = [
        _describe_most_points(rounds, names, texts),
        _describe_comeback(rounds, scores, winners, names, texts),
        _describe_longest_lead(led, names, texts),
        _describe_lead_changes(led),
    ]
    return tuple(line for line in told if line)


def _describe_most_points(rounds: Sequence[Sequence[int]], names: Sequence[str], texts: HighlightTexts) -> str:
    """The most points in one round; nothing if more than two did as well."""
    best = max(max(points) for points in rounds)
    who = [(names[seat], i) for i, points in enumerate(rounds, 1) for seat, p in enumerate(points) if p == best]
    if best <= 0 or len(who) > 1:
        everybody = list(dict.fromkeys(name for name, _number in who))
        if best <= 0 or len(everybody) > 2:
            return ""
        return _(texts.most_points_shared, who=join_and(everybody), n=best)
    ((name, number),) = who
    return _(texts.most_points, who=name, n=best, round=number)


def _describe_comeback(
    rounds: Sequence[Sequence[int]],
    scores: Sequence[int],
    winners: Sequence[Seat],
    names: Sequence[str],
    texts: HighlightTexts,
) -> str:
    """How far behind the winner has been; of several, the one who was farthest."""
    afters = list(zip(*accumulate_scores(rounds, scores), strict=True))[1:-1]
    behind = [(max(after) - after[seat], i, seat) for i, after in enumerate(afters, 1) for seat in winners]
    if not behind:
        return ""
    most, number, seat = max(behind, key=lambda entry: (entry[0], -entry[1]))
    if most < MIN_POINTS_BEHIND:
        return ""
    return _(texts.comeback, who=names[seat], n=most, round=number)


def _describe_longest_lead(leads: Sequence[Lead], names: Sequence[str], texts: HighlightTexts) -> str:
    longest = max((lead.rounds for lead in leads), default=0)
    those = [lead for lead in leads if lead.rounds == longest]
    if longest < MIN_ROUNDS_LED or len(those) > 1:
        return ""
    (lead,) = those
    return _(texts.longest_lead, who=names[lead.seat], first=lead.first, last=lead.last)


def _describe_lead_changes(leads: Sequence[Lead]) -> str:
    changes = sum(one.seat != other.seat for one, other in pairwise(leads))
    return (
        _.plural("The lead changed once", "The lead changed {n} times", changes) if changes >= MIN_LEAD_CHANGES else ""
    )
