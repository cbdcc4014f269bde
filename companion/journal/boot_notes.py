"""What is known of the machine's wall clock in each of its boots, in a small text file beside the journal.

An entry's wall time is that of a clock which may have been set right only later in the same boot, perhaps when no game
was played any more. The file is only appended to; where it cannot be read or a line is torn, times stay as they were
stored.
"""

import os
import re
from pathlib import Path
from typing import NamedTuple

from companion.file_reader import read_file
from companion.log import log

FILE_SUFFIX = "-boots.txt"
"""Stands after the journal's name, in place of its suffix. Not below the journal's own name: a backup has it."""
MAX_FILE_BYTES = 1 << 22
"""Largest file that is read: some 50,000 boots; a longer one is none of ours."""
_LINE = re.compile(r"(\S{1,64}) (-?\d{1,12}\.\d{3}) (known|unknown)")
"""Three decimals and a whole word: a line that was cut off by a power cut does not match."""


class BootNote(NamedTuple):
    """The wall clock in one boot of the machine, as last known."""

    offset: float
    """Unix seconds minus seconds since the boot."""
    is_date_known: bool


class BootNotes:
    """The notes on all boots of one journal's machine. No method raises.

    >>> from tempfile import mkdtemp
    >>> notes = BootNotes(Path(mkdtemp(), "journal.sqlite3"))
    >>> notes.write("b1", BootNote(1_764_000_000.0, True))
    >>> notes.get("b1"), notes.get("b2")
    (BootNote(offset=1764000000.0, is_date_known=True), None)

    Args:
        journal: path of the journal.
    """

    def __init__(self, journal: Path) -> None:
        self._path = journal.with_name(journal.stem + FILE_SUFFIX)
        self._by_boot: dict[str, BootNote] = {}
        self._has_failed = False
        try:
            text = read_file(self._path, MAX_FILE_BYTES).decode("ascii", errors="replace")
        except OSError as error:
            if not isinstance(error, FileNotFoundError):
                log.warning("Times stay as they were stored: %s", error)
            return
        for line in text.splitlines():
            if match := _LINE.fullmatch(line):
                self._by_boot[match[1]] = BootNote(float(match[2]), match[3] == "known")

    def get(self, boot: str) -> BootNote | None:
        """Return the last note on a boot; None: there is none."""
        return self._by_boot.get(boot)

    def write(self, boot: str, note: BootNote) -> None:
        """Replace the note on a boot; when this returns it is on the disk, or its failure in the log, once.

        Args:
            boot: the kernel's id of the boot, without spaces.
            note: what is known now.
        """
        self._by_boot[boot] = note
        # The line break in front ends a line that was torn.
        line = f"\n{boot} {note.offset:.3f} {'known' if note.is_date_known else 'unknown'}\n"
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        try:
            descriptor = os.open(self._path, flags, 0o600)
            try:
                os.write(descriptor, line.encode("ascii"))
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
        except (OSError, UnicodeEncodeError) as error:
            if not self._has_failed:
                log.warning("The clock of this boot cannot be noted in %s: %s", self._path, error)
            self._has_failed = True
