"""The journal's file: games and their entries, append-only; an entry is on the disk when `append_entry` returns.

All data are SQL rows as `schema` describes them; `entry` has the models of their content.
"""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import ValidationError

from companion.i18n import _
from companion.journal import schema
from companion.journal.connection import JournalConnection, RowDamaged, with_repair
from companion.journal.entry import (
    EntryContent,
    EntryKind,
    GameSetup,
    InvalidSavedGame,
    JournalEntry,
    Timestamp,
)
from companion.log import log

JOURNAL_FILE = "journal.sqlite3"
SLOW_WRITE_SECONDS = 1.0
"""Longest time to write an entry without a warning in the log; a slower disk makes a button press seem to hang."""

_SELECT_GAMES = "SELECT id, uid, setup, imported, wall, monotonic, boot FROM sittings"


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


class Journal(JournalConnection):
    """An open journal file, to be used by the thread that opened it. Only one process can write to it at a time.

    Methods that read raise `JournalUnwritable` too if the file cannot be read; if it is damaged it is repaired, and
    they read again. Every method but `close` raises it after `close` and in another thread, and every method that
    writes raises it if the journal was opened with `allow_read_only`.
    """

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

    @with_repair
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
        self._ensure_in_place()
        known = self._connection.execute("SELECT id FROM sittings WHERE uid = ?", (uid,)).fetchone()
        if known is not None:
            raise InvalidSavedGame(f"this game is already in the journal, as number {known[0]}")
        game_id: int
        (game_id,) = self._connection.execute("SELECT coalesce(max(id), 0) + 1 FROM sittings").fetchone()
        stamp = started.wall, started.monotonic, started.boot
        game = schema.add_checksum((game_id, uid, setup.model_dump_json(), int(imported), *stamp))
        rows = [_make_entry_row(game_id, entry) for entry in entries]
        with self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.execute(schema.INSERT_GAME, game)
            self._connection.executemany(schema.INSERT_ENTRY, rows)
        self._mirror.append((game, *rows))
        return game_id

    def append_entry(self, game_id: int, content: EntryContent) -> JournalEntry:
        """Write `content` as the next entry of the game, as `append_entries` does, and return the entry."""
        (entry,) = self.append_entries(game_id, (content,))
        return entry

    @with_repair
    def append_entries(self, game_id: int, contents: Sequence[EntryContent]) -> tuple[JournalEntry, ...]:
        """Write the next entries of the game in one transaction; when this returns they are on the disk.

        Args:
            game_id: number of the game in the journal, from 1.
            contents: not checked against the rules; play through `SavedGame`, which checks them first.

        Returns:
            The entries with their numbers and timestamps.

        Raises:
            JournalUnwritable: nothing was written; also if there is no such game.
        """
        start = self.clock.monotonic()
        self._ensure_in_place()
        (last,) = self._connection.execute(
            "SELECT coalesce(max(seq), 0) FROM entries WHERE sitting = ?", (game_id,)
        ).fetchone()
        stamp = self.clock.now()
        entries = tuple(JournalEntry(seq=seq, what=what, stamp=stamp) for seq, what in enumerate(contents, last + 1))
        rows = [_make_entry_row(game_id, entry) for entry in entries]
        with self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.executemany(schema.INSERT_ENTRY, rows)
        self._mirror.append(rows)
        seconds = self.clock.monotonic() - start
        if seconds > SLOW_WRITE_SECONDS:
            log.warning("Writing took %.1f s: the disk is slow, perhaps the SD card is worn.", seconds)
        if self._last_write_error is not None:
            log.info("The journal can be written again.")
            self._last_write_error = None
        self.clock.note_boot()
        return entries

    def set_aside(self, game_id: int) -> None:
        """Write that a game is not to be resumed at the next start; it need not be loaded (`SavedGame.set_aside` does).

        Raises:
            JournalUnwritable: nothing was written.
        """
        self.append_entry(game_id, EntryContent(kind=EntryKind.SET_ASIDE))

    @with_repair
    def list_games(self, newest: int | None = None) -> tuple[GameRecord, ...]:
        """Return all games by their numbers in the journal, lowest first; empty: there are none.

        Imported games come in the order of their import.

        Args:
            newest: return at most this many games, the newest ones; None: all games.

        Raises:
            JournalUnwritable: the file cannot be read.
        """
        rows = self._connection.execute(
            f"{_SELECT_GAMES} ORDER BY id DESC LIMIT ?", (-1 if newest is None else newest,)
        )
        return tuple(_read_game_row(*row) for row in reversed(rows.fetchall()))

    @with_repair
    def list_latest_games(self, newest: int, name_settings: Sequence[str] = ()) -> tuple[GameRecord, ...]:
        """Return of each game the one that was begun last at this table, the latest first; imported ones do not count.

        Args:
            newest: number of newest games that are searched.
            name_settings: house rules, such as a given name, by whose values games of one kind are told apart.

        Raises:
            JournalUnwritable: the file cannot be read.
        """
        # A setup that is no JSON must not hide the others. Beside max() SQLite takes the other columns of that row.
        setup = "CASE WHEN json_valid(setup) THEN setup END"
        paths = ["$.game", *(f'$.settings."{name}"' for name in name_settings)]
        kinds = ", ".join(f"json_extract({setup}, ?)" for _path in paths)
        rows = self._connection.execute(
            f"SELECT max(id), uid, setup, imported, wall, monotonic, boot "
            f"FROM ({_SELECT_GAMES} WHERE NOT imported ORDER BY id DESC LIMIT ?) GROUP BY {kinds} ORDER BY 1 DESC",
            (newest, *paths),
        )
        return tuple(_read_game_row(*row) for row in rows)

    @with_repair
    def get_game(self, game_id: int) -> GameRecord:
        """Return the record of one game.

        Args:
            game_id: its number in the journal, from 1.

        Raises:
            InvalidSavedGame: there is none of that number.
            JournalUnwritable: the file cannot be read.
        """
        row = self._connection.execute(f"{_SELECT_GAMES} WHERE id = ?", (game_id,)).fetchone()
        if row is None:
            raise InvalidSavedGame(f"there is no game number {game_id} in {self.path}")
        return _read_game_row(*row)

    @with_repair
    def read_entries(self, game_id: int) -> tuple[JournalEntry, ...]:
        """Return all entries of game number `game_id`, in order; empty: there are none, or no such game.

        Raises:
            InvalidSavedGame: this version does not know an entry.
            JournalUnwritable: the file cannot be read.
        """
        entries = self._select_entries(game_id, "seq")
        if any(entry.seq != number for number, entry in enumerate(entries, 1)):
            raise RowDamaged("entries were missing")
        return entries

    @with_repair
    def read_last_entry(self, game_id: int) -> JournalEntry | None:
        """Return the last entry of game number `game_id`; None: it has none, or there is no such game.

        Raises:
            InvalidSavedGame: this version does not know the entry.
            JournalUnwritable: the file cannot be read.
        """
        return next(iter(self._select_entries(game_id, "seq DESC LIMIT 1")), None)

    @with_repair
    def has_seat_changes(self, game_id: int) -> bool:
        """Return whether somebody joined game number `game_id`, or a name or places changed, even if it was undone.

        Raises:
            JournalUnwritable: the file cannot be read.
        """
        query = "SELECT EXISTS (SELECT 1 FROM entries WHERE sitting = ? AND what LIKE ?)"
        pattern = f'{{"kind":"{EntryKind.SEATED.value}"%'
        return bool(self._connection.execute(query, (game_id, pattern)).fetchone()[0])

    def _select_entries(self, game_id: int, order: str) -> tuple[JournalEntry, ...]:
        rows = self._connection.execute(
            f"SELECT * FROM entries WHERE sitting = ? ORDER BY {order}", (game_id,)
        ).fetchall()
        if not all(map(schema.has_valid_checksum, rows)):
            raise RowDamaged("a row of its entries was changed")
        return tuple(_read_entry_row(*row[1:-1]) for row in rows)

    @with_repair
    def find_last_game(self) -> int | None:
        """Return the number of the game that was played last at this table, also if it was set aside.

        That is the newest one if it has no entry yet, else the one with the latest entry, since an older game may have
        been continued. Imported games do not count.

        Returns:
            The game's number in the journal; None: no game was played here.

        Raises:
            JournalUnwritable: the file cannot be read.
        """
        (newest,) = self._connection.execute("SELECT max(id) FROM sittings WHERE NOT imported").fetchone()
        latest = self._connection.execute(
            "SELECT sitting FROM entries JOIN sittings ON id = sitting WHERE NOT imported "
            "AND EXISTS (SELECT 1 FROM entries WHERE sitting = ?) ORDER BY entries.rowid DESC LIMIT 1",
            (newest,),
        ).fetchone()
        number: int | None = latest[0] if latest else newest
        return number

    def find_resumable_game(self) -> int | None:
        """Return the number of the game that was played last, unless it was set aside. It may have ended.

        Returns:
            The game's number in the journal; None: no game was played here, or the last one was set aside.

        Raises:
            InvalidSavedGame: this version does not know the last entry.
            JournalUnwritable: the file cannot be read.
        """
        if (latest := self.find_last_game()) is None:
            return None
        last = self.read_last_entry(latest)
        return None if last is not None and last.what.kind is EntryKind.SET_ASIDE else latest

    @with_repair
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
        with self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.execute("DELETE FROM clock_marks WHERE sitting = ?", (game_id,))
            self._connection.executemany(
                "INSERT INTO clock_marks VALUES (?, ?, ?)", [(game_id, name, float(s)) for name, s in elapsed.items()]
            )

    @with_repair
    def read_clock_marks(self, game_id: int) -> dict[str, float]:
        """Return the seconds that each clock of game number `game_id` had counted when they were last stored, by name.

        A clock without a mark is absent; without any marks, or without such a game, the result is empty.

        Raises:
            JournalUnwritable: the file cannot be read.
        """
        return dict(self._connection.execute("SELECT name, elapsed FROM clock_marks WHERE sitting = ?", (game_id,)))


def _read_game_row(
    id: int, uid: str, setup: str, imported: int, wall: float, monotonic: float, boot: str
) -> GameRecord:
    return GameRecord(id, uid, setup, bool(imported), Timestamp(wall=wall, monotonic=monotonic, boot=boot))


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
