"""Small damage to a small journal: header, tables, single rows; the rest is kept and the fault is named.

Torn files: test_recovery.py.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from companion.journal import schema
from companion.journal.database import Journal
from companion.journal.entry import JournalUnwritable
from companion.journal.recovery import DAMAGED_MARK
from companion.journal.saved_game import SavedGame
from tests.journal.toy import GAME, SETUP

NOW = 1_700_000_000.0
STAMP = "20231114T221320Z"


def change_file(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)


@pytest.fixture
def played(tmp_path: Path) -> Path:
    """A closed journal with a game of two entries, and a mark of one of its clocks."""
    with Journal(tmp_path / "j", wall=lambda: NOW) as journal:
        saved_game = SavedGame.begin(journal, SETUP, GAME)
        saved_game.note_resumed()
        saved_game.note_resumed()
        journal.save_clock_marks(1, {"turn": 7.5})
    return tmp_path / "j"


@pytest.mark.parametrize(
    ("statements", "fault"),
    [
        ((f"PRAGMA user_version = {schema.SCHEMA_VERSION + 1}",), "its header did not say"),
        (("PRAGMA application_id = 1",), "its header did not say"),
        (("CREATE TABLE further (a)",), "its header did not say"),
        (("DROP TRIGGER entries_stay", "UPDATE entries SET crc = crc + 1 WHERE seq = 2"), "its header did not say"),
    ],
)
def test_a_file_with_another_header_or_other_tables_is_rebuilt(
    played: Path, statements: tuple[str, ...], fault: str
) -> None:
    change_file(played, *statements)
    with Journal(played, wall=lambda: NOW) as journal:
        assert journal.damage is not None
        assert journal.damage.fault.startswith(fault)
        assert len(journal.read_entries(1)) == 2
        assert journal.read_clock_marks(1) == {"turn": 7.5}


@pytest.mark.parametrize("table", ["sittings", "entries"])
def test_a_changed_row_is_named_by_its_table(played: Path, table: str) -> None:
    trigger = f"{table}_stay"
    with closing(sqlite3.connect(played)) as connection:
        (sql,) = connection.execute("SELECT sql FROM sqlite_master WHERE name = ?", (trigger,)).fetchone()
    change_file(played, f"DROP TRIGGER {trigger}", f"UPDATE {table} SET wall = wall + 1", sql)
    with Journal(played, wall=lambda: NOW) as journal:
        assert journal.damage is not None
        assert journal.damage.fault == f"a row of its {table} was changed"


@pytest.mark.parametrize(
    ("at", "byte", "fault"),
    [(18, 3, True), (19, 3, True), (18, 0, True), (20, 1, True), (24, 9, False), (92, 9, False)],
)
def test_versions_in_the_header_are_checked(played: Path, at: int, byte: int, fault: bool) -> None:
    content = bytearray(played.read_bytes())
    content[at] = byte
    played.write_bytes(content)
    with Journal(played, wall=lambda: NOW) as journal:
        assert (journal.damage is not None) == fault
        assert len(journal.read_entries(1)) == 2


def test_a_journal_without_a_write_ahead_log_is_valid(played: Path) -> None:
    change_file(played, "PRAGMA journal_mode = DELETE")
    assert played.read_bytes()[18:20] == b"\1\1"
    with Journal(played) as journal:
        assert journal.damage is None


def test_damaged_files_of_one_second_are_numbered(tmp_path: Path) -> None:
    contents = {"": b"", "-2": b"second", "-3": b"third"}
    for content in contents.values():
        (tmp_path / "j").write_bytes(content)
        Journal(tmp_path / "j", wall=lambda: NOW).close()
    found = {file.name: file.read_bytes() for file in tmp_path.glob(f"j{DAMAGED_MARK}*")}
    assert found == {f"j{DAMAGED_MARK}{STAMP}{number}": content for number, content in contents.items()}


def test_clock_marks_are_recovered_as_far_as_they_are_valid(played: Path) -> None:
    with closing(sqlite3.connect(played, isolation_level=None)) as connection:
        connection.execute("DROP TABLE clock_marks")
        connection.execute("CREATE TABLE clock_marks (sitting, name, elapsed)")
        marks = [(1, "turn", 3.5), (1, "whole", 4), ("1", "text", 1.5), (1, 7, 1.5), (2, "of no game", 1.5)]
        connection.executemany("INSERT INTO clock_marks VALUES (?, ?, ?)", marks)
    with Journal(played, wall=lambda: NOW) as journal:
        assert journal.damage is not None
        assert journal.read_clock_marks(1) == {"turn": 3.5}
        assert journal.read_clock_marks(2) == {}


def test_a_file_that_cannot_be_accessed_is_not_taken_for_damaged(played: Path) -> None:
    before = played.read_bytes()
    with closing(sqlite3.connect(played, isolation_level=None)) as connection:
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute("BEGIN EXCLUSIVE")
        with pytest.raises(JournalUnwritable, match="locked"):
            Journal(played)
    assert not list(played.parent.glob(f"j{DAMAGED_MARK}*"))
    with Journal(played) as journal:
        assert journal.damage is None
    assert len(played.read_bytes()) == len(before)


def test_a_recovery_that_was_not_interrupted_replaces_an_unfinished_one(played: Path) -> None:
    (played.parent / "j.new").write_bytes(b"unfinished")
    (played.parent / "j.new-wal").write_bytes(b"unfinished")
    played.write_bytes(b"garbage" + played.read_bytes()[7:])
    with Journal(played, wall=lambda: NOW) as journal:
        assert journal.damage is not None
        assert len(journal.list_games()) == 1
    assert not list(played.parent.glob("j.new*"))


def test_a_new_file_that_only_had_to_be_renamed_is_no_damage(played: Path) -> None:
    played.rename(played.with_name("j.new"))
    with Journal(played) as journal:
        assert journal.damage is None
        assert len(journal.read_entries(1)) == 2


def test_a_file_is_never_overwritten_and_only_its_owner_may_read_it(tmp_path: Path) -> None:
    os.umask(0)
    schema.create_journal(tmp_path / "j")
    assert (tmp_path / "j").stat().st_mode & 0o777 == 0o600
    with pytest.raises(FileExistsError):
        schema.create_journal(tmp_path / "j")
