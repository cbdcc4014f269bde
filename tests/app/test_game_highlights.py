"""The sentences on a finished game beside earlier ones, in a session."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.api import Move
from companion.config.settings import CafeSettings
from companion.events import SEAT_BUTTONS
from companion.games.score_keeper import GAME
from companion.journal.database import JOURNAL_FILE, Journal
from companion.journal.entry import GameSetup
from companion.journal.saved_game import SavedGame
from tests.app.session_table import SessionTable

MAX_STEPS = 50


def find_move(saved_game: SavedGame, kind: str, seat: int | None) -> Move:
    return next(move for move in saved_game.game.list_moves() if (move.kind, move.seat) == (kind, seat))


def play(journal: Journal, winner: int) -> SavedGame:
    """Play a game to its end that a seat wins."""
    setup = GameSetup(
        game="score_keeper",
        players=("Ada", "Bo"),
        buttons=SEAT_BUTTONS[:2],
        settings=GAME.settings_model().model_dump(mode="json"),
    )
    saved_game = SavedGame.begin(journal, setup, GAME)
    saved_game.play_move(find_move(saved_game, "point", winner))
    saved_game.play_move(find_move(saved_game, "end", None))
    return saved_game


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    opened = Journal(tmp_path / JOURNAL_FILE)
    for winner in (0, 0, 0, 1):
        play(opened, winner)
    return opened


def show_result(table: SessionTable, journal: Journal, number: int) -> tuple[str, ...]:
    """Open a result; return its sentences once the history has been read."""
    table.session._enter_stage(table.session._make_referee(SavedGame(journal, number, GAME)))
    for _i in range(MAX_STEPS):
        table.session.step([])
    return table.state.highlights


def test_each_result_is_compared_with_the_games_before_it(journal: Journal) -> None:
    table = SessionTable(journal, GAME)
    assert show_result(table, journal, 2) == ()
    assert show_result(table, journal, 3)[0] == "Ada beat Bo 3 times in a row"
    assert show_result(table, journal, 4)[0] == "Bo beat Ada after 3 defeats"


def test_an_undone_end_has_no_sentences(journal: Journal) -> None:
    table = SessionTable(journal, GAME)
    assert show_result(table, journal, 3)
    saved_game = table.session.saved_game
    assert saved_game is not None
    saved_game.undo()
    table.session.step([])
    assert table.state.highlights == ()


def test_guests_of_a_cafe_are_compared_with_nobody(journal: Journal) -> None:
    table = SessionTable(journal, GAME, cafe=CafeSettings(on=True))
    assert show_result(table, journal, 3) == ()
