"""Pictures of dice beside the journal: whole or not there, their owner's alone, exported once they are no secret."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.events import Button
from companion.games.api.game import Move, Seat
from companion.games.memo_dice import KIT
from companion.journal.database import Journal
from companion.journal.die_pictures import FOLDER, LARGEST, Faces, FacesUnwritable, prune
from companion.journal.entry import Setup
from companion.journal.errors import BadSitting
from companion.journal.import_export import export_sitting, import_sitting
from companion.journal.replay import Sitting

A, B = Seat(0), Seat(1)


def jpeg(n: int) -> bytes:
    return b"\xff\xd8\xff" + bytes([n]) * 30


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal(tmp_path / "here" / "journal.sqlite3") as opened:
        yield opened


@pytest.fixture
def faces(tmp_path: Path) -> Faces:
    return Faces(tmp_path / "journal.sqlite3", "a" * 32)


def test_what_is_kept_is_there_again(faces: Faces, tmp_path: Path) -> None:
    faces.keep("1-1", jpeg(1))
    faces.keep("1-2", jpeg(2))
    faces.keep("1-1", jpeg(3))
    assert faces.names() == ("1-1", "1-2")
    assert Faces(tmp_path / "journal.sqlite3", "a" * 32).picture("1-1") == jpeg(3)
    assert faces.picture("1-9") is None


def test_only_the_owner_may_look(faces: Faces, tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        faces.keep("1-1", jpeg(1))
    finally:
        os.umask(before)
    folder = tmp_path / FOLDER / ("a" * 32)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((folder / "1-1.jpg").stat().st_mode) == 0o600


@pytest.mark.parametrize("fails", ["fsync", "open"])
def test_a_picture_is_there_whole_or_not_at_all(faces: Faces, monkeypatch: pytest.MonkeyPatch, fails: str) -> None:
    """And an old one is not taken for the new one."""
    faces.keep("1-1", jpeg(1))

    def full(*_: object, **__: object) -> int:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, fails, full)
        with pytest.raises(FacesUnwritable, match=r"No space left on device.*goes on without it"):
            faces.keep("1-1", jpeg(2))
    assert faces.picture("1-1") is None
    assert faces.names() == ()


def test_what_is_no_picture_is_not_shown(faces: Faces, tmp_path: Path) -> None:
    faces.keep("1-1", jpeg(1))
    path = tmp_path / FOLDER / ("a" * 32) / "1-1.jpg"
    path.write_bytes(b"GIF89a")
    assert faces.picture("1-1") is None
    path.write_bytes(b"\xff\xd8\xff" + bytes(LARGEST))
    assert faces.picture("1-1") is None


def test_pictures_go_with_their_sitting(tmp_path: Path) -> None:
    file = tmp_path / "journal.sqlite3"
    for uid in ("a" * 32, "b" * 32):
        Faces(file, uid).keep("1-1", jpeg(1))
    prune(file, ["b" * 32])
    assert Faces(file, "a" * 32).names() == ()
    assert Faces(file, "b" * 32).names() == ("1-1",)
    Faces(file, "b" * 32).remove()
    assert Faces(file, "b" * 32).names() == ()
    prune(tmp_path / "nowhere" / "journal.sqlite3", [])


# Export and import -----------------------------------------------------------------------------------------------


def begun(journal: Journal) -> Sitting:
    setup = Setup(game=KIT.name, players=("Ada", "Bob"), buttons=(Button.SEAT1, Button.SEAT2))
    return Sitting.begin(journal, setup, KIT)


def four_red(sitting: Sitting) -> Faces:
    """Four red dice in the row, each with its picture; the last under the golden cup."""
    faces = Faces(sitting.journal.path, sitting.journal.record(sitting.id).uid)
    for number, seat in enumerate((A, B, A, B), 1):
        faces.keep(f"1-{number}", jpeg(number))
        sitting.append_move(Move("show", seat, (1,)) if number < 4 else Move("show gold", seat))
        sitting.append_move(Move("cover", seat))
    return faces


def test_only_what_is_no_secret_is_exported_and_comes_in_again(journal: Journal, tmp_path: Path) -> None:
    sitting = begun(journal)
    four_red(sitting)
    sitting.append_move(Move("right", B))
    export_sitting(journal, sitting.id, tmp_path / "out.json")
    assert set(json.loads((tmp_path / "out.json").read_text())["pictures"]) == {"1-1"}
    for _ in range(3):
        sitting.append_move(Move("right", B))
    export_sitting(journal, sitting.id, tmp_path / "out.json")
    with Journal(tmp_path / "there" / "journal.sqlite3") as other:
        number = import_sitting(other, tmp_path / "out.json")
        faces = Faces(other.path, other.record(number).uid)
        assert [faces.picture(f"1-{n}") for n in (1, 2, 3, 4)] == [jpeg(n) for n in (1, 2, 3, 4)]


def test_the_open_die_is_not_exported(journal: Journal, tmp_path: Path) -> None:
    sitting = begun(journal)
    Faces(journal.path, journal.record(sitting.id).uid).keep("1-1", jpeg(1))
    sitting.append_move(Move("show", A, (1,)))
    export_sitting(journal, sitting.id, tmp_path / "out.json")
    assert "pictures" not in json.loads((tmp_path / "out.json").read_text())


@pytest.mark.parametrize("name", ["../1-1", "1-1/..", "x", "1-1.jpg"])
def test_names_that_lead_elsewhere_are_refused(journal: Journal, tmp_path: Path, name: str) -> None:
    sitting = begun(journal)
    export_sitting(journal, sitting.id, tmp_path / "out.json")
    content = json.loads((tmp_path / "out.json").read_text()) | {"uid": "c" * 32, "pictures": {name: "/9j/AAAA"}}
    (tmp_path / "bad.json").write_text(json.dumps(content))
    with pytest.raises(BadSitting):
        import_sitting(journal, tmp_path / "bad.json")


@pytest.mark.parametrize("text", ["", "?", "R0lGODlh"])
def test_what_is_no_picture_is_refused(journal: Journal, tmp_path: Path, text: str) -> None:
    sitting = begun(journal)
    export_sitting(journal, sitting.id, tmp_path / "out.json")
    content = json.loads((tmp_path / "out.json").read_text()) | {"uid": "c" * 32, "pictures": {"1-1": text}}
    (tmp_path / "bad.json").write_text(json.dumps(content))
    with pytest.raises(BadSitting, match="picture 1-1 is none"):
        import_sitting(journal, tmp_path / "bad.json")
