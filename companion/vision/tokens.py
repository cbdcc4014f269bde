"""Reading the number on a round token.

A token shows one digit, 1 to 6, in any font, at any angle and in any two colours; the 6 is marked by a bar under
it. There is no 9, so no orientation has to be known. The patch is first reduced to its *ink*: each pixel's distance
from the token's own base colour. That removes colours, polarity and most of the lighting; a small convolutional
network (tools/train_digits, trained on rendered digits only) does the rest.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from companion.vision.nets import load_net
from companion.vision.reading import Image

SIDE = 40
"""Patches are SIDE x SIDE pixels."""

REACH = 0.88
"""A patch spans this many token radii to each side of the token's centre: the digit without the token's rim."""

NUMBERS = 6

_INK_FLOOR = 30.0
"""Colour distances below this (of 441) are never stretched to full ink: they are noise or wood grain."""

Floats = npt.NDArray[np.float32]


@cache
def disc(side: int = SIDE) -> npt.NDArray[np.bool_]:
    """The patch's inscribed disc, shape (side, side)."""
    axis = (np.arange(side) + 0.5) / side * 2 - 1
    inside: npt.NDArray[np.bool_] = axis[:, None] ** 2 + axis[None, :] ** 2 <= 1.0
    return inside


_INSIDE = np.flatnonzero(disc().ravel())

_FULL_INK = 0.97
"""The ink is what this share of the disc does not exceed: the digit covers more than the rest."""


def ink(patches: Image) -> Floats:
    """Distance of each pixel from its patch's base colour, 0 (base) to about 1 (ink), 0 outside the disc.

    `patches` has shape (n, SIDE, SIDE, 3), dtype uint8; the result (n, SIDE, SIDE), float32.
    """
    count = len(_INSIDE)
    inside = patches.reshape(len(patches), -1, 3)[:, _INSIDE]
    half = count // 2
    ranked = np.partition(np.ascontiguousarray(inside.transpose(0, 2, 1)), (half - 1, half), axis=2)
    base = (ranked[..., half - 1].astype(np.float32) + ranked[..., half]) / 2  # the median of an even count
    off = inside.astype(np.float32) - base[:, None]
    away = np.sqrt(np.einsum("nij,nij->ni", off, off))
    place = _FULL_INK * (count - 1)
    low = int(place)
    near = np.partition(away, (low, low + 1), axis=1)[:, low : low + 2]
    full = near[:, 0] + (place - low) * (near[:, 1] - near[:, 0])
    out = np.zeros((len(patches), SIDE * SIDE), np.float32)
    out[:, _INSIDE] = np.minimum(away / np.maximum(full, _INK_FLOOR)[:, None], 1.3)
    return out.reshape(-1, SIDE, SIDE)


class TokenNet:
    """The network behind `read`: classes are none of them, then 1 to 6."""

    def __init__(self) -> None:
        self._net = load_net("digits.onnx")

    def read(self, patches: Image) -> Floats:
        """Probabilities, shape (n, 7): column 0 for "no whole digit here", columns 1 to 6 for the numbers."""
        if not len(patches):
            return np.zeros((0, NUMBERS + 1), np.float32)
        self._net.setInput(ink(patches)[:, None])
        scores = np.asarray(self._net.forward(), np.float32)
        scores -= scores.max(axis=1, keepdims=True)
        odds = np.exp(scores)
        return np.asarray(odds / odds.sum(axis=1, keepdims=True), np.float32)
