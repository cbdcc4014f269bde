"""The lid's outline by its sides: four long straight edges around the windows, at right angles.

For every turn of a rectangle around the windows it is seen how much of each side's length has an edge of its direction
at one distance. Where the table has the lid's colour this tells what colours do not.
"""

from __future__ import annotations

import cv2
import numpy as np

from companion.vision.lid.geometry import FloatArray
from companion.vision.reading import Image

_MIN_MARGIN_RADII, _MAX_MARGIN_RADII = 1.1, 3.6
"""How far outside the outermost windows' centres a side is looked for, in token radii."""

_TOKEN_MASK_RADII = 1.2
"""Edges of tokens do not count."""

_RIGHT_ANGLE_RAD = np.pi / 2

_MAX_DIRECTION_ERROR_RAD = np.radians(12)
_MIN_DIRECTION_COSINE = np.cos(_MAX_DIRECTION_ERROR_RAD)
"""An edge is of a side's direction if it is off by less than 12 degrees."""

_MAX_EDGE_PIXELS = 8000

_MIN_EDGE_STEEPNESS = 24.0
"""Least steepness of an edge (Sobel of 1020, both directions)."""

_DISTANCE_BIN_RADII = 0.09
"""Sides are looked for in steps so fine (token radii)."""

_MAX_ANGLES_TRIED = 16
"""Of the 30 ways in which the sides may lie those are looked at along which most edges lie."""

_DISTANCE_BIN_COUNT = int((_MAX_MARGIN_RADII - _MIN_MARGIN_RADII) / _DISTANCE_BIN_RADII)

_SIDE_PART_COUNT = 36
"""A side's length is looked at in so many parts."""

_MIN_VISIBLE_SHARE = 0.5
"""Least share of the four sides' lengths that is seen."""

_INNER_EDGE_PREFERENCE_SHARE = 0.85
"""Of two edges that are seen almost as well the inner one counts: the outer one is the box's foot or the table's."""


class RectangleFinder:
    """The straight edges of a straightened view: the square of +-`reach` around the windows' common centre."""

    def __init__(self, view: Image, points: FloatArray, reach: float) -> None:
        """`points` are the windows' centres in the plane, shape (12, 2), `reach` in token radii as they are."""
        self._points = points
        places, ways = _find_edges(view, points, reach)
        # Sorted by how they lean (a side and its neighbours are at right angles), and once more a right angle on: those
        # that lean about as a rectangle does are a slice.
        lean = np.arctan2(ways[:, 1], ways[:, 0]) % _RIGHT_ANGLE_RAD
        order = np.argsort(lean)
        self._places, self._ways = places[order], ways[order]
        self._leans = np.concatenate([lean[order] - _RIGHT_ANGLE_RAD, lean[order], lean[order] + _RIGHT_ANGLE_RAD])
        self._thrice = np.tile(self._places, (3, 1)), np.tile(self._ways, (3, 1))

    def find_best(self) -> FloatArray | None:
        """The corners, shape (4, 2), clockwise, of the rectangle of edges around the windows; None if none is seen."""
        if len(self._places) < _SIDE_PART_COUNT:
            return None
        angles = np.arange(0, 90, 3)
        near = np.searchsorted(self._leans, np.radians(angles + np.array([[-6], [6]])))
        crowded = angles[np.argsort(near[0] - near[1], kind="stable")[:_MAX_ANGLES_TRIED]]
        _, middle = max((self._find_at_angle(np.radians(a))[0], a) for a in crowded.tolist())
        fine = np.arange(middle - 2.5, middle + 2.6, 0.5).tolist()
        score, degrees = max((self._find_at_angle(np.radians(a))[0], a) for a in fine)
        if score < _MIN_VISIBLE_SHARE:
            return None
        angle = np.radians(degrees)
        angle, near, far = self._refine_rectangle(angle, *self._find_at_angle(angle)[1])
        flat = np.array([[near[0], near[1]], [far[0], near[1]], [far[0], far[1]], [near[0], far[1]]])
        return np.asarray(flat @ _make_axes(angle), np.float64)

    def measure_visible_share(self, corners: FloatArray) -> float:
        """The share of the sides of a rectangle, corners (4, 2) clockwise, along which there are edges."""
        side = corners[1] - corners[0]
        angle = float(np.arctan2(side[1], side[0]))
        turn = _make_axes(angle)
        box = corners @ turn.T
        low, high = box.min(axis=0), box.max(axis=0)
        at, toward = self._places @ turn.T, np.abs(self._ways @ turn.T)
        shares = []
        for axis in (0, 1):
            for edge in (low[axis], high[axis]):
                mine = at[
                    (toward[:, axis] > _MIN_DIRECTION_COSINE) & (np.abs(at[:, axis] - edge) < 1.5 * _DISTANCE_BIN_RADII)
                ]
                along = (mine[:, 1 - axis] - low[1 - axis]) / (high[1 - axis] - low[1 - axis])
                part = (along[(along >= 0) & (along < 1)] * _SIDE_PART_COUNT).astype(int)
                shares.append(len(np.unique(part)) / _SIDE_PART_COUNT)
        return float(np.mean(shares))

    def _refine_rectangle(
        self, angle: float, near: FloatArray, far: FloatArray
    ) -> tuple[float, FloatArray, FloatArray]:
        """The rectangle turned and moved a little, so that it lies on its edges."""
        turn = _make_axes(angle)
        at, toward = self._places @ turn.T, np.abs(self._ways @ turn.T)
        lean, weight = 0.0, 0.0
        bounds = [near.copy(), far.copy()]
        for axis in (0, 1):
            for bound in bounds:
                across = 1 - axis
                mine = (toward[:, axis] > _MIN_DIRECTION_COSINE) & (
                    np.abs(at[:, axis] - bound[axis]) < 2 * _DISTANCE_BIN_RADII
                )
                mine &= (at[:, across] > near[across]) & (at[:, across] < far[across])
                if np.count_nonzero(mine) < _SIDE_PART_COUNT // 3:
                    continue
                x, y = at[mine, across], at[mine, axis]
                for _ in range(2):  # once more without what lies off
                    slope, start = np.polyfit(x, y, 1)
                    off = np.abs(y - slope * x - start)
                    keep = off <= max(0.03, 2 * float(np.median(off)))
                    x, y = x[keep], y[keep]
                bound[axis] = float(slope * (near[across] + far[across]) / 2 + start)
                lean += len(x) * float(slope if axis else -slope)
                weight += len(x)
        # The sides are turned about their middles: what was fitted there stays where it is, to first order.
        turned_by = lean / max(weight, 1.0)
        middle = (bounds[0] + bounds[1]) / 2
        moved = middle @ turn @ _make_axes(angle + turned_by).T - middle
        return angle + turned_by, bounds[0] + moved, bounds[1] + moved

    def _find_at_angle(self, angle: float) -> tuple[float, tuple[FloatArray, FloatArray]]:
        """How well the best rectangle at this angle is seen (0 to 1), and its bounds: least and largest (2,) of both
        directions."""
        turn = _make_axes(angle)
        first, last = np.searchsorted(
            self._leans,
            (angle % _RIGHT_ANGLE_RAD - _MAX_DIRECTION_ERROR_RAD, angle % _RIGHT_ANGLE_RAD + _MAX_DIRECTION_ERROR_RAD),
        )
        places, ways = (every[first:last] for every in self._thrice)
        at, toward, windows = places @ turn.T, np.abs(ways @ turn.T), self._points @ turn.T
        low, high = windows.min(axis=0), windows.max(axis=0)
        # Of each edge the axis that it bounds, how far out it lies on it, and at which part of the side.
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
        seen = (there[:, :-1] | there[:, 1:]).mean(axis=2)  # there or next to it
        best = (seen >= _INNER_EDGE_PREFERENCE_SHARE * seen.max(axis=1, keepdims=True)).argmax(axis=1)
        margins = _MIN_MARGIN_RADII + (best + 1) * _DISTANCE_BIN_RADII
        score = float(seen[np.arange(4), best].mean())
        return score, (low - margins[:2], high + margins[2:])


def _make_axes(angle: float) -> FloatArray:
    """Rows: the rectangle's first direction and its second."""
    return np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])


def _find_edges(view: Image, points: FloatArray, reach: float) -> tuple[FloatArray, FloatArray]:
    """Places (n, 2) in the plane of the steepest edge pixels off the tokens, and their gradients' directions (n, 2)."""
    smooth = cv2.GaussianBlur(view, (3, 3), 0)
    dx, dy = (cv2.Sobel(smooth, cv2.CV_16S, *way) for way in ((1, 0), (0, 1)))
    thin = cv2.Canny(dx, dy, _MIN_EDGE_STEEPNESS, _MIN_EDGE_STEEPNESS)
    pixels = view.shape[0] / (2 * reach)
    for x, y in np.rint((points + reach) * pixels).astype(int).tolist():
        cv2.circle(thin, (x, y), round(_TOKEN_MASK_RADII * pixels), 0, -1)
    y, x = np.nonzero(thin)
    gx, gy = dx[y, x].astype(np.float64), dy[y, x].astype(np.float64)
    steep = np.hypot(gx, gy)
    each, most = np.arange(len(x)), steep.argmax(axis=1) if len(x) else np.zeros(0, int)
    if len(x) > _MAX_EDGE_PIXELS:
        crowd = cv2.blur(thin, (9, 9))[y, x].astype(np.float64)  # granite has many edges, and strong ones
        each = np.argpartition(-steep[each, most] / crowd**2, _MAX_EDGE_PIXELS)[:_MAX_EDGE_PIXELS]
        most = most[each]
    ways = np.column_stack([gx[each, most], gy[each, most]]) / np.maximum(steep[each, most], 1e-9)[:, None]
    return np.column_stack([x[each], y[each]]) / pixels - reach, ways
