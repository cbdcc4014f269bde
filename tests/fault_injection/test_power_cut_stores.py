"""Power cuts while house rules, the learnt layout or a picture is written: the old or the new one is there."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import pytest

from companion.camera.layout_cache import LayoutCache
from companion.journal.die_pictures import DiePictures
from companion.lobby import HouseRules
from tests.fault_injection.disk import Call, Disk, calls, lay, library, run
from tests.fault_injection.keeper import FACES, GAME, LAYOUT, RULE, RULES, UID, learnt, picture, seconds
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


def check(left: Path, safe: Counter[int]) -> None:
    """Check that the acknowledged version or the next one is stored, and complete."""
    house = HouseRules({}, left)
    found = getattr(house.rules_of(GAME), RULE)
    assert house.problem is None
    now, next_ = safe[RULES], safe[RULES] + 1
    assert found in ({seconds(now), seconds(next_)} if now else {GAME.settings_model().round_seconds, seconds(1)})
    memory = LayoutCache(left / "table.json").load()
    assert not list(left.glob("*damaged*"))
    assert memory in ([learnt(safe[LAYOUT])] if safe[LAYOUT] else [None]) + [learnt(safe[LAYOUT] + 1)]
    faces = DiePictures(left / "journal", UID)
    for number in range(1, safe[FACES] + 1):
        assert faces.load(f"{number}-1") == picture(number)
    assert faces.load(f"{safe[FACES] + 1}-1") in {None, picture(safe[FACES] + 1)}


def cut_everywhere(root: Path, into: Path, made: Sequence[Call], random: Random, times: int) -> Counter[str]:
    """Cut the power after every call, this many times each; return the counts."""
    disk, safe, counts = Disk(), Counter[int](), Counter[str]()
    for number, call in enumerate(made):
        disk.take(call)
        if call.kind == "A":
            safe[call.number] = int(call.data)
        for turn in range(times):
            lay(into, root, disk.left(random if turn else None))
            try:
                check(into, safe)
            except BaseException as error:
                error.add_note(f"behind call {number} ({call.kind}), turn {turn}, files kept in {into}")
                raise
            counts["cuts"] += 1
    counts["acknowledged"] = sum(safe.values())
    return counts


def test_power_cut_during_a_store(folder: Path) -> None:
    root, made = kept(folder, times=6)
    counts = cut_everywhere(root, folder / "left", made, Random(1), times=4)
    assert counts["acknowledged"] == 18
    assert counts["cuts"] > 300


@pytest.mark.sampled(1)
@pytest.mark.parametrize("kind", ["S", "D"])
def test_unsynced_data_are_lost(folder: Path, kind: str) -> None:
    """The simulated cut does lose data: both a file's content and its name must be synced."""
    root, made = kept(folder, times=4 if kind == "S" else 5)
    with pytest.raises(AssertionError):
        cut_everywhere(root, folder / "left", [call for call in made if call.kind != kind], Random(1), times=6)


@pytest.mark.proof
@pytest.mark.parametrize("seed", range(4))
def test_proof_of_power_cuts_during_a_store(folder: Path, seed: int) -> None:
    root, made = kept(folder, times=60 + seed)
    counts = cut_everywhere(root, folder / "left", made, Random(seed), times=6)
    assert counts["cuts"] > 5000
    print(dict(counts))
