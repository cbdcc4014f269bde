"""A program that plays Macroscope on a watched disk, and acknowledges what it believes to be stored.

Usage: player.py FOLDER SEED ENTRIES
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from random import Random

from companion.games.macroscope import GAME
from companion.journal.database import JOURNAL_FILE, Journal
from companion.journal.saved_game import SavedGame
from tests.fault_injection.disk import Control
from tests.journal.play import SETUP, act


def main(folder: Path, seed: int, entries: int) -> None:
    random, control = Random(seed), Control()
    with Journal(folder / JOURNAL_FILE) as journal:
        number = journal.find_resumable_game()
        while entries > 0:
            saved_game = SavedGame.begin(journal, SETUP, GAME) if number is None else SavedGame(journal, number, GAME)
            number = None
            acknowledge(control, saved_game, None)
            for _ in range(random.randint(20, 60)):
                entries -= 1
                act(random, saved_game)
                acknowledge(control, saved_game, None)
                journal.save_clock_marks(saved_game.id, {"turn": entries})
                acknowledge(control, saved_game, entries)
        print(json.dumps(read_content(journal)))


def read_content(journal: Journal) -> dict[int, list[str]]:
    """Return the entries of each game, by the game's number."""
    return {
        record.id: [entry.what.model_dump_json(exclude_none=True) for entry in journal.read_entries(record.id)]
        for record in journal.list_games()
    }


def acknowledge(control: Control, saved_game: SavedGame, clock: int | None) -> None:
    control.ack(saved_game.id, json.dumps([saved_game.last_seq, clock]))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
