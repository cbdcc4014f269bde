"""An upgrade of the card is announced, and starts only when people choose it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.app.session import UPGRADE_READ_SECONDS, Session, SessionConfig
from companion.app.table_services import TableServices
from companion.events import Button, ButtonPressed, ButtonReleased
from companion.games.macroscope import GAME
from companion.games.macroscope.settings import Settings
from companion.journal.database import Journal
from companion.journal.entry import GameSetup
from companion.journal.saved_game import SavedGame
from companion.lobby import Lobby
from companion.referee.referee import Referee
from companion.screen_state import CameraView, ScreenState
from companion.system.appliance import RESTART_FILE, Appliance


class Table:
    """A session on an appliance with an upgrade; `now` is its clock."""

    def __init__(self, folder: Path, journal: Journal) -> None:
        self.now = 100.0
        self.note, self.request = folder / "upgrade", folder / RESTART_FILE
        self.session = Session(
            SessionConfig(GAME, (), Settings(), continue_game_id=1),
            journal,
            TableServices(lambda: self.now, random.Random(1), appliance=Appliance(folder, self.note)),
        )

    def write_note(self, text: str) -> None:
        self.note.write_text(text, encoding="utf-8")
        self.now += UPGRADE_READ_SECONDS
        self.session.step([])

    def press(self, *buttons: Button) -> None:
        for button in buttons:
            self.now += 1.0
            self.session.step([ButtonPressed(button, self.now), ButtonReleased(button, self.now + 0.1)])

    @property
    def state(self) -> ScreenState:
        return self.session.build_screen_state(CameraView())

    @property
    def question(self) -> str:
        return self.state.question.title if self.state.question else ""


@pytest.fixture
def lobby_table(tmp_path: Path) -> Iterator[Table]:
    with Journal(tmp_path / "journal.sqlite3") as journal:
        yield Table(tmp_path, journal)


@pytest.fixture
def game_table(tmp_path: Path) -> Iterator[Table]:
    with Journal(tmp_path / "journal.sqlite3") as journal:
        setup = GameSetup(
            game=GAME.name,
            players=("Ada", "Bob"),
            buttons=(Button.SEAT1, Button.SEAT2),
            first=0,
            settings=Settings().model_dump(mode="json"),
            seed=None,
        )
        SavedGame.begin(journal, setup, GAME)
        yield Table(tmp_path, journal)


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
    lobby_table.session.step([])
    assert lobby_table.question == "Restart with version 9.1?"
    lobby_table.press(Button.OK)
    assert lobby_table.request.exists()
    assert lobby_table.state.notice == "Restarting: one moment"


def test_an_upgrade_that_another_one_replaces_is_not_started(lobby_table: Table) -> None:
    lobby_table.write_note("installed 9.1")
    lobby_table.session.step([])
    lobby_table.write_note("installing 9.2")
    lobby_table.press(Button.OK)
    assert not lobby_table.request.exists(), "its slot is being written"
    assert lobby_table.state.notice == "The device cannot restart itself"
    lobby_table.write_note("installed 9.2")
    lobby_table.press(Button.MINUS)
    assert lobby_table.state.menu is not None
    assert "Restart with version 9.2" in lobby_table.state.menu.items


def test_later_is_a_line_of_the_settings(lobby_table: Table) -> None:
    lobby_table.write_note("installed 9.1")
    lobby_table.session.step([])
    lobby_table.press(Button.NO)
    assert not lobby_table.question
    lobby_table.press(Button.MINUS)
    menu = lobby_table.state.menu
    assert menu is not None
    assert "Restart with version 9.1" in menu.items
    assert not lobby_table.request.exists()


def test_nobody_is_asked_while_people_sit_down(lobby_table: Table) -> None:
    lobby_table.press(Button.SEAT1)
    lobby_table.write_note("installed 9.1")
    lobby_table.press(Button.SEAT2)
    assert not lobby_table.question


def test_a_game_goes_on_and_its_pause_menu_restarts(game_table: Table) -> None:
    assert isinstance(game_table.session.stage, Referee)
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
    assert isinstance(game_table.session.stage, Lobby)
    assert game_table.question == "Restart with version 9.1?"
