"""Make the held-back test sets.

    python -m testset_renderer.make OUT [--sittings 100] [--dice 1000] [--throws 40] [--seed 0]

OUT gets sittings/sNNN/{fNN.jpg,truth.json}, dice/{dNNNN.jpg,labels.csv} and throws/{tNNN.mp4,tNNN.json}. Existing files
stay, so that a set can grow; the same seed and number always give the same picture.
"""

from __future__ import annotations

import argparse
import csv
import json
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import cv2

LABEL_COLUMNS = ("file", "source", "licence", "view", "width", "height", "values", "boxes")


def make_picture(folder: Path, number: int, seed: int) -> None:
    """Render one picture and write its line of labels.csv into a file of its own."""
    from testset_renderer.pictures import render_picture

    cv2.setNumThreads(1)
    row = folder / "rows" / f"d{number:04}.json"
    if row.exists():
        return
    made = render_picture(seed * 100_000 + number)
    name = f"d{number:04}.jpg"
    cv2.imwrite(str(folder / name), made.image, [cv2.IMWRITE_JPEG_QUALITY, made.quality])
    height, width = made.image.shape[:2]
    values = " ".join(str(b[4]) for b in sorted(made.boxes, key=lambda b: b[4]))
    boxes = ";".join(",".join(f"{v:.1f}" for v in b[:4]) + f",{b[4]}" for b in made.boxes)
    line = [name, "own/sets", "MIT", made.view, width, height, values, boxes]
    row.write_text(json.dumps(line), encoding="utf-8")


def make_sitting(folder: Path, number: int, seed: int) -> None:
    """Render one image sequence, unless it exists."""
    from testset_renderer.sittings import write_image_sequence

    cv2.setNumThreads(1)
    if not (folder / f"s{number:03}" / "truth.json").exists():
        write_image_sequence(folder / f"s{number:03}", seed * 100_000 + number)


def make_throw(folder: Path, number: int, seed: int) -> None:
    """Render one throw, unless it exists."""
    from testset_renderer.throws import write_throw

    cv2.setNumThreads(1)
    if not (folder / f"t{number:03}.json").exists():
        write_throw(folder / f"t{number:03}", seed * 100_000 + number)


def write_labels(folder: Path) -> None:
    """Write labels.csv of the existing pictures, in the format of the shared ones."""
    rows = [json.loads(row.read_text(encoding="utf-8")) for row in sorted((folder / "rows").glob("d*.json"))]
    with (folder / "labels.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(LABEL_COLUMNS)
        writer.writerows(rows)


def make_sets(out: Path, sittings: int, dice: int, throws: int, seed: int = 0, jobs: int = 1) -> None:
    """Make the sets, `jobs` at a time."""
    (out / "dice" / "rows").mkdir(parents=True, exist_ok=True)
    todo: list[tuple[Callable[[Path, int, int], None], Path, int]] = []
    todo += [(make_picture, out / "dice", i) for i in range(dice)]
    todo += [(make_sitting, out / "sittings", i) for i in range(sittings)]
    todo += [(make_throw, out / "throws", i) for i in range(throws)]
    if jobs == 1:
        for one, folder, number in todo:
            folder.mkdir(parents=True, exist_ok=True)
            one(folder, number, seed)
    else:
        for _, folder, _ in todo:
            folder.mkdir(parents=True, exist_ok=True)
        with ProcessPoolExecutor(jobs) as pool:
            for done in [pool.submit(one, folder, number, seed) for one, folder, number in todo]:
                done.result()
    write_labels(out / "dice")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m testset_renderer.make", description="Make the held-back sets.")
    parser.add_argument("out", type=Path)
    for what, count in (("sittings", 100), ("dice", 1000), ("throws", 40), ("seed", 0), ("jobs", 1)):
        parser.add_argument(f"--{what}", type=int, default=count)
    args = parser.parse_args()
    make_sets(args.out, args.sittings, args.dice, args.throws, args.seed, args.jobs)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
