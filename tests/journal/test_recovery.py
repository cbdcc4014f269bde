"""Torn and corrupted files without a mirror: a clear message, the rest is recovered, the damaged file is set aside.

With a mirror nothing is lost: test_erased_sectors.py. Damage within the file: test_damaged_header.py; what people see
and decide: tests/app/test_damaged_journal.py.
"""

from __future__ import annotations

import functools
import os
import re
import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.journal import schema
from companion.journal.database import Journal
from companion.journal.entry import EntryKind, JournalEntry
from companion.journal.page_reader import WriteAheadLog, read_all_rows
from companion.journal.recovery import DAMAGED_MARK, LOST_ENTRY, MAX_DAMAGED_FILES, join_rows
from companion.journal.saved_game import SavedGame
from tests.journal.play import FAST, act
from tests.journal.toy import GAME, SETUP

NOW = 1_700_000_000.0
STAMP = "20231114T221320Z"
SECTOR_BYTES = 512
"""What a card loses at once: a block of flash that was erased or not written."""

# Each example opens several journals.
fewer = settings(max_examples=settings().max_examples // 4)

Content = dict[int, tuple[JournalEntry, ...]]


@functools.cache
def make_sample_journal(games: int = 5, entries: int = 60) -> tuple[bytes, bytes, bytes, Content]:
    """Return a journal of some games: the closed file, then file and log while in use, and the entries."""
    with tempfile.TemporaryDirectory(dir=FAST) as folder:
        path = Path(folder) / "j"
        random = Random(3)
        with Journal(path, wall=lambda: NOW) as journal:
            journal._connection.execute("PRAGMA wal_autocheckpoint = 0")
            for number in range(games):
                saved_game = SavedGame.begin(journal, SETUP, GAME)
                for _ in range(entries):
                    act(random, saved_game)
                if number == (games - 1) // 2:  # so that the log contains only the later part
                    journal._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            in_use, log = path.read_bytes(), Path(f"{path}-wal").read_bytes()
            content = content_of(journal)
        return path.read_bytes(), in_use, log, content


def content_of(journal: Journal) -> Content:
    return {record.id: journal.read_entries(record.id) for record in journal.list_games()}


def opened(path: Path) -> tuple[Journal, Content]:
    """Open the journal; return it and its entries, after checking that every game can be loaded up to a gap."""
    journal = Journal(path, wall=lambda: NOW)
    content = content_of(journal)
    for number, entries in content.items():
        replay = SavedGame(journal, number, GAME).replay
        has_gap = any(entry.what.kind is EntryKind.LOST for entry in entries)
        assert (replay.problem is not None, replay.gap is not None) == (has_gap, has_gap)
    return journal, content


def check(
    main: bytes | None, log: bytes | None, index: bytes | None = None, everything: Content | None = None
) -> tuple[str | None, Content]:
    """Open a journal of these files and check that nothing is invented; return the damage and the entries.

    Entries that were lost before a later one are not among them.
    """
    everything = everything or make_sample_journal()[3]
    with tempfile.TemporaryDirectory(dir=FAST) as folder:
        path = Path(folder) / "j"
        for file, data in ((path, main), (Path(f"{path}-wal"), log), (Path(f"{path}-shm"), index)):
            if data is not None:
                file.write_bytes(data)
        journal, kept = opened(path)
        with journal:
            lost = 0
            for number, entries in kept.items():
                kept[number] = tuple(entry for entry in entries if entry.what.kind is not EntryKind.LOST)
                assert set(kept[number]) <= set(everything[number])
                assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))
                lost += len(entries) - len(kept[number])
            words = journal.damage.message if journal.damage else None
            if journal.damage is not None:
                aside = journal.damage.moved_to
                assert aside == path.with_name(f"{path.name}{DAMAGED_MARK}{STAMP}")
                for file, data in ((aside, main), (Path(f"{aside}-wal"), log)):
                    assert (file.read_bytes() if file.exists() else None) == data
                assert str(aside) in journal.damage.message
                assert journal.damage.games_kept == len(kept)
                assert journal.damage.entries_kept == sum(map(len, kept.values()))
                assert journal.damage.entries_lost == lost
            SavedGame.begin(journal, SETUP, GAME).set_aside()  # it can be played on
        with Journal(path) as journal:
            assert journal.damage is None
        return words, kept


def test_valid_file_is_not_changed() -> None:
    closed, in_use, log, everything = make_sample_journal()
    assert check(closed, None) == check(in_use, log) == (None, everything)
    assert len(closed) // schema.PAGE_BYTES > 10


@fewer
@given(st.data())
def test_torn_file(data: st.DataObject) -> None:
    closed, _, _, everything = make_sample_journal()
    length = data.draw(st.integers(0, len(closed) - 1))
    words, kept = check(closed[:length], None)
    assert words is not None
    assert sum(map(len, kept.values())) < sum(map(len, everything.values()))


@pytest.mark.full
@fewer
@given(st.data())
def test_torn_or_lost_log_gives_an_earlier_state(data: st.DataObject) -> None:
    _, in_use, log, everything = make_sample_journal()
    words, kept = check(in_use, data.draw(st.none() | st.integers(0, len(log)).map(lambda length: log[:length])))
    assert words is None
    assert all(kept[number] == everything[number] for number in (1, 2, 3))


@pytest.mark.full
@settings(max_examples=settings().max_examples // 10)
@given(st.data())
def test_log_broken_in_the_middle_loses_only_the_broken_pages(data: st.DataObject) -> None:
    _, in_use, log, everything = make_sample_journal()
    frame = data.draw(st.integers(0, len(log) // (schema.PAGE_BYTES + 24) - 3))
    at = 32 + frame * (schema.PAGE_BYTES + 24) + data.draw(st.integers(8, schema.PAGE_BYTES + 23))
    words, kept = check(in_use, log[:at] + bytes([log[at] ^ 255]) + log[at + 1 :])
    assert "its log was torn" in words if words else kept == everything
    # Later frames contain the content of the broken page again, and later pages contain most of it.
    assert sum(map(len, kept.values())) >= sum(map(len, everything.values())) - 40


def test_append_interrupted_by_a_power_cut_is_no_damage() -> None:
    _, in_use, log, everything = make_sample_journal()
    words, kept = check(in_use, log[:-100] + bytes(100))
    assert words is None
    assert sum(map(len, kept.values())) == sum(map(len, everything.values())) - 1


@pytest.mark.full
@pytest.mark.sampled(1)
@pytest.mark.parametrize("byte", [0x80, 0xFF, 0x00])
def test_any_run_of_bytes_is_only_no_row(byte: int) -> None:
    """The reader of pages never raises: 0xFF is erased flash, 0x80 continues a varint."""
    closed, in_use, log, _ = make_sample_journal()
    for main, beside in ((closed, b""), (in_use, log[: 40 * schema.PAGE_BYTES])):
        valid = join_rows(read_all_rows(main, WriteAheadLog(beside)))
        for at in range(0, len(main), SECTOR_BYTES):
            run = bytes([byte]) * SECTOR_BYTES
            broken = main[:at] + run + main[at + SECTOR_BYTES :]
            games, entries, lost = join_rows(read_all_rows(broken, WriteAheadLog(beside)))
            assert set(games) <= set(valid[0])
            assert {row for row in entries if row[2] != LOST_ENTRY} <= set(valid[1])
            assert lost == sum(row[2] == LOST_ENTRY for row in entries)


@pytest.mark.full
@pytest.mark.sampled("255")
@pytest.mark.parametrize("byte", [0xFF, 0x80, 0x00])
@pytest.mark.parametrize("place", ["journal", "wal", "shm"])
def test_any_run_of_bytes_leads_to_words_and_the_rest_is_kept(place: str, byte: int) -> None:
    closed, in_use, log, everything = make_sample_journal(games=2, entries=5)
    files = {"journal": closed, "wal": log, "shm": bytes(32768)}
    for at in range(0, len(files[place]), SECTOR_BYTES * (8 if place == "shm" else 1)):
        broken = bytearray(files[place])
        broken[at : at + SECTOR_BYTES] = bytes([byte]) * len(broken[at : at + SECTOR_BYTES])
        found = {"journal": (bytes(broken), None), "wal": (in_use, bytes(broken)), "shm": (in_use, log)}
        words, kept = check(*found[place], bytes(broken) if place == "shm" else None, everything)
        assert words is None or place != "shm"
        assert words is not None or kept == everything or place == "wal"


@pytest.mark.parametrize("side", ["", "-wal", "-shm"])
@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo], ids=["folder", "pipe"])
def test_folder_or_pipe_in_place_of_a_file_is_moved(tmp_path: Path, side: str, make: Callable[[Path], None]) -> None:
    closed, *_, everything = make_sample_journal()
    if side:
        (tmp_path / "j").write_bytes(closed)
    make(tmp_path / f"j{side}")
    journal, kept = opened(tmp_path / "j")
    with journal:
        assert kept == (everything if side else {})
        assert journal.damage is not None
        assert f"j{side} was not a file" in journal.damage.message
    assert (tmp_path / f"j{DAMAGED_MARK}{STAMP}{side}").exists()


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    "head", [b"garbage in front", bytes(100), bytes(schema.PAGE_BYTES)], ids=["words", "head", "page"]
)
def test_all_entries_are_recovered_if_only_the_header_is_broken(head: bytes) -> None:
    closed, in_use, log, everything = make_sample_journal()
    for main, beside in ((closed, None), (in_use, log)):
        words, kept = check(head + main[len(head) :], beside)
        assert words is not None or beside is not None  # the log may contain the first page; then nothing is damaged
        assert kept == everything
    for size in (1, 32):
        words, kept = check(in_use, bytes(size) + log[size:])
        assert words is not None
        assert kept == everything


def test_one_broken_page_costs_the_end_of_one_game_only() -> None:
    closed, _, _, everything = make_sample_journal()
    losses = []
    for at in range(schema.PAGE_BYTES, len(closed), schema.PAGE_BYTES):
        _, kept = check(closed[:at] + bytes(schema.PAGE_BYTES) + closed[at + schema.PAGE_BYTES :], None)
        losses.append(sum(kept.get(number) != everything[number] for number in everything))
    assert sorted(losses)[-1] == 5  # the page of the games themselves
    assert sorted(losses)[-2] <= 2
    assert losses.count(0) >= 1  # an index


def test_one_flipped_bit_inside_a_value_is_noticed() -> None:
    closed, _, _, everything = make_sample_journal()
    value = re.search(rb'"value":\[(\d)', closed)
    assert value is not None
    at = value.start(1)
    words, kept = check(closed[:at] + bytes([closed[at] ^ 1]) + closed[at + 1 :], None)
    assert words is not None
    assert "a row of its entries was changed" in words
    assert sum(kept[number] != everything[number] for number in everything) == 1


def test_wrong_key_in_an_index_costs_nothing() -> None:
    closed, _, _, everything = make_sample_journal()
    rows = sum(map(len, everything.values()))
    key = bytes([5, len(everything[5])]) + rows.to_bytes(2, "big")  # game, number of the entry, row
    assert closed.count(key) == 1
    words, kept = check(closed.replace(key, bytes([5, key[1] + 1]) + key[2:]), None)
    assert words is not None
    assert kept == everything


def test_lost_main_file_is_reported_as_damage() -> None:
    _, _, log, everything = make_sample_journal()
    for main, fault in ((None, "main file was missing"), (b"", "it was empty")):
        words, kept = check(main, log)
        assert fault in (words or "")
        assert set(kept) <= set(everything)


def test_interrupted_recovery_is_finished(tmp_path: Path) -> None:
    closed, _, _, everything = make_sample_journal()
    (tmp_path / "j.new").write_bytes(closed)
    (tmp_path / f"j{DAMAGED_MARK}{STAMP}").write_bytes(b"damaged")
    journal, kept = opened(tmp_path / "j")
    with journal:
        assert kept == everything
        assert journal.damage is not None
        assert "interrupted" in journal.damage.message
    assert (tmp_path / f"j{DAMAGED_MARK}{STAMP}").read_bytes() == b"damaged"


@pytest.mark.full
@fewer
@given(st.randoms(use_true_random=False))
def test_random_damage(random: Random) -> None:
    closed, in_use, log, everything = make_sample_journal()
    main, beside = (bytearray(closed), None) if random.random() < 0.5 else (bytearray(in_use), bytearray(log))
    for file in (main, beside):
        for _ in range(random.randrange(4)):
            if file:
                at = random.randrange(len(file))
                length = random.choice((1, 2, 512, 4096, 20000))
                end = min(len(file), at + length)
                file[at:end] = random.choice((bytes(end - at), random.randbytes(end - at), b""))
    words, kept = check(bytes(main), None if beside is None else bytes(beside))
    assert words is not None or beside is not None or kept == everything


def test_a_dying_card_is_not_filled_with_damaged_files(tmp_path: Path) -> None:
    path = tmp_path / "j"
    for day in range(1, 13):
        path.write_bytes(b"no journal" * day)
        Path(f"{path}-wal").write_bytes(b"no log")
        Journal(path, wall=lambda day=day: NOW + 86_400 * day).close()
    kept = sorted(each for each in tmp_path.glob(f"*{DAMAGED_MARK}*") if each.name.endswith("Z"))
    assert len(kept) == MAX_DAMAGED_FILES
    assert [each.stat().st_size // len(b"no journal") for each in kept] == [1, 6, 7, 8, 9, 10, 11, 12]
    assert len([*tmp_path.glob(f"*{DAMAGED_MARK}*-wal")]) == MAX_DAMAGED_FILES


def test_the_file_just_set_aside_stays_though_the_clock_was_wrong(tmp_path: Path) -> None:
    path = tmp_path / "j"
    for day in (0, *range(2, MAX_DAMAGED_FILES + 1), 1):  # the last day is before most others
        path.write_bytes(b"no journal")
        journal = Journal(path, wall=lambda day=day: NOW + 86_400 * day)
        journal.close()
        assert journal.damage is not None
        assert journal.damage.moved_to.exists(), day
    assert len([*tmp_path.glob(f"*{DAMAGED_MARK}*Z")]) == MAX_DAMAGED_FILES
