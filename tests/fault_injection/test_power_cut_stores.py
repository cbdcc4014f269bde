"""Power cuts while rules, the learnt layout, a picture or a result is written: the old or the new one is there."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from companion.camera.learnt_layouts import LayoutCache
from companion.journal.boot_notes import BootNotes
from companion.journal.database import JOURNAL_FILE
from companion.journal.die_pictures import DiePictures
from companion.lobby import HouseRules
from companion.lobby.results_cache import RESULTS_FILE
from companion.lobby.results_file import ResultsFile
from tests.fault_injection.disk import Call, calls, cut_everywhere, library, run
from tests.fault_injection.keeper import (
    BOOTS,
    DAMAGED,
    DAMAGED_LAYOUT,
    FACES,
    GAME,
    LAYOUT,
    RESULTS,
    RULE,
    RULES,
    UID,
    boot,
    learnt,
    picture,
    result,
    seconds,
)
from tests.journal.play import FAST


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(dir=FAST, prefix="companion-kept-") as name:
        yield Path(name).resolve()


def kept(folder: Path, times: int) -> tuple[Path, list[Call]]:
    """Run a program that stores something this many times; return its folder and its disk calls."""
    root, log = folder / f"disk{times}", folder / f"log{times}"
    root.mkdir()
    run(library(folder), root, log, "tests.fault_injection.keeper", str(root), str(times))
    return root, list(calls(log))


class StoredFiles:
    """The version of each kind of file that was acknowledged."""

    def __init__(self) -> None:
        self.versions = Counter[int]()

    def acknowledge(self, call: Call) -> None:
        self.versions[call.number] = int(call.data)

    def check(self, folder: Path) -> None:
        """Check that the acknowledged version or the next one is stored, and complete."""
        house, rule = HouseRules({}, folder), self.versions[RULES]
        found = getattr(house.rules_of(GAME), RULE)
        assert house.store.problem is None
        assert found in (seconds(rule) if rule else GAME.settings_model().round_seconds, seconds(rule + 1))
        layouts = [file.read_bytes() for file in folder.glob("table*")]
        layout, faces = self.versions[LAYOUT], DiePictures(folder / "journal", UID)
        assert LayoutCache(folder / "table.json").load() in (learnt(layout) if layout else None, learnt(layout + 1))
        if self.versions[DAMAGED]:
            assert DAMAGED_LAYOUT in layouts
        else:
            assert not list(folder.glob("*damaged*"))
        for number in range(1, self.versions[FACES] + 1):
            assert faces.load(f"{number}-1") == picture(number)
        assert faces.load(f"{self.versions[FACES] + 1}-1") in {None, picture(self.versions[FACES] + 1)}
        results, boots = ResultsFile(folder / RESULTS_FILE), BootNotes(folder / JOURNAL_FILE)
        for number in range(1, self.versions[RESULTS] + 1):
            assert results.get(str(number)) == result(number)
        for number in range(1, self.versions[BOOTS] + 1):
            assert boots.get(f"b{number}") == boot(number)


def test_power_cut_during_a_store(folder: Path) -> None:
    root, made = kept(folder, times=3)
    counts = cut_everywhere(made, root, folder / "left", StoredFiles(), Random(1), times=4)
    assert counts["acknowledged"] == 17
    assert counts["cuts"] > 300


@pytest.mark.full
@pytest.mark.sampled(1)
@pytest.mark.parametrize("kind", ["S", "D"])
def test_unsynced_data_are_lost(folder: Path, kind: str) -> None:
    """The simulated cut does lose data: both a file's content and its name must be synced."""
    root, made = kept(folder, times=4 if kind == "S" else 5)
    unsynced = [call for call in made if call.kind != kind]
    with pytest.raises(AssertionError):
        cut_everywhere(unsynced, root, folder / "left", StoredFiles(), Random(1), times=6)


@pytest.mark.proof
@pytest.mark.parametrize("seed", range(4))
def test_proof_of_power_cuts_during_a_store(folder: Path, seed: int) -> None:
    root, made = kept(folder, times=30 + seed)
    counts = cut_everywhere(made, root, folder / "left", StoredFiles(), Random(seed), times=6)
    assert counts["cuts"] > 5000
    print(dict(counts))
