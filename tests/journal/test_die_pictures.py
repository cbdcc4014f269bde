"""Pictures of dice beside the journal: complete or missing, private, exported when they are no longer secret."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.api import Move, Seat
from companion.events import Button
from companion.games.memo_dice import GAME
from companion.journal.database import Journal
from companion.journal.die_pictures import (
    MAX_PICTURE_BYTES,
    PICTURES_FOLDER,
    DiePictures,
    PictureUnwritable,
    is_valid_picture,
)
from companion.journal.entry import GameSetup, InvalidSavedGame
from companion.journal.exported_game import export_game, import_game, read_exported_game
from companion.journal.saved_game import SavedGame

A, B = Seat(0), Seat(1)


def jpeg(n: int) -> bytes:
    return b"\xff\xd8\xff" + bytes([n]) * 30


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal(tmp_path / "here" / "journal.sqlite3") as opened:
        yield opened


@pytest.fixture
def faces(tmp_path: Path) -> DiePictures:
    return DiePictures(tmp_path / "journal.sqlite3", "a" * 32)


def test_stored_pictures_can_be_loaded(faces: DiePictures, tmp_path: Path) -> None:
    assert faces.list_names() == ()
    for name, number in (("2-1", 1), ("10-1", 2), ("2-1", 3)):
        faces.save(name, jpeg(number))
    folder = tmp_path / PICTURES_FOLDER / ("a" * 32)
    (folder / "notes.txt").write_text("x")
    assert faces.list_names() == ("10-1", "2-1")
    assert DiePictures(tmp_path / "journal.sqlite3", "a" * 32).load("2-1") == jpeg(3)
    assert faces.load("1-9") is None
    for invalid in (b"GIF89a", jpeg(1)[:3] + bytes(MAX_PICTURE_BYTES)):
        (folder / "2-1.jpg").write_bytes(invalid)
        assert faces.load("2-1") is None


def test_only_the_owner_can_read_the_pictures(faces: DiePictures, tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        faces.save("1-1", jpeg(1))
    finally:
        os.umask(before)
    folder = tmp_path / PICTURES_FOLDER / ("a" * 32)
    assert stat.S_IMODE(folder.stat().st_mode) == stat.S_IMODE(folder.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE((folder / "1-1.jpg").stat().st_mode) == 0o600


@pytest.mark.parametrize("fails", ["fsync", "open"])
def test_picture_is_complete_or_missing(faces: DiePictures, monkeypatch: pytest.MonkeyPatch, fails: str) -> None:
    """An old picture is not returned as the new one either."""
    faces.save("1-1", jpeg(1))

    def full(*_: object, **__: object) -> int:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, fails, full)
        with pytest.raises(PictureUnwritable, match=r"No space left on device.*goes on without it"):
            faces.save("1-1", jpeg(2))
    assert faces.load("1-1") is None
    assert faces.list_names() == ()


# Export and import -----------------------------------------------------------------------------------------------


def begun(journal: Journal) -> SavedGame:
    setup = GameSetup(game=GAME.name, players=("Ada", "Bob"), buttons=(Button.SEAT1, Button.SEAT2))
    return SavedGame.begin(journal, setup, GAME)


def four_red(saved_game: SavedGame) -> DiePictures:
    """Place four red dice in the row, each with its picture, the last under the golden cup."""
    faces = DiePictures(saved_game.journal.path, saved_game.journal.get_game(saved_game.id).uid)
    for number, seat in enumerate((A, B, A, B), 1):
        faces.save(f"1-{number}", jpeg(number))
        saved_game.play_move(Move("show", seat, (1,)) if number < 4 else Move("show gold", seat))
        saved_game.play_move(Move("cover", seat))
    return faces


def test_only_public_pictures_are_exported_and_imported(journal: Journal, tmp_path: Path) -> None:
    saved_game = begun(journal)
    four_red(saved_game)
    export_game(journal, saved_game.id, tmp_path / "out.json")
    assert "pictures" not in json.loads((tmp_path / "out.json").read_text())
    saved_game.play_move(Move("right", B))
    export_game(journal, saved_game.id, tmp_path / "out.json")
    assert set(json.loads((tmp_path / "out.json").read_text())["pictures"]) == {"1-1"}
    for _ in range(3):
        saved_game.play_move(Move("right", B))
    export_game(journal, saved_game.id, tmp_path / "out.json")
    with Journal(tmp_path / "there" / "journal.sqlite3") as other:
        number = import_game(other, tmp_path / "out.json")
        faces = DiePictures(other.path, other.get_game(number).uid)
        assert [faces.load(f"1-{n}") for n in (1, 2, 3, 4)] == [jpeg(n) for n in (1, 2, 3, 4)]
        (other.path.parent / PICTURES_FOLDER / other.get_game(number).uid / "1-1.jpg").write_bytes(b"torn")
        export_game(other, number, tmp_path / "out.json")
    assert set(json.loads((tmp_path / "out.json").read_text())["pictures"]) == {"1-2", "1-3", "1-4"}


def test_names_with_paths_and_files_that_are_no_pictures_are_refused(journal: Journal, tmp_path: Path) -> None:
    file = tmp_path / "out.json"
    export_game(journal, begun(journal).id, file)
    content = json.loads(file.read_text()) | {"uid": "c" * 32}
    names = [{name: "/9j/AAAA"} for name in ("../1-1", "1-1/..", "x", "1-1.jpg")]
    for pictures in (*names, *({"1-1": text} for text in ("", "?", "R0lGODlh", "/9j/AA?AA", "/9j/AAA"))):
        file.write_text(json.dumps(content | {"pictures": pictures}))
        with pytest.raises(InvalidSavedGame, match="pictures" if pictures in names else "picture 1-1 is no picture"):
            import_game(journal, file)


@pytest.mark.parametrize(("size", "valid"), [(3, True), (200_000, True), (200_001, False)])
def test_a_picture_has_at_most_200_kilobytes(faces: DiePictures, size: int, valid: bool) -> None:
    picture = jpeg(1)[:3].ljust(size, b"x")
    assert is_valid_picture(picture) == valid
    faces.save("1-1", picture)
    assert (faces.load("1-1") is not None) == valid


def test_a_picture_that_never_was_there_cannot_be_stored_either(tmp_path: Path) -> None:
    (tmp_path / PICTURES_FOLDER).write_text("no folder")
    with pytest.raises(PictureUnwritable, match="could not be kept"):
        DiePictures(tmp_path / "j", "a" * 32).save("1-1", jpeg(1))


def test_at_most_500_pictures_are_exported_and_imported(journal: Journal, tmp_path: Path) -> None:
    saved_game = begun(journal)
    folder = journal.path.parent / PICTURES_FOLDER / journal.get_game(saved_game.id).uid
    folder.mkdir(parents=True)
    for number in range(501):
        (folder / f"{number + 1000}-1.jpg").write_bytes(jpeg(1))
    exported = tmp_path / "out.json"
    export_game(journal, saved_game.id, exported)
    content = json.loads(exported.read_text())
    assert len(content["pictures"]) == 500
    assert read_exported_game(exported).pictures == content["pictures"]
    content["pictures"]["9999-1"] = content["pictures"]["1000-1"]
    exported.write_text(json.dumps(content))
    with pytest.raises(InvalidSavedGame, match="pictures: Dictionary should have at most 500 items"):
        read_exported_game(exported)
