"""The club's results in SQLite or PostgreSQL, through SQLAlchemy: each sitting once, in its latest revision."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Self

import sqlalchemy as sa
from sqlalchemy.exc import ArgumentError, InterfaceError, NoSuchModuleError, OperationalError, SQLAlchemyError

from companion.club.messages import TableResult

METADATA = sa.MetaData()
SITTINGS = sa.Table(
    "sittings",
    METADATA,
    sa.Column("sitting", sa.String(64), primary_key=True),
    sa.Column("revision", sa.Integer, nullable=False),
    sa.Column("finished", sa.Boolean, nullable=False),
    sa.Column("table_id", sa.String(40), nullable=False),
    sa.Column("game", sa.String(60), nullable=False, index=True),
    sa.Column("title", sa.String(80), nullable=False),
    sa.Column("name", sa.String(80), nullable=False),
    sa.Column("started", sa.BigInteger, nullable=False),
    sa.Column("ended", sa.BigInteger, nullable=False, index=True),
    sa.Column("duration_s", sa.Float, nullable=False),
    sa.Column("lowest_wins", sa.Boolean, nullable=False),
)
"""One row for each sitting; times are whole seconds of Unix time, which both databases order alike."""
PLAYERS = sa.Table(
    "sitting_players",
    METADATA,
    sa.Column("sitting", sa.ForeignKey("sittings.sitting", ondelete="CASCADE"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("player", sa.String(80), nullable=False, index=True),
    sa.Column("score", sa.BigInteger, nullable=False),
    sa.Column("won", sa.Boolean, nullable=False),
    sa.Column("began", sa.Boolean, nullable=False),
)
OTHER_NAMES = sa.Table(
    "other_names",
    METADATA,
    sa.Column("other", sa.String(80), primary_key=True),
    sa.Column("player", sa.String(80), nullable=False),
)
"""Names that stand for a player of another name: "Bob" at one table, "Robert" at the next."""
TOURNAMENTS = sa.Table(
    "tournaments",
    METADATA,
    sa.Column("tournament", sa.String(80), primary_key=True),
    sa.Column("game", sa.String(60), nullable=False),
    sa.Column("min_seats", sa.Integer, nullable=False),
    sa.Column("max_seats", sa.Integer, nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False),
)
ENTRANTS = sa.Table(
    "entrants",
    METADATA,
    sa.Column("tournament", sa.ForeignKey("tournaments.tournament", ondelete="CASCADE"), primary_key=True),
    sa.Column("player", sa.String(80), primary_key=True),
    sa.Column("left_after", sa.Integer),
)
"""Players of a tournament; `left_after`: the last round that the player was in, null while still in."""
SEATINGS = sa.Table(
    "seatings",
    METADATA,
    sa.Column("tournament", sa.ForeignKey("tournaments.tournament", ondelete="CASCADE"), primary_key=True),
    sa.Column("round", sa.Integer, primary_key=True),
    sa.Column("player", sa.String(80), primary_key=True),
    sa.Column("group_number", sa.Integer, nullable=False),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("drawn", sa.BigInteger, nullable=False),
)
"""Who plays in which group of which round, from 1; `drawn`: when the round was drawn."""


class ClubDatabaseError(Exception):
    """The database cannot be opened, read or written; the text says so in one line, without the password.

    Args:
        message: the text.
        is_temporary: the same may succeed later: the server does not answer, the file is locked, the disk is full.
    """

    def __init__(self, message: str, *, is_temporary: bool = False) -> None:
        super().__init__(message)
        self.is_temporary = is_temporary


@dataclass(frozen=True, slots=True)
class PlacedPlayer:
    """One player in one finished sitting."""

    player: str
    """The player's name in the club: other names are replaced."""
    score: int
    won: bool
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


class ClubDatabase:
    """The database of a club; its tables are made when it is opened for the first time.

    Args:
        url: as SQLAlchemy reads it: "sqlite:////var/lib/club.sqlite3", "postgresql+psycopg://user@host/club".

    Raises:
        ClubDatabaseError: the URL is none, its driver is not installed, or the database does not answer.
    """

    def __init__(self, url: str) -> None:
        try:
            self._engine = sa.create_engine(url, pool_pre_ping=True)
            if self._engine.dialect.name == "sqlite":
                sa.event.listen(self._engine, "connect", _prepare_sqlite)
            METADATA.create_all(self._engine)
        except (ArgumentError, NoSuchModuleError) as error:
            raise ClubDatabaseError(f"this is no address of a database: {error}") from error
        except ImportError as error:
            raise ClubDatabaseError(
                f"the driver of this database is not installed ({error}); for PostgreSQL: pip install 'psycopg[binary]'"
            ) from error
        except SQLAlchemyError as error:
            raise _explain(error) from error

    def __enter__(self) -> Self:
        """Return the database itself."""
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        """Close all connections."""
        self._engine.dispose()

    def save_results(self, results: Iterable[TableResult]) -> int:
        """Save results in one transaction; the highest revision of each sitting stays, so saving again is harmless.

        Args:
            results: in any order, repeated as often as the broker likes.

        Returns:
            How many sittings were added or changed.

        Raises:
            ClubDatabaseError: nothing of it was saved.
        """
        latest: dict[str, TableResult] = {}
        for result in results:
            known = latest.get(result.sitting)
            if known is None or result.revision >= known.revision:
                latest[result.sitting] = result
        try:
            with self._engine.begin() as connection:
                return sum(_save_result(connection, latest[sitting]) for sitting in sorted(latest))
        except SQLAlchemyError as error:
            raise _explain(error) from error

    def read_revisions(self) -> dict[str, int]:
        """Return the revision of each sitting, taken back ones included.

        Raises:
            ClubDatabaseError: it cannot be read.
        """
        return {row.sitting: row.revision for row in self.read(sa.select(SITTINGS.c.sitting, SITTINGS.c.revision))}

    def read_sittings(
        self, game: str | None = None, since: datetime | None = None, until: datetime | None = None
    ) -> tuple[Sitting, ...]:
        """Return finished sittings in the order in which they ended.

        Args:
            game: only of this game, by its name in snake case; None: of all.
            since: only those that ended then or later; None: no limit.
            until: only those that ended before; None: no limit.

        Raises:
            ClubDatabaseError: they cannot be read.
        """
        query = sa.select(SITTINGS).where(SITTINGS.c.finished).order_by(SITTINGS.c.ended, SITTINGS.c.sitting)
        if game is not None:
            query = query.where(SITTINGS.c.game == game)
        if since is not None:
            query = query.where(SITTINGS.c.ended >= int(since.timestamp()))
        if until is not None:
            query = query.where(SITTINGS.c.ended < int(until.timestamp()))
        rows = self.read(query)
        names = {row.other: row.player for row in self.read(sa.select(OTHER_NAMES))}
        players: dict[str, list[PlacedPlayer]] = {row.sitting: [] for row in rows}
        wanted = query.with_only_columns(SITTINGS.c.sitting).order_by(None).subquery()
        for row in self.read(
            sa.select(PLAYERS).join(wanted, wanted.c.sitting == PLAYERS.c.sitting).order_by(PLAYERS.c.seat)
        ):
            if row.sitting in players:  # a result may have arrived between the two queries
                players[row.sitting].append(
                    PlacedPlayer(names.get(row.player, row.player), row.score, row.won, row.seat)
                )
        return tuple(
            Sitting(
                row.sitting,
                row.table_id,
                row.game,
                row.name or row.title,
                datetime.fromtimestamp(row.ended, UTC),
                row.duration_s,
                row.lowest_wins,
                tuple(players[row.sitting]),
            )
            for row in rows
        )

    def list_names(self) -> tuple[str, ...]:
        """Return all names under which anybody has played, sorted.

        Raises:
            ClubDatabaseError: they cannot be read.
        """
        return tuple(row.player for row in self.read(sa.select(PLAYERS.c.player).distinct().order_by(PLAYERS.c.player)))

    def name_player(self, other: str, player: str) -> None:
        """Let results under another name count for a player; the results themselves stay as the tables sent them.

        Args:
            other: name in results.
            player: name in the club from now on. The same as `other`: the two are apart again.

        Raises:
            ValueError: `player` itself stands for somebody else, which would be a chain.
            ClubDatabaseError: it cannot be saved.
        """
        known = {row.other: row.player for row in self.read(sa.select(OTHER_NAMES))}
        if player != other and player in known:
            raise ValueError(f'"{player}" already stands for "{known[player]}": use that name')
        commands: list[sa.Executable] = [sa.delete(OTHER_NAMES).where(OTHER_NAMES.c.other == other)]
        if player != other:
            # Names that stood for `other` follow it.
            commands.append(sa.update(OTHER_NAMES).where(OTHER_NAMES.c.player == other).values(player=player))
            commands.append(sa.insert(OTHER_NAMES).values(other=other, player=player))
        self.write(*commands)

    def write(self, *commands: sa.Executable) -> None:
        """Execute commands in one transaction.

        Raises:
            ClubDatabaseError: none of them was carried out.
        """
        try:
            with self._engine.begin() as connection:
                for command in commands:
                    connection.execute(command)
        except SQLAlchemyError as error:
            raise _explain(error) from error

    def read(self, query: sa.Select[Any]) -> Sequence[sa.Row[Any]]:
        """Return all rows of a query.

        Raises:
            ClubDatabaseError: they cannot be read.
        """
        try:
            with self._engine.connect() as connection:
                return connection.execute(query).all()
        except SQLAlchemyError as error:
            raise _explain(error) from error


def _prepare_sqlite(connection: Any, _record: object) -> None:
    # Write-ahead log: the page reads while the receiver writes. Foreign keys are off in SQLite unless asked for.
    for pragma in ("journal_mode = WAL", "foreign_keys = ON", "busy_timeout = 10000"):
        connection.execute(f"PRAGMA {pragma}")


def _save_result(connection: sa.Connection, result: TableResult) -> bool:
    # The row stays locked until the commit, so that two revisions of one sitting are saved one after the other.
    query = sa.select(SITTINGS.c.revision).where(SITTINGS.c.sitting == result.sitting).with_for_update()
    known = connection.execute(query).scalar_one_or_none()
    # A table repeats results until they arrive: what is here already, or came late, changes nothing.
    if known is not None and known >= result.revision:
        return False
    values = {
        "revision": result.revision,
        "finished": result.finished,
        "table_id": result.table,
        "game": result.game,
        "title": result.title,
        "name": result.name,
        "started": int(result.started.timestamp()),
        "ended": int(result.ended.timestamp()),
        "duration_s": result.duration_s,
        "lowest_wins": result.lowest_wins,
    }
    if known is None:
        connection.execute(sa.insert(SITTINGS).values(sitting=result.sitting, **values))
    else:
        connection.execute(sa.update(SITTINGS).where(SITTINGS.c.sitting == result.sitting).values(**values))
        # Names and seats may have been corrected too: all players are written again.
        connection.execute(sa.delete(PLAYERS).where(PLAYERS.c.sitting == result.sitting))
    connection.execute(
        sa.insert(PLAYERS),
        [
            {
                "sitting": result.sitting,
                "seat": player.seat,
                "player": player.name,
                "score": player.score,
                "won": player.won,
                "began": player.began,
            }
            for player in result.players
        ],
    )
    return True


def _explain(error: SQLAlchemyError) -> ClubDatabaseError:
    cause = getattr(error, "orig", None) or error
    text = str(cause).splitlines()[0] if str(cause) else type(cause).__name__
    return ClubDatabaseError(
        f"the club's database: {text}", is_temporary=isinstance(error, (OperationalError, InterfaceError))
    )
