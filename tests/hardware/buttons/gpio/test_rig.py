"""The suite of `test_driver.py` on real gpiochip lines, through lgpio, in the rig's kernel."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.kernel_rig.runner import run_on_rig


def test_driver_suite_on_kernel_gpio_lines() -> None:
    suite = str(Path(__file__).with_name("test_driver.py"))
    output = run_on_rig(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", suite)
    assert " passed" in output
    assert "skipped" not in output
