"""Read a journal's rows directly from its pages, where SQLite itself cannot read the damaged file any more.

The format is that of https://www.sqlite.org/fileformat2.html, sections 1.6 (b-tree pages), 2.1 (records) and 4.1 (the
write-ahead log). Every page is read by itself, whether or not another page refers to it; a row counts if its checksum
is valid. Why not `.recover`: docs/design/page-reader.md.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from companion.journal import schema

TABLE_LEAF_PAGE = b"\x0d"
"""First byte of a page that holds rows."""
CELL_POINTERS_OFFSET = 8
"""Offset on such a page at which the list of its cells begins, 2 bytes each."""
NUMBER_BYTES_BY_CODE = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8, 7: 8}
"""Bytes of a number by its type code in the record; 7 is a floating-point number, the others are integers."""

WAL_HEADER_BYTES = 32
FRAME_HEADER_BYTES = 24
BIG_ENDIAN_WAL = b"\x37\x7f\x06\x83"
"""First bytes of a log whose checksums are computed from big-endian words."""
LITTLE_ENDIAN_WAL = b"\x37\x7f\x06\x82"
"""First bytes of a log whose checksums are computed from little-endian words."""

# Columns of type REAL (`wall`, `monotonic`), in which SQLite stores whole numbers as integers.
GAME_REAL_COLUMNS = (4, 5)
ENTRY_REAL_COLUMNS = (3, 4)


@dataclass(frozen=True, slots=True)
class WalFrame:
    """One page in the write-ahead log."""

    page_number: int
    """Number of the page in the database file, from 1."""
    page: bytes
    """Content of the page, PAGE_BYTES long; shorter at the end of a file that was cut off."""
    commits: bool
    """Whether it ends a transaction, is complete and has a valid checksum."""
    salt: bytes
    """8 bytes that differ between the frames of this log and older frames that it overwrites."""


class WriteAheadLog:
    """The frames of a write-ahead log, valid or not, in their order in the file: attribute `frames`. Never raises.

    Args:
        content: all bytes of the log's file (suffix "-wal"); may be empty or garbage.
    """

    def __init__(self, content: bytes) -> None:
        # If the header is unreadable: little-endian, as all our machines write it.
        self._byte_order = ">" if content[:4] == BIG_ENDIAN_WAL else "<"
        self._salt = content[16:24]
        self.frames = tuple(self._read_frames(content))
        self._current_frames = self.frames
        if self.frames and self._has_valid_header(content):
            # Frames after the last one with the header's salt are older: they are in the database file already.
            current = [index for index, frame in enumerate(self.frames) if frame.salt == self._salt]
            self._current_frames = self.frames[: current[-1] + 1 if current else 0]

    def read_committed_rows(self) -> Iterator[tuple[schema.Row, bool]]:
        """Yield the rows with valid checksums of committed transactions, each with whether its transaction is the last.

        Rows are as in `schema`, in the order of the log; one that stands on several pages comes several times.

        If the journal lacks one of these rows the log is torn: SQLite stops at the first broken frame and takes all
        after it for never written. If only the last transaction is missing, the power was cut while it was written, and
        nobody was told that it is stored.
        """
        committed = {frame.salt: index + 1 for index, frame in enumerate(self._current_frames) if frame.commits}
        own_commits = [i for i, frame in enumerate(self._current_frames) if frame.commits and frame.salt == self._salt]
        ends = [0, 0, *(index + 1 for index in own_commits)]
        last = range(ends[-2], ends[-1])
        for index, frame in enumerate(self._current_frames):
            if index < committed.get(frame.salt, 0):
                for row in _read_valid_rows(frame.page):
                    yield row, index in last

    def has_first_page(self) -> bool:
        """Return whether the log holds a newer version of the file's first page, so that the one in the file is unused.

        After a power cut during a checkpoint the one in the file may be torn; SQLite reads and rewrites the log's.
        """
        committed = max((index + 1 for index, frame in enumerate(self.frames) if frame.commits), default=0)
        return any(frame.page_number == 1 and frame.salt == self._salt for frame in self.frames[:committed])

    def _read_frames(self, content: bytes) -> Iterator[WalFrame]:
        checksum = content[WAL_HEADER_BYTES - 8 : WAL_HEADER_BYTES]
        for start in range(WAL_HEADER_BYTES, len(content) - FRAME_HEADER_BYTES, FRAME_HEADER_BYTES + schema.PAGE_BYTES):
            page_start = start + FRAME_HEADER_BYTES
            header, page = content[start:page_start], content[page_start : page_start + schema.PAGE_BYTES]
            page_number, pages_after_commit, salt, stored = struct.unpack(">2I8s8s", header)
            # Each frame's checksum continues the one before it: a broken frame does not make later ones invalid.
            commits = bool(
                pages_after_commit
                and len(page) == schema.PAGE_BYTES
                and _wal_checksum(header[:8] + page, checksum, self._byte_order) == stored
            )
            yield WalFrame(page_number, page, commits, salt)
            checksum = stored

    def _has_valid_header(self, content: bytes) -> bool:
        # Without the first condition a header of zeros would be valid: its checksum is zero.
        signed, checksum = content[: WAL_HEADER_BYTES - 8], content[WAL_HEADER_BYTES - 8 : WAL_HEADER_BYTES]
        is_log = content[:4] in (BIG_ENDIAN_WAL, LITTLE_ENDIAN_WAL)
        return is_log and _wal_checksum(signed, bytes(8), self._byte_order) == checksum


def read_all_rows(main_file: bytes, log: WriteAheadLog) -> Iterator[schema.Row]:
    """Yield all rows with valid checksums in a database file and its log. Never raises, also for damaged files.

    Of several versions of a row the last one counts, the log after the file.

    Args:
        main_file: content of the database file; may be empty or garbage.
        log: its write-ahead log.
    """
    pages = [main_file[at : at + schema.PAGE_BYTES] for at in range(0, len(main_file), schema.PAGE_BYTES)]
    for page in (*pages, *(frame.page for frame in log.frames)):
        yield from _read_valid_rows(page)


def _wal_checksum(data: bytes, checksum: bytes, byte_order: str) -> bytes:
    """Return the checksum of `data` as a continuation of `checksum` (section 4.2 of the format)."""
    first, second = struct.unpack(">2I", checksum)
    for one, other in struct.iter_unpack(f"{byte_order}2I", data):
        first = first + one + second & 0xFFFFFFFF
        second = second + other + first & 0xFFFFFFFF
    return struct.pack(">2I", first, second)


def _read_valid_rows(page: bytes) -> Iterator[schema.Row]:
    """Yield the rows on the page whose checksums are valid; none if it is no page of rows."""
    if not page.startswith(TABLE_LEAF_PAGE):
        return
    (count,) = struct.unpack_from(">3xH", page.ljust(schema.PAGE_BYTES))
    for number in range(min(count, schema.PAGE_BYTES // 4)):
        try:
            (cell,) = struct.unpack_from(">H", page, CELL_POINTERS_OFFSET + 2 * number)
            row = _read_row(page, cell)
        except (IndexError, KeyError, struct.error, UnicodeDecodeError):
            continue  # a broken row; the next one may be valid
        if schema.has_valid_checksum(row):
            yield row


def _read_row(page: bytes, at: int) -> schema.Row:
    """Return the row whose cell begins at offset `at`.

    Raises:
        IndexError, KeyError, struct.error, UnicodeDecodeError: there is no row.
    """
    _, at = _read_varint(page, at)  # size of the record
    rowid, at = _read_varint(page, at)
    header_bytes, code_at = _read_varint(page, at)
    value_at, values = at + header_bytes, []
    while code_at < at + header_bytes:
        code, code_at = _read_varint(page, code_at)
        value, value_at = _read_value(page, code, value_at)
        values.append(value)
    if is_game := schema.is_game_row(values):
        values[0] = rowid  # the INTEGER PRIMARY KEY, which the record leaves out
    for column in GAME_REAL_COLUMNS if is_game else ENTRY_REAL_COLUMNS:
        if isinstance(whole := values[column], int):
            values[column] = float(whole)
    return tuple(values)


def _read_value(page: bytes, code: int, at: int) -> tuple[object, int]:
    """Return the value with this type code at offset `at`, and the offset at which it ends.

    Raises:
        IndexError: the value goes beyond the page; a broken size can be larger than any offset that Python accepts.
        KeyError, UnicodeDecodeError: there is no value that a journal can have.
    """
    if code in (8, 9):
        return code - 8, at
    if code == 0:
        return None, at
    is_text = code >= 13 and code % 2
    end = at + ((code - 13) // 2 if is_text else NUMBER_BYTES_BY_CODE[code])
    if end > len(page):
        raise IndexError("the value goes beyond the page")
    if is_text:
        return page[at:end].decode(), end
    if code == 7:
        return struct.unpack_from(">d", page, at)[0], end
    return int.from_bytes(page[at:end], "big", signed=True), end


def _read_varint(page: bytes, at: int) -> tuple[int, int]:
    """Return the integer at offset `at`, of 7 bits a byte (8 in the ninth), high part first, and where it ends."""
    number = 0
    for length in range(1, 9):
        byte = page[at + length - 1]
        number = number << 7 | byte & 0x7F
        if byte < 0x80:
            return number, at + length
    return number << 8 | page[at + 8], at + 9
