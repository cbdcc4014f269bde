"""Disk calls that fail: full, read-only, broken; once, for a while or until the disk is repaired.

Nothing is lost, the game continues when the disk works again, and every failed call is reported.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fault_injection.disk import library, run
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


@pytest.mark.full
def test_any_disk_call_may_fail(folder: Path) -> None:
    counts = failed(folder, seed=1, turns=30)
    assert counts["refused"] > 20
    assert counts["picture not kept"] > 20
    assert counts["refused to open"] + counts["not opened"] > 5
    assert counts["not read"] > 10
    assert counts["played in spite of read errors"] > 20


@pytest.mark.proof
def test_proof_of_failing_calls(folder: Path) -> None:
    counts = failed(folder, seed=2, turns=1500)
    assert counts["refused"] > 2000
    assert counts["not read"] > 500
    print(counts)
