"""Power cuts at every write of a game: acknowledged entries are stored."""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import pytest

from companion.games.macroscope import GAME
from companion.journal.database import JOURNAL_FILE, Journal
from companion.journal.saved_game import SavedGame
from tests.fault_injection.disk import Call, calls, cut_everywhere, library, run
from tests.fault_injection.player import read_content
from tests.journal.play import FAST


@dataclass(frozen=True, slots=True)
class Recording:
    """A program's run on a disk: the disk's root, its calls, and each game's entries in the end."""

    root: Path
    made: list[Call]
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
    return Recording(root, list(calls(log)), {int(number): whats for number, whats in json.loads(output).items()})


@dataclass(slots=True)
class Promise:
    """The state that the program had acknowledged as stored before the cut."""

    content: dict[int, list[str]]
    """Each game's entries in the end."""
    game_id: int = 0
    seq: int = 0
    clock: int | None = None
    """The last stored clock mark; each is one less than the one before."""

    def acknowledge(self, call: Call) -> None:
        self.seq, clock = json.loads(call.data)
        if clock is not None or call.number != self.game_id:
            self.clock = clock
        self.game_id = call.number

    def check(self, folder: Path) -> None:
        """Check that the journal in the folder has all that was promised and was not damaged."""
        with Journal(folder / JOURNAL_FILE) as journal:
            assert journal.damage is None
            kept = read_content(journal)
            for number, whats in kept.items():
                assert whats == self.content[number][: len(whats)]
                if number < self.game_id:
                    assert whats == self.content[number]
            assert max(kept, default=0) in (self.game_id, self.game_id + 1)
            if self.game_id:
                assert len(kept[self.game_id]) in (self.seq, self.seq + 1)
                saved_game = SavedGame(journal, self.game_id, GAME)
                assert saved_game.problem is None
                if self.clock is not None:
                    assert journal.read_clock_marks(self.game_id)["turn"] in (self.clock, self.clock - 1)
                saved_game.note_resumed()  # and the game can be continued


def cut_journal(recording: Recording, into: Path, random: Random, times: int, every: int = 1) -> Counter[str]:
    return cut_everywhere(recording.made, recording.root, into, Promise(recording.content), random, times, every)


@pytest.mark.full
def test_power_cut_at_any_write_loses_nothing_acknowledged(folder: Path) -> None:
    recording = played(folder, seed=1, entries=70)
    counts = cut_journal(recording, folder / "left", Random(1), times=2, every=5)
    assert counts["acknowledged"] > 140
    assert counts["cuts"] > 300


@pytest.mark.full
def test_unsynced_data_are_lost(folder: Path) -> None:
    """The simulated cut does lose data: a journal without fsync does not keep its promises."""
    recording = played(folder, seed=2, entries=20)
    unsynced = replace(recording, made=[call for call in recording.made if call.kind != "S"])
    with pytest.raises(AssertionError):
        cut_journal(unsynced, folder / "left", Random(1), times=2, every=5)


@pytest.mark.proof
@pytest.mark.parametrize("seed", range(3, 9))
def test_proof_of_power_cuts_at_every_write(folder: Path, seed: int) -> None:
    recording = played(folder, seed, entries=150)
    counts = cut_journal(recording, folder / "left", Random(seed), times=3)
    assert counts["cuts"] > 4_000
    print(dict(counts))
