"""Recover a torn or corrupted journal file: set it aside, never delete it, and keep what can still be read."""

import errno
import fcntl
import os
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from companion.i18n import _, replace_unprintable
from companion.journal import schema
from companion.journal.entry import JournalTooNew, JournalUnwritable
from companion.journal.page_reader import WriteAheadLog, recover_rows

SQLITE_SUFFIXES = ("-wal", "-shm")
"""Suffixes of the files that SQLite keeps beside a journal that is open."""

DAMAGED_MARK = ".damaged-"
"""Stands between the journal's name and the time at which it was set aside."""

TORN_LAST_ENTRY = "its last entry was cut off"
"""The fault if the power was cut while the last transaction was written. Nothing that was shown to anyone is missing,
so it is not reported."""

# Result codes that mean that the file could not be accessed, not that its content is wrong.
_ACCESS_ERRORS = frozenset(
    {
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN,
    }
)
_NO_LOCKS = frozenset({errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS})
"""Errors of a file system without locks: a network folder whose server has no lock service."""


@dataclass(frozen=True, slots=True)
class JournalDamage:
    """Damage of the journal that was found when it was opened, and what was recovered."""

    fault: str
    """What was wrong, in English."""
    moved_to: Path
    """Path of the damaged file now: beside the journal, or the journal's own path if its folder cannot be written."""
    games_kept: int
    """Number of games in the new file."""
    entries_kept: int
    """Number of entries of all games in the new file."""

    @property
    def message(self) -> str:
        """The message for people, in English, in one line: the fault, how much was kept, where the old file is."""
        return (
            f"The journal was damaged ({self.fault}). What could be read was kept (sittings: {self.games_kept}, "
            f"entries: {self.entries_kept}); the damaged file is {self.moved_to}."
        )


def to_unwritable_error(path: Path, error: sqlite3.Error | OSError) -> JournalUnwritable:
    """Return a `JournalUnwritable` whose message says what to do about an error of SQLite or the file system.

    Args:
        path: the journal, for the message.
        error: what went wrong; its code chooses the advice (disk full, file damaged, or anything else).

    Returns:
        The new error, not raised; its `screen_text` is in the current language.
    """
    code = _get_result_code(error) if isinstance(error, sqlite3.Error) else None
    if code == sqlite3.SQLITE_FULL or (isinstance(error, OSError) and error.errno == errno.ENOSPC):
        advice = "the disk is full: make room there, then try again"
        short = _("Not written down: the disk is full. Make room there, then try again")
    elif code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        advice = "the file was damaged while in use: start the companion again, it keeps what can be read"
        short = _("Not written down: the file was damaged. Start again: what can be read is kept")
    elif isinstance(error, OSError) and error.errno in _NO_LOCKS:
        advice = f"{error.strerror}: its folder knows no locks, as on a server; name a folder on this machine"
        short = _("Not written down: the folder has no locks. Name one on this machine")
    else:
        advice = f"{error}: check that the folder exists, belongs to you and is not read-only (a worn SD card is)"
        short = _("Not written down: the disk refuses. Start again; if it stays so, the card is worn")
    return JournalUnwritable(f"The journal {path} cannot be written: {advice}.", short)


def ensure_valid_journal(path: Path, now: float) -> JournalDamage | None:
    """Ensure that a valid journal is at `path`: a new one if there is none, a recovered one if it is damaged.

    A damaged file is renamed to NAME.damaged-TIME in the same folder, and never deleted.

    Args:
        path: the journal, in a folder that exists; no other process has it open.
        now: Unix seconds (0 to 250e9), for the name of a damaged file.

    Returns:
        The damage that was found and repaired; None: there was none, the journal is new, or only the last entry was cut
        off while it was written, so that nothing that anyone was shown is missing.

    Raises:
        JournalTooNew: a newer version of the companion wrote the file.
        JournalUnwritable: the file or its folder cannot be accessed or written.
    """
    new = path.with_name(f"{path.name}.new")
    try:
        if path.exists():
            fault = _find_fault(path)
            if fault is None:
                return None
        elif new.exists() and _find_fault(new) is None:
            # The program was stopped just before it put the new file into its place.
            fault = "its recovery was interrupted" if any(path.parent.glob(f"{path.name}{DAMAGED_MARK}*")) else None
            return _replace_journal(path, new, now, fault)
        else:
            fault = (
                "its main file was missing"
                if any(_append_suffix(path, side).exists() for side in SQLITE_SUFFIXES)
                else None
            )
        for leftover in (new, *(_append_suffix(new, side) for side in ("-journal", *SQLITE_SUFFIXES))):
            leftover.unlink(missing_ok=True)
        schema.create_journal(new, *recover_rows(_read_bytes(path), _read_wal(path)), _read_clock_marks(path))
        return _replace_journal(path, new, now, None if fault == TORN_LAST_ENTRY else fault)
    except (OSError, sqlite3.Error) as error:
        raise to_unwritable_error(path, error) from error


def _replace_journal(path: Path, new: Path, now: float, fault: str | None) -> JournalDamage | None:
    """Set aside the file at `path`, if there is one, and put the new journal in its place."""
    stem = f"{path.name}{DAMAGED_MARK}{datetime.fromtimestamp(now, UTC):%Y%m%dT%H%M%SZ}"
    aside, copies = path.with_name(stem), 1
    while any(_append_suffix(aside, side).exists() for side in ("", *SQLITE_SUFFIXES)):
        copies += 1
        aside = path.with_name(f"{stem}-{copies}")
    for side in ("", *SQLITE_SUFFIXES):
        if _append_suffix(path, side).exists():
            _append_suffix(path, side).replace(_append_suffix(aside, side))
    with closing(_open_read_only(new)) as connection:
        games, entries = (
            connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in ("sittings", "entries")
        )
    new.replace(path)
    return None if fault is None else JournalDamage(fault, aside, games, entries)


def find_lock(path: Path) -> Path:
    """Return the path of the file by which a process locks the journal at `path`."""
    return _append_suffix(path, ".lock")


def open_where_nothing_can_be_written(path: Path) -> sqlite3.Connection | None:
    """Open a journal for reading without a single file beside it; None: it is damaged, or another process has it open.

    Raises:
        JournalTooNew: a newer version of the companion wrote the file.
        JournalUnwritable: it cannot be read.
    """
    try:
        if not _is_locked(find_lock(path)) and _find_fault(path, locks=False) in (None, TORN_LAST_ENTRY):
            return _open_read_only(path, locks=False)
        return None
    except (OSError, sqlite3.Error) as error:
        raise to_unwritable_error(path, error) from error


def _is_locked(lock: Path) -> bool:
    """Return whether another process holds a lock; False where that cannot be found out."""
    try:
        descriptor = os.open(lock, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return False


def _find_fault(path: Path, *, locks: bool = True) -> str | None:
    """Return what is wrong with the file; None: it is valid. `locks`: as of `_open_read_only`.

    Raises:
        JournalTooNew: see `ensure_valid_journal`.
        sqlite3.Error: the file could not be accessed.
    """
    for side in ("", *SQLITE_SUFFIXES):
        if (odd := _append_suffix(path, side)).exists() and not odd.is_file():
            return f"{odd.name} was not a file"  # SQLite cannot open a folder, and reading a pipe never ends
    if path.stat().st_size == 0:
        return "it was empty"
    try:
        with closing(_open_read_only(path, locks=locks)) as connection:
            return _find_fault_in_content(path, connection)
    except sqlite3.DatabaseError as error:
        if _get_result_code(error) in _ACCESS_ERRORS:
            raise
        return replace_unprintable(str(error))
    except UnicodeDecodeError:  # SQLite's own message quotes what it found
        return "its tables have unreadable names"


def _find_fault_in_content(path: Path, connection: sqlite3.Connection) -> str | None:
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
    (verdict,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    if verdict != "ok":
        return replace_unprintable(verdict)
    for table in ("sittings", "entries"):
        if not all(schema.has_valid_checksum(row) for row in connection.execute(f"SELECT * FROM {table}")):
            return f"a row of its {table} was changed"
    log = _read_wal(path)
    torn = [last for row, last in log.read_committed_rows() if not schema.has_row(connection, row)]
    if torn:
        return TORN_LAST_ENTRY if all(torn) else "its log was torn"
    if log.has_first_page():
        return None
    with path.open("rb") as file:
        if file.read(20)[18:] not in (b"\1\1", b"\2\2"):  # SQLite's write and read version: it would refuse to write
            return "its header was changed"
    return None


def _open_read_only(path: Path, *, locks: bool = True) -> sqlite3.Connection:
    """Return a connection that cannot change the file, nor write the write-ahead log into it.

    Args:
        path: the file.
        locks: whether SQLite may write beside a log, as it does for its locks.
    """
    # Without a log, "immutable" keeps SQLite from creating one.
    mode = "mode=ro" if _append_suffix(path, "-wal").exists() else "mode=ro&immutable=1"
    if not locks and mode == "mode=ro":
        mode = "mode=ro&vfs=unix-none"
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?{mode}", uri=True, isolation_level=None)
    connection.text_factory = lambda data: data.decode("utf-8", "replace")  # the checksum decides
    if not locks:
        # Only an exclusive connection keeps the index of the log in its own memory.
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    return connection


def _read_clock_marks(path: Path) -> list[schema.Row]:
    """Return the rows of the clock marks, as far as SQLite can still read them: they have no checksums."""
    if not _read_bytes(path):  # beside an empty file SQLite would remove the log
        return []
    try:
        with closing(_open_read_only(path)) as connection:
            return [
                (game_id, name, elapsed)
                for game_id, name, elapsed in connection.execute("SELECT sitting, name, elapsed FROM clock_marks")
                if isinstance(game_id, int) and isinstance(name, str) and isinstance(elapsed, float)
            ]
    except (sqlite3.Error, UnicodeDecodeError):
        return []


def _append_suffix(path: Path, side: str) -> Path:
    return path.with_name(path.name + side)


def _read_bytes(path: Path) -> bytes:
    return path.read_bytes() if path.is_file() else b""


def _read_wal(path: Path) -> WriteAheadLog:
    return WriteAheadLog(_read_bytes(_append_suffix(path, "-wal")))


def _get_result_code(error: sqlite3.Error) -> int | None:
    """Return SQLite's primary result code; None if Python itself raised the error."""
    code: int | None = getattr(error, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF
