"""Print the accuracy and speed of the vision as tables, for the pictures in ../shared and for held-out test sets.

The held-out sets are rendered from seeds by tools/training. Beside each figure stands that of a simple blob
detector (../shared/score/blob_baseline.py); times are compared with a network of the size of YOLOv5n. Each count has
its 95 % Wilson interval. A reliability plot goes to build/.
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
TRAINING = HERE / "training"
sys.path[:0] = [str(HERE), str(TRAINING), str(HERE.parent)]

from bench_plot import JudgedReading, count_confident, judge_readings, plot_reliability  # noqa: E402
from bench_score import (  # noqa: E402
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
from bench_time import list_time_rows  # noqa: E402
from platformdirs import user_cache_path  # noqa: E402
from train_dice.evaluate import list_rows as list_style_rows  # noqa: E402

PLOT = HERE.parent / "build" / "reliability.png"


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
    part = PLOT.with_name("labels.csv")
    part.parent.mkdir(parents=True, exist_ok=True)
    with part.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([head, *(row for row in rows if row[0] in names)])
    return part


def report_pictures(title: str, folder: Path, count: int | None = None) -> list[JudgedReading]:
    """Print the table of a folder of labelled pictures and return its readings, each with whether it is right."""
    files = sorted(folder.glob("*.jpg"))[:count]
    labels = write_labels(files, folder / "labels.csv")
    ours = run_python(*SEE_COMMAND, *files)
    rows = list_photo_rows(
        run_scorer("photos", [(labels, ours)]), run_scorer("photos", [(labels, run_python(*BASELINE_COMMAND, *files))])
    )
    readings = judge_readings(labels, ours)
    held = count_confident(readings)
    bar = BenchRow("dice read at 0.9 and above: right", str(held), ">= 99.5 %", held.share >= 0.995)
    print_table(f"{len(files)} pictures, {title}", [*rows, bar])
    return readings


def report_sittings(title: str, folders: list[Path]) -> None:
    """Print the table of image sequences."""
    ours = run_scorer("sitting", [(f / "truth.json", run_python(*SEE_COMMAND, "--sitting", f)) for f in folders])
    blobs = run_scorer(
        "sitting", [(f / "truth.json", run_python(*BASELINE_COMMAND, *sorted(f.glob("*.jpg")))) for f in folders]
    )
    print_table(f"{len(folders)} sittings, {title}", list_sitting_rows(ours, blobs))


def report_throws(title: str, clips: list[tuple[Path, Path]]) -> None:
    """Print the table of throws: pairs of clip and truth."""
    print_table(f"{len(clips)} clips, {title}", list_throw_rows(clips))


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
    reliability = {"photographs in shared": report_pictures("photographs in shared", SHARED / "photos" / "dice")}
    report_pictures("photographs in shared that nobody tuned on", SHARED / "photos" / "dice2")
    report_sittings("shared", folders)
    videos = SHARED / "photos" / "dice" / "videos"
    clips = [(c, c.with_suffix(".json")) for c in sorted((SHARED / "clips").glob("*.mp4"))]
    report_throws(
        "shared: rendered, and one video of six real rolls",
        [*clips, *((v, videos / "labels.csv") for v in videos.glob("*.mp4"))],
    )
    out = make_held_back_sets(args.sets, args.sittings, args.dice, args.throws)
    if args.dice:
        reliability["own pictures"] = report_pictures("own", out / "dice", args.dice)
    if args.sittings:
        report_sittings("own", sorted((out / "sittings").glob("s*"))[: args.sittings])
    if args.throws:
        report_throws(
            "own", [(c, c.with_suffix(".json")) for c in sorted((out / "throws").glob("*.mp4"))[: args.throws]]
        )
    if args.styles:
        print_table(f"{args.styles} scenes of each style that was held back", list_style_rows(args.styles, jobs=2))
    photographs = sorted(path for name in ("dice", "dice2") for path in (SHARED / "photos" / name).glob("*.jpg"))
    if plot_reliability(reliability, PLOT):
        print(f"Reliability plot: {PLOT}\n", flush=True)
    print_table("time, one thread, ratios side by side", list_time_rows(folders, photographs))
    return 0


if __name__ == "__main__":
    sys.exit(main())
