"""Everything that the club's page shows, as one JSON object."""

from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from companion.club.database import ClubDatabase
from companion.club.group_draw import TournamentError
from companion.club.leagues import LeagueKind, Standing, compute_league
from companion.club.receiver import LiveTable, LiveTables
from companion.club.sitting import Sitting
from companion.club.tournaments import (
    Group,
    Tournament,
    TournamentStanding,
    compute_standings,
    list_tournaments,
    read_tournament,
)
from companion.evening import get_evening

RECENT_RESULTS = 5
"""Results that the page shows, the latest first."""
SHOWN_TOURNAMENTS = 2
"""Tournaments that the page shows, the newest first."""
PODIUM_PLAYERS = 6
"""Players of the evening's podium at most: the places 1 to 3, some of them shared."""


def get_local_time() -> datetime:
    """Return the present time, with the time zone of this computer."""
    return datetime.now(UTC).astimezone()


def build_overview(
    database: ClubDatabase,
    tables: LiveTables,
    kind: LeagueKind,
    since: datetime | None = None,
    get_time: Callable[[], datetime] = get_local_time,
) -> dict[str, Any]:
    """Return what the page shows.

    Args:
        database: of the club.
        tables: the live tables.
        kind: how the league counts.
        since: first moment that counts for the league and the latest results; None: everything counts.
        get_time: returns the present local time, with its time zone.

    Returns:
        The keys `connected` (bool), `tables`, `evening`, `recent`, `league` and `tournaments`, all of JSON's own types.

    Raises:
        ClubDatabaseError: the results cannot be read.
    """
    sittings = database.read_sittings(since=since)
    latest = sorted(sittings, key=lambda sitting: sitting.number, reverse=True)
    return {
        "connected": tables.connected,
        "tables": [describe_table(table) for table in tables.list_tables()],
        "evening": describe_evening(sittings, get_time()),
        # By arrival: a table whose clock is slow is among them too. Without ids, which are the tables' own.
        "recent": [
            {"ended": sitting.ended.isoformat(timespec="seconds")} | describe_result(sitting)
            for sitting in latest[:RECENT_RESULTS]
        ],
        "league": {"kind": kind.value, "rows": [describe_standing(row) for row in compute_league(sittings, kind)]},
        "tournaments": describe_newest_tournaments(database),
    }


def describe_newest_tournaments(database: ClubDatabase) -> list[dict[str, Any]]:
    """Return the newest tournaments as JSON objects; one that cannot be read is logged and left out.

    Raises:
        ClubDatabaseError: the database cannot be read.
    """
    described: list[dict[str, Any]] = []
    for name in list_tournaments(database):
        if len(described) == SHOWN_TOURNAMENTS:
            break
        try:
            described.append(describe_tournament(read_tournament(database, name)))
        except TournamentError as error:
            database.log_fault(f"The page goes without a tournament: {error}")
    return described


def describe_evening(sittings: Sequence[Sitting], now: datetime) -> dict[str, Any]:
    """Return how many games this evening has had, and its podium by places, as a JSON object.

    Args:
        sittings: finished, in the order in which they ended.
        now: the present local time, with its time zone.
    """
    today = get_evening(now)
    played = [sitting for sitting in sittings if get_evening(sitting.ended.astimezone(now.tzinfo)) == today]
    best = [row for row in compute_league(played, LeagueKind.PLACES) if row.rank <= 3 and row.value > 0]
    return {"games": len(played), "rows": [describe_standing(row) for row in best[:PODIUM_PLAYERS]]}


def describe_table(table: LiveTable) -> dict[str, Any]:
    """Return a table in play as a JSON object."""
    state = table.state
    if state is None:
        return {"name": table.table, "online": table.online, "players": []}
    return {
        "name": state.table_name or table.table,
        "online": table.online,
        "duplicate": state.duplicate,
        "kind": state.kind,
        "title": state.title,
        "headline": state.headline,
        "round": state.round,
        "rounds": state.rounds,
        "players": [
            player.model_dump() | {"active": seat in state.active_seats} for seat, player in enumerate(state.players)
        ],
    }


def describe_sitting(sitting: Sitting) -> dict[str, Any]:
    """Return a finished game with its ids as a JSON object, players by place."""
    return {
        "sitting": sitting.id,
        "table": sitting.table,
        "game": sitting.game,
        "ended": sitting.ended.isoformat(timespec="seconds"),
        "minutes": round(sitting.duration_s / 60),
    } | describe_result(sitting)


def describe_result(sitting: Sitting) -> dict[str, Any]:
    """Return how a finished game ended as a JSON object, players by place."""
    places = sorted(sitting.players, key=lambda player: (player.place, player.seat))
    return {
        "title": sitting.title,
        "players": [
            {"place": player.place, "player": player.player, "score": player.score, "won": player.won}
            for player in places
        ],
    }


def describe_standing(standing: Standing | TournamentStanding) -> dict[str, Any]:
    """Return a line of a league or of a tournament's table as a JSON object."""
    return asdict(standing)


def describe_tournament(tournament: Tournament) -> dict[str, Any]:
    """Return a tournament as a JSON object: its table, and the groups of its last round."""
    return {
        "name": tournament.name,
        "round": tournament.last_round,
        "groups": [
            {"number": group.number, "players": list(group.players), "finished": group.sitting is not None}
            for group in list_last_groups(tournament)
        ],
        "rows": [describe_standing(row) for row in compute_standings(tournament)],
    }


def list_last_groups(tournament: Tournament) -> Sequence[Group]:
    """Return the groups of the round drawn last; empty: none was drawn."""
    return [group for group in tournament.groups if group.round == tournament.last_round]
