"""Modules loaded before the first picture: not OpenCV, no vision code; of the commands only the one in use."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

LOADED = "import sys, json; print(json.dumps(sorted(name for name in sys.modules)))"
FIRST = """
import os
os.environ["SDL_VIDEODRIVER"] = "dummy"
from companion.commands.run import import_pygame_without_pkg_resources
import_pygame_without_pkg_resources()
import pygame
from companion.app import main_loop, window
from companion.screen_state import ScreenKind, ScreenState
pygame.display.init()
onto = window.Window(pygame.display.set_mode((800, 480)), lambda: 0.0)
onto.show(ScreenState(ScreenKind.RESUME, prompt="A game was interrupted", details=("Ada 3, Ben 4",)))
assert pygame.font.get_init()
"""


def loaded(code: str) -> set[str]:
    done = subprocess.run([sys.executable, "-c", f"{code}\n{LOADED}"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stdout.splitlines()[-1]))


def test_before_the_first_picture_neither_opencv_nor_vision_is_loaded() -> None:
    modules = loaded(FIRST)
    assert "companion.app.session" in modules
    assert "cv2" not in modules
    assert not {
        name for name in modules if name.startswith("companion.vision.") and name.endswith((".onnx", "watcher"))
    }
    assert "pkg_resources" not in modules


def test_import_pygame_without_pkg_resources_pygame_finds_its_own_files() -> None:
    modules = loaded(FIRST + "pygame.font.Font(None, 20).size('Ada')\nimport pygame.pkgdata\n")
    assert "pygame.pkgdata" in modules


@pytest.mark.parametrize("command", ["run", "history", "rules", "doctor"])
def test_a_command_loads_its_own_module_alone(command: str) -> None:
    modules = loaded(f"from companion.cli import build_parser\nbuild_parser({command!r}).parse_args([{command!r}])")
    names = {name.rpartition(".")[2] for name in modules if name.startswith("companion.commands.")}
    assert names <= {command, "common", "command", "check"}
    if command in {"run", "doctor"}:
        assert not {"cv2", "pygame"} & modules


def test_help_knows_them_all() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "companion", "--help"], capture_output=True, text=True, check=True
    ).stdout
    assert all(name in done for name in ("run", "see", "watch", "print-tags", "gallery", "doctor", "history"))
