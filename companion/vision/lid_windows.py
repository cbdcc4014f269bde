"""What each window shows under a known pose: a token and its number, an open hole, or a hand before it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.lid_geometry import Floats, cut, sample, unlike
from companion.vision.lid_layout import WINDOWS, Layout, ring
from companion.vision.reading import Image
from companion.vision.tokens import REACH, SIDE, TokenNet

_GLANCE = 24
"""Side of the small patches that tell whether a window changed."""

_GLANCE_REACH = 1.25

_CHANGED = 24.0
"""A pixel of a small patch has changed if its channels differ by so much (of 255) on average."""

_STILL = 0.012
"""A patch is unchanged if no more than this share of its pixels has: a digit's strokes are more."""

_HIDDEN = 0.25
"""A window is hidden when this share of the lid close around it is and no digit shows."""

_TOUCHED = 0.12
"""From this share on something is so near to the window that a reading is only likely."""

_LIT = 0.22
"""The lamp may brighten the lid by this share where it lies now; more is a hand."""

_LIKELY = 0.85


@dataclass(frozen=True, slots=True)
class Shows:
    """Of 12 windows: probabilities of no digit and the numbers 1 to 6, shape (12, 7); share hidden, shape (12,)."""

    odds: npt.NDArray[np.float32]
    hidden: Floats


def glances(image: Image, layout: Layout, h: Floats) -> npt.NDArray[np.float32]:
    """Small softened patches of the windows and what is around them, shape (12, n, n, 3)."""
    fine = (cut(image, h, p, _GLANCE_REACH, 2 * _GLANCE) for p in layout.points)
    patches = (cv2.resize(patch, (_GLANCE, _GLANCE), interpolation=cv2.INTER_AREA) for patch in fine)
    return np.stack([cv2.blur(patch, (3, 3)).astype(np.float32) for patch in patches])


def unchanged(before: npt.NDArray[np.float32], now: npt.NDArray[np.float32]) -> npt.NDArray[np.bool_]:
    """Which of the 12 windows look as before."""
    changed = np.abs(before - now).mean(axis=3) > _CHANGED
    return np.asarray(changed.mean(axis=(1, 2)) <= _STILL, np.bool_)


def look(image: Image, layout: Layout, h: Floats, net: TokenNet) -> Shows:
    """Reads all windows."""
    # Twice as fine and then averaged: a token is larger in the frame than the patch.
    large = np.concatenate([cut(image, h, p, REACH, 2 * SIDE) for p in layout.points])
    patches = cv2.resize(large, (SIDE, WINDOWS * SIDE), interpolation=cv2.INTER_AREA)
    odds = net.read(np.asarray(patches, np.uint8).reshape(WINDOWS, SIDE, SIDE, 3))
    return Shows(odds, _hidden(image, layout, h, odds))


def _hidden(image: Image, layout: Layout, h: Floats, odds: npt.NDArray[np.float32]) -> Floats:
    """For each window the share of the lid close around it that does not look like the lid (shadow is allowed)."""
    now = sample(image, h, ring(layout.points)).astype(np.float64)
    then = layout.around.astype(np.float64)
    clear = odds[:, 0] < 0.5
    base = clear if np.count_nonzero(clear) > 1 else np.ones(WINDOWS, bool)
    gain = float(np.median((now[base].sum(axis=2) + 1) / (then[base].sum(axis=2) + 1)))
    return np.asarray(unlike(now, then * np.clip(gain, 0.3, 3.0), _LIT).mean(axis=1), np.float64)


def settle(odds: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Odds of 12 covered windows, corrected by the knowledge that a set has each number twice.

    Rows are brought to sum 1 and columns to 2 in turns (Sinkhorn). A share of doubt stays in every cell, so that a
    set that does differ is still read as it is.
    """
    table = odds[:, 1:].astype(np.float64) + 2e-3
    for _ in range(12):
        table *= 2 / table.sum(axis=0, keepdims=True)
        table /= table.sum(axis=1, keepdims=True)
    out = odds.copy()
    out[:, 1:] = table * (1 - odds[:, :1])
    return out


def is_hidden(shows: Shows) -> npt.NDArray[np.bool_]:
    """Windows before which a hand seems to be."""
    return np.asarray((shows.hidden > _HIDDEN) & (shows.odds[:, 0] > 0.5), np.bool_)


def most_sure(shows: Shows) -> Floats:
    """The highest confidence that a window's reading may have, given what is close around it."""
    return np.where(shows.hidden > _TOUCHED, _LIKELY, 1.0)
