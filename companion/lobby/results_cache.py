"""What was played here before, read from the journal once: results are kept beside it, by sitting.

The journal stays the one truth: what is kept is used only as long as the sitting's last entry is the one that it was
made from, and a file that is lost or damaged costs the time of replaying.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import tzinfo
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from companion import __version__, games
from companion.config.json_store import JsonStore
from companion.games.api.offers import GameDefinition
from companion.games.registry import UnknownGame, find_game
from companion.i18n import current_language
from companion.journal.database import GameRecord, Journal
from companion.journal.entry import GameSetup
from companion.journal.errors import InvalidSavedGame
from companion.journal.summary import summarise_game, summarise_record

RESULTS_FILE = "results.json"
STORED_KEYS = ("game", "players", "moves", "scores", "rounds", "over", "winners", "reason", "put_away")
"""Keys of `told` that need a replay. Of these, `reason` is said in a language."""


class _StoredResult(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    seq: int
    """Of the last entry that it was made from; 0: none."""
    language: str
    game: str
    players: list[str]
    moves: int
    scores: list[int]
    rounds: list[list[int]]
    over: bool
    winners: list[int]
    reason: str | None
    put_away: bool


class _StoredResults(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    program: str = ""
    """What made them, as `program` tells it: another one may count otherwise."""
    by_uid: dict[str, _StoredResult] = Field(default_factory=dict)


def program_state() -> str:
    """Tells one state of the rules from another: the version, and when a file of the games was last changed."""
    changed = max(file.stat().st_mtime_ns for folder in games.__path__ for file in Path(folder).rglob("*.py"))
    return f"{__version__} {changed}"


class ResultsCache:
    """All sittings of a journal, as `companion.journal.summary.told` tells them; reading goes on from call to call.

    Args:
        journal: it is only read.
        folder: where results are kept; None: nowhere.
        seconds: a clock, in seconds: reading stops when its time is up.
        find: the game of a name.
        zone: of the times; None: the local one.
        writing: whether what was found out may be written down.
    """

    def __init__(
        self,
        journal: Journal,
        folder: Path | None = None,
        clock: Callable[[], float] = time.monotonic,
        find: Callable[[str], GameDefinition] = find_game,
        zone: tzinfo | None = None,
        *,
        can_write: bool = True,
    ) -> None:
        self._journal, self._seconds, self._find, self._zone = journal, clock, find, zone
        self._file = folder / RESULTS_FILE if folder else None
        self._results: JsonStore[_StoredResults] | None = None
        self._writing, self._has_new = can_write, False
        self._records: tuple[GameRecord, ...] = ()
        self.summaries: list[dict[str, Any]] = []
        """Those read so far, oldest first."""

    @property
    def unread_count(self) -> int:
        """How many sittings are still to be read."""
        return len(self._records) - len(self.summaries)

    @property
    def _store(self) -> JsonStore[_StoredResults]:
        """Read when it is first needed."""
        if self._results is None:
            # A damaged file is put aside without a word: nobody chose what stands in it.
            self._results = JsonStore(self._file, _StoredResults, "{where}")
            if self._results.value.program != program_state():
                self._results.value = _StoredResults(program=program_state())
        return self._results

    def restart(self) -> None:
        """Begin anew: something may have been played since."""
        self._records, self.summaries = self._journal.list_games(), []

    def read_more(self, budget: float | None = None, *, reasons: bool = False) -> bool:
        """Read on, at least one sitting, for about `budget` seconds (None: to the end); whether all are read.

        `reasons`: those said in another language are worked out anew; else they may be in any.
        """
        until = None if budget is None else self._seconds() + budget
        while self.unread_count:
            self.summaries.append(self._summarise(self._records[len(self.summaries)], reasons=reasons))
            if until is not None and self._seconds() >= until:
                break
        if self.unread_count:
            return False
        if self._has_new and self._writing:
            here = {record.uid for record in self._records}
            known = {uid: result for uid, result in self._store.value.by_uid.items() if uid in here}
            # Where it cannot be written, the next look replays again: there is nothing to tell anybody.
            self._store.save(_StoredResults(program=self._store.value.program, by_uid=known))
            self._has_new = False
        return True

    def _summarise(self, record: GameRecord, *, reasons: bool) -> dict[str, Any]:
        try:
            last = self._journal.read_last_entry(record.id)
        except InvalidSavedGame:
            return summarise_game(self._journal, record, self._find, self._zone)
        seq = last.seq if last else 0
        kept = self._store.value.by_uid.get(record.uid)
        if (
            kept is not None
            and kept.seq == seq
            and (kept.language == current_language() or not reasons or not kept.reason)
        ):
            try:
                title = self._find(GameSetup.from_json(record.setup_json).game).title
            except (InvalidSavedGame, UnknownGame):
                return summarise_game(self._journal, record, self._find, self._zone)
            known = {"game": kept.game, "title": title} | kept.model_dump(include=set(STORED_KEYS)) | {"trouble": None}
            return summarise_record(record, self._zone) | known
        found = summarise_game(self._journal, record, self._find, self._zone)
        if found["trouble"] is None:
            result = _StoredResult(seq=seq, language=current_language(), **{key: found[key] for key in STORED_KEYS})
            self._store.value.by_uid[record.uid] = result
            self._has_new = True
        return found
