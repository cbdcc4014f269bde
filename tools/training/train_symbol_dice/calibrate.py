"""Count the readings of held-back patches: right, asked and wrong, with their confidence.

python -m train_symbol_dice.calibrate HELD.npz...
"""

from __future__ import annotations

import sys

import numpy as np
from bench_reading import HitCount
from results import record

from companion.vision.confidence_limits import MIN_PLAY_CONFIDENCE
from companion.vision.cups.classifier import Classifier, SearchSpot
from train_symbol_dice.samples import CLASSES, OBJECT_SIZE_PX, PATCH_SIDE_PX

MIN_PRESENCE = 0.8


def main(paths: list[str]) -> None:
    """Print the counts of all files."""
    rng = np.random.default_rng(5)
    teller = Classifier()
    counts = {kind: [0, 0, 0, 0] for kind in ("die", "cup", "none", "doubtful")}
    wrong = []
    for path in paths:
        with np.load(path) as stored:
            pixels, labels = stored["pixels"], stored["labels"]
        for one, label in zip(pixels, labels, strict=True):
            middle = PATCH_SIDE_PX / 2 + rng.normal(0, 4, 2)
            told = teller.classify(
                one,
                [SearchSpot((float(middle[0]), float(middle[1])), OBJECT_SIZE_PX * float(np.exp(rng.normal(0, 0.15))))],
            )
            told = [t for t in told if t.presence >= MIN_PRESENCE]
            name = CLASSES[label]
            kind = "none" if label == 0 else "doubtful" if name == "doubtful" else name.split()[1]
            if not told:
                counts[kind][2] += 1
            elif told[0].confidence < MIN_PLAY_CONFIDENCE:
                counts[kind][1] += 1
            elif (
                kind in ("die", "cup") and name == f"{told[0].colour.name.lower()} {'die' if told[0].is_die else 'cup'}"
            ):
                counts[kind][0] += 1
            else:
                counts[kind][3] += 1
                wrong.append((name, told[0].colour.name, told[0].is_die, round(told[0].confidence, 3)))
    for kind, (right, asked, missed, bad) in counts.items():
        print(f"{kind}: right {right}, asked {asked}, seen as nothing {missed}, wrong {bad}")
    print(wrong)
    dice, doubtful, cups = (sum(counts[kind]) for kind in ("die", "doubtful", "cup"))
    right, asked, missed, bad = counts["die"]
    figures = {
        "memo_dice_ok": HitCount(right, dice),
        "memo_dice_asked": HitCount(asked + missed, dice),
        "memo_dice_wrong": HitCount(bad, dice),
        "memo_cups": HitCount(counts["cup"][0], cups),
        "memo_leaning": HitCount(counts["doubtful"][3], doubtful),
    }
    record(figures, "PYTHONPATH=.:tools:tools/training python -m train_symbol_dice.calibrate held.npz", "held out")


if __name__ == "__main__":
    main(sys.argv[1:])
