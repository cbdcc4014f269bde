"""Store small files beside the journal on a watched disk, and acknowledge each.

Number n, from 1 up: a house rule, a camera's layout, a picture of a die, a game's result, the note on a boot; then the
layout is damaged. The disk takes every other number in halves. Usage: keeper.py FOLDER TIMES
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from companion.camera.learnt_layouts import LayoutCache
from companion.games.secret_number import GAME
from companion.journal.boot_notes import BootNote, BootNotes
from companion.journal.database import JOURNAL_FILE
from companion.journal.die_pictures import DiePictures
from companion.lobby import HouseRules
from companion.lobby.results_cache import RESULTS_FILE
from companion.lobby.results_file import ResultsFile, StoredResult
from tests.fault_injection.disk import SHORT, Control

RULE, UID = "round_seconds", "0" * 32
RULES, LAYOUT, FACES, RESULTS, BOOTS, DAMAGED = range(1, 7)
"""Kinds of acknowledgements."""
DAMAGED_LAYOUT = b"no layout"


def seconds(number: int) -> int:
    """Return the rule's value number `number`."""
    return 20 + number


def learnt(number: int) -> dict[str, object]:
    """Return a layout whose length changes, as that of real ones does."""
    return {"number": number, "layout": [number] * (200 + 37 * (number % 9))}


def picture(number: int) -> bytes:
    return b"\xff\xd8\xff" + bytes([number % 251]) * 3000


def result(number: int) -> StoredResult:
    return StoredResult(
        seq=number,
        stamp=None,
        language="en",
        duration_s=60.0,
        game=GAME.name,
        players=["Ada", "Ben"],
        moves=number,
        scores=[number, 1],
        rounds=[[number, 1]] * 20,
        over=True,
        winners=[0],
        places=[1, 2],
        lowest_wins=False,
        reason=None,
        dice=[],
        put_away=False,
    )


def boot(number: int) -> BootNote:
    return BootNote(1_764_000_000.0 + number, is_date_known=True)


def main(folder: Path, times: int) -> None:
    control, house, faces = Control(), HouseRules({}, folder), DiePictures(folder / "journal", UID)
    results, boots = ResultsFile(folder / RESULTS_FILE), BootNotes(folder / JOURNAL_FILE)
    for number in range(1, times + 1):
        if number % 2:
            control.fail(0, 0, SHORT)
        else:
            control.heal()
        assert house.change(GAME, RULE, seconds(number)) is None
        control.ack(RULES, str(number))
        LayoutCache(folder / "table.json").save(learnt(number))
        control.ack(LAYOUT, str(number))
        faces.save(f"{number}-1", picture(number))
        control.ack(FACES, str(number))
        results.add({str(number): result(number)})
        control.ack(RESULTS, str(number))
        boots.write(f"b{number}", boot(number))
        control.ack(BOOTS, str(number))
    control.heal()
    with (folder / "table.json").open("wb", buffering=0) as file:
        file.write(DAMAGED_LAYOUT)
        os.fsync(file.fileno())
    control.ack(DAMAGED, "1")
    LayoutCache(folder / "table.json").save(learnt(times + 1))
    control.ack(LAYOUT, str(times + 1))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
