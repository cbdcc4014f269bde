"""Export the results of the day to a USB stick: find it among the mounted file systems, write a CSV file atomically."""

import csv
import errno
import io
import os
import re
from collections.abc import Collection, Sequence
from contextlib import suppress
from pathlib import Path

from companion.api import registry
from companion.evening import get_evening
from companion.file_reader import read_kernel_file, read_text
from companion.i18n import DEFAULT_LANGUAGE, _, current_language
from companion.journal.database import Journal
from companion.journal.game_summary import summarise_game
from companion.journal.history_csv import ENGLISH_SEPARATOR, OTHER_SEPARATOR, UID_COLUMN, write_csv
from companion.journal.play_time import is_of_evening, to_local_time
from companion.system.atomic_file import write_atomic

MOUNTS_FILE = Path("/proc/self/mounts")
"""The kernel's list of mounted file systems, proc_mounts(5)."""
MOUNT_ROOTS = (Path("/media"), Path("/run/media"), Path("/mnt"))
"""Folders in which desktops, and our own rule on an appliance, mount sticks."""
BLOCK_FOLDER = Path("/sys/class/block")
"""The kernel's disks and partitions, by name."""
MAX_EXPORT_BYTES = 16 << 20
"""Longest file of an earlier export that is looked into; a longer one is left as it is."""
MAX_SAME_NAMES = 99
"""Files of one name and day, by other boxes or evenings, beside which an export still finds a name of its own."""


def find_usb_sticks(
    mounts_file: Path = MOUNTS_FILE, roots: Sequence[Path] = MOUNT_ROOTS, block_folder: Path = BLOCK_FOLDER
) -> list[Path]:
    """Return the folders of mounted sticks, those that can be written to first; empty: there are none. Never raises.

    A stick is a disk that can be taken out, or that is connected by USB, and of which nothing is mounted elsewhere.

    Args:
        mounts_file: the list of mounted file systems, proc_mounts(5): on each line device, folder, kind, ..., separated
            by spaces, with octal escapes. If it cannot be read the result is empty.
        roots: a folder counts as a stick if it lies below one of these.
        block_folder: the kernel's disks and partitions.
    """
    try:
        lines = [line.split() for line in read_kernel_file(mounts_file).splitlines()]
    except OSError:
        return []
    mounts = [
        (_find_disks(Path(_unescape(line[0])), block_folder), Path(_unescape(line[1])))
        for line in lines
        if len(line) > 2
    ]
    sticks, system_disks = [], set[Path]()
    for disks, folder in mounts:
        if any(root in folder.parents for root in roots):
            sticks += [(disks, folder)] if disks and all(map(_is_removable, disks)) else []
        else:
            system_disks |= disks  # such as a disk at USB that the machine starts from
    found = [folder for disks, folder in sticks if not disks & system_disks]
    return sorted(found, key=lambda folder: not os.access(folder, os.W_OK))


def _find_disks(device: Path, block_folder: Path) -> set[Path]:
    """Return the disks that a mounted device lies on, in the kernel's folder of devices; empty: it is no disk."""
    if not device.is_absolute():
        return set()  # proc, tmpfs
    try:
        disk = (block_folder / device.resolve().name).resolve(strict=True)
        if (disk / "partition").exists():
            disk = disk.parent
        if slaves := [*(disk / "slaves").glob("*")]:  # an encrypted stick
            return {below for slave in slaves for below in _find_disks(slave, block_folder)}
    except (OSError, RuntimeError):
        return set()
    return {disk}


def _is_removable(disk: Path) -> bool:
    if any(re.fullmatch(r"usb\d+", part) for part in disk.parts):
        return True  # large sticks say that they are no removable disks
    try:
        return read_kernel_file(disk / "removable").strip() == "1"
    except OSError:
        return False


def _unescape(text: str) -> str:
    return re.sub(r"\\([0-7]{3})", lambda code: chr(int(code[1], 8)), text)


def export_today(journal: Journal, now: float, folders: Sequence[Path], table_id: str) -> str:
    """Write the results of the games begun this evening to the first stick, as companion-TABLE-YYYY-MM-DD.csv.

    An earlier file of this evening is replaced; beside one of another box the name gets a number. The columns are those
    of `companion.journal.history_csv.write_csv`; spreadsheets find letters and columns without being asked.

    Args:
        journal: the journal with the games.
        now: Unix seconds; the evening is that of `companion.evening` in local time. Where the machine does not know
            the date, the games since it was switched on count, and the file is companion-TABLE-undated.csv.
        folders: the top folders of the sticks, as `find_usb_sticks` returns them; only the first is used.
        table_id: the box's name in the file's name: small letters, digits, hyphens.

    Returns:
        A translated message of one line: where the file is, or why it could not be written (no stick, nothing played
        today, the stick cannot be written).

    Raises:
        JournalUnwritable: the journal cannot be read.
        Exception: an error of an installed game's own code is passed on, such as ImportError.
    """
    if not folders:
        return _("No USB stick found: plug one in, wait a moment, and try again")
    # Only these games are replayed, since that takes time.
    games = [
        summarise_game(journal, record, registry.find_game, None)
        for record in journal.list_games()
        if is_of_evening(record.started, now, journal.clock)
    ]
    if not games:
        return _("Nothing has been played today")
    text = io.StringIO()
    separator = ENGLISH_SEPARATOR if current_language() == DEFAULT_LANGUAGE else OTHER_SEPARATOR
    write_csv(journal.player_names.unify(games), text, separator)
    is_dated = journal.clock.is_date_known(journal.clock.now())
    day = get_evening(to_local_time(now, None)).isoformat() if is_dated else "undated"
    try:
        file = _choose_file(folders[0], f"companion-{table_id}-{day}", {game["uid"] for game in games})
        write_atomic(file, text.getvalue().encode("utf-8-sig"))
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


def _choose_file(folder: Path, stem: str, uids: Collection[str]) -> Path:
    """Return the first of STEM.csv, STEM-2.csv, ... that is not there, or holds only games of this evening.

    Raises:
        OSError: all of them are of other boxes or evenings.
    """
    for number in range(1, MAX_SAME_NAMES + 1):
        file = folder / (f"{stem}-{number}.csv" if number > 1 else f"{stem}.csv")
        if file.is_symlink() or not file.exists() or _is_own_export(file, uids):
            return file
    raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(folder))


def _is_own_export(file: Path, uids: Collection[str]) -> bool:
    try:
        lines = read_text(file, MAX_EXPORT_BYTES).splitlines()
        separator = next(each for each in (ENGLISH_SEPARATOR, OTHER_SEPARATOR) if each in lines[0])
        return all(row[UID_COLUMN] in uids for row in csv.DictReader(lines, delimiter=separator))
    except (OSError, ValueError, LookupError, StopIteration, csv.Error):
        return False
