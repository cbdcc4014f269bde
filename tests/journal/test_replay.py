"""A sitting is the replay of its entries, whatever was played, taken back, corrected or interrupted."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.games.api.game import BadCorrection, Correction, IllegalMove, Move, Seat
from companion.journal.database import Journal
from companion.journal.errors import NothingToUndo
from companion.journal.replay import SavedGame
from tests.journal.toy import KIT, SETUP, Toy


def add(seat: int, value: int) -> Move:
    return Move("add", Seat(seat), (value,))


def totals(sitting: SavedGame) -> tuple[int, ...]:
    assert isinstance(sitting.game, Toy)
    return sitting.game.totals


def test_undo_and_redo_of_any_depth_across_a_restart(tmp_path: Path) -> None:
    with Journal(tmp_path / "j") as journal:
        sitting = SavedGame.begin(journal, SETUP, KIT)
        for move in (add(0, 3), add(1, 5), add(0, 6)):
            sitting.play_move(move)
        assert totals(sitting) == (9, 5)
        assert sitting.last_move_text == "Ada adds 6"
        assert sitting.undo() == "Ada adds 6"
    with Journal(tmp_path / "j") as journal:
        assert journal.damage is None
        assert journal.find_resumable_game() == sitting.id
        sitting = SavedGame(journal, sitting.id, KIT)
        assert totals(sitting) == (3, 5)
        assert [sitting.undo(), sitting.undo()] == ["Bob adds 5", "Ada adds 3"]
        assert totals(sitting) == (0, 0)
        assert not sitting.can_undo
        with pytest.raises(NothingToUndo):
            sitting.undo()
        assert [sitting.redo() for _ in range(3)] == ["Ada adds 3", "Bob adds 5", "Ada adds 6"]
        with pytest.raises(NothingToUndo):
            sitting.redo()
        assert totals(sitting) == (9, 5)
        assert sitting.describe_steps() == ("Ada adds 3", "Bob adds 5", "Ada adds 6")


def test_a_new_move_after_an_undo_ends_the_redo(tmp_path: Path) -> None:
    with Journal(tmp_path / "j") as journal:
        sitting = SavedGame.begin(journal, SETUP, KIT)
        sitting.play_move(add(0, 3))
        sitting.undo()
        sitting.play_move(add(0, 4))
        assert not sitting.can_redo
        assert totals(sitting) == (4, 0)
        assert totals(SavedGame(journal, sitting.id, KIT)) == (4, 0)


def test_what_is_refused_leaves_no_entry(tmp_path: Path) -> None:
    with Journal(tmp_path / "j") as journal:
        sitting = SavedGame.begin(journal, SETUP, KIT)
        with pytest.raises(IllegalMove, match="X1"):
            sitting.play_move(add(1, 3))
        with pytest.raises(BadCorrection):
            sitting.correct(Correction("total", Seat(0), (100,)))
        with pytest.raises(ValueError, match="open move"):
            sitting.play_move(sitting.game.list_moves()[0])
        assert journal.read_entries(sitting.id) == ()
        assert sitting.game == KIT.create_game(2, Seat(0), KIT.settings_model())
