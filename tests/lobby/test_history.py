"""The history in the lobby: its pages by buttons, and an old result.

Also here: players are renamed and merged (player_rename.py).
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.api import registry
from companion.events import SEAT_BUTTONS, Button
from companion.journal.database import JOURNAL_FILE, Journal
from companion.journal.entry import GameSetup
from companion.journal.game_summary import summarise_result
from companion.journal.known_players import load_known_players
from companion.journal.saved_game import SavedGame
from companion.lobby import Lobby, history, player_rename
from companion.lobby.results_cache import ResultsCache
from companion.lobby.services import LobbyServices
from companion.lobby_views import HistoryTable
from companion.referee.dialogs.base import ListMenu, open_numbered_menu
from companion.referee.referee import Referee
from companion.screen_state import CameraView, ScreenKind
from tests.app.session_table import SessionTable
from tests.journal.play import random_move

OK, NO, PLUS, MINUS = Button.OK, Button.NO, Button.PLUS, Button.MINUS
S1, S2, S3, S4, S5, S6 = SEAT_BUTTONS
SHORT: dict[str, dict[str, Any]] = {
    "macroscope": {"rounds": 2, "dice": "off"},
    "memo_dice": {"target_square": 3},
}


def play(journal: Journal, name: str, players: tuple[str, ...], seed: int = 1) -> SavedGame:
    """Play a game to its end by random moves."""
    kit, rng = registry.find_game(name), Random(seed)
    setup = GameSetup(
        game=name,
        players=players,
        buttons=SEAT_BUTTONS[: len(players)],
        settings=kit.settings_model(**SHORT[name]).model_dump(mode="json"),
    )
    saved_game = SavedGame.begin(journal, setup, kit)
    while saved_game.game.compute_outcome() is None:
        saved_game.play_move(random_move(rng, saved_game.game))
    return saved_game


class Table(SessionTable):
    """A session with all games, whose history is looked at."""

    def __init__(self, journal: Journal) -> None:
        super().__init__(journal, definitions=registry.load_games())

    def page(self) -> HistoryTable:
        assert self.state.kind is ScreenKind.HISTORY
        return self.state.view

    def choose_row(self, label: str) -> None:
        at = next(i for i, row in enumerate(self.page().rows) if row.label == label)
        self.press(*[MINUS] * ((at - self.page().selected) % len(self.page().rows)), OK)

    def open_history(self) -> None:
        self.open_lines("Past games")
        for _ in range(100):
            if "One moment" not in self.state.prompt:
                return
            self.session.step([])
        raise AssertionError("it is never read")


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    with Journal(tmp_path / JOURNAL_FILE) as opened:
        play(opened, "macroscope", ("Ada", "Bob"))
        play(opened, "macroscope", ("Bob", "Ada", "Cleo"), 2)
        play(opened, "memo_dice", ("Ada", "Circle"), 3)
    return Journal(tmp_path / JOURNAL_FILE)


@pytest.fixture
def table(journal: Journal) -> Any:
    with journal:
        yield Table(journal)


def test_by_game(table: Table) -> None:
    table.open_history()
    page = table.page()
    assert [row.label for row in page.rows] == ["Macroscope", "Memo Dice"]
    assert [row.cells[0] for row in page.rows] == ["2", "1"]
    table.press(S1)
    assert {row.label for row in table.page().rows} == {"Ada", "Bob", "Cleo"}
    table.press(NO, NO)
    assert table.state.kind is ScreenKind.LOBBY


def test_players_are_renamed_merged_and_parted_by_buttons(table: Table, journal: Journal) -> None:
    """By the buttons of a box; the journal stays as it was written."""
    table.open_history()
    table.press(S6, OK)
    table.press(S1)
    table.choose("Another name")
    assert "Spell" in table.state.question.detail
    table.press(S1, PLUS, S1, OK)  # "Aa"
    assert table.state.prompt.startswith("Aa: won")
    table.press(S1)
    table.choose("Cleo")
    assert "have sat at one table: they stay two" in table.state.menu.title
    table.press(OK)
    assert table.state.prompt.startswith("Aa: won")
    assert journal.player_names.resolve("Cleo") == "Cleo"
    assert {*map(journal.player_names.resolve, ("Ada", "Bob"))} != {"Ada", "Bob"}
    assert SavedGame(journal, 1, registry.find_game("macroscope")).setup.players == ("Ada", "Bob")


@pytest.mark.parametrize("seat", ["Circle", "CIRCLE", "Kreis", "Cerchio "])
def test_nobody_is_renamed_to_a_seat(journal: Journal, seat: str) -> None:
    """All who gave no name have that name: they could not be parted again."""
    with journal:
        past = ResultsCache(journal)
        past.restart()
        past.read_more()
        menu = player_rename._choose_name(past, "Cleo", lambda name: open_numbered_menu(name, [("OK", None)]), seat)
        assert isinstance(menu, ListMenu)
        assert "is the name of a seat" in menu.title
        assert journal.player_names.resolve("Cleo") == "Cleo"


def test_two_names_of_one_person_become_one_and_are_parted_again(journal: Journal) -> None:
    with journal:
        play(journal, "memo_dice", ("Adele", "Dora"), 4)
        table = Table(journal)
        table.open_history()
        table.press(S6)
        table.choose_row("Adele")
        table.press(S1)
        table.choose("Dora")
        assert "they stay two" in table.state.menu.title
        table.press(OK, S1)
        table.choose("Ada")
        table.choose("Yes")
        assert table.state.prompt.startswith("Ada: won")
        assert sum(int(row.cells[0]) for row in table.page().rows) == 4
        assert load_known_players(journal).names == ("Ada", "Dora", "Bob", "Cleo")
        names = [
            game["players"]
            for game in table.stage._services.results.player_names.unify(table.stage._services.results.summaries)
        ]
        assert names[-1] == ["Ada", "Dora"]
        assert SavedGame(journal, 4, registry.find_game("memo_dice")).players == ("Ada", "Dora")
        table.press(S2)
        table.choose("Adele")
        assert table.state.prompt.startswith("Adele: won")
        assert sum(int(row.cells[0]) for row in table.page().rows) == 1


def test_the_numbers_are_those_of_the_journal(journal: Journal) -> None:
    with journal:
        past = ResultsCache(journal)
        past.restart()
        past.read_more()
        page = history.build_page(past, ("player", "Bob"))
        scores = [
            summarise_result(SavedGame(journal, number, registry.find_game("macroscope")).replay)["scores"][seat]
            for number, seat in ((1, 1), (2, 0))
        ]
    (row,) = page.table.rows
    assert row.cells[0] == "2"
    assert row.cells[2] == str(max(scores)).replace("-", "−")


def test_reviewing_a_result_keeps_the_seats_of_the_lobby(table: Table) -> None:
    table.press(S4, S5)
    seated = table.stage
    names = seated.seated
    table.open_history()
    table.press(S1, S6)
    assert [row.detail.count(",") for row in table.page().rows] == [2, 1], "the latest first"
    table.press(MINUS, OK)
    shown = table.state
    assert shown.kind is ScreenKind.RESULT
    assert [player.name for player in shown.players] == ["Ada", "Bob"]
    assert isinstance(table.stage, Referee)
    table.press(NO)
    lobby = table.stage
    assert (lobby.seating, lobby.seated) == ((S4, S5), names)


def test_reading_the_history_writes_nothing(table: Table, journal: Journal) -> None:
    before = [journal.read_last_entry(record.id) for record in journal.list_games()]
    table.open_history()
    table.press(S1, S6, OK, NO)
    assert [journal.read_last_entry(record.id) for record in journal.list_games()] == before


def test_no_leads_back_while_games_are_read(journal: Journal) -> None:
    with journal:
        past = ResultsCache(journal)
        lobby = Lobby(registry.find_game("macroscope"), LobbyServices(lambda: 0.0, results=past))
        past.restart()
        lobby.dialog = history.build_page(past, history.START_PAGE)
        assert [offer.input.value for offer in lobby.list_offers()] == ["no"]
        assert "3 games" in lobby.build_screen_state(CameraView()).prompt
        lobby.execute(lobby.list_offers()[0].action)
        assert lobby.build_screen_state(CameraView()).kind is ScreenKind.LOBBY


@pytest.mark.parametrize("has_begun", [False, True])
def test_unreadable_journal_closes_the_history_and_keeps_the_seats(table: Table, has_begun: bool) -> None:
    table.press(S1, S2, MINUS)
    if has_begun:
        table.press(*[MINUS] * table.menu.items.index("Past games"))
    lobby = table.stage
    if has_begun:
        lobby._services.results.restart()
        lobby.dialog = history.build_page(lobby._services.results, history.START_PAGE)
        lobby._services.results._journal.close()
    else:
        lobby._services.results._journal.close()
        table.press(*[MINUS] * table.menu.items.index("Past games"), OK)
    table.session.step(())
    shown = table.state
    assert (shown.kind, lobby.dialog, lobby.seating) == (ScreenKind.LOBBY, None, (S1, S2))
    assert shown.notice == "Not written down: the disk refuses. Start again; if it stays so, the card is worn"


def test_the_history_may_be_empty(tmp_path: Path) -> None:
    with Journal(tmp_path / JOURNAL_FILE) as journal:
        table = Table(journal)
        table.open_history()
        assert table.page().rows == ()
        table.press(OK, PLUS, MINUS, S1, S6)
        assert table.state.kind is ScreenKind.HISTORY
        table.press(NO)
        assert table.state.kind is ScreenKind.LOBBY
