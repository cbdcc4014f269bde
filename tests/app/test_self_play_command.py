"""`companion run --headless` as a person calls it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def test_it_tells_the_game_names_the_folder_by_its_full_path_and_leaves_pictures(tmp_path: Path) -> None:
    rules = tmp_path / "companion.toml"
    rules.write_text("[games.macroscope]\nrounds = 1\n", encoding="utf-8")
    done = subprocess.run(
        [
            *(sys.executable, "-m", "companion", "run", "--headless", "--seed", "5"),
            *("--players", "Ada", "Bob", "--shots", "pictures", "--settings", str(rules)),
        ],
        cwd=tmp_path,
        env={k: v for k, v in os.environ.items() if k != "DISPLAY"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == "Macroscope plays itself at the simulated table, seed 5."
    assert lines[-2].startswith("Final scores: ")
    assert {"Ada", "Bob"} <= set(lines[-2].replace(":", "").split())
    assert lines[-1].endswith(f"pictures of the screen are in {tmp_path / 'pictures'}")
    assert len(list((tmp_path / "pictures").glob("*.png"))) >= 5


def test_settings_that_cannot_be_used_end_it_in_words(tmp_path: Path) -> None:
    torn = tmp_path / "companion.toml"
    torn.write_text("[games.macroscope\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "companion", "run", "--headless", "--settings", str(torn)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert str(torn) in done.stderr
    assert "Traceback" not in done.stderr


def test_too_many_players_are_told_so() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "companion", "run", "--headless", "--players", *"ABCDEFG"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (2, "Macroscope is for 2 to 6 players, not 7\n")
