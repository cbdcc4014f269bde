"""Rows of a journal read from its pages directly, where SQLite itself cannot find its way through the file any more.

The layout is that of https://www.sqlite.org/fileformat2.html, sections 1.6, 2.1 and 4.1. Every page is read for what
it says itself, whether or not any other page leads to it; that a row is real, and whole, its check sum tells.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from companion.journal import schema

TABLE_LEAF, ADDRESSES = 0x0D, 8
"""The type of the pages that hold rows, and where on them the addresses of the rows begin."""

INTEGER_BYTES = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}
"""By a value's type in its record."""

WAL_HEAD, FRAME_HEAD = 32, 24
BIG_ENDIAN_LOG, LITTLE_ENDIAN_LOG = b"\x37\x7f\x06\x83", b"\x37\x7f\x06\x82"
"""What a log begins with, by the order in which its check sums take the bytes."""

# Columns that hold REAL (`wall`, `monotonic`); SQLite stores whole ones as integers.
SITTING_REALS, ENTRY_REALS = (4, 5), (3, 4)


@dataclass(frozen=True, slots=True)
class Frame:
    """A page as it stands in the write-ahead log."""

    number: int
    """Of its page in the database file, from 1."""
    page: bytes
    commits: bool
    """Ends a transaction, and was written to its own end."""
    salts: bytes
    """Tells one filling of the log from the one that it overwrites."""


def rescued(main: bytes, log: bytes) -> tuple[list[schema.Row], list[schema.Row]]:
    """Sittings, and the entries of each from the first to the last before a gap, found in a file and its log.

    `main` is the content of the database file, `log` that of its write-ahead log; either may be empty or garbage.
    """
    sittings: dict[object, schema.Row] = {}
    entries: dict[tuple[object, ...], schema.Row] = {}
    pages = [main[at : at + schema.PAGE] for at in range(0, len(main), schema.PAGE)]
    for page in (*pages, *(frame.page for frame in _frames(log))):
        for row in _sound_rows(page):
            if schema.is_sitting(row):
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


def committed(log: bytes) -> Iterator[tuple[schema.Row, bool]]:
    """Rows in the log whose transactions were ended, and whether that was the last of these.

    A journal that lacks one was torn: SQLite stops reading at the first broken frame, and takes what stands behind it
    for never written. If it was the last, the power went while it was being written, and nobody was told that it is
    safe.
    """
    frames = _frames(log)
    if _head_is_sound(log):
        # What stands behind the frames of this filling is of earlier ones: it is in the file, or written upon just now.
        frames = frames[: max((n + 1 for n, frame in enumerate(frames) if frame.salts == _salts(log)), default=0)]
    ended = {frame.salts: number for number, frame in enumerate(frames) if frame.commits}
    ends = [number for number, frame in enumerate(frames) if frame.commits and frame.salts == _salts(log)]
    last = range(ends[-2] + 1 if len(ends) > 1 else 0, ends[-1] + 1) if ends else range(0)
    for number, frame in enumerate(frames):
        if number <= ended.get(frame.salts, -1):
            for row in _sound_rows(frame.page):
                yield row, number in last


def has_head(log: bytes) -> bool:
    """Whether the log holds the file's first page as it is to be: what stands at its place in the file counts no more.

    After a cut amid a checkpoint that place may be torn; SQLite reads, and writes again, the log's.
    """
    frames = _frames(log)
    ended = max((number for number, frame in enumerate(frames) if frame.commits), default=-1)
    return any(frame.number == 1 and frame.salts == _salts(log) for frame in frames[: ended + 1])


def _salts(log: bytes) -> bytes:
    return log[16:24]


def _head_is_sound(log: bytes) -> bool:
    if log[:4] not in (BIG_ENDIAN_LOG, LITTLE_ENDIAN_LOG):
        return False  # zeros have the sum of zeros
    order = ">" if log[:4] == BIG_ENDIAN_LOG else "<"
    return len(log) >= WAL_HEAD and _wal_sum(log[: WAL_HEAD - 8], bytes(8), order) == log[WAL_HEAD - 8 : WAL_HEAD]


def _frames(log: bytes) -> list[Frame]:
    order = ">" if log[:4] == BIG_ENDIAN_LOG else "<"
    frames, before = [], log[WAL_HEAD - 8 : WAL_HEAD]
    for at in range(WAL_HEAD, len(log) - FRAME_HEAD, FRAME_HEAD + schema.PAGE):
        head, page = log[at : at + FRAME_HEAD], log[at + FRAME_HEAD : at + FRAME_HEAD + schema.PAGE]
        # Each frame's check sum goes on from that of the frame before: a broken frame does not discredit the later.
        commits = any(head[4:8]) and len(page) == schema.PAGE and _wal_sum(head[:8] + page, before, order) == head[16:]
        frames.append(Frame(int.from_bytes(head[:4], "big"), page, commits, salts=head[8:16]))
        before = head[16:]
    return frames


def _wal_sum(data: bytes, before: bytes, order: str) -> bytes:
    first, second = struct.unpack(">2I", before)
    for one, other in struct.iter_unpack(f"{order}2I", data):
        first = first + one + second & 0xFFFFFFFF
        second = second + other + first & 0xFFFFFFFF
    return struct.pack(">2I", first, second)


def _sound_rows(page: bytes) -> Iterator[schema.Row]:
    return filter(schema.is_sound, _rows(page))


def _rows(page: bytes) -> Iterator[schema.Row]:
    """What look like rows on the page."""
    if len(page) < ADDRESSES or page[0] != TABLE_LEAF:
        return
    (count,) = struct.unpack_from(">H", page, 3)
    for number in range(min(count, schema.PAGE // 4)):
        try:
            (cell,) = struct.unpack_from(">H", page, ADDRESSES + 2 * number)
            yield _row(page, cell)
        except (IndexError, KeyError, struct.error, UnicodeDecodeError):
            continue  # a broken row; the next one may be whole


def _row(page: bytes, at: int) -> schema.Row:
    """The row whose cell begins at `at`.

    Raises:
        IndexError, KeyError, struct.error, UnicodeDecodeError: there is none.
    """
    _, at = _varint(page, at)  # size of the record
    rowid, at = _varint(page, at)
    size, types_at = _varint(page, at)
    value_at, values = at + size, []
    while types_at < at + size:
        code, types_at = _varint(page, types_at)
        value, value_at = _value(page, code, value_at)
        values.append(value)
    if is_sitting := schema.is_sitting(values):
        values[0] = rowid  # stands for the INTEGER PRIMARY KEY, which the record leaves out
    for column in SITTING_REALS if is_sitting else ENTRY_REALS:
        if isinstance(whole := values[column], int):
            values[column] = float(whole)
    return tuple(values)


def _value(page: bytes, code: int, at: int) -> tuple[object, int]:
    if code in (8, 9):
        return code - 8, at
    if code == 0:
        return None, at
    if code == 7:
        return struct.unpack_from(">d", page, at)[0], at + 8
    if code >= 13 and code % 2:
        end = at + (code - 13) // 2
        return page[at:end].decode(), end
    end = at + INTEGER_BYTES[code]
    return int.from_bytes(page[at:end], "big", signed=True), end


def _varint(page: bytes, at: int) -> tuple[int, int]:
    """A number of 7 bits a byte (8 in the ninth), high part first, and where it ends."""
    number = 0
    for length in range(1, 9):
        byte = page[at + length - 1]
        number = number << 7 | byte & 0x7F
        if byte < 0x80:
            return number, at + length
    return number << 8 | page[at + 8], at + 9
