"""Measure the time of a frame as ratios of CPU times, measured alternately in one thread."""

from __future__ import annotations

from pathlib import Path
from statistics import median

import cv2
from bench_nano import NanoNetwork
from bench_reading import BenchRow
from bench_watch import measure_ms, measure_watch_costs

from companion.vision.dice.detector import MAX_PICTURE_CANDIDATES
from companion.vision.dice.reader import DiceReader
from companion.vision.frames.image_io import load_image
from companion.vision.lid.reader import LidReader
from companion.vision.reading import Image

ROUNDS = 3
WARM_UP_READINGS = 2


def measure_full_search(folders: list[Path]) -> tuple[float, float, float]:
    """Return median milliseconds of a full search with a known lid, of one with an unknown lid, and of the network."""
    cv2.setNumThreads(1)
    dice, nano = DiceReader(), NanoNetwork()
    known: list[float] = []
    unknown: list[float] = []
    network: list[float] = []

    def with_known(image: Image, lid: LidReader) -> None:
        dice.read(image, lid=lid.read(image))

    def with_unknown(image: Image) -> None:
        dice.read(image, lid=LidReader().calibrate(image))

    for folder in folders:
        images = [load_image(path) for path in sorted(folder.glob("*.jpg"))]
        lid = LidReader()
        lid.calibrate(images[0])
        for turn in range(ROUNDS):
            for image in images[turn::ROUNDS]:
                network.append(nano.measure_ms())
                known.append(measure_ms(with_known, image, lid))
            unknown.append(measure_ms(with_unknown, images[0]))
    return median(known[WARM_UP_READINGS:]), median(unknown[1:]), median(network[WARM_UP_READINGS:])


def measure_photographs(photographs: list[Path]) -> tuple[list[float], float]:
    """Return each time of reading a photograph's dice over the network's beside it, ascending, and the median in ms."""
    cv2.setNumThreads(1)
    dice, nano = DiceReader(MAX_PICTURE_CANDIDATES), NanoNetwork()
    for photograph in photographs[:WARM_UP_READINGS]:
        dice.read(load_image(photograph))
        nano.measure_ms()
    times = [(measure_ms(dice.read, load_image(path)), nano.measure_ms()) for path in photographs]
    return sorted(ours / network for ours, network in times), median(ours for ours, _ in times)


def list_time_rows(folders: list[Path], photographs: list[Path]) -> list[BenchRow]:
    """Return the rows for the times."""
    ratios, milliseconds = measure_photographs(photographs)
    middle, late = median(ratios), ratios[len(ratios) * 9 // 10]
    known, unknown, network = measure_full_search(folders)
    rows = [
        BenchRow(
            "full search, 1280x720 / network at 640",
            f"{known / network:.2f} ({known:.0f} ms / {network:.0f} ms)",
            "<= 0.5",
            known <= 0.5 * network,
            name="full_search",
            figure=round(known / network, 2),
        ),
        BenchRow(
            "the same, lid never seen before",
            f"{unknown / network:.2f} ({unknown:.0f} ms)",
            "",
            None,
            name="unknown_lid",
            figure=round(unknown / network, 2),
        ),
    ]
    costs = measure_watch_costs()
    following, idle = costs["following_ms"], costs["idle_ratio"]
    return [
        BenchRow(
            f"{len(ratios)} photographs / network: median",
            f"{middle:.2f}",
            "<= 0.4",
            middle <= 0.4,
            name="photograph",
            figure=round(middle, 2),
        ),
        BenchRow("photograph, ms, median", f"{milliseconds:.0f}", "", None, "-", "photograph_ms", round(milliseconds)),
        BenchRow(
            "nine of ten are faster than",
            f"{late:.2f} (the slowest {ratios[-1]:.1f})",
            "<= 0.9",
            late <= 0.9,
            name="nine_of_ten",
            figure=round(late, 2),
        ),
        *rows,
        BenchRow(
            "following a known table / network",
            f"{following / network:.3f} ({following:.1f} ms)",
            "<= 0.1",
            following <= 0.1 * network,
            name="following",
            figure=round(following / network, 3),
        ),
        BenchRow("following / full search in the same run", f"{following / costs['full_ms']:.3f}", "", None),
        BenchRow(
            "nothing moving / gray + resize to 640x360",
            f"{idle:.2f}",
            "<= 1.5",
            idle <= 1.5,
            name="idle",
            figure=round(idle, 2),
        ),
    ]
