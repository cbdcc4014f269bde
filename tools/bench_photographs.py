"""Measure the dice reader on photographs whose sources trained no network: the bars of `make bench`.

    PYTHONPATH=.:tools:tools/training python tools/bench_photographs.py [--photographs ../shared/photos] [--every N]
        [--reader FILE] [--left-out FILE]

Each photograph is read with a decision that was fitted to the other sources (train_dice/dice_decision_left_out.json).
Still these are development figures: the networks, the features and the limits were chosen with them in view. `--every`
takes every Nth photograph.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parent / "training"))
sys.path.insert(0, str(Path(__file__).resolve().parent))

import cv2
import numpy as np
from bench_plot import JudgedReading, count_confident, draw_reliability
from bench_reading import SHARED, BenchRow, HitCount, print_table
from train_dice.evaluate import ASKED, DISTORTIONS, PACKAGED, RIGHT, WRONG
from train_dice.fit_decision import judge_dice
from train_dice.make import LEFT_OUT
from train_dice.photographs import Photograph, list_photographs
from train_dice.vary_limits import judge_values

from companion.vision.confidence_limits import MIN_KNOWN_COUNT_CONFIDENCE
from companion.vision.dice.detector import MAX_PICTURE_CANDIDATES
from companion.vision.dice.die_probability import Decision, parse_decision
from companion.vision.dice.reader import DiceReader
from companion.vision.frames.image_io import load_image
from companion.vision.reading import Die, Image
from companion.vision.table.dice_agreement import compute_known_confidence, find_clear_dice

LEFT_OUT_FILE = Path(__file__).resolve().parent / "training" / "train_dice" / LEFT_OUT
OVERHEAD = "overhead"


def judge_known_count(dice: Sequence[Die], values: Sequence[int]) -> str:
    """Judge a reading where the number of dice is known: another number is asked about, unless as many are clear."""
    if len(dice) > len(values) == len(clear := find_clear_dice(dice)):
        dice = clear
    if len(dice) != len(values) or compute_known_confidence(dice) < MIN_KNOWN_COUNT_CONFIDENCE:
        return ASKED
    return RIGHT if sorted(die.value for die in dice) == sorted(values) else WRONG


class PhotographReader:
    """Reads photographs, each with the decision that was fitted without its source.

    Args:
        reader: the reader's network.
        left_out: the decisions by source.
    """

    def __init__(self, reader: Path = PACKAGED[1], left_out: Path = LEFT_OUT_FILE) -> None:
        cv2.setNumThreads(1)
        self._nets = PACKAGED[0], reader
        self._decisions: dict[str, Decision] = {
            source: parse_decision(known) for source, known in json.loads(left_out.read_text(encoding="utf-8")).items()
        }
        self._readers: dict[str, DiceReader] = {}

    def read(self, photograph: Photograph, image: Image) -> tuple[Die, ...]:
        """Read the dice in a photograph, or in a changed version of it."""
        source = photograph.source
        if source not in self._readers:
            # Sources that trained the networks fitted no decision.
            decision = None if photograph.may_train else self._decisions[source]
            self._readers[source] = DiceReader(MAX_PICTURE_CANDIDATES, nets=self._nets, decision=decision)
        return self._readers[source].read(image)


@dataclass(frozen=True)
class PhotographResults:
    """What reading some photographs gave.

    Attributes:
        verdicts: "right", "asked" or "wrong", by photograph.
        known: the same where the number of dice is known; photographs without dice are left out.
        dice: each die's confidence, and whether it is right.
        distorted: the verdicts of changed versions of photographs that are right, by change.
        silent: photographs with dice in which none is seen; their verdict is "asked".
    """

    verdicts: dict[Photograph, str]
    known: Counter[str]
    dice: list[JudgedReading]
    distorted: dict[str, Counter[str]]
    silent: list[Photograph] = field(default_factory=list)


def measure(photographs: Iterable[Photograph], reader: PhotographReader, *, distort: bool = True) -> PhotographResults:
    """Read photographs, and if they are right their changed versions."""
    results = PhotographResults({}, Counter(), [], {name: Counter() for name in DISTORTIONS})
    for number, one in enumerate(photographs):
        image = load_image(one.path)
        dice = reader.read(one, image)
        results.verdicts[one] = judge_values(dice, one.values)
        results.dice.extend(JudgedReading(die.confidence, bool(right)) for die, right in judge_dice(dice, one))
        if one.values:
            results.known[judge_known_count(dice, one.values)] += 1
            if not dice:
                results.silent.append(one)
        if distort and dice and results.verdicts[one] == RIGHT:
            edge = min(die.side for die in dice)
            for kind, (name, change) in enumerate(DISTORTIONS.items()):
                changed = change(np.random.default_rng([number, kind]), image, edge)
                results.distorted[name][judge_values(reader.read(one, changed), one.values)] += 1
    return results


def _make_row(label: str, counts: Counter[str], key: str, bar: float, name: str = "") -> BenchRow:
    """Make a row with the share of `key`: at least `bar` if it is above a half, else at most."""
    count = HitCount(counts[key], counts.total())
    met = (count.share >= bar if bar > 0.5 else count.share <= bar) if counts else None
    return BenchRow(label, str(count), f"{'>=' if bar > 0.5 else '<='} {100 * bar:g} %", met, name=name, figure=count)


def list_rows(results: PhotographResults) -> list[BenchRow]:
    """List the rows of the bars."""
    whole = Counter(results.verdicts.values())
    above = Counter(verdict for one, verdict in results.verdicts.items() if one.view == OVERHEAD)
    wrong, known = HitCount(results.known[WRONG], results.known.total()), results.known
    dice, silent = count_confident(results.dice), HitCount(len(results.silent), whole[ASKED])
    played = Counter({verdict: whole[verdict] for verdict in (RIGHT, WRONG)})
    rows = [
        _make_row("all right and played", whole, RIGHT, 0.95, "ok"),
        _make_row("from above: all right and played", above, RIGHT, 0.97, "above"),
        _make_row("played and wrong", whole, WRONG, 0.005, "wrong"),
        BenchRow("asks the players", str(HitCount(whole[ASKED], whole.total())), "", None, "-", "abstain",
                 HitCount(whole[ASKED], whole.total())),
        BenchRow("of these without seeing any die", str(silent), "", None, "-", "silent", silent),
        _make_row("of all that is played: right", played, RIGHT, 0.995, "played"),
        BenchRow("dice read at 0.9 and above: right", str(dice), ">= 99.5 %", dice.share >= 0.995, "-", "dice", dice),
        _make_row("number of dice known: right and played", known, RIGHT, 0.97, "known"),
        BenchRow("dice known: played and wrong", str(wrong), "<= 1", wrong.hits <= 1, "-", "known_wrong", wrong),
    ]  # fmt: skip
    for name, counts in results.distorted.items():
        rows.append(_make_row(f"{name}: right", counts, RIGHT, 0.93, f"{name} right"))
        rows.append(_make_row(f"{name}: wrong", counts, WRONG, 0.01, f"{name} wrong"))
    if every := sum(results.distorted.values(), Counter()):
        rows.append(_make_row("all changes: right", every, RIGHT, 0.93, "distorted"))
        rows.append(_make_row("all changes: wrong", every, WRONG, 0.01, "distorted_wrong"))
    return rows


def measure_other_dice(photographs: Iterable[Photograph], reader: PhotographReader) -> BenchRow:
    """Return the row of the photographs of dice without pips: played at all is wrong."""
    played = [reader.read(one, load_image(one.path)) for one in photographs if one.has_other_dice]
    count = HitCount(sum(bool(dice) and all(die.is_certain for die in dice) for dice in played), len(played))
    label = "dice without pips (they took part in training): played"
    return BenchRow(label, str(count), "<= 1 %", count.share <= 0.01, name="other_dice", figure=count)


def main() -> None:
    """Print the table, and what is wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photographs", type=Path, default=SHARED / "photos")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--reader", type=Path, default=PACKAGED[1])
    parser.add_argument("--left-out", type=Path, default=LEFT_OUT_FILE)
    parser.add_argument("--plain", action="store_true", help="without changed versions")
    parser.add_argument("--draw", type=Path, help="where to write the reliability diagram, SVG")
    given = parser.parse_args()
    photographs, reader = list_photographs(given.photographs), PhotographReader(given.reader, given.left_out)
    judged = [one for one in photographs if not one.may_train][:: given.every]
    results = measure(judged, reader, distort=not given.plain)
    other = measure_other_dice(photographs[:: given.every], reader)
    print_table(f"{len(judged)} photographs whose sources trained no network", [*list_rows(results), other])
    for one, verdict in results.verdicts.items():
        if verdict != RIGHT:
            print(f"  {verdict}: {one.path.parent.name}/{one.path.name} {one.values}")
    if given.draw:
        draw_reliability(results.dice, given.draw)


if __name__ == "__main__":
    main()
