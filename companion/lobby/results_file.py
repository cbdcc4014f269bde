"""The file of the results of past games: one result a line, with its checksum.

The end of a game appends a line, which takes no longer the more games there are; a file that is mostly out of date is
written again.
"""

import os
from pathlib import Path

from companion.config.json_store import StoredModel
from companion.file_reader import read_file
from companion.journal.checked_lines import format_checked_line, parse_checked_line
from companion.journal.entry import Timestamp
from companion.os_compat import WRITE_FLAGS, sync_file
from companion.system.atomic_file import sync_folder, write_atomic

MAX_FILE_BYTES = 64 << 20
"""Longest file that is read: far beyond the results of all games of a life."""
MAX_SPARE_BYTES = 1 << 20
"""Bytes out of date, beyond as many as are in use, with which the file is not yet written again."""


class StoredResult(StoredModel):
    """The result of one game, and the entry that it was made from."""

    seq: int
    """Number of the last entry that it was made from; 0: there was none."""
    stamp: Timestamp | None
    """When that entry was made."""
    language: str
    duration_s: float
    game: str
    players: list[str]
    moves: int
    scores: list[int]
    rounds: list[list[int]]
    over: bool
    winners: list[int]
    places: list[int]
    lowest_wins: bool
    reason: str | None
    dice: list[list[int]]
    put_away: bool

    def has_lost_end(self, seq: int, stamp: Timestamp | None) -> bool:
        """Return whether it was made from later entries than the last one that the journal has.

        Args:
            seq: number of that entry; 0: there is none.
            stamp: when that entry was made.
        """
        # A game that goes on after the loss has fewer entries for a while, and they are newer.
        return self.seq > seq and (stamp is None or self.stamp is None or stamp.wall <= self.stamp.wall)


class ResultsFile:
    """Results by the games' unique ids. No method raises: what cannot be stored is made again from the journal.

    >>> ResultsFile(None).get("c0ffee") is None
    True

    Args:
        path: the file, whose folder must exist when it is written; None: nothing is stored.
        model: class of the results.
    """

    def __init__(self, path: Path | None, model: type[StoredResult] = StoredResult) -> None:
        self._path, self._model = path, model
        self._texts: dict[str, bytes] = {}
        """The JSON of each result, which is parsed when it is asked for."""
        self._file_bytes = 0
        self._pending: dict[str, StoredResult] = {}
        """Added while the file could not be read: it may have later ones."""
        self.is_unread = False
        """Whether there is a file whose content is not known, since it could not be read."""
        self._read()

    def get(self, uid: str) -> StoredResult | None:
        """Return the result of a game; None: there is none, or this version does not understand it."""
        if uid in self._pending:
            return self._pending[uid]
        try:
            return self._model.model_validate_json(self._texts[uid], strict=True)
        except (KeyError, ValueError):
            return None

    def add(self, new: dict[str, StoredResult], known: set[str] | None = None) -> None:
        """Store results; of a game that has lost its end since an earlier result, that one stays.

        Args:
            new: results by the games' unique ids.
            known: unique ids of all games, the results of others are dropped; None: nothing is dropped.
        """
        self._pending |= new
        if self.is_unread:
            self._read()
        if self.is_unread:
            return
        new, self._pending = self._pending, {}
        lines = b""
        for uid, result in new.items():
            stored = self.get(uid)
            if stored is None or not stored.has_lost_end(result.seq, result.stamp):
                self._texts[uid] = result.model_dump_json().encode()
                lines += self._format_line(uid)
        gone = set() if known is None else self._texts.keys() - known
        for uid in gone:
            del self._texts[uid]
        if self._path is None:
            return
        used = sum(map(len, self._texts.values()))
        try:
            if gone or self._file_bytes + len(lines) > 2 * used + MAX_SPARE_BYTES:
                whole = b"".join(map(self._format_line, self._texts))
                write_atomic(self._path, whole)
                self._file_bytes = len(whole)
            elif lines:
                self._append(self._path, lines)
        except OSError:
            pass  # the next start makes them again: no message is needed

    def retry(self) -> None:
        """Read the file again if it could not be read before."""
        if self.is_unread:
            self._read()
        if self._pending:
            self.add({})

    def _read(self) -> None:
        self.is_unread = False
        if self._path is None:
            return
        try:
            data = read_file(self._path, MAX_FILE_BYTES)
        except FileNotFoundError:
            return
        except OSError:
            self.is_unread = True
            return
        self._file_bytes = len(data)
        for line in data.split(b"\n"):
            uid, _, text = parse_checked_line(line).partition(b" ")
            if text:
                self._texts[uid.decode("utf-8", "replace")] = text

    def _format_line(self, uid: str) -> bytes:
        return format_checked_line(b"%s %s" % (uid.encode(), self._texts[uid]))

    def _append(self, path: Path, lines: bytes) -> None:
        is_new = not path.exists()
        with os.fdopen(os.open(path, WRITE_FLAGS | os.O_APPEND, 0o600), "ab") as file:
            # The line break in front ends a line that was torn. `write` goes on where the disk takes only a part.
            self._file_bytes += file.write(b"\n" + lines)
            file.flush()
            sync_file(file.fileno())
        if is_new:
            sync_folder(path.parent)
