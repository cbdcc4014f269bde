"""Backup and restore of an appliance's data during a game: the real script on temporary folders."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import tarfile
from contextlib import closing
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY

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
    assert (box / "data.before-restore/house.json").read_text(encoding="utf-8") == "spoilt"
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
    assert {line.split(": ")[1] for line in done.stderr.splitlines()} == {
        "'data/link.json'",
        "'data/faces/link'",
        "'data/pipe'",
    }
    with tarfile.open(file) as archive:
        assert {member.name for member in archive.getmembers()} == {
            "data/faces",
            "data/faces/1.png",
            "data/house.json",
            "settings",
            "settings/companion.toml",
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


def test_file_that_is_no_archive_is_reported(box: Path, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("hello", encoding="utf-8")
    for arguments in (("--restore", tmp_path / "text"), ("--restore", tmp_path / "nothing")):
        done = run(box, *arguments)
        assert (done.returncode, "Traceback" in done.stderr) == (1, False)
