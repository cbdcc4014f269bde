"""Best moments of a finished game: the most points in a round, the greatest comeback, the longest lead."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from companion.api import Seat
from companion.display.widgets import accumulate_scores, list_winners
from companion.display.widgets.ranking import list_state_teams
from companion.i18n import N_, _, join_and
from companion.screen_state import ScreenState

MIN_ROUNDS_LED = 2
"""Rounds of a lead that is worth a line."""
MIN_POINTS_BEHIND = 3
"""Points that a winner was behind that are worth a line."""
MIN_LEAD_CHANGES = 3
"""Changes of the lead that are worth a line."""


@dataclass(frozen=True, slots=True)
class BestMomentTexts:
    """Messages of the best moments, for games that count rounds or games.

    Attributes:
        most_points: one player had the most points in one round.
        most_points_shared: several did, or one in several rounds.
        comeback: a winner was far behind.
        longest_lead: the longest lead.
    """

    most_points: str
    most_points_shared: str
    comeback: str
    longest_lead: str


ROUND_TEXTS = BestMomentTexts(
    N_("Most in one round: {who}, {n} in round {round}"),
    N_("Most in one round: {who}, {n}"),
    N_("Greatest comeback: {who}, {n} behind after round {round}"),
    N_("Longest in the lead: {who}, rounds {first} to {last}"),
)
"""Texts for games of several rounds."""
GAME_TEXTS = BestMomentTexts(
    N_("Most in one game: {who}, {n} in game {round}"),
    N_("Most in one game: {who}, {n}"),
    N_("Greatest comeback: {who}, {n} behind after game {round}"),
    N_("Longest in the lead: {who}, games {first} to {last}"),
)
"""Texts for a series of games."""


@dataclass(frozen=True, slots=True)
class Lead:
    """Consecutive rounds after which one player alone was first.

    Attributes:
        seat: the player.
        first: the first of these rounds, from 1.
        last: the last of these rounds.
    """

    seat: Seat
    first: int
    last: int

    @property
    def rounds(self) -> int:
        """Number of rounds of the lead, at least 1."""
        return self.last - self.first + 1


def find_leads(rounds: Sequence[Sequence[int]], scores: Sequence[int]) -> tuple[Lead, ...]:
    """Return who led alone from which round to which, in order. Rounds after which several share the lead are in none.

    Args:
        rounds: points of each round, by seat: as many numbers as `scores` has.
        scores: scores at the end, by seat, for at least one player.

    Returns:
        The leads, earliest first; none without rounds.

    Raises:
        IndexError: a round has fewer numbers than `scores`.

    >>> find_leads(((3, 0), (0, 3), (0, 1), (0, 1)), (3, 5))
    (Lead(seat=0, first=1, last=1), Lead(seat=1, first=3, last=4))
    """
    leads: list[Lead] = []
    for number, after in enumerate(list(zip(*accumulate_scores(rounds, scores), strict=True))[1:], 1):
        best = max(after)
        if after.count(best) > 1:
            continue
        seat, first = Seat(after.index(best)), number
        if leads and leads[-1].seat == seat and leads[-1].last == number - 1:
            first = leads.pop().first
        leads.append(Lead(seat, first, number))
    return tuple(leads)


def describe_best_moments(state: ScreenState, texts: BestMomentTexts = ROUND_TEXTS) -> tuple[str, ...]:
    """Describe the best moments of a finished game in the current language.

    Args:
        state: gives the points of each round, the scores, and the winners; without any no comeback is described.
        texts: messages, with the fields `who`, `n`, `round`, `first` and `last` as in `ROUND_TEXTS`.

    Returns:
        One line for each, in this order: most points in a round, greatest comeback, longest lead, changes of the lead.
        Those that are not remarkable are left out; none with fewer than two rounds.

    Raises:
        IndexError: a round or the scores have fewer entries than there are players.
        KeyError: a message of `texts` has another field.
    """
    if len(state.round_points) < 2:
        return ()
    # From here on a team counts as one.
    teams, winners = list_state_teams(state), list_winners(state)
    names = [[state.players[seat].name for seat in team] for team in teams]
    scores = [state.scores[team[0]] for team in teams]
    rounds = [[points[team[0]] for team in teams] for points in state.round_points]
    winning = [i for i, team in enumerate(teams) if team[0] in winners]
    leads = find_leads(rounds, scores)
    lines = (
        _describe_most_points(rounds, names, texts),
        _describe_comeback(rounds, scores, winning, names, texts),
        _describe_longest_lead(leads, names, texts),
        _describe_lead_changes(leads),
    )
    return tuple(line for line in lines if line)


def _describe_most_points(
    rounds: Sequence[Sequence[int]], names: Sequence[Sequence[str]], texts: BestMomentTexts
) -> str:
    """Describe the most points in one round; nothing if more than two players or teams had as many."""
    best = max(max(points) for points in rounds)
    who = [(team, i) for i, points in enumerate(rounds, 1) for team, p in enumerate(points) if p == best]
    different = list(dict.fromkeys(team for team, _number in who))
    if best <= 0 or len(different) > 2:
        return ""
    joined = join_and([name for team in different for name in names[team]])
    if len(who) > 1:
        return _(texts.most_points_shared, who=joined, n=best)
    ((_team, number),) = who
    return _(texts.most_points, who=joined, n=best, round=number)


def _describe_comeback(
    rounds: Sequence[Sequence[int]],
    scores: Sequence[int],
    winners: Sequence[int],
    names: Sequence[Sequence[str]],
    texts: BestMomentTexts,
) -> str:
    """Describe how far behind a winner was; of several winners, the one who was farthest behind."""
    afters = list(zip(*accumulate_scores(rounds, scores), strict=True))[1:-1]
    behind = [(max(after) - after[team], -i, team) for i, after in enumerate(afters, 1) for team in winners]
    points, number, team = max(behind, key=lambda entry: entry[:2], default=(0, 0, 0))
    return _(texts.comeback, who=join_and(names[team]), n=points, round=-number) if points >= MIN_POINTS_BEHIND else ""


def _describe_longest_lead(leads: Sequence[Lead], names: Sequence[Sequence[str]], texts: BestMomentTexts) -> str:
    """Describe the longest lead; nothing if two were as long."""
    longest = max((lead.rounds for lead in leads), default=0)
    those = [lead for lead in leads if lead.rounds == longest]
    if longest < MIN_ROUNDS_LED or len(those) > 1:
        return ""
    (lead,) = those
    return _(texts.longest_lead, who=join_and(names[lead.seat]), first=lead.first, last=lead.last)


def _describe_lead_changes(leads: Sequence[Lead]) -> str:
    """Describe how often the lead changed, if it did so often."""
    changes = sum(one.seat != other.seat for one, other in pairwise(leads))
    if changes < MIN_LEAD_CHANGES:
        return ""
    return _.plural("The lead changed once", "The lead changed {n} times", changes)
