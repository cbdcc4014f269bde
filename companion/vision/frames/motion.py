"""Detect motion in front of the camera, cheaply enough for every frame.

A frame is made grey and shrunk to a width of 640 pixels; the mean absolute difference in blocks of 8x8 of these pixels
is compared with the noise, which is learnt meanwhile. The mean over a block averages the noise over its pixels, yet a
die that turns in its place changes it.

Changes that a flickering lamp or a cloud explains (all of it, or rows of it, lighter or darker by up to a quarter) are
no motion.

When everything that has edges moves, the view itself may have moved (view_shift): then the frame before is warped onto
this one, and blocks that still differ, by more than edges do that are a little off, move on the table."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.vision.frames.blocks import BlockMask, average_blocks, shrink_to_blocks
from companion.vision.frames.relighting import (
    MAX_GAIN_RATIO,
    MIN_EDGE_LEVELS,
    MIN_GAIN_CHANGE_SHARE,
    are_only_relit,
    measure_differences,
    measure_edges,
    measure_relit_differences,
)
from companion.vision.frames.view_shift import ViewShift, estimate_view_shift
from companion.vision.reading import GreyImage, Image

_ANCHOR_SECONDS = 1.0
"""Seconds after which the frame that resting ones are compared with is renewed. If it grows, slower motions are
seen."""

_MIN_CHANGE_LEVELS = 3.0
"""Change of a block (grey levels), beyond twice the noise, that is motion: a token changes tens, compression one or
two. If it grows, pale things move unseen."""

_NOISE_LEARNING_FRAMES = 4
"""One of this many quiet frames updates the noise. If it grows, noise is learnt more slowly, at less cost."""

_MAX_QUIET_SHARE = 0.7
"""Share of the motion threshold up to which a frame is quiet; others always update the noise. If it grows, noise is
learnt more slowly, at less cost."""

_MIN_EDGE_BLOCKS = 6
"""Least number of blocks with edges from which a moved view can be recognised. If it grows, bare tables never move."""

_MIN_MOVING_EDGE_SHARE = 0.35
"""Least share of the blocks with edges that change when the view moves. If it grows, slow moves of the view are
missed."""

_MIN_EDGE_MOTION_PX = 0.06
"""Least motion of an edge (shrunk pixels) that changes its block, beyond the view's median change. If it grows, slow
moves of the view are missed."""

_MIN_EXPLAINED_SHARE = 0.4
"""Least share of the moving blocks that the view's motion must explain; the rest are dice and hands. If it grows, hands
in a moving view are misread more often."""

_MAX_CONTRADICTED_SHARE = 0.05
"""Largest number of still blocks that the view's motion may move, as a share of the explained ones: edges of things. If
it grows, wrong motions of the view are accepted."""

_MIN_CONTRADICTED_BLOCKS = 3.0
"""Still blocks that may always move, however few are explained. If it grows, wrong motions of the view are accepted."""

_EDGE_TOLERANCE_PX = 1.0
"""How far edges may be off when the view moved, shrunk pixels: blur, parallax, rounding. If it grows, small motions in
a moving view are missed."""

_MIN_VISIBLE_SHIFT_PX = 0.1
"""Least motion of the view (shrunk pixels) that counts. If it grows, slow moves of the view are missed."""

_VIEW_MOTION_SECONDS = 1.0
"""Seconds for which the view is expected to move on after it moved. If it grows, dice are read later after a bump."""

_MIN_LIT_LEVEL = 24
"""Mean grey level from which a block shows by how much the light changed; darker ones are noise. If it grows, fewer
do."""

_MAX_LIT_LEVEL = 245
"""Mean grey level up to which it does; brighter ones are clipped. If it grows, clipped blocks disturb the
measurement."""

_MIN_BANDED_ROW_SHARE = 0.5
"""Share of rows that must have become lighter or darker for a lamp to flicker within a frame, where a rolling shutter
makes bands; an arm covers fewer rows. If it grows, bands count as motion."""

_MAX_UNEXPLAINED_SHARE = 0.5
"""Largest share of the changed blocks that bands may leave unexplained. If it grows, arms may pass for bands."""

_MIN_FAST_WIDTHS_PER_SECOND = 0.22
"""Widths of the view per second from which a camera that is moved, or comes nearer, is on its way somewhere. If it
grows, carried cameras are read."""

_NOISE_LEARNING_RATE = 0.1
"""Share of the deviation by which the noise is updated. If it grows, noise is learnt faster."""

_MAX_NOISE_RISE_LEVELS = 0.1
"""Largest rise of the noise per update (grey levels). If it grows, noise is learnt faster, and a lamp may pass for
noise."""


@dataclass(frozen=True, slots=True)
class FrameChange:
    """How a frame differs from the one before, or, while everything rests, from one of the last second.

    >>> still = FrameChange(np.zeros((60, 80), bool), is_still=True, is_everywhere=False, is_identical=False)
    >>> bool(still.moving.any()), still.shift
    (False, None)

    Attributes:
        moving: blocks that move on the table, shape (rows, columns) bool.
        is_still: whether nothing moves on the table: no flag in `moving` is set.
        is_everywhere: whether the light, or the whole view, changed.
        is_identical: whether no block's mean differs by a grey level from the frame compared with: the noise of a
            camera that works prevents that.
        is_view_moving: whether the view has moved within the last second.
        is_view_moving_fast: whether it moves so fast that the camera is being carried.
        shift: the view's motion from the frame before to this one, in shrunk pixels (of `shrink_to_blocks`); no motion
            if the view has come to rest within the last second; None if it is at rest or its motion is unknown.
        is_unexplained: whether most edges move, and no motion of the view explains it.
    """

    moving: BlockMask
    is_still: bool
    is_everywhere: bool
    is_identical: bool
    is_view_moving: bool = False
    is_view_moving_fast: bool = False
    shift: ViewShift | None = None
    is_unexplained: bool = False


@dataclass(frozen=True, slots=True)
class ReferenceFrame:
    """An earlier frame to compare with.

    >>> reference = ReferenceFrame(np.zeros((360, 640), np.uint8))
    >>> reference.shifted_by(ViewShift(np.eye(3), 640, 360)).shift.width
    640

    Attributes:
        grey: the shrunk frame, (h, w) uint8, as `shrink_to_blocks` returns it.
        shift: the motion of the view from this frame to the current one, in shrunk pixels; None: it has not moved.
    """

    grey: GreyImage
    shift: ViewShift | None = None

    def shifted_by(self, shift: ViewShift) -> ReferenceFrame:
        """Return the same frame after the view moved further.

        Args:
            shift: the view's motion since the shift that is already noted, in shrunk pixels of the same size.

        Returns:
            A copy whose `shift` is both motions together; this object stays as it is.
        """
        return replace(self, shift=shift if self.shift is None else self.shift.followed_by(shift))


class MotionDetector:
    """Find the blocks of each frame that move.

    >>> table = np.full((480, 640, 3), 120, np.uint8)
    >>> hand = table.copy()
    >>> hand[100:300, 200:400] = 200
    >>> detector = MotionDetector()
    >>> changes = [detector.process_frame(frame, at=n / 15) for n, frame in enumerate((table, table, hand))]
    >>> [change and bool(change.moving.any()) for change in changes]
    [None, False, True]

    While things move, each frame is compared with the one before. While everything rests, it is compared with an anchor
    that is renewed every second, so a slow hand adds up to a motion, and slow daylight does not. Not thread-safe.

    Attributes:
        grey: the last frame, shrunk, (h, w) uint8, as `shrink_to_blocks` returns it; shape (0, 0) before the first.
    """

    def __init__(self) -> None:
        self.grey = self._anchor = np.zeros((0, 0), np.uint8)
        self._anchored_at = self._seen_at = 0.0
        self._noise: float | None = None
        self._view_moved_at = -np.inf
        self._quiet_frames = 0

    def process_frame(self, image: Image, at: float) -> FrameChange | None:
        """Compare a frame with those before it, and keep it as the last frame.

        Args:
            image: (H, W, 3) uint8 BGR, as `image_io.normalise_frame` returns it (not checked).
            at: its time in seconds, rising from call to call (not checked).

        Returns:
            The change; None for the first frame, and for the first of another size.

        Raises:
            cv2.error: `image` has another number of channels, or is empty.
        """
        grey = shrink_to_blocks(image)
        before, self.grey = self.grey, grey
        since, self._seen_at = at - self._seen_at, at
        if self._anchor.shape != grey.shape:
            self._anchor, self._anchored_at, self._noise, self._view_moved_at = grey, at, None, -np.inf
            return None
        difference = measure_differences(grey, self._anchor)
        if self._noise is None:
            self._noise = min(_estimate_median(difference), _MIN_CHANGE_LEVELS)
        identical = not difference.any()
        difference = self._remove_light_changes(difference, grey, self._anchor)
        moving: BlockMask = difference > self._threshold
        still = not moving.any()
        view_moving = at - self._view_moved_at < _VIEW_MOTION_SECONDS
        unexplained = not still and (view_moving or _have_most_edges_moved(difference, before))
        if unexplained:
            change = self._find_motion_beside_view(before, grey, moving, since, at)
            if change is not None:
                return change
        # A view that is still cannot have changed everywhere, and one frame in some updates its noise as well.
        self._quiet_frames = (self._quiet_frames + 1) % _NOISE_LEARNING_FRAMES
        quiet = int(difference.max()) <= _MAX_QUIET_SHARE * self._threshold
        everywhere = (self._quiet_frames == 0 or not quiet) and self._learn_noise(difference)
        if everywhere or not still or view_moving or at - self._anchored_at >= _ANCHOR_SECONDS:
            self._anchor, self._anchored_at = grey, at
        shift = ViewShift(np.eye(3), grey.shape[1], grey.shape[0]) if still and view_moving else None
        return FrameChange(moving, still, everywhere, identical, view_moving, shift=shift, is_unexplained=unexplained)

    def _find_motion_beside_view(
        self, before: GreyImage, grey: GreyImage, moving: BlockMask, since: float, at: float
    ) -> FrameChange | None:
        """Find what moves apart from the view; None if it was not the view that moved."""
        shift = estimate_view_shift(before, grey)
        if shift is None:
            return None
        difference, apart = self._compare(grey, ReferenceFrame(before, shift))
        explained = np.count_nonzero(moving & ~apart)
        contradicted = np.count_nonzero(apart & ~moving)
        is_explained = explained >= _MIN_EXPLAINED_SHARE * np.count_nonzero(moving)
        if not is_explained or contradicted > max(_MIN_CONTRADICTED_BLOCKS, _MAX_CONTRADICTED_SHARE * explained):
            return None
        if shift.max_travel_widths * grey.shape[1] > _MIN_VISIBLE_SHIFT_PX:
            self._view_moved_at = at
        self._anchor, self._anchored_at = grey, at
        everywhere = self._learn_noise(difference)
        fast = shift.max_travel_widths > _MIN_FAST_WIDTHS_PER_SECOND * max(since, 1e-3)
        view_moving = at - self._view_moved_at < _VIEW_MOTION_SECONDS
        return FrameChange(apart, not apart.any(), everywhere, False, view_moving, fast, shift)

    def make_reference(self) -> ReferenceFrame:
        """Return the last frame, to compare later ones with; without any frame so far it is empty and of no use."""
        return ReferenceFrame(self.grey)

    def find_changed_blocks(self, reference: ReferenceFrame) -> BlockMask:
        """Return the blocks of the last frame that differ from an earlier one.

        Args:
            reference: the earlier frame, from `make_reference` of this detector; frames must have kept their size
                since.

        Returns:
            Flags, shape (rows, columns) bool: True where the block changed by more than light, noise or the shift in
            `reference` explain.

        Raises:
            cv2.error, TypeError: the size has changed, or there was no frame yet.
        """
        return self._compare(self.grey, reference)[1]

    def are_only_relit(self, reference: ReferenceFrame, blocks: BlockMask) -> bool:
        """Return whether light alone explains how connected blocks differ from an earlier frame, but for dice there.

        Args:
            reference: the earlier frame, from `make_reference` of this detector, of a view that has not moved since;
                else the answer is False.
            blocks: the blocks, shape (rows, columns) bool, at least one.
        """
        return reference.shift is None and are_only_relit(self.grey, reference.grey, blocks, self._threshold)

    def _compare(self, grey: GreyImage, reference: ReferenceFrame) -> tuple[GreyImage, BlockMask]:
        """Return the blocks' differences from an earlier frame, and which exceed noise and edges a little off."""
        if reference.shift is None:
            difference = measure_differences(grey, reference.grey)
            difference = self._remove_light_changes(difference, grey, reference.grey)
            return difference, difference > self._threshold
        warped = reference.shift.warp_frame(reference.grey, grey)
        gain = float(grey.mean()) / max(1.0, float(warped.mean()))
        if MAX_GAIN_RATIO > gain > 1 / MAX_GAIN_RATIO:  # a moved camera adapts its exposure
            warped = cv2.convertScaleAbs(warped, alpha=gain).astype(np.uint8, copy=False)
        difference = measure_differences(grey, warped)
        return difference, difference > self._threshold + _EDGE_TOLERANCE_PX * measure_edges(grey).astype(np.float32)

    def _remove_light_changes(self, difference: GreyImage, grey: GreyImage, before: GreyImage) -> GreyImage:
        """Return the blocks' differences from an earlier frame without changes of light: a lamp's flicker, a cloud.

        A block counts as changed only if neither the light as it was nor its change explains it.
        """
        if int(difference.max()) <= self._threshold:
            return difference
        now, then = average_blocks(grey), average_blocks(before)
        lit = (np.minimum(now, then) >= _MIN_LIT_LEVEL) & (np.maximum(now, then) <= _MAX_LIT_LEVEL)
        if 4 * np.count_nonzero(lit) < lit.size:
            return difference
        ratio = now / np.maximum(then, 1).astype(np.float32)
        gain = float(np.median(ratio[lit]))
        if abs(gain - 1) > MIN_GAIN_CHANGE_SHARE and 1 / MAX_GAIN_RATIO < gain < MAX_GAIN_RATIO:
            difference = np.minimum(difference, measure_relit_differences(grey, before, np.full(len(lit), gain)))
        changed = np.count_nonzero(difference > self._threshold)
        rows = np.median(np.where(lit, ratio, gain), axis=1)
        if np.count_nonzero(np.abs(rows - 1) > MIN_GAIN_CHANGE_SHARE) < _MIN_BANDED_ROW_SHARE * len(rows):
            return difference
        gains = np.clip(rows, 1 / MAX_GAIN_RATIO, MAX_GAIN_RATIO)
        banded = np.minimum(difference, measure_relit_differences(grey, before, gains))
        return banded if np.count_nonzero(banded > self._threshold) <= _MAX_UNEXPLAINED_SHARE * changed else difference

    @property
    def _threshold(self) -> float:
        return 2 * (self._noise or 0.0) + _MIN_CHANGE_LEVELS

    def _learn_noise(self, difference: GreyImage) -> bool:
        """Update the noise by the median block's difference; tell whether that rose by more than noise does."""
        assert self._noise is not None
        median = _estimate_median(difference)
        everywhere = median > self._threshold
        # Noise that rose permanently (a camera's gain in the evening) is learnt in the end; a lamp is over long before.
        self._noise += min(_NOISE_LEARNING_RATE * (median - self._noise), _MAX_NOISE_RISE_LEVELS)
        return everywhere


def _have_most_edges_moved(difference: GreyImage, grey: GreyImage) -> bool:
    """Tell whether most blocks with edges change a little or much: then the view may have moved."""
    edges = measure_edges(grey)
    sharp = edges >= MIN_EDGE_LEVELS
    changes = difference[sharp]
    if len(changes) < _MIN_EDGE_BLOCKS:
        return False
    least = _estimate_median(difference) + _MIN_EDGE_MOTION_PX * edges[sharp].astype(np.float32)
    return bool(np.count_nonzero(changes > least) >= _MIN_MOVING_EDGE_SHARE * len(changes))


def _estimate_median(difference: GreyImage) -> float:
    """Return the median of every third row and column."""
    sample = difference[::3, ::3].ravel()
    middle = len(sample) // 2
    return float(np.partition(sample, middle)[middle])
