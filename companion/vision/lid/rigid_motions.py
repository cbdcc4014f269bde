"""Rigid motions of the lid's plane onto circles in the frame, as complex numbers z -> a z + b."""

import numpy as np

from companion.vision.lid.geometry import BoolArray, FloatArray
from companion.vision.lid.layout import WINDOW_COUNT, LidLayout

_MAX_DISTINCT_MOTIONS = 120
"""Largest number of distinct motions that are rated by all 12 windows. If it grows, the search takes longer."""
_MOTION_BIN_RAD = 0.1
"""Motions whose angles differ by no more (radians) are about the same. If it grows, fewer distinct motions remain."""
_MOTION_BIN_RADII = 0.4
"""Motions whose shifts differ by no more (token radii) are about the same. If it grows, fewer distinct motions
remain."""
_MAX_STRETCH_SHARE = 0.1
"""Largest deviation of two circles' distance from that of two windows, as a share. If it grows, more pairs vote."""


def compute_motions(circles: FloatArray, layout: LidLayout) -> FloatArray:
    """Return the rigid motions z -> a z + b (complex rows of a, b) that take two neighbouring windows to two circles.

    `circles` are centres in the lid's plane, shape (n, 2).
    """
    z = layout.centers[:, 0] + 1j * layout.centers[:, 1]
    q = circles[:, 0] + 1j * circles[:, 1]
    near = np.argsort(np.abs(z[None] - z[:, None]), axis=1)[:, 1:4]
    steps = np.column_stack([np.repeat(np.arange(WINDOW_COUNT), near.shape[1]), near.ravel()])
    k, m = np.unique(np.sort(steps, axis=1), axis=0).T  # the way back gives the same motions
    i, j = np.triu_indices(len(q), 1)
    ratio = (q[j] - q[i])[:, None] / (z[m] - z[k])[None]
    length = np.abs(ratio)
    pair, pick = np.nonzero(np.abs(length - 1) < _MAX_STRETCH_SHARE)
    a = ratio[pair, pick] / length[pair, pick]
    middle_q = (q[i] + q[j])[pair] / 2
    middle_z = (z[k] + z[m])[pick] / 2
    if len(layout.symmetry_angles) % 2:  # else a lid turned half round is the same one
        a, middle_q, middle_z = np.concatenate([a, -a]), np.tile(middle_q, 2), np.tile(middle_z, 2)
    return np.column_stack([a, middle_q - a * middle_z])


def merge_similar_motions(motions: FloatArray) -> FloatArray:
    """Return the mean of each bin of similar motions (complex rows of a, b), the fullest bins first."""
    a, b = motions.T
    bins = [np.angle(a) / _MOTION_BIN_RAD, b.real / _MOTION_BIN_RADII, b.imag / _MOTION_BIN_RADII]
    steps = np.rint(np.column_stack(bins))
    steps = (steps - steps.min(axis=0)).astype(np.int64)
    key = np.ravel_multi_index(tuple(steps.T), tuple(steps.max(axis=0) + 1))
    order = np.argsort(key)
    starts = np.flatnonzero(np.diff(key[order], prepend=-1))
    counts = np.diff(starts, append=len(key))
    most = np.argsort(-counts, kind="stable")[:_MAX_DISTINCT_MOTIONS]
    means = np.add.reduceat(motions[order], starts)[most] / counts[most, None]
    means[:, 0] /= np.abs(means[:, 0])
    return np.asarray(means)


def cover_same_places(places: FloatArray, others: FloatArray, max_distance_px: float) -> BoolArray:
    """Tell which of the `others` (n, 12, 2) put windows onto the same places (12, 2), in any order."""
    away = np.linalg.norm(others[:, :, None] - places, axis=3)
    return np.asarray(away.min(axis=2).max(axis=1) < max_distance_px, np.bool_)
