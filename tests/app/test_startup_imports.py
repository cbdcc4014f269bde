"""Modules loaded before the first picture: not OpenCV, no vision code; and by each command only what it needs.

How long the start takes: tools/bench_startup.py.
"""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from companion.api.registry import SHIPPED_GAME_FOLDER
from companion.cli import COMMANDS

FIRST = """
import os, sys
os.environ["SDL_VIDEODRIVER"] = "dummy"
from companion.commands.run import import_pygame_without_pkg_resources
import_pygame_without_pkg_resources()
import pygame
import pygame.pkgdata
from companion.app import main_loop, window
from companion.screen_state import ScreenKind, ScreenState
pygame.display.init()
onto = window.Window(pygame.display.set_mode((800, 480)), lambda: 0.0)
onto.show(ScreenState(ScreenKind.RESUME, prompt="A game was interrupted", details=("Ada 3, Ben 4",)))
pygame.font.Font(None, 20).size("Ada")  # its own file, found without pkg_resources
print(*sys.modules)
"""


def test_before_the_first_picture_neither_opencv_nor_vision_is_loaded() -> None:
    done = subprocess.run([sys.executable, "-c", FIRST], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    modules = set(done.stdout.splitlines()[-1].split())
    assert "companion.app.session" in modules
    assert "cv2" not in modules
    assert not {
        name for name in modules if name.startswith("companion.vision.") and name.endswith((".onnx", "watcher"))
    }
    assert "pkg_resources" not in modules


COMMAND_LINES = """
import contextlib, io, json, sys
from companion.cli import main
report = {}
for words in %r:
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.suppress(SystemExit):
        main(words.split())
    report[words] = [out.getvalue(), sorted(sys.modules)]
print(json.dumps(report))
"""
NOT_FOR_HELP = {"cv2", "numpy", "pygame", "companion.games.game_file.reader", "companion.lobby", "companion.referee"}
NOT_WITHOUT_GAMES = {*NOT_FOR_HELP, "pydantic", "companion.games", "companion.config.settings", "companion.journal"}
NOT_FOR_OTHER_HELP = NOT_FOR_HELP - {"companion.games.game_file.reader"}  # the check before has loaded it
UNNEEDED = {
    "--version": {*NOT_WITHOUT_GAMES, "asyncio", "companion.commands.run"},
    "--help": {*NOT_WITHOUT_GAMES, "companion.commands.run"},
    "see --help": NOT_WITHOUT_GAMES,
    "print-tags --help": NOT_WITHOUT_GAMES,
    f"rules --check {SHIPPED_GAME_FOLDER / 'farkle.toml'}": {
        *(NOT_FOR_HELP - {"companion.games.game_file.reader"}),
        *("companion.games.game_file.dice.game", "companion.games.game_file.points.game"),
        "companion.games.game_file.points.formulas",
        *("companion.games.game_file.exchange", "companion.config.settings", "companion.journal"),
        *("companion.games.score_keeper.definition", "companion.commands.try_game_file"),
    },
    "history --help": NOT_FOR_OTHER_HELP,
    "rules --help": NOT_FOR_OTHER_HELP,
    "doctor --help": NOT_FOR_OTHER_HELP,
    "run --help": NOT_FOR_OTHER_HELP,
}
"""By command line what must not be loaded: all run in one process in this order, so each stands for those before it."""


@pytest.fixture(scope="module")
def report() -> dict[str, tuple[str, list[str]]]:
    done = subprocess.run(
        [sys.executable, "-c", COMMAND_LINES % list(UNNEEDED)], capture_output=True, text=True, check=True
    )
    found: dict[str, tuple[str, list[str]]] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("words", UNNEEDED)
def test_a_command_loads_only_what_it_needs(words: str, report: dict[str, tuple[str, list[str]]]) -> None:
    output, modules = report[words]
    assert output
    assert UNNEEDED[words].isdisjoint(modules)


def test_a_command_loads_no_other_command(report: dict[str, tuple[str, list[str]]]) -> None:
    _output, modules = [*report.values()][-1]
    loaded_commands = {name.split(".")[2] for name in modules if name.startswith("companion.commands.")}
    used = {words.split()[0].replace("-", "_") for words in UNNEEDED} - {"__help", "__version"}
    assert loaded_commands == used | {"argument_values", "common", "game_file"}


def test_help_knows_them_all(report: dict[str, tuple[str, list[str]]]) -> None:
    assert all(f"\n    {name}" in report["--help"][0] for name in COMMANDS)
