"""A saved game is the replay of its entries, after moves, undo, corrections and interruptions."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.api import BadCorrection, Correction, IllegalMove, Seat
from companion.journal.database import Journal
from companion.journal.entry import (
    EntryContent,
    EntryKind,
    JournalEntry,
    StoredMove,
    Timestamp,
    drop_void_entries,
)
from companion.journal.replay import Replay
from companion.journal.saved_game import SavedGame
from tests.journal.toy import GAME, SETUP, Toy, add


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
    assert len(drop_void_entries(entries)) == (1 if after == 0 else 1000)
    assert reads <= 3 * len(entries)


def test_what_was_played_last(tmp_path: Path) -> None:
    with Journal(tmp_path / "j") as journal:
        saved_game = SavedGame.begin(journal, SETUP, GAME)
        assert (saved_game.last_played, saved_game.last_move_text, saved_game.last_seq) == (None, None, 0)
        saved_game.play_move(add(0, 3))
        saved_game.play_move(add(1, 5))
        assert (saved_game.last_played, saved_game.last_move_text) == (add(1, 5), "Bob adds 5")
        saved_game.correct(Correction("total", Seat(0), (16,)))
        assert saved_game.last_played == Correction("total", Seat(0), (16,))
        saved_game.note_resumed()
        assert (saved_game.last_seq, saved_game.can_redo) == (4, False)
        saved_game.undo()
        saved_game.undo()
        saved_game.set_aside()
        assert saved_game.can_redo, "setting aside plays nothing"
        assert (saved_game.last_played, saved_game.last_seq) == (add(0, 3), 7)
        assert [saved_game.redo(), saved_game.redo()] == ["Bob adds 5", "Ada's total is 16"]


def test_history_has_each_entry_with_its_step(tmp_path: Path) -> None:
    with Journal(tmp_path / "j") as journal:
        saved_game = SavedGame.begin(journal, SETUP, GAME)
        saved_game.play_move(add(0, 3))
        saved_game.set_aside()
        saved_game.undo()
        saved_game.redo()
        for replay in (saved_game.replay, SavedGame(journal, 1, GAME).replay):
            kinds = [(entry.what.kind, step.played if step else None) for entry, step in replay.history]
            assert kinds == [("move", add(0, 3)), ("away", None), ("undo", add(0, 3)), ("redo", add(0, 3))]


def entries(*contents: EntryContent) -> list[JournalEntry]:
    stamp = Timestamp(wall=0.0, monotonic=0.0, boot="")
    return [JournalEntry(seq=seq, what=what, stamp=stamp) for seq, what in enumerate(contents, 1)]


@pytest.mark.parametrize(("after", "expected"), [(0, (0, 0)), (1, (1, 0)), (2, (1, 2)), (3, (4, 2))])
def test_a_cut_makes_what_comes_after_its_number_void(after: int, expected: tuple[int, int]) -> None:
    moves = [
        EntryContent(kind=EntryKind.MOVE, played=StoredMove.from_played(add(n % 2, value)))
        for n, value in enumerate((1, 2, 3))
    ]
    cut = EntryContent(kind=EntryKind.TRUNCATED, after=after)
    replay = Replay.from_entries(GAME, SETUP, entries(*moves, cut))
    assert isinstance(replay.game, Toy)
    assert (replay.game.totals, replay.last_seq, replay.problem) == (expected, 4, None)


@pytest.mark.parametrize(
    ("contents", "problem"),
    [
        ([EntryContent(kind=EntryKind.UNDO)], r"Entry 1 .* \(nothing has been played yet that could be undone\)"),
        ([EntryContent(kind=EntryKind.REDO)], r"Entry 1 .* \(nothing was undone that could be played again\)"),
        (
            [
                EntryContent(kind=EntryKind.RESUMED),
                EntryContent(kind=EntryKind.MOVE, played=StoredMove.from_played(add(1, 1))),
            ],
            r"Entry 2 .* \(X1",
        ),
    ],
)
def test_the_first_entry_that_cannot_be_replayed_is_named(contents: list[EntryContent], problem: str) -> None:
    replay = Replay.from_entries(GAME, SETUP, entries(*contents, EntryContent(kind=EntryKind.SET_ASIDE)))
    assert replay.last_seq == len(contents) - 1
    assert re.match(problem, replay.problem or "")
