"""Two boxes from one card image have the same machine name, and are two tables."""

from __future__ import annotations

import re
from pathlib import Path

from companion.app.table_identity import TABLE_FILE, load_table_id


def test_the_id_of_a_table_is_made_once_and_kept(tmp_path: Path) -> None:
    (first := tmp_path / "first").mkdir()
    (second := tmp_path / "second").mkdir()
    table = load_table_id(first)
    assert re.fullmatch(r"table-[0-9a-f]{8}", table)
    assert load_table_id(first) == table, "after a restart too"
    assert load_table_id(second) != table


def test_what_else_is_in_its_file_is_kept(tmp_path: Path) -> None:
    file = tmp_path / TABLE_FILE
    file.write_text('{"place": "hall"}', encoding="utf-8")
    table = load_table_id(tmp_path)
    assert file.read_text(encoding="utf-8").split() == ["{", '"id":', f'"{table}",', '"place":', '"hall"', "}"]
