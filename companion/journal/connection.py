"""The connection to a journal's file: lock, opening, retrying, repair, and the check in the background.

Here SQLite is told to sync each entry (`synchronous = FULL`); how a file is synced: `companion.os_compat`.
"""

import os
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import ParamSpec, Self, TypeVar

from companion.journal.boot_notes import BootNotes
from companion.journal.disk_errors import to_unwritable_error
from companion.journal.entry import JournalBusy, JournalUnwritable
from companion.journal.integrity_check import (
    MAX_BYTES_CHECKED_AT_OPENING,
    BackgroundCheck,
    append_suffix,
    is_damage_or_read_error,
)
from companion.journal.mirror_file import MIRROR_SUFFIX, MirrorFile
from companion.journal.recovery import (
    NEW_SUFFIX,
    JournalDamage,
    complete_mirror,
    ensure_valid_journal,
    find_lock,
    open_where_nothing_can_be_written,
)
from companion.journal.renamed_players import PlayerNames
from companion.journal.timestamps import TimestampClock
from companion.log import log
from companion.os_compat import FULL_SYNC_PRAGMAS, lock_file
from companion.system.system_clock import read_boot_time

PRAGMAS = (
    "journal_mode = WAL",
    "synchronous = FULL",
    "wal_autocheckpoint = 100",
    "foreign_keys = ON",
    *FULL_SYNC_PRAGMAS,
)
"""Every commit is on the disk before it counts. A short write-ahead log is read quickly after a power cut."""

MAX_BYTES_REPAIRED_IN_USE = 5_000_000
"""A larger journal (some 300 games) is repaired at the next start, not in play. Larger: the repair, which takes 2 s for
5 MB on a desktop computer, takes longer than the watchdog waits."""

_P = ParamSpec("_P")
_Result = TypeVar("_Result")


class RowDamaged(sqlite3.DatabaseError):
    """A row was read whose checksum is not valid, or rows before it are missing."""

    sqlite_errorcode = sqlite3.SQLITE_CORRUPT


class _FileMoved(sqlite3.OperationalError):
    """The open file is not at its path any more: SQLite would write on into a file that nobody finds."""

    sqlite_errorcode = sqlite3.SQLITE_READONLY_DBMOVED


class JournalConnection:
    """An open journal file and its mirror; base class of `Journal`, which has the methods that read and write rows.

    Attributes:
        path: absolute path of the file.
        clock: makes the timestamps of games and entries.
        player_names: the names that players have now.
        damage: damage that was found and repaired last, at the opening or later; None: the file was valid.
    """

    def __init__(
        self,
        path: Path,
        wall: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = read_boot_time,
        boot: str | None = None,
        *,
        allow_read_only: bool = False,
        knows_date: Callable[[], bool] = lambda: True,
    ) -> None:
        """Open the journal at `path`; a new one is created, with its folder, if there is none.

        A damaged file is set aside beside it and replaced by a new one with all that can be read (see `damage`). A
        large one is checked in the background (see `poll_check`).

        Args:
            path: the file, whose folder is made readable by its owner only if it is created.
            wall: returns Unix seconds.
            monotonic: returns seconds since the boot, those of a suspend included.
            boot: identifies the boot of the machine; None: as the kernel says.
            allow_read_only: open it for reading only, also if another process has it open or the file or its folder
                cannot be written. It is created or repaired all the same if possible.
            knows_date: whether the machine knows the date.

        Raises:
            JournalBusy: another process has it open; not if `allow_read_only`.
            JournalTooNew: a newer version of the companion wrote it.
            JournalUnwritable: it cannot be read and written there; if `allow_read_only`: it cannot be read.
        """
        self.path = path.absolute()
        self.damage: JournalDamage | None = None
        """Damage that was found and repaired last, at the opening or later; None: the file was valid."""
        self._last_write_error: str | None = None
        """Why it could not be written last, as logged; None: it could."""
        self.clock = TimestampClock(wall, monotonic, boot, BootNotes(self.path), knows_date)
        """Makes the timestamps of games and entries."""
        self.player_names = PlayerNames(self.path.parent)
        self._mirror = MirrorFile(self.path, monotonic)
        self._is_query_only = allow_read_only
        self._check: BackgroundCheck | None = None
        self._connection: sqlite3.Connection
        self._inode: int | None = None
        """Inode of the open file; None: it is a copy, or none."""
        self._is_connected = self._has_lock = False
        self._connections = ExitStack()
        """Closes the connection, and removes the copy that it reads."""
        with ExitStack() as resources:
            try:
                self._has_lock = self._lock(resources)
                resources.callback(self._disconnect)
                if not self._has_lock and not allow_read_only:
                    raise JournalBusy(
                        f"The journal {self.path} is in use by another companion: close that one first, "
                        "or name another data folder."
                    )
                self._open(is_thorough=not self._is_larger_than(MAX_BYTES_CHECKED_AT_OPENING))
            except JournalUnwritable:
                if not (allow_read_only and os.path.isfile(self.path)):  # noqa: PTH113 - False if it is out of reach
                    raise
                resources.close()
                self._has_lock = False
                resources.callback(self._disconnect)
                if connection := open_where_nothing_can_be_written(self.path, self._mirror):
                    self._connection = self._connections.enter_context(closing(connection))
                    self._is_connected = True
                else:
                    self._open_copy()
            if self._is_larger_than(MAX_BYTES_CHECKED_AT_OPENING) and not allow_read_only:
                self._check = BackgroundCheck(self.path, self._mirror)
                resources.callback(self._check.close)
            self._resources = resources.pop_all()

    def _is_larger_than(self, size: int) -> bool:
        return self.path.is_file() and self.path.stat().st_size > size

    def _open(self, *, is_thorough: bool) -> None:
        """Connect to the journal; check and repair it before, if no other process has it open."""
        self._connections.close()
        if self._has_lock:
            damage = ensure_valid_journal(self.path, self._mirror, self.clock.now().wall, is_thorough=is_thorough)
            self.damage = damage or self.damage
        self._connect(self.path)

    def _disconnect(self) -> None:
        self._connections.close()
        self._mirror.close()

    def _connect(self, file: Path) -> None:
        self._is_connected = False
        with self._translated_errors():
            # Each statement is a transaction; rw: no empty file is created if it was removed in between.
            connection = sqlite3.connect(f"{file.as_uri()}?mode=rw", uri=True, isolation_level=None)
            self._connection = self._connections.enter_context(closing(connection))
            for pragma in (*PRAGMAS, *(("query_only = ON",) if self._is_query_only else ())):
                self._connection.execute(f"PRAGMA {pragma}")
        with suppress(OSError):
            self._inode = file.stat().st_ino if file == self.path else None
        self._is_connected = True

    def _ensure_in_place(self) -> None:
        """Raise `_FileMoved` if the open file was removed, moved or replaced; call it before each write.

        SQLite does not look in this mode: what it writes then would be gone at the next start.
        """
        if self._inode is None:
            return
        try:
            is_in_place = self.path.stat().st_ino == self._inode
        except (FileNotFoundError, NotADirectoryError):
            is_in_place = False
        except OSError:
            return  # SQLite will say what the disk does
        if not is_in_place:
            raise _FileMoved("it was removed, moved or replaced")

    def _open_copy(self) -> None:
        """Copy the journal to a temporary folder and open it there: SQLite reads a log only where it can write."""
        self._connections.close()
        try:
            folder = Path(self._connections.enter_context(tempfile.TemporaryDirectory(prefix="companion-")))
            for file in (self.path, append_suffix(self.path, "-wal"), append_suffix(self.path, MIRROR_SUFFIX)):
                if file.is_file():
                    shutil.copyfile(file, folder / file.name)
        except OSError as error:
            raise to_unwritable_error(self.path, error) from error
        copy = folder / self.path.name
        with closing(MirrorFile(copy, self.clock.monotonic)) as mirror:
            damage = ensure_valid_journal(copy, mirror, self.clock.now().wall, is_thorough=True)
        self.damage = damage and replace(damage, moved_to=self.path)
        self._connect(copy)

    def _lock(self, resources: ExitStack) -> bool:
        """Lock the journal until `resources` are closed; return whether no other process has it locked."""
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            lock = os.open(find_lock(self.path), os.O_RDWR | os.O_CREAT, 0o600)
            resources.callback(os.close, lock)
            return lock_file(lock)
        except OSError as error:
            raise to_unwritable_error(self.path, error) from error

    def _reopen(self) -> None:
        """Open the journal again after it could not be read; it is repaired if it is damaged, and only then.

        A large one is repaired at the next start.

        Raises:
            JournalUnwritable: the disk cannot be read at the moment.
        """
        log.warning("%s could not be read, or is damaged: it is opened again.", self.path)
        if not self._has_lock:
            self._open_copy()
            return
        with suppress(OSError):
            append_suffix(self.path, NEW_SUFFIX).touch()  # so that the next start repairs what this one cannot
        if self._is_larger_than(MAX_BYTES_REPAIRED_IN_USE):
            self._connections.close()
            self._connect(self.path)
            return
        try:
            self._open(is_thorough=True)
        except JournalUnwritable:
            self._connect(self.path)  # what does not need the unreadable part goes on
            raise

    def poll_check(self) -> JournalDamage | None:
        """Take up what the check in the background has found; call it now and then.

        Returns:
            The damage that was found and repaired now; None: there was none, or the check is not over.

        Raises:
            JournalUnwritable: the file is damaged, and cannot be repaired now; or the mirror of another journal cannot
                be set aside.
        """
        result = self._check.take_result() if self._check is not None else None
        if result is None:
            return None
        if result.fault is not None:
            if self._is_larger_than(MAX_BYTES_REPAIRED_IN_USE):
                self._reopen()
                raise to_unwritable_error(self.path, RowDamaged(result.fault))
            before = self.damage
            self._reopen()
            return None if self.damage is before else self.damage
        try:
            complete_mirror(self.path, self._mirror, result, self.clock.now().wall)
        except (OSError, sqlite3.Error) as error:
            raise to_unwritable_error(self.path, error) from error
        return None

    @contextmanager
    def _translated_errors(self) -> Iterator[None]:
        """Raise SQLite's errors as `JournalUnwritable`, and log each that differs from the one before."""
        try:
            yield
        except sqlite3.Error as error:
            unwritable = to_unwritable_error(self.path, error)
            if str(unwritable) != self._last_write_error:  # once, and not at every mark of a clock
                self._last_write_error = str(unwritable)
                log.error("%s", unwritable)
            raise unwritable from error

    def close(self) -> None:
        """Close the file and release the lock. The journal cannot be used afterwards; closing it twice is allowed."""
        self._resources.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()


def with_repair(method: Callable[_P, _Result]) -> Callable[_P, _Result]:
    """Decorate a method of a journal: its SQLite errors are raised as `JournalUnwritable`.

    If the file cannot be read, it is opened again, repaired if it is damaged, and the method is called again.
    """

    @wraps(method)
    def call(*args: _P.args, **kwargs: _P.kwargs) -> _Result:
        journal = args[0]
        assert isinstance(journal, JournalConnection)
        with journal._translated_errors():
            if not journal._is_connected:
                journal._reopen()
            try:
                return method(*args, **kwargs)
            except sqlite3.DatabaseError as error:
                if not is_damage_or_read_error(error):
                    raise
            journal._reopen()
            return method(*args, **kwargs)

    return call
