"""Which Pythons `make release` tries its wheel with."""

from __future__ import annotations

from pathlib import Path

import pytest
import try_wheel

from companion.api import registry
from companion.api.definition import DICE_CAMERA, DICE_TRAY_CAMERA


def test_the_game_that_is_played_reads_dice() -> None:
    """A wheel without its networks would play any other to its end."""
    played = registry.find_game(try_wheel.GAME[try_wheel.GAME.index("--game") + 1])
    assert played.camera in (DICE_CAMERA, DICE_TRAY_CAMERA)


def test_each_python_that_runs_is_tried_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    for version, code in (("3.11.7", "echo 3.11.7"), ("3.12.1", "exit 1"), ("3.12.4", "echo 3.12.4")):
        python = tmp_path / version / "bin" / "python"
        python.parent.mkdir(parents=True)
        python.write_text(f"#!/bin/sh\n{code}\n", "utf-8")
        python.chmod(0o755)
    supported = try_wheel.list_supported()
    assert {"3.11", "3.12", "3.13"} <= set(supported)
    assert list(try_wheel.find_pythons(supported, tmp_path)) == ["3.11.7", "3.12.4"]
