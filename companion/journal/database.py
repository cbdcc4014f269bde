"""The journal's file: games and their entries, append-only; an entry is on the disk when `append_entry` returns.

All data are SQL rows as `schema` describes them; `entry` has the models of their content.
"""

import fcntl
import os
import shutil
import sqlite3
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import ValidationError

from companion.i18n import _
from companion.journal import schema
from companion.journal.boot_notes import BootNotes
from companion.journal.entry import (
    EntryContent,
    EntryKind,
    GameSetup,
    InvalidSavedGame,
    JournalBusy,
    JournalEntry,
    JournalUnwritable,
    Timestamp,
)
from companion.journal.high_water_mark import HighWaterMark
from companion.journal.player_names import PlayerNames
from companion.journal.recovery import (
    JournalDamage,
    ensure_valid_journal,
    find_lock,
    open_where_nothing_can_be_written,
    to_unwritable_error,
)
from companion.journal.timestamps import TimestampClock
from companion.log import log
from companion.system.system_clock import read_boot_time

JOURNAL_FILE = "journal.sqlite3"
SLOW_WRITE_SECONDS = 1.0
"""Longest time to write an entry without a warning in the log; a slower disk makes a button press seem to hang."""
PRAGMAS = ("journal_mode = WAL", "synchronous = FULL", "wal_autocheckpoint = 100", "foreign_keys = ON")
"""Every commit is on the disk before it counts. A short write-ahead log is read quickly after a power cut."""


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game in the list of games; its setup is not parsed, so that the list can be read even if it is not valid."""

    id: int
    """Number of the game in this journal, from 1."""
    uid: str
    """Unique id, 32 hexadecimal digits; the same in an exported file."""
    setup_json: str
    """The setup, to be read with `GameSetup.from_json`."""
    imported: bool
    """Whether the game comes from a file and was not played at this table."""
    started: Timestamp
    """When the game was begun."""


class Journal(AbstractContextManager["Journal"]):
    """An open journal file, to be used by the thread that opened it. Only one process can write to it at a time.

    Methods that read raise `JournalUnwritable` too if the file was damaged or became unreadable while it was open.
    Every method but `close` raises it after `close` and in another thread, and every method that writes raises it if
    the journal was opened with `allow_read_only`.

    Attributes:
        path: absolute path of the file.
        clock: makes the timestamps of games and entries.
        player_names: the names that players have now.
        damage: damage that was found and repaired when the file was opened; None: it was valid.
        missing_entries: number of entries that were stored once and were no longer there when the file was opened. The
            next start still reports them, unless an entry is added before.
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

        A damaged file is set aside beside it and replaced by a new one with all that can be read (see `damage`).

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
        """Damage that was found and repaired when the file was opened; None: it was valid."""
        self._last_write_error: str | None = None
        """Why it could not be written last, as logged; None: it could."""
        self.clock = TimestampClock(wall, monotonic, boot, BootNotes(self.path), knows_date)
        """Makes the timestamps of games and entries."""
        self.player_names = PlayerNames(self.path.parent)
        self._high_water_mark = HighWaterMark(self.path, monotonic)
        known_count = self._high_water_mark.read()
        self._connection: sqlite3.Connection
        with ExitStack() as resources:
            try:
                if self._lock(resources):
                    self.damage = ensure_valid_journal(self.path, self.clock.now().wall)
                elif not allow_read_only:
                    raise JournalBusy(
                        f"The journal {self.path} is in use by another companion: close that one first, "
                        "or name another data folder."
                    )
                self._connect(self.path, resources, query_only=allow_read_only)
            except JournalUnwritable:
                if not (allow_read_only and os.path.isfile(self.path)):  # noqa: PTH113 - False if it is out of reach
                    raise
                resources.close()
                if connection := open_where_nothing_can_be_written(self.path):
                    self._connection = resources.enter_context(closing(connection))
                else:
                    self._open_copy(resources)
            with self._translated_errors():
                self.missing_entries = max(0, known_count - self._count_entries())
                """Number of entries that were stored once and were no longer there when the file was opened."""
            self._resources = resources.pop_all()

    def _connect(self, file: Path, resources: ExitStack, *, query_only: bool) -> None:
        """Connect to the journal at `file`; the connection is closed with `resources`."""
        with self._translated_errors():
            # Each statement is a transaction; rw: no empty file is created if it was removed in between.
            connection = sqlite3.connect(f"{file.as_uri()}?mode=rw", uri=True, isolation_level=None)
            self._connection = resources.enter_context(closing(connection))
            for pragma in (*PRAGMAS, *(("query_only = ON",) if query_only else ())):
                self._connection.execute(f"PRAGMA {pragma}")

    def _open_copy(self, resources: ExitStack) -> None:
        """Copy a journal that is damaged, or being written to, to a temporary folder, and open it there."""
        try:
            folder = Path(resources.enter_context(tempfile.TemporaryDirectory(prefix="companion-")))
            for file in (self.path, self.path.with_name(f"{self.path.name}-wal")):
                if file.is_file():
                    shutil.copyfile(file, folder / file.name)
        except OSError as error:
            raise to_unwritable_error(self.path, error) from error
        damage = ensure_valid_journal(folder / self.path.name, self.clock.now().wall)
        self.damage = damage and replace(damage, moved_to=self.path)
        self._connect(folder / self.path.name, resources, query_only=True)

    def _lock(self, resources: ExitStack) -> bool:
        """Lock the journal until `resources` are closed; return whether no other process has it locked."""
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            lock = os.open(find_lock(self.path), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            resources.callback(os.close, lock)
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError as error:
            raise to_unwritable_error(self.path, error) from error
        return True

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

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def begin_game(self, setup: GameSetup) -> int:
        """Add a new game without entries, started now. `setup` is not checked against the game's rules.

        Returns:
            Its number in the journal, from 1.

        Raises:
            JournalUnwritable: nothing was written.
        """
        game_id = self.add_game(uuid.uuid4().hex, setup, self.clock.now(), (), imported=False)
        self.clock.note_boot()
        return game_id

    def add_game(
        self, uid: str, setup: GameSetup, started: Timestamp, entries: Sequence[JournalEntry], *, imported: bool
    ) -> int:
        """Add a game with all its entries in one transaction.

        Args:
            uid: unique id of the game, 32 hexadecimal digits; only its uniqueness is checked.
            setup: the game's setup; not checked against its rules.
            started: when the game began.
            entries: numbered from 1 without gaps; may be empty; not replayed.
            imported: whether the game comes from a file; such a game is never resumed at the next start.

        Returns:
            Its number in the journal, from 1.

        Raises:
            InvalidSavedGame: a game with this `uid` is already in the journal.
            JournalUnwritable: nothing was written; also if the entries' numbers have a gap.
        """
        with self._translated_errors():
            known = self._connection.execute("SELECT id FROM sittings WHERE uid = ?", (uid,)).fetchone()
            if known is not None:
                raise InvalidSavedGame(f"this game is already in the journal, as number {known[0]}")
            (game_id,) = self._connection.execute("SELECT coalesce(max(id), 0) + 1 FROM sittings").fetchone()
            row = (game_id, uid, setup.model_dump_json(), int(imported), started.wall, started.monotonic, started.boot)
            with self._connection:
                self._connection.execute("BEGIN IMMEDIATE")
                self._connection.execute(schema.INSERT_GAME, schema.add_checksum(row))
                self._connection.executemany(
                    schema.INSERT_ENTRY, [_make_entry_row(game_id, entry) for entry in entries]
                )
            if entries:
                self._high_water_mark.write(self._count_entries())
        return int(game_id)

    def append_entry(self, game_id: int, content: EntryContent) -> JournalEntry:
        """Write `content` as the next entry of the game; when this returns it is on the disk.

        Args:
            game_id: number of the game in the journal, from 1.
            content: not checked against the rules; play through `SavedGame`, which checks it first.

        Returns:
            The entry with its number and timestamp.

        Raises:
            JournalUnwritable: nothing was written; also if there is no such game.
        """
        start = self.clock.monotonic()
        with self._translated_errors():
            (last,) = self._connection.execute(
                "SELECT coalesce(max(seq), 0) FROM entries WHERE sitting = ?", (game_id,)
            ).fetchone()
            entry = JournalEntry(seq=last + 1, what=content, stamp=self.clock.now())
            self._connection.execute(schema.INSERT_ENTRY, _make_entry_row(game_id, entry))
            self._high_water_mark.write(self._count_entries())
        seconds = self.clock.monotonic() - start
        if seconds > SLOW_WRITE_SECONDS:
            log.warning("Writing took %.1f s: the disk is slow, perhaps the SD card is worn.", seconds)
        if self._last_write_error is not None:
            log.info("The journal can be written again.")
            self._last_write_error = None
        self.clock.note_boot()
        return entry

    def _count_entries(self) -> int:
        """Return the number of entries of all games: that of the last row, since no row is ever deleted."""
        (count,) = self._connection.execute("SELECT coalesce(max(rowid), 0) FROM entries").fetchone()
        return int(count)

    def list_games(self) -> tuple[GameRecord, ...]:
        """Return all games by their numbers in the journal, lowest first; empty: there are none.

        Imported games come in the order of their import.

        Raises:
            JournalUnwritable: the file cannot be read.
        """
        with self._translated_errors():
            rows = self._connection.execute(
                "SELECT id, uid, setup, imported, wall, monotonic, boot FROM sittings ORDER BY id"
            ).fetchall()
        return tuple(
            GameRecord(id, uid, setup, bool(imported), Timestamp(wall=wall, monotonic=monotonic, boot=boot))
            for id, uid, setup, imported, wall, monotonic, boot in rows
        )

    def get_game(self, game_id: int) -> GameRecord:
        """Return the record of one game.

        Args:
            game_id: its number in the journal, from 1.

        Raises:
            InvalidSavedGame: there is none of that number.
            JournalUnwritable: the file cannot be read.
        """
        for record in self.list_games():
            if record.id == game_id:
                return record
        raise InvalidSavedGame(f"there is no game number {game_id} in {self.path}")

    def read_entries(self, game_id: int) -> tuple[JournalEntry, ...]:
        """Return all entries of game number `game_id`, in order; empty: there are none, or no such game.

        Raises:
            InvalidSavedGame: this version does not know an entry.
            JournalUnwritable: the file cannot be read.
        """
        return self._select_entries(game_id, "seq")

    def read_last_entry(self, game_id: int) -> JournalEntry | None:
        """Return the last entry of game number `game_id`; None: it has none, or there is no such game.

        Raises:
            InvalidSavedGame: this version does not know the entry.
            JournalUnwritable: the file cannot be read.
        """
        return next(iter(self._select_entries(game_id, "seq DESC LIMIT 1")), None)

    def has_seat_changes(self, game_id: int) -> bool:
        """Return whether somebody joined game number `game_id`, or a name or places changed, even if it was undone.

        Raises:
            JournalUnwritable: the file cannot be read.
        """
        query = "SELECT EXISTS (SELECT 1 FROM entries WHERE sitting = ? AND what LIKE ?)"
        with self._translated_errors():
            pattern = f'{{"kind":"{EntryKind.SEATED.value}"%'
            return bool(self._connection.execute(query, (game_id, pattern)).fetchone()[0])

    def _select_entries(self, game_id: int, order: str) -> tuple[JournalEntry, ...]:
        with self._translated_errors():
            rows: list[tuple[int, str, float, float, str]] = self._connection.execute(
                f"SELECT seq, what, wall, monotonic, boot FROM entries WHERE sitting = ? ORDER BY {order}", (game_id,)
            ).fetchall()
        return tuple(_read_entry_row(*row) for row in rows)

    def find_resumable_game(self) -> int | None:
        """Return the number of the game that was played last at this table, unless it was set aside. It may have ended.

        That is the newest one if it has no entry yet, else the one with the latest entry, since an older game may have
        been continued. Imported games do not count.

        Returns:
            The game's number in the journal; None: no game was played here, or the last one was set aside.

        Raises:
            InvalidSavedGame: this version does not know the last entry.
            JournalUnwritable: the file cannot be read.
        """
        played_here = [record.id for record in self.list_games() if not record.imported]
        if not played_here:
            return None
        latest = played_here[-1]
        if self.read_last_entry(latest) is not None:
            with self._translated_errors():
                (latest,) = self._connection.execute(
                    "SELECT sitting FROM entries JOIN sittings ON id = sitting WHERE NOT imported "
                    "ORDER BY entries.rowid DESC LIMIT 1"
                ).fetchone()
        last = self.read_last_entry(latest)
        return None if last is not None and last.what.kind is EntryKind.SET_ASIDE else int(latest)

    def save_clock_marks(self, game_id: int, elapsed: Mapping[str, float]) -> None:
        """Replace all stored clock marks of a game, so that its clocks continue from there after a restart.

        A clock mark is the time that a clock of the game, such as a timer of a turn, has counted.

        Args:
            game_id: number of the game in the journal, from 1.
            elapsed: seconds that each running clock has counted, by the clock's name; empty: all marks are deleted.

        Raises:
            JournalUnwritable: the marks cannot be written, and the earlier ones stay; also if `elapsed` is not empty
                and there is no such game, or a number is NaN.
        """
        with self._translated_errors(), self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.execute("DELETE FROM clock_marks WHERE sitting = ?", (game_id,))
            self._connection.executemany(
                "INSERT INTO clock_marks VALUES (?, ?, ?)", [(game_id, name, float(s)) for name, s in elapsed.items()]
            )

    def read_clock_marks(self, game_id: int) -> dict[str, float]:
        """Return the seconds that each clock of game number `game_id` had counted when they were last stored, by name.

        A clock without a mark is absent; without any marks, or without such a game, the result is empty.

        Raises:
            JournalUnwritable: the file cannot be read.
        """
        with self._translated_errors():
            return dict(self._connection.execute("SELECT name, elapsed FROM clock_marks WHERE sitting = ?", (game_id,)))


def _read_entry_row(seq: int, what: str, wall: float, monotonic: float, boot: str) -> JournalEntry:
    try:
        stamp = Timestamp(wall=wall, monotonic=monotonic, boot=boot)
        return JournalEntry(seq=seq, what=EntryContent.from_json(what), stamp=stamp)
    except (InvalidSavedGame, ValidationError) as error:  # its checksum is valid: it was meant so
        raise InvalidSavedGame(
            _("entry {number} is of a newer version: update the companion (the game is kept)", number=seq)
        ) from error


def _make_entry_row(game_id: int, entry: JournalEntry) -> schema.Row:
    what, stamp = entry.what.model_dump_json(exclude_none=True), entry.stamp
    return schema.add_checksum((game_id, entry.seq, what, stamp.wall, stamp.monotonic, stamp.boot))
