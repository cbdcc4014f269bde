"""Throw two dice on a rendered table and read them; `arm64_smoke.sh` runs this on aarch64.

Exit status 1: the watcher did not read the values that were thrown.
"""

from __future__ import annotations

import random
import sys

from companion.events import DiceRead
from companion.games.macroscope.simulator.kit import KIT
from companion.simulation.camera import FRAMES_PER_SECOND, SimulatedCamera
from companion.vision.table.watcher import make_dice_and_lid_watcher

THROW_AT_FRAME, FRAMES = 10, 60


def throw_and_read() -> tuple[tuple[int, ...], list[tuple[int, ...]]]:
    """Return the values that were thrown, and those of each reading."""
    rng, now = random.Random(7), 0.0
    table, renderer = KIT.create_table(rng)
    camera = SimulatedCamera(table, renderer, lambda: now)
    watcher = make_dice_and_lid_watcher()
    thrown: tuple[int, ...] = ()
    readings = []
    for number in range(FRAMES):
        now += 1 / FRAMES_PER_SECOND
        if number == THROW_AT_FRAME:
            thrown = tuple(sorted(table.throw_dice(None, rng, now)))
        frame = camera.read()
        if frame is not None:
            events = watcher.process_frame(frame.image, frame.at)
            readings += [event.values for event in events if isinstance(event, DiceRead)]
    return thrown, readings


def main() -> int:
    """Print what was thrown and read; return the exit status."""
    thrown, readings = throw_and_read()
    print("thrown:", *thrown, "read:", *readings)
    return 0 if readings == [thrown] else 1


if __name__ == "__main__":
    sys.exit(main())
