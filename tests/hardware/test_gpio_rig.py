"""The suite of `test_gpio_buttons.py` on real gpiochip lines, through lgpio, in the rig's kernel."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
RIG = REPOSITORY.parent / "shared" / "rig" / "rig"
NO_BOOT = 125


def test_the_same_suite_on_a_kernels_lines() -> None:
    if not RIG.exists():
        pytest.skip(f"the rig is not here: {RIG}")
    if find_spec("lgpio") is None:
        pytest.skip("lgpio is not installed: pip install lgpio")
    suite = Path(__file__).with_name("test_gpio_buttons.py")
    command = [str(RIG), sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", str(suite)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=REPOSITORY)
    if done.returncode == NO_BOOT:
        pytest.skip(f"the rig cannot boot on this machine: {done.stderr.strip()}")
    assert done.returncode == 0, done.stdout + done.stderr
    assert " passed" in done.stdout
    assert "skipped" not in done.stdout
