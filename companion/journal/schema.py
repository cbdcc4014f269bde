"""The journal's file: its tables, what makes them append-only, and the check sum of each row."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Sequence
from pathlib import Path

SCHEMA_VERSION = 1
"""Of the tables, in the file's `user_version`."""

APPLICATION_ID = 0x42474A4C
"""In the file's `application_id`: board game journal."""

PAGE_BYTES = 4096
"""Bytes of a page of the file."""

# BEFORE INSERT keeps the numbers without gaps and stops INSERT OR REPLACE, which would erase without a DELETE.
# Sittings and entries are rowid tables: their rows stand on leaf pages only, so that no row is lost with an index.
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

INSERT_GAME = "INSERT INTO sittings VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
INSERT_ENTRY = "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?)"

Row = tuple[object, ...]


def add_checksum(row: Row) -> Row:
    """The row with its check sum behind it. SQLite notices a broken page, but not a flipped bit inside a value."""
    return (*row, zlib.crc32(repr(row).encode()))


def has_valid_checksum(row: Row) -> bool:
    """Whether the check sum at the end of the row is that of the rest."""
    return bool(row == add_checksum(row[:-1]))


def is_game_row(row: Sequence[object]) -> bool:
    """Whether the row is one of `sittings`, and not of `entries`, by the number of its columns."""
    return len(row) == 8


def has_row(connection: sqlite3.Connection, row: Row) -> bool:
    """Whether the connected journal has the row's sitting or entry."""
    if is_game_row(row):
        found = connection.execute("SELECT 1 FROM sittings WHERE id = ?", row[:1])
    else:
        found = connection.execute("SELECT 1 FROM entries WHERE sitting = ? AND seq = ?", row[:2])
    return found.fetchone() is not None


def create_journal(
    path: Path, games: Sequence[Row] = (), entries: Sequence[Row] = (), marks: Sequence[Row] = ()
) -> None:
    """Make a new journal of the given rows, whole or not at all, readable by its owner only.

    `marks` of sittings that are not among `sittings` are left out.

    Raises:
        OSError: the folder cannot be written, or `path` exists.
        sqlite3.Error: the disk is full or failing.
    """
    path.touch(mode=0o600, exist_ok=False)
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        connection.execute(f"PRAGMA page_size = {PAGE_BYTES}")
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
        # Here and not at the first opening: a cut amid the change would leave a head that looks torn.
        connection.execute("PRAGMA journal_mode = WAL")
    finally:
        connection.close()


def read_table_definitions(connection: sqlite3.Connection) -> set[str]:
    """The statements that made the connected file's tables and triggers."""
    return {sql for (sql,) in connection.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")}
