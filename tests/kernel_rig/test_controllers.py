"""Games played with controllers alone on a real kernel: taught, wrong presses, unplugged and back in mid-game."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.kernel_rig.controllers_session import LIMIT_SECONDS
from tests.kernel_rig.runner import parse_result, run_on_rig


@pytest.mark.proof
def test_two_games_with_controllers_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    games = ("score_keeper", "secret_number")
    output = run_on_rig(
        *(sys.executable, "-m", "tests.kernel_rig.controllers_session", str(tmp_path), "2", *games),
        needs=None,
        limit_seconds=LIMIT_SECONDS + 120,
    )
    result = parse_result(output)
    assert [each["game"] for each in result["played"]] == [*games]
    assert len(result["unplugged"]) >= 2
    assert result["said_gone"] == result["taken_back"] == len(result["unplugged"])
    assert result["moves_meanwhile"] > 0
    assert result["lit"] > 0
