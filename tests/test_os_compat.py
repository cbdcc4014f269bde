"""Files are synced so that they survive a power cut on macOS too, where fsync leaves them in the drive's cache.

Power cuts while a file is written: tests/fault_injection/test_power_cut_stores.py.
"""

from __future__ import annotations

import errno
import fcntl
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from companion.club.database import _prepare_sqlite
from companion.journal.connection import PRAGMAS
from companion.os_compat import FULL_SYNC_PRAGMAS, sync_data, sync_file
from companion.system.atomic_file import write_atomic

F_FULLFSYNC = 51
"""As macOS numbers it."""


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The syncs, in their order."""
    calls: list[str] = []
    monkeypatch.setattr(fcntl, "fcntl", lambda _file, command: calls.append(f"fcntl {command}"))
    monkeypatch.setattr(os, "fsync", lambda _file: calls.append("fsync"))
    return calls


def test_a_drive_empties_its_cache_where_it_can(
    monkeypatch: pytest.MonkeyPatch, calls: list[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(fcntl, "F_FULLFSYNC", F_FULLFSYNC, raising=False)
    write_atomic(tmp_path / "file", b"x")
    assert calls == ["fcntl 51", "fcntl 51"], "the file and its folder"
    monkeypatch.setattr("sys.platform", "darwin")
    sync_data(0)
    assert calls == ["fcntl 51"] * 3


def test_elsewhere_and_on_other_file_systems_it_is_fsync(monkeypatch: pytest.MonkeyPatch, calls: list[str]) -> None:
    monkeypatch.delattr(fcntl, "F_FULLFSYNC", raising=False)
    sync_file(0)
    assert calls == ["fsync"]

    def refuse(_file: int, _command: int) -> None:
        raise OSError(refused, "refused")

    refused = errno.ENOTSUP
    monkeypatch.setattr(fcntl, "F_FULLFSYNC", F_FULLFSYNC, raising=False)
    monkeypatch.setattr(fcntl, "fcntl", refuse)
    sync_file(0)
    assert calls == ["fsync"] * 2
    refused = errno.EIO
    with pytest.raises(OSError, match="refused"):  # fsync might succeed then, and what was lost would count as kept
        sync_file(0)


def test_databases_are_synced_so_too(tmp_path: Path) -> None:
    assert set(PRAGMAS) > set(FULL_SYNC_PRAGMAS)
    with closing(sqlite3.connect(tmp_path / "club.sqlite3")) as connection:
        _prepare_sqlite(connection, None)
        found = [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("fullfsync", "checkpoint_fullfsync")]
    assert found == [1, 1]
