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
from companion.config.json_store import Kept
from companion.games.api.offers import Kit
from companion.games.registry import UnknownGame, find
from companion.i18n import language
from companion.journal.database import Journal, Record
from companion.journal.entry import Setup
from companion.journal.errors import BadSitting
from companion.journal.summary import head, told

FILE = "results.json"
KEPT = ("game", "players", "moves", "scores", "rounds", "over", "winners", "reason", "put_away")
"""Keys of `told` that need a replay. Of these, `reason` is said in a language."""


class _Result(BaseModel):
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


class _Results(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    program: str = ""
    """What made them, as `program` tells it: another one may count otherwise."""
    by_uid: dict[str, _Result] = Field(default_factory=dict)


def program() -> str:
    """Tells one state of the rules from another: the version, and when a file of the games was last changed."""
    changed = max(file.stat().st_mtime_ns for folder in games.__path__ for file in Path(folder).rglob("*.py"))
    return f"{__version__} {changed}"


class Past:
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
        seconds: Callable[[], float] = time.monotonic,
        find: Callable[[str], Kit] = find,
        zone: tzinfo | None = None,
        *,
        writing: bool = True,
    ) -> None:
        self._journal, self._seconds, self._find, self._zone = journal, seconds, find, zone
        self._file = folder / FILE if folder else None
        self._results: Kept[_Results] | None = None
        self._writing, self._new = writing, False
        self._records: tuple[Record, ...] = ()
        self.sittings: list[dict[str, Any]] = []
        """Those read so far, oldest first."""

    @property
    def left(self) -> int:
        """How many sittings are still to be read."""
        return len(self._records) - len(self.sittings)

    @property
    def _kept(self) -> Kept[_Results]:
        """Read when it is first needed."""
        if self._results is None:
            # A damaged file is put aside without a word: nobody chose what stands in it.
            self._results = Kept(self._file, _Results, "{where}")
            if self._results.value.program != program():
                self._results.value = _Results(program=program())
        return self._results

    def open(self) -> None:
        """Begin anew: something may have been played since."""
        self._records, self.sittings = self._journal.records(), []

    def read(self, budget: float | None = None, *, reasons: bool = False) -> bool:
        """Read on, at least one sitting, for about `budget` seconds (None: to the end); whether all are read.

        `reasons`: those said in another language are worked out anew; else they may be in any.
        """
        until = None if budget is None else self._seconds() + budget
        while self.left:
            self.sittings.append(self._told(self._records[len(self.sittings)], reasons=reasons))
            if until is not None and self._seconds() >= until:
                break
        if self.left:
            return False
        if self._new and self._writing:
            here = {record.uid for record in self._records}
            known = {uid: result for uid, result in self._kept.value.by_uid.items() if uid in here}
            # Where it cannot be written, the next look replays again: there is nothing to tell anybody.
            self._kept.put(_Results(program=self._kept.value.program, by_uid=known))
            self._new = False
        return True

    def _told(self, record: Record, *, reasons: bool) -> dict[str, Any]:
        try:
            last = self._journal.last(record.id)
        except BadSitting:
            return told(self._journal, record, self._find, self._zone)
        seq = last.seq if last else 0
        kept = self._kept.value.by_uid.get(record.uid)
        if kept is not None and kept.seq == seq and (kept.language == language() or not reasons or not kept.reason):
            try:
                title = self._find(Setup.from_json(record.setup).game).title
            except (BadSitting, UnknownGame):
                return told(self._journal, record, self._find, self._zone)
            known = {"game": kept.game, "title": title} | kept.model_dump(include=set(KEPT)) | {"trouble": None}
            return head(record, self._zone) | known
        found = told(self._journal, record, self._find, self._zone)
        if found["trouble"] is None:
            result = _Result(seq=seq, language=language(), **{key: found[key] for key in KEPT})
            self._kept.value.by_uid[record.uid] = result
            self._new = True
        return found
