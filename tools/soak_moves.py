"""The moves that a long simulated session has shown as played: no fault may take one away."""

from __future__ import annotations

from companion.api import registry
from companion.journal.database import Journal
from companion.journal.entry import GameSetup
from companion.journal.replay import Replay
from companion.journal.saved_game import SavedGame


class ShownMoves:
    """The moves that the screen has shown, by saved game; compared with the journal at each start of the program."""

    def __init__(self) -> None:
        self._last_noted = (0, 0)
        self._entries: dict[str, list[str]] = {}
        """By uid of the saved game: the entries that were shown as played."""

    def note(self, saved_game: SavedGame, journal: Journal) -> bool:
        """Record the moves that the screen shows as played; return whether their number has changed."""
        if (saved_game.id, saved_game.last_seq) == self._last_noted:
            return False
        self._last_noted = saved_game.id, saved_game.last_seq
        known = self._entries.setdefault(journal.get_game(saved_game.id).uid, [])
        if saved_game.last_seq == len(known):
            return False
        happened = saved_game.replay.history
        known += [entry.what.model_dump_json(exclude_none=True) for entry, _ in happened[len(known) :]]
        return True

    def count_lost(self, journal: Journal) -> int:
        """Count the moves that were shown and are not in the journal, in order; every saved game can be replayed."""
        lost, kept = 0, {record.uid: record for record in journal.list_games()}
        for uid, shown in self._entries.items():
            entries = journal.read_entries(kept[uid].id) if uid in kept else ()
            found = [entry.what.model_dump_json(exclude_none=True) for entry in entries]
            lost += sum(a != b for a, b in zip(shown, found, strict=False)) + max(0, len(shown) - len(found))
            shown[:] = found
            setup = GameSetup.from_json(kept[uid].setup_json)
            assert Replay.from_entries(registry.find_game(setup.game), setup, entries).problem is None
        return lost
