"""Run commands on the rig's real kernel; skip the test with a reason where that is impossible."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from typing import Any

import pytest

from tests.conftest import REPOSITORY, SHARED

RIG = SHARED / "rig" / "rig"
NO_BOOT = 125
LIMIT_SECONDS = 840
"""Limit of a command, a minute below that of its test. It takes some ten seconds; much more on a busy machine."""


def run_on_rig(*command: str, needs: str | None = "lgpio", limit_seconds: float = LIMIT_SECONDS) -> str:
    """Run a command, which must succeed, and return its output. `needs`: a Python package that it requires."""
    if not RIG.exists():
        pytest.skip(f"the rig is not here: {RIG}")
    if needs is not None and find_spec(needs) is None:
        pytest.skip(f"{needs} is not installed: pip install {needs}")
    environment = {**os.environ, "RIG_S": str(limit_seconds)}
    done = subprocess.run(
        [str(RIG), *command], capture_output=True, text=True, check=False, cwd=REPOSITORY, env=environment
    )
    if done.returncode == NO_BOOT:
        # The rig returns the same status for a command that exceeds its time limit (RIG_S): that is a failure.
        boots = subprocess.run([str(RIG), "true"], capture_output=True, check=False, cwd=REPOSITORY).returncode == 0
        assert not boots, f"{done.stdout}{done.stderr}"
        pytest.skip(f"the rig cannot boot on this machine: {done.stderr.strip()}")
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def run_suite_on_rig(file: str, needs: str | None = "lgpio") -> None:
    """Run all tests of a file on the rig, those of other layers too; all must pass."""
    options = ("-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", "")
    output = run_on_rig(sys.executable, "-m", "pytest", *options, file, needs=needs)
    assert " passed" in output
    assert "skipped" not in output
    assert "deselected" not in output


def parse_result(output: str) -> dict[str, Any]:
    """Return the JSON object in the line that begins with RESULT; libraries may print other lines before it."""
    result: dict[str, Any] = json.loads(next(line for line in output.splitlines() if line.startswith("RESULT"))[7:])
    return result


def run_script(text: str) -> str:
    """Run a bash script with this Python as $1 and return its output."""
    return run_on_rig("bash", "-c", text, "bash", sys.executable)
