"""The journal file: append-only, one process at a time; failures are reported and do not change the state."""

from __future__ import annotations

import sqlite3
import stat
from pathlib import Path

import pytest

from companion.games.api.game import Move, Seat
from companion.journal import schema
from companion.journal.database import Journal
from companion.journal.entry import EntryKind, Timestamp
from companion.journal.errors import InvalidSavedGame, JournalBusy, JournalTooNew, JournalUnwritable
from companion.journal.replay import SavedGame
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


def test_timestamps_come_from_the_injected_clocks(path: Path) -> None:
    with Journal(path, wall=lambda: 1_700_000_000, monotonic=lambda: 42, boot="b") as journal:
        SavedGame.begin(journal, SETUP, GAME).play_move(ADD)
    with Journal(path) as journal:
        assert journal.damage is None
        stamp = Timestamp(wall=1_700_000_000, monotonic=42, boot="b")
        assert (journal.get_game(1).started, journal.read_entries(1)[0].stamp) == (stamp, stamp)


def test_only_the_owner_can_read_the_file(path: Path) -> None:
    with Journal(path) as journal:
        journal.begin_game(SETUP)
        modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
    assert len(modes) == 4
    assert set(modes.values()) == {0o600}
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_second_process_gets_an_error(path: Path) -> None:
    with Journal(path), pytest.raises(JournalBusy, match="in use by another companion"):
        Journal(path)
    Journal(path).close()


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


def test_file_that_became_read_only_is_reported(path: Path) -> None:
    with Journal(path) as journal:
        saved_game = SavedGame.begin(journal, SETUP, GAME)
        journal._connection.execute("PRAGMA query_only = ON")
        expected = saved_game.game
        with pytest.raises(JournalUnwritable, match="read-only"):
            saved_game.play_move(ADD)
        assert saved_game.game == expected
        assert not saved_game.can_undo


def test_impossible_folder_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(JournalUnwritable, match="check that the folder exists"):
        Journal(tmp_path / "file" / "journal.sqlite3")


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


def test_last_clock_marks_are_returned(path: Path) -> None:
    with Journal(path) as journal:
        first, second = journal.begin_game(SETUP), journal.begin_game(SETUP)
        journal.save_clock_marks(first, {"turn": 1.5, "game": 10})
        journal.save_clock_marks(second, {"turn": 7})
        journal.save_clock_marks(first, {"turn": 2.5})
    with Journal(path) as journal:
        assert journal.read_clock_marks(first) == {"turn": 2.5}
        assert journal.read_clock_marks(second) == {"turn": 7}


def test_unknown_game_number(path: Path) -> None:
    with Journal(path) as journal, pytest.raises(InvalidSavedGame, match="no game number 3"):
        SavedGame(journal, 3, GAME)
