"""The tables of the club's database."""

from functools import cache
from typing import Any

import sqlalchemy as sa

from companion.club.messages import MAX_CLUB_NAME_LETTERS

METADATA = sa.MetaData()
SITTINGS = sa.Table(
    "sittings",
    METADATA,
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("table_id", sa.String(40), nullable=False),
    sa.Column("sitting", sa.String(64), nullable=False, index=True),
    sa.Column("arrived", sa.BigInteger, nullable=False),
    sa.Column("revision", sa.Integer, nullable=False),
    sa.Column("finished", sa.Boolean, nullable=False),
    sa.Column("game", sa.String(60), nullable=False, index=True),
    sa.Column("title", sa.String(MAX_CLUB_NAME_LETTERS), nullable=False),
    sa.Column("name", sa.String(MAX_CLUB_NAME_LETTERS), nullable=False),
    sa.Column("started", sa.BigInteger, nullable=False),
    sa.Column("ended", sa.BigInteger, nullable=False, index=True),
    sa.Column("duration_s", sa.Float, nullable=False),
    sa.Column("lowest_wins", sa.Boolean, nullable=False),
    sa.UniqueConstraint("table_id", "sitting"),
    sqlite_autoincrement=True,
)
"""One row for each sitting of a table, numbered in the order in which the first message on it arrived.

Times are whole seconds of Unix time, which both databases order alike; `arrived` is by the club's own clock.
"""
PLAYERS = sa.Table(
    "sitting_players",
    METADATA,
    sa.Column("number", sa.ForeignKey("sittings.number", ondelete="CASCADE"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("player", sa.String(MAX_CLUB_NAME_LETTERS), nullable=False, index=True),
    sa.Column("score", sa.BigInteger, nullable=False),
    sa.Column("won", sa.Boolean, nullable=False),
    sa.Column("place", sa.Integer, nullable=False),
    sa.Column("began", sa.Boolean, nullable=False),
)
OTHER_NAMES = sa.Table(
    "other_names",
    METADATA,
    sa.Column("other", sa.String(MAX_CLUB_NAME_LETTERS), primary_key=True),
    sa.Column("player", sa.String(MAX_CLUB_NAME_LETTERS), nullable=False),
)
"""Names that stand for a player of another name: "Bob" at one table, "Robert" at the next."""
TOURNAMENTS = sa.Table(
    "tournaments",
    METADATA,
    sa.Column("tournament", sa.String(MAX_CLUB_NAME_LETTERS), primary_key=True),
    sa.Column("game", sa.String(60), nullable=False),
    sa.Column("min_seats", sa.Integer, nullable=False),
    sa.Column("max_seats", sa.Integer, nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False),
)
ENTRANTS = sa.Table(
    "entrants",
    METADATA,
    sa.Column("tournament", sa.ForeignKey("tournaments.tournament", ondelete="CASCADE"), primary_key=True),
    sa.Column("player", sa.String(MAX_CLUB_NAME_LETTERS), primary_key=True),
    sa.Column("left_after", sa.Integer),
)
"""Players of a tournament; `left_after`: the last round that the player was in, null while still in."""
SEATINGS = sa.Table(
    "seatings",
    METADATA,
    sa.Column("tournament", sa.ForeignKey("tournaments.tournament", ondelete="CASCADE"), primary_key=True),
    sa.Column("round", sa.Integer, primary_key=True),
    sa.Column("player", sa.String(MAX_CLUB_NAME_LETTERS), primary_key=True),
    sa.Column("group_number", sa.Integer, nullable=False),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("after", sa.Integer, nullable=False),
)
"""Who plays in which group of which round, from 1; `after`: number of the last sitting before the round was drawn."""


def check_row(table: sa.Table, row: sa.Row[Any]) -> None:
    """Check that each column of a row has a value of its type: SQLite keeps anything anywhere.

    Args:
        table: whose columns the row has, all of them in their order.
        row: the row.

    Raises:
        ValueError: one has another: somebody changed the database by hand, or it is damaged.
    """
    for (name, kinds), value in zip(_list_types(table), row, strict=True):
        if not isinstance(value, kinds):
            raise ValueError(f"{table.name}.{name} is {ascii(value)[:40]}")


@cache  # the page checks all results each second
def _list_types(table: sa.Table) -> list[tuple[str, tuple[type, ...]]]:
    """Return the name and the types of each column."""
    return [
        (column.name, (column.type.python_type, *((type(None),) if column.nullable else ())))
        for column in table.columns
    ]
