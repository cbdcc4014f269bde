"""A sector that the disk loses costs nothing: every entry is kept twice, and the next start joins both copies."""

from __future__ import annotations

import functools
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import product
from pathlib import Path
from random import Random

import pytest

from companion.journal import connection, mirror_file
from companion.journal.database import JOURNAL_FILE, Journal
from companion.journal.entry import JournalUnwritable
from companion.journal.saved_game import SavedGame
from tests.journal.play import FAST, act
from tests.journal.test_recovery import Content, content_of
from tests.journal.toy import GAME, SETUP

SECTOR_BYTES, BLOCK_BYTES = 512, 4096
MAIN, LOG, MIRROR = JOURNAL_FILE, f"{JOURNAL_FILE}-wal", f"{JOURNAL_FILE}.mirror"

Files = Mapping[str, bytes]
Fill = Callable[[int, int, bytes], bytes]
"""Makes what a lost sector holds, from its offset, its length and the file's earlier content."""

FILLS: dict[str, Fill] = {
    "zeros": lambda _at, length, _earlier: bytes(length),
    "ones": lambda _at, length, _earlier: b"\xff" * length,
    "random": lambda at, length, _earlier: Random(at).randbytes(length),
    "old content": lambda at, length, earlier: earlier[at : at + length].ljust(length, b"\0"),
}


@functools.cache
def make_files(games: int, entries: int) -> tuple[Files, Files, Files, Content]:
    """Return a journal's files while it is in use, an earlier state of them, the closed files, and the entries."""
    with tempfile.TemporaryDirectory(dir=FAST) as folder:
        path, random, earlier = Path(folder) / JOURNAL_FILE, Random(5), dict[str, bytes]()
        with Journal(path) as journal:
            journal._connection.execute("PRAGMA wal_autocheckpoint = 0")
            for number in range(games):
                saved_game = SavedGame.begin(journal, SETUP, GAME)
                for count in range(entries):
                    act(random, saved_game)
                    if (number, count) == (games - 1, entries // 2):
                        earlier = read_files(Path(folder))
                        journal._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            in_use, content = read_files(Path(folder)), content_of(journal)
        return in_use, earlier, read_files(Path(folder)), content


def read_files(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in (MAIN, LOG, MIRROR) if (folder / name).exists()}


def lay_out(folder: Path, files: Files) -> Path:
    for file in folder.iterdir():
        file.unlink()
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return folder / JOURNAL_FILE


def lose_sectors(files: Files, earlier: Files, length: int) -> Iterator[tuple[str, Files]]:
    """Yield the files with one sector of one of them lost, for each sector and each fill, with a name of the case."""
    for name, content in files.items():
        for at, (fill, make) in product(range(0, len(content), length), FILLS.items()):
            size = min(length, len(content) - at)
            lost = content[:at] + make(at, size, earlier.get(name, b"")) + content[at + size :]
            if lost != content:
                yield f"{name} {at} {fill}", {**files, name: lost}


def check_all(games: int, entries: int, length: int, every: int = 1, *, is_closed: bool = False) -> Counter[str]:
    """Lose each sector (or every few) of the files in use, or of closed ones; return the number of cases by file."""
    in_use, earlier, closed, everything = make_files(games, entries)
    counts = Counter[str]()
    with tempfile.TemporaryDirectory(dir=FAST) as folder:
        for number, (case, files) in enumerate(lose_sectors(closed if is_closed else in_use, earlier, length)):
            if number % every == 0:
                counts[case.split()[0]] += 1
                check(lay_out(Path(folder), files), case, everything)
    return counts


def check(path: Path, case: str, everything: Content) -> None:
    """Check that nothing is missing now, nor after the next sector is lost: both copies are complete again."""
    with Journal(path) as journal:
        assert content_of(journal) == everything, case
        assert journal.damage is None or journal.damage.entries_lost == 0, case
    with Journal(path) as journal:
        assert journal.damage is None, case
    assert len(set(Path(f"{path}.mirror").read_bytes().splitlines())) >= len(everything) + sum(
        map(len, everything.values())
    ), case


def test_a_lost_sector_costs_nothing() -> None:
    counts = check_all(games=2, entries=8, length=SECTOR_BYTES, every=13)
    assert set(counts) == {MAIN, LOG, MIRROR}


@pytest.mark.full
@pytest.mark.parametrize("is_closed", [False, True])
@pytest.mark.parametrize("length", [SECTOR_BYTES, BLOCK_BYTES])
def test_any_lost_sector_costs_nothing(length: int, is_closed: bool) -> None:
    print(check_all(games=2, entries=8, length=length, is_closed=is_closed))


@pytest.mark.proof
def test_proof_of_lost_sectors() -> None:
    for length, is_closed in product((SECTOR_BYTES, BLOCK_BYTES), (False, True)):
        print(length, check_all(games=5, entries=60, length=length, is_closed=is_closed))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", [MAIN, LOG, MIRROR])
def test_a_large_journal_is_repaired_while_it_is_in_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """A large journal is checked in the background: its sectors are lost without a word at the opening."""
    monkeypatch.setattr(connection, "MAX_BYTES_CHECKED_AT_OPENING", 0)
    in_use, earlier, _, everything = make_files(games=2, entries=8)
    cases = [
        (case, files) for case, files in lose_sectors(in_use, earlier, SECTOR_BYTES) if case.startswith(f"{name} ")
    ]
    for case, files in cases[:: max(1, len(cases) // 4)]:
        with Journal(lay_out(tmp_path, files)) as journal:
            assert journal._check is not None
            journal._check.wait()
            journal.poll_check()
            assert content_of(journal) == everything, case
            assert journal.damage is None or journal.damage.entries_lost == 0, case
            number = max(everything)
            journal.append_entry(number, everything[number][-1].what)
        with Journal(tmp_path / JOURNAL_FILE) as journal:
            assert journal.damage is None, case
            assert len(journal.read_entries(number)) == len(everything[number]) + 1, case


def test_a_very_large_journal_is_repaired_at_the_next_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A repair in play would take longer than the watchdog waits."""
    monkeypatch.setattr(connection, "MAX_BYTES_CHECKED_AT_OPENING", 0)
    monkeypatch.setattr(connection, "MAX_BYTES_REPAIRED_IN_USE", 0)
    monkeypatch.setattr(mirror_file, "TAIL_BYTES", 400)
    _, _, closed, everything = make_files(games=2, entries=8)
    at = closed[MAIN].rindex(b'"kind"')  # of the first entry: a page is filled from its end
    broken = closed[MAIN][:at] + b"*" + closed[MAIN][at + 1 :]
    with Journal(lay_out(tmp_path, {**closed, MAIN: broken})) as journal:
        assert journal._check is not None
        journal._check.wait()
        with pytest.raises(JournalUnwritable, match="start the companion again"):
            journal.poll_check()
        with pytest.raises(JournalUnwritable, match="start the companion again"):
            content_of(journal)
        journal.append_entry(2, everything[2][-1].what)
    with Journal(tmp_path / JOURNAL_FILE) as journal:
        assert journal.damage is not None
        assert journal.damage.entries_lost == 0
        assert journal.read_entries(1) == everything[1]
        assert len(journal.read_entries(2)) == len(everything[2]) + 1
    assert not list(tmp_path.glob("*.new"))
