"""The file: sittings and their entries, append-only, each on disk before its `append` returns."""

from __future__ import annotations

import fcntl
import logging
import os
import sqlite3
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from platformdirs import user_data_path

from companion.journal import schema
from companion.journal.entry import (
    EARLIEST_UNIX_SECONDS,
    LATEST_UNIX_SECONDS,
    EntryContent,
    EntryKind,
    GameSetup,
    JournalEntry,
    Timestamp,
)
from companion.journal.errors import InvalidSavedGame, JournalBusy
from companion.journal.recovery import JournalDamage, ensure_valid_journal, to_unwritable_error

JOURNAL_FILE = "journal.sqlite3"
log = logging.getLogger("companion")
SLOW_WRITE_SECONDS = 1.0
"""Seconds for an entry, above which the disk is slow: a press is felt to hang."""

# Every commit is on disk before it counts. A short log is soon read after a power cut, also by a small machine.
PRAGMAS = ("journal_mode = WAL", "synchronous = FULL", "wal_autocheckpoint = 100", "foreign_keys = ON")


def find_data_folder() -> Path:
    """Where the companion keeps its data for this user."""
    return user_data_path("companion")


def read_boot_id() -> str:
    """Tells one run of the machine from the next; empty where the kernel does not say."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return ""


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A sitting as listed: `setup` is JSON text, for `Setup.from_json`."""

    id: int
    uid: str
    setup_json: str
    imported: bool
    started: Timestamp


class Journal:
    """An open journal; one process at a time. To be used by one thread.

    `damage` says what was wrong with the file when it was opened and what was kept; None: it was sound.
    """

    def __init__(
        self,
        path: Path,
        wall: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
        boot: str | None = None,
        *,
        allow_read_only: bool = False,
    ) -> None:
        """Open the journal at `path`; made if there is none, with its folder.

        `beside`: if another process has it open, read along all the same; then nothing can be written.

        Raises:
            JournalBusy: another process has it open.
            JournalTooNew: a newer companion wrote it.
            JournalUnwritable: it cannot be read and written there.
        """
        self.path = path.absolute()
        self.damage: JournalDamage | None = None
        self._last_write_error: str | None = None
        """Why it could not be written last, as the log has it; None: it can."""
        self._wall, self._monotonic = wall, monotonic
        self._boot_id = read_boot_id() if boot is None else boot
        with ExitStack() as opened:
            if self._lock(opened):
                self.damage = ensure_valid_journal(self.path, self._timestamp_now().wall)
            elif not allow_read_only:
                raise JournalBusy(
                    f"The journal {self.path} is in use by another companion: close that one first, "
                    "or name another data folder."
                )
            with self._translated_errors():
                # Each statement is a transaction; rw: no empty file is made should it have gone meanwhile.
                connection = sqlite3.connect(f"{self.path.as_uri()}?mode=rw", uri=True, isolation_level=None)
                self._connection = opened.enter_context(closing(connection))
                for pragma in PRAGMAS:
                    self._connection.execute(f"PRAGMA {pragma}")
                if allow_read_only:
                    self._connection.execute("PRAGMA query_only = ON")
            self._resources = opened.pop_all()

    def _lock(self, opened: ExitStack) -> bool:
        """Whether this process is the one that has the journal open, until `opened` is closed."""
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            lock = os.open(self.path.with_name(f"{self.path.name}.lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            opened.callback(os.close, lock)
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError as error:
            raise to_unwritable_error(self.path, error) from error
        return True

    @contextmanager
    def _translated_errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            trouble = to_unwritable_error(self.path, error)
            if str(trouble) != self._last_write_error:  # once, and not at every mark of a clock
                self._last_write_error = str(trouble)
                log.error("%s", trouble)
            raise trouble from error

    def close(self) -> None:
        self._resources.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _timestamp_now(self) -> Timestamp:
        return Timestamp(wall=_clamp_wall_time(self._wall()), monotonic=float(self._monotonic()), boot=self._boot_id)

    def to_wall_time(self, stamp: Timestamp) -> float:
        """The stamp's time in Unix seconds, by the wall clock as it goes now.

        A Pi that has no clock of its own begins in the past: what was stamped since it was switched on is told by the
        monotonic clock, for the network may have told the time in between.
        """
        if not self._boot_id or stamp.boot != self._boot_id:
            return stamp.wall
        return _clamp_wall_time(self._wall() - (self._monotonic() - stamp.monotonic))

    def begin_game(self, setup: GameSetup) -> int:
        """Begin a new sitting; its id.

        Raises:
            JournalUnwritable: nothing was written.
        """
        return self.add_game(uuid.uuid4().hex, setup, self._timestamp_now(), (), imported=False)

    def add_game(
        self, uid: str, setup: GameSetup, started: Timestamp, entries: Sequence[JournalEntry], *, imported: bool
    ) -> int:
        """Add a whole sitting in one transaction; its id.

        Raises:
            BadSitting: a sitting with this `uid` is already there.
            JournalUnwritable: nothing was written.
        """
        with self._translated_errors():
            known = self._connection.execute("SELECT id FROM sittings WHERE uid = ?", (uid,)).fetchone()
            if known is not None:
                raise InvalidSavedGame(f"this sitting is already in the journal, as number {known[0]}")
            (sitting,) = self._connection.execute("SELECT coalesce(max(id), 0) + 1 FROM sittings").fetchone()
            row = (sitting, uid, setup.model_dump_json(), int(imported), started.wall, started.monotonic, started.boot)
            with self._connection:
                self._connection.execute("BEGIN IMMEDIATE")
                self._connection.execute(schema.INSERT_GAME, schema.add_checksum(row))
                self._connection.executemany(
                    schema.INSERT_ENTRY, [_make_entry_row(sitting, entry) for entry in entries]
                )
        return int(sitting)

    def append_entry(self, game_id: int, content: EntryContent) -> JournalEntry:
        """Write `what` as the sitting's next entry; when this returns it is on disk.

        Raises:
            JournalUnwritable: nothing was written.
        """
        began = self._monotonic()
        with self._translated_errors():
            (last,) = self._connection.execute(
                "SELECT coalesce(max(seq), 0) FROM entries WHERE sitting = ?", (game_id,)
            ).fetchone()
            entry = JournalEntry(seq=last + 1, what=content, stamp=self._timestamp_now())
            self._connection.execute(schema.INSERT_ENTRY, _make_entry_row(game_id, entry))
        took = self._monotonic() - began
        if took > SLOW_WRITE_SECONDS:
            log.warning("Writing took %.1f s: the disk is slow, perhaps the SD card is worn.", took)
        if self._last_write_error is not None:
            log.info("The journal can be written again.")
            self._last_write_error = None
        return entry

    def list_games(self) -> tuple[GameRecord, ...]:
        """All sittings, oldest first."""
        with self._translated_errors():
            rows = self._connection.execute(
                "SELECT id, uid, setup, imported, wall, monotonic, boot FROM sittings ORDER BY id"
            ).fetchall()
        return tuple(
            GameRecord(id, uid, setup, bool(imported), Timestamp(wall=wall, monotonic=monotonic, boot=boot))
            for id, uid, setup, imported, wall, monotonic, boot in rows
        )

    def get_game(self, game_id: int) -> GameRecord:
        """One sitting.

        Raises:
            BadSitting: there is none of that number.
        """
        for record in self.list_games():
            if record.id == game_id:
                return record
        raise InvalidSavedGame(f"there is no sitting number {game_id} in {self.path}")

    def read_entries(self, game_id: int) -> tuple[JournalEntry, ...]:
        """All that happened in the sitting, in order.

        Raises:
            BadSitting: an entry is not one that this version knows.
        """
        with self._translated_errors():
            rows = self._connection.execute(
                "SELECT seq, what, wall, monotonic, boot FROM entries WHERE sitting = ? ORDER BY seq", (game_id,)
            ).fetchall()
        return tuple(
            JournalEntry(
                seq=seq, what=EntryContent.from_json(what), stamp=Timestamp(wall=wall, monotonic=monotonic, boot=boot)
            )
            for seq, what, wall, monotonic, boot in rows
        )

    def read_last_entry(self, game_id: int) -> JournalEntry | None:
        """What happened last in the sitting; None: nothing yet.

        Raises:
            BadSitting: it is not an entry that this version knows.
        """
        with self._translated_errors():
            row = self._connection.execute(
                "SELECT seq, what, wall, monotonic, boot FROM entries WHERE sitting = ? ORDER BY seq DESC LIMIT 1",
                (game_id,),
            ).fetchone()
        if row is None:
            return None
        seq, what, wall, monotonic, boot = row
        return JournalEntry(
            seq=seq, what=EntryContent.from_json(what), stamp=Timestamp(wall=wall, monotonic=monotonic, boot=boot)
        )

    def find_resumable_game(self) -> int | None:
        """The sitting that was played last at this table, unless it was put away. It may be over: its replay tells.

        That is the newest one if nothing has happened in it yet, else the one with the latest entry: an older sitting
        may have been taken up again.
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
        """Note how many seconds each running clock has counted, in place of what was noted before.

        Raises:
            JournalUnwritable: the earlier marks stand.
        """
        with self._translated_errors(), self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.execute("DELETE FROM clock_marks WHERE sitting = ?", (game_id,))
            self._connection.executemany(
                "INSERT INTO clock_marks VALUES (?, ?, ?)", [(game_id, name, float(s)) for name, s in elapsed.items()]
            )

    def read_clock_marks(self, game_id: int) -> dict[str, float]:
        """Seconds counted by each clock when they were last noted."""
        with self._translated_errors():
            return dict(self._connection.execute("SELECT name, elapsed FROM clock_marks WHERE sitting = ?", (game_id,)))


def _clamp_wall_time(wall: float) -> float:
    """A clock that is out of its mind must not end the evening: order and durations do not come from it."""
    return min(max(float(wall), EARLIEST_UNIX_SECONDS), LATEST_UNIX_SECONDS)


def _make_entry_row(game_id: int, entry: JournalEntry) -> schema.Row:
    what, stamp = entry.what.model_dump_json(exclude_none=True), entry.stamp
    return schema.add_checksum((game_id, entry.seq, what, stamp.wall, stamp.monotonic, stamp.boot))
