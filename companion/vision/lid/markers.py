"""The lid's outline, its arrow and its ArUco tags, looked for in a straightened view of the calibration frame."""

from __future__ import annotations

import cv2
import numpy as np

from companion.vision.lid.geometry import FloatArray
from companion.vision.lid.lid_edges import RectangleFinder
from companion.vision.reading import Image

VIEW_SIDE_PX = 420
"""The straightened view has SIDE x SIDE pixels."""

_COLOUR_SAMPLE_STEP = 5
"""Every so many pixels tell the lid's colour."""

_MIN_MARGIN_RADII = 0.15
"""The outline lies at least this far (in token radii) outside every token."""

_DEFAULT_MARGIN_RADII = 0.9
"""Assumed where no outline can be made out."""

_MIN_VISIBLE_SHARE_GAIN = 0.01
"""So much more of the sides (a share of their length) has to be seen."""

_COMPARISON_DISTANCES_RADII = (0.16, 0.23, 0.3)
"""Distances from a side (token radii) at which colours are compared, and by how much they differ (Lab) if it is one."""

_MIN_SIDE_CONTRAST = 5.0

TAG_COUNT = 4


_CORNER_PENALTY = 0.2
"""So much less a triangle is worth in a corner."""


def segment_lid(view: Image, points: FloatArray, reach: float) -> Image:
    """255 where the straightened view shows the lid's own colour around the windows, tokens counted in."""
    pixels = VIEW_SIDE_PX / (2 * reach)
    spots = np.rint((points + reach) * pixels).astype(int)
    around = np.zeros((VIEW_SIDE_PX, VIEW_SIDE_PX), np.uint8)
    tokens = np.zeros((VIEW_SIDE_PX, VIEW_SIDE_PX), np.uint8)
    for x, y in spots.tolist():
        cv2.circle(around, (x, y), round(1.5 * pixels), 255, -1)
        cv2.circle(tokens, (x, y), round(1.15 * pixels), 255, -1)
    lab = cv2.cvtColor(cv2.GaussianBlur(view, (5, 5), 0), cv2.COLOR_BGR2LAB)
    lid = lab[cv2.bitwise_and(around, cv2.bitwise_not(tokens)) > 0][::_COLOUR_SAMPLE_STEP]
    middle = np.median(lid, axis=0)
    slack = np.array([14, 7, 7]) + 4 * np.median(np.abs(lid - middle), axis=0)
    # Levels are whole: those that lie off by less than the slack.
    near = cv2.inRange(lab, np.floor(middle - slack) + 1, np.ceil(middle + slack) - 1)
    return np.asarray(cv2.bitwise_or(near, tokens), np.uint8)


def find_lid_corners(view: Image, mask: Image, points: FloatArray, reach: float) -> FloatArray:
    """The lid's corners in the plane, shape (4, 2), clockwise.

    It is the rectangle of the straight edges around the windows, or that around what has the lid's colour, if more
    of its sides is seen, or an edge is only a line on the lid; and where there is neither, the one around the windows
    with a usual margin.
    """
    edges = RectangleFinder(view, points, reach)
    coloured, sides = _find_coloured_rectangle(mask, points, reach), edges.find_best()
    if coloured is not None and (
        sides is None
        or edges.measure_visible_share(coloured) > edges.measure_visible_share(sides) + _MIN_VISIBLE_SHARE_GAIN
        or _is_line_on_lid(view, sides, reach)
    ):
        return coloured
    if sides is not None:
        return _sort_clockwise(sides)
    box = cv2.minAreaRect(points.astype(np.float32))
    wide = (box[0], (box[1][0] + 2 * (1 + _DEFAULT_MARGIN_RADII), box[1][1] + 2 * (1 + _DEFAULT_MARGIN_RADII)), box[2])
    return _sort_clockwise(cv2.boxPoints(wide).astype(np.float64))


def _is_line_on_lid(view: Image, corners: FloatArray, reach: float) -> bool:
    """Whether one of a rectangle's sides is only a line on the lid, as of wood: on both sides of it is one colour."""
    lab = cv2.cvtColor(cv2.GaussianBlur(view, (5, 5), 0), cv2.COLOR_BGR2LAB)
    pixels = VIEW_SIDE_PX / (2 * reach)
    share = np.linspace(0.05, 0.95, 60)[:, None]
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        across = np.array([(b - a)[1], (a - b)[0]]) / np.linalg.norm(b - a)
        near = []
        for sign in (-1, 1):
            spots = np.concatenate([a + (b - a) * share + sign * d * across for d in _COMPARISON_DISTANCES_RADII])
            x, y = np.clip(((spots + reach) * pixels).astype(int), 0, VIEW_SIDE_PX - 1).T
            near.append(np.median(lab[y, x], axis=0))
        if np.linalg.norm(near[0] - near[1]) < _MIN_SIDE_CONTRAST:
            return True
    return False


def _find_coloured_rectangle(mask: Image, points: FloatArray, reach: float) -> FloatArray | None:
    """The rectangle around what has the lid's colour; None where that is no rectangle."""
    pixels = VIEW_SIDE_PX / (2 * reach)
    closed = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8))
    # Opened with a disc of a token's size: cuts off what clings to the lid and is narrower, as tabs with tags.
    core = (cv2.distanceTransform(closed, cv2.DIST_L2, 5) > pixels).astype(np.uint8)
    opened = (cv2.distanceTransform(1 - core, cv2.DIST_L2, 5) <= pixels).astype(np.uint8)
    _, labels = cv2.connectedComponents(opened)
    spots = np.rint((points + reach) * pixels).astype(int)
    mine = np.bincount(labels[spots[:, 1], spots[:, 0]]).argmax()
    contours, _ = cv2.findContours((labels == mine).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    hull = cv2.convexHull(max(contours, key=cv2.contourArea))
    box = cv2.minAreaRect(hull)
    filled = cv2.contourArea(hull) / max(1.0, box[1][0] * box[1][1])
    corners = cv2.boxPoints(box).astype(np.float64) / pixels - reach
    touches = np.abs(corners).max() > 0.98 * reach
    if mine and filled > 0.85 and not touches and _contains_tokens(corners, points):
        return _sort_clockwise(corners)
    return None


def _contains_tokens(corners: FloatArray, points: FloatArray) -> bool:
    """Whether every token lies inside the rectangle."""
    polygon = corners.astype(np.float32)
    inside = [cv2.pointPolygonTest(polygon, (float(x), float(y)), True) for x, y in points]
    return min(inside) > 1 + _MIN_MARGIN_RADII


def _sort_clockwise(corners: FloatArray) -> FloatArray:
    angles = np.arctan2(*(corners - corners.mean(axis=0)).T[::-1])
    return np.asarray(corners[np.argsort(angles)], np.float64)


def find_arrow(view: Image, mask: Image, points: FloatArray, corners: FloatArray, reach: float) -> FloatArray | None:
    """Where the arrow lies, shape (2,): the most triangular spot on the lid that is not of the lid's colour."""
    pixels = VIEW_SIDE_PX / (2 * reach)
    lid = np.zeros((VIEW_SIDE_PX, VIEW_SIDE_PX), np.uint8)
    cv2.fillPoly(lid, [np.rint((corners * 0.985 + reach) * pixels).astype(np.int32)], 255)
    for x, y in np.rint((points + reach) * pixels).astype(int).tolist():
        cv2.circle(lid, (x, y), round(1.12 * pixels), 0, -1)
    odd = cv2.bitwise_and(cv2.bitwise_not(mask), lid)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(odd)
    best, best_score = None, 0.55
    lab = cv2.cvtColor(view, cv2.COLOR_BGR2LAB)
    ground = np.median(lab[cv2.bitwise_and(mask, lid) > 0][::_COLOUR_SAMPLE_STEP], axis=0)
    for i in range(1, count):
        x, y, width, height, area = stats[i].tolist()
        if not 0.04 < area / pixels**2 < 1.2 or max(width, height) > 3 * min(width, height):
            continue
        here = slice(y, y + height), slice(x, x + width)
        spot = (labels[here] == i).astype(np.uint8)
        outlines = cv2.findContours(spot, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE, offset=(x, y))[0]
        contour = max(outlines, key=cv2.contourArea)
        full = cv2.contourArea(contour)
        triangle = cv2.minEnclosingTriangle(contour)[0]
        circle = np.pi * cv2.minEnclosingCircle(contour)[1] ** 2
        strength = float(np.linalg.norm(np.median(lab[here][spot > 0], axis=0) - ground))
        if full < 10 or triangle <= 0 or strength < 18:
            continue
        # A triangle fills its enclosing triangle and less than half of its circle; a dot or screw the other way. And
        # it is nearer to the middle of a side than to a corner, where dots and screws are.
        middle = contour.reshape(-1, 2).mean(axis=0) / pixels - reach
        score = (
            full / triangle - max(0.0, full / circle - 0.6) - _CORNER_PENALTY * _compute_side_offset(middle, corners)
        )
        if score > best_score:
            best_score = score
            best = middle
    return best


def _compute_side_offset(place: FloatArray, corners: FloatArray) -> float:
    """How far along the side that it is nearest to a place is from that side's middle: 0 there, 1 at a corner."""
    starts, ends = corners, np.roll(corners, -1, axis=0)
    along = (ends - starts) / np.linalg.norm(ends - starts, axis=1)[:, None]
    away = place - (starts + ends) / 2
    side = int(np.abs(away[:, 0] * along[:, 1] - away[:, 1] * along[:, 0]).argmin())
    return float(abs(away[side] @ along[side]) * 2 / np.linalg.norm(ends[side] - starts[side]))


def find_tags(image: Image) -> dict[int, FloatArray]:
    """ArUco tags of ids 0 to 3 of DICT_4X4_50 and their corners in pixels; empty where OpenCV has no detector."""
    if not hasattr(cv2.aruco, "ArucoDetector"):  # Debian bookworm's OpenCV 4.6
        return {}
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    settings = cv2.aruco.DetectorParameters()
    settings.adaptiveThreshWinSizeMin = settings.adaptiveThreshWinSizeMax = 15
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary, settings).detectMarkers(
        cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    )
    if ids is None:
        return {}
    return {
        int(i): np.asarray(c, np.float64).reshape(4, 2)
        for i, c in zip(ids.ravel(), corners, strict=True)
        if i < TAG_COUNT
    }
