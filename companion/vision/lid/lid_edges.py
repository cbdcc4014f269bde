"""The lid's outline by its sides: four long straight edges around the windows, at right angles.

For every turn of a rectangle around the windows it is seen how much of each side's length has an edge of its direction
at one distance. Where the table has the lid's colour this tells what colours do not.
"""

from __future__ import annotations

import cv2
import numpy as np

from companion.vision.lid.geometry import Floats
from companion.vision.reading import Image

_LEAST_MARGIN, _MOST_MARGIN = 1.1, 3.6
"""How far outside the outermost windows' centres a side is looked for, in token radii."""

_OFF_TOKENS = 1.2
"""Edges of tokens do not count."""

_RIGHT = np.pi / 2

_OFF = np.radians(12)
_ALONG = np.cos(_OFF)
"""An edge is of a side's direction if it is off by less than 12 degrees."""

_MOST_EDGES = 8000

_STEEP = 24.0
"""Least steepness of an edge (Sobel of 1020, both directions)."""

_BIN = 0.09
"""Sides are looked for in steps so fine (token radii)."""

_CROWDED = 16
"""Of the 30 ways in which the sides may lie those are looked at along which most edges lie."""

_STEPS = int((_MOST_MARGIN - _LEAST_MARGIN) / _BIN)

_PARTS = 36
"""A side's length is looked at in so many parts."""

_SEEN = 0.5
"""Least share of the four sides' lengths that is seen."""

_OUTER = 0.85
"""Of two edges that are seen almost as well the inner one counts: the outer one is the box's foot or the table's."""


class Sides:
    """The straight edges of a straightened view: the square of +-`reach` around the windows' common centre."""

    def __init__(self, view: Image, points: Floats, reach: float) -> None:
        """`points` are the windows' centres in the plane, shape (12, 2), `reach` in token radii as they are."""
        self._points = points
        places, ways = _edges(view, points, reach)
        # Sorted by how they lean (a side and its neighbours are at right angles), and once more a right angle on: those
        # that lean about as a rectangle does are a slice.
        lean = np.arctan2(ways[:, 1], ways[:, 0]) % _RIGHT
        order = np.argsort(lean)
        self._places, self._ways = places[order], ways[order]
        self._leans = np.concatenate([lean[order] - _RIGHT, lean[order], lean[order] + _RIGHT])
        self._thrice = np.tile(self._places, (3, 1)), np.tile(self._ways, (3, 1))

    def best(self) -> Floats | None:
        """The corners, shape (4, 2), clockwise, of the rectangle of edges around the windows; None if none is seen."""
        if len(self._places) < _PARTS:
            return None
        angles = np.arange(0, 90, 3)
        near = np.searchsorted(self._leans, np.radians(angles + np.array([[-6], [6]])))
        crowded = angles[np.argsort(near[0] - near[1], kind="stable")[:_CROWDED]]
        _, middle = max((self._rectangle(np.radians(a))[0], a) for a in crowded.tolist())
        fine = np.arange(middle - 2.5, middle + 2.6, 0.5).tolist()
        score, degrees = max((self._rectangle(np.radians(a))[0], a) for a in fine)
        if score < _SEEN:
            return None
        angle = np.radians(degrees)
        angle, near, far = self._fitted(angle, *self._rectangle(angle)[1])
        flat = np.array([[near[0], near[1]], [far[0], near[1]], [far[0], far[1]], [near[0], far[1]]])
        return np.asarray(flat @ _turn(angle), np.float64)

    def seen(self, corners: Floats) -> float:
        """The share of the sides of a rectangle, corners (4, 2) clockwise, along which there are edges."""
        side = corners[1] - corners[0]
        angle = float(np.arctan2(side[1], side[0]))
        turn = _turn(angle)
        box = corners @ turn.T
        low, high = box.min(axis=0), box.max(axis=0)
        at, toward = self._places @ turn.T, np.abs(self._ways @ turn.T)
        shares = []
        for axis in (0, 1):
            for edge in (low[axis], high[axis]):
                mine = at[(toward[:, axis] > _ALONG) & (np.abs(at[:, axis] - edge) < 1.5 * _BIN)]
                along = (mine[:, 1 - axis] - low[1 - axis]) / (high[1 - axis] - low[1 - axis])
                part = (along[(along >= 0) & (along < 1)] * _PARTS).astype(int)
                shares.append(len(np.unique(part)) / _PARTS)
        return float(np.mean(shares))

    def _fitted(self, angle: float, near: Floats, far: Floats) -> tuple[float, Floats, Floats]:
        """The rectangle turned and moved a little, so that it lies on its edges."""
        turn = _turn(angle)
        at, toward = self._places @ turn.T, np.abs(self._ways @ turn.T)
        lean, weight = 0.0, 0.0
        bounds = [near.copy(), far.copy()]
        for axis in (0, 1):
            for bound in bounds:
                across = 1 - axis
                mine = (toward[:, axis] > _ALONG) & (np.abs(at[:, axis] - bound[axis]) < 2 * _BIN)
                mine &= (at[:, across] > near[across]) & (at[:, across] < far[across])
                if np.count_nonzero(mine) < _PARTS // 3:
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
        moved = middle @ turn @ _turn(angle + turned_by).T - middle
        return angle + turned_by, bounds[0] + moved, bounds[1] + moved

    def _rectangle(self, angle: float) -> tuple[float, tuple[Floats, Floats]]:
        """How well the best rectangle at this angle is seen (0 to 1), and its bounds: least and largest (2,) of both
        directions."""
        turn = _turn(angle)
        first, last = np.searchsorted(self._leans, (angle % _RIGHT - _OFF, angle % _RIGHT + _OFF))
        places, ways = (every[first:last] for every in self._thrice)
        at, toward, windows = places @ turn.T, np.abs(ways @ turn.T), self._points @ turn.T
        low, high = windows.min(axis=0), windows.max(axis=0)
        # Of each edge the axis that it bounds, how far out it lies on it, and at which part of the side.
        edge, axis = np.nonzero(toward > _ALONG)
        out, along = at[edge, axis], at[edge, 1 - axis]
        along = (along - low[1 - axis] + 1) / (high - low + 2)[1 - axis]
        inside = (along >= 0) & (along < 1)
        axis, out, part = axis[inside], out[inside], (along[inside] * _PARTS).astype(int)
        beyond = np.stack([low[axis] - out, out - high[axis]])
        step = np.floor((beyond - _LEAST_MARGIN) / _BIN).astype(int)
        keep = (step >= 0) & (step < _STEPS)
        place = ((np.arange(2)[:, None] * 2 + axis) * (_STEPS + 1) + step) * _PARTS + part
        there = np.zeros((4, _STEPS + 1, _PARTS), bool)
        there.ravel()[place[keep]] = True
        seen = (there[:, :-1] | there[:, 1:]).mean(axis=2)  # there or next to it
        best = (seen >= _OUTER * seen.max(axis=1, keepdims=True)).argmax(axis=1)
        margins = _LEAST_MARGIN + (best + 1) * _BIN
        score = float(seen[np.arange(4), best].mean())
        return score, (low - margins[:2], high + margins[2:])


def _turn(angle: float) -> Floats:
    """Rows: the rectangle's first direction and its second."""
    return np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])


def _edges(view: Image, points: Floats, reach: float) -> tuple[Floats, Floats]:
    """Places (n, 2) in the plane of the steepest edge pixels off the tokens, and their gradients' directions (n, 2)."""
    smooth = cv2.GaussianBlur(view, (3, 3), 0)
    dx, dy = (cv2.Sobel(smooth, cv2.CV_16S, *way) for way in ((1, 0), (0, 1)))
    thin = cv2.Canny(dx, dy, _STEEP, _STEEP)
    pixels = view.shape[0] / (2 * reach)
    for x, y in np.rint((points + reach) * pixels).astype(int).tolist():
        cv2.circle(thin, (x, y), round(_OFF_TOKENS * pixels), 0, -1)
    y, x = np.nonzero(thin)
    gx, gy = dx[y, x].astype(np.float64), dy[y, x].astype(np.float64)
    steep = np.hypot(gx, gy)
    each, most = np.arange(len(x)), steep.argmax(axis=1) if len(x) else np.zeros(0, int)
    if len(x) > _MOST_EDGES:
        crowd = cv2.blur(thin, (9, 9))[y, x].astype(np.float64)  # granite has many edges, and strong ones
        each = np.argpartition(-steep[each, most] / crowd**2, _MOST_EDGES)[:_MOST_EDGES]
        most = most[each]
    ways = np.column_stack([gx[each, most], gy[each, most]]) / np.maximum(steep[each, most], 1e-9)[:, None]
    return np.column_stack([x[each], y[each]]) / pixels - reach, ways
