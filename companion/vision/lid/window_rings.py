"""Rings of points close around the windows of a lid, and on the rims of their tokens."""

from __future__ import annotations

import numpy as np

from companion.vision.lid.geometry import FloatArray

RING_POINT_COUNT = 48
"""Points around each token, on two circles. If it grows, a hand at a window is seen more surely, at more cost."""
RIM_RADII = (0.85, 0.9)
"""Circles, in token radii, by which a token differs from a hole: it shows its rim there, a hole its wall or the lid's
edge. Holes had 0.82 to 0.93 of their tokens' radii. If they grow, tokens that lie a little aside count as holes."""
RIM_POINT_COUNT = 48
"""Points on these circles together. If it grows, the rim is seen more finely, at more cost."""


def make_ring_points(centers: FloatArray) -> FloatArray:
    """Return points on the lid close around each token, clear of its neighbours, on two circles of 24.

    Args:
        centers: centres of the windows in the lid's plane, token radii, shape (n, 2), n at least 2.

    Returns:
        Points in the lid's plane, token radii, shape (n, 48, 2) float64.

    Raises:
        ValueError: there are fewer than two windows.
    """
    away = np.linalg.norm(centers[:, None] - centers[None], axis=2)
    gap = float(away[~np.eye(len(centers), dtype=bool)].min())
    outer = min(1.34, max(1.12, gap - 1.08))
    angles = np.arange(RING_POINT_COUNT // 2) * (2 * np.pi / (RING_POINT_COUNT // 2))
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    return np.asarray(centers[:, None] + np.concatenate([circle * (0.6 * outer + 0.44), circle * outer]), np.float64)


def make_rim_points(centers: FloatArray) -> FloatArray:
    """Return points on the rim of each token: on each circle of `RIM_RADII` equally many, the inner one first.

    Args:
        centers: centres of the windows in the lid's plane, token radii, shape (n, 2).

    Returns:
        Points in the lid's plane, token radii, shape (n, 48, 2) float64.
    """
    count = RIM_POINT_COUNT // len(RIM_RADII)
    angles = np.arange(count) * (2 * np.pi / count)
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    return np.asarray(centers[:, None] + np.concatenate([radius * circle for radius in RIM_RADII]), np.float64)
