"""What each window shows under a known pose: a token and its number, an open hole, or a hand before it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.lid_circles import Scales, halved, halvings_for
from companion.vision.lid_geometry import CENTRE, Floats, cut, sample, scale_at, unlike
from companion.vision.lid_layout import WINDOWS, Layout, ring
from companion.vision.reading import Image
from companion.vision.tokens import NUMBERS, REACH, SIDE, TokenNet

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

_PERHAPS_OPEN = 0.8
"""A window that is open with more certainty is taken as open whatever was known of it."""

_CHANCE = 1 / NUMBERS


@dataclass(frozen=True, slots=True)
class Shows:
    """Of 12 windows: probabilities of no digit and the numbers 1 to 6, shape (12, 7); share hidden, shape (12,)."""

    odds: npt.NDArray[np.float32]
    hidden: Floats


def glances(scales: Scales, layout: Layout, h: Floats) -> Image:
    """Small softened pictures of the windows and what is around them, shape (12, n, n, 3), uint8."""
    halvings = halvings_for(scale_at(h, CENTRE), _GLANCE / 2 / _GLANCE_REACH)
    pixels = _GLANCE / (2 * _GLANCE_REACH)
    side = int(np.ceil(2 * pixels * (float(np.abs(layout.points).max()) + _GLANCE_REACH))) + 2
    reach = side / 2 / pixels
    lid = cv2.blur(cut(scales.small(halvings), halved(h, halvings), CENTRE, reach, side), (3, 3))
    left, top = np.rint((layout.points + (reach - _GLANCE_REACH)) * pixels).astype(int).T
    step = np.arange(_GLANCE)
    return np.asarray(lid[top[:, None, None] + step[:, None], left[:, None, None] + step], np.uint8)


def unchanged(before: Image, now: Image) -> npt.NDArray[np.bool_]:
    """Which of the 12 windows look as before."""
    away = cv2.absdiff(before, now).reshape(-1, 3) @ np.ones(3, np.float32)
    changed = (away > 3 * _CHANGED).reshape(WINDOWS, -1)
    return np.asarray(changed.mean(axis=1) <= _STILL, np.bool_)


def look(
    scales: Scales, layout: Layout, h: Floats, net: TokenNet, again: tuple[Shows, npt.NDArray[np.bool_]] | None = None
) -> Shows:
    """Reads all windows, or of those read before only the ones marked in `again`."""
    which = np.ones(WINDOWS, bool) if again is None else again[1]
    odds = np.zeros((WINDOWS, NUMBERS + 1), np.float32) if again is None else again[0].odds.copy()
    if which.any():
        halvings = halvings_for(scale_at(h, CENTRE), SIDE / 2 / REACH)
        image, turn = scales.small(halvings), halved(h, halvings)
        # Twice as fine and then averaged: a token is larger in the frame than the patch.
        large = np.concatenate([cut(image, turn, p, REACH, 2 * SIDE) for p in layout.points[which]])
        patches = cv2.resize(large, (SIDE, len(large) // 2), interpolation=cv2.INTER_AREA)
        odds[which] = net.read(np.asarray(patches, np.uint8).reshape(-1, SIDE, SIDE, 3))
    return Shows(odds, _hidden(scales.small(0), layout, h, odds))


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


def remembered(odds: npt.NDArray[np.float32], known: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Odds (7,) of a window that is perhaps open, but if not, shows just the number that is `known` of it.

    What lies below an open window would look like this very number only by chance.
    """
    if odds[0] > _PERHAPS_OPEN or odds[1:].argmax() != known[1:].argmax():
        return odds
    out = odds.copy()
    out[0] *= _CHANCE
    return np.asarray(out / out.sum(), np.float32)


def is_hidden(shows: Shows) -> npt.NDArray[np.bool_]:
    """Windows before which a hand seems to be."""
    return np.asarray((shows.hidden > _HIDDEN) & (shows.odds[:, 0] > 0.5), np.bool_)


def most_sure(shows: Shows) -> Floats:
    """The highest confidence that a window's reading may have, given what is close around it."""
    return np.where(shows.hidden > _TOUCHED, _LIKELY, 1.0)
