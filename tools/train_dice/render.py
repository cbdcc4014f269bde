"""Render scenes to shards: OUT/NNNNNN.npy (scenes, SIZE, SIZE, 3) and NNNNNN.json with their contents.

    python -m train_dice.render OUT --count 12000 --first 0 --jobs 2 [--small] [--traced]

A scene's number is its seed, so any shard can be made again alone.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
from dataclasses import astuple
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from companion.system.atomic_file import write_atomic
from train_dice import scenes, traced
from train_dice.scenes import SCENE_SIDE_PX

SCENES_PER_SHARD = 200


def render_shard(first: int, out: Path, small: bool = False, by_tracer: bool = False) -> None:
    """Render the scenes `first` to `first + SHARD - 1`, unless the shard exists."""
    cv2.setNumThreads(1)
    if (out / f"{first:06d}.json").exists():
        return
    scene = traced.render_scene if by_tracer else scenes.render_scene
    images, notes = np.empty((SCENES_PER_SHARD, SCENE_SIDE_PX, SCENE_SIDE_PX, 3), np.uint8), []
    for i in range(SCENES_PER_SHARD):
        images[i], truths, decoys = scene(first + i, small=small)
        notes.append({"dice": [astuple(t) for t in truths], "decoys": decoys})
    np.save(out / f"{first:06d}.npy", images)
    write_atomic(out / f"{first:06d}.json", json.dumps(notes).encode())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--count", type=int, default=12000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--small", action="store_true", help="small dice, coarse and gray pictures")
    parser.add_argument("--traced", action="store_true", help="by the ray tracer of tools/testset_renderer")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    with multiprocessing.Pool(given.jobs) as pool:
        starts = range(given.first, given.first + given.count, SCENES_PER_SHARD)
        for _ in pool.imap(partial(render_shard, out=given.out, small=given.small, by_tracer=given.traced), starts):
            pass
