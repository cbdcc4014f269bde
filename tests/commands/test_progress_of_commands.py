"""Commands that may take long say on the terminal how far they are."""

from __future__ import annotations

from contextlib import redirect_stderr
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli import main
from companion.system import progress
from tests.system.test_progress import Terminal


@pytest.mark.parametrize(
    ("command", "label"),
    [
        (["see", "PICTURES"], "Reading pictures: 0 of 3"),
        (["see", "PICTURES", "--draw", "OUT"], "Reading pictures: 0 of 3"),
        (["watch", "PICTURES", "--fps", "5"], "Frames: 0 of 3"),
        (["gallery", "OUT", "--only", "dice", "--size", "800x480"], "dice, 800x480: 0 of"),
        (["doctor"], "Checking: 0 of"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_a_long_command_counts(tmp_path: Path, command: list[str], label: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "QUIET_SECONDS", 0.0)
    (pictures := tmp_path / "pictures").mkdir()
    for number in range(3):
        assert cv2.imwrite(str(pictures / f"{number}.png"), np.full((120, 160, 3), 60, np.uint8))
    places = {"PICTURES": str(pictures), "OUT": str(tmp_path / "out")}
    with redirect_stderr(Terminal()) as written:
        main([places.get(word, word) for word in command])
    assert label in written.getvalue()
