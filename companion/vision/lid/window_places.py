"""Places around the windows of a lid: reading order, the square that holds them, rings close to each."""

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
_MIN_ROW_DISTANCE_RADII = 0.45
"""A window that lies this much lower than the last one begins a new row. If it grows, staggered windows share a row."""
_LID_IMAGE_MARGIN_RATIO = 1.12
"""Half the side of the lid's image, in half sides of the lid. If it grows, more of the table is in the image."""


def sort_in_reading_order(points: FloatArray) -> list[int]:
    """Return the indices of points row by row from the top, each row from the left.

    >>> sort_in_reading_order(np.array([[4.0, 0.1], [0.0, 0.0], [0.0, 4.0]]))
    [1, 0, 2]

    Args:
        points: (n, 2) in the lid's plane, token radii; n at least 1.

    Returns:
        n indices from 0, each once.

    Raises:
        IndexError: there are no points.
    """
    order = sorted(range(len(points)), key=lambda i: float(points[i, 1]))
    lines = [[order[0]]]
    for i in order[1:]:
        if points[i, 1] - points[lines[-1][-1], 1] > _MIN_ROW_DISTANCE_RADII:
            lines.append([])
        lines[-1].append(i)
    return [i for line in lines for i in sorted(line, key=lambda i: float(points[i, 0]))]


def compute_half_side(corners: FloatArray) -> float:
    """Return half the side of the square around the origin that holds the lid and a little of its surroundings.

    >>> round(compute_half_side(np.array([[-5.0, -4.0], [5.0, -4.0], [5.0, 4.0], [-5.0, 4.0]])), 6)
    5.6

    Args:
        corners: the lid's, shape (4, 2), in any unit, with the windows' common centre as origin.

    Returns:
        A length in the unit of `corners`.
    """
    return float(np.abs(corners).max() * _LID_IMAGE_MARGIN_RATIO)


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
