"""Disk calls that fail: full, read-only, broken; once, for a while or until the disk is repaired.

Nothing is lost, the game continues when the disk works again, and every failed call is reported.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fault_injection.disk import Disk, calls, library, run
from tests.journal.play import FAST


@pytest.fixture
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(dir=FAST, prefix="companion-errors-") as name:
        yield Path(name).resolve()


def failed(folder: Path, seed: int, turns: int) -> dict[str, int]:
    root = folder / "disk"
    root.mkdir()
    counts: dict[str, int] = json.loads(
        run(library(folder), root, None, "tests.fault_injection.failing", str(root), str(seed), str(turns))
    )
    return counts


def test_the_log_has_every_write(folder: Path) -> None:
    """The log of the calls makes the files as they are; a write of any kind fails and is short on demand."""
    root, log = folder / "disk", folder / "log"
    root.mkdir()
    run(library(folder), root, log, "tests.fault_injection.every_write", str(root))
    disk = Disk()
    for call in calls(log):
        disk.take(call)
    assert {path: file.left(None) for path, file in disk.now.items()} == {
        str(file): file.read_bytes() for file in root.iterdir()
    }
    assert (root / "plain-full").stat().st_size == 512  # what fitted


@pytest.mark.full
def test_any_disk_call_may_fail(folder: Path) -> None:
    counts = failed(folder, seed=1, turns=45)
    assert counts["refused"] > 20
    assert counts["picture not kept"] > 20
    assert counts["result not kept"] > 3
    assert counts["refused to open"] + counts["not opened"] > 5
    assert counts["not read"] > 10
    assert counts["played in spite of read errors"] > 20


@pytest.mark.proof
@pytest.mark.parametrize("seed", range(2, 7))
def test_proof_of_failing_calls(folder: Path, seed: int) -> None:
    counts = failed(folder, seed, turns=300)
    assert counts["refused"] > 300
    assert counts["not read"] > 100
    print(counts)
