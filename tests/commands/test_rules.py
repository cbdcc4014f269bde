"""The command `companion rules`: print house rules as a settings file, and import them."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from companion.api import registry
from companion.cli import main
from companion.lobby import HouseRules

STARFALL = registry.find_game("starfall")


def typed(*words: object) -> int:
    return main(["rules", *map(str, words)])


@pytest.fixture(autouse=True)
def nobody_elses_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    empty = tmp_path / "empty.toml"
    empty.write_text("")
    monkeypatch.setenv("COMPANION_SETTINGS", str(empty))


def test_printed_rules_can_be_imported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tiles = tuple(STARFALL.settings_model.model_validate({"catalogue": [{"stars": n} for n in range(3)]}).catalogue)
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    assert HouseRules(folder=here).change(STARFALL, "catalogue", tiles) is None
    assert typed("--data", here, "--game", "starfall") == 0
    text = capsys.readouterr().out
    assert set(tomllib.loads(text)["games"]) == {"starfall"}
    (tmp_path / "tiles.toml").write_text(text)
    assert typed("--data", there, "--import", tmp_path / "tiles.toml") == 0
    assert HouseRules(folder=there).rules_of(STARFALL).catalogue == tiles


def test_all_games_are_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert typed("--data", tmp_path) == 0
    assert set(tomllib.loads(capsys.readouterr().out)["games"]) == set(registry.list_game_names())


@pytest.mark.parametrize(
    ("text", "said"), [("[games.starfall]\nboard_max_tiles = -3\n", "board_max_tiles"), ("[games", "not TOML")]
)
def test_invalid_rules_are_reported(tmp_path: Path, text: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bad.toml").write_text(text)
    assert typed("--data", tmp_path, "--import", tmp_path / "bad.toml") == 2
    assert said in capsys.readouterr().err
    assert typed("--data", tmp_path, "--import", tmp_path / "none.toml") == 2
    assert f"There is no file {tmp_path / 'none.toml'}" in capsys.readouterr().err


def test_folder_that_cannot_be_created_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "rules.toml").write_text("[games.starfall]\n")
    assert typed("--data", tmp_path / "file" / "data", "--import", tmp_path / "rules.toml") == 1
    assert "Not a directory" in capsys.readouterr().err


@pytest.mark.parametrize("words", [("--check", "a.toml", "--new", "b"), ("--try", "a.toml", "--show", "hearts")])
def test_one_thing_is_done_at_a_time(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert typed(*words) == 2
    assert "One thing at a time" in capsys.readouterr().err
