"""A long session with everything going wrong: nothing is lost, nothing grows. See `tools/soak.py`."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from random import Random
from typing import Any

import pytest
from soak_faults import Fault
from soak_growth import BLOCK_HOURS, MIN_STANDARD_ERRORS, average_blocks, fit_slope

from tests.conftest import REPOSITORY


def run_soak(*options: str) -> dict[str, Any]:
    """The figures of a session, in a program of its own: its memory is its own, too."""
    command = [sys.executable, str(REPOSITORY / "tools" / "soak.py"), *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=REPOSITORY)
    assert done.stdout, done.stderr
    reported: dict[str, Any] = json.loads(done.stdout)
    # pytest shortens what an assertion holds: the figures of hours shall not be lost.
    if done.returncode != 0:
        pytest.fail(f"{done.stderr}\n{done.stdout}")
    return reported


@pytest.mark.proof
def test_an_session_with_a_fault_every_few_seconds_loses_nothing() -> None:
    reported = run_soak("--seed", "3", "--hours", "0.1", "--every", "6")
    assert reported["lost"] == 0
    assert reported["moves"] > 40
    assert set(reported["faults"]) > {Fault.POWER_CUT, Fault.GAME, Fault.CAMERA_OUT, Fault.BOX_OUT, Fault.SCREEN_OUT}
    assert reported["handles"]["most"] <= 120  # a font keeps its file open at each size


def test_a_slope_is_reported_from_scatter() -> None:
    flat = [(hour / 10, 1000.0 + (-1) ** hour * 30) for hour in range(40)]
    rise, error = fit_slope(flat)
    assert abs(rise) < 2 * error
    rise, error = fit_slope([(at, kb + 100 * at) for at, kb in flat])
    assert rise - 2 * error > 50


def test_what_stays_for_a_while_is_no_slope() -> None:
    """A process that holds now more and now less, each for some minutes, and grows by nothing in the long run."""
    random = Random(1)
    wrong: Counter[str] = Counter()
    for _ in range(300):
        level, points = 0.0, []
        for look in range(288):
            if random.random() < 1 / 16:  # another start
                level = random.gauss(0.0, 20_000.0)
            points.append((1.6 + look / 120, 300_000.0 + level))
        for name, found in (("looks", points), ("blocks", average_blocks(points, BLOCK_HOURS))):
            rise, error = fit_slope(found)
            wrong[name] += rise - MIN_STANDARD_ERRORS * error > 0
    assert wrong["looks"] > 60
    assert wrong["blocks"] < 15


@pytest.mark.proof
@pytest.mark.parametrize("seed", [1, 2])
def test_four_hours(seed: int) -> None:
    reported = run_soak("--seed", str(seed), "--hours", "4")
    print(json.dumps(reported, indent=1))
    assert reported["moves"] > 2000
    assert reported["given up"] == 0
    assert len(reported["finished"]) == 5
    assert reported["handles"]["most"] <= 120  # a font keeps its file open at each size


@pytest.mark.proof
def test_half_an_hour_through_the_cameras_frames() -> None:
    reported = run_soak("--seed", "5", "--hours", "0.5", "--eyes", "real")
    print(json.dumps(reported, indent=1))
    assert reported["moves"] > 100
