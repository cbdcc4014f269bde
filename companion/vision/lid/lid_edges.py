"""Find the sides of a lid that is learnt: four long straight edges around the windows, at right angles.

Where a lid lies that is known, `pose` finds by its windows.

For every angle of a rectangle around the windows, the share of each side's length is measured that has edges of its
direction at one distance. Where the table has the lid's colour this finds what colours do not.
"""

import cv2
import numpy as np

from companion.vision.lid.geometry import FloatArray, make_rigid_motion
from companion.vision.reading import Image

_MIN_MARGIN_RADII = 1.1
"""Least distance of a side from the outermost windows' centres, in token radii. If it grows, narrow rims are missed."""

_MAX_MARGIN_RADII = 3.6
"""Largest such distance. If it grows, wider rims are found, and edges of the table more often taken for sides."""

_TOKEN_MASK_RADII = 1.2
"""Edges within this distance of a window's centre are the token's and do not count. If it falls, rims count as
sides."""

_RIGHT_ANGLE_RAD = np.pi / 2
"""90 degrees."""

_MAX_DIRECTION_ERROR_RAD = np.radians(12)
"""Largest angle between an edge and a side that it belongs to. If it grows, crooked sides and print count."""

_MIN_DIRECTION_COSINE = np.cos(_MAX_DIRECTION_ERROR_RAD)
"""The cosine of that angle."""

_MAX_EDGE_PIXELS = 8000
"""Largest number of edge pixels. If it grows, busy tables take longer."""

_MIN_EDGE_STEEPNESS = 24.0
"""Least steepness of an edge (3x3 Sobel, both directions added, of 2040). If it grows, pale sides are missed."""

_CROWD_WINDOW_PX = 9
"""Side of the square in which neighbouring edges are counted: granite has many, and strong ones. If it grows, sides
beside print lose weight."""

_DISTANCE_BIN_RADII = 0.09
"""Step between two distances that are tried, in token radii. If it grows, sides are less exact and need be less
straight."""

_DISTANCE_BIN_COUNT = int((_MAX_MARGIN_RADII - _MIN_MARGIN_RADII) / _DISTANCE_BIN_RADII)
"""Distances that are tried."""

_COARSE_ANGLES_DEG = np.arange(0, 90, 3)
"""Angles of the rectangle in the first round."""

_MAX_ANGLES_TRIED = 16
"""Of those, the ones along which most edges lie are tried. If it grows, the search is surer and slower."""

_SIDE_PART_COUNT = 36
"""Parts of a side in each of which an edge is looked for. If it grows, broken sides count for less."""

_MIN_VISIBLE_SHARE = 0.5
"""Least visible share of the four sides' lengths. If it grows, sides of the table's colour are missed."""

_INNER_EDGE_PREFERENCE_SHARE = 0.85
"""Of two edges the inner one counts if its visible share is at least this part of the best: the outer one is the box's
foot or the table's. If it falls, print on the lid counts as its side."""


class RectangleFinder:
    """Finds rectangles among the straight edges of a rectified view.

    >>> view, windows = np.full((400, 400, 3), 120, np.uint8), np.zeros((12, 2))
    >>> print(RectangleFinder(view, windows, half_side=8.0).find_best())
    None

    Args:
        view: the square of +-`half_side` around the windows' common centre, (side, side, 3) uint8 BGR.
        points: the windows' centres in the lid's plane, shape (12, 2), token radii.
        half_side: half the side of the view, in token radii.
    """

    def __init__(self, view: Image, points: FloatArray, half_side: float) -> None:
        self._points = points
        places, directions = _find_edges(view, points, half_side)
        # Sorted by their angle modulo a right angle, and repeated a right angle lower and higher: the edges at about
        # the angle of a rectangle are then a slice.
        angle = np.arctan2(directions[:, 1], directions[:, 0]) % _RIGHT_ANGLE_RAD
        order = np.argsort(angle)
        self._places, self._directions = places[order], directions[order]
        self._angles = np.concatenate([angle[order] - _RIGHT_ANGLE_RAD, angle[order], angle[order] + _RIGHT_ANGLE_RAD])
        self._thrice = np.tile(self._places, (3, 1)), np.tile(self._directions, (3, 1))

    def find_best(self) -> FloatArray | None:
        """Find the best rectangle around the windows.

        Returns:
            Its corners in the lid's plane, token radii, shape (4, 2) float64, clockwise; None if too few of its sides
            are visible.
        """
        if len(self._places) < _SIDE_PART_COUNT:
            return None
        near = np.searchsorted(self._angles, np.radians(_COARSE_ANGLES_DEG + np.array([[-6], [6]])))
        crowded = _COARSE_ANGLES_DEG[np.argsort(near[0] - near[1], kind="stable")[:_MAX_ANGLES_TRIED]]
        _, middle = max((self._find_at_angle(np.radians(a))[0], a) for a in crowded.tolist())
        fine = np.radians(np.arange(middle - 2.5, middle + 2.6, 0.5)).tolist()
        score, angle = max((self._find_at_angle(a)[0], a) for a in fine)
        if score < _MIN_VISIBLE_SHARE:
            return None
        angle, near, far = self._refine_rectangle(angle, *self._find_at_angle(angle)[1])
        flat = np.array([[near[0], near[1]], [far[0], near[1]], [far[0], far[1]], [near[0], far[1]]])
        return np.asarray(flat @ _make_axes(angle), np.float64)

    def measure_visible_share(self, corners: FloatArray) -> float:
        """Measure the share of a rectangle's sides along which there are edges of their direction.

        Args:
            corners: in the lid's plane, token radii, shape (4, 2), clockwise.

        Returns:
            Mean of the four sides' shares, 0 to 1.
        """
        side = corners[1] - corners[0]
        axes = _make_axes(float(np.arctan2(side[1], side[0])))
        box = corners @ axes.T
        low, high = box.min(axis=0), box.max(axis=0)
        at, toward = self._places @ axes.T, np.abs(self._directions @ axes.T)
        shares = []
        for axis in (0, 1):
            for edge in (low[axis], high[axis]):
                near = np.abs(at[:, axis] - edge) < 1.5 * _DISTANCE_BIN_RADII
                mine = at[(toward[:, axis] > _MIN_DIRECTION_COSINE) & near]
                along = (mine[:, 1 - axis] - low[1 - axis]) / (high[1 - axis] - low[1 - axis])
                part = (along[(along >= 0) & (along < 1)] * _SIDE_PART_COUNT).astype(int)
                shares.append(len(np.unique(part)) / _SIDE_PART_COUNT)
        return float(np.mean(shares))

    def _refine_rectangle(
        self, angle: float, near: FloatArray, far: FloatArray
    ) -> tuple[float, FloatArray, FloatArray]:
        """Turn and move a rectangle a little, so that it lies on its edges; return its angle and bounds."""
        axes = _make_axes(angle)
        at, toward = self._places @ axes.T, np.abs(self._directions @ axes.T)
        lean, weight = 0.0, 0.0
        bounds = [near.copy(), far.copy()]
        for axis in (0, 1):
            across = 1 - axis
            for bound in bounds:
                mine = (toward[:, axis] > _MIN_DIRECTION_COSINE) & (
                    np.abs(at[:, axis] - bound[axis]) < 2 * _DISTANCE_BIN_RADII
                )
                mine &= (at[:, across] > near[across]) & (at[:, across] < far[across])
                if np.count_nonzero(mine) < _SIDE_PART_COUNT // 3:
                    continue
                x, y = at[mine, across], at[mine, axis]
                for _ in range(2):  # once more without outliers
                    slope, start = np.polyfit(x, y, 1)
                    off = np.abs(y - slope * x - start)
                    keep = off <= max(0.03, 2 * float(np.median(off)))
                    x, y = x[keep], y[keep]
                bound[axis] = float(slope * (near[across] + far[across]) / 2 + start)
                lean += len(x) * float(slope if axis else -slope)
                weight += len(x)
        # The sides are turned about their middles: the fitted points there stay where they are, to first order.
        turned_by = lean / max(weight, 1.0)
        middle = (bounds[0] + bounds[1]) / 2
        moved = middle @ axes @ _make_axes(angle + turned_by).T - middle
        return angle + turned_by, bounds[0] + moved, bounds[1] + moved

    def _find_at_angle(self, angle: float) -> tuple[float, tuple[FloatArray, FloatArray]]:
        """Find the best rectangle at an angle (radians).

        Returns:
            The visible share of its sides, 0 to 1, and its bounds: least and largest (2,) of both directions.
        """
        axes = _make_axes(angle)
        nearby = angle % _RIGHT_ANGLE_RAD + np.array([-_MAX_DIRECTION_ERROR_RAD, _MAX_DIRECTION_ERROR_RAD])
        first, last = np.searchsorted(self._angles, nearby)
        places, directions = (every[first:last] for every in self._thrice)
        at, toward, windows = places @ axes.T, np.abs(directions @ axes.T), self._points @ axes.T
        low, high = windows.min(axis=0), windows.max(axis=0)
        # Of each edge: the axis that it bounds, how far out it lies on it, and at which part of the side.
        edge, axis = np.nonzero(toward > _MIN_DIRECTION_COSINE)
        out, along = at[edge, axis], at[edge, 1 - axis]
        along = (along - low[1 - axis] + 1) / (high - low + 2)[1 - axis]
        inside = (along >= 0) & (along < 1)
        axis, out, part = axis[inside], out[inside], (along[inside] * _SIDE_PART_COUNT).astype(int)
        beyond = np.stack([low[axis] - out, out - high[axis]])
        step = np.floor((beyond - _MIN_MARGIN_RADII) / _DISTANCE_BIN_RADII).astype(int)
        keep = (step >= 0) & (step < _DISTANCE_BIN_COUNT)
        place = ((np.arange(2)[:, None] * 2 + axis) * (_DISTANCE_BIN_COUNT + 1) + step) * _SIDE_PART_COUNT + part
        there = np.zeros((4, _DISTANCE_BIN_COUNT + 1, _SIDE_PART_COUNT), bool)
        there.ravel()[place[keep]] = True
        seen = (there[:, :-1] | there[:, 1:]).mean(axis=2)  # in this bin or the next
        best = (seen >= _INNER_EDGE_PREFERENCE_SHARE * seen.max(axis=1, keepdims=True)).argmax(axis=1)
        margins = _MIN_MARGIN_RADII + (best + 1) * _DISTANCE_BIN_RADII
        return float(seen[np.arange(4), best].mean()), (low - margins[:2], high + margins[2:])


def _make_axes(angle: float) -> FloatArray:
    """Return a rectangle's two directions as rows, shape (2, 2)."""
    return make_rigid_motion(angle)[:2, :2].T


def _find_edges(view: Image, points: FloatArray, half_side: float) -> tuple[FloatArray, FloatArray]:
    """Return the steepest edge pixels off the tokens: places in the plane and gradient directions, both (n, 2)."""
    smooth = cv2.GaussianBlur(view, (3, 3), 0)
    dx, dy = (cv2.Sobel(smooth, cv2.CV_16S, *order) for order in ((1, 0), (0, 1)))
    thin = cv2.Canny(dx, dy, _MIN_EDGE_STEEPNESS, _MIN_EDGE_STEEPNESS)
    pixels = view.shape[0] / (2 * half_side)
    for x, y in np.rint((points + half_side) * pixels).astype(int).tolist():
        cv2.circle(thin, (x, y), round(_TOKEN_MASK_RADII * pixels), 0, -1)
    y, x = np.nonzero(thin)
    gx, gy = dx[y, x].astype(np.float64), dy[y, x].astype(np.float64)
    steep = np.hypot(gx, gy)
    each, most = np.arange(len(x)), steep.argmax(axis=1) if len(x) else np.zeros(0, int)
    if len(x) > _MAX_EDGE_PIXELS:
        crowd = cv2.blur(thin, (_CROWD_WINDOW_PX, _CROWD_WINDOW_PX))[y, x].astype(np.float64)
        each = np.argpartition(-steep[each, most] / crowd**2, _MAX_EDGE_PIXELS)[:_MAX_EDGE_PIXELS]
        most = most[each]
    directions = np.column_stack([gx[each, most], gy[each, most]]) / np.maximum(steep[each, most], 1e-9)[:, None]
    return np.column_stack([x[each], y[each]]) / pixels - half_side, directions
