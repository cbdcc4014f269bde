"""`companion rules` with a game's file: check, import, schema; and the game is there at the next start."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from companion.api import registry
from companion.cli import main
from companion.commands.try_game_file import try_game
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
    for name in (str(tmp_path / "no.toml"), ".", "/", "x" * 255, "\0"):
        assert main(["rules", "--check", name]) == 2
        assert "Is the name right?" in capsys.readouterr().err
    (tmp_path / "mine.toml").write_text(MINE, encoding="utf-8")
    for option in ("--check", "--import"):
        assert main(["rules", option, str(tmp_path / "mine")]) == 2
        assert "mine.toml meant?" in capsys.readouterr().err


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


def test_the_file_of_a_game_on_the_shelf_is_printed_to_be_copied(
    tmp_path: Path, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rules", "--show", "hearts"]) == 0
    assert capsys.readouterr().out == (registry.SHIPPED_GAME_FOLDER / "hearts.toml").read_text("utf-8")
    data = tmp_path / "data"
    assert main(["rules", "--data", str(data), "--import", str(file)]) == 0
    capsys.readouterr()
    assert main(["rules", "--data", str(data), "--show", "mine"]) == 0
    assert capsys.readouterr().out == MINE
    assert main(["rules", "--show", "macroscope"]) == 2
    assert "macroscope is written in Python" in capsys.readouterr().err


def list_tried_lines(text: str, seed: int) -> list[str]:
    lines = list[str]()
    try_game("mine", text, Random(seed), lines.append)
    return lines


@pytest.mark.parametrize("seed", range(3))
def test_a_game_is_tried_round_by_round_with_numbers_and_scores(seed: int) -> None:
    head, *rounds, end = list_tried_lines(MINE, seed)
    assert head == "Mine, 3 players, each enters: Points"
    totals = [0, 0, 0]
    for number, line in enumerate(rounds, 1):
        entered, _arrow, scores = line.removeprefix(f"{number}: ").partition(" -> ")
        totals = [total + int(own) for total, own in zip(totals, entered.split(" | "), strict=True)]
        assert scores == ", ".join(map(str, totals))
    assert max(totals) >= 50
    assert f"The highest score wins: {max(totals)} points." in end


def test_a_game_in_which_nobody_has_anything_to_enter_is_over_at_once() -> None:
    head, end = list_tried_lines(MINE + 'when = "score > 5"\n', 1)
    assert end.startswith("Nobody has scored. "), head


def test_numbers_that_are_not_asked_for_and_new_beginnings_are_seen() -> None:
    text = MINE.replace("high = 99", "high = 30")
    text = text.replace('end = "score >= 50"', 'end = "wins == 2"\nrestart = "score >= 30"')
    text += 'when = "score != 1"\n[[points.entries]]\nid = "more"\nname = "more"\nhigh = 9\nwhen = "points > 20"\n'
    text += '[[points.kept]]\nid = "wins"\nname = "Wins"\nnext = "wins + (score + points > 29)"\nlasting = true\n'
    lines = list_tried_lines(text.replace("score + points", "score + points + more"), 1)
    assert any(". |" in line for line in lines)
    assert any(line.endswith("0 (Wins 0); everybody begins again") for line in lines), lines


def test_a_game_that_cannot_end_is_left() -> None:
    check = '[[points.checks]]\nwhen = "sum(all_points) < 0"\ntext = "It is never right"\n'
    end = list_tried_lines(MINE + check, 1)[-1]
    assert end.endswith("in round 1: does it ever end? Often wrong: It is never right.")


def test_only_games_of_entered_points_are_tried(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "--try", str(registry.SHIPPED_GAME_FOLDER / "wizard.toml")]) == 0
    assert capsys.readouterr().out.startswith("Wizard, 3 players, each enters: ")
    assert main(["rules", "--try", str(registry.SHIPPED_GAME_FOLDER / "yacht.toml")]) == 2
    assert "companion run --headless --game yacht" in capsys.readouterr().err
