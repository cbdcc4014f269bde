"""The number of entries beside the journal: a lost log is noticed, and nothing else is."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.journal.database import Journal
from companion.journal.high_water_mark import MARK_SUFFIX, HighWaterMark
from companion.journal.saved_game import SavedGame
from tests.journal.toy import GAME, SETUP


def play(path: Path, *, entries: int = 1, log_kept: Callable[[bytes], bytes | None] = lambda log: log) -> None:
    """Add entries, then take the file as a power cut leaves it, with the log changed."""
    with Journal(path) as journal:
        saved_game = SavedGame.begin(journal, SETUP, GAME) if not journal.list_games() else SavedGame(journal, 1, GAME)
        for _ in range(entries):
            saved_game.note_resumed()
        left = {file: file.read_bytes() for file in path.parent.iterdir()}
    for file, data in left.items():
        file.write_bytes(data)
    log = Path(f"{path}-wal")
    changed = log_kept(left[log])
    log.unlink() if changed is None else log.write_bytes(changed)


@pytest.mark.parametrize(
    ("log_kept", "missing"),
    [
        (lambda log: log, 0),
        (lambda log: None, 4),
        (lambda log: b"", 4),
        (lambda log: log[: len(log) // 2], 3),
        (lambda log: log[:-1], 1),
    ],
    ids=["whole", "deleted", "emptied", "half", "cut"],
)
def test_entries_of_a_lost_log_are_missed(
    tmp_path: Path, log_kept: Callable[[bytes], bytes | None], missing: int
) -> None:
    path = tmp_path / "j"
    play(path)
    play(path, entries=3, log_kept=log_kept)
    for _ in range(2):
        with Journal(path) as journal:
            assert journal.missing_entries == missing, "until somebody plays on"
    play(path)
    with Journal(path) as journal:
        assert journal.missing_entries == 0


@pytest.mark.parametrize("content", [b"", b"9", b"0000000009 00000000\n", b"\xff" * 512, b"9" * 4000])
def test_mark_that_is_not_valid_does_not_count(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "j"
    play(path)
    Path(f"{path}{MARK_SUFFIX}").write_bytes(content)
    assert HighWaterMark(path, lambda: 0.0).read() == 0
    for _ in range(2):
        with Journal(path) as journal:
            assert journal.missing_entries == 0
        play(path)
    assert HighWaterMark(path, lambda: 0.0).read() == 3


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo, lambda path: path.symlink_to("/dev/full")])
def test_mark_that_cannot_be_written_prevents_nothing(
    tmp_path: Path, make: Callable[[Path], None], caplog: pytest.LogCaptureFixture
) -> None:
    make(tmp_path / f"j{MARK_SUFFIX}")
    with Journal(tmp_path / "j") as journal:
        saved_game = SavedGame.begin(journal, SETUP, GAME)
        for _ in range(3):
            saved_game.note_resumed()
        assert len(journal.read_entries(1)) == 3
    assert caplog.text.count("cannot be noted") == 1


def test_mark_is_synced_now_and_then(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now, synced = 0.0, list[float]()
    monkeypatch.setattr(os, "fdatasync", lambda _file: synced.append(now))
    mark = HighWaterMark(tmp_path / "j", lambda: now)
    for count, seconds in enumerate((0.5, 9.75, 0.25, 9.75, 0.75), 1):
        now += seconds
        mark.write(count)
        assert mark.read() == count
    assert synced == [0.5, 10.5, 21.0], "every ten seconds"


@pytest.mark.parametrize(("size", "count"), [(20, 7), (4096, 7), (4097, 0)])
def test_only_a_small_file_is_a_mark(tmp_path: Path, size: int, count: int) -> None:
    mark = HighWaterMark(tmp_path / "j", lambda: 0.0)
    assert mark.read() == 0
    mark.write(7)
    file = tmp_path / f"j{MARK_SUFFIX}"
    assert file.stat().st_size == 20
    file.write_bytes(file.read_bytes().ljust(size, b"x"))
    assert mark.read() == count
    mark.write(12)
    assert file.read_bytes()[:10] == b"0000000012", "it is overwritten"
