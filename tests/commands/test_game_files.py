"""`companion rules` with a game's file: check, import, schema; and the game is there at the next start."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.api import registry
from companion.cli import main
from tests.games.game_file.own_file import MINE


@pytest.fixture(autouse=True)
def _no_folder() -> Iterator[None]:
    yield
    registry.use_game_folder(None)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "from a friend.toml"
    path.write_text(MINE, encoding="utf-8")
    return path


def test_an_imported_game_is_there_at_the_next_start(
    tmp_path: Path, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "data"
    assert main(["rules", "--data", str(data), "--import", str(file)]) == 0
    assert "Mine is imported as mine" in capsys.readouterr().out
    assert (data / "games" / "mine.toml").read_text("utf-8") == MINE
    assert main(["rules", "--data", str(data), "--game", "mine"]) == 0
    assert capsys.readouterr().out == "[games.mine]\nplayers_min = 2\nplayers_max = 4\n"
    settings = tmp_path / "companion.toml"
    settings.write_text(f'[data]\nfolder = "{data}"\n[games.mine]\nplayers_max = 3\n', encoding="utf-8")
    assert main(["rules", "--settings", str(settings), "--game", "mine"]) == 0
    assert "players_max = 3" in capsys.readouterr().out


def test_an_imported_game_is_replaced_by_its_next_version(tmp_path: Path, file: Path) -> None:
    data = tmp_path / "data"
    assert main(["rules", "--data", str(data), "--import", str(file)]) == 0
    file.write_text(MINE.replace("50", "60"), encoding="utf-8")
    assert main(["rules", "--data", str(data), "--import", str(file)]) == 0
    assert "60" in (data / "games" / "mine.toml").read_text("utf-8")


@pytest.mark.parametrize("option", ["--check", "--import"])
def test_a_wrong_file_is_reported_and_nothing_is_imported(
    tmp_path: Path, file: Path, option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(MINE.replace("high", "hihg"), encoding="utf-8")
    assert main(["rules", "--data", str(tmp_path / "data"), option, str(file)]) == 2
    said = capsys.readouterr().err
    assert f"{file}, line 13: points.entries.0.hihg: there is no such key; did you mean high?" in said
    assert "docs/game-files.md" in said
    assert not (tmp_path / "data").exists()


def test_a_name_that_is_taken_is_refused(tmp_path: Path, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(MINE.replace('"mine"', '"yacht"'), encoding="utf-8")
    assert main(["rules", "--data", str(tmp_path), "--import", str(file)]) == 2
    assert "there is a game yacht already" in capsys.readouterr().err


def test_a_file_that_is_not_there_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "--check", str(tmp_path / "no.toml")]) == 2
    assert "Is the name right?" in capsys.readouterr().err


def test_the_schema_in_the_documents_is_up_to_date(capsys: pytest.CaptureFixture[str]) -> None:
    """After a change: `companion rules --schema > docs/game.schema.json`."""
    assert main(["rules", "--schema"]) == 0
    schema = capsys.readouterr().out
    assert json.loads(schema)["properties"]["title"]["description"]
    assert schema == (Path(__file__).parents[2] / "docs" / "game.schema.json").read_text()


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("mine", MINE.replace("high", "hihg"), "line 13: points.entries.0.hihg"),
        ("other", MINE, "call it mine.toml"),
        ("yacht", MINE, "there is a game yacht already"),
    ],
)
def test_a_bad_file_in_the_folder_is_logged_and_the_others_are_played(
    tmp_path: Path, name: str, text: str, message: str, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / f"{name}.toml").write_text(text, encoding="utf-8")
    registry.use_game_folder(tmp_path)
    games = {game.name for game in registry.load_games()}
    assert {"hearts", "yacht", "macroscope"} <= games
    assert "mine" not in games
    assert message in caplog.text
