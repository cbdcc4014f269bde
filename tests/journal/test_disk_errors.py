"""Messages of errors: for the log, and in one line for the screen."""

from __future__ import annotations

import errno
import sqlite3
from pathlib import Path
from types import SimpleNamespace

import pytest

from companion.api import IllegalMove, Seat
from companion.journal.disk_errors import to_unwritable_error
from companion.journal.entry import InvalidSavedGame, JournalUnwritable, describe_for_screen


def sqlite_error(code: int) -> sqlite3.Error:
    error = sqlite3.OperationalError("what SQLite says")
    error.sqlite_errorcode = code
    return error


@pytest.mark.parametrize(
    ("error", "advice", "short"),
    [
        (sqlite_error(sqlite3.SQLITE_FULL), "the disk is full: make room there", "the disk is full"),
        (OSError(errno.ENOSPC, "No space left on device"), "the disk is full: make room there", "the disk is full"),
        (sqlite_error(sqlite3.SQLITE_CORRUPT), "the file was damaged while in use", "the file was damaged"),
        (sqlite_error(sqlite3.SQLITE_CORRUPT_INDEX), "the file was damaged while in use", "the file was damaged"),
        (sqlite_error(sqlite3.SQLITE_NOTADB), "the file was damaged while in use", "the file was damaged"),
        (sqlite_error(sqlite3.SQLITE_IOERR_WRITE), "what SQLite says: check that the folder", "the disk refuses"),
        (sqlite_error(sqlite3.SQLITE_READONLY_DBMOVED), "put it back where it was", "the file was removed or moved"),
        (sqlite_error(sqlite3.SQLITE_READONLY), "what SQLite says: check that the folder", "the disk refuses"),
        (sqlite3.ProgrammingError("closed"), "closed: check that the folder exists", "the disk refuses"),
        (OSError(errno.EROFS, "Read-only"), "Read-only: check that the folder exists", "the disk refuses"),
    ],
)
def test_advice_fits_the_cause(error: sqlite3.Error | OSError, advice: str, short: str) -> None:
    unwritable = to_unwritable_error(Path("/data/j"), error)
    assert str(unwritable).startswith("The journal /data/j cannot be written: ")
    assert advice in str(unwritable)
    assert unwritable.screen_text.startswith(f"Not written down: {short}")
    assert describe_for_screen(unwritable) == unwritable.screen_text


@pytest.mark.parametrize(
    ("blocks", "files", "free_files", "short"),
    [
        (9, 30, 0, "the disk is full"),  # of files, though there is room in them
        (0, 30, 3, "the disk is full"),
        (9, 30, 3, "the disk refuses"),
        (9, 0, 0, "the disk refuses"),  # FAT does not count files
    ],
)
def test_a_disk_that_takes_no_more_files_is_full(
    monkeypatch: pytest.MonkeyPatch, blocks: int, files: int, free_files: int, short: str
) -> None:
    disk = SimpleNamespace(f_bavail=blocks, f_files=files, f_favail=free_files)
    monkeypatch.setattr("os.statvfs", lambda _folder: disk, raising=False)
    unwritable = to_unwritable_error(Path("/data/j"), sqlite_error(sqlite3.SQLITE_CANTOPEN))
    assert unwritable.screen_text.startswith(f"Not written down: {short}")


@pytest.mark.parametrize("error", [sqlite_error(sqlite3.SQLITE_IOERR_READ), OSError(errno.EIO, "Input/output error")])
def test_a_read_error_is_no_damage(error: sqlite3.Error | OSError) -> None:
    unwritable = to_unwritable_error(Path("/data/j"), error)
    assert str(unwritable).startswith("The journal /data/j cannot be read: the disk does not answer")
    assert unwritable.screen_text == "The disk does not answer: try again"


def test_an_error_without_a_text_for_the_screen_shows_its_message() -> None:
    assert describe_for_screen(JournalUnwritable("the disk fails")) == "the disk fails"


def test_refusals_name_the_players_if_their_names_are_known() -> None:
    refusal = IllegalMove("M23", "{who} has no crystals", {"who": Seat(1)})
    assert describe_for_screen(refusal, ("Ada", "Bob")) == "Bob has no crystals"
    assert describe_for_screen(refusal) == "M23: seat 1 has no crystals"
    assert describe_for_screen(InvalidSavedGame("torn"), ("Ada", "Bob")) == "torn"
    assert describe_for_screen(JournalUnwritable("full", "voll"), ("Ada", "Bob")) == "voll"
