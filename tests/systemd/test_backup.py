"""Backup and restore of an appliance's data during a game: the real script on temporary folders."""

from __future__ import annotations

import io
import os
import shutil
import sqlite3
import subprocess
import sys
import tarfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from companion.journal.database import Journal
from companion.journal.saved_game import SavedGame
from tests.conftest import REPOSITORY
from tests.journal.toy import GAME, SETUP

SCRIPT = REPOSITORY / "systemd/companion-backup"


@pytest.fixture
def box(tmp_path: Path) -> Path:
    """Data and settings of an appliance, with an open journal that is being written."""
    (tmp_path / "data/faces").mkdir(parents=True)
    (tmp_path / "etc").mkdir()
    (tmp_path / "data/house.json").write_text("{}", encoding="utf-8")
    (tmp_path / "data/faces/1.png").write_bytes(b"picture")
    (tmp_path / "data/before-0.1").mkdir()
    (tmp_path / "etc/companion.toml").write_text("# mine\n", encoding="utf-8")
    return tmp_path


def run(box: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    environ = {"PATH": "/usr/bin:/bin", "COMPANION_DATA": str(box / "data"), "COMPANION_ETC": str(box / "etc")}
    command = [sys.executable, "-I", str(SCRIPT), *map(str, arguments)]
    return subprocess.run(command, env=environ, capture_output=True, text=True, check=False)


def test_backup_and_restore_during_a_game(box: Path, tmp_path: Path) -> None:
    file = tmp_path / "kept.tar.gz"
    with closing(sqlite3.connect(box / "data/journal.sqlite3")) as live:
        live.execute("PRAGMA journal_mode=WAL")
        live.execute("CREATE TABLE moves (n)")
        live.execute("INSERT INTO moves VALUES (1)")
        live.commit()  # only in the -wal file: a copy of the main file would lack it
        assert run(box, file).returncode == 0
    assert file.stat().st_mode & 0o077 == 0, "players' names are nobody else's"

    (box / "data/house.json").write_text("spoilt", encoding="utf-8")
    (box / "etc/companion.toml").write_text("spoilt", encoding="utf-8")
    (box / "data/journal.sqlite3").write_bytes(b"spoilt")
    done = run(box, "--restore", file)
    assert done.returncode == 0, done.stderr
    with closing(sqlite3.connect(box / "data/journal.sqlite3")) as back:
        assert back.execute("SELECT n FROM moves").fetchall() == [(1,)]
    assert (box / "data/house.json").read_text(encoding="utf-8") == "{}"
    assert (box / "data/faces/1.png").read_bytes() == b"picture"
    assert (box / "etc/companion.toml").read_text(encoding="utf-8") == "# mine\n"
    assert (box / "etc").stat().st_mode & 0o777 == 0o755
    assert (box / "etc/companion.toml").stat().st_mode & 0o777 == 0o644, "the companion reads it, and is not root"
    (aside,) = box.glob("data.before-restore-*")
    assert (aside / "house.json").read_text(encoding="utf-8") == "spoilt"
    assert not (box / "data/before-0.1").exists(), "what was kept before an upgrade is no backup of a backup"


def test_links_and_other_odd_files_are_left_out(box: Path, tmp_path: Path) -> None:
    file = tmp_path / "kept.tar.gz"
    (tmp_path / "secret").write_text("secret", encoding="utf-8")
    (box / "data/link.json").symlink_to(tmp_path / "secret")
    (box / "data/faces/link").symlink_to(tmp_path)
    (box / "data/journal.sqlite3").symlink_to(tmp_path / "secret")
    os.mkfifo(box / "data/pipe")
    done = run(box, file)
    assert done.returncode == 0, done.stderr
    assert {Path(line.split("'")[1]).relative_to(box / "data").as_posix() for line in done.stderr.splitlines()} == {
        "link.json",
        "faces/link",
        "pipe",
    }
    with tarfile.open(file) as archive:
        assert {member.name for member in archive.getmembers()} == {
            "data/faces/1.png",
            "data/house.json",
            "settings/companion.toml",
            "manifest.json",
        }
    assert run(box, "--restore", file).returncode == 0
    assert (box / "data/house.json").read_text(encoding="utf-8") == "{}"


@pytest.mark.parametrize("name", ["../escaped", "/tmp/escaped", "data/../../escaped", "other/file"])
def test_a_foreign_archive_changes_nothing(box: Path, tmp_path: Path, name: str) -> None:
    file = tmp_path / "foreign.tar.gz"
    with tarfile.open(file, "w:gz") as archive:
        for member in ("data/house.json", name):
            information = archive.gettarinfo(box / "etc/companion.toml")
            information.name = member  # `add` would sanitise the name
            with (box / "etc/companion.toml").open("rb") as content:
                archive.addfile(information, content)
    before = sorted(tmp_path.rglob("*"))
    done = run(box, "--restore", file)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert sorted(tmp_path.rglob("*")) == before
    assert (box / "data/house.json").read_text(encoding="utf-8") == "{}"


def list_content(box: Path) -> dict[str, bytes]:
    """Return the content of all files of data and settings, also of those that a restore has set aside."""
    return {
        path.relative_to(box).as_posix(): path.read_bytes()
        for folder in (*box.glob("data*"), *box.glob("etc*"))
        for path in folder.rglob("*")
        if path.is_file()
    }


def check_refused(box: Path, file: Path, words: str) -> None:
    """Check that the archive is refused with these words, and that nothing is changed."""
    before = list_content(box)
    done = run(box, "--restore", file)
    assert (done.returncode, words in done.stderr, "Traceback" in done.stderr) == (1, True, False), done.stderr
    assert list_content(box) == before
    assert not list(box.glob("tmp*"))


@pytest.fixture
def kept(box: Path, tmp_path: Path) -> Path:
    """An archive; the data were changed since."""
    with closing(sqlite3.connect(box / "data/journal.sqlite3")) as live, live:
        live.execute("CREATE TABLE moves (n)")
        live.executemany("INSERT INTO moves VALUES (?)", ((n * n,) for n in range(200)))
    assert run(box, tmp_path / "kept.tar.gz").returncode == 0
    (box / "data/house.json").write_text("later", encoding="utf-8")
    return tmp_path / "kept.tar.gz"


def test_flipped_bit_is_noticed_before_anything_is_touched(box: Path, kept: Path) -> None:
    whole = kept.read_bytes()
    for at in range(40, len(whole), len(whole) // 6):  # before: gzip's header, with the time and a file name
        kept.write_bytes(whole[:at] + bytes([whole[at] ^ 4]) + whole[at + 1 :])
        check_refused(box, kept, "is damaged or cut off: copy it again, or use another backup. Nothing was changed.")


def test_cut_archive_is_noticed(box: Path, kept: Path) -> None:
    whole = kept.read_bytes()
    for length in (2, len(whole) // 3, len(whole) - 1):
        kept.write_bytes(whole[:length])
        check_refused(box, kept, "is damaged or cut off")
    for content in (b"", b"hello"):
        kept.write_bytes(content)
        check_refused(box, kept, "is not from companion-backup")
    check_refused(box, kept.with_name("nothing"), "nothing")


def rewrite(archive: Path, change: Callable[[dict[str, bytes]], object]) -> None:
    """Write the archive again, with valid checksums of gzip and tar, after a change of its members."""
    with tarfile.open(archive) as old:
        members = {member.name: old.extractfile(member).read() for member in old}  # type: ignore[union-attr]
    change(members)
    with tarfile.open(archive, "w:gz") as new:
        for name, content in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            new.addfile(member, io.BytesIO(content))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda members: members.update({"data/house.json": b"other"}), "is damaged"),
        (lambda members: members.pop("data/house.json"), "is damaged"),
        (lambda members: members.update({"data/more.json": b"{}"}), "is damaged"),
        (lambda members: members.update({"manifest.json": b'{"format": 2}'}), "A newer version made"),
        (lambda members: members.update({"manifest.json": b"[]"}), "is not from companion-backup"),
        (lambda members: members.update({"data": b"no folder"}), "is not from companion-backup"),
        (lambda members: members.clear(), "is not from companion-backup"),
    ],
)
def test_members_must_agree_with_the_manifest(
    box: Path, kept: Path, change: Callable[[dict[str, bytes]], object], words: str
) -> None:
    rewrite(kept, change)
    check_refused(box, kept, words)


def test_archive_of_an_older_version_is_restored_with_a_word(box: Path, tmp_path: Path) -> None:
    """Older versions wrote no manifest, but folders, links and pipes."""
    os.mkfifo(box / "data/pipe")
    (box / "data/link").symlink_to("nowhere")
    kept = tmp_path / "kept.tar.gz"
    with tarfile.open(kept, "w:gz") as archive:
        archive.add(box / "data", "data")
        archive.add(box / "etc", "settings")
    (box / "data/house.json").write_text("later", encoding="utf-8")
    done = run(box, "--restore", kept)
    assert (done.returncode, "its content cannot be verified" in done.stdout) == (0, True), done.stderr
    assert done.stderr.count("Left out: ") == 2
    assert (box / "data/house.json").read_text(encoding="utf-8") == "{}"
    assert (box / "data/faces/1.png").read_bytes() == b"picture"


def test_every_replaced_state_is_kept(box: Path, kept: Path) -> None:
    for text in ("second", "third"):
        assert run(box, "--restore", kept).returncode == 0
        (box / "data/house.json").write_text(text, encoding="utf-8")
    assert run(box, "--restore", kept).returncode == 0
    asides = [folder / "house.json" for folder in box.glob("data.before-restore-*")]
    assert {path.read_text(encoding="utf-8") for path in asides} == {"later", "second", "third"}


@pytest.mark.parametrize("page", [0, 1])
def test_damaged_journal_is_kept_as_it_is(box: Path, kept: Path, page: int) -> None:
    journal = box / "data/journal.sqlite3"
    content = bytearray(journal.read_bytes())
    content[page * 4096 : page * 4096 + 512] = b"\xff" * 512
    journal.write_bytes(content)
    (box / "data/journal.sqlite3-wal").write_bytes(b"torn")
    (box / "data/journal.sqlite3.damaged-20260101T000000Z").write_bytes(b"earlier")
    done = run(box, kept)
    assert (done.returncode, "The journal is damaged" in done.stderr) == (0, True), done.stderr
    for path in (box / "data").iterdir():
        path.unlink() if path.is_file() else shutil.rmtree(path)
    assert run(box, "--restore", kept).returncode == 0
    assert journal.read_bytes() == content
    assert (box / "data/journal.sqlite3-wal").read_bytes() == b"torn"
    assert (box / "data/journal.sqlite3.damaged-20260101T000000Z").read_bytes() == b"earlier"


def test_the_second_copy_is_in_the_backup(box: Path, tmp_path: Path) -> None:
    """A torn log, which SQLite takes for its end, costs nothing after a restore."""
    path = box / "data/journal.sqlite3"
    with Journal(path) as journal:
        saved_game = SavedGame.begin(journal, SETUP, GAME)
        for _ in range(3):
            saved_game.note_resumed()
        left = {file: file.read_bytes() for file in path.parent.glob("journal.sqlite3*")}
    for file, content in left.items():
        file.write_bytes(content[:5000] if file.suffix == ".sqlite3-wal" else content)
    assert run(box, tmp_path / "kept.tar.gz").returncode == 0
    assert run(box, "--restore", tmp_path / "kept.tar.gz").returncode == 0
    with Journal(path) as journal:
        assert len(journal.read_entries(1)) == 3
