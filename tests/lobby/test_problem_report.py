"""What could not be read or used at the start is on the screen until somebody has read it."""

from __future__ import annotations

import errno
import json
from pathlib import Path
from typing import Any

import pytest

from companion.config import json_store
from companion.config.settings import CafeSettings
from companion.config.taught_buttons import TaughtButtons
from companion.config.taught_dice_store import TaughtDice
from companion.events import Button
from companion.i18n import set_language
from companion.journal.database import Journal
from companion.journal.renamed_players import NAMES_FILE
from companion.lobby import HouseRules, Lobby, Preferences, ProblemReport, ResumePrompt, SetupWizard
from companion.lobby.house_rules import HOUSE_RULES_FILE, NAMED_GAMES_FILE
from companion.lobby.preferences import PREFERENCES_FILE
from companion.lobby.problem_report import PROBLEMS_PER_PAGE
from tests.app.session_table import START, SessionTable

OK = Button.OK


def open_table(journal: Journal, folder: Path | None = None, **options: Any) -> SessionTable:
    """Open a session with all stores of a data folder."""
    stores = {
        "preferences": Preferences(folder=folder),
        "house_rules": HouseRules(folder=folder),
        "taught_buttons": TaughtButtons(folder),
        "taught_dice": TaughtDice(folder),
    }
    return SessionTable(journal, **stores, **options)


def test_every_problem_is_shown_until_ok_is_pressed(journal: Journal) -> None:
    problems = tuple(f"box.toml: line {n} is wrong" for n in range(PROBLEMS_PER_PAGE + 1))
    table = open_table(journal, settings_problems=problems)
    table.wait(600)
    table.press(Button.SEAT1, Button.NO, Button.PLUS)
    assert table.state.details == problems[:PROBLEMS_PER_PAGE]
    table.press(OK)
    assert table.state.details == problems[PROBLEMS_PER_PAGE:]
    table.press(OK)
    assert isinstance(table.stage, Lobby)


def test_guests_who_leave_do_not_take_it_away(journal: Journal) -> None:
    table = open_table(journal, settings_problems=("line 3",), cafe=CafeSettings(on=True, quiet_minutes=1))
    table.wait(30)
    assert isinstance(table.stage, ProblemReport)


@pytest.mark.parametrize(
    ("file", "content", "words"),
    [
        (PREFERENCES_FILE, {"chosen": {"volume": 99}}, "ignored: volume"),
        (PREFERENCES_FILE, {"set_up": 3}, "The preferences: not valid and ignored"),
        (HOUSE_RULES_FILE, {"rules": 3}, "The house rules: not valid and ignored"),
        (NAMED_GAMES_FILE, {"games": 3}, "The stored games: not valid and ignored"),
        (NAMES_FILE, {"names": {"Bob": 3}}, "other names: not valid and ignored, but still in the file: names.Bob"),
        ("controllers.json", {"controllers": [{}]}, "The taught buttons: not valid and ignored"),
        ("dice.json", {"faces": [{}]}, "The taught dice: not valid and ignored"),
    ],
)
def test_a_problem_of_each_store_is_shown(tmp_path: Path, file: str, content: object, words: str) -> None:
    (tmp_path / file).write_text(json.dumps(content), encoding="utf-8")
    with Journal(tmp_path / "journal.sqlite3") as journal:
        (line,) = open_table(journal, tmp_path).state.details
    assert words in line


def test_what_it_stands_before_comes_after_it(journal: Journal) -> None:
    table = open_table(journal, settings_problems=("line 3",), run_setup_wizard=True)
    table.press(OK)
    assert isinstance(table.stage, SetupWizard)
    playing = open_table(journal)
    playing.press(*START)
    again = open_table(journal, settings_problems=("line 3",))
    again.press(OK)
    assert isinstance(again.stage, ResumePrompt)
    game = playing.session.saved_game
    assert game is not None
    crashed = open_table(journal, settings_problems=("line 3",), continue_game_id=game.id)
    assert (crashed.session.saved_game is not None, crashed.state.notice) == (True, "line 3")


def test_a_store_that_could_not_be_read_is_read_later(
    journal: Journal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Preferences(folder=tmp_path).change("language", "de")
    set_language("en")
    read_file = json_store.read_text

    def fail(path: Path, max_bytes: int) -> bytes:
        raise OSError(errno.EIO, "Input/output error", str(path))

    monkeypatch.setattr(json_store, "read_text", fail)
    table = open_table(journal, tmp_path, run_setup_wizard=True)
    assert len(table.state.details) == PROBLEMS_PER_PAGE
    assert "(Input/output error)" in table.state.details[0]
    table.press(OK, OK)
    assert isinstance(table.stage, Lobby), "not the wizard: the device may have been set up"
    assert table.state.prompt.startswith("Press")
    monkeypatch.setattr(json_store, "read_text", read_file)
    table.wait(1)
    assert table.state.prompt.startswith("Drückt"), "and the language is the chosen one"


def test_names_that_could_not_be_read_are_read_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / NAMES_FILE).write_text('{"names": {"Bob": "Robert"}}', encoding="utf-8")
    read_file = json_store.read_text

    def fail(path: Path, max_bytes: int) -> str:
        raise OSError(errno.EIO, "Input/output error", str(path))

    monkeypatch.setattr(json_store, "read_text", fail)
    with Journal(tmp_path / "journal.sqlite3") as journal:
        table = open_table(journal)
        assert "other names: the file cannot be read" in table.state.details[0]
        assert journal.player_names.resolve("Bob") == "Bob"
        monkeypatch.setattr(json_store, "read_text", read_file)
        table.wait(1)
        assert journal.player_names.resolve("Bob") == "Robert"


def test_a_report_that_fails_does_not_forget_the_interrupted_game(journal: Journal) -> None:
    playing = open_table(journal)
    playing.press(*START)
    again = open_table(journal, settings_problems=("line 3",))
    again.session.rebuild(ask_first=True)
    assert isinstance(again.stage, ResumePrompt)
