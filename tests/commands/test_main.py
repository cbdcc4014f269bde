"""`python -m companion` is the program itself: its words, its exit status."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from companion import __version__


def companion(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "companion", *arguments], capture_output=True, text=True, check=False)


def test_it_tells_its_version_and_nothing_else() -> None:
    done = companion("--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"companion {__version__}\n", "")


def test_a_command_that_is_none_is_refused_with_words() -> None:
    done = companion("nonsense")
    assert done.returncode == 2
    assert "nonsense" in done.stderr


def test_the_commands_exit_status_is_the_programs(tmp_path: Path) -> None:
    done = companion("see", str(tmp_path / "no-such.jpg"))
    assert done.returncode == 1
    assert "no-such.jpg" in done.stderr
