"""Fit the weights that classify a symbol's colour: logistic regression on rendered dice.

python -m train_symbol_dice.ink OUT.txt TRAIN.npz... --held HELD.npz...
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from companion.vision.cups.symbol_colour import _compute_quadratic_terms, measure_ink
from train_symbol_dice.samples import OBJECT_SIZE_PX, PATCH_SIDE_PX

RED_DIE, BLACK_DIE = 5, 7
WEIGHT_DECAY = 3e-4
STEPS = 1200


def measure_inks(paths: list[str], rng: np.random.Generator, rounds: int) -> tuple[np.ndarray, np.ndarray]:
    """Measure the colours of all dice, at places as inaccurate as the network's."""
    rows, colours = [], []
    for path in paths:
        with np.load(path) as stored:  # each look into the file reads all of it
            data = {key: stored[key] for key in ("pixels", "labels", "yaws")}
        for i in np.flatnonzero((data["labels"] >= RED_DIE) & (data["labels"] <= BLACK_DIE)):
            for _ in range(rounds):
                x, y = PATCH_SIDE_PX / 2 + rng.normal(0, 1.3, 2)
                size, turn = OBJECT_SIZE_PX * np.exp(rng.normal(0, 0.06)), data["yaws"][i] + rng.normal(0, 5.0)
                rows.append(measure_ink(data["pixels"][i], (x, y), size, float(turn)))
                colours.append(int(data["labels"][i]) - RED_DIE)
    return np.array(rows), np.array(colours)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("train", nargs="+")
    parser.add_argument("--held", nargs="+", required=True)
    args = parser.parse_args()
    rng = np.random.default_rng(0)
    x, y = measure_inks(args.train, rng, 1)
    mean, spread = x.mean(0), x.std(0)
    full = np.array([_compute_quadratic_terms(row) for row in (x - mean) / spread], np.float64)
    weights = np.zeros((full.shape[1], 3))
    momentum, square = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, STEPS + 1):
        logits = full @ weights
        p = np.exp(logits - logits.max(1, keepdims=True))
        p /= p.sum(1, keepdims=True)
        slope = full.T @ (p - np.eye(3)[y]) / len(y) + WEIGHT_DECAY * weights
        momentum, square = 0.9 * momentum + 0.1 * slope, 0.99 * square + 0.01 * slope**2
        weights -= 0.02 * (momentum / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.99**step)) + 1e-8)
    with args.out.open("w", encoding="ascii") as out:
        out.write("# train_symbol_dice.ink: mean, spread, then a row of three weights for each product\n")
        for row in (mean, spread, *weights):
            out.write(" ".join(f"{v:.6g}" for v in row) + "\n")
    for name, (a, b) in (("trained on", (x, y)), ("held back", measure_inks(args.held, rng, 2))):
        logits = np.array([_compute_quadratic_terms(row) for row in (a - mean) / spread]) @ weights
        p = np.exp(logits - logits.max(1, keepdims=True))
        p /= p.sum(1, keepdims=True)
        sure = p.max(1) >= 0.9
        wrong = p.argmax(1) != b
        print(
            f"{name}: {len(b)} dice, right {1 - wrong.mean():.4f}, sure {sure.mean():.3f}, wrong {(wrong & sure).sum()}"
        )


if __name__ == "__main__":
    main()
