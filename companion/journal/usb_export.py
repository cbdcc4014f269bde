"""Results of the day onto a USB stick: found among the mounted file systems, written whole or not at all."""

from __future__ import annotations

import io
import os
from collections.abc import Sequence
from pathlib import Path

from companion.games import registry
from companion.i18n import Translator
from companion.journal.database import Journal
from companion.journal.summary import summarise_game, to_local_time, write_csv
from companion.system import atomic_file

_ = Translator("companion")
MOUNTS_FILE = Path("/proc/self/mounts")
MOUNT_ROOTS = (Path("/media"), Path("/run/media"), Path("/mnt"))
"""Where desktops, and our own rule on a box without one, mount sticks."""


def find_usb_sticks(mounts_file: Path = MOUNTS_FILE, roots: Sequence[Path] = MOUNT_ROOTS) -> list[Path]:
    """Mounted sticks that can be written to (proc_mounts(5): device, folder, kind, ..., with octal escapes)."""
    try:
        lines = mounts_file.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return []
    folders = [Path(_unescape(line.split()[1])) for line in lines if len(line.split()) > 2]
    return [folder for folder in folders if _is_under(folder, roots) and os.access(folder, os.W_OK)]


def _is_under(folder: Path, under: Sequence[Path]) -> bool:
    return any(root in folder.parents for root in under)


def _unescape(text: str) -> str:
    for code, plain in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        text = text.replace(code, plain)
    return text


def export_today(journal: Journal, now: float, folders: Sequence[Path]) -> str:
    """Writes the results of the sittings begun today as CSV onto the first stick; what is said of it, in one line.

    Args:
        journal: what was played.
        now: Unix seconds; today is that day in the local time.
        folders: the sticks, as `sticks` finds them.
    """
    if not folders:
        return _("No USB stick is to be seen: plug one in, wait a moment, and try again")
    today = to_local_time(now, None).date()
    # The others are not even replayed: that may take a while.
    begun = [(record, to_local_time(journal.to_wall_time(record.started), None)) for record in journal.list_games()]
    sittings = [
        summarise_game(journal, record, registry.find_game, None) | {"begun": at.isoformat(timespec="seconds")}
        for record, at in begun
        if at.date() == today
    ]
    if not sittings:
        return _("Nothing has been played today")
    text = io.StringIO()
    write_csv(sittings, text)
    file = folders[0] / f"companion-{today.isoformat()}.csv"
    try:
        atomic_file.write_atomic(file, text.getvalue().encode(), mode=0o644)
    except OSError as error:
        return _("The USB stick cannot be written to ({why}): try another one", why=error.strerror)
    return _.plural(
        "{n} game of today is on the stick, in {file}: it may be pulled out",
        "{n} games of today are on the stick, in {file}: it may be pulled out",
        len(sittings),
        file=file.name,
    )
