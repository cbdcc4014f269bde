"""Compare confidences with accuracy: the share of right readings of single dice by bins of confidence."""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass
from itertools import pairwise
from math import dist, inf
from pathlib import Path

from bench_score import HitCount

from companion.vision.reading import MIN_PLAY_CONFIDENCE

BIN_EDGES = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 1.0001)


@dataclass(frozen=True)
class JudgedReading:
    """One reading of a die: its confidence, and whether such a die lies there."""

    confidence: float
    right: bool


def judge_readings(labels: Path, seen: str) -> list[JudgedReading]:
    """Judge every die read in labelled pictures: right if a die of that value lies within half an edge of its centre.

    Where the labels have values but no boxes (a third of those in ../shared), a die of that value anywhere is enough.

    Args:
        labels: path of labels.csv.
        seen: JSON lines that `companion see --json` printed.
    """
    with labels.open(encoding="utf-8", newline="") as file:
        truth = {Path(row["file"]).name: _boxes(row["boxes"], row["values"]) for row in csv.DictReader(file)}
    out: list[JudgedReading] = []
    for line in filter(str.strip, seen.splitlines()):
        row = json.loads(line)
        left = list(truth.get(Path(row["file"]).name, []))
        for die in sorted(row.get("dice") or [], key=lambda d: -float(d["confidence"])):
            x0, y0, x1, y1 = die["box"]
            middle, edge = ((x0 + x1) / 2, (y0 + y1) / 2), x1 - x0
            near = [b for b in left if b[2] == die["value"] and dist(middle, b[0]) < max(edge, b[1]) / 2]
            if near:
                left.remove(min(near, key=lambda b: dist(middle, b[0])))
            out.append(JudgedReading(float(die["confidence"]), bool(near)))
    return out


def _boxes(text: str, values: str) -> list[tuple[tuple[float, float], float, int]]:
    """Parse the labelled boxes into (centre, edge, value), pixels; without boxes the edge is infinite."""
    if not text:
        return [((0.0, 0.0), inf, int(value)) for value in values.split()]
    out = []
    for box in filter(None, text.split(";")):
        x0, y0, x1, y1, value = (float(v) for v in box.split(","))
        out.append((((x0 + x1) / 2, (y0 + y1) / 2), ((x1 - x0) + (y1 - y0)) / 2, int(value)))
    return out


def count_confident(readings: list[JudgedReading]) -> HitCount:
    """Count the right readings among those of `MIN_PLAY_CONFIDENCE` or more."""
    acted = [r.right for r in readings if r.confidence >= MIN_PLAY_CONFIDENCE]
    return HitCount(sum(acted), len(acted))


def bin_by_confidence(readings: list[JudgedReading]) -> list[tuple[float, float, HitCount]]:
    """Return (lower confidence, upper confidence, count of right readings) of each bin that is not empty."""
    out = []
    for low, high in pairwise(BIN_EDGES):
        within = [r.right for r in readings if low <= r.confidence < high]
        if within:
            out.append((low, min(1.0, high), HitCount(sum(within), len(within))))
    return out


def plot_reliability(sets: dict[str, list[JudgedReading]], path: Path) -> bool:
    """Save the reliability plot as PNG; False where matplotlib is not installed."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return False
    figure = Figure(figsize=(11, 5.2), layout="constrained")
    for number, (title, readings) in enumerate(sets.items()):
        axes = figure.add_subplot(1, len(sets), number + 1)
        # One column for each bin: on a linear axis the bins near 1 would overlap.
        axes.axhline(0.995, color="tab:green", linewidth=0.8, linestyle=":")
        held = bin_by_confidence(readings)
        for at, (low, high, count) in enumerate(held):
            bottom, top = count.interval()
            color = "tab:green" if low >= MIN_PLAY_CONFIDENCE else "tab:blue"
            axes.plot([at - 0.4, at + 0.4], [low, high], color="0.75", linewidth=1)
            axes.plot([at, at], [bottom, top], color=color, linewidth=1.4)
            axes.plot(at, count.share, "o", color=color)
            axes.annotate(f"{count.hits}/{count.total}", (at, bottom - 0.015), fontsize=8, ha="center", va="top")
        axes.set_xticks(range(len(held)), [f"{low:g} to {high:g}" for low, high, _ in held], rotation=35, ha="right")
        axes.set(
            ylim=(-0.07, 1.03),
            xlabel="confidence of a die's reading",
            ylabel="share right (95 % Wilson); grey: as said",
        )
        axes.set_title(f"{title}\nat {MIN_PLAY_CONFIDENCE} and above: {count_confident(readings)}", fontsize=9)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=130)
    return True
