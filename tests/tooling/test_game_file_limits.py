"""docs/game-files.md names the limits that a file's game has."""

from __future__ import annotations

import re
from pathlib import Path

from companion.games.game_file.dice_model import MAX_CATEGORIES, MAX_DICE, MAX_DICE_TO_KEEP
from companion.games.game_file.file_part import (
    MAX_CHOICES,
    MAX_KEPT,
    MAX_NUMBER,
    MAX_OPTIONS,
    FilePart,
    KeptModel,
    OptionModel,
)
from companion.games.game_file.model import MAX_PLAYERS, GameFile
from companion.games.game_file.points_model import MAX_ENTRIES, MAX_FLAGS, EntryModel, FlagModel

PAGE = Path(__file__).parents[2] / "docs/game-files.md"


def _get_max_letters(part: type[FilePart], key: str = "name") -> int:
    (letters,) = (limit.max_length for limit in part.model_fields[key].metadata if hasattr(limit, "max_length"))
    assert isinstance(letters, int)
    return letters


def test_the_limits_are_those_of_the_code() -> None:
    section = PAGE.read_text(encoding="utf-8").partition("## Limits")[2]
    rows = dict(re.findall(r"^\| ([^|]+?) \| ([^|]*\d) \|$", section, re.MULTILINE))
    title_letters = _get_max_letters(GameFile, "title")
    assert _get_max_letters(OptionModel) == _get_max_letters(KeptModel) == _get_max_letters(FlagModel)
    assert list(rows.values()) == [
        str(MAX_PLAYERS),
        str(title_letters),
        *(str(_get_max_letters(part)) for part in (OptionModel, EntryModel)),
        str(MAX_ENTRIES),
        str(MAX_KEPT),
        str(MAX_FLAGS),
        str(MAX_OPTIONS),
        str(MAX_CHOICES),
        str(MAX_NUMBER),
        str(MAX_CATEGORIES),
        f"{MAX_DICE}, and {MAX_DICE_TO_KEEP}",
    ]
