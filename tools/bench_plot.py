"""Compare confidences with accuracy: the share of right readings of single dice by bins of confidence."""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass
from itertools import pairwise
from math import dist, inf
from pathlib import Path

from bench_reading import HitCount
from svg_sheet import MUTED, SvgSheet

from companion.vision.confidence_limits import MIN_PLAY_CONFIDENCE

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


def draw_reliability(readings: list[JudgedReading], path: Path) -> None:
    """Draw the reliability diagram as SVG: the share of right readings by bin of confidence, with its 95 % interval.

    The bins stand side by side, because on an even axis those near 1 would overlap; a grey line spans the confidences
    of each.
    """
    bins = bin_by_confidence(readings)
    left, top, height, column = 80, 60, 420, 110
    sheet = SvgSheet(left + column * len(bins) + 30, top + height + 110, "Share of right readings by confidence")

    def place(share: float) -> float:
        return top + height * (1 - share)

    sheet.draw_text(left - 60, 26, "share of dice that are read right, with 95 % interval", 20, bold=True)
    for share in (0.0, 0.25, 0.5, 0.75, 0.9, 1.0):
        sheet.draw_line((left, place(share)), (left + column * len(bins), place(share)), colour="#dde0e4", width=1)
        sheet.draw_text(left - 10, place(share), f"{share:g}", 16, MUTED, at="right")
    for number, (low, high, count) in enumerate(bins):
        middle = left + column * (number + 0.5)
        for said in (low, high):
            sheet.draw_line((middle - 40, place(said)), (middle + 40, place(said)), colour="#9aa0a8", width=2)
        colour = "#1b7f4b" if low >= MIN_PLAY_CONFIDENCE else "#2b5fb4"
        bottom, most = count.interval()
        sheet.draw_line((middle, place(bottom)), (middle, place(most)), colour=colour, width=4)
        sheet.draw_dot(middle, place(count.share), 8, colour)
        sheet.draw_text(middle, top + height + 26, f"{low:g} to {high:g}", 16, at="middle")
        sheet.draw_text(middle, top + height + 50, f"{count.hits} of {count.total}", 15, MUTED, at="middle")
    words = "reported confidence; grey: its range; green: played without asking"
    sheet.draw_text(left, top + height + 86, words, 17)
    path.parent.mkdir(parents=True, exist_ok=True)
    sheet.save(path)
