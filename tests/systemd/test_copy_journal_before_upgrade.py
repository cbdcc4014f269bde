"""The copy of the journal before an upgrade: the real script on temporary folders."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY

SCRIPT = REPOSITORY / "systemd/copy-journal-before-upgrade"
NAME = "before-0.2.0-abc"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "journal.sqlite3").write_bytes(b"moves")
    (folder / "journal.sqlite3-wal").write_bytes(b"more moves")
    (folder / "house.json").write_text("{}", encoding="utf-8")
    return folder


def run(data: Path, max_file_bytes: int | None = None) -> subprocess.CompletedProcess[str]:
    """Run the script; with `max_file_bytes` longer files cannot be written, as on a full disk."""

    def limit() -> None:
        if max_file_bytes is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (max_file_bytes, max_file_bytes))

    command = [sys.executable, "-I", str(SCRIPT), str(data), NAME]
    return subprocess.run(command, capture_output=True, text=True, check=False, preexec_fn=limit)


def copy(data: Path) -> str:
    """Run the script and return its output."""
    done = run(data)
    assert done.returncode == 0, done.stderr
    return done.stdout


def list_tree(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_journal_is_copied_for_its_owner_only(data: Path) -> None:
    (data / "journal.sqlite3.mirror").write_bytes(b"moves again")
    copy(data)
    assert list_tree(data / NAME) == {
        "journal.sqlite3": b"moves",
        "journal.sqlite3-wal": b"more moves",
        "journal.sqlite3.mirror": b"moves again",
    }
    assert (data / NAME).stat().st_mode & 0o777 == 0o700
    assert (data / NAME / "journal.sqlite3").stat().st_mode & 0o777 == 0o600
    (data / "journal.sqlite3").write_bytes(b"moves of the new version")
    copy(data)
    assert (data / NAME / "journal.sqlite3").read_bytes() == b"moves", "a second run keeps the copy"


def test_no_journal_no_copy(tmp_path: Path) -> None:
    copy(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_links_fifos_and_folders_are_left_out_and_named(data: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret", encoding="utf-8")
    (data / "a.sqlite").symlink_to(tmp_path / "secret")
    os.mkfifo(data / "b.sqlite")
    (data / "c.sqlite\x1b[2J").mkdir()
    output = copy(data)
    assert set(list_tree(data / NAME)) == {"journal.sqlite3", "journal.sqlite3-wal"}
    assert [name in output for name in ("a.sqlite", "b.sqlite", "c.sqlite")] == [True] * 3
    assert "\x1b" not in output


@pytest.mark.parametrize("name", [NAME, f"{NAME}.new", "before-0.1.0"])
def test_links_in_place_of_the_copies_are_only_removed(data: Path, tmp_path: Path, name: str) -> None:
    victim = tmp_path / "victim"
    victim.mkdir()
    (victim / "journal.sqlite3").write_bytes(b"kept")
    (data / name).symlink_to(victim)
    copy(data)
    assert list_tree(victim) == {"journal.sqlite3": b"kept"}
    assert (data / NAME / "journal.sqlite3").read_bytes() == b"moves"
    assert not (data / NAME).is_symlink()


def test_full_disk_leaves_no_part_and_keeps_the_older_copy(data: Path) -> None:
    older = data / "before-0.1.0"
    older.mkdir()
    (older / "journal.sqlite3").write_bytes(b"older")
    (data / "journal.sqlite3").write_bytes(bytes(10_000))
    done = run(data, max_file_bytes=5_000)
    assert done.returncode == 1
    assert "cannot be copied" in done.stderr
    assert "Traceback" not in done.stderr
    assert sorted(path.name for path in data.glob("before-*")) == ["before-0.1.0"]
    copy(data)
    assert sorted(path.name for path in data.glob("before-*")) == [NAME], "one such copy is enough"
