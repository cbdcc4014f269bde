"""What is known of the machine's wall clock in each of its boots, in a small text file beside the journal.

An entry's wall time is that of a clock which may have been set right only later in the same boot, perhaps when no game
was played any more. Each note is in the file twice, in its two halves: a sector that the disk loses costs no note. If
the file cannot be read, times stay as they were stored.
"""

import re
from pathlib import Path
from typing import NamedTuple

from companion.file_reader import read_file
from companion.journal.checked_lines import format_checked_line, parse_checked_line
from companion.log import log
from companion.system.atomic_file import write_atomic

FILE_SUFFIX = "-boots.txt"
"""Stands after the journal's name, in place of its suffix. Not below the journal's own name: a backup has it."""
MAX_FILE_BYTES = 1 << 22
"""Largest file that is read; a longer one is none of ours."""
MAX_BOOTS = 20_000
"""Boots that are kept, the latest ones: those of fifty years."""
SECTOR_BYTES = 4096
"""The two halves of the file share no sector of this length."""
_NOTE = re.compile(r"([!-~]{1,64}) (-?\d{1,12}\.\d{3}) (known|unknown)")


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
            self._by_boot = _read_notes(self._path)
        except OSError as error:
            log.warning("Times stay as they were stored: %s", error)
            self._is_unread = True
        else:
            self._is_unread = False

    def get(self, boot: str) -> BootNote | None:
        """Return the last note on a boot; None: there is none."""
        return self._by_boot.get(boot)

    def write(self, boot: str, note: BootNote) -> None:
        """Replace the note on a boot; when this returns it is on the disk, or its failure in the log, once.

        A file that could not be read is read first, so that nothing in it is lost.

        Args:
            boot: the kernel's id of the boot, without spaces.
            note: what is known now.
        """
        self._by_boot.pop(boot, None)  # the latest last
        self._by_boot[boot] = note
        try:
            if self._is_unread:
                self._by_boot = _read_notes(self._path) | self._by_boot
                self._is_unread = False
            texts = filter(_NOTE.fullmatch, map(_format_note, self._by_boot.items()))
            lines = b"".join(format_checked_line(text.encode("ascii")) for text in [*texts][-MAX_BOOTS:])
            padding = b"\n" * (-len(lines) % SECTOR_BYTES)
            write_atomic(self._path, lines + padding + lines)
        except OSError as error:
            if not self._has_failed:
                log.warning("The clock of this boot cannot be noted in %s: %s", self._path, error)
            self._has_failed = True


def _read_notes(path: Path) -> dict[str, BootNote]:
    """Return the notes in a file; none if there is no file.

    Raises:
        OSError: it cannot be read.
    """
    try:
        data = read_file(path, MAX_FILE_BYTES)
    except FileNotFoundError:
        return {}
    lines = (parse_checked_line(line).decode("ascii", "replace") for line in data.split(b"\n"))
    found = filter(None, map(_NOTE.fullmatch, lines))
    return {match[1]: BootNote(float(match[2]), match[3] == "known") for match in found}


def _format_note(item: tuple[str, BootNote]) -> str:
    boot, note = item
    return f"{boot} {note.offset:.3f} {'known' if note.is_date_known else 'unknown'}"
