"""Running something on the rig's real kernel; where that cannot be, the test is skipped and says why."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from typing import Any

import pytest

from tests.conftest import REPOSITORY, SHARED

RIG = SHARED / "rig" / "rig"
NO_BOOT = 125


def run_on_rig(*command: str, needs: str | None = "lgpio") -> str:
    """What the command printed; it must end well. `needs`: a package without which it cannot run."""
    if not RIG.exists():
        pytest.skip(f"the rig is not here: {RIG}")
    if needs is not None and find_spec(needs) is None:
        pytest.skip(f"{needs} is not installed: pip install {needs}")
    done = subprocess.run([str(RIG), *command], capture_output=True, text=True, check=False, cwd=REPOSITORY)
    if done.returncode == NO_BOOT:
        # The rig says the same of a command that did not end in its time (RIG_S): that is a failure.
        boots = subprocess.run([str(RIG), "true"], capture_output=True, check=False, cwd=REPOSITORY).returncode == 0
        assert not boots, f"{done.stdout}{done.stderr}"
        pytest.skip(f"the rig cannot boot on this machine: {done.stderr.strip()}")
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def parse_result(output: str) -> dict[str, Any]:
    """The JSON object in the line that begins with RESULT: a library may greet before."""
    result: dict[str, Any] = json.loads(next(line for line in output.splitlines() if line.startswith("RESULT"))[7:])
    return result


def run_script(text: str) -> str:
    """What a bash script printed, whose $1 is this Python."""
    return run_on_rig("bash", "-c", text, "bash", sys.executable)
