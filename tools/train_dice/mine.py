"""Run the finder on rendered scenes and write its candidates to NNNNNN.found, so that the reader trains on them.

    python -m train_dice.mine SCENES... [--finder FILE.onnx]

Without --finder it uses the finder in companion/vision/models.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import cv2
import numpy as np

from companion.vision.dice.detector import DiceDetector

MIN_HEAT = 0.08
"""Least heat of a candidate; lower than the companion's own limit, so that the reader also trains on near misses."""

SCALE_RANGE = (0.4, 1.2)
"""Range of factors by which a scene is scaled for the finder, so that it errs as it would on dice of other sizes."""


def mine_candidates(folder: Path, finder: DiceDetector) -> None:
    """Write one list of candidates (x, y, edge in pixels) per scene, for each shard that has none yet."""
    for images in sorted(folder.glob("*.npy")):
        out = images.with_suffix(".found")
        if out.exists() or not images.with_suffix(".json").exists():
            continue
        rng = np.random.default_rng(int(images.stem))
        found = []
        for image in np.load(images, mmap_mode="r"):
            size = float(np.exp(rng.uniform(*np.log(SCALE_RANGE))))
            seen = finder.detect(np.asarray(cv2.resize(image, None, fx=size, fy=size, interpolation=cv2.INTER_AREA)))
            found.append([(c.x / size, c.y / size, c.edge / size) for c in seen])
        out.write_text(json.dumps(found))


def main() -> None:
    """Write the candidates of all scenes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenes", type=Path, nargs="+")
    parser.add_argument("--finder", type=Path)
    given = parser.parse_args()
    cv2.setNumThreads(1)
    for place in given.scenes:
        mine_candidates(place, DiceDetector(MIN_HEAT, given.finder or "dice_finder.onnx"))


if __name__ == "__main__":
    main()
