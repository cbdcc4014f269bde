"""A journal that leaves nothing on the disk, for a game that is not to be remembered."""

import sqlite3
import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack, closing
from pathlib import Path

from companion.journal import schema
from companion.journal.database import Journal
from companion.journal.mirror_file import MirrorFile
from companion.journal.renamed_players import PlayerNames
from companion.journal.timestamps import TimestampClock


class _NoMirror(MirrorFile):
    """Stands for the second copy of rows that need none."""

    def append(self, rows: Iterable[schema.Row], *, sync: bool = False) -> None:
        """Do nothing."""


class MemoryJournal(Journal):
    """A journal in memory: no file is read or written, and all is forgotten when it is closed.

    >>> with MemoryJournal(lambda: 0.0) as journal:
    ...     journal.list_games()
    ()

    Args:
        monotonic: returns seconds since the boot.
    """

    def __init__(self, monotonic: Callable[[], float]) -> None:
        # Instead of the base's, which locks and repairs a file.
        self.path, self.damage = Path(":memory:"), None
        self.clock, self.player_names = TimestampClock(time.time, monotonic, ""), PlayerNames()
        self._last_write_error, self._check, self._inode = None, None, None
        self._is_query_only, self._is_connected, self._has_lock = False, True, False
        self._mirror, self._connections, self._resources = _NoMirror(self.path, monotonic), ExitStack(), ExitStack()
        self._connection = self._resources.enter_context(closing(sqlite3.connect(":memory:", isolation_level=None)))
        self._connection.executescript(schema.CREATE_TABLES)
