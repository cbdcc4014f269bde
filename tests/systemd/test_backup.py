"""Backup and restore of an appliance's data during a game: the real script on temporary folders."""

from __future__ import annotations

import gzip
import io
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tarfile
from collections.abc import Callable
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from random import Random
from types import ModuleType, SimpleNamespace

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


def list_content(box: Path) -> dict[str, bytes]:
    """Return the content of all files of data and settings, also of those that a restore has set aside."""
    return {
        path.relative_to(box).as_posix(): path.read_bytes()
        for folder in (*box.glob("data*"), *box.glob("etc*"))
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.fixture
def kept(box: Path, tmp_path: Path) -> Path:
    """An archive; the data were changed since."""
    with closing(sqlite3.connect(box / "data/journal.sqlite3")) as live, live:
        live.execute("CREATE TABLE moves (n)")
        live.executemany("INSERT INTO moves VALUES (?)", ((n * n,) for n in range(200)))
    assert run(box, tmp_path / "kept.tar.gz").returncode == 0
    (box / "data/house.json").write_text("later", encoding="utf-8")
    return tmp_path / "kept.tar.gz"


Change = Callable[[list[tuple[tarfile.TarInfo, bytes]]], object]
"""Changes the members of an archive and their contents; the last one is the manifest."""


@pytest.fixture
def restore(box: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[[Path], str]:
    """A function that restores an archive, which is refused, in this process; it returns what is said."""
    script = ModuleType("companion_backup")
    exec(compile(SCRIPT.read_bytes(), SCRIPT, "exec"), vars(script))
    monkeypatch.setattr(script, "DATA", box / "data")
    monkeypatch.setattr(script, "ETC", box / "etc")

    def try_to_restore(archive: Path) -> str:
        before = list_content(box)
        monkeypatch.setattr(sys, "argv", ["companion-backup", "--restore", str(archive)])
        assert script.main() == 1
        assert list_content(box) == before
        assert not list(box.glob("tmp*"))
        return capsys.readouterr().err

    return try_to_restore


def write_archive(archive: Path, change: Change = lambda _members: None) -> Path:
    """Write an archive as `companion-backup` does, with valid checksums of gzip and tar, after a change of it."""
    contents = {"data/house.json": b"{}", "data/faces/1.png": b"picture", "settings/companion.toml": b"# mine"}
    manifest = {"format": 1, "sha256": {name: sha256(content).hexdigest() for name, content in contents.items()}}
    contents["manifest.json"] = json.dumps(manifest).encode()
    members = [(tarfile.TarInfo(name), content) for name, content in contents.items()]
    change(members)
    with tarfile.open(archive, "w:gz", compresslevel=1) as new:
        for member, content in members:
            member.size = len(content) if member.isreg() else 0
            new.addfile(member, io.BytesIO(content))
    return archive


def add(name: str, content: bytes = b"", kind: bytes = tarfile.REGTYPE, at: int = 0) -> Change:
    """Return a change that inserts a member before the others, or at another place."""

    def insert(members: list[tuple[tarfile.TarInfo, bytes]]) -> None:
        member = tarfile.TarInfo(name)
        member.type, member.linkname = kind, "/etc/passwd"
        members.insert(at, (member, content))

    return insert


def replace_content(at: int, content: bytes) -> Change:
    """Return a change of a member's content; the manifest is at -1."""
    return lambda members: members.__setitem__(at, (members[at][0], content))


MALFORMED: dict[str, tuple[Change, str]] = {
    "changed": (replace_content(0, b"other"), "is missing, changed or added. Copy it again"),
    "missing": (lambda members: members.pop(0), "is missing, changed or added. Copy it again"),
    "added": (add("data/more.json"), "'data/more.json' is missing, changed or added. Copy it again"),
    "doubled": (lambda members: members.insert(0, members[0]), "twice. Copy it again"),
    "manifest doubled": (lambda members: members.append(members[-1]), "'manifest.json' twice. Copy it again"),
    "manifest missing": (lambda members: members.pop(), "has no list of its files (manifest.json). Copy it again"),
    "nothing": (lambda members: members.clear(), "has no list of its files (manifest.json). Copy it again"),
    "manifest a folder": (add("manifest.json", kind=tarfile.DIRTYPE), "which is no plain file. Use a file that"),
    "manifest a link": (add("manifest.json", kind=tarfile.SYMTYPE), "which is no plain file. Use a file that"),
    "manifest a list": (replace_content(-1, b"[]"), "that companion-backup never writes. Use a file that"),
    "manifest null": (replace_content(-1, b"null"), "has no list of its files (manifest.json). Copy it again"),
    "manifest brackets": (replace_content(-1, b"[" * 200_000), "cannot be unpacked. Use a file that"),
    "manifest digits": (replace_content(-1, b"9" * 5_000), "cannot be unpacked. Use a file that"),
    "manifest no JSON": (replace_content(-1, b"\xff"), "cannot be unpacked. Use a file that"),
    "manifest too long": (replace_content(-1, bytes(17 << 20)), "too long a list of its files. Use a file that"),
    "manifest without format": (replace_content(-1, b'{"sha256": {}}'), "never writes. Use a file that"),
    "manifest without checksums": (replace_content(-1, b'{"format": 1}'), "without checksums. Use a file that"),
    "manifest with other checksums": (replace_content(-1, b'{"format": 1, "sha256": {"x": [1]}}'), "or added. Copy"),
    "newer": (replace_content(-1, b'{"format": 2}'), "was made by a newer version. Update the companion first."),
    "outside": (add("../escaped"), "'../escaped', which companion-backup never writes. Use a file that"),
    "outside of data": (add("data/../../escaped"), "which companion-backup never writes. Use a file that"),
    "absolute": (add("/tmp/escaped"), "which companion-backup never writes. Use a file that"),
    "other folder": (add("other/file"), "which companion-backup never writes. Use a file that"),
    "empty part": (add("data//file"), "which companion-backup never writes. Use a file that"),
    "data a file": (add("data", b"no folder"), "'data', which companion-backup never writes. Use a file that"),
    "a folder": (add("data/faces", kind=tarfile.DIRTYPE), "'data/faces', which is no plain file. Use a file that"),
    "a link": (add("data/link", kind=tarfile.SYMTYPE), "'data/link', which is no plain file. Use a file that"),
    "a hard link": (add("data/link", kind=tarfile.LNKTYPE), "'data/link', which is no plain file. Use a file that"),
    "a pipe": (add("data/pipe", kind=tarfile.FIFOTYPE), "'data/pipe', which is no plain file. Use a file that"),
    "a device": (add("data/disk", kind=tarfile.BLKTYPE), "'data/disk', which is no plain file. Use a file that"),
    "name too long": (add("data/" + "x" * 300), "(File name too long). Use a file that"),
    "path too long": (add("data/" + "x/" * 3_000 + "y"), "(File name too long). Use a file that"),
    "file and folder": (add("data/house.json/x"), "has a name that cannot be restored ("),
    "folder and file": (add("data/faces", at=2), "has a name that cannot be restored (File exists). Use a file that"),
    "name with a line break": (add("other\nfile"), r"'other\nfile', which companion-backup never writes"),
    "name of other bytes": (add("other\udcff"), r"'other\udcff', which companion-backup never writes"),
}


@pytest.mark.parametrize("kind", MALFORMED)
def test_a_malformed_archive_is_refused_with_words(tmp_path: Path, restore: Callable[[Path], str], kind: str) -> None:
    change, words = MALFORMED[kind]
    said = restore(write_archive(tmp_path / "kept.tar.gz", change))
    assert words in said
    assert said.endswith("Nothing was changed.\n")
    assert not (tmp_path / "escaped").exists()


def compress(content: bytes) -> bytes:
    return gzip.compress(content, 1)


def test_flipped_bit_is_noticed_before_anything_is_touched(tmp_path: Path, restore: Callable[[Path], str]) -> None:
    archive = write_archive(tmp_path / "kept.tar.gz", add("data/noise", Random(1).randbytes(2_000)))
    whole = archive.read_bytes()
    for at in range(200, 2_000, 90):  # in the noise: of zeros there is more than one way to be compressed
        archive.write_bytes(whole[:at] + bytes([whole[at] ^ 4]) + whole[at + 1 :])
        said = restore(archive)
        assert "is damaged or cut off. Copy it again, or use another backup. Nothing was changed." in said


def test_cut_archive_is_noticed(tmp_path: Path, restore: Callable[[Path], str]) -> None:
    archive = write_archive(tmp_path / "kept.tar.gz")
    whole = archive.read_bytes()
    for length in (2, len(whole) // 3, len(whole) - 1):
        archive.write_bytes(whole[:length])
        assert "is damaged or cut off" in restore(archive)
    for content, words in ((b"", "is empty"), (b"hello", "is not from companion-backup")):
        archive.write_bytes(content)
        assert words in restore(archive)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (gzip.decompress, "is not from companion-backup. Use a file that"),
        (lambda _whole: compress(b""), "is empty. Copy it again"),
        (lambda _whole: compress(b"hello"), "cannot be unpacked. Use a file that"),
        (lambda _whole: compress(bytes(5_000)), "has no list of its files"),
        (lambda whole: compress(gzip.decompress(whole)[:2_000]), "cannot be unpacked. Use a file that"),
        (lambda whole: whole + b"more", "is damaged or cut off. Copy it again"),
        (lambda whole: compress(gzip.decompress(whole).replace(b"ustar", b"other")), "cannot be unpacked. Use a file"),
    ],
)
def test_a_file_that_is_no_archive_is_refused_with_words(
    tmp_path: Path, restore: Callable[[Path], str], change: Callable[[bytes], bytes], words: str
) -> None:
    archive = write_archive(tmp_path / "kept.tar.gz")
    archive.write_bytes(change(archive.read_bytes()))
    assert words in restore(archive)


def test_what_is_no_file_is_not_read(tmp_path: Path, restore: Callable[[Path], str]) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path, Path("/dev/zero")):
        assert "is no file. Use a file that companion-backup wrote." in restore(path)
    assert "nothing: No such file or directory" in restore(tmp_path / "nothing")


def test_an_archive_for_which_there_is_no_room_is_refused(
    tmp_path: Path, restore: Callable[[Path], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _folder: SimpleNamespace(free=2_000_000))
    archive = write_archive(tmp_path / "kept.tar.gz", add("data/large", bytes(3_000_000)))
    assert "needs more room than the 2 MB that are free. Make room" in restore(archive)


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


def test_without_the_main_file_the_rest_is_kept(box: Path, tmp_path: Path) -> None:
    for name in ("journal.sqlite3.mirror", "journal.sqlite3-wal"):
        (box / "data" / name).write_text(name, encoding="ascii")
    done = run(box, tmp_path / "kept.tar.gz")
    assert done.returncode == 0, done.stderr
    with tarfile.open(tmp_path / "kept.tar.gz") as archive:
        assert {"data/journal.sqlite3.mirror", "data/journal.sqlite3-wal"} <= set(archive.getnames())


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
