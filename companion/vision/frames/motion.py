"""What moves in front of the camera, cheaply enough for every frame.

A frame is made grey and shrunk to 640 pixels' width; the mean absolute difference in blocks of 8x8 of these pixels is
compared with the noise, which is learnt as it goes. The mean over a block keeps the noise down by its number of
pixels, yet a die that turns in its place changes it.

What a lamp that flickers or a cloud explains (all of it, or rows of it, lighter or darker by up to a quarter) is no
motion.

When all that has edges moves, the view itself may (sway.py): then the frame before is laid over this one, and what
differs still, by more than edges do that are a little off, moves on the table.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.frames.view_shift import Gray, Shift, unmoved, view_shift
from companion.vision.reading import Box, Image

Blocks = npt.NDArray[np.bool_]
"""One flag a block, shape (rows, columns)."""

WIDTH: Final = 640
BLOCK: Final = 8

_MARGIN = 3.0
"""Grey levels a block must change by, beyond twice the noise: a token changes tens, compression one or two."""

_DARK = 10.0
"""A frame of this mean grey level shows nothing: a covered lens, no light."""


_EDGE = 8
"""Grey levels a pixel by which a block's pixels differ from their neighbours' if it shows edges."""
_LEARN_EVERY = 4
_NEARLY = 0.7
"""One of so many frames teaches the noise as long as it keeps below this share of what counts as motion."""
_FEW = 6
"""So many blocks with edges have to be in view."""
_MOST = 0.35
"""At least this share of the blocks with edges changes when the view moves."""
_TREMBLE = 0.06
"""Shrunk pixels by which edges then move at least, beyond what the view changes as a whole."""
_EXPLAINED = 0.4
"""The least share of what moves that the view's motion has to explain; the rest are dice and hands."""
_CONTRADICTED = 0.05
"""What stood still may be moved by it at most so much, in shares of what it explains: the edges of things."""
_SLACK = 1.0
"""Shrunk pixels by which edges are off when the view moved: blur, parallax, and what lies between pixels."""
_LEAST_SHIFT = 0.1
"""Shrunk pixels; what is less does not show."""
_SWAY_S = 1.0
"""For so long after the view moved it is expected to move on, a little or much."""
_GAIN = 1.25
"""The most that a camera's exposure changes from frame to frame; lamps that flicker by more change everything."""
_RELIT = 0.01
"""The least change of light, as a share, that is worth being taken off."""
_LIT_LEVELS = 24, 245
"""Mean grey levels of a block between which it tells by how much the light changed: neither noise nor clipped."""
_SLOP = 0.25
"""The share of a change of light that is left open: clipped and dark parts follow it less, shadows otherwise."""
_BANDED = 0.5
"""From this share of rows on in which most has become lighter or darker, lamps may flicker within a frame, of which a
rolling shutter makes bands; an arm covers fewer rows."""
_BANDS = 0.5
"""The most of the changed blocks that bands may leave unexplained."""
_SWEEP = 0.22
"""Widths of the view a second: a camera that is moved so fast, or nears so fast, is on its way to somewhere."""


@dataclass(frozen=True, slots=True)
class Change:
    """How a frame differs from the one before.

    `still`: nothing moves on the table. `everywhere`: light, or the whole view, changed. `same`: not one bit is
    different. `swaying`: the view has been moving of late; then `shift` is its motion from the frame before in shrunk
    pixels, None if it could not be told, and `sweeping`, whether it goes fast. `astray`: most edges in view move,
    and it could not be told how.
    """

    moving: Blocks
    still: bool
    everywhere: bool
    same: bool
    swaying: bool = False
    sweeping: bool = False
    shift: Shift | None = None
    astray: bool = False


@dataclass(frozen=True, slots=True)
class Past:
    """An earlier frame, shrunk, and how the view moved since."""

    gray: Gray
    shift: Shift | None = None

    def moved(self, shift: Shift) -> Past:
        """The same after the view moved on."""
        return replace(self, shift=shift if self.shift is None else self.shift.then(shift))


class Motion:
    """Frames in, blocks that move out.

    While things move, each frame is compared with the one before. While all rests, it is compared with an anchor that
    is renewed every second: so a slow hand adds up to a motion, and slow daylight does not.
    """

    def __init__(self, renew_s: float = 1.0) -> None:
        self._renew_s = renew_s
        self._anchor: Gray | None = None
        self._anchored_at = self._seen_at = 0.0
        self._noise: float | None = None
        self._swayed_at = -np.inf
        self._turn = 0
        self.gray: Gray | None = None
        """The last frame, shrunk."""

    def see(self, image: Image, at: float) -> Change | None:
        """What moved at `at` (seconds); None for the first frame after a start or another frame size."""
        gray = shrink(image)
        before, self.gray = self.gray, gray
        since, self._seen_at = at - self._seen_at, at
        if before is None or self._anchor is None or self._anchor.shape != gray.shape:
            self._anchor, self._anchored_at, self._noise, self._swayed_at = gray, at, None, -np.inf
            return None
        difference = _differences(gray, self._anchor)
        if self._noise is None:
            self._noise = min(_median(difference), _MARGIN)
        largest = int(difference.max())
        same = largest == 0
        if largest > self._threshold:
            difference = self._relit(difference, gray, self._anchor)
            largest = int(difference.max())
        still = largest <= self._threshold
        swaying = at - self._swayed_at < _SWAY_S
        moving: Blocks = difference > self._threshold if not still else np.zeros(difference.shape, np.bool_)
        astray = not still and (swaying or _most_edges_move(difference, before))
        if astray:
            change = self._sway(before, gray, moving, since, at)
            if change is not None:
                return change
        # A view that is still cannot have changed everywhere, and one frame in some teaches its noise as well.
        self._turn = (self._turn + 1) % _LEARN_EVERY
        teaches = self._turn == 0 or largest > _NEARLY * self._threshold
        everywhere = teaches and self._learn_noise(_median(difference))
        if everywhere or not still or swaying or at - self._anchored_at >= self._renew_s:
            self._anchor, self._anchored_at = gray, at
        shift = unmoved(gray) if still and swaying else None
        return Change(moving, still, everywhere, same, swaying, shift=shift, astray=astray)

    def _sway(self, before: Gray, gray: Gray, moving: Blocks, since: float, at: float) -> Change | None:
        """What moves beside the view, if it was the view that moved."""
        shift = view_shift(before, gray)
        if shift is None:
            return None
        difference, apart = self._compared(gray, Past(before, shift))
        explained = np.count_nonzero(moving & ~apart)
        contradicted = np.count_nonzero(apart & ~moving)
        if explained < _EXPLAINED * np.count_nonzero(moving) or contradicted > max(3.0, _CONTRADICTED * explained):
            return None
        if shift.reach * gray.shape[1] > _LEAST_SHIFT:
            self._swayed_at = at
        self._anchor, self._anchored_at = gray, at
        everywhere = self._learn_noise(_median(difference))
        sweeping = shift.reach > _SWEEP * max(since, 1e-3)
        swaying = at - self._swayed_at < _SWAY_S
        return Change(apart, not apart.any(), everywhere, False, swaying, sweeping, shift)

    def past(self) -> Past:
        """The last frame, to be compared with later ones."""
        assert self.gray is not None
        return Past(self.gray)

    def changed_since(self, past: Past) -> Blocks:
        """Blocks of the last frame that differ from an earlier one of the same shape."""
        assert self.gray is not None
        return self._compared(self.gray, past)[1]

    def _compared(self, gray: Gray, past: Past) -> tuple[Gray, Blocks]:
        """The blocks' differences from an earlier frame, and those that are more than noise and edges a little off."""
        if past.shift is None:
            difference = self._relit(_differences(gray, past.gray), gray, past.gray)
            return difference, difference > self._threshold
        warped = past.shift.warped(past.gray, gray)
        gain = float(gray.mean()) / max(1.0, float(warped.mean()))
        if _GAIN > gain > 1 / _GAIN:  # cameras follow the light of what they are held to
            warped = cv2.convertScaleAbs(warped, alpha=gain).astype(np.uint8, copy=False)
        difference = _differences(gray, warped)
        return difference, difference > self._threshold + _SLACK * _edges(gray).astype(np.float32)

    def _relit(self, difference: Gray, gray: Gray, before: Gray) -> Gray:
        """The blocks' differences from an earlier frame without what is the light's: a lamp's flicker, a cloud.

        A block counts as changed only if neither the light as it was nor its change explains it.
        """
        if int(difference.max()) <= self._threshold:
            return difference
        now, then = _block_means(gray), _block_means(before)
        lit = (np.minimum(now, then) >= _LIT_LEVELS[0]) & (np.maximum(now, then) <= _LIT_LEVELS[1])
        if 4 * np.count_nonzero(lit) < lit.size:
            return difference
        ratio = now / np.maximum(then, 1).astype(np.float32)
        gain = float(np.median(ratio[lit]))
        if abs(gain - 1) > _RELIT and 1 / _GAIN < gain < _GAIN:
            difference = np.minimum(difference, _differences_relit(gray, before, np.full(len(lit), gain)))
        going = np.count_nonzero(difference > self._threshold)
        rows = np.median(np.where(lit, ratio, gain), axis=1)
        if np.count_nonzero(np.abs(rows - 1) > _RELIT) < _BANDED * len(rows):
            return difference
        banded = np.minimum(difference, _differences_relit(gray, before, np.clip(rows, 1 / _GAIN, _GAIN)))
        return banded if np.count_nonzero(banded > self._threshold) <= _BANDS * going else difference

    @property
    def _threshold(self) -> float:
        return 2 * (self._noise or 0.0) + _MARGIN

    def _learn_noise(self, median: float) -> bool:
        """Takes the typical block's difference in; says whether it rose by more than noise does."""
        assert self._noise is not None
        everywhere = median > 2 * self._noise + _MARGIN
        # Noise that rose for good (a camera's gain in the evening) is learnt in the end; a lamp is over long before.
        self._noise += min(0.1 * (median - self._noise), 0.1)
        return everywhere


def shrink(image: Image) -> Gray:
    """The frame in grey, about 640 pixels wide, both sides whole blocks; small frames keep their size."""
    height, width = image.shape[:2]
    scale = min(1.0, WIDTH / width)
    size = tuple(max(1, round(side * scale / BLOCK)) * BLOCK for side in (width, height))
    gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    if size != (width, height):
        gray = cv2.resize(gray, size, interpolation=cv2.INTER_AREA)
    return gray.astype(np.uint8, copy=False)


def is_dark(gray: Gray) -> bool:
    """Whether the frame shows nothing at all."""
    return float(gray.mean()) < _DARK and float(np.quantile(gray, 0.999)) < 4 * _DARK


def blocks_of(box: Box, image: Image, blocks: Blocks) -> tuple[slice, slice]:
    """The rows and columns of blocks that a box of the full frame touches."""
    height, width = image.shape[:2]
    rows, columns = blocks.shape
    x0, y0, x1, y1 = box
    return (
        slice(max(0, int(y0 / height * rows)), max(0, int(y1 / height * rows) + 1)),
        slice(max(0, int(x0 / width * columns)), max(0, int(x1 / width * columns) + 1)),
    )


def box_of(blocks: Blocks, image: Image) -> Box | None:
    """The box in the full frame around all flagged blocks; None if there are none."""
    ys, xs = np.nonzero(blocks)
    if not len(ys):
        return None
    height, width = image.shape[:2]
    sy, sx = height / blocks.shape[0], width / blocks.shape[1]
    return float(xs.min() * sx), float(ys.min() * sy), float((xs.max() + 1) * sx), float((ys.max() + 1) * sy)


def _differences(a: Gray, b: Gray) -> Gray:
    """The mean absolute difference in each block."""
    return _block_means(cv2.absdiff(a, b))


def _differences_relit(gray: Gray, before: Gray, gains: npt.NDArray[np.floating[Any]]) -> Gray:
    """The differences had the light changed before by `gains`, one a row of blocks, less what these leave open."""
    each = cv2.resize(gains.astype(np.float32)[:, None], (1, len(gray)))
    difference = _differences(gray, np.asarray(cv2.convertScaleAbs(before * each), np.uint8))
    return np.asarray(
        cv2.subtract(difference, cv2.convertScaleAbs(_block_means(gray) * (_SLOP * np.abs(gains - 1))[:, None])),
        np.uint8,
    )


def _edges(gray: Gray) -> Gray:
    """By how much neighbouring pixels differ in each block, in both directions together: grey levels a pixel."""
    across = cv2.absdiff(gray[1:, 1:], gray[1:, :-1])
    down = cv2.absdiff(gray[1:, 1:], gray[:-1, 1:])
    return _block_means(cv2.copyMakeBorder(cv2.add(across, down), 1, 0, 1, 0, cv2.BORDER_REPLICATE))


def _most_edges_move(difference: Gray, gray: Gray) -> bool:
    """Whether most of what shows edges changes a little or much: then the view may have moved."""
    edges = _edges(gray)
    sharp = edges >= _EDGE
    sharp_edges, going = edges[sharp].astype(np.float32), difference[sharp]
    if len(going) < _FEW:
        return False
    least = _median(difference) + _TREMBLE * sharp_edges
    return bool(np.count_nonzero(going > least) >= _MOST * len(going))


def _block_means(pixels: npt.ArrayLike) -> Gray:
    means = np.asarray(pixels, np.uint8)
    height, width = means.shape
    # Three halvings take a quarter of the time of one step by eight.
    for part in (2, 4, 8):
        means = np.asarray(cv2.resize(means, (width // part, height // part), interpolation=cv2.INTER_AREA), np.uint8)
    return means


def _median(difference: Gray) -> float:
    sample = difference[::3, ::3].ravel()
    middle = len(sample) // 2
    return float(np.partition(sample, middle)[middle])
