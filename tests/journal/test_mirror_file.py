"""The second copy of the rows: append-only lines, each judged by its own checksum.

Also here: checked_lines.py and integrity_check.py.
"""

from __future__ import annotations

import errno
import json
import os
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from unittest import mock

import pytest

from companion.journal import connection, integrity_check, schema
from companion.journal.checked_lines import format_checked_line
from companion.journal.database import Journal
from companion.journal.entry import EntryKind, JournalUnwritable
from companion.journal.integrity_check import CheckResult, check_journal_file
from companion.journal.mirror_file import MirrorFile
from companion.journal.recovery import DAMAGED_MARK
from companion.journal.saved_game import SavedGame
from tests.journal.play import FAST
from tests.journal.toy import GAME, SETUP

ROWS = [schema.add_checksum((1, "0" * 32, "{}", 0, 1.5, 2.0, "Zoë")), schema.add_checksum((1, 1, "{}", 1.0, 1e300, ""))]


def make_mirror(folder: Path, monotonic: Callable[[], float] = lambda: 0.0) -> MirrorFile:
    return MirrorFile(folder / "j", monotonic)


def play(path: Path, entries: int = 1) -> None:
    with Journal(path) as journal:
        saved_game = SavedGame(journal, 1, GAME) if journal.list_games() else SavedGame.begin(journal, SETUP, GAME)
        for _ in range(entries):
            saved_game.note_resumed()


def test_rows_are_read_as_they_were_written(tmp_path: Path) -> None:
    mirror = make_mirror(tmp_path)
    assert (list(mirror.read_rows()), mirror.read_last_rows(), list(mirror.read_checksums())) == ([], [], [])
    mirror.append(ROWS[:1])
    mirror.close()
    mirror.append(ROWS[1:])
    assert list(mirror.read_rows()) == mirror.read_last_rows() == ROWS
    assert list(mirror.read_checksums()) == [(1, "0" * 32, ROWS[0][-1]), (1, 1, ROWS[1][-1])]
    assert mirror.path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("torn", [b"[1,2", b"\xff" * 600, bytes(600), b"[" * 5000, b"\n\n"])
def test_a_torn_line_costs_only_itself(tmp_path: Path, torn: bytes) -> None:
    mirror = make_mirror(tmp_path)
    mirror.append(ROWS[:1])
    mirror.close()
    mirror.path.write_bytes(mirror.path.read_bytes() + torn)
    mirror.append(ROWS[1:])
    assert list(mirror.read_rows()) == ROWS


@pytest.mark.parametrize(
    "line",
    [
        *(b"null", b"hello", b"[1]", b'["a","b","c"]', b"[[1],2,3]", b'[1.5,2,"x",1.0,1.0,"b",3]'),
        json.dumps(schema.add_checksum((1, 10**12, "{}", 1.0, 1.0, ""))).encode(),
        json.dumps(schema.add_checksum((1, -5, "{}", 1.0, 1.0, ""))).encode(),
        json.dumps((*schema.add_checksum((1, 2, "{}", 1.0, 1.0, ""))[:-1], -1)).encode(),
    ],
)
def test_a_line_that_is_no_row_is_left_out(tmp_path: Path, line: bytes) -> None:
    """Of a newer version that was taken back, or forged: the program starts all the same, at once."""
    play(tmp_path / "j", 2)
    mirror = make_mirror(tmp_path)
    rows = list(mirror.read_rows())
    mirror.path.write_bytes(mirror.path.read_bytes() + b"\n" + format_checked_line(line))
    assert list(mirror.read_rows()) == mirror.read_last_rows() == rows
    with Journal(tmp_path / "j") as journal:
        assert (journal.damage, len(journal.read_entries(1))) == (None, 2)
    (tmp_path / "j").unlink()
    with Journal(tmp_path / "j") as journal:
        assert len(journal.read_entries(1)) == 2


def test_one_flipped_bit_in_a_line_is_noticed(tmp_path: Path) -> None:
    mirror = make_mirror(tmp_path)
    mirror.append(ROWS)
    content = mirror.path.read_bytes()
    for at in range(0, len(content) - 1, 5):
        mirror.path.write_bytes(content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :])
        assert set(mirror.read_rows()) < set(ROWS)


def test_it_is_synced_now_and_then(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now, synced = 0.0, list[float]()
    mirror = make_mirror(tmp_path, lambda: now)
    monkeypatch.setattr(os, "fdatasync", lambda _file: synced.append(now))
    for seconds in (0.5, 9.75, 0.25, 9.75, 0.75):
        now += seconds
        mirror.append(ROWS)
    assert synced == [0.5, 10.5, 21.0], "every ten seconds"
    mirror.close()
    assert len(synced) == 3, "nothing was written since"
    mirror.append(ROWS[:1])
    mirror.close()
    assert len(synced) == 4


def test_rows_that_could_not_be_written_are_written_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fill_up(_file: int, data: bytes) -> int:
        raise OSError(28, "No space left on device")

    mirror = make_mirror(tmp_path)
    with monkeypatch.context() as full:
        full.setattr(os, "write", fill_up)
        mirror.append(ROWS[:1])
        mirror.append(())
    assert caplog.text.count("cannot be written") == 1
    write = os.write
    with monkeypatch.context() as slow:
        slow.setattr(os, "write", lambda file, data: write(file, data[:7]))
        mirror.append(ROWS[1:])
    assert list(mirror.read_rows()) == ROWS


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo, lambda path: path.symlink_to("/dev/full")])
def test_what_stands_in_its_place_prevents_nothing(
    tmp_path: Path, make: Callable[[Path], None], caplog: pytest.LogCaptureFixture
) -> None:
    make(tmp_path / "j.mirror")
    play(tmp_path / "j", entries=3)
    assert caplog.text.count("cannot be written") == 1
    with Journal(tmp_path / "j") as journal:
        assert journal.damage is None
        assert len(journal.read_entries(1)) == 3


@pytest.mark.parametrize("cut", [lambda _: None, lambda _: b"", lambda log: log[: len(log) // 2], lambda log: log[:-1]])
def test_entries_of_a_lost_log_are_in_the_mirror(tmp_path: Path, cut: Callable[[bytes], bytes | None]) -> None:
    path = tmp_path / "j"
    play(path)
    with Journal(path) as journal:
        saved_game = SavedGame(journal, 1, GAME)
        for _ in range(3):
            saved_game.note_resumed()
        left = {file: file.read_bytes() for file in tmp_path.iterdir()}
    for file, data in left.items():
        file.write_bytes(data)
    log = Path(f"{path}-wal")
    changed = cut(left[log])
    log.unlink() if changed is None else log.write_bytes(changed)
    with Journal(path) as journal:
        assert journal.damage is not None
        assert len(journal.read_entries(1)) == 4


def test_a_journal_without_a_mirror_gets_one(tmp_path: Path) -> None:
    play(tmp_path / "j")
    mirror = tmp_path / "j.mirror"
    before = mirror.read_bytes()
    mirror.unlink()
    with Journal(tmp_path / "j") as journal:
        assert journal.damage is None
    assert mirror.read_bytes() == before


def test_the_mirror_of_another_journal_is_set_aside(tmp_path: Path) -> None:
    for name in ("j", "other"):
        play(tmp_path / name, entries=2 if name == "j" else 5)
    foreign = (tmp_path / "other.mirror").replace(tmp_path / "j.mirror").read_bytes()
    with Journal(tmp_path / "j") as journal:
        assert journal.damage is None
        assert len(journal.read_entries(1)) == 2
    (aside,) = tmp_path.glob(f"j{DAMAGED_MARK}*.mirror")
    assert aside.read_bytes() == foreign
    assert len(list(make_mirror(tmp_path).read_rows())) == 3


@pytest.mark.parametrize("damage", ["torn log", "other header", "changed entry"])
def test_entries_of_another_journal_are_not_mixed_in(tmp_path: Path, damage: str) -> None:
    path, log = tmp_path / "j", tmp_path / "j-wal"
    play(path)
    play(tmp_path / "other", entries=8)
    with Journal(path) as journal:
        saved_game = SavedGame(journal, 1, GAME)
        for _ in range(3):
            saved_game.note_resumed()
        own, in_use = journal.read_entries(1), {file: file.read_bytes() for file in (path, log)}
    match damage:
        case "torn log":
            middle = len(in_use[log]) // 2
            path.write_bytes(in_use[path])
            log.write_bytes(in_use[log][:middle] + bytes(100) + in_use[log][middle + 100 :])
        case "other header":
            with closing(sqlite3.connect(path)) as file:
                file.execute("PRAGMA application_id = 1")
        case _:
            closed = path.read_bytes()
            at = closed.rindex(b'"kind"')
            path.write_bytes(closed[:at] + b"*" + closed[at + 1 :])
    (tmp_path / "other.mirror").replace(tmp_path / "j.mirror")
    with Journal(path) as journal:
        assert journal.damage is not None or damage == "torn log"  # a last entry that is cut off is not reported
        kept = [entry for entry in journal.read_entries(1) if entry.what.kind is not EntryKind.LOST]
    assert set(kept) <= set(own)
    assert kept
    assert len(list(tmp_path.glob(f"j{DAMAGED_MARK}*.mirror"))) == 1


def test_a_large_journal_opens_quickly_after_a_power_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its mirror lacks what was written since it was last synced; the check in the background adds that."""
    monkeypatch.setattr(connection, "MAX_BYTES_CHECKED_AT_OPENING", 0)
    play(tmp_path / "j", entries=20)
    mirror = make_mirror(tmp_path)
    complete = mirror.path.read_bytes()
    mirror.path.write_bytes(b"".join(complete.splitlines(keepends=True)[:-10]))
    with monkeypatch.context() as patch:
        patch.setattr(integrity_check, "_check_rows", lambda *_: pytest.fail("all rows are read"))
        assert check_journal_file(tmp_path / "j", mirror, is_thorough=False) == CheckResult()
    with Journal(tmp_path / "j") as journal:
        assert journal._check is not None
        journal._check.wait()
        assert journal.poll_check() is None
    assert mirror.path.read_bytes().replace(b"\n\n", b"\n") == complete


def test_opening_reads_no_more_of_many_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bytes stand for time. Not fewer games: with them all of the file is smaller than what is read of its ends."""
    monkeypatch.setattr(connection, "MAX_BYTES_CHECKED_AT_OPENING", 0)
    monkeypatch.setattr(connection, "BackgroundCheck", mock.Mock())
    with tempfile.TemporaryDirectory(dir=FAST) as folder:
        few, many = (count_bytes_of_opening(Path(folder) / f"{games}", games) for games in (100, 600))
    assert 0 < many <= 1.2 * few


def count_bytes_of_opening(path: Path, games: int) -> int:
    """Return how many bytes this process reads when it opens a journal of so many games."""
    with Journal(path) as journal:
        for _ in range(games):
            SavedGame.begin(journal, SETUP, GAME).note_resumed()
    before = count_bytes_read()
    Journal(path).close()
    return count_bytes_read() - before


def count_bytes_read() -> int:
    """Return how many bytes this process has read so far."""
    return int(Path("/proc/self/io").read_text("ascii").split()[1])


def test_a_mirror_that_cannot_be_set_aside_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "MAX_BYTES_CHECKED_AT_OPENING", 0)
    play(tmp_path / "j")
    with Journal(tmp_path / "j") as journal:
        assert journal._check is not None
        journal._check.wait()
        monkeypatch.setattr(connection, "complete_mirror", refuse_to_rename)
        with pytest.raises(JournalUnwritable, match="read-only"):
            journal.poll_check()


def refuse_to_rename(*_: object) -> None:
    raise OSError(errno.EROFS, "the file system is read-only")


def test_closing_does_not_wait_for_the_check_of_all_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check of the file's structure, which takes seconds on a card, has no pauses."""
    endless = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
    play(tmp_path / "j")
    monkeypatch.setattr(integrity_check, "_check_rows", lambda connection, *_: connection.execute(endless).fetchone())
    check = integrity_check.BackgroundCheck(tmp_path / "j", make_mirror(tmp_path))
    check.close()
    assert check.take_result() is None


def test_a_lost_journal_is_made_again_from_its_mirror(tmp_path: Path) -> None:
    play(tmp_path / "j", entries=2)
    (tmp_path / "j").unlink()
    with Journal(tmp_path / "j") as journal:
        assert journal.damage is not None
        assert "main file was missing" in journal.damage.message
        assert len(journal.read_entries(1)) == 2
