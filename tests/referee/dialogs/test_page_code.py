"""The QR code of the spectators' page, from the pause menu."""

from __future__ import annotations

from pathlib import Path
from random import Random

from companion.events import Button, ButtonPressed, ButtonReleased
from companion.games.macroscope import GAME
from companion.journal.database import JOURNAL_FILE, Journal
from companion.journal.saved_game import SavedGame
from companion.referee.referee import Referee
from companion.referee.services import GameServices
from companion.screen_state import CameraView, ScreenState
from tests.referee.dialogs.test_score_sheet import SETUP

ADDRESS = "http://box.local:8788/token/"


class PausedTable:
    """A game that has begun, with its referee."""

    def __init__(self, journal: Journal, page_address: str) -> None:
        self.now = 0.0
        game = SavedGame.begin(journal, SETUP, GAME)
        self.referee = Referee(game, GameServices(lambda: self.now, Random(1), page_address=page_address))

    def press(self, button: Button) -> ScreenState:
        self.now += 0.5
        self.referee.receive(ButtonPressed(button, self.now))
        self.referee.receive(ButtonReleased(button, self.now + 0.1))
        self.now += 0.2
        self.referee.tick()
        return self.referee.build_screen_state(CameraView())


def test_key_1_of_the_pause_shows_the_address(tmp_path: Path) -> None:
    with Journal(tmp_path / JOURNAL_FILE) as journal:
        table = PausedTable(journal, ADDRESS)
        assert table.press(Button.MINUS).question is not None
        shown = table.press(Button.SEAT1)
        assert shown.result_code is not None
        assert shown.result_code.text == ADDRESS
        shown = table.press(Button.OK)
        assert shown.result_code is None
        assert shown.question is not None, "the pause again"
        assert table.press(Button.OK).question is None


def test_without_a_page_there_is_no_key(tmp_path: Path) -> None:
    with Journal(tmp_path / JOURNAL_FILE) as journal:
        table = PausedTable(journal, "")
        table.press(Button.MINUS)
        assert table.press(Button.SEAT1).result_code is None
