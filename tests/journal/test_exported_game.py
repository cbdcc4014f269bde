"""Exported games: imported unchanged, and refused if they cannot be replayed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.journal.database import Journal
from companion.journal.entry import InvalidSavedGame
from companion.journal.exported_game import (
    build_export,
    export_game,
    import_game,
    read_exported_game,
)
from companion.journal.saved_game import SavedGame
from tests.journal.play import act
from tests.journal.toy import GAME, SETUP, find_definition


@pytest.fixture
def exported(tmp_path: Path) -> Path:
    random = Random(2)
    with Journal(tmp_path / "first") as journal:
        saved_game = SavedGame.begin(journal, SETUP, GAME)
        for _ in range(30):
            act(random, saved_game)
        saved_game.set_aside()
        export_game(journal, saved_game.id, tmp_path / "game.json")
    return tmp_path / "game.json"


def test_exported_game_is_imported_unchanged(tmp_path: Path, exported: Path) -> None:
    with Journal(tmp_path / "first") as first, Journal(tmp_path / "second") as second:
        SavedGame.begin(second, SETUP, GAME)
        number = import_game(second, exported, find_definition)
        assert number == 2
        assert build_export(second, number) == build_export(first, 1)
        assert SavedGame(second, number, GAME).game == SavedGame(first, 1, GAME).game
        assert second.get_game(number).imported
        assert second.find_resumable_game() == 1  # an imported game is not resumed
    with Journal(tmp_path / "second") as second:
        assert second.damage is None


def test_no_game_is_imported_twice(tmp_path: Path, exported: Path) -> None:
    with Journal(tmp_path / "first") as journal:
        with pytest.raises(InvalidSavedGame, match="already in the journal, as number 1"):
            import_game(journal, exported, find_definition)
        assert len(journal.list_games()) == 1


def drop_an_entry(data: dict[str, Any]) -> None:
    del data["entries"][4]


def set_at(*where: str | int, value: object) -> Callable[[dict[str, Any]], None]:
    def change(data: dict[str, Any]) -> None:
        part: Any = data
        for key in where[:-1]:
            part = part[key]
        part[where[-1]] = value

    return change


MOVE = {"kind": "move", "played": {"kind": "add", "seat": 0, "value": [7]}}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (set_at("version", value=2), "reads version 1, and the file has version 2"),
        (set_at("format", value="recipe"), "format: Input should be 'companion sitting'"),
        (set_at("uid", value="../../x"), "uid: String should match pattern"),
        (set_at("more", value=1), "more: Extra inputs are not permitted"),
        (drop_an_entry, "entry 5 is missing"),
        (set_at("entries", 0, "seq", value="1"), "entries.0.seq: Input should be a valid integer"),
        (set_at("entries", 0, "what", value={"kind": "move"}), "moves and corrections need .played."),
        (set_at("entries", 0, "what", value={"kind": "fly"}), "entries.0.what.kind"),
        (set_at("entries", 0, "what", value=MOVE), r"was not imported. Entry 1 .* cannot be replayed \(X1"),
        (set_at("entries", 0, "what", value={"kind": "undo"}), "nothing has been played yet"),
        (set_at("entries", 0, "stamp", "wall", value=1e300), "entries.0.stamp.wall"),
        (set_at("entries", 0, "stamp", "wall", value=float("nan")), "entries.0.stamp.wall"),
        (set_at("setup", "game", value="ludo"), "there is no game 'ludo' here; there are: .*macroscope"),
        (set_at("setup", "players", value=["Ada", "\x1b[2J"]), "setup.players.1"),
        (set_at("setup", "players", value=["Ada"] * 7), "setup.players"),
        (set_at("setup", "buttons", value=["seat1", "seat1"]), "a seat button of their own"),
        (set_at("setup", "buttons", value=["seat1", "ok"]), "a seat button of their own"),
        (set_at("setup", "buttons", value=["seat1"]), "2 players need as many buttons, not 1"),
        (set_at("setup", "first", value=2), "seat 2 cannot begin"),
        (set_at("setup", "settings", value={"goal": 0}), "the house rules are not valid: goal"),
        (set_at("setup", "settings", value=[]), "setup.settings"),
    ],
)
def test_error_says_what_is_wrong(
    tmp_path: Path, exported: Path, change: Callable[[dict[str, Any]], None], words: str
) -> None:
    data = json.loads(exported.read_text())
    change(data)
    exported.write_text(json.dumps(data))
    with Journal(tmp_path / "second") as journal:
        with pytest.raises(InvalidSavedGame, match=words):
            import_game(journal, exported, find_definition)
        assert journal.list_games() == ()


@pytest.mark.parametrize("text", [b"", b"[]", b"{", b"\xff\xfe", b"[" * 100_000, b'{"format": "companion sitting"}'])
def test_file_that_is_no_exported_game(tmp_path: Path, text: bytes) -> None:
    (tmp_path / "x.json").write_bytes(text)
    with pytest.raises(InvalidSavedGame, match="is no exported game"):
        read_exported_game(tmp_path / "x.json")


def test_failed_export_keeps_the_earlier_file(tmp_path: Path, exported: Path) -> None:
    before = exported.read_bytes()
    with Journal(tmp_path / "first") as journal:
        with pytest.raises(InvalidSavedGame, match="no game number 9"):
            export_game(journal, 9, exported)
        with pytest.raises(OSError, match="No such file"):
            export_game(journal, 1, tmp_path / "nowhere" / "x.json")
        (tmp_path / "folder").mkdir()
        with pytest.raises(OSError, match="directory"):
            export_game(journal, 1, tmp_path / "folder")
    assert exported.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir() if file.name.startswith(".")] == []


@pytest.mark.parametrize(("size", "error"), [(16_000_000, InvalidSavedGame), (16_000_001, OSError)])
def test_a_file_of_more_than_16_megabytes_is_not_read(tmp_path: Path, size: int, error: type[Exception]) -> None:
    with (tmp_path / "x.json").open("wb") as file:
        file.truncate(size)
    with pytest.raises(error, match="is no exported game" if error is InvalidSavedGame else "too long"):
        read_exported_game(tmp_path / "x.json")


def test_an_exported_file_can_be_read_by_people(exported: Path) -> None:
    lines = exported.read_text().splitlines()
    assert lines[:3] == ["{", ' "format": "companion sitting",', ' "version": 1,']
    assert "null" not in exported.read_text(), "what there is not is left out"
    assert exported.read_bytes().endswith(b"}\n")
