"""`companion run --headless` as a person calls it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.full
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
