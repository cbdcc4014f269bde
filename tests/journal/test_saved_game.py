"""Entries that cannot be replayed: the earlier state is kept, an error is reported, and the game continues."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Self

import pytest

from companion.api import IllegalMove, Move
from companion.journal.database import Journal
from companion.journal.entry import EntryKind, InvalidSavedGame, JournalUnwritable
from companion.journal.saved_game import SavedGame
from tests.definitions import change
from tests.journal.toy import GAME, SETUP, Toy, add


class Stricter(Toy):
    """The rules of another version: nobody may add a 6."""

    def play(self, move: Move) -> Self:
        if move.value == (6,):
            raise IllegalMove("X2", "nobody adds a 6")
        return super().play(move)


STRICTER = change(GAME, create_game=lambda players, first, settings: Stricter((0,) * players, first, settings))


def test_replay_stops_reports_and_continues(tmp_path: Path) -> None:
    with Journal(tmp_path / "j") as journal:
        saved_game = SavedGame.begin(journal, SETUP, GAME)
        for move in (add(0, 3), add(1, 6), add(0, 2)):
            saved_game.play_move(move)
        stopped = SavedGame(journal, saved_game.id, STRICTER)
        assert stopped.problem is not None
        assert "Entry 2 of this game cannot be replayed (X2: nobody adds a 6)" in stopped.problem
        assert stopped.game.totals == (3, 0)
        assert journal.read_entries(saved_game.id)[-1].seq == 3
        # A refused command changes nothing.
        with pytest.raises(IllegalMove):
            stopped.play_move(add(1, 6))
        assert len(journal.read_entries(saved_game.id)) == 3
        stopped.play_move(add(1, 5))
        stopped.play_move(add(0, 1))
        kinds = [entry.what.kind for entry in journal.read_entries(saved_game.id)[3:]]
        assert kinds == [EntryKind.TRUNCATED, EntryKind.MOVE, EntryKind.MOVE]
        again = SavedGame(journal, saved_game.id, STRICTER)
        assert again.problem is None
        assert again.game == stopped.game
        assert again.game.totals == (4, 5)
        again.undo()
        assert SavedGame(journal, saved_game.id, STRICTER).game.totals == (3, 5)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows lets nobody move an open file")
@pytest.mark.parametrize("what", ["file", "folder"])
def test_a_move_is_refused_while_the_journal_is_elsewhere(tmp_path: Path, what: str) -> None:
    folder = tmp_path / "data"
    path = folder / "j"
    moved, away = {"file": (path, tmp_path / "j"), "folder": (folder, tmp_path / "elsewhere")}[what]
    with Journal(path) as journal:
        saved_game = SavedGame.begin(journal, SETUP, GAME)
        saved_game.play_move(add(0, 3))
        moved.rename(away)
        with pytest.raises(JournalUnwritable, match="it was removed, moved or replaced") as refusal:
            saved_game.play_move(add(1, 6))
        assert refusal.value.screen_text.startswith("Not written down: the file was removed or moved")
        assert saved_game.game.totals == (3, 0)
        with pytest.raises(JournalUnwritable, match="it was removed, moved or replaced"):
            journal.begin_game(SETUP)
        away.rename(moved)
        saved_game.play_move(add(1, 5))
    with Journal(path) as journal:
        assert SavedGame(journal, 1, GAME).game.totals == (3, 5)
        assert journal.damage is None


@pytest.mark.skipif(sys.platform == "win32", reason="Windows lets nobody replace an open file")
def test_a_move_is_refused_once_another_journal_took_its_place(tmp_path: Path) -> None:
    path, backup = tmp_path / "j", tmp_path / "backup"
    with Journal(path) as journal:
        saved_game = SavedGame.begin(journal, SETUP, GAME)
        shutil.copyfile(path, backup)
        backup.replace(path)
        with pytest.raises(JournalUnwritable, match="it was removed, moved or replaced"):
            saved_game.play_move(add(0, 3))


def test_game_of_another_kind_is_refused(tmp_path: Path) -> None:
    with Journal(tmp_path / "j") as journal:
        number = journal.begin_game(SETUP)
        with pytest.raises(InvalidSavedGame, match="a game of toy, not of other"):
            SavedGame(journal, number, change(GAME, name="other"))
        with pytest.raises(InvalidSavedGame, match="Toy is for 3 to 6 players, not 2"):
            SavedGame.begin(journal, SETUP, change(GAME, player_counts=range(3, 7)))
        assert len(journal.list_games()) == 1
