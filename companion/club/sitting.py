"""A finished game as the club knows it, built from its rows in the database.

To which evening it belongs: `companion/evening.py`.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa

from companion.club.schema import PLAYERS, SITTINGS, check_row
from companion.names import make_name_key


@dataclass(frozen=True, slots=True)
class PlacedPlayer:
    """One player in one finished sitting."""

    player: str
    """The player's name in the club: other names are replaced."""
    score: int
    won: bool
    place: int
    """From 1; players of the same place share it."""
    seat: int = 0


@dataclass(frozen=True, slots=True)
class Sitting:
    """One finished game as the club knows it."""

    id: str
    table: str
    game: str
    title: str
    ended: datetime
    """End of the game, in UTC."""
    duration_s: float
    lowest_wins: bool
    players: tuple[PlacedPlayer, ...]
    """By seat."""
    number: int = 0
    """It grows with the order in which sittings arrived."""


def build_sitting(row: sa.Row[Any], players: Sequence[sa.Row[Any]], names: dict[str, str]) -> Sitting:
    """Build a sitting from its rows.

    Raises:
        ValueError, OSError, ArithmeticError: somebody changed the database by hand, or it is damaged.
    """
    check_row(SITTINGS, row)
    for each in players:
        check_row(PLAYERS, each)
    if not players or not math.isfinite(row.duration_s):
        raise ValueError("it has no players or no duration")
    if not all(1 <= each.place <= len(players) for each in players):
        raise ValueError("a place cannot be")
    ended = datetime.fromtimestamp(row.ended, UTC)
    if not 1969 <= ended.year <= 9892:  # as messages have it, in every time zone
        raise ValueError(f"it ended in the year {ended.year}")
    return Sitting(
        row.sitting,
        row.table_id,
        row.game,
        row.name or row.title,
        ended,
        row.duration_s,
        row.lowest_wins,
        tuple(
            PlacedPlayer(names[make_name_key(each.player)], each.score, each.won, each.place, each.seat)
            for each in players
        ),
        row.number,
    )
