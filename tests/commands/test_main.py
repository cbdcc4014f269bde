"""`python -m companion`: output and exit status."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from companion import __version__


def companion(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "companion", *arguments], capture_output=True, text=True, check=False)


def test_version_is_printed() -> None:
    done = companion("--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"companion {__version__}\n", "")


def test_unknown_command_is_refused() -> None:
    done = companion("nonsense")
    assert done.returncode == 2
    assert "nonsense" in done.stderr


def test_the_commands_exit_status_is_the_programs(tmp_path: Path) -> None:
    done = companion("see", str(tmp_path / "no-such.jpg"))
    assert done.returncode == 1
    assert "no-such.jpg" in done.stderr
