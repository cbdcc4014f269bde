"""Files written by version 0499b26 open, and give the facts that they gave then (see data/README.md)."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from companion.camera.camera_use import find_camera_use
from companion.camera.layout_cache import LayoutCache
from companion.camera.reader import make_watcher
from companion.cli import main
from companion.config.settings import load_settings
from companion.games import registry
from companion.i18n import current_language, set_language
from companion.journal.database import JOURNAL_FILE, GameRecord, Journal
from companion.journal.die_pictures import DiePictures
from companion.journal.entry import GameSetup
from companion.journal.import_export import export_game, import_game, read_exported_game
from companion.journal.replay import SavedGame
from companion.journal.summary import summarise_game
from companion.lobby import HouseRules
from companion.lobby.preferences import Preferences
from companion.lobby.results_cache import ResultsCache

DATA = Path(__file__).parent / "data"
FOLDERS = sorted(folder.name for folder in (DATA / "folders").iterdir())
EXPORTS = sorted(file.stem for file in (DATA / "exports").iterdir())

Facts = dict[str, Any]


def read_facts(folder: str) -> list[Facts]:
    facts: dict[str, list[Facts]] = json.loads((DATA / "folders" / folder / "facts.json").read_text("utf-8"))
    # StarFall has no rounds; that version gave it one, of points minus the dust at the start.
    return [f | {"rounds": []} if f["game"] == "starfall" else f for f in facts["sittings"]]


@pytest.fixture
def copy_folder(tmp_path: Path) -> Any:
    """A function that copies a data folder and returns the copy."""

    def copy(name: str) -> Path:
        return Path(shutil.copytree(DATA / "folders" / name, tmp_path / name))

    return copy


def open_game(journal: Journal, record: GameRecord) -> SavedGame:
    definition = registry.find_game(GameSetup.from_json(record.setup_json).game)
    return SavedGame(journal, record.id, definition)


def without_nulls(content: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in content.items() if value is not None}


@pytest.mark.parametrize("folder", FOLDERS)
def test_journal_replays_to_the_same_facts(folder: str, copy_folder: Any) -> None:
    with Journal(copy_folder(folder) / JOURNAL_FILE) as journal:
        assert journal.damage is None
        records = journal.list_games()
        for record, facts in zip(records, read_facts(folder), strict=True):
            summary = summarise_game(journal, record, registry.find_game, None)
            assert summary["trouble"] is facts["trouble"] is None
            for key in ("id", "uid", "game", "players", "scores", "rounds", "over", "winners"):
                assert summary[key] == facts[key], key
            assert summary["put_away"] is facts["put away"]
            assert summary["moves"] == facts["moves that count"]
            assert GameSetup.from_json(record.setup_json).first == facts["first"]
            entries = journal.read_entries(record.id)
            assert len(entries) == facts["entries"]
            assert Counter(str(entry.what.kind.value) for entry in entries) == facts["entries by kind"]
            last = entries[-1].what.model_dump(mode="json", exclude_none=True)
            played = last.pop("played", None)
            assert last | ({"played": without_nulls(played)} if played else {}) == {
                key: without_nulls(value) if isinstance(value, dict) else value
                for key, value in facts["last entry"].items()
            }
            assert journal.read_clock_marks(record.id) == facts["clock marks"]


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_game_can_be_undone_redone_and_played_on(folder: str, copy_folder: Any) -> None:
    path = copy_folder(folder) / JOURNAL_FILE
    with Journal(path) as journal:
        for record in journal.list_games():
            saved_game = open_game(journal, record)
            now, moves = saved_game.game, len(saved_game.replay.steps)
            while saved_game.can_undo:
                saved_game.undo()
            assert saved_game.game == saved_game.replay.start
            for _ in range(moves):
                saved_game.redo()
            assert saved_game.game == now
            saved_game.note_resumed()
    with Journal(path) as journal:
        assert journal.find_resumable_game() == journal.list_games()[-1].id


@pytest.mark.parametrize("game", [name for name in registry.list_game_names() if name in FOLDERS])
def test_the_unfinished_game_is_the_one_to_resume(game: str, copy_folder: Any) -> None:
    with Journal(copy_folder(game) / JOURNAL_FILE) as journal:
        assert journal.find_resumable_game() == 3


@pytest.mark.parametrize("folder", ["memo_dice", "device"])
def test_pictures_of_dice_can_be_read(folder: str, copy_folder: Any) -> None:
    path = copy_folder(folder)
    for pictures in (path / "faces").iterdir():
        stored = DiePictures(path / JOURNAL_FILE, pictures.name)
        assert stored.list_names()
        assert all(stored.load(name) for name in stored.list_names())


@pytest.mark.parametrize("export", EXPORTS)
def test_exported_game_is_imported_and_exported_the_same(export: str, tmp_path: Path) -> None:
    file = DATA / "exports" / f"{export}.json"
    by_uid = {facts["uid"]: facts for folder in FOLDERS for facts in read_facts(folder)}
    with Journal(tmp_path / JOURNAL_FILE) as journal:
        number = import_game(journal, file)
        facts = by_uid[read_exported_game(file).uid]
        summary = summarise_game(journal, journal.get_game(number), registry.find_game, None)
        for key in ("game", "players", "scores", "rounds", "over", "winners"):
            assert summary[key] == facts[key], key
        export_game(journal, number, tmp_path / "again.json")
    assert json.loads((tmp_path / "again.json").read_text("utf-8")) == json.loads(file.read_text("utf-8"))


def test_settings_file_is_read() -> None:
    settings = load_settings(DATA / "settings" / "companion.toml")
    assert settings.model_dump(mode="json", exclude={"games", "porch"}) == {
        "table": {"kind": "real", "camera": "/dev/video2", "buttons": "any"},
        "display": {
            "size": [1280, 720],
            "fullscreen": True,
            "demo_minutes": 2.0,
            "palette": "light",
            "turned": 180,
            "mirrored": True,
            "motion": False,
            "touch_seats": False,
        },
        "words": {"language": "it"},
        "sound": {"volume": 4, "spoken": False},
        "dice": {"corrections_teach": False},
        "results": {"code": "bg_stats"},
        "cafe": {"on": False, "quiet_minutes": 20.0, "dim_minutes": 5.0},
        "data": {"folder": "/var/lib/companion"},
        "gpio": {
            "buttons": {
                "seat1": 4,
                "seat2": 5,
                "seat3": 6,
                "seat4": 16,
                "seat5": 0,
                "seat6": 0,
                "ok": 23,
                "no": 24,
                "plus": 7,
                "minus": 8,
            },
            "lamps": {
                "seat1": 12,
                "seat2": 13,
                "seat3": 18,
                "seat4": 19,
                "seat5": 0,
                "seat6": 0,
                "ok": 25,
                "no": 26,
                "plus": 27,
                "minus": 9,
            },
        },
        "box": {"port": "/dev/serial/by-id/usb-Companion_Button_Box-if00"},
    }


@pytest.mark.parametrize(
    ("settings", "printed"),
    [("companion.toml", "printed-house.toml"), ("printed-default.toml", "printed-default.toml")],
)
def test_rules_are_printed_the_same(
    settings: str, printed: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rules", "--settings", str(DATA / "settings" / settings), "--data", str(tmp_path)]) == 0
    found = capsys.readouterr().out.strip().split("\n\n")
    old_games = (DATA / "settings" / printed).read_text("utf-8").strip().split("\n\n")
    assert [section for section in found if section in old_games] == old_games  # there may be games beside the old ones


def test_rules_are_imported(tmp_path: Path) -> None:
    empty = tmp_path / "empty.toml"
    empty.touch()
    rules = DATA / "settings" / "rules-only.toml"
    assert main(["rules", "--settings", str(empty), "--data", str(tmp_path), "--import", str(rules)]) == 0
    house_rules = HouseRules({}, tmp_path)
    for name, expected in load_settings(rules).games.items():
        assert house_rules.rules_of(registry.find_game(name)) == expected


def test_preferences_house_rules_and_results_are_read(copy_folder: Any) -> None:
    folder = copy_folder("device")
    language = current_language()
    try:
        preferences = Preferences(folder=folder)
    finally:
        set_language(language)
    assert preferences.is_set_up
    chosen = json.loads((folder / "box.json").read_text("utf-8"))["chosen"]
    assert {name: getattr(preferences.values, name) for name in chosen} == chosen
    stored = json.loads((folder / "house-rules.json").read_text("utf-8"))["rules"]
    house_rules = HouseRules({}, folder)
    for game, rules in stored.items():
        values = house_rules.rules_of(registry.find_game(game)).model_dump(mode="json")
        assert {name: values[name] for name in rules} == rules
    assert not house_rules.list_unconfirmed(registry.find_game("pictomania"), 4)
    with Journal(folder / JOURNAL_FILE) as journal:
        results = ResultsCache(journal, folder)
        results.restart()
        assert results.read_more()
    assert [game["uid"] for game in results.summaries] == [facts["uid"] for facts in read_facts("device")]
    assert not list(folder.glob("*damaged*"))


@pytest.mark.parametrize(
    ("folder", "game"), [("device", "macroscope"), ("device", "memo_dice"), ("memo_dice", "memo_dice")]
)
def test_what_the_camera_learnt_is_restored(folder: str, game: str, copy_folder: Any) -> None:
    stored = LayoutCache(copy_folder(folder) / find_camera_use(game).layout_file).load()
    assert stored
    watcher = make_watcher(find_camera_use(game))
    watcher.restore(stored)
    assert watcher.snapshot()
