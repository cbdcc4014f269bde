"""A program that plays Macroscope on a disk whose calls fail one after the other; prints its results as JSON.

Usage: failing.py FOLDER SEED ENTRIES
"""

from __future__ import annotations

import errno
import json
import sys
from collections import Counter
from itertools import product
from pathlib import Path
from random import Random

from companion.games.macroscope import GAME
from companion.journal.database import JOURNAL_FILE, Journal
from companion.journal.die_pictures import DiePictures, PictureUnwritable
from companion.journal.entry import JournalUnwritable
from companion.journal.mirror_file import MirrorFile
from companion.journal.saved_game import SavedGame
from companion.lobby.results_cache import RESULTS_FILE
from companion.lobby.results_file import ResultsFile
from tests.fault_injection.disk import SHORT, Control
from tests.fault_injection.keeper import result
from tests.journal.play import SETUP, act

ERRORS = (errno.ENOSPC, errno.EIO, errno.EROFS, SHORT)
COUNTS = (1, 3, 0)
"""Number of calls that fail in a row; 0: all, until the disk is repaired."""
PICTURE = b"\xff\xd8\xff" + bytes(2000)


def main(folder: Path, seed: int, entries: int) -> dict[str, int]:
    random, control, counts = Random(seed), Control(), Counter[str]()
    ways, results = list(product(ERRORS, COUNTS)), set[int]()
    for turn in range(entries):
        read_in_vain(folder, random, counts, control)
        error, count = ways[turn % len(ways)]
        # Enough calls are made in one opening, and in one entry with its clock, that all of them fail once.
        control.fail(random.randrange(40) if turn % 7 == 0 else random.randrange(14), count, error)
        if turn % 7 == 0:
            counts["refused to open"] += not opens(folder)
            control.heal()
            with Journal(folder / JOURNAL_FILE) as journal:
                assert journal.damage is None
                take_up(journal, random, counts, control, 0)
        else:
            control.heal()
            with Journal(folder / JOURNAL_FILE) as journal:
                assert journal.damage is None
                take_up(journal, random, counts, control, 6, error, count)
        control.heal()
        # The first change of a result is its line, and only that one loses it. Each way fails at each change in turn.
        control.fail(turn // len(ways) % 3, count, error)
        add_result(folder / RESULTS_FILE, turn, results, counts, control, error)
    return counts


def add_result(path: Path, number: int, stored: set[int], counts: Counter[str], control: Control, error: int) -> None:
    """Store a result while the disk fails: that fails or succeeds as a whole, and costs no other one."""
    ResultsFile(path).add({str(number): result(number)})
    control.heal()
    results = ResultsFile(path)
    assert all(results.get(str(other)) == result(other) for other in stored)
    if (found := results.get(str(number))) is None:
        counts["result not kept"] += 1
        assert error != SHORT
    else:
        assert found == result(number)
        stored.add(number)


def read_in_vain(folder: Path, random: Random, counts: Counter[str], control: Control) -> None:
    """Let reads fail at the opening and in play: that is no damage, and what was played is there afterwards."""
    count = random.choice((1, 2, 3, 6, 1_000_000))
    control.fail_reads(count)
    counts["not opened"] += not opens(folder)
    control.heal()
    with Journal(folder / JOURNAL_FILE) as journal:
        number = journal.find_resumable_game()
        saved_game = SavedGame.begin(journal, SETUP, GAME) if number is None else SavedGame(journal, number, GAME)
        for _ in range(3):
            game, seq = saved_game.game, saved_game.last_seq
            journal._connection.execute("PRAGMA shrink_memory")  # so that SQLite reads its pages again
            control.fail_reads(count)
            try:
                assert SavedGame(journal, saved_game.id, GAME).game == game
                act(random, saved_game)
                counts["played in spite of read errors"] += 1
            except JournalUnwritable:
                counts["not read"] += 1
                assert (saved_game.game, saved_game.last_seq) == (game, seq)
            control.heal()
            assert SavedGame(journal, saved_game.id, GAME).game == saved_game.game
        assert journal.damage is None
    assert not list(folder.glob("*damaged*"))


def opens(folder: Path) -> bool:
    try:
        Journal(folder / JOURNAL_FILE).close()
    except JournalUnwritable:
        return False
    return True


def take_up(
    journal: Journal, random: Random, counts: Counter[str], control: Control, plays: int, error: int = 0, count: int = 0
) -> None:
    """Play on, and check that failed writes changed nothing and that successful ones are stored."""
    number = journal.find_resumable_game()
    if number is None or random.random() < 0.05:
        number = SavedGame.begin(journal, SETUP, GAME).id
    saved_game = SavedGame(journal, number, GAME)
    assert saved_game.problem is None
    first, faces = saved_game.last_seq, DiePictures(journal.path, journal.get_game(number).uid)
    for _ in range(plays):
        game, seq = saved_game.game, saved_game.last_seq
        if error:
            control.fail(random.randrange(14), count, error)
        try:
            act(random, saved_game)
            counts["written"] += 1
        except JournalUnwritable:
            counts["refused"] += 1
            assert error != SHORT
            assert (saved_game.game, saved_game.last_seq) == (game, seq)
        try:
            journal.save_clock_marks(number, {"turn": random.random()})
        except JournalUnwritable:
            counts["clock not marked"] += 1
            assert error != SHORT
        try:
            faces.save("1-1", PICTURE)
            assert faces.load("1-1") == PICTURE
        except PictureUnwritable:
            counts["picture not kept"] += 1
            assert error != SHORT
        control.heal()
        assert SavedGame(journal, number, GAME).game == saved_game.game
        seq = saved_game.last_seq
        while saved_game.last_seq == seq:  # the disk works again, and so does the game; a bad correction writes nothing
            act(random, saved_game)
        counts["written"] += 1
    mirrored = {row[1] for row in MirrorFile(journal.path, lambda: 0.0).read_last_rows() if row[0] == number}
    assert mirrored >= set(range(first + 1, saved_game.last_seq + 1))  # also those that could not be written at first
    with_all = SavedGame(journal, number, GAME)
    assert (with_all.game, with_all.last_seq) == (saved_game.game, saved_game.last_seq)


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))))
