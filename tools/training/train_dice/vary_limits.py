"""Measure what moving each limit of the dice reader by a fifth costs, and print the table of limits.txt.

    PYTHONPATH=.:tools:tools/training python -m train_dice.vary_limits [--photographs ../shared/photos] [--every 1]
        [--jobs 2] [--only NAME ...]

Every Nth photograph whose source trained no network is read with the packaged models. The last two columns count how
many more are right, and how many more acted on and wrong, if the limit alone is moved: "+1 / -2"; "=" if neither
changes; a limit of trays alone is not moved. Whole numbers move by one at least; probabilities above a half move by a
fifth of their distance from one.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import inspect
import multiprocessing
import re
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2

from companion.vision.dice import detector
from companion.vision.dice.reader import DiceReader
from companion.vision.frames.image_io import load_image
from companion.vision.reading import Die, Image
from train_dice.evaluate import ASKED, PACKAGED, RIGHT, WRONG
from train_dice.photographs import list_photographs

MODULES = ("detector", "reader", "frame_reading", "views", "die_probability", "assembly", "frame_orientation")
"""Modules of `companion.vision.dice` that have limits."""

_NOT_LIMITS = ("NO_FACE", "FLAT", "TILTED", "HIDDEN")
"""Numbers that say where a network's answer stands: moving one makes no sense."""

_TRAY_LIMITS = ("_LEANING_IN_TRAY_DEG",)
"""Limits of trays full of dice, which no photograph shows: they are listed, not moved."""

_PICTURE_FACTOR = detector.MAX_PICTURE_CANDIDATES // detector.MAX_CANDIDATES
"""How many times as many places are read in a picture as in a live frame."""

_PROBABILITY = re.compile(r"P\(|Detector score")
"""How the meaning of a probability begins."""


@dataclass(frozen=True)
class Limit:
    """A number that decides how dice are read.

    Attributes:
        meaning: the first sentence of its docstring.
    """

    module: str
    name: str
    value: float
    meaning: str

    def move(self, share: float) -> float:
        """Return the value moved by this share of itself, positive or negative."""
        if isinstance(self.value, int):
            step = max(1, round(abs(share) * self.value))
            return self.value + (step if share > 0 else -step)
        if _PROBABILITY.match(self.meaning) and self.value > 0.5:
            return self.value + share * (1 - self.value)
        return self.value * (1 + share)


def list_limits() -> list[Limit]:
    """List the numbers that are named in the modules of the dice reader, in the order of the source.

    Lists, and what the trained networks fix (crops.py), are not among them.
    """
    found = []
    for module in MODULES:
        tree = ast.parse(inspect.getsource(importlib.import_module(f"companion.vision.dice.{module}")))
        for statement, after in zip(tree.body, tree.body[1:], strict=False):
            if not (isinstance(statement, ast.Assign) and isinstance(after, ast.Expr)):
                continue
            meaning = " ".join(str(ast.literal_eval(after.value)).split())
            target, content = statement.targets[0], statement.value
            names = target.elts if isinstance(target, ast.Tuple) else [target]
            values = content.elts if isinstance(content, ast.Tuple) and len(names) > 1 else [content]
            for name, value in zip(names, values, strict=True):
                if not isinstance(name, ast.Name) or not isinstance(value, ast.Constant):
                    continue
                if isinstance(value.value, int | float):
                    found.append(Limit(module, name.id, value.value, meaning.split(". ")[0].rstrip(".")))
    return [limit for limit in found if limit.name not in _NOT_LIMITS]


def set_limit(limit: Limit, value: float) -> None:
    """Set a limit wherever the reader's modules know it by its name."""
    for module in MODULES:
        namespace = vars(sys.modules[f"companion.vision.dice.{module}"])
        if module == limit.module or (limit.name in namespace and not limit.name.startswith("_")):
            namespace[limit.name] = value


@cache
def _load_photographs(folder: Path, every: int) -> list[tuple[Image, tuple[int, ...]]]:
    """Load every Nth photograph whose source trained no network, with the values of its dice."""
    judged = [one for one in list_photographs(folder) if not one.may_train]
    return [(load_image(one.path), one.values) for one in judged[::every]]


def judge_values(dice: Sequence[Die], values: Sequence[int]) -> str:
    """Judge a reading as ../shared/score/score_see.py does: "right", "asked" or "wrong"."""
    if not dice:
        return ASKED if values else RIGHT
    if not all(die.is_certain for die in dice):
        return ASKED
    return RIGHT if sorted(die.value for die in dice) == sorted(values) else WRONG


def judge_photographs(limit: Limit, value: float, folder: Path, every: int) -> Counter[str]:
    """Count the judgements of the photographs with one limit set to a value."""
    cv2.setNumThreads(1)
    set_limit(limit, value)
    try:
        reader = DiceReader(_PICTURE_FACTOR * detector.MAX_CANDIDATES, nets=PACKAGED)
        return Counter(judge_values(reader.read(image), values) for image, values in _load_photographs(folder, every))
    finally:
        set_limit(limit, limit.value)


def format_row(limit: Limit, columns: Sequence[str]) -> str:
    """Format a limit as a row of the table."""
    return f"| {' | '.join([f'`{limit.module}`', f'`{limit.name}`', f'{limit.value:g}', *columns])} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photographs", type=Path, default=Path("../shared/photos"))
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", nargs="+", help="names of limits; default all")
    given = parser.parse_args()
    limits = [limit for limit in list_limits() if not given.only or limit.name in given.only]
    pictures = given.photographs, given.every
    jobs = [(limits[0], limits[0].value, *pictures)]
    moved_limits = [limit for limit in limits if limit.name not in _TRAY_LIMITS]
    jobs += [(limit, limit.move(share), *pictures) for limit in moved_limits for share in (-0.2, 0.2)]
    with multiprocessing.Pool(given.jobs) as pool:
        plain, *moved = pool.starmap(judge_photographs, jobs, chunksize=1)
    print(f"{sum(plain.values())} photographs: {plain[RIGHT]} right, {plain[WRONG]} wrong as the limits are.\n")
    print("| file | name | value | -20 % | +20 % |\n|---|---|---|---|---|")
    pairs = dict(zip(moved_limits, zip(moved[::2], moved[1::2], strict=True), strict=True))
    for limit in limits:
        changes = [(counts[RIGHT] - plain[RIGHT], counts[WRONG] - plain[WRONG]) for counts in pairs.get(limit, ())]
        columns = [f"{right:+d} / {wrong:+d}" if right or wrong else "=" for right, wrong in changes]
        print(format_row(limit, columns or ["in trays", "in trays"]))


if __name__ == "__main__":
    main()
