"""Patches for the network: an object in the middle of its surroundings, or a place without one.

python -m train_symbol_dice.samples OUT.npz FIRST COUNT [held]   (scenes FIRST to FIRST + COUNT - 1; held-back symbols)
"""

from __future__ import annotations

import random
import sys

import cv2
import numpy as np

from train_symbol_dice.scenes import HELD_BACK_KINDS, TRAINING_KINDS, RowScene, render_scene

PATCH_SIDE_PX = 136
"""Side of a stored patch in pixels."""
OBJECT_SIZE_PX = 40.0
"""Size of an object in a stored patch, in pixels."""
CLASSES = ("none", "gold cup", "red cup", "blue cup", "black cup", "red die", "blue die", "black die", "doubtful")


def find_class(kind: str, paint: int) -> int:
    """Return the index in `CLASSES`."""
    return 1 + paint if kind == "cup" else 4 + paint if kind == "die" else len(CLASSES) - 1


def cut_patch(seen: RowScene, x: float, y: float, size: float) -> np.ndarray:
    """Cut the surroundings of a point of the frame, scaled so that `size` becomes `OBJECT_SIZE_PX`."""
    scale = OBJECT_SIZE_PX / size
    m = np.array(
        [
            [scale, 0, PATCH_SIDE_PX / 2 - scale * (x - seen.box[0])],
            [0, scale, PATCH_SIDE_PX / 2 - scale * (y - seen.box[1])],
        ]
    )
    flags = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    image = seen.image
    if scale < 0.7:
        image = cv2.GaussianBlur(image, (0, 0), 0.35 / scale)
    return cv2.warpAffine(image, m, (PATCH_SIDE_PX, PATCH_SIDE_PX), flags=flags, borderMode=cv2.BORDER_REPLICATE)


def list_patches(seen: RowScene, rng: random.Random) -> list[tuple[np.ndarray, int, float]]:
    """List pixels, class and yaw in degrees: each object once, and some places between and beside them."""
    found = [(cut_patch(seen, *t.centre, t.size), find_class(t.kind, int(t.paint)), t.yaw) for t in seen.truths]
    sizes = [t.size for t in seen.truths]
    tries = 0
    while tries < 2 + len(sizes) // 2:
        tries += 1
        size = rng.choice(sizes) * rng.uniform(0.6, 1.5)
        if rng.random() < 0.6:  # beside a thing: where one stood, or what is cut through
            near = rng.choice(seen.truths)
            angle, away = rng.uniform(0, 6.3), rng.uniform(0.75, 1.5) * near.size
            x, y = near.centre[0] + away * np.cos(angle), near.centre[1] + away * np.sin(angle)
        else:
            x, y = rng.uniform(seen.box[0], seen.box[2]), rng.uniform(seen.box[1], seen.box[3])
        if not (seen.box[0] < x < seen.box[2] and seen.box[1] < y < seen.box[3]):
            continue
        clear = all(np.hypot(x - t.centre[0], y - t.centre[1]) > 0.6 * max(t.size, 0.8 * size) for t in seen.truths)
        if clear:
            found.append((cut_patch(seen, float(x), float(y), size), 0, 0.0))
    return found


def main(out: str, first: int, count: int, kinds: range) -> None:
    pixels, labels, yaws = [], [], []
    for seed in range(first, first + count):
        for one, kind, yaw in list_patches(render_scene(seed, kinds), random.Random(seed)):
            pixels.append(one)
            labels.append(kind)
            yaws.append(yaw)
    np.savez(out, pixels=np.stack(pixels), labels=np.array(labels), yaws=np.array(yaws, np.float32))
    print(out, len(labels), np.bincount(labels, minlength=len(CLASSES)))


if __name__ == "__main__":
    held_back = sys.argv[4:] == ["held"]
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), HELD_BACK_KINDS if held_back else TRAINING_KINDS)
