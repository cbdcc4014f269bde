"""Entries that no copy has are a gap: it is shown, and what stands behind it is replayed only if people say so."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from companion.events import Button
from companion.journal.database import Journal
from companion.journal.entry import SeatChange
from companion.journal.exported_game import build_export, replay_game
from companion.journal.known_players import load_known_players
from companion.journal.replay import Gap
from companion.journal.saved_game import SavedGame
from tests.journal.toy import GAME, SETUP, add, find_definition

LoseEntries = Callable[[int, int], Journal]


@pytest.fixture
def lose(tmp_path: Path) -> LoseEntries:
    """Return a function that makes a game of five moves, and loses its entries from one number to another."""

    def lose(first: int, last: int) -> Journal:
        path = tmp_path / "j"
        with Journal(path) as journal:
            saved_game = SavedGame.begin(journal, SETUP, GAME)
            for seat, points in ((0, 1), (1, 2), (0, 3), (1, 4), (0, 5)):
                saved_game.play_move(add(seat, points))
            saved_game.change_seat(SeatChange(seat=0, name="Zoe", button=Button.SEAT2))
        mirror = Path(f"{path}.mirror")
        lines = mirror.read_bytes().splitlines(keepends=True)
        mirror.write_bytes(b"".join([*lines[:first], *lines[last + 1 :]]))
        path.unlink()
        return Journal(path)

    return lose


def test_the_gap_is_told(lose: LoseEntries) -> None:
    journal = lose(2, 3)
    assert journal.damage is not None
    assert (journal.damage.entries_kept, journal.damage.entries_lost) == (4, 2)
    assert "lost: 2" in journal.damage.message
    assert "2 steps" in journal.damage.screen_text
    saved_game = SavedGame(journal, 1, GAME)
    assert saved_game.game.totals == (1, 0)
    assert saved_game.replay.gap == Gap(lost_count=2, later_count=3)
    assert "has lost entries 2 to 3" in (saved_game.problem or "")
    journal.close()
    with Journal(journal.path) as again:
        assert again.damage is None
        assert SavedGame(again, 1, GAME).replay.gap == Gap(lost_count=2, later_count=3)


def test_setting_aside_decides_nothing(lose: LoseEntries) -> None:
    with lose(2, 3) as journal:
        SavedGame(journal, 1, GAME).set_aside()
        assert SavedGame(journal, 1, GAME).replay.gap == Gap(lost_count=2, later_count=4)
        assert journal.find_resumable_game() is None


def test_what_came_after_is_replayed_if_people_want_it(lose: LoseEntries) -> None:
    with lose(2, 3) as journal:
        saved_game = SavedGame(journal, 1, GAME)
        saved_game.replay_behind_gap()
        assert (saved_game.game.totals, saved_game.problem, saved_game.replay.gap) == ((6, 4), None, None)
        assert saved_game.players == ("Zoe", "Bob")
        saved_game.play_move(add(1, 6))
        assert SavedGame(journal, 1, GAME).game.totals == (6, 10)
        exported = build_export(journal, 1)
        assert replay_game(exported.setup, exported.entries, find_definition).problem is None


def test_what_is_illegal_without_the_lost_moves_is_not_replayed(lose: LoseEntries) -> None:
    with lose(2, 2) as journal:
        saved_game = SavedGame(journal, 1, GAME)
        saved_game.replay_behind_gap()
        assert saved_game.game.totals == (1, 0)
        assert "Entry 3 of this game cannot be replayed" in (saved_game.problem or "")


def test_what_came_after_is_void_once_people_play_on(lose: LoseEntries) -> None:
    with lose(2, 3) as journal:
        saved_game = SavedGame(journal, 1, GAME)
        saved_game.play_move(add(1, 6))
        again = SavedGame(journal, 1, GAME)
        assert (again.game.totals, again.problem, again.replay.gap) == ((1, 6), None, None)


def test_names_behind_a_gap_are_not_known(lose: LoseEntries) -> None:
    with lose(2, 3) as journal:
        assert load_known_players(journal).names == ("Ada", "Bob")
        SavedGame(journal, 1, GAME).replay_behind_gap()
        assert load_known_players(journal).names == ("Zoe", "Bob")


def test_a_lost_end_is_not_missed(lose: LoseEntries) -> None:
    """Nothing tells how many entries there were: both copies must lose the same ones for that."""
    with lose(5, 6) as journal:
        assert journal.damage is not None
        assert journal.damage.entries_lost == 0
        assert SavedGame(journal, 1, GAME).game.totals == (4, 6)
