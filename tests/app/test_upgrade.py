"""An upgrade of the card is announced, and starts only when people choose it."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.app.session import FILE_READ_SECONDS
from companion.events import Button
from companion.games.macroscope import GAME
from companion.journal.database import Journal
from companion.journal.entry import GameSetup
from companion.journal.saved_game import SavedGame
from companion.lobby import Lobby
from companion.referee.referee import Referee
from companion.system.appliance import RESTART_FILE, Appliance
from tests.app.session_table import SessionTable


class Table(SessionTable):
    """A session on an appliance with an upgrade."""

    def __init__(self, folder: Path, journal: Journal) -> None:
        self.note, self.request = folder / "upgrade", folder / RESTART_FILE
        super().__init__(journal, continue_game_id=1, appliance=Appliance(folder, self.note))

    def write_note(self, text: str) -> None:
        self.note.write_text(text, encoding="utf-8")
        self.wait(FILE_READ_SECONDS / 60)
        self.session.step([])

    @property
    def question(self) -> str:
        return self.state.question.title if self.state.question else ""


@pytest.fixture
def lobby_table(tmp_path: Path, journal: Journal) -> Table:
    return Table(tmp_path, journal)


@pytest.fixture
def game_table(tmp_path: Path, journal: Journal) -> Table:
    setup = GameSetup(game=GAME.name, players=("Ada", "Bob"), buttons=(Button.SEAT1, Button.SEAT2))
    SavedGame.begin(journal, setup, GAME)
    return Table(tmp_path, journal)


def test_the_screen_tells_how_it_goes_on(lobby_table: Table) -> None:
    lobby_table.press(Button.SEAT1)
    lobby_table.write_note("installing 9.1")
    assert lobby_table.state.notice == "Installing version 9.1: leave the stick plugged in"
    lobby_table.press(Button.SEAT2)
    assert lobby_table.state.notice is None, "told once"
    lobby_table.write_note("failed 9.1")
    assert lobby_table.state.notice == "Version 9.1 could not be installed: nothing has changed"
    lobby_table.write_note("refused")
    assert lobby_table.state.notice == "The upgrade on the stick is damaged or not for this device"
    lobby_table.write_note("installed 9.1")
    assert lobby_table.state.notice == "Version 9.1 is installed: restart from Pause or Settings"
    assert not lobby_table.request.exists()


def test_an_empty_lobby_asks_and_restarts(lobby_table: Table) -> None:
    lobby_table.write_note("installed 9.1")
    assert lobby_table.question == "Restart with version 9.1?"
    lobby_table.press(Button.OK)
    assert lobby_table.request.exists()
    assert lobby_table.state.notice == "Restarting: one moment"


def test_an_upgrade_that_another_one_replaces_is_not_started(lobby_table: Table) -> None:
    lobby_table.write_note("installed 9.1")
    lobby_table.write_note("installing 9.2")
    lobby_table.press(Button.OK)
    assert not lobby_table.request.exists(), "its slot is being written"
    assert lobby_table.state.notice == "The device cannot restart itself"
    lobby_table.write_note("installed 9.2")
    lobby_table.press(Button.MINUS)
    assert "Restart with version 9.2" in lobby_table.menu.items


def test_later_is_a_line_of_the_settings(lobby_table: Table) -> None:
    lobby_table.write_note("installed 9.1")
    lobby_table.press(Button.NO)
    assert not lobby_table.question
    lobby_table.press(Button.MINUS)
    assert "Restart with version 9.1" in lobby_table.menu.items
    assert not lobby_table.request.exists()


def test_nobody_is_asked_while_people_sit_down(lobby_table: Table) -> None:
    lobby_table.press(Button.SEAT1)
    lobby_table.write_note("installed 9.1")
    lobby_table.press(Button.SEAT2)
    assert not lobby_table.question


def test_a_game_goes_on_and_its_pause_menu_restarts(game_table: Table) -> None:
    assert isinstance(game_table.stage, Referee)
    game_table.write_note("installed 9.1")
    assert not game_table.question
    game_table.press(Button.MINUS)
    assert game_table.question == "Paused"
    game_table.press(Button.SEAT2)
    assert game_table.question == "Restart with version 9.1?"
    game_table.press(Button.NO)
    assert not game_table.request.exists()
    assert not game_table.question
    game_table.press(Button.MINUS, Button.SEAT2, Button.OK)
    assert game_table.request.exists()
    assert game_table.state.notice == "Restarting: one moment"
    assert game_table.session.saved_game is not None, "the game is the one to go on with after the restart"


def test_after_a_game_the_lobby_asks(game_table: Table) -> None:
    game_table.write_note("installed 9.1")
    game_table.press(Button.MINUS, Button.PLUS, Button.OK)
    assert isinstance(game_table.stage, Lobby)
    assert game_table.question == "Restart with version 9.1?"
