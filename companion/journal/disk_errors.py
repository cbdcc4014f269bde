"""Describe errors of the journal's disk for people: full, worn, read-only, without locks, or gone.

The move is refused then in `GameStage.change_game` (`companion/referee/game_stage.py`).
"""

import errno
import os
import sqlite3
import sys
from contextlib import suppress
from pathlib import Path

from companion.i18n import _
from companion.journal.entry import JournalUnwritable
from companion.journal.integrity_check import READ_ERRORS, get_result_code

_NO_LOCKS = frozenset({errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS})
"""Errors of a file system without locks: a network folder whose server has no lock service."""


def to_unwritable_error(path: Path, error: sqlite3.Error | OSError) -> JournalUnwritable:
    """Return a `JournalUnwritable` whose message says what to do about an error of SQLite or the file system.

    Args:
        path: the journal, for the message.
        error: what went wrong; its code chooses the advice (read error, disk full, file damaged or gone, ...).

    Returns:
        The new error, not raised; its `screen_text` is in the current language.
    """
    code = get_result_code(error) if isinstance(error, sqlite3.Error) else None
    if getattr(error, "sqlite_errorcode", None) in READ_ERRORS or getattr(error, "errno", None) == errno.EIO:
        advice = "the disk does not answer; it is asked again, and if it stays so the card is worn"
        return JournalUnwritable(
            f"The journal {path} cannot be read: {advice}.", _("The disk does not answer: try again")
        )
    if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_READONLY_DBMOVED:
        advice = f"{error}: put it back where it was, or start the companion again"
        short = _("Not written down: the file was removed or moved. Put it back, or start again")
    elif (
        code == sqlite3.SQLITE_FULL
        or (isinstance(error, OSError) and error.errno == errno.ENOSPC)
        or (code == sqlite3.SQLITE_CANTOPEN and _is_full(path.parent))
    ):
        advice = "the disk is full: make room there, then try again"
        short = _("Not written down: the disk is full. Make room there, then try again")
    elif code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        advice = "the file was damaged while in use: start the companion again, it keeps what can be read"
        short = _("Not written down: the file was damaged. Start again: what can be read is kept")
    elif isinstance(error, OSError) and error.errno in _NO_LOCKS:
        advice = f"{error.strerror}: its folder knows no locks, as on a server; name a folder on this machine"
        short = _("Not written down: the folder has no locks. Name one on this machine")
    else:
        advice = f"{error}: check that the folder exists, belongs to you and is not read-only (a worn SD card is)"
        short = _("Not written down: the disk refuses. Start again; if it stays so, the card is worn")
    return JournalUnwritable(f"The journal {path} cannot be written: {advice}.", short)


def _is_full(folder: Path) -> bool:
    """Return whether a disk has no room for one more file; SQLite says then only that it cannot open one."""
    if sys.platform == "win32":
        return False  # it counts no files
    with suppress(OSError):
        disk = os.statvfs(folder)
        # Some file systems, such as FAT, do not count files.
        return disk.f_bavail == 0 or (disk.f_files > 0 and disk.f_favail == 0)
    return False
