"""Rows of a journal read from its pages directly, where SQLite itself cannot find its way through the file any more.

The layout is that of https://www.sqlite.org/fileformat2.html, sections 1.6, 2.1 and 4.1. Every page is read for what
it says itself, whether or not any other page leads to it; that a row is real, and whole, its check sum tells.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from companion.journal import schema

TABLE_LEAF_PAGE, CELL_POINTERS_OFFSET = 0x0D, 8
"""The type of the pages that hold rows, and where on them the addresses of the rows begin."""

INTEGER_BYTES_BY_CODE = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}
"""By a value's type in its record."""

WAL_HEADER_BYTES, FRAME_HEADER_BYTES = 32, 24
BIG_ENDIAN_WAL, LITTLE_ENDIAN_WAL = b"\x37\x7f\x06\x83", b"\x37\x7f\x06\x82"
"""What a log begins with, by the order in which its check sums take the bytes."""

# Columns that hold REAL (`wall`, `monotonic`); SQLite stores whole ones as integers.
GAME_REAL_COLUMNS, ENTRY_REAL_COLUMNS = (4, 5), (3, 4)


@dataclass(frozen=True, slots=True)
class WalFrame:
    """A page as it stands in the write-ahead log."""

    page_number: int
    """Of its page in the database file, from 1."""
    page: bytes
    commits: bool
    """Ends a transaction, and was written to its own end."""
    salt: bytes
    """Tells one filling of the log from the one that it overwrites."""


class WriteAheadLog:
    """A write-ahead log, or what is left of one: its frames, sound or not, as they stand in it.

    Args:
        content: may be empty or garbage.
    """

    def __init__(self, content: bytes) -> None:
        # Where the head does not say: little-endian, as every machine of ours writes it.
        self._byte_order = ">" if content[:4] == BIG_ENDIAN_WAL else "<"
        self._salt = content[16:24]
        self.frames = tuple(self._read_frames(content))
        self._current_frames = self.frames
        if self._has_valid_header(content):
            # Behind the frames of this filling stand earlier ones: those are in the file, or written upon just now.
            ours = [number for number, frame in enumerate(self.frames) if frame.salt == self._salt]
            self._current_frames = self.frames[: ours[-1] + 1 if ours else 0]

    def read_committed_rows(self) -> Iterator[tuple[schema.Row, bool]]:
        """Rows whose transactions were ended, and whether that was the last of these.

        A journal that lacks one was torn: SQLite stops reading at the first broken frame, and takes what stands behind
        it for never written. If it was the last, the power went while it was being written, and nobody was told that
        it is safe.
        """
        ended = {frame.salt: number for number, frame in enumerate(self._current_frames) if frame.commits}
        ends = [n for n, frame in enumerate(self._current_frames) if frame.commits and frame.salt == self._salt]
        last = range(ends[-2] + 1 if len(ends) > 1 else 0, ends[-1] + 1) if ends else range(0)
        for number, frame in enumerate(self._current_frames):
            if number <= ended.get(frame.salt, -1):
                for row in _read_valid_rows(frame.page):
                    yield row, number in last

    def has_first_page(self) -> bool:
        """Whether it holds the file's first page as it is to be: what stands at its place in the file counts no more.

        After a cut amid a checkpoint that place may be torn; SQLite reads, and writes again, the log's.
        """
        ended = max((number for number, frame in enumerate(self.frames) if frame.commits), default=-1)
        return any(frame.page_number == 1 and frame.salt == self._salt for frame in self.frames[: ended + 1])

    def _read_frames(self, content: bytes) -> Iterator[WalFrame]:
        before = content[WAL_HEADER_BYTES - 8 : WAL_HEADER_BYTES]
        for at in range(WAL_HEADER_BYTES, len(content) - FRAME_HEADER_BYTES, FRAME_HEADER_BYTES + schema.PAGE_BYTES):
            head, page = (
                content[at : at + FRAME_HEADER_BYTES],
                content[at + FRAME_HEADER_BYTES : at + FRAME_HEADER_BYTES + schema.PAGE_BYTES],
            )
            # Each frame's check sum goes on from that of the frame before: a broken one does not discredit the later.
            whole = any(head[4:8]) and len(page) == schema.PAGE_BYTES
            commits = whole and _wal_checksum(head[:8] + page, before, self._byte_order) == head[16:]
            yield WalFrame(int.from_bytes(head[:4], "big"), page, commits, salt=head[8:16])
            before = head[16:]

    def _has_valid_header(self, content: bytes) -> bool:
        if len(content) < WAL_HEADER_BYTES or content[:4] not in (BIG_ENDIAN_WAL, LITTLE_ENDIAN_WAL):
            return False  # zeros have the sum of zeros
        return (
            _wal_checksum(content[: WAL_HEADER_BYTES - 8], bytes(8), self._byte_order)
            == content[WAL_HEADER_BYTES - 8 : WAL_HEADER_BYTES]
        )


def recover_rows(main_file: bytes, log: WriteAheadLog) -> tuple[list[schema.Row], list[schema.Row]]:
    """Sittings, and the entries of each from the first to the last before a gap, found in a file and its log.

    `main` is the content of the database file; it may be empty or garbage.
    """
    sittings: dict[object, schema.Row] = {}
    entries: dict[tuple[object, ...], schema.Row] = {}
    pages = [main_file[at : at + schema.PAGE_BYTES] for at in range(0, len(main_file), schema.PAGE_BYTES)]
    for page in (*pages, *(frame.page for frame in log.frames)):
        for row in _read_valid_rows(page):
            if schema.is_game_row(row):
                sittings[row[0]] = row
            else:
                entries[row[:2]] = row
    kept = []
    for sitting in sittings:
        seq = 1
        while (sitting, seq) in entries:
            kept.append(entries[sitting, seq])
            seq += 1
    return list(sittings.values()), kept


def _wal_checksum(data: bytes, before: bytes, order: str) -> bytes:
    first, second = struct.unpack(">2I", before)
    for one, other in struct.iter_unpack(f"{order}2I", data):
        first = first + one + second & 0xFFFFFFFF
        second = second + other + first & 0xFFFFFFFF
    return struct.pack(">2I", first, second)


def _read_valid_rows(page: bytes) -> Iterator[schema.Row]:
    return filter(schema.has_valid_checksum, _read_rows(page))


def _read_rows(page: bytes) -> Iterator[schema.Row]:
    """What look like rows on the page."""
    if len(page) < CELL_POINTERS_OFFSET or page[0] != TABLE_LEAF_PAGE:
        return
    (count,) = struct.unpack_from(">H", page, 3)
    for number in range(min(count, schema.PAGE_BYTES // 4)):
        try:
            (cell,) = struct.unpack_from(">H", page, CELL_POINTERS_OFFSET + 2 * number)
            yield _read_row(page, cell)
        except (IndexError, KeyError, struct.error, UnicodeDecodeError):
            continue  # a broken row; the next one may be whole


def _read_row(page: bytes, at: int) -> schema.Row:
    """The row whose cell begins at `at`.

    Raises:
        IndexError, KeyError, struct.error, UnicodeDecodeError: there is none.
    """
    _, at = _read_varint(page, at)  # size of the record
    rowid, at = _read_varint(page, at)
    size, types_at = _read_varint(page, at)
    value_at, values = at + size, []
    while types_at < at + size:
        code, types_at = _read_varint(page, types_at)
        value, value_at = _read_value(page, code, value_at)
        values.append(value)
    if is_sitting := schema.is_game_row(values):
        values[0] = rowid  # stands for the INTEGER PRIMARY KEY, which the record leaves out
    for column in GAME_REAL_COLUMNS if is_sitting else ENTRY_REAL_COLUMNS:
        if isinstance(whole := values[column], int):
            values[column] = float(whole)
    return tuple(values)


def _read_value(page: bytes, code: int, at: int) -> tuple[object, int]:
    if code in (8, 9):
        return code - 8, at
    if code == 0:
        return None, at
    if code == 7:
        return struct.unpack_from(">d", page, at)[0], at + 8
    if code >= 13 and code % 2:
        end = at + (code - 13) // 2
        return page[at:end].decode(), end
    end = at + INTEGER_BYTES_BY_CODE[code]
    return int.from_bytes(page[at:end], "big", signed=True), end


def _read_varint(page: bytes, at: int) -> tuple[int, int]:
    """A number of 7 bits a byte (8 in the ninth), high part first, and where it ends."""
    number = 0
    for length in range(1, 9):
        byte = page[at + length - 1]
        number = number << 7 | byte & 0x7F
        if byte < 0x80:
            return number, at + length
    return number << 8 | page[at + 8], at + 9
