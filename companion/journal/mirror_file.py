"""The second copy of the journal's rows: an append-only text file beside it, one row a line.

What is read from which copy: `recovery.py`.

A sector that the disk loses costs the lines that it touches: each line has its own checksum, and the next line break
starts the next row. Why there is a second copy: docs/design/journal-is-the-state.md.
"""

import errno
import json
import os
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from companion.journal import schema
from companion.journal.checked_lines import format_checked_line, parse_checked_line
from companion.log import log
from companion.os_compat import WRITE_FLAGS, sync_data
from companion.system.atomic_file import sync_folder

MIRROR_SUFFIX = ".mirror"
"""Stands after the journal's name."""
SYNC_SECONDS = 10.0
"""Least time between two syncs of the mirror. Shorter: more presses take twice as long (docs/measurements.md). Longer:
after a power cut more entries have only one copy, until the next start writes the second one again."""
TAIL_BYTES = 16384
"""Length of the file's end that `read_last_rows` reads: some 80 entries, more than are written in SYNC_SECONDS."""
MAX_UNWRITTEN_BYTES = 2_000_000
"""Rows that could not be written are kept in memory up to this length; after that the next check writes them."""
MAX_LINE_BYTES = 1_000_000
"""Longest line that is parsed; a longer one, such as a file of zeros, is read in pieces that are no rows."""


class MirrorFile:
    """The mirror of one journal. Methods that write never raise: the game goes on, and the rows are written later.

    >>> mirror = MirrorFile(Path("/var/lib/companion/journal.sqlite3"), lambda: 0.0)
    >>> mirror.path.name
    'journal.sqlite3.mirror'

    Args:
        journal: path of the journal; the mirror has its name and MIRROR_SUFFIX. It is created when it is first written.
        monotonic: the host's monotonic clock, in seconds.
    """

    def __init__(self, journal: Path, monotonic: Callable[[], float]) -> None:
        self.path = journal.with_name(journal.name + MIRROR_SUFFIX)
        self._monotonic = monotonic
        self._next_sync_at = monotonic()
        self._descriptor: int | None = None
        self._end = 0
        self._unwritten = b""
        self._has_failed = self._is_unsynced = False

    def read_rows(self) -> Iterator[schema.Row]:
        """Yield the rows whose lines are valid, in the order of the file; a later one replaces an earlier one.

        Nothing is yielded if there is no file, or a folder, pipe or device in its place.

        Raises:
            OSError: the file cannot be read.
        """
        return _parse_rows(self._read_lines(0))

    def read_checksums(self) -> Iterator[tuple[int, int | str, int]]:
        """Yield a game's number, the number of an entry or (of a game's own row) its unique id, and the row's checksum.

        This takes a third of the time of `read_rows`.

        Raises:
            OSError: the file cannot be read.
        """
        for line in self._read_lines(0):
            with suppress(ValueError):  # a line of a newer version is no row
                game_id, second, _ = line[1:].split(b",", 2)
                crc = int(line[line.rindex(b",") + 1 : -1])
                if second.startswith(b'"'):
                    yield int(game_id), second.decode().strip('"'), crc
                elif 0 < (seq := int(second)) <= schema.MAX_ENTRIES and crc >= 0:
                    yield int(game_id), seq, crc

    def read_last_rows(self) -> list[schema.Row]:
        """Return the rows whose lines are valid in the last TAIL_BYTES.

        Raises:
            OSError: the file cannot be read.
        """
        with suppress(FileNotFoundError):
            return list(_parse_rows(self._read_lines(self.path.stat().st_size - TAIL_BYTES)))
        return []

    def _read_lines(self, start: int) -> Iterator[bytes]:
        """Yield the JSON of the lines with a valid checksum from this offset on."""
        if not self.path.is_file():  # neither waits at a pipe nor reads a device
            return
        with self.path.open("rb") as file:
            file.seek(max(0, start))
            while line := file.readline(MAX_LINE_BYTES):
                if text := parse_checked_line(line):
                    yield text

    def append(self, rows: Iterable[schema.Row], *, sync: bool = False) -> None:
        """Write rows that are in the journal, each with its checksum, to the end of the file.

        It is synced to the disk at most every SYNC_SECONDS. If it cannot be written, that is logged once, and the next
        call writes these rows too.

        Args:
            sync: sync it now.
        """
        self._unwritten += b"".join(_format_line(row) for row in rows)
        try:
            self._write()
            if sync or self._monotonic() >= self._next_sync_at:
                self._sync()
        except OSError as error:
            if not self._has_failed:
                log.warning("The second copy of the games cannot be written to %s: %s", self.path, error)
            self._has_failed = True
            if len(self._unwritten) > MAX_UNWRITTEN_BYTES:
                self._unwritten = b"\n"  # the last line may be torn
        else:
            self._has_failed = False

    def close(self) -> None:
        """Sync and close the file; it may be used again afterwards."""
        if self._descriptor is not None:
            with suppress(OSError):
                self._sync()
            os.close(self._descriptor)
            self._descriptor = None

    def _write(self) -> None:
        if self._descriptor is None:
            self._open()
        assert self._descriptor is not None
        while self._unwritten:
            os.lseek(self._descriptor, self._end, os.SEEK_SET)  # Windows has no os.pwrite
            count = os.write(self._descriptor, self._unwritten)
            self._is_unsynced = True
            self._end += count
            self._unwritten = self._unwritten[count:]

    def _open(self) -> None:
        is_new = not self.path.exists()
        descriptor = os.open(self.path, WRITE_FLAGS, 0o600)
        try:
            found = os.fstat(descriptor)
            if not stat.S_ISREG(found.st_mode):
                raise OSError(errno.EINVAL, "it is not a plain file")
            if is_new:
                sync_folder(self.path.parent)
        except OSError:
            os.close(descriptor)
            raise
        self._descriptor, self._end = descriptor, found.st_size
        if self._end:
            self._unwritten = b"\n" + self._unwritten  # the last line may be torn

    def _sync(self) -> None:
        if self._descriptor is not None and self._is_unsynced:
            sync_data(self._descriptor)
            self._is_unsynced = False
            self._next_sync_at = self._monotonic() + SYNC_SECONDS


def _format_line(row: schema.Row) -> bytes:
    return format_checked_line(json.dumps(row, separators=(",", ":")).encode())


def _parse_rows(lines: Iterable[bytes]) -> Iterator[schema.Row]:
    """Yield the rows among lines with a valid checksum; a newer version may write others."""
    for line in lines:
        with suppress(ValueError, RecursionError):
            if schema.is_row(row := json.loads(line)):
                yield tuple(row)
