"""A game in the journal keeps the file that it was begun with, whatever becomes of the file.

Reading a game's file: tests/games/game_file/; the command: tests/commands/test_rules_files.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.api import Move, Seat, registry
from companion.display.scenes import load_game_scene
from companion.events import SEAT_BUTTONS, Button
from companion.journal.database import Journal
from companion.journal.dice_luck import compute_dice_records
from companion.journal.entry import GameSetup, InvalidSavedGame
from companion.journal.game_summary import summarise_game
from companion.journal.saved_game import SavedGame
from companion.lobby import ResultsCache, ResumePrompt
from companion.lobby.set_aside_games import list_set_aside
from tests.app.session_table import SessionTable
from tests.games.game_file.own_file import MINE


@pytest.fixture(autouse=True)
def _no_folder() -> Iterator[None]:
    yield
    registry.use_game_folder(None)


def install(folder: Path, text: str) -> Any:
    (folder / "mine.toml").write_text(text, encoding="utf-8")
    registry.use_game_folder(folder)
    return registry.find_game("mine")


def begin(journal: Journal, folder: Path) -> SavedGame:
    definition = install(folder, MINE)
    settings = definition.settings_model().model_dump(mode="json")
    setup = GameSetup(game="mine", players=("Ada", "Bob"), buttons=SEAT_BUTTONS[:2], settings=settings)
    return SavedGame.begin(journal, setup, definition)


def enter(saved_game: SavedGame, *numbers: int) -> None:
    for seat, number in enumerate(numbers):
        saved_game.play_move(Move("enter", Seat(seat), (number,)))


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal(tmp_path / "journal.sqlite3") as opened:
        yield opened


def test_a_changed_file_changes_no_game_that_was_begun(tmp_path: Path, journal: Journal) -> None:
    running, finished = begin(journal, tmp_path), begin(journal, tmp_path)
    enter(running, 20, 30)
    enter(finished, 20, 55)
    changed = install(tmp_path, MINE.replace("50", "30").replace("[[", 'score = "2 * points"\n[[', 1))
    for saved_game in (running, finished):
        again = SavedGame(journal, saved_game.id, changed)
        assert again.problem is None
        assert again.game.totals == saved_game.game.totals
        assert again.game.compute_outcome() == saved_game.game.compute_outcome()
    again = SavedGame(journal, running.id, changed)
    enter(again, 1, 1)
    assert again.game.totals == (21, 31)
    assert again.game.compute_outcome() is None, "it is played to its end by the rules it was begun with"
    enter(again, 1, 19)
    assert again.game.compute_outcome() is not None


def test_a_file_of_another_kind_is_reported(tmp_path: Path, journal: Journal) -> None:
    begun = begin(journal, tmp_path)
    other = install(tmp_path, MINE[: MINE.index("[points]")] + "[score_keeper]\ntarget_points = 10\n")
    with pytest.raises(InvalidSavedGame, match=r"when mine was a game of \[points\]"):
        SavedGame(journal, begun.id, other)


@pytest.mark.parametrize("text", [None, 3, [], {}])
def test_a_file_that_is_no_text_is_reported(tmp_path: Path, journal: Journal, text: object) -> None:
    begun, definition = begin(journal, tmp_path), registry.find_game("mine")
    setup = begun.setup.model_copy(update={"settings": {"file": text}})
    with pytest.raises(InvalidSavedGame, match="the house rules are not valid: file: Input should be a valid string"):
        SavedGame.begin(journal, setup, definition)
    game = journal.begin_game(setup)
    assert (
        "file: Input should be" in summarise_game(journal, journal.get_game(game), registry.find_game, None)["trouble"]
    )


def test_a_game_whose_file_is_gone_is_listed_with_its_result(journal: Journal, tmp_path: Path) -> None:
    """From the text in the journal: name, players, scores and winner."""
    saved_game = begin(journal, tmp_path)
    enter(saved_game, 60, 10)
    (tmp_path / "mine.toml").unlink()
    registry.use_game_folder(tmp_path)
    with pytest.raises(registry.UnknownGame):
        registry.find_game("mine")
    summary = summarise_game(journal, journal.get_game(saved_game.id), registry.find_game, None)
    assert (summary["title"], summary["players"], summary["scores"]) == ("Mine", ["Ada", "Bob"], [60, 10])
    assert (summary["over"], summary["winners"], summary["trouble"]) == (True, [0], None)
    cache = ResultsCache(journal, tmp_path)
    cache.restart()
    assert cache.read_more(reasons=False)
    assert cache.summaries[0]["title"] == "Mine"
    assert compute_dice_records(cache.summaries) == ()


@pytest.mark.parametrize("is_gone", [True, False])
@pytest.mark.parametrize("is_set_aside", [True, False])
def test_a_game_whose_file_is_gone_or_wrong_goes_on_from_the_lobby_and_after_a_start(
    journal: Journal, tmp_path: Path, is_set_aside: bool, is_gone: bool
) -> None:
    saved_game = begin(journal, tmp_path)
    enter(saved_game, 20, 30)
    if is_set_aside:
        saved_game.set_aside()
    if is_gone:
        (tmp_path / "mine.toml").unlink()
    else:
        (tmp_path / "mine.toml").write_text("title = ", encoding="utf-8")
    registry.use_game_folder(tmp_path)
    load_game_scene.cache_clear()
    table = SessionTable(journal)
    if is_set_aside:
        ((number, label),) = list_set_aside(journal)
        assert (number, label.partition(" ")[0]) == (saved_game.id, "Mine")
        table.press(Button.MINUS)
        table.choose(label)
    else:
        assert isinstance(table.stage, ResumePrompt)
        table.press(Button.OK)
    assert (table.game.game.totals, table.state.scores) == ((20, 30), (20, 30))
    assert type(load_game_scene("mine")).__name__ == "PointsScene"
    enter(table.game, 30, 0)
    assert table.game.game.compute_outcome().winners == (0,)


def test_a_text_that_describes_another_game_is_not_used(journal: Journal, tmp_path: Path) -> None:
    begin(journal, tmp_path)
    registry.use_game_folder(None)
    for settings in ({}, {"file": 7}, {"file": "noise ["}, {"file": MINE.replace('"mine"', '"other"')}):
        assert registry.find_described_game("mine", settings) is None
