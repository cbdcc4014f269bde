"""Print the accuracy and speed of the vision as tables, for the pictures in ../shared and for held-out test sets.

The held-out sets are rendered from seeds by tools/training. Beside each figure stands that of a simple blob
detector (../shared/score/blob_baseline.py); times are compared with a network of the size of YOLOv5n. Each count has
its 95 % Wilson interval. The reliability diagram goes to docs/images/reliability.svg.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import os
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parent / "training"))
sys.path.insert(0, str(Path(__file__).resolve().parent))

import bench_photographs
from bench_plot import count_confident, draw_reliability, judge_readings
from bench_reading import (
    BASELINE_COMMAND,
    SEE_COMMAND,
    SHARED,
    BenchRow,
    list_photo_rows,
    list_sitting_rows,
    list_throw_rows,
    print_table,
    run_python,
    run_scorer,
)
from bench_time import list_time_rows
from platformdirs import user_cache_path
from results import record
from train_dice.evaluate import list_rows as list_style_rows
from train_dice.photographs import JUDGED, list_photographs

HERE = Path(__file__).resolve().parent
TRAINING = HERE / "training"
DIAGRAM = HERE.parent / "docs" / "images" / "reliability.svg"


def make_held_back_sets(where: Path | None, sittings: int, dice: int, throws: int) -> Path:
    """Return the folder of the held-out sets and render what is missing in it.

    Without `where` it is a folder in the user's cache, one for each version of the renderer's source.
    """
    files = (p for folder in ("ray_tracer", "testset_renderer") for p in sorted((TRAINING / folder).glob("*.py")))
    sources = b"".join(p.read_bytes() for p in files)
    out = where or user_cache_path("board-game-companion") / "sets" / hashlib.sha256(sources).hexdigest()[:12]
    print(
        f"Held-out sets: {out} (missing parts are rendered: about 3 s a picture, 20 s an image sequence or a throw)\n",
        flush=True,
    )
    wanted = ["--sittings", str(sittings), "--dice", str(dice), "--throws", str(throws)]
    command = [sys.executable, "-m", "testset_renderer.make", str(out), *wanted]
    subprocess.run(command, env={**os.environ, "PYTHONPATH": str(TRAINING)}, check=True)
    return out


def write_labels(files: list[Path], whole: Path) -> Path:
    """Write a labels.csv with these pictures only and return its path.

    score_see.py counts each further line as a picture that was not read.
    """
    names = {file.name for file in files}
    with whole.open(encoding="utf-8", newline="") as file:
        head, *rows = csv.reader(file)
    part = HERE.parent / "build" / "labels.csv"
    part.parent.mkdir(parents=True, exist_ok=True)
    with part.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([head, *(row for row in rows if row[0] in names)])
    return part


def report(title: str, rows: list[BenchRow], prefix: str, data: str) -> None:
    """Print rows under a title and record those that have a name, with `prefix` before it."""
    print_table(title, rows)
    record({f"{prefix}_{row.name}": row.figure for row in rows if row.name}, "make bench", data)


def report_photographs(folder: Path, draw: bool) -> None:
    """Print and record the table of the photographs whose sources trained no network."""
    photographs, reader = list_photographs(folder), bench_photographs.PhotographReader()
    judged = [one for one in photographs if not one.may_train]
    results = bench_photographs.measure(judged, reader)
    rows = [*bench_photographs.list_rows(results), bench_photographs.measure_other_dice(photographs, reader)]
    report(f"{len(judged)} photographs of sources that trained no network", rows, "photographs", "development")
    if draw:
        draw_reliability(results.dice, DIAGRAM)


def report_pictures(folder: Path, count: int) -> None:
    """Print and record the table of a folder of labelled pictures of our own."""
    files = sorted(folder.glob("*.jpg"))[:count]
    labels = write_labels(files, folder / "labels.csv")
    ours = run_python(*SEE_COMMAND, *files)
    blobs = run_scorer("photos", [(labels, run_python(*BASELINE_COMMAND, *files))])
    rows = list_photo_rows(run_scorer("photos", [(labels, ours)]), blobs)
    held = count_confident(judge_readings(labels, ours))
    bar = BenchRow("dice read at 0.9 and above: right", str(held), ">= 99.5 %", held.share >= 0.995, "-", "dice", held)
    report(f"{len(files)} pictures, own", [*rows, bar], "own", "development")


def report_sittings(title: str, folders: list[Path], name: str) -> None:
    """Print the table of image sequences."""
    ours = run_scorer("sitting", [(f / "truth.json", run_python(*SEE_COMMAND, "--sitting", f)) for f in folders])
    blobs = run_scorer(
        "sitting", [(f / "truth.json", run_python(*BASELINE_COMMAND, *sorted(f.glob("*.jpg")))) for f in folders]
    )
    report(f"{len(folders)} sittings, {title}", list_sitting_rows(ours, blobs), name, "development")


def report_throws(title: str, clips: list[tuple[Path, Path]], name: str) -> None:
    """Print the table of throws: pairs of clip and truth."""
    report(f"{len(clips)} clips, {title}", list_throw_rows(clips), name, "development")


def main() -> int:
    """Run the benchmark; return 0."""
    parser = argparse.ArgumentParser(description="Print the accuracy and speed of the vision as tables.")
    for what, count in (("sittings", 10), ("dice", 100), ("throws", 6), ("styles", 20)):
        parser.add_argument(
            f"--{what}", type=int, default=count, help=f"number of held-out {what} (default {count}; 0: none)"
        )
    parser.add_argument("--sets", type=Path, help="folder of the held-out sets (default: in the user's cache)")
    args = parser.parse_args()
    if not SHARED.is_dir():
        print(f"Skipped: no pictures and no score_see.py in {SHARED}.\n")
        return 0
    folders = sorted((SHARED / "sittings").glob("s*"))
    photos = SHARED / "photos"
    report_photographs(photos, draw="COMPANION_RESULTS" in os.environ)
    report_sittings("shared", folders, "shared")
    videos = photos / "dice" / "videos"
    clips = [(c, c.with_suffix(".json")) for c in sorted((SHARED / "clips").glob("*.mp4"))]
    report_throws(
        "shared: rendered, and one video of six real rolls",
        [*clips, *((v, videos / "labels.csv") for v in videos.glob("*.mp4"))],
        "shared",
    )
    out = make_held_back_sets(args.sets, args.sittings, args.dice, args.throws)
    if args.dice:
        report_pictures(out / "dice", args.dice)
    if args.sittings:
        report_sittings("own", sorted((out / "sittings").glob("s*"))[: args.sittings], "own")
    if args.throws:
        report_throws(
            "own", [(c, c.with_suffix(".json")) for c in sorted((out / "throws").glob("*.mp4"))[: args.throws]], "own"
        )
    if args.styles:
        rows = list_style_rows(args.styles, jobs=2)
        report(f"{args.styles} scenes of each style that was held back", rows, "styles", "held out")
    photographs = sorted(path for name in JUDGED for path in (photos / name).glob("*.jpg"))
    report("time, one thread, ratios side by side", list_time_rows(folders, photographs), "time", "")
    return 0


if __name__ == "__main__":
    sys.exit(main())
