"""Shared stations name no boxed game: a game is found by its entry point, and brings all that only it needs."""

from __future__ import annotations

import re
from pathlib import Path

from tests.conftest import REPOSITORY

BOXED_GAMES = ("macroscope", "memo_dice", "pictomania", "secret_number", "starfall")
NAMES = re.compile("|".join(name.replace("_", "[ _-]?") for name in BOXED_GAMES), re.IGNORECASE)


def list_shared_files() -> list[Path]:
    """All modules but those in the boxed games' own folders."""
    own = [REPOSITORY / "companion/games" / name for name in BOXED_GAMES]
    assert all(folder.is_dir() for folder in own)
    files = [*(REPOSITORY / "companion").rglob("*.py"), *(REPOSITORY / "hardware").rglob("*.py")]
    return [path for path in files if not any(path.is_relative_to(folder) for folder in own)]


def find_names(path: Path) -> list[str]:
    lines = [str(path.relative_to(REPOSITORY)), *path.read_text("utf-8").splitlines()]
    return [f"{lines[0]}:{number}: {line.strip()}" for number, line in enumerate(lines) if NAMES.search(line)]


def test_shared_files_name_no_boxed_game() -> None:
    files = list_shared_files()
    assert len(files) > 400
    named = [line for path in files for line in find_names(path)]
    assert not named, "\n".join(named)


def test_a_name_would_be_found() -> None:
    assert NAMES.search("from companion.games.macroscope.state import Phase")
    assert NAMES.search('registry.find_game("starfall")')
    assert NAMES.search("Colours of the cups in Memo Dice")
    assert NAMES.search("class SecretNumberScene(GameScene):")
    assert not NAMES.search("a game of a lid with dice")
