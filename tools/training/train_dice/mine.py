"""Run the finder on rendered scenes and write its candidates to NNNNNN.found, so that the reader trains on them.

    PYTHONPATH=.:tools:tools/training python -m train_dice.mine SCENES... [--finder FILE.onnx] [--jobs 2]

Without --finder it uses the finder in companion/vision/models.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from companion.system.atomic_file import write_atomic
from companion.vision.dice.detector import DiceDetector
from train_dice.samples import list_pictures, read_picture

MIN_HEAT = 0.08
"""Least heat of a candidate; lower than the companion's own limit, so that the reader also trains on near misses."""

SCALE_RANGE = (0.4, 1.2)
"""Range of factors by which a scene is scaled for the finder, so that it errs as it would on dice of other sizes."""


def mine_candidates(notes: Path, net: Path | str) -> None:
    """Write one list of candidates (x, y, edge in pixels) per scene of a shard, unless it has them."""
    out = notes.with_suffix(".found")
    if out.exists():
        return
    cv2.setNumThreads(1)
    finder = DiceDetector(MIN_HEAT, net)
    rng = np.random.default_rng(int(notes.stem))
    found = []
    for picture in list_pictures(notes, json.loads(notes.read_text())):
        image = read_picture(picture)
        size = float(np.exp(rng.uniform(*np.log(SCALE_RANGE))))
        seen = finder.detect(np.asarray(cv2.resize(image, None, fx=size, fy=size, interpolation=cv2.INTER_AREA)))
        found.append([(c.x / size, c.y / size, c.edge / size) for c in seen])
    write_atomic(out, json.dumps(found).encode())


def main() -> None:
    """Write the candidates of all scenes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenes", type=Path, nargs="+")
    parser.add_argument("--finder", type=Path)
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    shards = sorted(shard for folder in given.scenes for shard in folder.glob("*.json"))
    with multiprocessing.Pool(given.jobs) as pool:
        pool.map(partial(mine_candidates, net=given.finder or "dice_finder.onnx"), shards, chunksize=1)


if __name__ == "__main__":
    main()
