"""`companion run --headless` as a person calls it."""

from __future__ import annotations

import os
import signal
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


def use_default_interrupt() -> None:
    """Let Ctrl-C end the program also where a shell runs the tests in the background, which then ignore it."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.mark.parametrize("end", [None, signal.SIGTERM, signal.SIGINT])
def test_it_leaves_nothing_in_the_temporary_folder(tmp_path: Path, end: signal.Signals | None) -> None:
    """Neither at its end nor when it is ended: pictures are kept where `--shots` says."""
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    settings = tmp_path / "companion.toml"
    settings.write_text(f"[porch]\non = {'false' if end is None else 'true'}\n", encoding="utf-8")  # on: it is slow
    process = subprocess.Popen(
        [sys.executable, "-m", "companion", "run", "--headless", "--game", "score_keeper", "--settings", settings],
        cwd=Path(__file__).parents[2],
        env=os.environ | {"TMPDIR": str(temporary), "COMPANION_PORCH_SOCKET": str(tmp_path / "porch.sock")},
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=use_default_interrupt,
    )
    assert process.stdout is not None
    if end is not None:
        lines = [process.stdout.readline() for _ in range(3)]
        assert "plays itself" in lines[0]
        assert [each for each in temporary.iterdir() if each.is_dir()], "its journal is there"
        process.send_signal(end)
    process.communicate(timeout=60)
    assert process.returncode == {None: 0, signal.SIGTERM: -signal.SIGTERM, signal.SIGINT: 130}[end]
    assert list(temporary.iterdir()) == []
