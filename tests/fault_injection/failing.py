"""A program that plays Macroscope on a disk whose calls fail, each in turn; prints what it went through as JSON.

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

from companion.games.macroscope import KIT
from companion.journal.database import FILE, Journal
from companion.journal.die_pictures import Faces, FacesUnwritable
from companion.journal.errors import JournalUnwritable
from companion.journal.replay import Sitting
from tests.fault_injection.disk import Control
from tests.journal.play import act
from tests.journal.victim import SETUP

ERRORS = (errno.ENOSPC, errno.EIO, errno.EROFS)
COUNTS = (1, 3, 0)
"""So many calls fail one after the other; 0: all, until the disk is mended."""
PICTURE = b"\xff\xd8\xff" + bytes(2000)


def main(folder: Path, seed: int, entries: int) -> dict[str, int]:
    random, control, told = Random(seed), Control(), Counter[str]()
    ways = list(product(ERRORS, COUNTS))
    for turn in range(entries):
        error, count = ways[turn % len(ways)]
        # Enough calls are made in one opening, and in one entry with its clock, that all of them fail once.
        control.fail(random.randrange(40) if turn % 7 == 0 else random.randrange(14), count, error)
        if turn % 7 == 0:
            told["refused to open"] += not opens(folder)
            control.heal()
            with Journal(folder / FILE) as journal:
                assert journal.damage is None, journal.damage
                take_up(journal, random, told, control, 0)
        else:
            control.heal()
            with Journal(folder / FILE) as journal:
                assert journal.damage is None, journal.damage
                take_up(journal, random, told, control, 6, error, count)
        control.heal()
    return told


def opens(folder: Path) -> bool:
    try:
        Journal(folder / FILE).close()
    except JournalUnwritable:
        return False
    return True


def take_up(
    journal: Journal, random: Random, told: Counter[str], control: Control, plays: int, error: int = 0, count: int = 0
) -> None:
    """Play on; what could not be written has not happened, and what was said to have happened is there."""
    number = journal.resumable()
    if number is None or random.random() < 0.05:
        number = Sitting.begin(journal, SETUP, KIT).id
    sitting = Sitting(journal, number, KIT)
    assert sitting.trouble is None
    faces = Faces(journal.path, journal.record(number).uid)
    for _ in range(plays):
        game, seq = sitting.game, sitting.seq
        if error:
            control.fail(random.randrange(14), count, error)
        try:
            act(random, sitting)
            told["written"] += 1
        except JournalUnwritable:
            told["refused"] += 1
            assert (sitting.game, sitting.seq) == (game, seq)
        try:
            journal.mark_clocks(number, {"turn": random.random()})
        except JournalUnwritable:
            told["clock not marked"] += 1
        try:
            faces.keep("1-1", PICTURE)
            assert faces.picture("1-1") == PICTURE
        except FacesUnwritable:
            told["picture not kept"] += 1
        control.heal()
        assert Sitting(journal, number, KIT).game == sitting.game
        act(random, sitting)  # the disk is as it should be again, and so is the game
        told["written"] += 1
    with_all = Sitting(journal, number, KIT)
    assert (with_all.game, with_all.seq) == (sitting.game, sitting.seq)


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))))
