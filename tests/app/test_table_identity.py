"""Two boxes from one card image have the same machine name, and are two tables."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest

from companion.api import registry
from companion.app.composition import RunOptions, make_publisher, make_session
from companion.app.table_identity import TABLE_FILE, TableIdentity
from companion.camera.camera_use import find_camera_use
from companion.config import json_store
from companion.config.settings import PorchSettings, Settings
from companion.config.taught_buttons import TAUGHT_BUTTONS_FILE
from companion.config.taught_dice_store import TAUGHT_DICE_FILE
from companion.games.macroscope import GAME
from companion.journal.database import Journal
from companion.journal.renamed_players import NAMES_FILE
from companion.lobby import Preferences
from companion.lobby.dice_teaching import DICE_TEACHING_CAMERA
from companion.lobby.house_rules import HOUSE_RULES_FILE, NAMED_GAMES_FILE
from companion.lobby.preferences import PREFERENCES_FILE
from companion.lobby.results_cache import RESULTS_FILE
from companion.porch.publisher import MEMORY_FILE
from companion.screen_state import CameraView
from companion.system.appliance import Appliance


def test_the_id_of_a_table_is_made_once_and_kept(tmp_path: Path) -> None:
    (first := tmp_path / "first").mkdir()
    (second := tmp_path / "second").mkdir()
    table = TableIdentity(first).id
    assert re.fullmatch(r"table-[0-9a-f]{8}", table)
    assert TableIdentity(first).id == table, "after a restart too"
    assert TableIdentity(second).id != table
    assert TableIdentity(first, "hall-1").id == "hall-1"


def test_a_lost_sector_makes_no_other_table(tmp_path: Path) -> None:
    table = TableIdentity(tmp_path).id
    (tmp_path / TABLE_FILE).write_bytes(bytes(40))
    again = TableIdentity(tmp_path)
    assert (again.id, "its copy is used" in (again.store.problem or "")) == (table, True)
    for file in tmp_path.glob(f"{TABLE_FILE}*"):
        file.write_bytes(bytes(40))
    other = TableIdentity(tmp_path)
    assert other.id != table
    assert "is damaged and not used" in (other.store.problem or ""), "another table for clubs: people must know"


@pytest.mark.parametrize("wrong", ["../Hall 1", "Hall", "a" * 41, "", "hall\n", 3, None])
def test_an_id_that_no_topic_and_file_could_have_is_kept_and_not_used(tmp_path: Path, wrong: object) -> None:
    file, content = tmp_path / TABLE_FILE, json.dumps({"id": wrong})
    file.write_text(content, encoding="utf-8")
    table = TableIdentity(tmp_path)
    assert re.fullmatch(r"table-[0-9a-f]{8}", table.id)
    kept = tmp_path / "table-id.damaged"
    assert table.store.problem == f"The table's id: the file is damaged and not used; it is kept ({kept})"
    assert kept.read_text(encoding="utf-8") == content
    assert (TableIdentity(tmp_path).id, TableIdentity(tmp_path).store.problem) == (table.id, None)


def test_a_wrong_id_makes_no_other_table_while_its_copy_is_right(tmp_path: Path) -> None:
    table = TableIdentity(tmp_path).id
    (tmp_path / TABLE_FILE).write_text('{"id": "Hall 1"}', encoding="utf-8")
    again = TableIdentity(tmp_path)
    assert (again.id, "its copy is used" in (again.store.problem or "")) == (table, True)


def test_what_else_is_in_its_file_is_kept(tmp_path: Path) -> None:
    file = tmp_path / TABLE_FILE
    file.write_text('{"place": "hall"}', encoding="utf-8")
    table = TableIdentity(tmp_path).id
    assert file.read_text(encoding="utf-8").split() == ["{", '"id":', f'"{table}",', '"place":', '"hall"', "}"]


def test_no_store_has_the_file_of_a_layout() -> None:
    stores = {
        *(HOUSE_RULES_FILE, MEMORY_FILE, NAMED_GAMES_FILE, NAMES_FILE, PREFERENCES_FILE, RESULTS_FILE, TABLE_FILE),
        *(TAUGHT_BUTTONS_FILE, TAUGHT_DICE_FILE),
    }
    assert len(stores) == 9
    uses = [DICE_TEACHING_CAMERA, *map(find_camera_use, registry.list_game_names())]
    assert stores.isdisjoint(use.layout_file for use in uses)


def test_while_the_id_cannot_be_read_no_other_is_made(
    journal: Journal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table_id = TableIdentity(tmp_path).id
    read_text = json_store.read_text

    def fail(path: Path, max_bytes: int) -> str:
        if path.name in unreadable:
            raise OSError(5, "Input/output error", str(path))
        return read_text(path, max_bytes)

    unreadable = {TABLE_FILE}
    monkeypatch.setattr(json_store, "read_text", fail)
    assert TableIdentity(tmp_path).id == table_id, "from the copy"
    unreadable.add(TABLE_FILE + json_store.COPY_SUFFIX)
    table = TableIdentity(tmp_path)
    assert table.id == ""
    options = RunOptions(GAME, (), "keyboard", "", None, tmp_path)
    settings = Settings(porch=PorchSettings(on=True))
    assert make_publisher(options, settings, table) is None
    appliance = Appliance.from_environment({})
    session = make_session(options, settings, journal, Preferences(), random.Random(1), appliance, table=table)
    assert (
        session.stage.build_screen_state(CameraView()).details[0].startswith("The table's id: the file cannot be read")
    )
    monkeypatch.setattr(json_store, "read_text", read_text)
    session.step([])
    assert table.id == table_id
