"""Rows read directly from the pages of a journal and its write-ahead log are those that SQLite wrote there."""

from __future__ import annotations

import sqlite3
import struct
from collections import defaultdict
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from companion.journal import schema
from companion.journal.page_reader import (
    BIG_ENDIAN_WAL,
    FRAME_HEADER_BYTES,
    WAL_HEADER_BYTES,
    WriteAheadLog,
    read_all_rows,
)
from companion.journal.recovery import LOST_ENTRY, join_rows
from companion.journal.schema import Row

FRAME_BYTES = FRAME_HEADER_BYTES + schema.PAGE_BYTES
EMPTY_LOG = WriteAheadLog(b"")


def game(id: int = 1, *, setup: str = "{}", imported: int = 0, wall: float = 1.5, monotonic: float = 2.5) -> Row:
    return schema.add_checksum((id, f"{id:032x}", setup, imported, wall, monotonic, ""))


def entry(
    seq: int, *, sitting: int = 1, what: str = "{}", wall: float = 1.5, monotonic: float = 2.5, boot: str = "b"
) -> Row:
    return schema.add_checksum((sitting, seq, what, wall, monotonic, boot))


GROWTH = (entry(1, what="x" * 5000),)
"""A transaction that adds pages to the file, so that its first page changes."""


def make_file(path: Path, games: Sequence[Row], entries: Sequence[Row] = ()) -> bytes:
    schema.create_journal(path, games, entries)
    return path.read_bytes()


def write_log(path: Path, *transactions: Sequence[Row] | str) -> bytes:
    """Write rows, or run a statement, one transaction after the other; return the log."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        for transaction in transactions:
            if isinstance(transaction, str):
                connection.execute(transaction)
                continue
            connection.execute("BEGIN")
            for row in transaction:
                connection.execute(schema.INSERT_GAME if schema.is_game_row(row) else schema.INSERT_ENTRY, row)
            connection.execute("COMMIT")
        return Path(f"{path}-wal").read_bytes()


def recover_rows(main_file: bytes, log: WriteAheadLog) -> tuple[list[Row], list[Row]]:
    return join_rows(read_all_rows(main_file, log))[:2]


def read_flags(content: bytes) -> dict[Row, list[bool]]:
    """Return for each row in committed transactions of a log whether it was in the last one, once for each page."""
    flags = defaultdict[Row, list[bool]](list)
    for row, is_last in WriteAheadLog(content).read_committed_rows():
        flags[row].append(is_last)
    return flags


def flip(content: bytes, at: int) -> bytes:
    return content[:at] + bytes([content[at] ^ 0xFF]) + content[at + 1 :]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "j"


@pytest.fixture
def log(path: Path) -> bytes:
    """A log of four transactions of two frames each, after the first, which has one: a game and three entries."""
    make_file(path, ())
    content = write_log(path, [game()], [entry(1)], [entry(2)], [entry(3)])
    assert len(content) == WAL_HEADER_BYTES + 7 * FRAME_BYTES
    return content


# Rows ------------------------------------------------------------------------------------------------------------


def test_numbers_of_any_size_are_read(path: Path) -> None:
    ids = [1, *(sign + 2**bits for bits in (7, 14, 15, 21, 23, 28, 31, 35, 42, 47, 49, 56, 62) for sign in (-1, 0, 1))]
    games = [game(id) for id in (*ids, 2**63 - 1)]
    entries = [entry(1, sitting=id) for id in ids]
    assert recover_rows(make_file(path, games, entries), EMPTY_LOG) == (games, entries)


@pytest.mark.parametrize("seconds", [0.0, 1.0, -1.0, 0.25, -0.25, 127.0, 1_700_000_000.0, 1_700_000_000.75, 1e300])
def test_whole_and_broken_seconds_are_read(path: Path, seconds: float) -> None:
    """SQLite stores a whole number of a REAL column as an integer."""
    games = [game(wall=seconds), game(2, monotonic=seconds, imported=1)]
    entries = [entry(1, wall=seconds), entry(2, monotonic=seconds)]
    assert recover_rows(make_file(path, games, entries), EMPTY_LOG) == (games, entries)


@pytest.mark.parametrize("text", ["", "b", "Zoë", "x" * 57, "x" * 58, "x" * 59, "x" * 3000])
def test_texts_of_any_length_are_read(path: Path, text: str) -> None:
    games, entries = [game(setup=text)], [entry(1, boot=text), entry(2, what=text)]
    assert recover_rows(make_file(path, games, entries[: 1 if len(text) > 1000 else 2]), EMPTY_LOG) == (
        games,
        entries[: 1 if len(text) > 1000 else 2],
    )


def test_rows_on_many_pages_are_read(path: Path) -> None:
    games = [game(id) for id in range(1, 101)]
    entries = [entry(seq, sitting=id) for id in range(1, 101) for seq in range(1, 6)]
    content = make_file(path, games, entries)
    assert len(content) > 10 * schema.PAGE_BYTES
    assert recover_rows(content, EMPTY_LOG) == (games, entries)


def test_a_gap_is_filled_and_entries_of_no_game_are_left_out(path: Path) -> None:
    make_file(path, [game()])
    log = write_log(path, "DROP TRIGGER entries_follow", [entry(seq, sitting=id) for id in (1, 2) for seq in (1, 2, 4)])
    found = join_rows(read_all_rows(path.read_bytes(), WriteAheadLog(log)))
    assert found == ([game()], [entry(1), entry(2), entry(3, what=LOST_ENTRY), entry(4)], 1)


def test_a_row_in_the_log_replaces_that_of_the_file(path: Path) -> None:
    newer = entry(1, what='{"newer": 1}')
    content = make_file(path, [game()], [entry(1)])
    log = write_log(path, "DROP TRIGGER entries_remain", "DELETE FROM entries", [newer])
    assert recover_rows(content, WriteAheadLog(log)) == ([game()], [newer])


@pytest.mark.parametrize("length", [1, 4, 7, 8, 9, 100])
def test_a_page_that_was_cut_off_has_no_rows(path: Path, length: int) -> None:
    content = make_file(path, [game()])
    at = schema.PAGE_BYTES  # the page of the games
    assert recover_rows(content[at : at + length], EMPTY_LOG) == ([], [])
    assert recover_rows(content[at : at + schema.PAGE_BYTES], EMPTY_LOG) == ([game()], [])


# Transactions ----------------------------------------------------------------------------------------------------


def test_the_rows_of_the_last_transaction_are_marked(log: bytes) -> None:
    # Each transaction writes the whole page again, with the earlier entries on it.
    assert read_flags(log) == {
        game(): [False],
        entry(1): [False, False, True],
        entry(2): [False, True],
        entry(3): [True],
    }


@pytest.mark.parametrize("cut", [1, 8, schema.PAGE_BYTES - 1, schema.PAGE_BYTES, FRAME_BYTES, FRAME_BYTES + 8])
def test_a_transaction_without_its_last_page_is_not_committed(log: bytes, cut: int) -> None:
    expected = {game(): [False], entry(1): [False, True], entry(2): [True]}
    assert read_flags(log[:-cut]) == expected
    assert read_flags(log[:-cut] + bytes(cut)) == expected


def test_a_transaction_whose_end_is_broken_is_not_committed(log: bytes) -> None:
    assert read_flags(flip(log, len(log) - 1)) == {game(): [False], entry(1): [False, True], entry(2): [True]}
    # Later ones count: their checksums continue that in the broken page's header.
    earlier = len(log) - 2 * FRAME_BYTES - 1
    assert read_flags(flip(log, earlier)) == {
        game(): [False],
        entry(1): [False, True, True],
        entry(2): [True, True],
        entry(3): [True],
    }


@pytest.mark.parametrize("length", [0, 1, 23, 24, 31, 32, 33, 55, 56])
def test_a_log_without_a_page_has_no_rows(log: bytes, length: int) -> None:
    beginning = WriteAheadLog(log[:length])
    assert (beginning.frames, list(beginning.read_committed_rows())) == ((), [])
    assert not beginning.has_first_page()


def test_pages_are_listed_also_if_they_are_incomplete(log: bytes) -> None:
    one = WAL_HEADER_BYTES + FRAME_BYTES
    for length, sizes in (
        (57, [1]),
        (one, [4096]),
        (one + 24, [4096]),
        (one + 25, [4096, 1]),
        (-1, [4096] * 6 + [4095]),
    ):
        frames = WriteAheadLog(log[:length]).frames
        assert [len(frame.page) for frame in frames] == sizes
        assert frames[0].page_number == 2, "that of the games"
    assert [frame.commits for frame in WriteAheadLog(log).frames] == [True, *[False, True] * 3]
    assert {frame.salt for frame in WriteAheadLog(log).frames} == {log[16:24]}


@pytest.fixture
def restarted_log(path: Path) -> bytes:
    """A log of one transaction, of two frames, in front of older ones that were written into the file since."""
    make_file(path, ())
    content = write_log(path, [game()], GROWTH, [game(2)], "PRAGMA wal_checkpoint(RESTART)", [entry(2)])
    assert len({frame.salt for frame in WriteAheadLog(content).frames}) == 2
    return content


def test_older_transactions_behind_the_newest_do_not_count(restarted_log: bytes) -> None:
    assert read_flags(restarted_log) == {entry(2): [True]}
    # Without the one whose salt is in the header, none counts.
    assert read_flags(restarted_log[:WAL_HEADER_BYTES] + restarted_log[WAL_HEADER_BYTES + 2 * FRAME_BYTES :]) == {}


@pytest.mark.parametrize("header", [bytes(WAL_HEADER_BYTES), b"\xff" * WAL_HEADER_BYTES], ids=["zeros", "ones"])
def test_with_a_broken_header_all_transactions_count(restarted_log: bytes, header: bytes) -> None:
    """It is unknown which one is the last: rows that the journal lacks are reported."""
    flags = read_flags(header + restarted_log[WAL_HEADER_BYTES:])
    assert flags == {game(): [False], game(2): [False], entry(2): [False]}


@pytest.mark.parametrize("at", [0, 3, 4, 16, 23, 24, 31])
def test_each_byte_of_the_header_is_checked(restarted_log: bytes, at: int) -> None:
    assert game(2) in read_flags(flip(restarted_log, at))


def add_words(data: bytes, sums: tuple[int, int], order: str) -> tuple[int, int]:
    """Compute the checksum of section 4.2 of the format."""
    first, second = sums
    for one, other in struct.iter_unpack(f"{order}2I", data):
        first = (first + one + second) % 2**32
        second = (second + other + first) % 2**32
    return first, second


def to_big_endian(log: bytes) -> bytes:
    """Compute all checksums of a log as a big-endian machine does."""
    head = BIG_ENDIAN_WAL + log[4:24]
    sums = add_words(head, (0, 0), ">")
    content = head + struct.pack(">2I", *sums)
    for at in range(WAL_HEADER_BYTES, len(log), FRAME_BYTES):
        sums = add_words(log[at : at + 8] + log[at + 24 : at + FRAME_BYTES], sums, ">")
        content += log[at : at + 16] + struct.pack(">2I", *sums) + log[at + 24 : at + FRAME_BYTES]
    return content


def test_a_log_of_a_big_endian_machine_is_read(path: Path, log: bytes, tmp_path: Path) -> None:
    converted, copy = to_big_endian(log), tmp_path / "copy"
    copy.write_bytes(path.read_bytes())
    Path(f"{copy}-wal").write_bytes(converted)
    assert read_flags(converted) == read_flags(log)
    assert [frame.commits for frame in WriteAheadLog(converted).frames] == [True, *[False, True] * 3]
    assert [frame.commits for frame in WriteAheadLog(log[:3] + b"\x83" + log[4:]).frames] == [False] * 7
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("SELECT seq FROM entries").fetchall() == [(1,), (2,), (3,)], "SQLite reads it too"


# The file's first page -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("transactions", "expected"),
    [
        (([entry(1)],), False),
        ((GROWTH,), True),
        ((GROWTH, [entry(2)]), True),
        (("PRAGMA user_version = 1",), True),
        (([entry(1)], "PRAGMA user_version = 1"), True),
        ((GROWTH, "PRAGMA wal_checkpoint(RESTART)", [entry(2)]), False),
    ],
)
def test_first_page_in_the_log(path: Path, transactions: Sequence[Sequence[Row] | str], expected: bool) -> None:
    make_file(path, [game()])
    log = write_log(path, *transactions)
    assert WriteAheadLog(log).has_first_page() == expected


def test_first_page_of_an_unfinished_transaction_does_not_count(path: Path) -> None:
    make_file(path, ())
    content = write_log(path, [game()], GROWTH)
    numbers = [frame.page_number for frame in WriteAheadLog(content).frames]
    assert numbers[:2] == [2, 1]
    for frames in range(1, len(numbers)):
        assert not WriteAheadLog(content[: WAL_HEADER_BYTES + frames * FRAME_BYTES]).has_first_page()
