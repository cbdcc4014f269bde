"""How long a frame takes, as ratios of processor time taken side by side in one thread."""

from __future__ import annotations

from pathlib import Path
from statistics import median
from time import thread_time

import cv2
from bench_nano import Nano
from bench_score import Row

from companion.vision.dice import DiceReader
from companion.vision.lid import LidReader
from companion.vision.load import load_image

ROUNDS = 3
WARM_UP = 2


def full_search(folders: list[Path]) -> tuple[float, float, float]:
    """Milliseconds (median) of: a full search of dice and a learnt lid; of dice and an unknown lid; the network."""
    cv2.setNumThreads(1)
    dice, nano = DiceReader(), Nano()
    known: list[float] = []
    unknown: list[float] = []
    network: list[float] = []
    for folder in folders:
        images = [load_image(path) for path in sorted(folder.glob("*.jpg"))]
        lid = LidReader()
        lid.calibrate(images[0])
        for turn in range(ROUNDS):
            for image in images[turn::ROUNDS]:
                network.append(nano.ms())
                start = thread_time()
                dice.read(image, lid=lid.read(image))
                known.append((thread_time() - start) * 1000)
            start = thread_time()
            dice.read(images[0], lid=LidReader().calibrate(images[0]))
            unknown.append((thread_time() - start) * 1000)
    return median(known[WARM_UP:]), median(unknown[1:]), median(network[WARM_UP:])


def time_rows(folders: list[Path]) -> list[Row]:
    """The table's rows of time; those of following and idling where bench_watch.py is there."""
    known, unknown, network = full_search(folders)
    rows = [
        Row(
            "full search, 1280x720 / network at 640",
            f"{known / network:.2f} ({known:.0f} ms / {network:.0f} ms)",
            "<= 0.5",
            known <= 0.5 * network,
        ),
        Row("the same, lid never seen before", f"{unknown / network:.2f} ({unknown:.0f} ms)", "", None),
    ]
    try:
        from bench_watch import watch_costs
    except ImportError:
        return [*rows, Row("following, idling", "no tools/bench_watch.py", "<= 0.1, <= 1.5", None)]
    costs: dict[str, float] = watch_costs()
    following, idle = costs["following_ms"], costs["idle_ratio"]
    return [
        *rows,
        Row(
            "following a known table / network",
            f"{following / network:.3f} ({following:.1f} ms)",
            "<= 0.1",
            following <= 0.1 * network,
        ),
        Row("following / full search in the same run", f"{following / costs['full_ms']:.3f}", "", None),
        Row("nothing moving / gray + resize to 640x360", f"{idle:.2f}", "<= 1.5", idle <= 1.5),
    ]
