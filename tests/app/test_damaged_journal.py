"""A journal that cannot be read, or has a gap, at the table: play goes on, and people decide.

The file itself: tests/journal/test_recovery.py, tests/journal/test_lost_entries.py.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.config.settings import CafeSettings
from companion.events import Button
from companion.games.macroscope import GAME
from companion.journal import exported_game
from companion.journal.database import Journal
from companion.journal.entry import EntryContent, EntryKind, JournalUnwritable, StoredMove
from companion.journal.recovery import JournalDamage
from companion.journal.saved_game import SavedGame
from companion.lobby import Lobby, ResultsCache, ResumePrompt
from companion.referee.referee import Referee
from companion.screen_state import CameraView
from tests.app.session_table import SessionTable
from tests.journal.play import SETUP
from tests.journal.toy import GAME as TOY
from tests.journal.toy import SETUP as TOY_SETUP
from tests.journal.toy import add


def fail_to_read(*_: Any) -> Any:
    raise JournalUnwritable("the disk does not answer", "The disk does not answer: try again")


def make_gap(journal: Journal) -> SavedGame:
    """Make a game whose second and third entries are lost, and play a move behind them."""
    saved_game = SavedGame.begin(journal, TOY_SETUP, TOY)
    saved_game.play_move(add(0, 3))
    for content in (
        *[EntryContent(kind=EntryKind.LOST)] * 2,
        EntryContent(kind=EntryKind.MOVE, played=StoredMove.from_played(add(1, 5))),
    ):
        journal.append_entry(saved_game.id, content)
    return saved_game


@pytest.fixture
def gap(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> SessionTable:
    """A session that has just been started after the disk lost a part of the last game."""
    make_gap(journal)
    monkeypatch.setattr(exported_game, "find_definition", lambda _setup: TOY)
    return SessionTable(journal, TOY, continue_game_id=1)


@pytest.mark.parametrize(
    ("answer", "totals"), [(Button.OK, (3, 5)), (Button.MINUS, (3, 0))], ids=["play them", "leave them out"]
)
def test_people_decide_what_came_after_a_gap(
    gap: SessionTable, journal: Journal, answer: Button, totals: tuple[int, ...]
) -> None:
    assert isinstance(gap.stage, ResumePrompt), "it is asked even after a crash a moment ago"
    shown = gap.session.build_screen_state(CameraView())
    assert shown.prompt == "The disk has lost 2 steps here. Then came one more"
    assert {key.label for key in shown.soft_keys} >= {"Play them again", "Leave them out", "Set aside"}
    gap.press(answer)
    assert isinstance(gap.stage, Referee)
    assert gap.game.game.totals == totals
    assert SavedGame(journal, 1, TOY).game.totals == totals


def test_a_gap_can_wait(gap: SessionTable, journal: Journal) -> None:
    gap.press(Button.NO)
    assert isinstance(gap.stage, Lobby)
    assert SavedGame(journal, 1, TOY).replay.gap is not None
    assert isinstance(gap.session._resumption.resume_set_aside_game(1), ResumePrompt)


def test_a_game_goes_on_from_memory_while_the_disk_does_not_answer(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved_game = SavedGame.begin(journal, SETUP, GAME)
    table = SessionTable(journal, continue_game_id=saved_game.id)
    before = table.game
    for name in ("read_entries", "get_game", "read_clock_marks", "list_games"):
        monkeypatch.setattr(journal, name, fail_to_read)
    table.session.rebuild(ask_first=False)
    assert table.game is before
    table.session._enter_stage(table.session._make_lobby())
    assert "does not answer" in (table.session.notice or "")
    table.session.notice = None
    assert isinstance(table.session._review_result(1, table.stage), Lobby)
    assert "does not answer" in (table.session.notice or "")


@pytest.mark.parametrize("is_cafe", [False, True])
def test_the_result_is_stored_when_a_game_ends(
    journal: Journal, monkeypatch: pytest.MonkeyPatch, is_cafe: bool
) -> None:
    noted = list[str]()
    monkeypatch.setattr(ResultsCache, "note_result", lambda _, record: noted.append(record.uid))
    table = SessionTable(journal, TOY, cafe=CafeSettings(on=is_cafe))
    games = []
    for _ in range(2):  # both end with the same number of entries
        saved_game = SavedGame.begin(journal, TOY_SETUP.model_copy(update={"settings": {"goal": 5}}), TOY)
        table.session._enter_stage(table.session._make_referee(saved_game))
        table.session.step([])
        assert noted == [game.record.uid for game in games]
        saved_game.play_move(add(0, 6))
        for _ in range(2):
            table.session.step([])
        games.append(saved_game)
        assert noted == [game.record.uid for game in games]


def test_damage_that_is_found_while_people_play_is_said(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    table = SessionTable(journal)
    found = iter([None, JournalDamage("a row of its entries was changed", Path("/aside"), 1, 2, 0)])
    monkeypatch.setattr(journal, "poll_check", lambda: next(found))
    table.session.step([])
    assert table.session.notice is None
    table.session.step([])
    assert "The saved games were damaged" in (table.session.notice or "")
    monkeypatch.setattr(journal, "poll_check", fail_to_read)
    table.session.step([])
    assert "does not answer" in (table.session.notice or "")
