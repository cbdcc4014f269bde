"""The driver at a real USB serial device of the rig's kernel: found by ids, unplugged, plugged in again."""

from __future__ import annotations

import sys

import pytest

from tests.kernel_rig.runner import parse_result, run_on_rig

pytestmark = [pytest.mark.full, pytest.mark.timeout(900)]  # boots a kernel


def test_box_at_ttyacm_is_found_lost_and_found_again() -> None:
    result = parse_result(run_on_rig(sys.executable, "-m", "tests.hardware.buttons.usb_box.acm_play", needs=None))
    assert result["device"] == "/dev/ttyACM0"
    assert result["received"] == result["made"] == 78
    assert result["in_order"]
