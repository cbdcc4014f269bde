"""The files of every released version, and those of this one, open and have the same content as when written."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from companion.config.settings import Settings
from companion.lobby.results_cache import RESULTS_FILE
from tests.compatibility.released_files import (
    EXPORT_FILE,
    FACTS_FILE,
    OWN_GAME,
    check_same_facts,
    read_facts,
    write_files,
)

RELEASED = sorted(facts.parent for facts in (Path(__file__).parent / "data").glob(f"*/{FACTS_FILE}"))


def read_facts_of_then(folder: Path) -> dict[str, Any]:
    facts: dict[str, Any] = json.loads((folder / FACTS_FILE).read_text("utf-8"))
    return facts


@pytest.fixture(scope="module")
def todays_files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("released") / "next"
    write_files(folder)
    return folder


@pytest.mark.parametrize("version", RELEASED, ids=lambda folder: folder.name)
def test_files_of_a_released_version_have_the_same_content(version: Path) -> None:
    check_same_facts(read_facts_of_then(version), read_facts(version))


def test_files_of_this_version_have_the_same_content(todays_files: Path) -> None:
    facts = read_facts_of_then(todays_files)
    check_same_facts(facts, read_facts(todays_files))
    expected = {
        "damage": None,
        "refused settings": [],
        "set aside": [],
        "resumable": len(facts["games"]),
        "imported": facts["games"][0]["uid"],
        "own games": [OWN_GAME.stem],
        "named games": ["Rummy"],
        "taught buttons": [["ok", "BTN_SOUTH"]],
        "pictures": ["1-1"],
        "taught dice": [3],
    }
    assert {key: facts[key] for key in expected} == expected
    assert all(game["moves"] and game["trouble"] is None for game in facts["games"])
    defaults = Settings().model_dump(mode="json", exclude={"games"})
    assert [section for section, known in defaults.items() if facts["settings"][section] == known] == []
    assert facts["house rules in settings"]["macroscope"]["rounds"] == 8
    assert facts["house rules"]["secret_number"]["round_seconds"] == 90
    assert facts["preferences"]["palette"] == "contrast"
    (won,) = [game for game in facts["games"] if game["over"]]
    stored, kept = facts["stored results"][won["uid"]], facts["porch"]["results"][won["uid"]]
    assert stored["scores"] == won["scores"] == [player["score"] for player in kept["players"]]
    sittings, (tournament,) = facts["club"]
    assert [player["score"] for player in sittings[won["uid"]]["players"]] == won["scores"]
    assert tournament["groups"]
    assert kept["table"] == facts["table id"]
    assert facts["player names"]["Bob"] == "Robert"


def test_a_file_that_is_not_read_any_more_is_noticed(todays_files: Path, tmp_path: Path) -> None:
    facts, copy = read_facts_of_then(todays_files), shutil.copytree(todays_files, tmp_path / "copy")
    stores = {path.name for path in copy.iterdir() if path.suffix in {".json", ".sqlite3"}} - {FACTS_FILE}
    assert len(stores) == 12
    for name in [*stores, RESULTS_FILE, "faces", "games"]:
        if name == EXPORT_FILE:
            continue
        (copy / name).rename(copy / "renamed")
        with pytest.raises(AssertionError):
            check_same_facts(facts, read_facts(copy))
        (copy / "renamed").rename(copy / name)


def test_another_score_is_noticed(todays_files: Path) -> None:
    facts = read_facts_of_then(todays_files)
    facts["games"][0]["scores"][0] += 1
    with pytest.raises(AssertionError, match="games"):
        check_same_facts(facts, read_facts(todays_files))
