"""The driver at a real USB serial device of the rig's kernel: found by ids, unplugged, plugged in again."""

from __future__ import annotations

import json
import sys

from tests.hardware.rig import on_the_rig


def test_a_box_at_a_real_ttyacm_is_found_lost_and_found_again() -> None:
    said = on_the_rig(sys.executable, "-m", "tests.hardware.acm_play", needs=None)
    result = json.loads(next(line for line in said.splitlines() if line.startswith("RESULT"))[7:])
    assert result["device"] == "/dev/ttyACM0"
    assert result["heard"] == result["made"] == 78
    assert result["in_order"]
