"""The tables of the journal's file, the triggers that make them append-only, and the checksum of each row.

There is no older version; a file of a newer one is refused in `integrity_check.py`.
"""

import sqlite3
import zlib
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from companion.os_compat import FULL_SYNC_PRAGMAS

SCHEMA_VERSION = 1
"""Version of the tables, in the file's `user_version`."""

APPLICATION_ID = 0x42474A4C
"""The file's `application_id`: "BGJL", board game journal."""

PAGE_BYTES = 4096
"""Size of a page of the file."""

# BEFORE INSERT keeps the numbers without gaps and prevents INSERT OR REPLACE, which would erase without a DELETE.
# `sittings` (games) and `entries` are rowid tables: their rows are on leaf pages only, so no row is lost with an index.
CREATE_TABLES = """
CREATE TABLE sittings (
    id INTEGER PRIMARY KEY,
    uid TEXT NOT NULL,
    setup TEXT NOT NULL,
    imported INTEGER NOT NULL,
    wall REAL NOT NULL,
    monotonic REAL NOT NULL,
    boot TEXT NOT NULL,
    crc INTEGER NOT NULL
) STRICT;
CREATE TABLE entries (
    sitting INTEGER NOT NULL REFERENCES sittings (id),
    seq INTEGER NOT NULL,
    what TEXT NOT NULL,
    wall REAL NOT NULL,
    monotonic REAL NOT NULL,
    boot TEXT NOT NULL,
    crc INTEGER NOT NULL,
    PRIMARY KEY (sitting, seq)
) STRICT;
CREATE TABLE clock_marks (
    sitting INTEGER NOT NULL REFERENCES sittings (id),
    name TEXT NOT NULL,
    elapsed REAL NOT NULL,
    PRIMARY KEY (sitting, name)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER sittings_are_new BEFORE INSERT ON sittings
    WHEN EXISTS (SELECT 1 FROM sittings WHERE id = NEW.id OR uid = NEW.uid)
    BEGIN SELECT RAISE (ABORT, 'the journal is append-only'); END;
CREATE TRIGGER sittings_stay BEFORE UPDATE ON sittings
    BEGIN SELECT RAISE (ABORT, 'the journal is append-only'); END;
CREATE TRIGGER sittings_remain BEFORE DELETE ON sittings
    BEGIN SELECT RAISE (ABORT, 'the journal is append-only'); END;
CREATE TRIGGER entries_follow BEFORE INSERT ON entries
    WHEN NEW.seq <> (SELECT coalesce(max(seq), 0) + 1 FROM entries WHERE sitting = NEW.sitting)
    BEGIN SELECT RAISE (ABORT, 'the journal is append-only'); END;
CREATE TRIGGER entries_stay BEFORE UPDATE ON entries
    BEGIN SELECT RAISE (ABORT, 'the journal is append-only'); END;
CREATE TRIGGER entries_remain BEFORE DELETE ON entries
    BEGIN SELECT RAISE (ABORT, 'the journal is append-only'); END;
"""

# Column values of `sittings`: id, uid, setup, imported, wall, monotonic, boot, crc;
# of `entries`: sitting (the game's id), seq, what, wall, monotonic, boot, crc.
INSERT_GAME = "INSERT INTO sittings VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
INSERT_ENTRY = "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?)"

MAX_ENTRIES = 100_000
"""Most entries of one game, far beyond any that people play."""

Row = tuple[Any, ...]
_GAME_TYPES = (int, str, str, int, float, float, str, int)
_ENTRY_TYPES = (int, int, str, float, float, str, int)


def add_checksum(row: Row) -> Row:
    """Return the row with its checksum (CRC-32 of its `repr`) at the end.

    SQLite notices a broken page, but no flipped bit inside a value.

    Args:
        row: values of the columns of `sittings` or `entries`, in their order, without `crc`. Their Python types count:
            1 and 1.0 have different checksums.
    """
    return (*row, zlib.crc32(repr(row).encode()))


def has_valid_checksum(row: Row) -> bool:
    """Return whether the checksum at the end of the row is that of its other values; False for an empty row."""
    return bool(row == add_checksum(row[:-1]))


def is_row(values: object) -> bool:
    """Return whether values from elsewhere are a row of `sittings` or `entries` with a valid checksum.

    >>> is_row([1, 10**12, "{}", 0.0, 0.0, "", 7])
    False
    """
    if not isinstance(values, list | tuple):
        return False
    row, types = tuple(values), tuple(map(type, values))
    if types == _GAME_TYPES:
        return row[0] > 0 and has_valid_checksum(row)
    return types == _ENTRY_TYPES and row[0] > 0 and 0 < row[1] <= MAX_ENTRIES and has_valid_checksum(row)


def is_game_row(row: Sequence[object]) -> bool:
    """Return whether the row is one of `sittings`, not of `entries`: its second value is the uid."""
    return isinstance(row[1], str)


def find_row(connection: sqlite3.Connection, row: Row) -> Row | None:
    """Return the game or entry of the journal with the numbers of this row; None: there is none.

    Args:
        connection: open connection to the journal.
        row: a row of `sittings` or `entries`, with its checksum; only its numbers are used.

    Raises:
        sqlite3.Error: the file cannot be read.
    """
    if is_game_row(row):
        found = connection.execute("SELECT * FROM sittings WHERE id = ?", row[:1])
    else:
        found = connection.execute("SELECT * FROM entries WHERE sitting = ? AND seq = ?", row[:2])
    same: Row | None = found.fetchone()
    return same


def create_journal(
    path: Path, games: Sequence[Row] = (), entries: Sequence[Row] = (), marks: Sequence[Row] = ()
) -> None:
    """Create a journal file with the given rows in one transaction, readable by its owner only.

    Args:
        path: the new file.
        games: rows of `sittings`, with checksums.
        entries: rows of `entries`, with checksums.
        marks: rows of `clock_marks` (game's id, name, seconds); those of games not in `games` are left out.

    Raises:
        OSError: the folder cannot be written, or `path` exists.
        sqlite3.Error: the disk is full or failing, or the rows do not fit the tables (the numbers of entries have a
            gap, for example). An incomplete file may stay at `path`.
    """
    path.touch(mode=0o600, exist_ok=False)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for pragma in (f"page_size = {PAGE_BYTES}", *FULL_SYNC_PRAGMAS):
            connection.execute(f"PRAGMA {pragma}")
        connection.executescript(
            f"BEGIN; {CREATE_TABLES} PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {SCHEMA_VERSION};"
        )
        connection.executemany(INSERT_GAME, games)
        connection.executemany(INSERT_ENTRY, entries)
        known = {row[0] for row in games}
        connection.executemany(
            "INSERT OR REPLACE INTO clock_marks VALUES (?, ?, ?)", [mark for mark in marks if mark[0] in known]
        )
        connection.execute("COMMIT")
        # Here and not at the first opening: a power cut in that change would leave a header that looks torn.
        connection.execute("PRAGMA journal_mode = WAL")


def read_table_definitions(connection: sqlite3.Connection) -> set[str]:
    """Return the SQL statements that created the connected file's tables and triggers, to compare two files.

    Raises:
        sqlite3.Error: the file cannot be read, or is no database.
    """
    return {sql for (sql,) in connection.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")}
