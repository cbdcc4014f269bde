"""Measure the cost of the table watcher per frame, in one thread: nothing moves, a throw is followed, it is read.

Run by `python -m tools.bench_watch [CLIP]` (a rendered throw of ../shared/clips); tools/bench.py calls `watch_costs`.
"""

import json
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import cv2

from companion.commands.watch import read_frames
from companion.vision.dice.reader import DiceReader
from companion.vision.lid.reader import LidReader
from companion.vision.reading import BoundingBox, Die, Image
from companion.vision.table.no_lid_reader import NoLidReader
from companion.vision.table.watcher import DiceAndLidWatcher

CLIP = Path(__file__).resolve().parent.parent.parent / "shared" / "clips" / "s011.mp4"
FPS = 15.0
IDLE_ROUNDS = 25
FOLLOWING_ROUNDS = 9
FULL_ROUNDS = 5


class NoDiceReader(DiceReader):
    """A dice reader that reads no dice, at no cost, and counts its calls."""

    def __init__(self) -> None:
        """Load no network."""
        self.call_count = 0

    def read(self, image: Image, region: BoundingBox | None = None, lid: object = None) -> tuple[Die, ...]:
        self.call_count += 1
        return ()


def measure_ms(work: Callable[..., object], *arguments: object) -> float:
    """Call `work` and return the CPU milliseconds of this thread."""
    start = time.thread_time()
    work(*arguments)
    return (time.thread_time() - start) * 1000


def make_gray_thumbnail(image: Image) -> Image:
    """Return the frame in grey, 640x360: the unit of the cost of a frame in which nothing moves."""
    return cv2.resize(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), (640, 360)).astype("uint8", copy=False)


def measure_idle_ratio(still: Sequence[Image]) -> float:
    """Return the cost of a frame in which nothing moves, divided by that of `make_gray_thumbnail` (medians)."""
    watcher, at, ours, plain = DiceAndLidWatcher(NoDiceReader(), NoLidReader()), 0.0, [], []
    for turn in range(IDLE_ROUNDS + 6):
        for image in still:
            at += 1 / FPS
            ms = measure_ms(watcher.process_frame, image, at)
            least = measure_ms(make_gray_thumbnail, image)
            if turn >= 6:  # the watcher has settled
                ours.append(ms)
                plain.append(least)
    return statistics.median(ours) / statistics.median(plain)


def measure_following_ms(before: Sequence[Image], throw: Sequence[Image]) -> float:
    """Return milliseconds per frame while dice roll: the median over rounds of the mean over a throw."""
    means = []
    for _ in range(FOLLOWING_ROUNDS):
        dice = NoDiceReader()
        watcher, at = DiceAndLidWatcher(dice, NoLidReader()), 0.0
        for image in [*before, *before, *before]:
            at += 1 / FPS
            watcher.process_frame(image, at)
        asked, spent = dice.call_count, []
        for image in throw:
            at += 1 / FPS
            spent.append(measure_ms(watcher.process_frame, image, at))
        assert dice.call_count == asked, "a frame in motion was read"
        means.append(statistics.mean(spent))
    return statistics.median(means)


def measure_reading_ms(clip: Sequence[Image], rest: int) -> float:
    """Return the milliseconds of all readings at the end of a throw, readers and watcher together."""
    watcher = DiceAndLidWatcher(DiceReader(), LidReader())
    spent = [measure_ms(watcher.process_frame, image, i / FPS) for i, image in enumerate(clip[: rest + 7])]
    return sum(spent[rest:])


def measure_full_ms(image: Image) -> float:
    """Return the median milliseconds of a search for dice and a lid of known layout in the whole frame."""
    dice, learnt = DiceReader(), LidReader()
    learnt.calibrate(image)
    layout, spent = learnt.export_layout(), []
    for _ in range(FULL_ROUNDS):
        lid = LidReader()
        if layout is not None:
            lid.restore_layout(layout)
        spent.append(measure_ms(dice.read, image) + measure_ms(lid.read, image))
    return statistics.median(spent)


def measure_watch_costs(clip: Path = CLIP) -> dict[str, float]:
    """Return idle_ratio, following_ms, reading_ms and full_ms, for one thread and 1280x720.

    Raises:
        OSError: the clip does not exist.
    """
    truth = json.loads(clip.with_suffix(".json").read_text(encoding="utf-8"))
    shots = [image for _, _, image in read_frames(str(clip))]
    start = next(i for i, frame in enumerate(truth["frames"]) if frame["moving"])
    rest = truth["rest_frame"]
    hand = next((i for i, frame in enumerate(truth["frames"]) if frame["hand"]), len(shots))
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        return {
            "idle_ratio": measure_idle_ratio(shots[rest + 3 : hand]),
            "following_ms": measure_following_ms(shots[:start], shots[start:rest]),
            "reading_ms": measure_reading_ms(shots, rest),
            "full_ms": measure_full_ms(shots[rest + 3]),
        }
    finally:
        cv2.setNumThreads(threads)


def main() -> int:
    """Prints what `watch_costs` finds."""
    clip = Path(sys.argv[1]) if len(sys.argv) > 1 else CLIP
    if not clip.exists():
        print(f"Skipped: no {clip}.")
        return 0
    costs = measure_watch_costs(clip)
    print(f"Nothing moves: {costs['idle_ratio']:.2f} times grey and 640x360.")
    print(f"A throw is followed: {costs['following_ms']:.2f} ms a frame, and {costs['reading_ms']:.0f} ms at its end.")
    print(f"A full search for dice and lid: {costs['full_ms']:.0f} ms.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
