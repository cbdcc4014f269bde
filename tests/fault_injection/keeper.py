"""Store small files beside the journal on a watched disk, and acknowledge each.

Number n, from 1 up: a house rule, a camera's layout, a picture of a die. Usage: keeper.py FOLDER TIMES
"""

from __future__ import annotations

import sys
from pathlib import Path

from companion.camera.layout_cache import LayoutCache
from companion.games.secret_number import GAME
from companion.journal.die_pictures import DiePictures
from companion.lobby import HouseRules
from tests.fault_injection.disk import Control

RULE, UID = "round_seconds", "0" * 32
RULES, LAYOUT, FACES = 1, 2, 3
"""Kinds of acknowledgements."""


def seconds(number: int) -> int:
    """Return the rule's value number `number`."""
    return 20 + number


def learnt(number: int) -> dict[str, object]:
    """Return a layout whose length changes, as that of real ones does."""
    return {"number": number, "layout": [number] * (200 + 37 * (number % 9))}


def picture(number: int) -> bytes:
    return b"\xff\xd8\xff" + bytes([number % 251]) * 3000


def main(folder: Path, times: int) -> None:
    control, house, memory, faces = (
        Control(),
        HouseRules({}, folder),
        LayoutCache(folder / "table.json"),
        DiePictures(folder / "journal", UID),
    )
    for number in range(1, times + 1):
        assert house.change(GAME, RULE, seconds(number)) is None
        control.ack(RULES, str(number))
        memory.save(learnt(number))
        control.ack(LAYOUT, str(number))
        faces.save(f"{number}-1", picture(number))
        control.ack(FACES, str(number))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
