"""Anything may stand where the program looks for its own files: reading ends, with words, and nothing raises."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.camera.learnt_layouts import LayoutCache
from companion.cli import main
from companion.commands.doctor.check import CheckMark
from companion.commands.doctor.system_checks import check_journal
from companion.games.macroscope import GAME
from companion.journal.database import JOURNAL_FILE, Journal
from companion.journal.die_pictures import DiePictures
from companion.journal.saved_game import SavedGame
from companion.lobby import HouseRules, Preferences
from companion.lobby.house_rules import HOUSE_RULES_FILE
from companion.lobby.preferences import PREFERENCES_FILE
from companion.lobby.results_cache import RESULTS_FILE, ResultsCache
from companion.system.appliance import PLAYING_FILE, Appliance
from tests.journal.play import SETUP

ODD: dict[str, Callable[[Path], object]] = {
    "folder": Path.mkdir,
    "pipe": os.mkfifo,
    "endless": lambda path: path.symlink_to("/dev/zero"),
    "loop": lambda path: path.symlink_to(path),
    "dangling": lambda path: path.symlink_to("nowhere"),
    "empty": Path.touch,
    "garbage": lambda path: path.write_bytes(b"\xff" * 512),
    "zeros": lambda path: path.write_bytes(bytes(512)),
    "deep": lambda path: path.write_bytes(b"[" * 100_000),
    "digits": lambda path: path.write_bytes(b"9" * 10_000),
    "newer": lambda path: path.write_bytes(b'{"of a newer version": 1}'),
    "list": lambda path: path.write_bytes(b"[]"),
}


def read_house_rules(file: Path) -> object:
    rules = HouseRules(folder=file.parent)
    return rules.rules_of(GAME) == GAME.settings_model() and (
        rules.store.problem or not file.exists() or "newer" in file.read_text()
    )


def read_preferences(file: Path) -> object:
    return Preferences(folder=file.parent).store.problem or not file.exists() or "newer" in file.read_text()


def read_results(file: Path) -> object:
    with Journal(file.parent / JOURNAL_FILE) as journal:
        past = ResultsCache(journal, file.parent)
        past.restart()
        return past.read_more()


def read_journal(file: Path) -> object:
    warned = check_journal(file).mark is not CheckMark.OK or not file.exists()
    with Journal(file) as journal:
        return warned and not journal.list_games()


def play_beside_mirror(file: Path) -> object:
    for count in (1, 2):
        with Journal(file.with_suffix("")) as journal:
            SavedGame.begin(journal, SETUP, GAME).note_resumed()
            assert (journal.damage, len(journal.list_games())) == (None, count)
    return True


READERS: dict[str, Callable[[Path], object]] = {
    HOUSE_RULES_FILE: read_house_rules,
    PREFERENCES_FILE: read_preferences,
    RESULTS_FILE: read_results,
    "table.json": lambda file: LayoutCache(file).load() in (None, {"of a newer version": 1}),
    "faces/0/1-1.jpg": lambda file: DiePictures(file.parents[2] / "journal", "0").load("1-1") is None,
    PLAYING_FILE: lambda file: Appliance(file.parent).take_interrupted_game() is None,
    "j.mirror": play_beside_mirror,
    JOURNAL_FILE: read_journal,
}


@pytest.mark.parametrize("name", READERS)
def test_odd_file_stops_nothing(tmp_path: Path, name: str) -> None:
    for odd, make in ODD.items():
        file = tmp_path / odd / name
        file.parent.mkdir(parents=True)
        make(file)
        assert READERS[name](file), odd


def test_endless_file_of_rules_is_not_read_to_its_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "--data", str(tmp_path), "--import", "/dev/zero"]) == 2
    assert "the settings cannot be read" in capsys.readouterr().err
