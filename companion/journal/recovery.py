"""Recover a torn or corrupted journal file: set it aside, and join what both copies still have.

Durable writes: `connection.py`. Messages about a disk that refuses: `disk_errors.py`.
"""

import os
import re
import sqlite3
from collections.abc import Iterable
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count, islice
from pathlib import Path

from companion.i18n import _
from companion.journal import schema
from companion.journal.disk_errors import to_unwritable_error
from companion.journal.entry import EntryContent, EntryKind
from companion.journal.integrity_check import (
    SQLITE_SUFFIXES,
    TORN_LAST_ENTRY,
    CheckResult,
    append_suffix,
    check_journal_file,
    open_read_only,
    read_bytes,
    read_wal,
)
from companion.journal.mirror_file import MIRROR_SUFFIX, MirrorFile
from companion.journal.page_reader import read_all_rows
from companion.log import log
from companion.os_compat import READ_FLAGS, lock_file

NEW_SUFFIX = ".new"
"""Stands after the journal's name in that of a recovered one until it is complete. While there is such a file the next
start checks all rows."""

DAMAGED_MARK = ".damaged-"
"""Stands between the journal's name and the time at which it was set aside."""

MAX_DAMAGED_FILES = 8
"""Damaged journals that are kept: the first one, which may have most, and the latest. A card that is dying would be
full of them otherwise, and then nothing more could be written."""
_DAMAGED_TIME = re.compile(rf"{re.escape(DAMAGED_MARK)}(\d{{8}}T\d{{6}}Z)(?:-(\d+))?")

LOST_ENTRY = EntryContent(kind=EntryKind.LOST).model_dump_json(exclude_none=True)
"""Content of the rows that stand where entries are in no copy."""

ROWS_PER_WRITE = 5000
"""Rows that are written to the mirror at once, about 1 MB."""


@dataclass(frozen=True, slots=True)
class JournalDamage:
    """Damage of the journal that was found, and what was recovered."""

    fault: str
    """What was wrong, in English."""
    moved_to: Path
    """Path of the damaged file now: beside the journal, or the journal's own path if its folder cannot be written."""
    games_kept: int
    """Number of games in the new file."""
    entries_kept: int
    """Number of entries of all games in the new file."""
    entries_lost: int
    """Number of entries that neither copy has; in the new file entries of kind LOST stand in their places."""

    @property
    def message(self) -> str:
        """The message for people, in English, in one line: the fault, how much was kept, where the old file is."""
        return (
            f"The journal was damaged ({self.fault}). What could be read was kept (sittings: {self.games_kept}, "
            f"entries: {self.entries_kept}, lost: {self.entries_lost}); the damaged file is {self.moved_to}."
        )

    @property
    def screen_text(self) -> str:
        """The message for the screen, in the current language."""
        if not self.entries_lost:
            return _("The saved games were damaged: what could be read was kept, and the damaged file too")
        return _.plural(
            "The disk has lost a step of a game: it asks about it when it is opened",
            "The disk has lost {n} steps of games: they ask about it when they are opened",
            self.entries_lost,
        )


def ensure_valid_journal(path: Path, mirror: MirrorFile, now: float, *, is_thorough: bool) -> JournalDamage | None:
    """Ensure that a valid journal is at `path`: a new one if there is none, a recovered one if it is damaged.

    A damaged file is renamed to NAME.damaged-TIME in the same folder; of very many only some are kept
    (`MAX_DAMAGED_FILES`). What the mirror lacks is written to it. A disk that cannot be read is not taken for a damaged
    file.

    Args:
        path: the journal, in a folder that exists; no other process has it open.
        mirror: its mirror.
        now: Unix seconds (0 to 250e9), for the name of a damaged file.
        is_thorough: check all rows, see `check_journal_file`.

    Returns:
        The damage that was found and repaired; None: there was none, the journal is new, or only the last entry was cut
        off while it was written, so that nothing that anyone was shown is missing.

    Raises:
        JournalTooNew: a newer version of the companion wrote the file.
        JournalUnwritable: the file or its folder cannot be accessed or written.
    """
    new = append_suffix(path, NEW_SUFFIX)
    try:
        if path.exists():
            check = check_journal_file(path, mirror, is_thorough=is_thorough or new.exists())
            if check.fault is not None:
                # SQLite takes a read error for damage. Here it is raised, or the second check finds nothing.
                read_bytes(path)
                check = check_journal_file(path, mirror, is_thorough=True)
            if check.fault is None:
                _remove_unfinished(new)
                complete_mirror(path, mirror, check, now)
                return None
            fault: str | None = check.fault
        elif new.exists() and check_journal_file(new, mirror, is_thorough=True).fault is None:
            # The program was stopped just before it put the new file into its place.
            fault = "its recovery was interrupted" if any(path.parent.glob(f"{path.name}{DAMAGED_MARK}*")) else None
            return _replace_journal(path, new, now, fault)
        else:
            has_copy = any(append_suffix(path, side).exists() for side in SQLITE_SUFFIXES)
            fault = "its main file was missing" if has_copy or any(mirror.read_rows()) else None
        _remove_unfinished(new)
        games, entries, lost = join_rows(mirror.read_rows(), read_all_rows(read_bytes(path), read_wal(path)))
        schema.create_journal(new, games, entries, _read_clock_marks(path))
        damage = _replace_journal(path, new, now, None if fault == TORN_LAST_ENTRY else fault, lost)
        complete_mirror(path, mirror, check_journal_file(path, mirror, is_thorough=True), now)
        return damage
    except (OSError, sqlite3.Error) as error:
        raise to_unwritable_error(path, error) from error


def complete_mirror(path: Path, mirror: MirrorFile, check: CheckResult, now: float) -> None:
    """Write to the mirror what it lacks by the check of a valid journal; a mirror of another journal is set aside.

    Raises:
        OSError: the mirror of another journal cannot be renamed.
        sqlite3.Error: the journal cannot be read.
    """
    if check.is_mirror_foreign:
        mirror.close()
        mirror.path.replace(_find_free_names(path, now, (MIRROR_SUFFIX,))[0])
        check = check_journal_file(path, mirror, is_thorough=True)
    if check.unmirrored_games or check.unmirrored_rows:
        with closing(open_read_only(path)) as connection:
            unmirrored = check.read_unmirrored(connection)
            while batch := list(islice(unmirrored, ROWS_PER_WRITE)):
                mirror.append(batch)
            mirror.append((), sync=True)
        rows = len(check.unmirrored_games) + len(check.unmirrored_rows)
        log.info("Rows that the second copy of the games lacked were written to it: %d.", rows)


def join_rows(*copies: Iterable[schema.Row]) -> tuple[list[schema.Row], list[schema.Row], int]:
    """Join the rows of several copies of a journal; of several versions of a row the last one counts.

    Args:
        copies: the rows of each copy, the journal's own last. If one has a game of the same number and another unique
            id, those before it are of another journal and are left out.

    Returns:
        The rows of the games, the rows of all their entries, and the number of entries that no copy has: in their
        places stand rows with the content LOST_ENTRY. Entries after the last one of a game that was found are not
        missed.
    """
    games: dict[int, schema.Row] = {}
    entries: dict[tuple[int, int], schema.Row] = {}
    for copy in copies:
        own_games: dict[int, schema.Row] = {}
        own_entries: dict[tuple[int, int], schema.Row] = {}
        for row in copy:
            if schema.is_game_row(row):
                own_games[row[0]] = row
            else:
                own_entries[row[0], row[1]] = row
        if any(games[id][1] != row[1] for id, row in own_games.items() if id in games):
            games, entries = {}, {}
        games |= own_games
        entries |= own_entries
    joined: list[schema.Row] = []
    last, stamps = dict.fromkeys(games, 0), {id: game[4:-1] for id, game in games.items()}
    for game_id, seq in entries:  # mostly in the order of time; the triggers want rising numbers
        while game_id in games and last[game_id] < seq:
            last[game_id] += 1
            key = game_id, last[game_id]
            row = entries.get(key) or schema.add_checksum((*key, LOST_ENTRY, *stamps[game_id]))
            stamps[game_id] = row[3:-1]
            joined.append(row)
    lost = sum(row[:2] not in entries for row in joined)
    return list(games.values()), joined, lost


def _remove_unfinished(new: Path) -> None:
    for leftover in (new, *(append_suffix(new, side) for side in ("-journal", *SQLITE_SUFFIXES))):
        leftover.unlink(missing_ok=True)


def _replace_journal(path: Path, new: Path, now: float, fault: str | None, lost: int = 0) -> JournalDamage | None:
    """Set aside the file at `path`, if there is one, and put the new journal in its place."""
    names = _find_free_names(path, now, ("", *SQLITE_SUFFIXES))
    for side, aside in zip(("", *SQLITE_SUFFIXES), names, strict=True):
        if append_suffix(path, side).exists():
            append_suffix(path, side).replace(aside)
    with closing(open_read_only(new)) as connection:
        games, entries = (
            connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in ("sittings", "entries")
        )
    new.replace(path)
    _remove_surplus(path, names[0])
    return None if fault is None else JournalDamage(fault, names[0], games, entries - lost, lost)


def _remove_surplus(path: Path, newest: Path) -> None:
    """Remove damaged journals between the first and the latest ones; one that cannot be removed stays.

    Args:
        path: the journal.
        newest: the one set aside last; it stays, though the clock may have been wrong.
    """
    by_time: dict[tuple[str, int], list[Path]] = {}
    for file in (newest, *path.parent.glob(f"{path.name}{DAMAGED_MARK}*")):
        if found := _DAMAGED_TIME.search(file.name):
            by_time.setdefault((found[1], int(found[2] or 1)), []).append(file)
    others = sorted(time for time, files in by_time.items() if newest not in files)
    for time in others[1 : 2 - MAX_DAMAGED_FILES]:
        for file in by_time[time]:
            with suppress(OSError):
                file.unlink()


def find_lock(path: Path) -> Path:
    """Return the path of the file by which a process locks the journal at `path`."""
    return append_suffix(path, ".lock")


def open_where_nothing_can_be_written(path: Path, mirror: MirrorFile) -> sqlite3.Connection | None:
    """Open a journal for reading without a single file beside it; None: it is damaged, or another process has it open.

    Raises:
        JournalTooNew: a newer version of the companion wrote the file.
        JournalUnwritable: it cannot be read.
    """
    try:
        if _is_locked(find_lock(path)):
            return None
        fault = check_journal_file(path, mirror, is_thorough=True, may_write=False).fault
        return open_read_only(path, may_write=False) if fault in (None, TORN_LAST_ENTRY) else None
    except (OSError, sqlite3.Error) as error:
        raise to_unwritable_error(path, error) from error


def _is_locked(lock: Path) -> bool:
    """Return whether another process holds a lock; False where that cannot be found out."""
    try:
        descriptor = os.open(lock, READ_FLAGS)
    except OSError:
        return False
    try:
        return not lock_file(descriptor, is_shared=True)
    except OSError:
        return False
    finally:
        os.close(descriptor)


def _find_free_names(path: Path, now: float, suffixes: tuple[str, ...]) -> list[Path]:
    """Return the names of damaged files with these suffixes; none of them is taken."""
    stem = f"{path.name}{DAMAGED_MARK}{datetime.fromtimestamp(now, UTC):%Y%m%dT%H%M%SZ}"
    for number in count(1):
        aside = path.with_name(stem if number == 1 else f"{stem}-{number}")
        names = [append_suffix(aside, suffix) for suffix in suffixes]
        if not any(name.exists() for name in names):
            return names
    raise AssertionError("count never ends")


def _read_clock_marks(path: Path) -> list[schema.Row]:
    """Return the rows of the clock marks, as far as SQLite can still read them: they have no checksums."""
    if not read_bytes(path):  # beside an empty file SQLite would remove the log
        return []
    try:
        with closing(open_read_only(path)) as connection:
            return [
                (game_id, name, elapsed)
                for game_id, name, elapsed in connection.execute("SELECT sitting, name, elapsed FROM clock_marks")
                if isinstance(game_id, int) and isinstance(name, str) and isinstance(elapsed, float)
            ]
    except (sqlite3.Error, UnicodeDecodeError):
        return []
