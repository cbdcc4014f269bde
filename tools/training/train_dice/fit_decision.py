"""Fit the model that decides which faces are dice (companion/vision/dice/decision.py), on scenes of training families.

    PYTHONPATH=.:tools:tools/training python -m train_dice.fit_decision [--scenes 1500] [--finder FILE] [--reader FILE]

Writes companion/vision/models/dice_decision.json: the weights, and how well they do on a tenth of the scenes that is
not fitted. A face is a die if it lies on a die's top face, also of one that cannot be read; sides, pips and scenery are
not. Logistic regression by Newton's method with a small penalty (T. Hastie, R. Tibshirani, J. Friedman, "The Elements
of Statistical Learning", 2009, 4.4.1).
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.dice.assembly import NO_FACE, FaceReading
from companion.vision.dice.decision import FEATURES, measure_faces
from companion.vision.dice.reader import DiceReader
from companion.vision.reading import Image
from train_dice import scenes, traced
from train_dice.evaluate import PACKAGED, Nets
from train_dice.make import MODELS
from train_dice.scenes import IGNORED, DieTruth

Matrix = npt.NDArray[np.float64]

_TRACED_EVERY = 6
"""One scene in this many is drawn by the tracer."""

_PENALTY = 1.0


def label_face(face: FaceReading, truths: Sequence[DieTruth]) -> int | None:
    """Return 1 if the face is the top of a die, 0 if not, None where either would be right."""
    at = face.candidate
    for truth in truths:
        if np.hypot(truth.x - at.x, truth.y - at.y) < 0.4 * truth.edge and 0.6 < at.edge / truth.edge < 1.7:
            return None if truth.state == IGNORED else 1
    return 0


class _UndecidedReader(DiceReader):
    """A dice reader without the model that is being made: the reader net's own word stands in for it."""

    def read_faces(self, image: Image) -> Sequence[FaceReading]:
        """Return all faces of the last search of a frame, (H, W, 3) uint8 BGR, read as it is held."""
        return self._read_frame(image, (0.0, 0.0, float(image.shape[1]), float(image.shape[0])), None).faces

    def _decide(self, image: Image, faces: Sequence[FaceReading]) -> list[FaceReading]:
        return [replace(face, die_probability=1 - float(face.state_probabilities[NO_FACE])) for face in faces]


def measure_scene(job: tuple[int, Nets]) -> list[tuple[list[float], int]]:
    """Return the measures and labels of all faces in one scene."""
    seed, nets = job
    cv2.setNumThreads(1)
    render = traced.render_scene if seed % _TRACED_EVERY == 0 else scenes.render_scene
    image, truths, _ = render(seed)
    faces = _UndecidedReader(nets=nets).read_faces(image)
    labels = [label_face(face, truths) for face in faces]
    rows = measure_faces(image, faces).tolist()
    return [(row, label) for row, label in zip(rows, labels, strict=True) if label is not None]


def fit(x: Matrix, y: Matrix) -> Matrix:
    """Return weights, the bias last, that make the labels `y`, (n,), most likely, given rows `x`, (n, k)."""
    x = np.hstack([x, np.ones((len(x), 1))])
    weights = np.zeros(x.shape[1])
    penalty = _PENALTY * np.eye(x.shape[1])
    penalty[-1, -1] = 0
    for _ in range(40):
        p = 1 / (1 + np.exp(-np.clip(x @ weights, -30, 30)))
        gradient = x.T @ (y - p) - penalty @ weights
        step = np.linalg.solve((x * (p * (1 - p))[:, None]).T @ x + penalty, gradient)
        weights += step
        if np.abs(step).max() < 1e-8:
            break
    return weights


def main() -> None:
    """Fit the model and write it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenes", type=int, default=1500)
    parser.add_argument("--first", type=int, default=11_000_000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--finder", type=Path, default=PACKAGED[0])
    parser.add_argument("--reader", type=Path, default=PACKAGED[1])
    parser.add_argument("--out", type=Path, default=MODELS / "dice_decision.json")
    given = parser.parse_args()
    work = [(seed, (given.finder, given.reader)) for seed in range(given.first, given.first + given.scenes)]
    with multiprocessing.Pool(given.jobs) as pool:
        found = pool.map(measure_scene, work, chunksize=10)
    held = len(found) // 10
    kept, checked = ([pair for scene in part for pair in scene] for part in (found[held:], found[:held]))
    if not kept or not checked:
        raise SystemExit("The networks find no faces: train them longer, or use more scenes.")
    x, y = (np.array(column, float) for column in zip(*kept, strict=True))
    weights = fit(x, y)
    x, y = (np.array(column, float) for column in zip(*checked, strict=True))
    p = 1 / (1 + np.exp(-(x @ weights[:-1] + weights[-1])))
    bins = {}
    for low, high in ((0, 0.05), (0.05, 0.2), (0.2, 0.5), (0.5, 0.8), (0.8, 0.95), (0.95, 1.01)):
        chosen = (p >= low) & (p < high)
        if chosen.any():
            bins[f"{low:g} to {min(high, 1):g}"] = [int(chosen.sum()), round(float(y[chosen].mean()), 3)]
    known = {
        "weights": dict(zip(FEATURES, (round(float(w), 4) for w in weights), strict=False)),
        "bias": round(float(weights[-1]), 4),
        "fitted faces": len(kept),
        "share of dice by probability, faces of other scenes": bins,
    }
    given.out.write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")
    print(given.out.read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
