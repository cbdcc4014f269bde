"""A whole game, and the commands that people type first, where all is missing that macOS or Windows do not have."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import cv2
import pytest

from tests.vision.watching import Table

SYSTEMS = ("darwin", "win32")
FOLDERS = ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "ALLUSERSPROFILE")
"""Variables that say where a user's folders are."""
DASH = """
name = "dash"
title = "Dash"
players_min = 1
players_max = 2
rules = ["Whoever has 6 points first has won."]

[dice]
count = 1
points = "sum(dice)"
target = 6
last_round = "none"
"""
Result = tuple[int, str, str]
TIME_PATTERN = re.compile(r"\d+ ms")


def run(system: str, home: Path, *lines: Sequence[str]) -> list[Result]:
    """Return status, output and errors of command lines in one process on a simulated system."""
    home.mkdir(exist_ok=True)
    done = subprocess.run(
        [sys.executable, "-X", "warn_default_encoding", "-m", "tests.portability.other_system", system],
        input=json.dumps(lines),
        capture_output=True,
        encoding="utf-8",
        check=False,
        env=os.environ | dict.fromkeys(FOLDERS, str(home)),
    )
    assert done.returncode == 0, done.stderr
    found: list[Result] = [tuple(result) for result in json.loads(done.stdout.splitlines()[-1])]
    return found


@pytest.mark.parametrize("system", SYSTEMS)
def test_help_rules_history_and_settings(tmp_path: Path, system: str) -> None:
    (settings := tmp_path / "s.toml").write_text("[words]\nlanguage = 7\n", "utf-8")
    results = run(
        system,
        tmp_path / "home",
        ["--help"],
        ["rules", "--game", "pig"],
        ["history"],
        ["history", "--settings", str(settings)],
        ["porch", "--settings", str(tmp_path / "none.toml")],
    )
    assert [status for status, *_ in results[:4]] == [0, 0, 0, 0], results
    assert "usage: companion" in results[0][1]
    assert "goal = 100" in results[1][1]
    assert results[2][1] == "Nothing has been played yet.\n"
    assert "words.language" in results[3][2]
    assert results[4][0] != 0


@pytest.mark.parametrize("system", [pytest.param("darwin", marks=pytest.mark.proof), "win32"])
def test_a_die_is_tested_by_keys(tmp_path: Path, system: str) -> None:
    keys = "1 2 3 4 5 6 " * 2
    tested = ["dice-test", "--table", "keyboard"]
    lines = [[*tested, f"pipe:{keys}"], [*tested, f"pipe:{keys.replace(' ', chr(13) + chr(10))}q"]]
    if system == "win32":  # arrows are two characters, and mean nothing here
        lines += [[*tested, f"console:\xe0H{keys}\x00;q"], ["buttons", "--seconds", "0.1", "console:1\r"]]
    found = run(system, tmp_path / "home", *lines)
    assert [(status, errors) for status, _output, errors in found[:3]] == [(0, "")] * len(found[:3])
    assert all("12 throws: 0 read by the camera, 12 entered." in output for _status, output, _errors in found[:3])
    if system == "win32":
        assert found[3][1].endswith("Presses: keyboard 2\n")


def test_others_watch_a_table_on_windows(tmp_path: Path) -> None:
    """Lines and pictures go over a port of the machine: Python has no Unix sockets there."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.portability.windows_porch"],
        capture_output=True,
        encoding="utf-8",
        check=False,
        env=os.environ | dict.fromkeys(FOLDERS, str(tmp_path)),
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1]) == {
        "misled": [False, False],
        "headline": "Choose a card",
        "picture": "WEBP",
        "files": ["porch-picture.pixels", "porch-picture.sock", "porch.sock"],
    }


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the files that are read."""
    folder = tmp_path_factory.mktemp("given")
    (folder / "dash.toml").write_text(DASH, "utf-8")
    assert cv2.imwrite(str(folder / "photo.png"), Table([(3, 440.0, 140.0)]).draw())
    return folder


@pytest.fixture(scope="module")
def linux(given: Path) -> dict[str, Result]:
    return play("linux", given / "linux", given)


@pytest.mark.full
@pytest.mark.parametrize("system", SYSTEMS)
def test_a_whole_game_and_the_commands_around_it(
    tmp_path: Path, system: str, given: Path, linux: dict[str, Result]
) -> None:
    """A die is thrown, photographed and read; the scores are those of Linux."""
    found = play(system, tmp_path, given)
    assert {name: status for name, (status, *_) in found.items()} == dict.fromkeys(found, 0)
    for name in ("run", "rerun", "see"):
        assert TIME_PATTERN.sub("", found[name][1]) == TIME_PATTERN.sub("", linux[name][1]), name
    assert "Final scores: Bob 11, Ada 4" in found["run"][1]
    assert "Bob won (Ada 4, Bob 11)" in found["replay"][1]
    assert "journal.sqlite3: 2 games" in found["doctor"][1]
    assert ("COM3: firmware 1.0.0, 10 buttons" in found["doctor"][1]) is (system == "win32")
    assert "Machine" in (tmp_path / "report.txt").read_text("utf-8")
    assert (tmp_path / "tags.pdf").stat().st_size > 1000
    assert [*tmp_path.glob("*.webp")]
    assert [*(tmp_path / "d").glob("journal.sqlite3.damaged-*")], "it is set aside"


def play(system: str, home: Path, given: Path) -> dict[str, Result]:
    """Play, damage the journal, play again; return the results by a name for each command."""
    folder = ["--data", str(home / "d")]
    game = ["run", "--headless", *folder, "--seed", "1", "--shots", str(given / "shots")]
    first = {
        "import": ["rules", *folder, "--import", str(given / "dash.toml")],
        "run": [*game, "--game", "dash", "--players", "Ada", "Bob"],
        "replay": ["replay", "1", *folder],
        "export": ["history", "export", "1", str(home / "game.json"), *folder],
        "film": ["film", "1", *folder, "--out", str(home), "--size", "800x480"],
        "tags": ["print-tags", str(home / "tags.pdf")],
        "see": ["see", str(given / "photo.png")],
    }
    second = {
        "rerun": [*game, "--game", "secret_number"],
        "doctor": ["doctor", "--report", str(home / "report.txt"), *folder],
        "buttons": ["buttons", "--seconds", "0.1"],
    }
    results = dict(zip(first, run(system, home, *first.values()), strict=True))
    (home / "d" / "journal.sqlite3").write_bytes(b"no database" * 500)
    return results | dict(zip(second, run(system, home, *second.values()), strict=True))
