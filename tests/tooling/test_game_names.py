"""Shared stations name no boxed game: a game is found by its entry point, and brings all that only it needs."""

from __future__ import annotations

import re
from pathlib import Path

from tests.conftest import REPOSITORY

NAMES = re.compile(r"macroscope|(?<!train_)memo[ _]dice|pictomania|secret[ _]number|starfall", re.IGNORECASE)
EXEMPT = {
    "companion/commands/print_tags.py": "prints the tags for the lid of the Macroscope's box",
    "companion/lobby/lesson.py": "a lesson whose steps are those of one game",
}
"""Files and folders that may name a game, and why."""


def list_shared_files() -> list[Path]:
    games = REPOSITORY / "companion/games"
    files = [*(REPOSITORY / "companion").rglob("*.py"), *(REPOSITORY / "hardware").rglob("*.py")]
    return [path for path in files if not path.is_relative_to(games)]


def find_names(path: Path) -> list[str]:
    lines = path.read_text("utf-8").splitlines()
    where = path.relative_to(REPOSITORY)
    return [f"{where}:{number}: {line.strip()}" for number, line in enumerate(lines, 1) if NAMES.search(line)]


def test_shared_files_name_no_boxed_game() -> None:
    files = list_shared_files()
    assert len(files) > 200
    found = {path.relative_to(REPOSITORY).as_posix(): find_names(path) for path in files}
    named = [line for path, lines in found.items() if not path.startswith(tuple(EXEMPT)) for line in lines]
    assert not named, "\n".join(named)


def test_a_name_would_be_found() -> None:
    assert NAMES.search("from companion.games.macroscope.state import Phase")
    assert NAMES.search('registry.find_game("starfall")')
    assert NAMES.search("Colours of the cups in Memo Dice")
    assert not NAMES.search("a game of a lid with dice")
