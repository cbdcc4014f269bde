"""Export the results of the day to a USB stick: find it among the mounted file systems, write a CSV file atomically."""

import io
import os
import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from companion.api import registry
from companion.i18n import _
from companion.journal.database import Journal
from companion.journal.summary import summarise_game, to_local_time, write_csv
from companion.system.atomic_file import write_atomic

MOUNTS_FILE = Path("/proc/self/mounts")
"""The kernel's list of mounted file systems, proc_mounts(5)."""
MOUNT_ROOTS = (Path("/media"), Path("/run/media"), Path("/mnt"))
"""Folders in which desktops, and our own rule on an appliance, mount sticks."""


def find_usb_sticks(mounts_file: Path = MOUNTS_FILE, roots: Sequence[Path] = MOUNT_ROOTS) -> list[Path]:
    """Return the folders of mounted sticks that can be written to; empty: there are none. Never raises.

    Args:
        mounts_file: the list of mounted file systems, proc_mounts(5): on each line device, folder, kind, ..., separated
            by spaces, with octal escapes. If it cannot be read the result is empty.
        roots: a folder counts as a stick if it lies below one of these.
    """
    try:
        lines = mounts_file.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return []
    folders = [Path(_unescape(line.split()[1])) for line in lines if len(line.split()) > 2]
    return [
        folder for folder in folders if any(root in folder.parents for root in roots) and os.access(folder, os.W_OK)
    ]


def _unescape(text: str) -> str:
    return re.sub(r"\\([0-7]{3})", lambda code: chr(int(code[1], 8)), text)


def export_today(journal: Journal, now: float, folders: Sequence[Path]) -> str:
    """Write the results of the games begun today to the first stick, as companion-YYYY-MM-DD.csv in its top folder.

    An earlier file of that name is replaced. The columns are those of `companion.journal.summary.write_csv`.

    Args:
        journal: the journal with the games.
        now: Unix seconds; today is that day in local time.
        folders: the top folders of the sticks, as `find_usb_sticks` returns them; only the first is used.

    Returns:
        A translated message of one line: where the file is, or why it could not be written (no stick, nothing played
        today, the stick cannot be written).

    Raises:
        JournalUnwritable: the journal cannot be read.
        Exception: an error of an installed game's own code is passed on, such as ImportError.
    """
    if not folders:
        return _("No USB stick found: plug one in, wait a moment, and try again")
    today = to_local_time(now, None).date()
    # Only today's games are replayed, since that takes time.
    started = [
        (record, to_local_time(journal.clock.to_wall_time(record.started), None)) for record in journal.list_games()
    ]
    games = [
        summarise_game(journal, record, registry.find_game, None) | {"begun": at.isoformat(timespec="seconds")}
        for record, at in started
        if at.date() == today
    ]
    if not games:
        return _("Nothing has been played today")
    text = io.StringIO()
    write_csv(journal.player_names.unify(games), text)
    file = folders[0] / f"companion-{today.isoformat()}.csv"
    try:
        write_atomic(file, text.getvalue().encode())
        with suppress(OSError):  # a FAT stick has no permissions
            file.chmod(0o644)  # the program's other files are private (its umask); these results are taken home
    except OSError as error:
        return _("The USB stick cannot be written to ({why}): try another one", why=error.strerror)
    return _.plural(
        "{n} game of today is on the stick, in {file}: you can unplug it",
        "{n} games of today are on the stick, in {file}: you can unplug it",
        len(games),
        file=file.name,
    )
