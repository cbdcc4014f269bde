"""A game that played itself and was interrupted does not hinder the next one with the same data folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.api import registry
from companion.app.self_play import SelfPlay
from companion.app.session import SessionConfig
from companion.games.memo_dice import GAME as MEMO_DICE
from companion.journal.database import Journal
from companion.vision.base_watcher import TableWatcher
from companion.vision.cups.watcher import CupRowWatcher

MOST_STEPS = 3000
DEFAULT_GAMES = ("farkle", "starfall", "score_keeper")


def play_moves(folder: Path, name: str, count: int, watcher: TableWatcher | None = None) -> tuple[int, list[str]]:
    """Play until there are so many moves, and stop; return the game's number and the lines that were reported."""
    definition, lines = registry.find_game(name), list[str]()
    with Journal(folder / "journal.sqlite3") as journal:
        game = SelfPlay(SessionConfig(definition, (), definition.settings_model(), 1), journal, watcher, lines.append)
        for _ in range(MOST_STEPS):
            game.step()
            saved_game = game.session.saved_game
            if saved_game is not None and len(saved_game.replay.steps) >= count:
                return saved_game.id, lines
    raise AssertionError(f"{name}: no {count} moves in {MOST_STEPS} steps")


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name in DEFAULT_GAMES else pytest.mark.full)
        for name in registry.list_game_names()
    ],
)
def test_the_interrupted_game_is_set_aside_and_a_new_one_begins(tmp_path: Path, name: str) -> None:
    assert play_moves(tmp_path, name, 1)[0] == 1
    number, lines = play_moves(tmp_path, name, 1)
    assert (number, lines[0]) == (2, "Game 1 is not finished, and was set aside.")


@pytest.mark.proof
def test_memo_dice_goes_on_through_frames_after_an_interruption(tmp_path: Path) -> None:
    play_moves(tmp_path, MEMO_DICE.name, 3, CupRowWatcher())
    assert play_moves(tmp_path, MEMO_DICE.name, 4, CupRowWatcher())[0] == 2
