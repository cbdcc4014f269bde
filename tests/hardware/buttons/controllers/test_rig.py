"""The suite of `test_driver.py` on input devices of a real kernel, in the rig."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kernel_rig.runner import run_suite_on_rig

pytestmark = [pytest.mark.proof, pytest.mark.timeout(900)]  # boots a kernel: make rig, make nightly

SUITE = str(Path(__file__).with_name("test_driver.py"))


def test_driver_suite_on_kernel_input_devices() -> None:
    run_suite_on_rig(SUITE, needs=None)
