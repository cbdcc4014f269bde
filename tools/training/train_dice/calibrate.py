"""Measure how often the packaged models are right, by confidence, on scenes that training never used.

    PYTHONPATH=.:tools:tools/training python -m train_dice.calibrate [--first 900000] [--scenes 600]

Prints, for rising confidence, how many dice reach it and how many of them are wrong, then the same of whole readings.
"""

from __future__ import annotations

import argparse

import cv2
import numpy as np

from companion.vision.dice.reader import DiceReader
from companion.vision.reading import MIN_PLAY_CONFIDENCE, Die
from train_dice.scenes import COCKED, DOUBTFUL, DieTruth, render_scene


def is_right(die: Die, truths: list[DieTruth]) -> bool:
    """Return whether a readable die with this value lies at this place."""
    x, y = (die.box[0] + die.box[2]) / 2, (die.box[1] + die.box[3]) / 2
    near = [t for t in truths if np.hypot(t.x - x, t.y - y) < 0.5 * t.edge]
    return any(t.value == die.value and t.state not in (DOUBTFUL, COCKED) for t in near)


def main() -> None:
    """Render scenes, read them, and print errors by confidence."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--first", type=int, default=900_000)
    parser.add_argument("--scenes", type=int, default=600)
    given = parser.parse_args()
    cv2.setNumThreads(1)
    reader = DiceReader()
    said: list[tuple[float, bool]] = []
    acted = wrong = dropped = 0
    for seed in range(given.first, given.first + given.scenes):
        image, truths, _ = render_scene(seed)
        dice = reader.read(image)
        said += [(d.confidence, is_right(d, truths)) for d in dice]
        if dice and all(d.confidence >= MIN_PLAY_CONFIDENCE for d in dice):
            acted += 1
            wrong += not all(is_right(d, truths) for d in dice)
            dropped += all(is_right(d, truths) for d in dice) and len(dice) < len(truths)
    for least in (0.5, 0.7, 0.8, 0.9, 0.93, 0.95, 0.97, 0.98, 0.99, 0.995):
        over = [right for confidence, right in said if confidence >= least]
        print(f"{least:5.3f}: {len(over):5d} dice, wrong {1 - np.mean(over) if over else 0.0:.4f}")
    print(f"of {given.scenes} scenes {acted} acted on, {wrong} with a wrong value, {dropped} with a die left out")


if __name__ == "__main__":
    main()
