"""The number of entries that the journal is known to have held, in a small file beside it.

Without it a write-ahead log that was deleted or emptied (by a repair of the file system, say) cannot be told from one
that never had more.
"""

import os
import zlib
from collections.abc import Callable
from pathlib import Path

from companion.file_reader import read_file
from companion.log import log

MARK_SUFFIX = ".count"
"""Stands after the journal's name."""
SYNC_SECONDS = 10.0
"""Least time between two syncs of the mark. Shorter: more presses take twice as long (docs/measurements.md). Longer: a
power cut that takes the log too takes more entries unnoticed; the kernel itself syncs after about 30 s."""
MAX_MARK_BYTES = 4096
"""Largest file that is read; a longer one is none of ours."""


class HighWaterMark:
    """Number of entries that one journal has held, stored in a file beside it. No method raises.

    Args:
        journal: path of the journal; the file has its name and MARK_SUFFIX.
        monotonic: the host's monotonic clock, in seconds.
    """

    def __init__(self, journal: Path, monotonic: Callable[[], float]) -> None:
        self._path = journal.with_name(journal.name + MARK_SUFFIX)
        self._monotonic = monotonic
        self._next_sync_at = monotonic()
        self._has_failed = False

    def read(self) -> int:
        """Return the stored number of entries; 0: there is no file, or it cannot be read or is not valid."""
        try:
            record = read_file(self._path, MAX_MARK_BYTES)
            count = int(record.split()[0])
        except (OSError, ValueError, IndexError):
            return 0
        return count if record.startswith(_make_record(count)) else 0

    def write(self, count: int) -> None:
        """Overwrite the stored number of entries, to be called when they are on the disk.

        The file is synced to the disk at most every SYNC_SECONDS. If it cannot be written, that is logged once.

        Args:
            count: number of entries in the journal, of all games, 0 to 9 999 999 999.
        """
        try:
            descriptor = os.open(
                self._path, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, 0o600
            )
            try:
                os.pwrite(descriptor, _make_record(count), 0)
                if self._monotonic() >= self._next_sync_at:
                    os.fdatasync(descriptor)
                    self._next_sync_at = self._monotonic() + SYNC_SECONDS
            finally:
                os.close(descriptor)
        except OSError as error:
            if not self._has_failed:
                log.warning("The number of entries cannot be noted in %s: %s", self._path, error)
            self._has_failed = True


def _make_record(count: int) -> bytes:
    """Return the file's content: a line with the number and its CRC-32, always of the same length."""
    number = b"%010d" % count
    return b"%s %08x\n" % (number, zlib.crc32(number))
