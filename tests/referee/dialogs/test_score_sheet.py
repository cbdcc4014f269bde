"""The score sheet of a finished game: opened by each seat's button, and by one key for all players."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from companion.api import MIN_SHOWN_SECONDS, Command, CommandName, ConsolePress, Offer, Seat
from companion.events import Button, ButtonPressed, ButtonReleased, LampState
from companion.games.macroscope import GAME
from companion.journal.database import JOURNAL_FILE, Journal
from companion.journal.dice_luck import count_faces
from companion.journal.entry import GameSetup
from companion.journal.saved_game import SavedGame
from companion.referee.dialogs.score_sheet import ScoreSheetDialog, list_sheet_offers, open_score_sheet
from companion.referee.referee import Referee
from companion.referee.services import GameServices
from companion.screen_state import CameraView, ScoreSheet, ScreenState
from tests.journal.play import random_move

OK, NO, PLUS, MINUS = Button.OK, Button.NO, Button.PLUS, Button.MINUS
ADA, BOB = Button.SEAT2, Button.SEAT5
SETUP = GameSetup(
    game="macroscope",
    players=("Ada", "Bob"),
    buttons=(ADA, BOB),
    settings=GAME.settings_model(dice="off", rounds=3).model_dump(mode="json"),
)
TABLE = Offer(Command(CommandName.SCORE_SHEET), ConsolePress.OK, "Score table", awaited=True)


def play_to_the_end(journal: Journal, setup: GameSetup = SETUP) -> SavedGame:
    rng = Random(4)
    saved_game = SavedGame.begin(journal, setup, GAME)
    while saved_game.game.compute_outcome() is None:
        saved_game.play_move(random_move(rng, saved_game.game))
    return saved_game


class Table:
    """A finished game with its referee."""

    def __init__(self, journal: Journal, setup: GameSetup = SETUP) -> None:
        self.now = 0.0
        self.saved_game = play_to_the_end(journal, setup)
        self.referee = Referee(self.saved_game, GameServices(lambda: self.now))

    def press(self, *buttons: Button) -> ScreenState:
        for button in buttons:
            self.now += 0.3
            self.referee.receive(ButtonPressed(button, self.now))
            self.referee.receive(ButtonReleased(button, self.now + 0.1))
            self.now += 0.2
            self.referee.tick()
        return self.shown()

    def shown(self) -> ScreenState:
        return self.referee.build_screen_state(CameraView())

    def sheet(self) -> ScoreSheet:
        sheet = self.shown().score_sheet
        assert sheet is not None
        return sheet


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with Journal(tmp_path / JOURNAL_FILE) as journal:
        yield Table(journal)


def test_a_players_button_opens_their_own_sheet(table: Table) -> None:
    assert table.shown().score_sheet is None
    for button, seat in ((ADA, Seat(0)), (BOB, Seat(1))):
        table.press(button)
        assert table.sheet().seat == seat
        assert table.sheet().lines[-1].total == table.saved_game.game.totals[seat]
        assert table.referee.map_lamps()[button] is LampState.OFF, "it is open"


def test_ok_leads_from_a_players_sheet_to_the_table_of_all_rounds(table: Table) -> None:
    table.press(ADA, OK)
    assert table.sheet() == ScoreSheet(selected=2), "the last round"
    assert table.press(OK).score_sheet is None


def test_plus_and_minus_move_through_the_rounds_of_the_table(table: Table) -> None:
    table.press(ADA, OK, PLUS)
    assert table.sheet().selected == 1
    table.press(PLUS, PLUS)
    assert table.sheet().selected == 0
    table.press(MINUS)
    assert table.sheet().selected == 1


def test_who_has_won_stays_in_the_header_of_every_page(table: Table) -> None:
    prompt = table.shown().prompt
    assert table.press(ADA).prompt == prompt
    assert table.press(OK).prompt == prompt


def test_plus_and_minus_move_through_the_lines_and_stop_at_the_ends(table: Table) -> None:
    table.press(ADA, PLUS)
    assert table.sheet().selected == 0
    count = len(table.sheet().lines)
    assert count > 2
    table.press(MINUS)
    assert table.sheet().selected == 1
    table.press(*[MINUS] * (count + 2))
    assert table.sheet().selected == count - 1
    table.press(PLUS)
    assert table.sheet().selected == count - 2


@pytest.mark.parametrize(
    ("count", "keys"),
    [
        (1, ["My score", "Score table *", "Back"]),
        (2, ["My score", "Up +", "Down +", "Score table *", "Back"]),
    ],
)
def test_only_a_page_of_several_lines_has_keys_to_move(table: Table, count: int, keys: list[str]) -> None:
    table.press(ADA)
    page = ScoreSheetDialog(table.saved_game.replay, replace(table.sheet(), lines=table.sheet().lines[:count]), 3)
    found = [f"{offer.label}{' *' * offer.awaited}{' +' * offer.repeats}" for offer in page.list_offers()]
    assert found == keys


@pytest.mark.parametrize("rounds", [1, 2])
def test_a_game_of_one_round_has_no_table_of_rounds(tmp_path: Path, rounds: int) -> None:
    settings = {**SETUP.settings, "rounds": rounds}
    with Journal(tmp_path / JOURNAL_FILE) as journal:
        saved_game = play_to_the_end(journal, SETUP.model_copy(update={"settings": settings}))
        page = open_score_sheet(saved_game.replay, list_sheet_offers(saved_game.replay)[0].action)
        assert (TABLE in page.list_offers()) == (rounds == 2)


@pytest.mark.parametrize("button", [OK, NO])
def test_ok_and_no_return_to_the_result(table: Table, button: Button) -> None:
    table.press(ADA, OK)
    assert table.press(button).score_sheet is None
    assert table.referee.exit is None
    table.now += MIN_SHOWN_SECONDS
    table.press(button)
    assert table.referee.exit == Command(CommandName.AGAIN if button is OK else CommandName.LOBBY)


def test_opening_the_sheet_plays_nothing(table: Table) -> None:
    seq = table.saved_game.last_seq
    table.press(ADA, MINUS, BOB, OK, PLUS, NO)
    assert table.saved_game.last_seq == seq


def test_lines_omit_the_changes_of_all_players(table: Table) -> None:
    table.press(ADA)
    assert not [line.label for line in table.sheet().lines if "Ada +" in line.label or "Bob +" in line.label]


def test_there_is_no_sheet_while_the_game_goes_on(table: Table) -> None:
    table.saved_game.undo()
    assert table.press(ADA, OK).score_sheet is None


def test_ok_leads_from_a_players_page_to_the_table_and_on_to_the_dice(tmp_path: Path) -> None:
    settings = {**SETUP.settings, "dice": "on"}
    with Journal(tmp_path / JOURNAL_FILE) as journal:
        table = Table(journal, SETUP.model_copy(update={"settings": settings}))
        assert table.press(ADA, OK).score_sheet == ScoreSheet(selected=2)
        table.press(OK)
        dice = table.sheet().dice
        assert dice is not None
        assert tuple(player.counts for player in dice.players) == count_faces(table.saved_game.replay)
        table.press(BOB)
        assert table.sheet().seat == Seat(1)
        assert table.press(OK, OK, OK).score_sheet is None


def test_a_game_of_one_round_goes_from_the_lines_to_the_dice(tmp_path: Path) -> None:
    settings = {**SETUP.settings, "dice": "on", "rounds": 1}
    with Journal(tmp_path / JOURNAL_FILE) as journal:
        table = Table(journal, SETUP.model_copy(update={"settings": settings}))
        table.press(ADA, OK)
        assert table.sheet().dice is not None
        assert table.press(OK).score_sheet is None
