"""Accuracy and speed of the vision as a table: on the pictures in ../shared and, apart, on held-back sets.

The held-back sets are made from seeds by tools/testset_renderer. Beside the usual method (shared's blob_baseline.py) and, for the
time, a network of the size of YOLOv5n. Every count with its 95 % Wilson interval; a reliability plot in build/.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from bench_plot import Judged, judged, plot, sure  # noqa: E402
from bench_score import BLOBS, SEE, SHARED, Row, photo_rows, printed, score, sitting_rows, table, throw_rows  # noqa: E402
from bench_time import time_rows  # noqa: E402
from platformdirs import user_cache_path  # noqa: E402

PLOT = HERE.parent / "build" / "reliability.png"


def own_sets(where: Path | None, sittings: int, dice: int, throws: int) -> Path:
    """The folder of the held-back sets, made now if they are not there; by default another one for each version of
    the generator."""
    sources = b"".join(p.read_bytes() for p in sorted((HERE / "testset_renderer").glob("*.py")))
    out = where or user_cache_path("board-game-companion") / "sets" / hashlib.sha256(sources).hexdigest()[:12]
    print(f"Held-back sets: {out} (made where missing: about 3 s a picture, 20 s a sitting and a throw)\n", flush=True)
    wanted = ["--sittings", str(sittings), "--dice", str(dice), "--throws", str(throws)]
    command = [sys.executable, "-m", "testset_renderer.make", str(out), *wanted]
    subprocess.run(command, env={**os.environ, "PYTHONPATH": str(HERE)}, check=True)
    return out


def labels_of(files: list[Path], whole: Path) -> Path:
    """A labels.csv of these pictures alone: score_see.py takes any other line for a picture not read."""
    names = {file.name for file in files}
    with whole.open(encoding="utf-8", newline="") as file:
        head, *rows = csv.reader(file)
    part = PLOT.with_name("labels.csv")
    part.parent.mkdir(parents=True, exist_ok=True)
    with part.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([head, *(row for row in rows if row[0] in names)])
    return part


def pictures(title: str, folder: Path, count: int | None = None) -> list[Judged]:
    """Print the rows of a folder of labelled pictures; its dice as judged."""
    files = sorted(folder.glob("*.jpg"))[:count]
    labels = labels_of(files, folder / "labels.csv")
    ours = printed(*SEE, *files)
    rows = photo_rows(score("photos", [(labels, ours)]), score("photos", [(labels, printed(*BLOBS, *files))]))
    readings = judged(labels, ours)
    held = sure(readings)
    bar = Row("dice read at 0.9 and above: right", str(held), ">= 99.5 %", held.share >= 0.995)
    table(f"{len(files)} pictures, {title}", [*rows, bar])
    return readings


def sittings(title: str, folders: list[Path]) -> None:
    """Print the rows of sittings."""
    ours = score("sitting", [(f / "truth.json", printed(*SEE, "--sitting", f)) for f in folders])
    blobs = score("sitting", [(f / "truth.json", printed(*BLOBS, *sorted(f.glob("*.jpg")))) for f in folders])
    table(f"{len(folders)} sittings, {title}", sitting_rows(ours, blobs))


def throws(title: str, clips: list[tuple[Path, Path]]) -> None:
    """Print the rows of throws."""
    table(f"{len(clips)} clips, {title}", throw_rows(clips))


def main() -> int:
    parser = argparse.ArgumentParser(description="The table of the vision.")
    for what, count in (("sittings", 10), ("dice", 100), ("throws", 6)):
        parser.add_argument(f"--{what}", type=int, default=count, help=f"own {what} (default {count}; 0: none)")
    parser.add_argument("--sets", type=Path, help="the folder of the own sets (default: in the user's cache)")
    args = parser.parse_args()
    if not SHARED.is_dir():
        print(f"Skipped: no pictures and no score_see.py in {SHARED}.\n")
        return 0
    folders = sorted((SHARED / "sittings").glob("s*"))
    reliability = {"photographs in shared": pictures("photographs in shared", SHARED / "photos" / "dice")}
    sittings("shared", folders)
    videos = SHARED / "photos" / "dice" / "videos"
    clips = [(c, c.with_suffix(".json")) for c in sorted((SHARED / "clips").glob("*.mp4"))]
    throws(
        "shared: rendered, and one video of six real rolls",
        [*clips, *((v, videos / "labels.csv") for v in videos.glob("*.mp4"))],
    )
    out = own_sets(args.sets, args.sittings, args.dice, args.throws)
    if args.dice:
        reliability["own pictures"] = pictures("own", out / "dice", args.dice)
    if args.sittings:
        sittings("own", sorted((out / "sittings").glob("s*"))[: args.sittings])
    if args.throws:
        throws("own", [(c, c.with_suffix(".json")) for c in sorted((out / "throws").glob("*.mp4"))[: args.throws]])
    if plot(reliability, PLOT):
        print(f"Reliability plot: {PLOT}\n", flush=True)
    table("time, one thread, ratios side by side", time_rows(folders))
    return 0


if __name__ == "__main__":
    sys.exit(main())
