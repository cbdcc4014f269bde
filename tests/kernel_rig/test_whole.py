"""The whole companion on a real kernel: pins, camera, box at USB and a screen without a desktop; a game to its end.

`make rig` brings what it needs and runs it; it takes some minutes.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY
from tests.firmware.simulator import build, missing
from tests.kernel_rig import log_words
from tests.kernel_rig.runner import parse_result, run_on_rig
from tests.kernel_rig.session import LIMIT_SECONDS

PYGAME = REPOSITORY / "build" / "rig"
"""pygame-ce, whose SDL has KMSDRM, beside PyPI's pygame, whose SDL has not."""
SEED, ROUNDS = "1", "2"
"""A game of one round may be over before both devices were unplugged and plugged in again."""
SCREEN_LIBRARIES = ("libgbm.so.1", "libEGL.so.1")


def screen_missing() -> list[str]:
    """The libraries that SDL needs to draw on a bare screen."""
    places = [*Path("/usr/lib").glob("*-linux-gnu"), Path("/usr/lib")]
    return [name for name in SCREEN_LIBRARIES if not any((place / name).exists() for place in places)]


@pytest.mark.proof
def test_full_game_with_camera_and_box_unplugged(tmp_path: Path) -> None:
    if not (PYGAME / "pygame").is_dir():
        pytest.skip("pygame-ce is not in build/rig: make rig brings it")
    if lacking := [*missing(), *screen_missing()]:
        pytest.skip(f"not installed: {' '.join(lacking)}")
    build(tmp_path)
    output = run_on_rig(
        *(sys.executable, "-m", "tests.kernel_rig.session", str(tmp_path), str(PYGAME), SEED, ROUNDS),
        limit_seconds=LIMIT_SECONDS + 120,
    )
    result = parse_result(output)
    print(json.dumps({name: value for name, value in result.items() if name != "log"}, indent=1))
    log = "\n".join(result["log"])
    assert result["status"] == 0, log
    assert result["screen"] == {"active": True, "picture": True}
    assert result["camera out"] > 0
    assert result["box out"] > 0
    assert result["by pins"] > 5
    assert result["by box"] > 0
    assert result["lamps"]
    # The recorded rolls are those thrown, in order; a throw that nobody entered is missing.
    thrown = iter(result["thrown"])
    assert all(roll in thrown for roll in result["rolls"]), (result["thrown"], result["rolls"])
    for line in (log_words.CAMERA_AVAILABLE, log_words.BOX_LOST, log_words.BOX_AVAILABLE, log_words.GAME_OVER):
        assert line in log, log
    assert os.sep not in log or "Traceback" not in log


@pytest.mark.full
@pytest.mark.timeout(900)
def test_console_screen_switched_off_and_on(monkeypatch: pytest.MonkeyPatch) -> None:
    if not (PYGAME / "pygame").is_dir():
        pytest.skip("pygame-ce is not in build/rig: make rig brings it")
    if lacking := screen_missing():
        pytest.skip(f"not installed: {' '.join(lacking)}")
    monkeypatch.setenv("SDL_VIDEODRIVER", "kmsdrm")
    monkeypatch.setenv("PYTHONPATH", str(PYGAME))
    output = run_on_rig(sys.executable, "-m", "tests.kernel_rig.screen")
    result = parse_result(output)
    assert result["before"] == result["after"] == {"active": True, "picture": True}
    words = (log_words.SCREEN_OFF, log_words.SCREEN_LOST, log_words.SCREEN_AVAILABLE)
    for line, word in zip(result["log"][-3:], words, strict=True):
        assert line.startswith(word), result["log"]
