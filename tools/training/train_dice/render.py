"""Render the training scenes to shards: WORK/KIND/NNNNNN.jpegs, their pictures, and NNNNNN.json, their contents.

    PYTHONPATH=.:tools:tools/training python -m train_dice.render WORK [--scenes 12000] [--jobs 2]

A scene's number is its seed, so any shard can be made again alone; shards that exist are kept.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path

import cv2

from companion.system.atomic_file import write_atomic
from companion.vision.reading import Image
from train_dice import scenes, traced
from train_dice.labels import DieTruth
from train_dice.samples import Spots

SCENES_PER_SHARD = 50

JPEG_QUALITY = 90
"""Quality (0 to 100) of the stored scenes, as cameras use it. Most were compressed once before, at 35 to 96."""


@dataclass(frozen=True)
class Kind:
    """A kind of training scenes.

    Attributes:
        first: number of the first; lower numbers are for tests and for the decision.
        share: one scene of this kind is rendered per `share` scenes of the first kind.
        small: the dice are small, and pictures coarse and grey more often.
        traced: by the ray tracer; takes some four times as long.
    """

    first: int
    share: int
    small: bool = False
    traced: bool = False

    def render(self, number: int) -> tuple[Image, list[DieTruth], Spots]:
        """Render a scene: see `scenes.render_scene`."""
        return (traced if self.traced else scenes).render_scene(number, small=self.small)


KINDS = {
    "scenes": Kind(1_000_000, 1),
    "small": Kind(3_000_000, 3, small=True),
    "traced": Kind(7_000_000, 8, traced=True),
    "small_traced": Kind(7_100_000, 20, small=True, traced=True),
}
"""Kinds by the name of their folder."""


def render_shard(first: int, out: Path, kind: Kind) -> None:
    """Render the scenes `first` to `first + SCENES_PER_SHARD - 1`, unless the shard exists."""
    cv2.setNumThreads(1)
    if (out / f"{first:06d}.json").exists():
        return
    rendered = (kind.render(first + i) for i in range(SCENES_PER_SHARD))
    write_shard(
        out, first, ((image, [astuple(truth) for truth in truths], decoys) for image, truths, decoys in rendered)
    )


def write_shard(
    out: Path,
    first: int,
    contents: Iterable[tuple[Image, Sequence[Sequence[float]], Sequence[Sequence[float]]]],
    *,
    photographs: bool = False,
) -> None:
    """Write a shard.

    Args:
        out: the folder.
        first: number of its first scene.
        contents: of each scene the picture, (H, W, 3) uint8 BGR, its dice (`samples.Dice`), and its decoys
            (`samples.Spots`).
        photographs: whether these are photographs, which training alters more.
    """
    pictures, notes = [], []
    for image, dice, decoys in contents:
        pictures.append(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1].tobytes())
        note = {"dice": dice, "decoys": decoys, "bytes": len(pictures[-1])}
        notes.append({**note, "photograph": True} if photographs else note)
    write_atomic(out / f"{first:06d}.jpegs", b"".join(pictures))
    write_atomic(out / f"{first:06d}.json", json.dumps(notes).encode())


def main() -> None:
    """Render all kinds."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path)
    parser.add_argument("--scenes", type=int, default=12000, help="of the first kind")
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    shards = []
    # The slowest first: so all processes end at about the same time.
    for name, kind in sorted(KINDS.items(), key=lambda item: not item[1].traced):
        out = given.work / name
        out.mkdir(parents=True, exist_ok=True)
        count = round(given.scenes / kind.share / SCENES_PER_SHARD)
        shards += [(kind.first + i * SCENES_PER_SHARD, out, kind) for i in range(count)]
    with multiprocessing.Pool(given.jobs) as pool:
        pool.starmap(render_shard, shards, chunksize=1)


if __name__ == "__main__":
    main()
