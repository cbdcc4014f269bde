"""What is true of the dice of a scene: their places, states and faces."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from train_dice.appearance import Array

SCENE_SIDE_PX = 448
"""Edge of a scene in pixels."""

CLEAR, DOUBTFUL, IGNORED, COCKED, UNREADABLE = 0, 1, 2, 3, 4
"""States of a die: readable; partly hidden or moving; either answer is right; leaning; without pips."""


@dataclass(frozen=True)
class DieTruth:
    """Label of one die: centre and edge of its top face in pixels, its value, its state, and the direction of the face.

    `lean_x`, `lean_y`: the face's unit normal in the camera's view, right and down. Its length is the sine of the angle
    between the normal and the line of sight: 0 for a face that points at the camera.
    """

    x: float
    y: float
    edge: float
    value: int
    state: int
    lean_x: float = 0.0
    lean_y: float = 0.0


def label_die(
    quad: Array, value: int, left: float, lean: tuple[float, float], *, moving: bool = False, leaning: bool = False
) -> DieTruth:
    """Label a die whose top face has the corners `quad`, (4, 2) in pixels, with the share `left` of it visible."""
    middle = quad.mean(0)
    edge = float(np.linalg.norm(quad - np.roll(quad, 1, 0), axis=1).mean())
    whole = bool(((quad > -0.04 * edge) & (quad < SCENE_SIDE_PX + 0.04 * edge)).all())
    inside = bool(((middle > 0) & (middle < SCENE_SIDE_PX)).all())
    if not inside or left < 0.3:
        state = IGNORED
    elif moving or left < 0.85 or not whole:
        state = DOUBTFUL
    elif left <= 0.97:
        state = IGNORED
    else:
        state = COCKED if leaning else CLEAR
    return DieTruth(float(middle[0]), float(middle[1]), edge, value, state, *lean)


def list_side_decoys(truth: DieTruth, sides: Array) -> list[tuple[float, float, float]]:
    """List decoys (x, y, edge) at the centres of a die's sides, pixels (n, 2), that do not touch its top face."""
    far = np.hypot(sides[:, 0] - truth.x, sides[:, 1] - truth.y) > 0.4 * truth.edge
    return [(float(x), float(y), truth.edge) for x, y in sides[far]]
