"""The journal file: append-only, one process at a time; failures are reported and do not change the state."""

from __future__ import annotations

import errno
import fcntl
import logging
import os
import shutil
import sqlite3
import stat
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from companion.api import Move, Seat
from companion.journal import schema
from companion.journal.database import Journal
from companion.journal.entry import (
    EntryContent,
    EntryKind,
    InvalidSavedGame,
    JournalEntry,
    JournalTooNew,
    JournalUnwritable,
    Timestamp,
)
from companion.journal.saved_game import SavedGame
from tests.journal.toy import GAME, SETUP

ADD = Move("add", Seat(0), (3,))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "journal.sqlite3"


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entries SET what = '{}'",
        "DELETE FROM entries",
        "INSERT OR REPLACE INTO entries SELECT * FROM entries",
        "REPLACE INTO entries SELECT sitting, seq, '{}', 0, 0, '', 0 FROM entries",
        "INSERT INTO entries VALUES (1, 7, '{}', 0, 0, '', 0)",
        "UPDATE sittings SET setup = '{}'",
        "DELETE FROM sittings",
        "REPLACE INTO sittings SELECT id, uid, '{}', 0, 0, 0, '', 0 FROM sittings",
        "INSERT INTO sittings SELECT 2, uid, '{}', 0, 0, 0, '', 0 FROM sittings",
    ],
)
def test_rows_cannot_be_changed_or_deleted(path: Path, statement: str) -> None:
    with Journal(path) as journal:
        SavedGame.begin(journal, SETUP, GAME).play_move(ADD)
        before = journal.list_games(), journal.read_entries(1)
    connection = sqlite3.connect(path)
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        connection.execute(statement)
    connection.close()
    with Journal(path) as journal:
        assert (journal.list_games(), journal.read_entries(1)) == before
        assert journal.damage is None


def test_only_the_owner_can_read_the_file(path: Path) -> None:
    with Journal(path) as journal:
        journal.begin_game(SETUP)
        modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
    assert len(modes) == 6, sorted(modes)
    assert set(modes.values()) == {0o600}
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_another_process_may_read(path: Path) -> None:
    with Journal(path) as journal, Journal(path, allow_read_only=True) as reader:
        saved_game = SavedGame.begin(journal, SETUP, GAME)
        saved_game.play_move(ADD)
        assert reader.read_entries(saved_game.id) == journal.read_entries(saved_game.id)
        with pytest.raises(JournalUnwritable):
            reader.begin_game(SETUP)


def test_file_of_a_newer_version_is_not_changed(path: Path) -> None:
    Journal(path).close()
    connection = sqlite3.connect(path)
    connection.executescript(f"PRAGMA user_version = {schema.SCHEMA_VERSION + 1}; CREATE TABLE further (a);")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(JournalTooNew, match="Update the companion"):
        Journal(path)
    assert path.read_bytes() == before
    assert sorted(file.name for file in path.parent.iterdir()) == [path.name, f"{path.name}.lock"]


def test_full_disk_does_not_change_the_state(path: Path) -> None:
    with Journal(path) as journal:
        saved_game = SavedGame.begin(journal, SETUP, GAME)
        saved_game.play_move(ADD)
        (pages,) = journal._connection.execute("PRAGMA page_count").fetchone()
        journal._connection.execute(f"PRAGMA max_page_count = {pages}")
        expected = [saved_game.game]

        def go_on() -> None:
            for _ in range(200):
                saved_game.undo()
                expected.append(saved_game.game)
                saved_game.redo()
                expected.append(saved_game.game)

        with pytest.raises(JournalUnwritable, match="the disk is full: make room"):
            go_on()
        assert saved_game.game == expected[-1]
        assert saved_game.last_seq == len(expected) == len(journal.read_entries(1))
        journal._connection.execute("PRAGMA max_page_count = 100000")
        saved_game.note_resumed()
        assert SavedGame(journal, 1, GAME).game == saved_game.game == expected[-1]


def test_which_game_is_resumed(path: Path) -> None:
    with Journal(path) as journal:
        assert journal.find_resumable_game() is None
        first = SavedGame.begin(journal, SETUP, GAME)
        assert journal.find_resumable_game() == first.id
        first.set_aside()
        assert journal.find_resumable_game() is None
        first.note_resumed()
        assert journal.find_resumable_game() == first.id
        second = SavedGame.begin(journal, SETUP, GAME)
        assert journal.find_resumable_game() == second.id
        second.set_aside()
        assert journal.find_resumable_game() is None
        assert [entry.what.kind for entry in journal.read_entries(first.id)] == [EntryKind.SET_ASIDE, EntryKind.RESUMED]


class Clock:
    """A monotonic clock, and a wall clock that lets it go on whenever it is read: so slow is the disk."""

    def __init__(self) -> None:
        self.now = 5000.0
        self.disk_seconds = 0.0

    def wall(self) -> float:
        self.now += self.disk_seconds
        return 1_700_000_000.0

    def monotonic(self) -> float:
        return self.now


@pytest.mark.parametrize(("seconds", "warning"), [(0.0, ""), (1.0, ""), (1.0625, "Writing took 1.1 s"), (3.5, "3.5 s")])
def test_a_slow_disk_is_logged(path: Path, caplog: pytest.LogCaptureFixture, seconds: float, warning: str) -> None:
    clock = Clock()
    with Journal(path, clock.wall, clock.monotonic) as journal:
        saved_game = SavedGame.begin(journal, SETUP, GAME)
        clock.disk_seconds = seconds
        saved_game.note_resumed()
    if warning:
        assert warning in caplog.text
    else:
        assert caplog.text == ""


def test_an_error_is_logged_once_until_it_is_over(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "companion")
    with Journal(path) as journal:
        saved_game = SavedGame.begin(journal, SETUP, GAME)
        saved_game.note_resumed()
        assert caplog.text == ""
        for query_only, expected in (
            (True, ["read-only"]),
            (False, ["can be written again"]),
            (False, []),
            (True, ["read-only"]),
        ):
            journal._connection.execute(f"PRAGMA query_only = {query_only}")
            for _ in range(2):
                if query_only:
                    with pytest.raises(JournalUnwritable, match="read-only"):
                        saved_game.note_resumed()
                else:
                    saved_game.note_resumed()
            assert len(caplog.messages) == len(expected)
            assert all(words in message for words, message in zip(expected, caplog.messages, strict=True))
            caplog.clear()


def block_lock(path: Path) -> None:
    """Let the journal's lock be out of reach, as on a disk that is read-only."""
    path.with_name(f"{path.name}.lock").unlink(missing_ok=True)
    path.with_name(f"{path.name}.lock").mkdir()


@pytest.mark.parametrize("was_closed", [True, False])
def test_where_nothing_can_be_written_nothing_is(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, was_closed: bool
) -> None:
    """Neither beside the journal nor in a temporary folder; also with the log that a power cut leaves behind."""
    with Journal(tmp_path / "first" / path.name) as journal:
        saved_game = SavedGame.begin(journal, SETUP, GAME)
        saved_game.play_move(ADD)
        if not was_closed:
            path.parent.mkdir()
            for suffix in ("", "-wal"):
                shutil.copy(f"{journal.path}{suffix}", f"{path}{suffix}")
    if was_closed:
        journal.path.parent.rename(path.parent)
    block_lock(path)
    before = sorted(path.parent.iterdir())
    with pytest.raises(JournalUnwritable):
        Journal(path)
    monkeypatch.delattr(tempfile, "TemporaryDirectory")
    with Journal(path, allow_read_only=True) as journal:
        assert (journal.path, journal.damage) == (path, None)
        assert len(journal.read_entries(1)) == 1
        with pytest.raises(JournalUnwritable, match=r"readonly|read-only"):
            journal.begin_game(SETUP)
        assert sorted(path.parent.iterdir()) == before


def test_what_is_being_written_is_read_from_a_copy(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the right to write nothing can be locked, and the log may change under the reader."""
    with Journal(path) as journal:
        saved_game = SavedGame.begin(journal, SETUP, GAME)
        saved_game.play_move(ADD)
        open_file = os.open
        monkeypatch.setattr(os, "open", partial(refuse_to_write, open_file))
        with Journal(path, allow_read_only=True) as reader:
            assert len(reader.read_entries(1)) == 1
            assert reader._connection.execute("PRAGMA database_list").fetchone()[2] != str(path)


def refuse_to_write(open_file: Callable[..., int], path: Path, flags: int, *mode: int, **more: Any) -> int:
    if flags & os.O_RDWR and str(path).endswith(".lock"):
        raise PermissionError(errno.EACCES, "Permission denied", str(path))
    return open_file(path, flags, *mode, **more)


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.EOPNOTSUPP])
def test_a_folder_without_locks_is_named(path: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    def refuse(_file: int, _operation: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(fcntl, "flock", refuse)
    with pytest.raises(JournalUnwritable, match="its folder knows no locks") as refused:
        Journal(path)
    assert "worn" not in f"{refused.value} {refused.value.screen_text}"


def test_a_damaged_journal_is_read_from_a_copy_and_stays_where_it_is(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"garbage")
    block_lock(path)
    with Journal(path, allow_read_only=True) as journal:
        assert journal.damage is not None
        assert journal.damage.moved_to == path
        assert journal.list_games() == ()
    assert path.read_bytes() == b"garbage"


def test_a_journal_that_is_not_there_cannot_be_read(path: Path) -> None:
    path.parent.mkdir()
    block_lock(path)
    with pytest.raises(JournalUnwritable):
        Journal(path, allow_read_only=True)


def test_entries_are_stored_as_json_without_what_they_do_not_have(path: Path) -> None:
    with Journal(path) as journal:
        saved_game = SavedGame.begin(journal, SETUP, GAME)
        saved_game.play_move(ADD)
        saved_game.undo()
        found = journal._connection.execute("SELECT sitting, seq, what FROM entries").fetchall()
    assert found == [
        (1, 1, '{"kind":"move","played":{"kind":"add","seat":0,"value":[3]}}'),
        (1, 2, '{"kind":"undo"}'),
    ]


def test_a_game_is_added_with_its_entries_or_not_at_all(path: Path) -> None:
    stamp = Timestamp(wall=1.0, monotonic=2.0, boot="b")
    entries = [JournalEntry(seq=seq, what=EntryContent(kind=EntryKind.UNDO), stamp=stamp) for seq in (1, 2, 3)]
    with Journal(path) as journal:
        for imported in (True, False):
            uid = f"{imported:032x}"
            number = journal.add_game(uid, SETUP, stamp, entries, imported=imported)
            record = journal.get_game(number)
            assert (record.uid, record.imported, record.started) == (uid, imported, stamp)
            assert journal.read_entries(number) == tuple(entries)
            assert journal.read_last_entry(number) == entries[-1]
        with pytest.raises(JournalUnwritable):
            journal.add_game("c" * 32, SETUP, stamp, entries[1:], imported=False)
        with pytest.raises(InvalidSavedGame, match="already in the journal, as number 2"):
            journal.add_game(f"{0:032x}", SETUP, stamp, (), imported=False)
        assert len(journal.list_games()) == 2
    with Journal(path) as journal:
        assert journal.damage is None
        assert journal.read_last_entry(3) is None


def test_an_imported_game_is_never_resumed(path: Path) -> None:
    stamp = Timestamp(wall=1.0, monotonic=2.0, boot="b")
    entry = JournalEntry(seq=1, what=EntryContent(kind=EntryKind.SET_ASIDE), stamp=stamp)
    with Journal(path) as journal:
        journal.add_game("a" * 32, SETUP, stamp, [entry], imported=True)
        assert journal.find_resumable_game() is None
        first, second = SavedGame.begin(journal, SETUP, GAME), SavedGame.begin(journal, SETUP, GAME)
        journal.add_game("b" * 32, SETUP, stamp, [entry], imported=True)
        assert journal.find_resumable_game() == second.id
        second.play_move(ADD)
        first.play_move(ADD)
        assert journal.find_resumable_game() == first.id, "it was continued last"
        first.set_aside()
        assert journal.find_resumable_game() is None


def test_clock_marks_are_replaced_or_stay(path: Path) -> None:
    with Journal(path) as journal:
        number, other = journal.begin_game(SETUP), journal.begin_game(SETUP)
        journal.save_clock_marks(number, {"turn": 1.5, "game": 10})
        journal.save_clock_marks(other, {"turn": 7})
        journal.save_clock_marks(number, {"turn": 2.5})
        with pytest.raises(JournalUnwritable):
            journal.save_clock_marks(number, {"turn": float("nan")})
    with Journal(path) as journal:
        assert journal.read_clock_marks(number) == {"turn": 2.5}
        assert journal.read_clock_marks(other) == {"turn": 7}
        journal.save_clock_marks(number, {})
        assert journal.read_clock_marks(number) == journal.read_clock_marks(99) == {}
