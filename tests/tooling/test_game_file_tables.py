"""The tables of docs/game-files.md are as `python tools/game_file_tables.py` writes them."""

from __future__ import annotations

from companion.games.game_file.points_model import MAX_ENTRIES
from tools.game_file_tables import LIMITS_TABLE, NAMES_TABLE, PAGE, format_limits_rows, format_names_rows


def test_the_limits_are_those_of_the_code() -> None:
    found = LIMITS_TABLE.search(PAGE.read_text(encoding="utf-8"))
    assert found is not None
    assert found[0] == format_limits_rows()
    assert f"`entries` {MAX_ENTRIES}," in found[0]
    assert '`shown` "always"/"not_0"/"never"' in found[0]
    assert "`high` ±999999 (999)" in found[0]


def test_the_names_of_each_place_are_those_of_the_code() -> None:
    found = NAMES_TABLE.search(PAGE.read_text(encoding="utf-8"))
    assert found is not None
    assert found[0] == format_names_rows()
    assert "| `total`, `rank`, `out` | kept, flags, `score` |" in found[0]
