"""A saved game is the replay of its entries, after moves, undo, corrections and interruptions."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.games import registry
from companion.games.api.base_game import CURRENT_RULINGS, FIRST_RULINGS
from companion.games.api.game import BadCorrection, Correction, IllegalMove, Move, Seat
from companion.journal.database import Journal
from companion.journal.entry import EntryContent, EntryKind, GameSetup, JournalEntry, Timestamp
from companion.journal.errors import InvalidSavedGame, NothingToUndo
from companion.journal.replay import Replay, SavedGame, _drop_truncated
from tests.journal.toy import GAME, SETUP, Toy


def add(seat: int, value: int) -> Move:
    return Move("add", Seat(seat), (value,))


def totals(saved_game: SavedGame) -> tuple[int, ...]:
    assert isinstance(saved_game.game, Toy)
    return saved_game.game.totals


def test_undo_and_redo_of_any_depth_across_a_restart(tmp_path: Path) -> None:
    with Journal(tmp_path / "j") as journal:
        saved_game = SavedGame.begin(journal, SETUP, GAME)
        for move in (add(0, 3), add(1, 5), add(0, 6)):
            saved_game.play_move(move)
        assert totals(saved_game) == (9, 5)
        assert saved_game.last_move_text == "Ada adds 6"
        assert saved_game.undo() == "Ada adds 6"
    with Journal(tmp_path / "j") as journal:
        assert journal.damage is None
        assert journal.find_resumable_game() == saved_game.id
        saved_game = SavedGame(journal, saved_game.id, GAME)
        assert totals(saved_game) == (3, 5)
        assert [saved_game.undo(), saved_game.undo()] == ["Bob adds 5", "Ada adds 3"]
        assert totals(saved_game) == (0, 0)
        assert not saved_game.can_undo
        with pytest.raises(NothingToUndo):
            saved_game.undo()
        assert [saved_game.redo() for _ in range(3)] == ["Ada adds 3", "Bob adds 5", "Ada adds 6"]
        with pytest.raises(NothingToUndo):
            saved_game.redo()
        assert totals(saved_game) == (9, 5)
        assert saved_game.describe_steps() == ("Ada adds 3", "Bob adds 5", "Ada adds 6")


def test_new_move_after_undo_clears_redo(tmp_path: Path) -> None:
    with Journal(tmp_path / "j") as journal:
        saved_game = SavedGame.begin(journal, SETUP, GAME)
        saved_game.play_move(add(0, 3))
        saved_game.undo()
        saved_game.play_move(add(0, 4))
        assert not saved_game.can_redo
        assert totals(saved_game) == (4, 0)
        assert totals(SavedGame(journal, saved_game.id, GAME)) == (4, 0)


def test_refused_move_writes_no_entry(tmp_path: Path) -> None:
    with Journal(tmp_path / "j") as journal:
        saved_game = SavedGame.begin(journal, SETUP, GAME)
        with pytest.raises(IllegalMove, match="X1"):
            saved_game.play_move(add(1, 3))
        with pytest.raises(BadCorrection):
            saved_game.correct(Correction("total", Seat(0), (100,)))
        with pytest.raises(ValueError, match="open move"):
            saved_game.play_move(saved_game.game.list_moves()[0])
        assert journal.read_entries(saved_game.id) == ()
        assert saved_game.game == GAME.create_game(2, Seat(0), GAME.settings_model())


def test_a_game_replays_by_the_rulings_by_which_it_was_begun() -> None:
    setup = {"game": "macroscope", "players": ("Ada", "Bob"), "buttons": SETUP.buttons[:2]}
    older, newer = GameSetup(**setup), GameSetup(**setup, rulings=CURRENT_RULINGS)
    definition = registry.find_game("macroscope")
    assert Replay.from_entries(definition, older, ()).game.rulings == FIRST_RULINGS
    assert Replay.from_entries(definition, newer, ()).game.rulings == CURRENT_RULINGS
    with pytest.raises(InvalidSavedGame, match="rulings"):
        GameSetup.from_json(newer.model_dump_json().replace(f'"rulings":{CURRENT_RULINGS}', '"rulings":99'))


def make_cuts(count: int, after: int) -> list[JournalEntry]:
    """Make that many entries, each of which cuts what comes after entry number `after`."""
    cut = EntryContent(kind=EntryKind.TRUNCATED, after=after)
    return [
        JournalEntry(seq=seq, what=cut, stamp=Timestamp(wall=0.0, monotonic=0.0, boot=""))
        for seq in range(1, count + 1)
    ]


@pytest.mark.parametrize("after", [0, 1000])
def test_truncations_take_linear_time(after: int, monkeypatch: pytest.MonkeyPatch) -> None:
    entries, reads = make_cuts(1000, after), 0
    get_attribute = JournalEntry.__getattribute__

    def count_reads(entry: JournalEntry, name: str) -> object:
        nonlocal reads
        reads += name == "seq"
        return get_attribute(entry, name)

    monkeypatch.setattr(JournalEntry, "__getattribute__", count_reads)
    assert len(_drop_truncated(entries)) == (1 if after == 0 else 1000)
    assert reads <= 3 * len(entries)
