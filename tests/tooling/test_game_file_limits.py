"""docs/game-files.md names the limits that a file's game has, as `python tools/game_file_limits.py` writes them."""

from __future__ import annotations

from companion.games.game_file.points_model import MAX_ENTRIES
from tools.game_file_limits import PAGE, TABLE, format_rows


def test_the_limits_are_those_of_the_code() -> None:
    found = TABLE.search(PAGE.read_text(encoding="utf-8"))
    assert found is not None
    assert found[0] == format_rows()
    assert f"| `[points]` | `entries` {MAX_ENTRIES}," in found[0]
