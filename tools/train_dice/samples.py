"""What the nets learn from, cut from rendered scenes: patches for the finder, crops for the reader."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np

from companion.vision.dice_crops import FOUND, GRAY, crop
from train_dice.scenes import CLEAR, IGNORED, SIZE

PATCH, STRIDE = 160, 4
NONE, READ, ASK = 0, 1, 2
"""What the reader says of a crop: no top face; one to be read; one to be asked about."""

Dice = list[tuple[float, float, float, int, int]]
"""x, y, edge, value, state."""

Spots = list[tuple[float, float, float]]
"""x, y, edge."""


class Scenes:
    """All shards of a folder, as one list of (picture, dice, decoys)."""

    def __init__(self, folders: list[Path]) -> None:
        self.pictures, self.notes = [], []
        self.found: list[list[tuple[float, float, float]]] = []
        for notes in sorted(f for folder in folders for f in folder.glob("*.json")):
            images = np.load(notes.with_suffix(".npy"), mmap_mode="r")
            self.notes += json.loads(notes.read_text())
            self.pictures += list(images)
            mined = notes.with_suffix(".found")
            self.found += json.loads(mined.read_text()) if mined.exists() else [[]] * len(images)

    def __len__(self) -> int:
        return len(self.notes)

    def __getitem__(self, i: int) -> tuple[np.ndarray, Dice, Spots, Spots]:
        """Picture, dice, decoys, and what the finder found."""
        return np.asarray(self.pictures[i]), self.notes[i]["dice"], self.notes[i]["decoys"], self.found[i]


def patch(image: np.ndarray, dice: Dice, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """A patch (3, PATCH, PATCH) uint8 and its targets (6, cells, cells): heat, log edge, dx, dy, weights of the two."""
    if dice and rng.random() < 0.9:
        x, y, edge, *_ = dice[int(rng.integers(len(dice)))]
        scale = np.exp(rng.uniform(np.log(FOUND[0] * 0.85), np.log(FOUND[1] * 1.1))) / edge
        corner = np.array([x, y]) * scale - rng.uniform(0.1, 0.9, 2) * PATCH
    else:
        scale = np.exp(rng.uniform(np.log(0.3), np.log(1.3)))
        corner = rng.uniform(-0.2, 1.0, 2) * np.maximum(SIZE * scale - PATCH * 0.6, 1)
    scale = float(np.clip(scale, 0.12, 2.2))
    n = max(8, round(SIZE * scale))
    slack = 0.15 * PATCH
    low, high = min(-slack, (n - PATCH) / 2 - slack), max(n - PATCH + slack, (n - PATCH) / 2 + slack)
    x0, y0 = (int(v) for v in np.clip(corner, low, high))
    out = np.full((PATCH, PATCH, 3), GRAY, np.uint8)
    sx0, sy0 = max(0, x0), max(0, y0)
    sx1, sy1 = min(n, x0 + PATCH), min(n, y0 + PATCH)
    k = SIZE / n
    a, b, c, d = int(sx0 * k), int(sy0 * k), min(SIZE, round(sx1 * k)), min(SIZE, round(sy1 * k))
    way = cv2.INTER_AREA if k > 1 else cv2.INTER_LINEAR
    w, h = sx1 - sx0, sy1 - sy0
    out[sy0 - y0 : sy1 - y0, sx0 - x0 : sx1 - x0] = cv2.resize(image[b:d, a:c], (w, h), interpolation=way)
    found = [
        ((x - a) / (c - a) * w + sx0 - x0, (y - b) / (d - b) * h + sy0 - y0, edge / k, state)
        for x, y, edge, _, state in dice
    ]
    return np.ascontiguousarray(out.transpose(2, 0, 1)), targets(found)


def targets(dice: list[tuple[float, float, float, int]]) -> np.ndarray:
    """Maps for dice (x, y, edge, state) in patch pixels."""
    cells = PATCH // STRIDE
    maps = np.zeros((6, cells, cells), np.float32)
    maps[4] = 1
    gy, gx = np.mgrid[:cells, :cells].astype(np.float32)
    for x, y, edge, state in dice:
        cx, cy = x / STRIDE - 0.5, y / STRIDE - 0.5
        square = (gx - cx) ** 2 + (gy - cy) ** 2
        if not FOUND[0] * 0.9 <= edge <= FOUND[1] * 1.12 or state == IGNORED:
            if FOUND[0] * 0.6 <= edge <= FOUND[1] * 1.6:
                maps[4][square < (edge / STRIDE * 0.6) ** 2] = 0
            continue
        sigma = max(0.7, edge / STRIDE / 6)
        heat = np.exp(-square / (2 * sigma**2))
        i, j = round(cx), round(cy)
        if 0 <= i < cells and 0 <= j < cells:
            heat[j, i] = 1.0
            near = (np.abs(gx - i) <= 1) & (np.abs(gy - j) <= 1)
            maps[1][near] = np.log(edge / 16)
            maps[2][near], maps[3][near] = (cx - gx)[near], (cy - gy)[near]
            maps[5][near] = 1
        maps[0] = np.maximum(maps[0], heat)
    return maps


def _said(x: float, y: float, edge: float, dice: Dice) -> tuple[int, int] | None:
    """State and value (0..5) for a crop so placed; None where either answer would do."""
    for dx, dy, e, value, state in dice:
        off, ratio = np.hypot(x - dx, y - dy), edge / e
        if off < 0.24 * e and 0.7 < ratio < 1.42:
            return None if state == IGNORED else (READ if state == CLEAR else ASK, value - 1)
        if off < 0.45 * max(e, edge) and 0.45 < ratio < 2.2:
            return None
    return NONE, 0


def crop_sample(
    image: np.ndarray, dice: Dice, decoys: Spots, found: Spots, rng: np.random.Generator
) -> tuple[np.ndarray, int, int] | None:
    """One crop with its state and value, placed by the finder or jittered as it might; None now and then."""
    kind = rng.random()
    if found and rng.random() < 0.55:
        x, y, edge = found[int(rng.integers(len(found)))]
        edge *= np.exp(rng.normal(0, 0.06))
        x, y = np.array([x, y]) + rng.normal(0, 0.02, 2) * edge
    elif dice and kind < 0.62:
        x, y, edge, *_ = dice[int(rng.integers(len(dice)))]
        edge *= np.exp(rng.normal(0, 0.1))
        x, y = np.array([x, y]) + rng.normal(0, 0.06, 2) * edge
    elif decoys and kind < 0.8:
        x, y, edge = decoys[int(rng.integers(len(decoys)))]
        edge *= np.exp(rng.normal(0, 0.35))
        x, y = np.array([x, y]) + rng.normal(0, 0.12, 2) * edge
    elif dice and kind < 0.92:
        x, y, edge, *_ = dice[int(rng.integers(len(dice)))]
        x, y = np.array([x, y]) + rng.normal(0, 0.6, 2) * edge
        edge *= np.exp(rng.choice([rng.normal(0, 0.15), rng.uniform(-1.4, -0.85), rng.uniform(0.8, 1.3)]))
    else:
        x, y = rng.uniform(0.02, 0.98, 2) * SIZE
        edge = float(np.exp(rng.uniform(np.log(10), np.log(110))))
    if not (0 < x < SIZE and 0 < y < SIZE) or edge < 6:
        return None
    said = _said(x, y, edge, dice)
    return None if said is None else (crop(image, x, y, edge), *said)
