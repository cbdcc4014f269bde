"""Training samples cut from rendered scenes: patches for the finder, crops for the reader."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np

from companion.vision.dice.crops import (
    DETECTOR_STRIDES_PX,
    PADDING_LEVEL,
    STRIDE_EDGE_LIMITS_PX,
    crop_face,
    get_reference_edge,
)
from companion.vision.dice.orientation import OBLIQUE_SINE
from train_dice.scenes import CLEAR, COCKED, DOUBTFUL, IGNORED, SCENE_SIDE_PX, UNREADABLE

PATCH_SIDE_PX = 224
NONE, FLAT, LEANING, HIDDEN = 0, 1, 2, 3
"""States of a crop: no top face; flat; leaning; partly hidden, moving or without pips: a die that cannot be read."""

_STATES = {CLEAR: FLAT, COCKED: LEANING, DOUBTFUL: HIDDEN, UNREADABLE: HIDDEN}

_IGNORED_SCALE_RANGE = 1.2
"""Factor beyond a map's range of sizes within which its answer is not judged."""

Dice = list[tuple[float, float, float, int, int, float, float]]
"""x, y, edge, value, state, lean right and down."""

Spots = list[tuple[float, float, float]]
"""x, y, edge in pixels."""

_UPRIGHT_RANGE_RAD = 0.45
"""Where the camera is tilted (`OBLIQUE_SINE`), the upper edge of the picture is up within this angle, in radians."""


class SceneShards:
    """All shards of some folders as one list of (picture, dice, decoys, candidates).

    Args:
        folders: the weight of each folder's scenes; one with 6 is drawn six times as often as one with 1.

    Attributes:
        weights: (n,) float, one for each scene.
    """

    def __init__(self, folders: dict[Path, float]) -> None:
        weights: list[float] = []
        self._locations: list[tuple[Path, int]] = []
        self.notes: list[dict] = []
        self.found: list[Spots] = []
        for notes in sorted(notes for folder in folders for notes in folder.glob("*.json")):
            images = np.load(notes.with_suffix(".npy"), mmap_mode="r")
            self.notes += json.loads(notes.read_text())
            weights += [folders[notes.parent]] * len(images)
            size = images[0].nbytes
            self._locations += [(notes.with_suffix(".npy"), images.offset + i * size) for i in range(len(images))]
            mined = notes.with_suffix(".found")
            self.found += json.loads(mined.read_text()) if mined.exists() else [[]] * len(images)
        self.weights = np.array(weights)

    def __len__(self) -> int:
        return len(self.notes)

    def __getitem__(self, i: int) -> tuple[np.ndarray, Dice, Spots, Spots]:
        """Return picture, dice, decoys, and the finder's candidates of scene `i`."""
        # Reading takes a third of the time of a mapped file's page faults.
        file, offset = self._locations[i]
        image = np.fromfile(file, np.uint8, SCENE_SIDE_PX**2 * 3, offset=offset)
        image = image.reshape(SCENE_SIDE_PX, SCENE_SIDE_PX, 3)
        return image, self.notes[i]["dice"], self.notes[i]["decoys"], self.found[i]


def turn_upright(
    image: np.ndarray, dice: Dice, decoys: Spots, found: Spots, rng: np.random.Generator
) -> tuple[np.ndarray, Dice, Spots, Spots, bool]:
    """Turn a scene as people hold cameras, and return also whether any quarter turn of it is as likely.

    In an oblique view two or three faces of a die look alike; only the up direction of the picture says which one is
    the top, and hardly anybody photographs a table upside down. Seen from above, no direction is up: half of these
    scenes, and of a tenth of the oblique ones, are turned by any angle.
    """
    leans = [(right, down) for _, _, _, _, state, right, down in dice if state == CLEAR]
    right, down = np.mean(leans, axis=0) if leans else (0.0, 0.0)
    if np.hypot(right, down) < OBLIQUE_SINE or rng.random() < 0.1:
        if rng.random() < 0.5:
            return image, dice, decoys, found, True
        return *_turn_scene(image, dice, decoys, found, float(rng.uniform(-np.pi, np.pi))), True
    off = float(np.arctan2(right, -down))
    if abs(off) < _UPRIGHT_RANGE_RAD and rng.random() < 0.6:
        return image, dice, decoys, found, False
    return *_turn_scene(image, dice, decoys, found, -off + rng.normal(0, 0.15)), False


def _turn_scene(
    image: np.ndarray, dice: Dice, decoys: Spots, found: Spots, angle: float
) -> tuple[np.ndarray, Dice, Spots, Spots]:
    """Turn a scene clockwise about its middle by an angle in radians; dice that come to its rim count no longer."""
    c, s, middle = np.cos(angle), np.sin(angle), (SCENE_SIDE_PX - 1) / 2
    m = np.array([[c, -s, middle - c * middle + s * middle], [s, c, middle - s * middle - c * middle]])
    image = cv2.warpAffine(
        image, m, (SCENE_SIDE_PX, SCENE_SIDE_PX), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )

    def at(x: float, y: float) -> tuple[float, float]:
        return float(m[0] @ (x, y, 1.0)), float(m[1] @ (x, y, 1.0))

    turned_dice = []
    for x, y, edge, value, state, right, down in dice:
        x, y = at(x, y)
        near = min(x, y, SCENE_SIDE_PX - x, SCENE_SIDE_PX - y)
        state = IGNORED if near < 0.75 * edge else state
        turned_dice.append((x, y, edge, value, state, c * right - s * down, s * right + c * down))
    return image, turned_dice, [(*at(x, y), e) for x, y, e in decoys], [(*at(x, y), e) for x, y, e in found]


def cut_patch(image: np.ndarray, dice: Dice, rng: np.random.Generator) -> tuple[np.ndarray, list[np.ndarray]]:
    """Cut a patch (3, PATCH, PATCH) uint8 and its targets, (6, cells, cells) for each stride.

    Targets: heat, log edge, dx, dy, weight of the heat, weight of the others.
    """
    if dice and rng.random() < 0.92:
        x, y, edge, *_ = dice[int(rng.integers(len(dice)))]
        aim = rng.uniform(np.log(6), np.log(60)) if rng.random() < 0.6 else rng.uniform(np.log(4.6), np.log(330))
        scale = float(np.clip(np.exp(aim) / edge, 0.06, 3.2))
        corner = np.array([x, y]) * scale - rng.uniform(0.1, 0.9, 2) * PATCH_SIDE_PX
    else:
        scale = float(np.exp(rng.uniform(np.log(0.3), np.log(1.3))))
        corner = rng.uniform(-0.2, 1.0, 2) * np.maximum(SCENE_SIDE_PX * scale - PATCH_SIDE_PX * 0.6, 1)
    n = max(8, round(SCENE_SIDE_PX * scale))
    slack = 0.15 * PATCH_SIDE_PX
    low, high = (
        min(-slack, (n - PATCH_SIDE_PX) / 2 - slack),
        max(n - PATCH_SIDE_PX + slack, (n - PATCH_SIDE_PX) / 2 + slack),
    )
    x0, y0 = (int(v) for v in np.clip(corner, low, high))
    out = np.full((PATCH_SIDE_PX, PATCH_SIDE_PX, 3), PADDING_LEVEL, np.uint8)
    sx0, sy0 = max(0, x0), max(0, y0)
    sx1, sy1 = min(n, x0 + PATCH_SIDE_PX), min(n, y0 + PATCH_SIDE_PX)
    k = SCENE_SIDE_PX / n
    a, b, c, d = int(sx0 * k), int(sy0 * k), min(SCENE_SIDE_PX, round(sx1 * k)), min(SCENE_SIDE_PX, round(sy1 * k))
    way = cv2.INTER_AREA if k > 1 else cv2.INTER_LINEAR
    w, h = sx1 - sx0, sy1 - sy0
    out[sy0 - y0 : sy1 - y0, sx0 - x0 : sx1 - x0] = cv2.resize(image[b:d, a:c], (w, h), interpolation=way)
    seen = [
        ((x - a) / (c - a) * w + sx0 - x0, (y - b) / (d - b) * h + sy0 - y0, edge / k, state)
        for x, y, edge, _, state, *_ in dice
    ]
    pixels = np.ascontiguousarray(out.transpose(2, 0, 1))
    return pixels, [make_targets(seen, i) for i in range(len(DETECTOR_STRIDES_PX))]


def make_targets(dice: list[tuple[float, float, float, int]], level: int) -> np.ndarray:
    """Make the targets of one map for dice (x, y, edge, state) in patch pixels."""
    stride, least, most = DETECTOR_STRIDES_PX[level], STRIDE_EDGE_LIMITS_PX[level], STRIDE_EDGE_LIMITS_PX[level + 1]
    cells = PATCH_SIDE_PX // stride
    maps = np.zeros((6, cells, cells), np.float32)
    maps[4] = 1
    gy, gx = np.mgrid[:cells, :cells].astype(np.float32)
    for x, y, edge, state in dice:
        cx, cy = x / stride - 0.5, y / stride - 0.5
        square = (gx - cx) ** 2 + (gy - cy) ** 2
        if not least <= edge < most or state == IGNORED:
            if least / _IGNORED_SCALE_RANGE <= edge < most * _IGNORED_SCALE_RANGE:
                maps[4][square < max(1.0, edge / stride * 0.6) ** 2] = 0
            continue
        sigma = max(0.7, edge / stride / 6)
        heat = np.exp(-square / (2 * sigma**2))
        i, j = round(cx), round(cy)
        if 0 <= i < cells and 0 <= j < cells:
            heat[j, i] = 1.0
            near = (np.abs(gx - i) <= 1) & (np.abs(gy - j) <= 1)
            maps[1][near] = np.log(edge / get_reference_edge(stride))
            maps[2][near], maps[3][near] = (cx - gx)[near], (cy - gy)[near]
            maps[5][near] = 1
        maps[0] = np.maximum(maps[0], heat)
    return maps


Answer = tuple[int, int, tuple[float, float, float, float, float]]
"""State, value (0 to 5), and the reader's five measures."""

_NOTHING: Answer = (NONE, 0, (0.0, 0.0, 0.0, 0.0, 0.0))


def _label_crop(x: float, y: float, edge: float, dice: Dice) -> Answer | None:
    """Return the label of a crop at this place; None where either answer would be right."""
    either = False
    for dx, dy, e, value, state, right, down in sorted(dice, key=lambda d: np.hypot(x - d[0], y - d[1])):
        off, ratio = np.hypot(x - dx, y - dy), edge / e
        if off < 0.27 * e and 0.65 < ratio < 1.5:
            measures = ((dx - x) / edge, (dy - y) / edge, float(np.log(e / edge)), right, down)
            return None if state == IGNORED else (_STATES[state], value - 1, measures)
        either = either or bool(off < 0.45 * max(e, edge) and 0.45 < ratio < 2.2)
    return None if either else _NOTHING


def cut_crop(
    image: np.ndarray, dice: Dice, decoys: Spots, found: Spots, rng: np.random.Generator
) -> tuple[np.ndarray, Answer] | None:
    """Cut one crop with its label, at a candidate of the finder or jittered like one; sometimes None."""
    kind = rng.random()
    if found and rng.random() < 0.6:
        x, y, edge = found[int(rng.integers(len(found)))]
        edge *= np.exp(rng.normal(0, 0.06))
        x, y = np.array([x, y]) + rng.normal(0, 0.02, 2) * edge
    elif dice and kind < 0.62:
        x, y, edge, *_ = dice[int(rng.integers(len(dice)))]
        edge *= np.exp(rng.normal(0, 0.14))
        x, y = np.array([x, y]) + rng.normal(0, 0.08, 2) * edge
    elif decoys and kind < 0.8:
        x, y, edge = decoys[int(rng.integers(len(decoys)))]
        edge *= np.exp(rng.normal(0, 0.35))
        x, y = np.array([x, y]) + rng.normal(0, 0.12, 2) * edge
    elif dice and kind < 0.92:
        x, y, edge, *_ = dice[int(rng.integers(len(dice)))]
        x, y = np.array([x, y]) + rng.normal(0, 0.6, 2) * edge
        edge *= np.exp(rng.choice([rng.normal(0, 0.15), rng.uniform(-1.4, -0.85), rng.uniform(0.8, 1.3)]))
    else:
        x, y = rng.uniform(0.02, 0.98, 2) * SCENE_SIDE_PX
        edge = float(np.exp(rng.uniform(np.log(10), np.log(130))))
    if not (0 < x < SCENE_SIDE_PX and 0 < y < SCENE_SIDE_PX) or edge < 6:
        return None
    said = _label_crop(x, y, edge, dice)
    return None if said is None else (crop_face(image, x, y, edge), said)


def alter_colours(pixels: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Change the colours of a crop and sometimes its resolution, at the same contrast."""
    mean, loud = pixels.mean(), pixels.std()
    out = pixels
    if rng.random() < 0.5:
        out = out[rng.permutation(3)] if rng.random() < 0.6 else out
        out = out * np.exp(rng.normal(0, 0.15, (3, 1, 1))) + rng.normal(0, 0.15, (3, 1, 1))
    if rng.random() < 0.12:  # small, sharpened by a camera's program, and large again
        n = int(rng.integers(24, 48))
        small = cv2.resize(out.transpose(1, 2, 0).astype(np.float32), (n, n), interpolation=cv2.INTER_AREA)
        small = small + rng.uniform(0, 1.2) * (small - cv2.GaussianBlur(small, (0, 0), rng.uniform(0.6, 1.2)))
        out = cv2.resize(small, pixels.shape[1:], interpolation=cv2.INTER_LINEAR).transpose(2, 0, 1)
    return (out - out.mean()) / (out.std() + 1e-3) * loud + mean
