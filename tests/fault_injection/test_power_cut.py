"""Power cuts at every write of a game: acknowledged entries are stored."""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from companion.games.macroscope import GAME
from companion.journal.database import JOURNAL_FILE, Journal
from companion.journal.saved_game import SavedGame
from tests.fault_injection.disk import Call, Disk, calls, lay, library, run
from tests.journal.play import FAST


@dataclass(frozen=True, slots=True)
class Recording:
    """A program's run on a disk: the disk's root, the log of its calls, and each game's entries in the end."""

    root: Path
    log: Path
    content: dict[int, list[str]]


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(dir=FAST, prefix="companion-cut-") as name:
        yield Path(name).resolve()


def played(folder: Path, seed: int, entries: int) -> Recording:
    """Run a program that writes this many entries on an empty disk."""
    root, log = folder / f"disk{seed}", folder / f"log{seed}"
    root.mkdir()
    output = run(library(folder), root, log, "tests.fault_injection.player", str(root), str(seed), str(entries))
    return Recording(root, log, {int(number): whats for number, whats in json.loads(output).items()})


@dataclass(slots=True)
class Promise:
    """The state that the program had acknowledged as stored before the cut."""

    game_id: int = 0
    seq: int = 0
    clock: int | None = None
    """The last stored clock mark; each is one less than the one before."""


def check(folder: Path, content: dict[int, list[str]], promise: Promise) -> None:
    """Check that the journal in the folder has all that was promised and was not damaged."""
    with Journal(folder / JOURNAL_FILE) as journal:
        assert journal.damage is None
        assert journal.missing_entries == 0
        kept = {
            record.id: [entry.what.model_dump_json(exclude_none=True) for entry in journal.read_entries(record.id)]
            for record in journal.list_games()
        }
        for number, whats in kept.items():
            assert whats == content[number][: len(whats)]
            if number < promise.game_id:
                assert whats == content[number]
        assert max(kept, default=0) in (promise.game_id, promise.game_id + 1)
        if promise.game_id:
            assert len(kept[promise.game_id]) in (promise.seq, promise.seq + 1)
            saved_game = SavedGame(journal, promise.game_id, GAME)
            assert saved_game.problem is None
            if promise.clock is not None:
                assert journal.read_clock_marks(promise.game_id)["turn"] in (promise.clock, promise.clock - 1)
            saved_game.note_resumed()  # and the game can be continued


def cut_everywhere(
    recording: Recording, into: Path, random: Random, times: int, every: int = 1, made: Sequence[Call] = ()
) -> Counter[str]:
    """Cut the power behind every call (or every few), `times` times; how often.

    `made`: these calls instead of those in the recording's log.
    """
    disk, promise, counts = Disk(), Promise(), Counter[str]()
    for number, call in enumerate(made or calls(recording.log)):
        disk.take(call)
        if call.kind == "A":
            seq, clock = json.loads(call.data)
            if call.number != promise.game_id:
                promise.clock = None
            promise = Promise(call.number, seq, promise.clock if clock is None else clock)
            counts["acknowledged"] += 1
        counts["calls"] += 1
        if number % every:
            continue
        for turn in range(times):
            # The first cut is only a kill, which keeps all written data; the others cut the power.
            lay(into, recording.root, disk.left(random if turn else None))
            try:
                check(into, recording.content, promise)
            except BaseException as error:
                error.add_note(f"behind call {number} ({call.kind}), turn {turn}, {counts}, files kept in {into}")
                raise
            counts["cuts"] += 1
    return counts


@pytest.mark.full
def test_power_cut_at_any_write_loses_nothing_acknowledged(folder: Path) -> None:
    recording = played(folder, seed=1, entries=70)
    counts = cut_everywhere(recording, folder / "left", Random(1), times=2, every=5)
    assert counts["acknowledged"] > 140
    assert counts["cuts"] > 300


def test_unsynced_data_are_lost(folder: Path) -> None:
    """The simulated cut does lose data: a journal without fsync does not keep its promises."""
    recording = played(folder, seed=2, entries=20)
    lines = [call for call in calls(recording.log) if call.kind != "S"]
    with pytest.raises(AssertionError):
        cut_everywhere(recording, folder / "left", Random(1), times=2, every=5, made=lines)


@pytest.mark.proof
@pytest.mark.parametrize("seed", range(3, 9))
def test_proof_of_power_cuts_at_every_write(folder: Path, seed: int) -> None:
    recording = played(folder, seed, entries=150)
    counts = cut_everywhere(recording, folder / "left", Random(seed), times=3)
    assert counts["cuts"] > 4_000
    print(dict(counts))
