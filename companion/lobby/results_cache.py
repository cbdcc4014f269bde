"""Cache of the results of past games, so that the journal is replayed only once.

A stored result is used while the game's last entry is the one that the result was made from, also after an upgrade: it
is what people were shown. If the disk has lost a part of the game, the stored result is still shown until the game
goes on. A cache file that is lost or damaged costs no more than the time of replaying.
"""

import time
from collections.abc import Callable, Mapping
from datetime import tzinfo
from functools import cached_property
from pathlib import Path
from typing import Any

from companion.api import AnyGameDefinition
from companion.api.registry import find_game
from companion.i18n import current_language
from companion.journal.database import GameRecord, Journal
from companion.journal.entry import GameSetup, InvalidSavedGame
from companion.journal.exported_game import find_definition
from companion.journal.game_summary import digest_rules, format_game_title, summarise_game, summarise_record
from companion.lobby.results_file import ResultsFile, StoredResult

RESULTS_FILE = "results.txt"
STORED_KEYS = (
    *("duration_s", "game", "players", "moves", "scores", "rounds", "over", "winners", "places", "lowest_wins"),
    *("reason", "dice", "put_away"),
)
"""Keys of `summarise_game` that need a replay. `reason` is a translated text."""
LOST_END = "The disk has lost the last entries of this game. Its result was stored before."
"""`trouble` of a game that ended with more entries than the journal has."""


class ResultsCache:
    """Summaries of all games of a journal (see `companion.journal.game_summary`); reading goes on from call to call.

    Args:
        journal: the journal; it is only read.
        folder: where results are stored; None: nowhere.
        clock: a monotonic clock, returns seconds; reading stops when its time is up.
        find: finds a game by its name, or raises `UnknownGame`.
        zone: time zone of the summaries; None: the local one.
        can_write: results may be stored.
    """

    def __init__(
        self,
        journal: Journal,
        folder: Path | None = None,
        clock: Callable[[], float] = time.monotonic,
        find: Callable[[str], AnyGameDefinition] = find_game,
        zone: tzinfo | None = None,
        *,
        can_write: bool = True,
    ) -> None:
        self._journal, self._clock, self._find, self._zone = journal, clock, find, zone
        self._file = folder / RESULTS_FILE if folder else None
        self._can_write = can_write
        self._new: dict[str, StoredResult] = {}
        """Results that are not stored yet, by the games' unique ids."""
        self._records: tuple[GameRecord, ...] = ()
        self.player_names = journal.player_names
        self.summaries: list[dict[str, Any]] = []
        """Summaries of the games read so far, oldest first, with the names that the journal has."""

    @property
    def unread_count(self) -> int:
        """Number of games of the journal that are still to be read; 0 before the first `restart`."""
        return len(self._records) - len(self.summaries)

    @cached_property
    def _store(self) -> ResultsFile:
        """The stored results, read when they are first needed."""
        return ResultsFile(self._file)

    def restart(self) -> None:
        """Start again from the first game: forget the summaries, and list the journal's games again.

        Raises:
            JournalUnwritable: the journal cannot be read; everything stays as it was.
        """
        self._records, self.summaries = self._journal.list_games(), []
        self._store.retry()

    def read_more(self, budget: float | None = None, *, reasons: bool = False) -> bool:
        """Read at least one more game into `summaries`, if there is one, from the stored results or by replaying it.

        After the last one new results are stored in the folder; a failure to write them is no error. A game that cannot
        be replayed has a summary with the reason in `trouble`, and its last stored result if there is one.

        Args:
            budget: seconds after which reading stops; None: all games are read.
            reasons: stored reasons in another language are translated again; else they may be in any language.

        Returns:
            Whether all games have been read.

        Raises:
            JournalUnwritable: the journal cannot be read.
            Exception: a game of another package may raise any error.
        """
        until = None if budget is None else self._clock() + budget
        while self.unread_count:
            self.summaries.append(self._summarise(self._records[len(self.summaries)], reasons=reasons))
            if until is not None and self._clock() >= until:
                break
        if self.unread_count:
            return False
        self._save({record.uid for record in self._records})
        return True

    def note_result(self, record: GameRecord) -> None:
        """Store the result of a game that has just ended, before anything of it can be lost.

        Raises:
            JournalUnwritable: the journal cannot be read.
            Exception: a game of another package may raise any error.
        """
        self._summarise(record, reasons=True)
        self._save(None)

    def _save(self, known: set[str] | None) -> None:
        if self._new and self._can_write:
            new, self._new = self._new, {}
            self._store.add(new, known)

    def _summarise(self, record: GameRecord, *, reasons: bool) -> dict[str, Any]:
        try:
            last = self._journal.read_last_entry(record.id)
            setup = GameSetup.from_json(record.setup_json)
            title = format_game_title(find_definition(setup, self._find), setup)
        except InvalidSavedGame:
            return summarise_game(self._journal, record, self._find, self._zone)
        known = {"title": title, "rules": digest_rules(setup)}
        seq, stamp, language = last.seq if last else 0, last.stamp if last else None, current_language()
        stored = self._new.get(record.uid) or self._store.get(record.uid)
        if stored is not None and stored.has_lost_end(seq, stamp):
            return self._restore(record, known, stored, LOST_END)
        if (
            stored is not None
            and (stored.seq, stored.stamp) == (seq, stamp)
            and (stored.language == language or not (reasons and stored.reason))
        ):
            return self._restore(record, known, stored, None)
        found = summarise_game(self._journal, record, self._find, self._zone)
        if found["trouble"] is not None and stored is not None:
            return self._restore(record, known, stored, found["trouble"])
        if found["trouble"] is None:
            values = {key: found[key] for key in STORED_KEYS}
            self._new[record.uid] = StoredResult(seq=seq, stamp=stamp, language=language, **values)
        return found

    def _restore(
        self, record: GameRecord, known: Mapping[str, str], stored: StoredResult, trouble: str | None
    ) -> dict[str, Any]:
        return summarise_record(record, self._journal.clock, self._zone, stored.stamp) | {
            "game": stored.game,
            **known,
            **stored.model_dump(include=set(STORED_KEYS)),
            "trouble": trouble,
        }
