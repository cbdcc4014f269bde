"""Rows of a journal read from its pages directly, where SQLite itself cannot find its way through the file any more.

The layout is that of https://www.sqlite.org/fileformat2.html, sections 1.6, 2.1 and 4.1. Every page is read for what
it says itself, whether or not any other page leads to it; that a row is real, and whole, its check sum tells.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from companion.journal import schema

TABLE_LEAF, ADDRESSES = 0x0D, 8
"""The type of the pages that hold rows, and where on them the addresses of the rows begin."""

INTEGER_BYTES = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}
"""By a value's type in its record."""

WAL_HEAD, FRAME_HEAD = 32, 24

# Columns that hold REAL (`wall`, `monotonic`); SQLite stores whole ones as integers.
SITTING_REALS, ENTRY_REALS = (4, 5), (3, 4)

Key = tuple[object, ...]


def rescued(main: bytes, log: bytes) -> tuple[list[schema.Row], list[schema.Row]]:
    """Sittings, and the entries of each from the first to the last before a gap, found in a file and its log.

    `main` is the content of the database file, `log` that of its write-ahead log; either may be empty or garbage.
    """
    sittings: dict[Key, schema.Row] = {}
    entries: dict[Key, schema.Row] = {}
    frame = FRAME_HEAD + schema.PAGE
    pages = [main[at : at + schema.PAGE] for at in range(0, len(main), schema.PAGE)]
    pages += [log[at + FRAME_HEAD : at + frame] for at in range(WAL_HEAD, len(log), frame)]
    for page in pages:
        for row in _rows(page):
            if schema.is_sound(row):
                if len(row) == schema.SITTING_COLUMNS:
                    sittings[row[:1]] = row
                else:
                    entries[row[:2]] = row
    kept = []
    for (sitting,) in sittings:
        seq = 1
        while (sitting, seq) in entries:
            kept.append(entries[sitting, seq])
            seq += 1
    return list(sittings.values()), kept


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
    if is_sitting := len(values) == schema.SITTING_COLUMNS:
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
