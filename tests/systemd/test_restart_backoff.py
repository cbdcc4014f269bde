"""Growing pauses between restarts: the real script with a simulated clock and sleep."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY

SCRIPT = REPOSITORY / "systemd/restart-backoff"


def start(folder: Path, uptime: float) -> tuple[int, str]:
    """Return the seconds that a start at that uptime waits, and its output."""
    clock = folder / "uptime"
    clock.write_text(f"{uptime:.2f} 1234.56\n", encoding="ascii")
    environ = {"RUNTIME_DIRECTORY": str(folder), "COMPANION_UPTIME": str(clock), "COMPANION_SLEEP": "echo slept"}
    done = subprocess.run(
        [SCRIPT], env={"PATH": "/bin:/usr/bin", **environ}, capture_output=True, text=True, check=True
    )
    slept = [line.split()[1] for line in done.stdout.splitlines() if line.startswith("slept")]
    return int(slept[0]) if slept else 0, done.stdout


def test_pauses_grow_to_at_most_30_seconds(tmp_path: Path) -> None:
    now, waits = 50.0, []
    for _ in range(10):
        wait, _ = start(tmp_path, now)
        waits.append(wait)
        now += wait + 11  # a hang, ended by the watchdog
    assert waits == [0, 1, 2, 4, 8, 16, 30, 30, 30, 30]


def test_no_pause_after_a_long_run(tmp_path: Path) -> None:
    for now in (50, 52, 54):
        start(tmp_path, now)
    assert start(tmp_path, 54 + 2 + 121)[0] == 0


def test_pause_does_not_count_as_run_time(tmp_path: Path) -> None:
    now = 50.0
    for _ in range(7):
        wait, _ = start(tmp_path, now)
        now += wait + 95
    assert wait == 30


@pytest.mark.parametrize("text", ["", "x y\n", "1\n", "99999999999999999999 1\n", "-5 -6\n", "3 4 5\n"])
def test_damaged_state_file_is_no_error(tmp_path: Path, text: str) -> None:
    (tmp_path / "starts").write_text(text, encoding="ascii")
    assert start(tmp_path, 1000)[0] <= 30


def test_pause_is_logged_as_a_warning(tmp_path: Path) -> None:
    start(tmp_path, 50)
    assert "<4>Start 2 in a row: waiting 1 s first." in start(tmp_path, 51)[1]
