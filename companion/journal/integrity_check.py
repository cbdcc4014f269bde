"""Check a journal's file: its tables, each row's checksum, and whether its mirror has the same rows."""

import sqlite3
import threading
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from companion.file_reader import read_file
from companion.i18n import replace_unprintable
from companion.journal import schema
from companion.journal.entry import JournalTooNew
from companion.journal.mirror_file import MirrorFile
from companion.journal.page_reader import WriteAheadLog
from companion.log import log

SQLITE_SUFFIXES = ("-wal", "-shm")
"""Suffixes of the files that SQLite keeps beside a journal that is open."""

TORN_LAST_ENTRY = "its last entry was cut off"
"""The fault if the power was cut while the last transaction was written. Nothing that was shown to anyone is missing,
so it is not reported."""

MAX_BYTES_CHECKED_AT_OPENING = 500_000
"""Of a larger journal (some 30 games) only the ends are checked at the opening, and the rest in the background. Larger:
the first picture comes later, by 2 ms a game on a desktop computer."""

MAX_FILE_BYTES = 1 << 40
"""Longest file of a journal: longer than any disk that it is on, since a journal is read at any length."""

ROWS_PER_SLICE = 200
"""Rows that the background check reads between two pauses, about 2 ms of work."""
PAUSE_SECONDS = 0.005
"""A pause of the background check, in which the main loop can draw."""

# Result codes that mean that the file could not be accessed, not that its content is wrong.
ACCESS_ERRORS = frozenset(
    {
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_INTERRUPT,
    }
)

_Row = TypeVar("_Row")

READ_ERRORS = (sqlite3.SQLITE_IOERR_READ, sqlite3.SQLITE_IOERR_SHORT_READ)
"""Extended result codes of a failed read; of EIO SQLite says SQLITE_CORRUPT."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What a check found."""

    fault: str | None = None
    """What is wrong with the journal, in English; None: it is valid."""
    is_mirror_foreign: bool = False
    """The mirror is that of another journal."""
    unmirrored_games: list[int] = field(default_factory=list)
    """Numbers of the games that the mirror lacks."""
    unmirrored_rows: "array[int]" = field(default_factory=lambda: array("q"))
    """Row ids of the entries that the mirror lacks."""

    def read_unmirrored(self, connection: sqlite3.Connection) -> Iterator[schema.Row]:
        """Yield the rows that the mirror lacks, for `MirrorFile.append`."""
        for game_id in self.unmirrored_games:
            yield from connection.execute("SELECT * FROM sittings WHERE id = ?", (game_id,))
        for rowid in self.unmirrored_rows:
            yield from connection.execute("SELECT * FROM entries WHERE rowid = ?", (rowid,))


class BackgroundCheck:
    """Checks all of an open journal in a thread of its own, with pauses, while people play.

    Args:
        path: the journal; other connections may write to it meanwhile.
        mirror: its mirror.
    """

    def __init__(self, path: Path, mirror: MirrorFile) -> None:
        self._path, self._mirror = path, mirror
        self._is_stopped = threading.Event()
        self._result: CheckResult | None = None
        self._connection: sqlite3.Connection | None = None
        self._thread = threading.Thread(target=self._run, name="journal check", daemon=True)
        self._thread.start()

    def take_result(self) -> CheckResult | None:
        """Return what was found, once; None: nothing yet, or it was returned before, or the file cannot be read."""
        result, self._result = self._result, None
        return result

    def close(self) -> None:
        """Stop the check and wait for its end."""
        self._is_stopped.set()
        while self._thread.is_alive():
            # Again and again, since a statement that begins only now is not interrupted.
            if self._connection is not None:
                with suppress(sqlite3.ProgrammingError):  # it was closed just now
                    self._connection.interrupt()
            self._thread.join(PAUSE_SECONDS)

    def wait(self) -> None:
        """Wait until all has been checked."""
        self._thread.join()

    def _run(self) -> None:
        with (
            suppress(sqlite3.Error, OSError, _Stopped),
            closing(open_read_only(self._path, may_change=True)) as self._connection,
        ):
            try:
                self._result = _check_rows(self._connection, self._mirror, self._pause)
            except sqlite3.DatabaseError as error:
                self._result = CheckResult(_describe_damage(error))

    def _pause(self) -> None:
        if self._is_stopped.wait(PAUSE_SECONDS):
            raise _Stopped


class _Stopped(Exception):
    """The background check was stopped."""


def check_journal_file(path: Path, mirror: MirrorFile, *, is_thorough: bool, may_write: bool = True) -> CheckResult:
    """Return what is wrong with the file and its mirror.

    Args:
        path: the journal, a file that exists; nothing writes to it meanwhile.
        mirror: its mirror.
        is_thorough: check all rows; if not, only its header, its log and the last entries, in a time that does not
            grow with the number of games. Where the mirror's last rows are others all rows are checked.
        may_write: as of `open_read_only`.

    Raises:
        JournalTooNew: a newer version of the companion wrote the file.
        OSError: it could not be read.
        sqlite3.Error: it could not be accessed.
    """
    for side in ("", *SQLITE_SUFFIXES):
        if (odd := append_suffix(path, side)).exists() and not odd.is_file():
            return CheckResult(f"{odd.name} was not a file")  # SQLite cannot open a folder; a pipe never ends
    if path.stat().st_size == 0:
        return CheckResult("it was empty")
    try:
        with closing(open_read_only(path, may_write=may_write)) as connection:
            fault = _check_version_and_tables(path, connection)
            if fault is not None:
                return CheckResult(fault)
            fault = _find_fault_in_log(path, connection)
            if fault is None and not is_thorough and _has_last_rows(connection, mirror):
                return CheckResult()
            found = _check_rows(connection, mirror)
            return found if fault is None or found.fault is not None else CheckResult(fault)
    except sqlite3.DatabaseError as error:
        return CheckResult(_describe_damage(error))
    except UnicodeDecodeError:  # SQLite's own message quotes what it found
        return CheckResult("its tables have unreadable names")


def _describe_damage(error: sqlite3.DatabaseError) -> str:
    """Return what is wrong with a file.

    Raises:
        sqlite3.DatabaseError: nothing: it could not be accessed.
    """
    if get_result_code(error) in ACCESS_ERRORS:
        raise error
    return replace_unprintable(str(error))


def _check_version_and_tables(path: Path, connection: sqlite3.Connection) -> str | None:
    version, application = (
        connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("user_version", "application_id")
    )
    with closing(sqlite3.connect(":memory:")) as model:
        model.executescript(schema.CREATE_TABLES)
        has_our_tables = schema.read_table_definitions(connection) == schema.read_table_definitions(model)
    if version > schema.SCHEMA_VERSION and application == schema.APPLICATION_ID and not has_our_tables:
        raise JournalTooNew(
            f"The journal {path} was written by a newer companion (format {version}, this one knows up to "
            f"{schema.SCHEMA_VERSION}). Update the companion, or name another data folder. The file was left as it is."
        )
    if (version, application, has_our_tables) != (schema.SCHEMA_VERSION, schema.APPLICATION_ID, True):
        return "its header did not say that it is a journal"
    return None


def _find_fault_in_log(path: Path, connection: sqlite3.Connection) -> str | None:
    wal = read_wal(path)
    torn = [last for row, last in wal.read_committed_rows() if schema.find_row(connection, row) is None]
    if torn:
        return TORN_LAST_ENTRY if all(torn) else "its log was torn"
    if wal.has_first_page():
        return None
    with path.open("rb") as file:
        if file.read(20)[18:] not in (b"\1\1", b"\2\2"):  # SQLite's write and read version: it would refuse to write
            return "its header was changed"
    return None


def _has_last_rows(connection: sqlite3.Connection, mirror: MirrorFile) -> bool:
    """Return whether the mirror has rows at its end, and the journal has them all.

    After a power cut the mirror lacks what was written since it was last synced: the check in the background adds that.
    """
    try:
        tail = mirror.read_last_rows()
    except OSError:
        return False
    return bool(tail) and all(schema.find_row(connection, row) == row for row in tail)


def _check_rows(
    connection: sqlite3.Connection, mirror: MirrorFile, pause: Callable[[], None] = lambda: None
) -> CheckResult:
    """Check the file's structure and the checksums of all rows, and compare them with the mirror.

    Args:
        pause: called every ROWS_PER_SLICE rows; it may raise to end the check.
    """
    # First the mirror: an entry that is added meanwhile is in the journal before it is in the mirror.
    try:
        mirrored = _MirroredRows(_with_pauses(mirror.read_checksums(), pause))
    except OSError as error:
        log.warning("The second copy of the games cannot be read: %s", error)
        mirrored = None
    (verdict,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    pause()  # some versions of SQLite take an interrupted check for damage
    if verdict != "ok":
        return CheckResult(replace_unprintable(verdict))
    result = CheckResult()
    for row in connection.execute("SELECT * FROM sittings"):
        if not schema.has_valid_checksum(row):
            return CheckResult("a row of its sittings was changed")
        if mirrored is not None and not mirrored.take_game(row):
            result.unmirrored_games.append(row[0])
    is_mirror_foreign = mirrored is not None and mirrored.is_foreign
    if is_mirror_foreign:
        mirrored = None
    for rowid, *values in _with_pauses(connection.execute("SELECT rowid, * FROM entries"), pause):
        if not schema.has_valid_checksum(row := tuple(values)):
            return CheckResult("a row of its entries was changed")
        if mirrored is not None and not mirrored.take_entry(row):
            result.unmirrored_rows.append(rowid)
    if mirrored is not None and mirrored.has_more:
        return CheckResult("entries were missing")
    return CheckResult(is_mirror_foreign=True) if is_mirror_foreign else result


class _MirroredRows:
    """The checksums of a mirror's rows, in 8 bytes each; those that the journal has too are taken out."""

    def __init__(self, mirrored: Iterable[tuple[int, int | str, int]]) -> None:
        self._games: dict[int, tuple[str, int]] = {}
        self._checksums = defaultdict[int, "array[int]"](lambda: array("Q"))
        self._known_games = set[int]()
        self.is_foreign = False
        """A game has another unique id than the one of this number in the journal."""
        for game_id, second, crc in mirrored:
            if isinstance(second, str):
                self._games[game_id] = (second, crc)
                continue
            known = self._checksums[game_id]
            while second > len(known):
                known.append(0)  # 0: there is none
            known[second - 1] = crc + 1

    def take_game(self, row: schema.Row) -> bool:
        """Take out a game of the journal; return whether it was there."""
        self._known_games.add(row[0])
        mirrored = self._games.pop(row[0], None)
        self.is_foreign = self.is_foreign or (mirrored is not None and mirrored[0] != row[1])
        return mirrored == (row[1], row[-1])

    def take_entry(self, row: schema.Row) -> bool:
        """Take out an entry of the journal; return whether it was there."""
        game_id, seq, crc = row[0], row[1], row[-1]
        known = self._checksums[game_id]
        if seq > len(known):
            return False
        found, known[seq - 1] = known[seq - 1], 0
        return bool(found == crc + 1)

    @property
    def has_more(self) -> bool:
        """Whether a game is left, or an entry of a game that the journal has."""
        return bool(self._games) or any(any(self._checksums[game_id]) for game_id in self._known_games)


def _with_pauses(rows: Iterable[_Row], pause: Callable[[], None]) -> Iterator[_Row]:
    for number, row in enumerate(rows, 1):
        yield row
        if number % ROWS_PER_SLICE == 0:
            pause()


def open_read_only(path: Path, *, may_change: bool = False, may_write: bool = True) -> sqlite3.Connection:
    """Return a connection that cannot change the file, nor write the write-ahead log into it.

    Args:
        path: the journal.
        may_change: another connection writes to it.
        may_write: whether SQLite may write beside a log, as it does for its locks.
    """
    # Without a log, "immutable" keeps SQLite from creating one.
    mode = "mode=ro" if may_change or append_suffix(path, "-wal").exists() else "mode=ro&immutable=1"
    if not may_write and mode == "mode=ro":
        mode = "mode=ro&vfs=unix-none"
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?{mode}", uri=True, isolation_level=None)
    connection.text_factory = lambda data: data.decode("utf-8", "replace")  # the checksum decides
    if not may_write:
        # Only an exclusive connection keeps the index of the log in its own memory.
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    return connection


def read_wal(path: Path) -> WriteAheadLog:
    """Return the write-ahead log beside a journal; an empty one if there is none."""
    return WriteAheadLog(read_bytes(append_suffix(path, "-wal")))


def read_bytes(path: Path) -> bytes:
    """Return the content of a plain file; nothing if there is none.

    Raises:
        OSError: it cannot be read.
    """
    return read_file(path, MAX_FILE_BYTES) if path.is_file() else b""


def append_suffix(path: Path, side: str) -> Path:
    """Return the path of a file beside the journal."""
    return path.with_name(path.name + side)


def is_damage_or_read_error(error: sqlite3.Error) -> bool:
    """Return whether the file's content is wrong or could not be read: SQLite often takes the one for the other."""
    is_read_error = getattr(error, "sqlite_errorcode", None) in READ_ERRORS
    return is_read_error or get_result_code(error) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def get_result_code(error: sqlite3.Error) -> int | None:
    """Return SQLite's primary result code; None if Python itself raised the error."""
    code: int | None = getattr(error, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF
