"""Reading the number on a round token.

A token shows one digit, 1 to 6, in any font, at any angle and in any two colours; the 6 may be marked by a bar or a
dot. There is no 9, so no orientation has to be known. The patch is first reduced to its *ink*: how far each pixel is on
the way from the token's own colour to the digit's. That removes colours, polarity and most of the lighting; a small
convolutional network (tools/train_digits, trained on rendered digits only) does the rest.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from companion.vision.onnx import load_net, softmax
from companion.vision.reading import Image

PATCH_SIDE_PX = 32
"""Patches are SIDE x SIDE pixels."""

PATCH_HALF_SIDE_RADII = 0.88
"""A patch spans this many token radii to each side of the token's centre: the digit without the token's rim."""

HIGHEST_NUMBER = 6

_MIN_INK_CONTRAST = 36.0
"""Colour distances below this (of 441) are never stretched to full ink: they are noise or wood grain."""

_OPEN_WINDOW_ODDS_FACTOR = 3.5
"""The odds that a window is open are times this: two of nine patches that the network was trained on were no digits,
and at a table half of the windows are open."""

_MIN_CLEAR_PROBABILITY = 0.95
"""Of 6,752 whole tokens of 62 rendered lids that were read at first sight with such odds none was misread."""

_MIN_MIRRORED_LOG_ODDS = 1.0
"""By so much (natural logarithm of the odds, all tokens together) must mirrored tokens be read better to be mirrored.
Of 18 views of six lids they were so by 2.0 to 3.6, and by as much the other way as the camera took them."""

Floats = npt.NDArray[np.float32]


@cache
def make_disc_mask(side: int = PATCH_SIDE_PX) -> npt.NDArray[np.bool_]:
    """The patch's inscribed disc, shape (side, side)."""
    axis = (np.arange(side) + 0.5) / side * 2 - 1
    inside: npt.NDArray[np.bool_] = axis[:, None] ** 2 + axis[None, :] ** 2 <= 1.0
    return inside


_DISC_INDICES = np.flatnonzero(make_disc_mask().ravel())

_BASE_AND_INK_RANKS = int(0.03 * (len(_DISC_INDICES) - 1)), int(0.97 * (len(_DISC_INDICES) - 1))
"""Base and ink are the colours at these ranks of the disc's pixels: the thinnest digit covers more than the rest."""

_EDGE_WEIGHTS = make_disc_mask()[1:-1:2, 1:-1:2].astype(np.float32)[..., None]
"""Where colours are compared with those beside them: every second pixel of the disc."""


def extract_ink(patches: Image) -> Floats:
    """How far each pixel is from its patch's base colour (0) to its ink (1), cut at -0.3 and 1.3, 0 outside the disc.

    `patches` has shape (n, SIDE, SIDE, 3), dtype uint8; the result (n, SIDE, SIDE), float32. The way from base to ink
    is the direction in which the colours change most at edges (Di Zenzo 1986), so that neither the light's slow
    changes nor a broad digit's share of the disc mislead; which of its ends is the ink is what covers less.
    """
    colours = patches.astype(np.float32)
    rows, columns = colours[:, 1:-1:2], colours[:, :, 1:-1:2]
    across = (rows[:, :, 2::2] - rows[:, :, :-2:2]) * _EDGE_WEIGHTS
    down = (columns[:, 2::2] - columns[:, :-2:2]) * _EDGE_WEIGHTS
    steps = np.concatenate([across, down], axis=1).reshape(len(patches), -1, 3)
    axis = np.linalg.eigh(steps.transpose(0, 2, 1) @ steps)[1][:, :, 2:]  # the largest eigenvalue's comes last
    along = (colours.reshape(len(patches), -1, 3) @ axis)[:, _DISC_INDICES, 0]
    low, high = np.partition(along, _BASE_AND_INK_RANKS, axis=1)[:, _BASE_AND_INK_RANKS].T
    down_is_ink = along.mean(axis=1) > (low + high) / 2
    base = np.where(down_is_ink, high, low)
    stretch = np.where(down_is_ink, -1, 1) / np.maximum(high - low, _MIN_INK_CONTRAST)
    out = np.zeros((len(patches), PATCH_SIDE_PX * PATCH_SIDE_PX), np.float32)
    out[:, _DISC_INDICES] = np.clip((along - base[:, None]) * stretch[:, None], -0.3, 1.3)
    return out.reshape(-1, PATCH_SIDE_PX, PATCH_SIDE_PX)


def _space_to_depth(maps: Floats) -> Floats:
    """Maps (n, SIDE, SIDE) as the network takes them: their even and odd rows and columns apart, (n, 4, half, half).

    To its first layer that is the same sum, and less than half of the time.
    """
    half = PATCH_SIDE_PX // 2
    apart = maps.reshape(-1, half, 2, half, 2).transpose(0, 2, 4, 1, 3)
    return np.ascontiguousarray(apart).reshape(-1, 4, half, half)


class DigitClassifier:
    """The network behind `read`: classes are none of them, then 1 to 6."""

    def __init__(self) -> None:
        self._net = load_net("digits.onnx")

    def read(self, patches: Image, *, closely: bool = False) -> Floats:
        """Probabilities, shape (n, 7): column 0 for "no whole digit here", columns 1 to 6 for the numbers.

        `closely`: the patches are a lid's windows; what is not clear is looked at from all four sides, and counts as
        much as these agree.
        """
        if not len(patches):
            return np.zeros((0, HIGHEST_NUMBER + 1), np.float32)
        maps = extract_ink(patches)
        odds = self._run_net(maps)
        doubtful = np.flatnonzero(odds.max(axis=1) < _MIN_CLEAR_PROBABILITY) if closely else ()
        if len(doubtful):
            turned = np.concatenate([np.rot90(maps[doubtful], turns, (1, 2)) for turns in (1, 2, 3)])
            odds[doubtful] += self._run_net(turned).reshape(3, len(doubtful), -1).sum(axis=0)
            odds[doubtful] /= 4
        if closely:
            odds[:, 0] *= _OPEN_WINDOW_ODDS_FACTOR
            odds /= odds.sum(axis=1, keepdims=True)
        return odds

    def is_mirrored(self, patches: Image) -> bool:
        """Whether the patches, each of a token, are clearly easier to read in a mirror."""
        maps = extract_ink(patches)
        plain = self._compute_legibility(maps)
        if plain > -_MIN_MIRRORED_LOG_ODDS:  # they cannot be better legible than surely
            return False
        return self._compute_legibility(maps[:, :, ::-1]) > plain + _MIN_MIRRORED_LOG_ODDS

    def _compute_legibility(self, maps: Floats) -> float:
        """The logarithm of the odds of the likeliest numbers, seen from all four sides."""
        sides = [self._run_net(np.rot90(maps, turns, (1, 2))) for turns in range(4)]
        return float(np.log(np.mean(sides, axis=0)[:, 1:].max(axis=1) + 1e-6).sum())

    def _run_net(self, maps: Floats) -> Floats:
        self._net.setInput(_space_to_depth(maps))
        return softmax(np.asarray(self._net.forward(), np.float32))
