"""The club's results in SQLite or PostgreSQL, through SQLAlchemy: each sitting of a table once, in its latest revision.

A table can change only its own results: the key is (table, sitting). Of a sitting that several tables publish, as a
box does that got a new id, the finished result that came first counts.
"""

import logging
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import sqlalchemy as sa
from sqlalchemy.exc import ArgumentError, InterfaceError, NoSuchModuleError, OperationalError, SQLAlchemyError

from companion.club.messages import TableResult
from companion.club.schema import METADATA, OTHER_NAMES, PLAYERS, SITTINGS, check_row
from companion.club.sitting import Sitting, build_sitting
from companion.names import make_name_key, normalize_name
from companion.os_compat import FULL_SYNC_PRAGMAS
from companion.system.progress import show_progress

log = logging.getLogger(__name__)


MAX_LOGGED_FAULTS = 1_000
"""Faulty rows that the log names; of further ones nothing is said."""


class ClubDatabaseError(Exception):
    """The database cannot be opened, read or written; the text says so in one line, without the password.

    Args:
        message: the text.
        is_temporary: the same may succeed later: the server does not answer, the file is locked, the disk is full.
    """

    def __init__(self, message: str, *, is_temporary: bool = False) -> None:
        super().__init__(message)
        self.is_temporary = is_temporary


class ClubDatabase:
    """The database of a club; its tables are made when it is opened for the first time.

    Args:
        url: as SQLAlchemy reads it: "sqlite:////var/lib/club.sqlite3", "postgresql+psycopg://user@host/club".
        get_time: the club's own clock, Unix seconds.
        is_known: it must be there, with a club's tables: nothing is made.

    Raises:
        ClubDatabaseError: the URL is none, its driver is not installed, the database does not answer, is none of a club
            though it must be, or its tables are those of another version.
    """

    def __init__(self, url: str, get_time: Callable[[], float] = time.time, *, is_known: bool = False) -> None:
        self._get_time = get_time
        self._logged_faults: set[str] = set()
        try:
            self._engine = sa.create_engine(url, pool_pre_ping=True)
            if is_known:
                _check_known(self._engine)
            _check_columns(self._engine)
            self._engine.dispose()  # the checks' connection is not prepared
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
        latest: dict[tuple[str, str], TableResult] = {}
        for result in results:
            known = latest.get((result.table, result.sitting))
            if known is None or result.revision >= known.revision:
                latest[result.table, result.sitting] = result
        now = int(self._get_time())
        try:
            with self._engine.begin() as connection:
                # In one order, so that two writers do not wait for each other.
                keys = show_progress(sorted(latest), "Saving results")
                return sum(_save_result(connection, latest[key], now) for key in keys)
        except SQLAlchemyError as error:
            raise _explain(error) from error

    def read_revisions(self) -> dict[tuple[str, str], int]:
        """Return the revision of each table's sittings, taken back ones included, without those that cannot be read.

        Raises:
            ClubDatabaseError: it cannot be read.
        """
        rows = self.read(sa.select(SITTINGS.c.table_id, SITTINGS.c.sitting, SITTINGS.c.revision))
        return {(row.table_id, row.sitting): row.revision for row in rows if isinstance(row.revision, int)}

    def find_last_number(self) -> int:
        """Return the number of the sitting that arrived last; 0: there is none.

        Raises:
            ClubDatabaseError: it cannot be read.
        """
        return int(self.read(sa.select(sa.func.coalesce(sa.func.max(SITTINGS.c.number), 0)))[0][0])

    def read_sittings(
        self,
        game: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        after: int = 0,
    ) -> tuple[Sitting, ...]:
        """Return finished sittings in the order in which they ended; one that cannot be read is logged and left out.

        Args:
            game: only of this game, by its name in snake case; None: of all.
            since: only those that ended then or later; None: no limit.
            until: only those that ended before; None: no limit.
            after: only those that arrived after the one of this number.

        Raises:
            ClubDatabaseError: they cannot be read.
        """
        first = sa.select(sa.func.min(SITTINGS.c.number)).where(SITTINGS.c.finished).group_by(SITTINGS.c.sitting)
        query = sa.select(SITTINGS).where(SITTINGS.c.finished, SITTINGS.c.number > after, SITTINGS.c.number.in_(first))
        if game is not None:
            query = query.where(SITTINGS.c.game == game)
        if since is not None:
            query = query.where(SITTINGS.c.ended >= int(since.timestamp()))
        if until is not None:
            query = query.where(SITTINGS.c.ended < int(until.timestamp()))
        rows = self.read(query.order_by(SITTINGS.c.ended, SITTINGS.c.number))
        wanted = query.with_only_columns(SITTINGS.c.number).subquery()
        players: dict[int, list[sa.Row[Any]]] = {row.number: [] for row in rows}
        for row in self.read(
            sa.select(PLAYERS)
            .join(wanted, wanted.c.number == PLAYERS.c.number)
            .order_by(PLAYERS.c.number, PLAYERS.c.seat)
        ):
            if row.number in players:  # a result may have arrived between the two queries
                players[row.number].append(row)
        names = self._read_names(row.player for found in players.values() for row in found)
        sittings = []
        for row in rows:
            try:
                sittings.append(build_sitting(row, players[row.number], names))
            except (ValueError, OSError, ArithmeticError) as error:
                self.log_fault(f"The result {row.number} cannot be read and does not count: {error}")
        return tuple(sittings)

    def log_fault(self, text: str) -> None:
        """Log what is wrong with a row, once: the page reads it again each second."""
        if text not in self._logged_faults and len(self._logged_faults) < MAX_LOGGED_FAULTS:
            self._logged_faults.add(text)
            log.error("%s.", text)

    def _read_names(self, written: Iterable[object]) -> dict[str, str]:
        """Return the name in the club by the key of each name: of several spellings the one that was written last."""
        names = {make_name_key(name): name for name in written if isinstance(name, str)}
        return names | {key: row.player for key, row in self._read_other_names().items()}

    def _read_other_names(self) -> dict[str, sa.Row[Any]]:
        """Return the names that stand for a player of another name, by their key."""
        rows = {}
        for row in self.read(sa.select(OTHER_NAMES)):
            try:
                check_row(OTHER_NAMES, row)
                rows[make_name_key(row.other)] = row
            except ValueError as error:
                self.log_fault(f"A name that stands for another cannot be read: {error}")
        return rows

    def list_names(self) -> tuple[str, ...]:
        """Return all names under which anybody has played, sorted.

        Raises:
            ClubDatabaseError: they cannot be read.
        """
        rows = self.read(sa.select(PLAYERS.c.player).distinct().order_by(PLAYERS.c.player))
        return tuple(row.player for row in rows if isinstance(row.player, str))

    def name_player(self, other: str, player: str) -> None:
        """Let results under another name count for a player; the results themselves stay as the tables sent them.

        Args:
            other: name in results.
            player: name in the club from now on. The same as `other`: the two are apart again.

        Raises:
            ValueError: `player` is empty, or stands for somebody else itself, which would be a chain.
            ClubDatabaseError: it cannot be saved.
        """
        other_key, player = make_name_key(other), normalize_name(player)
        known = self._read_other_names()
        key = make_name_key(player)
        if not key:
            raise ValueError("the name of a player is empty")
        if key != other_key and key in known:
            raise ValueError(f'"{player}" already stands for "{known[key].player}": use that name')
        commands: list[sa.Executable] = []
        for followed, row in known.items():
            # Names that stood for `other` follow it.
            if followed == other_key:
                commands.append(sa.delete(OTHER_NAMES).where(OTHER_NAMES.c.other == row.other))
            elif key != other_key and make_name_key(row.player) == other_key:
                commands.append(sa.update(OTHER_NAMES).where(OTHER_NAMES.c.other == row.other).values(player=player))
        if key != other_key:
            commands.append(sa.insert(OTHER_NAMES).values(other=normalize_name(other), player=player))
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


def _check_known(engine: sa.Engine) -> None:
    """Check that the database is a club's; a file that is none is neither made nor changed.

    Raises:
        ClubDatabaseError: it is not there, or has no results.
        SQLAlchemyError: it does not answer.
    """
    remedy = "name the club's in --database, or begin one with `companion club run`"
    name = engine.url.database or ""
    if engine.dialect.name == "sqlite" and not Path(name).is_file():
        raise ClubDatabaseError(f"there is no database {name}: {remedy}")
    if not sa.inspect(engine).has_table(PLAYERS.name):  # a journal has sittings, too
        raise ClubDatabaseError(f"the database {name} is not of a club: {remedy}")


def _check_columns(engine: sa.Engine) -> None:
    """Check that the tables that are there have the columns of this version; nothing is changed.

    Raises:
        ClubDatabaseError: another version of the companion has made them.
        SQLAlchemyError: it does not answer.
    """
    if engine.dialect.name == "sqlite" and not Path(engine.url.database or "").is_file():
        return  # to look would make the file
    inspector = sa.inspect(engine)
    for table in METADATA.sorted_tables:
        if not inspector.has_table(table.name):
            continue
        found, wanted = {column["name"] for column in inspector.get_columns(table.name)}, {*table.columns.keys()}
        if found != wanted:
            raise ClubDatabaseError(
                f"the database {engine.url.database} is of another version of the companion (columns of {table.name}: "
                f"{', '.join(sorted(found ^ wanted))}). It was left as it is: move it away, or name another one in "
                "--database, and `companion club run` begins a new one; that version can still read the old one"
            )


def _prepare_sqlite(connection: Any, _record: object) -> None:
    connection.text_factory = lambda text: text.decode("utf-8", "replace")  # one torn letter would end the query
    # Write-ahead log: the page reads while the receiver writes. Foreign keys are off in SQLite unless asked for.
    for pragma in ("journal_mode = WAL", "foreign_keys = ON", "busy_timeout = 10000", *FULL_SYNC_PRAGMAS):
        connection.execute(f"PRAGMA {pragma}")


def _save_result(connection: sa.Connection, result: TableResult, now: int) -> bool:
    # The row stays locked until the commit, so that two revisions of one sitting are saved one after the other.
    own = (SITTINGS.c.table_id == result.table) & (SITTINGS.c.sitting == result.sitting)
    known = connection.execute(sa.select(SITTINGS).where(own).with_for_update()).one_or_none()
    revision, arrived = -1, now
    if known is not None:
        if isinstance(known.arrived, int) and known.arrived >= 0:
            arrived = known.arrived
        with suppress(ValueError):  # what the table sends takes the place of a row that cannot be read
            check_row(SITTINGS, known)
            revision = known.revision
    if revision > result.revision:
        return False  # a table repeats results until they arrive: this one came late
    values = {
        "arrived": arrived,
        "revision": result.revision,
        "finished": result.finished,
        "game": result.game,
        "title": result.title,
        "name": result.name,
        # No game ended after its result arrived: a table whose clock is fast is not the latest for ever.
        "started": min(arrived, int(result.started.timestamp())),
        "ended": min(arrived, int(result.ended.timestamp())),
        "duration_s": result.duration_s,
        "lowest_wins": result.lowest_wins,
    }
    players = [
        {"player": player.name} | player.model_dump(exclude={"name"})
        for player in sorted(result.players, key=lambda player: player.seat)
    ]
    if known is None:
        row = {"table_id": result.table, "sitting": result.sitting, **values}
        number = connection.execute(sa.insert(SITTINGS).values(row).returning(SITTINGS.c.number)).scalar_one()
    else:
        number = known.number
        query = sa.select(PLAYERS).where(PLAYERS.c.number == number).order_by(PLAYERS.c.seat)
        before = [dict(row) for row in connection.execute(query).mappings()]
        # A corrected time or name has no revision of its own.
        if dict(known._mapping) | values == dict(known._mapping) and before == [
            {"number": number} | p for p in players
        ]:
            return False
        connection.execute(sa.update(SITTINGS).where(SITTINGS.c.number == number).values(**values))
        connection.execute(sa.delete(PLAYERS).where(PLAYERS.c.number == number))
    connection.execute(sa.insert(PLAYERS), [{"number": number} | player for player in players])
    return True


def _explain(error: SQLAlchemyError) -> ClubDatabaseError:
    cause = getattr(error, "orig", None) or error
    text = str(cause).splitlines()[0] if str(cause) else type(cause).__name__
    return ClubDatabaseError(
        f"the club's database: {text}", is_temporary=isinstance(error, (OperationalError, InterfaceError))
    )
