"""Lets the finder look at rendered scenes, so that the reader learns from what it will be shown: NNNNNN.found.

    python -m train_dice.mine SCENES...

Uses the finder packaged in companion/vision/models.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import cv2
import numpy as np

from companion.vision.dice_finder import DiceFinder

LEAST_HEAT = 0.08
"""Lower than the companion's own, so that the reader also meets what nearly was a candidate."""


def mine(folder: Path) -> None:
    """Writes, for each shard not yet looked at, one list of candidates (x, y, edge) per scene."""
    finder = DiceFinder(LEAST_HEAT)
    for images in sorted(folder.glob("*.npy")):
        out = images.with_suffix(".found")
        if out.exists() or not images.with_suffix(".json").exists():
            continue
        rng = np.random.default_rng(int(images.stem))
        found = []
        for image in np.load(images, mmap_mode="r"):
            seen = finder.find(image, float(rng.uniform(0.6, 1.1)))
            found.append([(c.x, c.y, c.edge) for c in seen])
        out.write_text(json.dumps(found))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenes", type=Path, nargs="+")
    cv2.setNumThreads(1)
    for place in parser.parse_args().scenes:
        mine(place)
