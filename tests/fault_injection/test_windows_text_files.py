"""Files that were saved by an editor of Windows: byte order mark and line ends; and arguments that are no files."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.api import registry
from companion.commands.common import find_named_data_folder
from companion.config.settings_file import load_settings
from companion.games.game_file.definition import load_definition
from companion.games.macroscope import GAME
from companion.journal.exported_game import read_exported_game
from companion.lobby import HouseRules, Preferences
from tests.commands.command_line import run_main
from tests.games.game_file.own_file import MINE
from tests.journal.test_exported_game import exported

__all__ = ["exported"]  # a fixture


def save_as_windows(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    return path


def test_settings(tmp_path: Path) -> None:
    file = save_as_windows(tmp_path / "s.toml", f'[words]\nlanguage = "de"\n[data]\nfolder = "{tmp_path / "d"}"\n')
    assert load_settings(file).settings.words.language == "de"
    assert find_named_data_folder(["rules", "--settings", str(file)]) == tmp_path / "d"


@pytest.mark.parametrize("text", [MINE.lstrip(), MINE.replace("Mine", "Mein “Spiel” für Zoë")])
def test_game_file(tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    """One of them has a key of a game directly behind the mark: it must not be taken for settings."""
    file = save_as_windows(tmp_path / "mine.toml", text)
    assert load_definition(file).name == "mine"
    assert run_main("rules", "--data", str(tmp_path / "d"), "--import", str(file)) == 0
    assert " is imported as mine" in capsys.readouterr().out


def test_house_rules_of_a_settings_file(tmp_path: Path) -> None:
    file = save_as_windows(tmp_path / "r.toml", "[games.macroscope]\nrounds = 3\n")
    assert run_main("rules", "--data", str(tmp_path / "d"), "--import", str(file)) == 0
    assert HouseRules(folder=tmp_path / "d").rules_of(GAME).rounds == 3


def test_stores(tmp_path: Path) -> None:
    Preferences(folder=tmp_path).change("palette", "light")
    HouseRules(folder=tmp_path).change(GAME, "rounds", 3)
    for file in tmp_path.iterdir():
        save_as_windows(file, file.read_text("utf-8"))
    assert Preferences(folder=tmp_path).values.palette == "light"
    assert HouseRules(folder=tmp_path).rules_of(GAME).rounds == 3


def test_exported_game(tmp_path: Path, exported: Path) -> None:

    file = save_as_windows(tmp_path / "mailed.json", exported.read_text("utf-8"))
    assert read_exported_game(file) == read_exported_game(exported)


def test_list_of_games_for_the_club(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = save_as_windows(tmp_path / "games.json", "[\n]\n")
    assert run_main("club", "--database", str(tmp_path / "c"), "add", str(file)) == 0
    assert capsys.readouterr().out == "0 of 0 results are new.\n"


ODD: dict[str, Callable[[Path], object]] = {
    "pipe": os.mkfifo,
    "endless": lambda path: path.symlink_to("/dev/zero"),
    "folder": Path.mkdir,
}


@pytest.mark.parametrize("odd", ODD)
def test_arguments_that_are_no_files(tmp_path: Path, odd: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Each command ends with one line."""
    ODD[odd](path := tmp_path / "odd.toml")
    ODD[odd](tmp_path / "odd.pdf")
    data, database = ("--data", str(tmp_path / "d")), ("club", "--database", str(tmp_path / "c"))
    for words in (
        ("rules", *data, "--check", str(path)),
        ("rules", *data, "--import", str(path)),
        ("rules", *data, "--settings", str(path)),
        ("history", *data, "import", str(path)),
        (*database, "add", str(path)),
        (*database, "run", "--port", "0", "--user", "a", "--password-file", str(path)),
        (*database, "run", "--port", "0", "--ca", str(path)),
        ("print-tags", str(tmp_path / "odd.pdf")),
    ):
        assert run_main(*words) != 0, words
        err = capsys.readouterr().err
        assert re.search("no file but|cannot be read|pipe or a device|is a folder|a folder of a game holds", err), (
            words,
            err,
        )
        assert "Traceback" not in err


@pytest.mark.parametrize("odd", ["pipe", "endless"])
def test_no_device_or_pipe_is_replaced(tmp_path: Path, odd: str, capsys: pytest.CaptureFixture[str]) -> None:
    """As root `film --out /dev/null` would put a film in the place of the device."""
    ODD[odd](path := tmp_path / "odd.pdf")
    for words in (
        ("history", "export", "1", str(path)),
        ("film", "1", "--out", str(path)),
        ("print-tags", str(path)),
        ("dice-test", "--csv", str(path)),
    ):
        assert run_main(*words) == 2
        assert "is a pipe or a device: name a file" in capsys.readouterr().err
    assert [*tmp_path.iterdir()] == [path]
    assert not path.is_file()


@pytest.mark.parametrize("odd", ODD)
def test_folder_of_games_with_what_is_no_file(tmp_path: Path, odd: str) -> None:
    """`companion run` would wait for it before its first screen."""
    (tmp_path / "d" / "games").mkdir(parents=True)
    ODD[odd](tmp_path / "d" / "games" / "x.toml")
    assert run_main("rules", "--data", str(tmp_path / "d"), "--game", "macroscope") == 0
    registry.use_game_folder(None)


@pytest.mark.parametrize(("broker", "reason"), [("\udcff", "no host"), ("[::1", "no host"), ("a:b:c", "no host")])
def test_brokers_that_cannot_be(tmp_path: Path, broker: str, reason: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_main("club", "--database", str(tmp_path / "c"), "run", "--port", "0", "--broker", broker) == 2
    assert reason in capsys.readouterr().err
