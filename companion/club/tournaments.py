"""Tournaments: each round players change seats, so that they meet many others and sit at many seats.

A result counts for a group if exactly its players finished a game of the tournament's kind, and it arrived after the
round was drawn: the clocks of tables do not matter.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from random import Random
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from companion.api.places import is_by_score
from companion.club.database import ClubDatabase, ClubDatabaseError
from companion.club.group_draw import TournamentError, draw_groups, split_into_tables
from companion.club.leagues import compute_place_points
from companion.club.schema import ENTRANTS, SEATINGS, TOURNAMENTS, check_row
from companion.club.sitting import Sitting
from companion.names import make_name_key, normalize_name


@dataclass(frozen=True, slots=True)
class Group:
    """The players of one table in one round, in clockwise order."""

    round: int
    number: int
    """Number of the group in its round, from 1."""
    players: tuple[str, ...]
    after: int
    """Number of the last sitting before the round was drawn: it and earlier ones do not count."""
    sitting: Sitting | None = None
    """The result that counts; None: the group has not finished."""


@dataclass(frozen=True, slots=True)
class TournamentStanding:
    """One line of a tournament's table."""

    rank: int
    player: str
    points: float
    """Points by place, as in a league."""
    wins: int
    score_share: float
    """Tie-break: the mean of the player's shares of all groups' scores, 0 to 1 (highest scores of a group count 1)."""
    played: int
    left: bool = False


@dataclass(frozen=True, slots=True)
class Tournament:
    """A tournament as it stands."""

    name: str
    game: str
    """Name of the game in snake case; empty: any game counts."""
    seats: range
    """Allowed numbers of players at a table."""
    players: tuple[str, ...]
    """Who is still in, in the order of entry."""
    left: tuple[str, ...]
    """Who has left."""
    groups: tuple[Group, ...]
    """By round and number."""

    @property
    def last_round(self) -> int:
        """Number of the round drawn last; 0: none."""
        return max((group.round for group in self.groups), default=0)

    @property
    def open_groups(self) -> tuple[Group, ...]:
        """Groups of all rounds without a result."""
        return tuple(group for group in self.groups if group.sitting is None)


def create_tournament(
    database: ClubDatabase, name: str, game: str, seats: range, players: Sequence[str], now: datetime
) -> None:
    """Save a new tournament.

    Args:
        database: of the club.
        name: of the tournament.
        game: name of the game in snake case; empty: any.
        seats: allowed numbers of players at a table.
        players: names in the club, each once.
        now: the time.

    Raises:
        TournamentError: a name is empty or given twice, there is a tournament of that name in whichever spelling, or
            the players cannot be split into tables.
        ClubDatabaseError: it cannot be saved.
    """
    name = normalize_name(name)
    if not name:
        raise TournamentError("the name of the tournament is empty")
    players = [normalize_name(player) for player in players]
    if not all(players):
        raise TournamentError("the name of a player is empty")
    count = Counter(map(make_name_key, players))
    twice = [player for player in players if count[make_name_key(player)] > 1]
    if twice:
        raise TournamentError(f'"{twice[0]}" is named twice: each player needs another name')
    split_into_tables(len(players), seats)
    if (known := _find_row(database, name)) is not None:
        raise TournamentError(f'there is a tournament "{known.tournament}" already')
    values = {
        "tournament": name,
        "game": game,
        "min_seats": seats[0],
        "max_seats": seats[-1],
        "created": int(now.timestamp()),
    }
    database.write(
        sa.insert(TOURNAMENTS).values(**values),
        sa.insert(ENTRANTS).values([{"tournament": name, "player": player, "left_after": None} for player in players]),
    )


def list_tournaments(database: ClubDatabase) -> tuple[str, ...]:
    """Return the names of all tournaments, the newest first; names that cannot be read are left out.

    Raises:
        ClubDatabaseError: they cannot be read.
    """
    return tuple(row.tournament for row in _read_rows(database))


def _read_rows(database: ClubDatabase) -> list[sa.Row[Any]]:
    """Return the rows of all tournaments, the newest first, without those whose names cannot be read."""
    query = sa.select(TOURNAMENTS).order_by(TOURNAMENTS.c.created.desc(), TOURNAMENTS.c.tournament)
    return [row for row in database.read(query) if isinstance(row.tournament, str)]


def _find_row(database: ClubDatabase, name: str) -> sa.Row[Any] | None:
    """Return the row of a tournament, for a name in whichever spelling; None: there is none.

    A database that people have edited may have several that differ only in spelling: the closest is returned.
    """
    rows = _read_rows(database)
    forms: tuple[Callable[[str], str], ...] = (str, normalize_name, make_name_key)
    return next((row for form in forms for row in rows if form(row.tournament) == form(name)), None)


def read_tournament(database: ClubDatabase, name: str) -> Tournament:
    """Return a tournament with the results that count.

    Args:
        database: of the club.
        name: of the tournament, in whichever spelling.

    Raises:
        TournamentError: there is none of that name, or it is damaged.
        ClubDatabaseError: it cannot be read.
    """
    row = _find_row(database, name)
    if row is None:
        raise TournamentError(
            f'there is no tournament "{name}"; there are: {", ".join(list_tournaments(database)) or "none"}'
        )
    name = row.tournament
    entrants = database.read(sa.select(ENTRANTS).where(ENTRANTS.c.tournament == name))
    seatings = database.read(
        sa.select(SEATINGS)
        .where(SEATINGS.c.tournament == name)
        .order_by(SEATINGS.c.round, SEATINGS.c.group_number, SEATINGS.c.seat)
    )
    try:
        for table, found in ((TOURNAMENTS, [row]), (ENTRANTS, entrants), (SEATINGS, seatings)):
            for each in found:
                check_row(table, each)
        if not 0 < row.min_seats <= row.max_seats:
            raise ValueError(f"{row.min_seats} to {row.max_seats} players are at a table")
    except ValueError as error:
        raise TournamentError(f'the tournament "{name}" is damaged: {error}') from error
    drawn: dict[tuple[int, int], list[sa.Row[tuple[object, ...]]]] = {}
    for seating in seatings:
        drawn.setdefault((seating.round, seating.group_number), []).append(seating)
    after = min((group[0].after for group in drawn.values()), default=None)
    sittings = [] if after is None else sorted(database.read_sittings(row.game or None, after=after), key=_get_number)
    groups: list[Group] = []
    for (number, group_number), members in drawn.items():
        players = tuple(member.player for member in members)
        names = {make_name_key(player): player for player in players}
        counts = next((s for s in sittings if s.number > members[0].after and _list_keys(s) == names.keys()), None)
        if counts is not None:
            sittings.remove(counts)  # it counts once, even if the same players meet again in a later round
            places = tuple(replace(place, player=names[make_name_key(place.player)]) for place in counts.players)
            counts = replace(counts, players=places)
        groups.append(Group(number, group_number, players, members[0].after, counts))
    return Tournament(
        name,
        row.game,
        range(row.min_seats, row.max_seats + 1),
        tuple(entrant.player for entrant in entrants if entrant.left_after is None),
        tuple(entrant.player for entrant in entrants if entrant.left_after is not None),
        tuple(groups),
    )


def _get_number(sitting: Sitting) -> int:
    return sitting.number


def _list_keys(sitting: Sitting) -> set[str]:
    return {make_name_key(place.player) for place in sitting.players}


def draw_round(database: ClubDatabase, name: str, random: Random) -> Tournament:
    """Draw and save the next round of a tournament: results that arrive from now on count for it.

    Args:
        database: of the club.
        name: of the tournament, in whichever spelling.
        random: the generator.

    Returns:
        The tournament with the new round.

    Raises:
        TournamentError: there is none, a group of the present round has not finished, or the players who are left
            cannot be split into tables.
        ClubDatabaseError: it cannot be saved.
    """
    tournament = read_tournament(database, name)
    if tournament.open_groups:
        numbers = ", ".join(str(group.number) for group in tournament.open_groups)
        raise TournamentError(f"round {tournament.last_round} is not over: no result yet of group {numbers}")
    ranks = (
        {standing.player: standing.rank for standing in compute_standings(tournament)} if tournament.groups else None
    )
    groups = draw_groups(
        tournament.players, tournament.seats, [group.players for group in tournament.groups], random, ranks
    )
    after = database.find_last_number()
    values = [
        {
            "tournament": tournament.name,
            "round": tournament.last_round + 1,
            "player": player,
            "group_number": number,
            "seat": seat,
            "after": after,
        }
        for number, group in enumerate(groups, 1)
        for seat, player in enumerate(group)
    ]
    try:
        database.write(sa.insert(SEATINGS).values(values))
    except ClubDatabaseError as error:
        if isinstance(error.__cause__, IntegrityError):
            raise TournamentError("somebody else has just drawn this round") from error
        raise
    return read_tournament(database, name)


def leave_tournament(database: ClubDatabase, name: str, player: str) -> None:
    """Take a player out of the rounds to come.

    Raises:
        TournamentError: there is no such tournament, or no such player in it.
        ClubDatabaseError: it cannot be saved.
    """
    tournament = read_tournament(database, name)
    entered = {make_name_key(name): name for name in tournament.players}
    if make_name_key(player) not in entered:
        raise TournamentError(f'"{player}" is not in it; in it are: {", ".join(tournament.players)}')
    entrant = (ENTRANTS.c.tournament == tournament.name) & (ENTRANTS.c.player == entered[make_name_key(player)])
    database.write(sa.update(ENTRANTS).where(entrant).values(left_after=tournament.last_round))


def drop_last_round(database: ClubDatabase, name: str) -> int:
    """Take back the round drawn last, with its groups; results stay.

    Returns:
        The number of that round.

    Raises:
        TournamentError: there is no such tournament, or no round was drawn.
        ClubDatabaseError: it cannot be saved.
    """
    tournament = read_tournament(database, name)
    last = tournament.last_round
    if not last:
        raise TournamentError("no round has been drawn yet")
    database.write(sa.delete(SEATINGS).where((SEATINGS.c.tournament == tournament.name) & (SEATINGS.c.round == last)))
    return last


def compute_standings(tournament: Tournament) -> tuple[TournamentStanding, ...]:
    """Return the table of a tournament, best first: by points, then wins, then the share of the scores.

    Players who are equal in all three share a rank and stand in the order of their names.
    """
    played: Counter[str] = Counter()
    wins: Counter[str] = Counter()
    shares: dict[str, list[float]] = {}
    sums: dict[str, float] = {}
    for group in tournament.groups:
        if group.sitting is None:
            continue
        sitting = group.sitting
        for player, gained, share in zip(
            sitting.players, compute_place_points(sitting), _compute_shares(sitting), strict=True
        ):
            sums[player.player] = sums.get(player.player, 0.0) + gained
            wins[player.player] += player.place == 1
            shares.setdefault(player.player, []).append(share)
            played[player.player] += 1
    everybody = (*tournament.players, *tournament.left)
    # Rounded: shares that were added in another order must not part equal players.
    keys = {
        player: (
            -round(sums.get(player, 0.0), 6),
            -wins[player],
            -round(sum(shares.get(player, [])) / max(1, len(shares.get(player, []))), 6),
        )
        for player in everybody
    }
    order = sorted(everybody, key=lambda player: (keys[player], player))
    ordered = [keys[player] for player in order]
    return tuple(
        TournamentStanding(
            ordered.index(keys[player]) + 1,
            player,
            -keys[player][0],
            wins[player],
            -keys[player][2],
            played[player],
            player in tournament.left,
        )
        for player in order
    )


def _compute_shares(sitting: Sitting) -> tuple[float, ...]:
    """Return each score between the group's worst (0) and best (1); all 1 if they are the same.

    Where something else than the scores decides, the places take their part.
    """
    scores, places = [player.score for player in sitting.players], [player.place for player in sitting.players]
    lowest_wins = sitting.lowest_wins
    if not is_by_score(places, scores, lowest_wins=lowest_wins):
        scores, lowest_wins = places, True
    low, high = min(scores), max(scores)
    if low == high:
        return (1.0,) * len(scores)
    shares = ((score - low) / (high - low) for score in scores)
    return tuple(1 - share if lowest_wins else share for share in shares)
