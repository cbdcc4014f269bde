"""Draws the groups of a tournament's round: who sits at which table, in which seat."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from random import Random

TRIES = 40
"""Random seatings from which each draw begins; the best one stays."""


class TournamentError(Exception):
    """What was asked for is not possible; the text says why."""


def split_into_tables(count: int, seats: range) -> tuple[int, ...]:
    """Return how many players sit at each table: as few tables as can be, sizes that differ by at most one.

    Args:
        count: number of players.
        seats: allowed numbers of players at a table, not empty.

    Raises:
        TournamentError: they cannot be split so that each table has an allowed number.
    """
    for tables in range(max(1, -(-count // seats[-1])), count // seats[0] + 1):
        small, more = divmod(count, tables)
        if small in seats and (not more or small + 1 in seats):
            return (small + 1,) * more + (small,) * (tables - more)
    sizes = f"{seats[0]}" if len(seats) == 1 else f"{seats[0]} to {seats[-1]}"
    raise TournamentError(f"{count} players cannot be split into tables of {sizes}")


def draw_groups(
    players: Sequence[str],
    seats: range,
    earlier: Sequence[tuple[str, ...]],
    random: Random,
    ranks: Mapping[str, int] | None = None,
) -> tuple[tuple[str, ...], ...]:
    """Draw the groups of the next round: few repeated meetings, then new seats, then players of like rank together.

    From `TRIES` random seatings, players are exchanged in pairs as long as that makes it better; the best result stays.

    Args:
        players: who plays, each name once.
        seats: allowed numbers of players at a table.
        earlier: all groups of the rounds before, players in clockwise order.
        random: the generator.
        ranks: the players' ranks so far, from 1; None: ranks do not matter.

    Returns:
        The groups, players in clockwise order.

    Raises:
        TournamentError: the players cannot be split into tables.
    """
    sizes = split_into_tables(len(players), seats)
    met = Counter(frozenset(pair) for group in earlier for pair in combinations(group, 2))
    rank = ranks or {}

    def cost(group: Sequence[str]) -> float:
        # A second meeting costs more than any distance of ranks, a third one more than two second ones.
        meetings = sum(met[frozenset(pair)] ** 2 for pair in combinations(group, 2))
        distances = sum(abs(rank.get(a, 0) - rank.get(b, 0)) for a, b in combinations(group, 2))
        return meetings + distances / (len(players) ** 3 + 1)

    best: list[list[str]] = []
    best_cost = float("inf")
    for _ in range(TRIES):
        order = random.sample(list(players), len(players))
        groups, start = [], 0
        for size in sizes:
            groups.append(order[start : start + size])
            start += size
        costs = [cost(group) for group in groups]
        improved = True
        while improved:
            improved = False
            for a, b in combinations(range(len(groups)), 2):
                for i in range(len(groups[a])):
                    for j in range(len(groups[b])):
                        groups[a][i], groups[b][j] = groups[b][j], groups[a][i]
                        new = cost(groups[a]), cost(groups[b])
                        if sum(new) < costs[a] + costs[b] - 1e-12:
                            costs[a], costs[b] = new
                            improved = True
                        else:
                            groups[a][i], groups[b][j] = groups[b][j], groups[a][i]
        if sum(costs) < best_cost:
            best, best_cost = groups, sum(costs)
        if best_cost < 1 and not rank:
            break
    sat = Counter((player, seat) for group in earlier for seat, player in enumerate(group))
    return tuple(_choose_seats(group, sat, random) for group in best)


def _choose_seats(group: Sequence[str], sat: Counter[tuple[str, int]], random: Random) -> tuple[str, ...]:
    """Give each seat, from the first, to the player who had it least often."""
    waiting = random.sample(list(group), len(group))
    seated: list[str] = []
    for seat in range(len(group)):
        player = min(waiting, key=lambda name: sat[name, seat])
        waiting.remove(player)
        seated.append(player)
    return tuple(seated)
