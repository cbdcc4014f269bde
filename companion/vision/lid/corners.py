"""Find the corners of a lid's top when the lid is learnt, by its straight edges or its colour.

Where a lid lies that is known: `pose`, by its windows. The straight edges: `lid_edges`; arrow and tags: `markers`.

The view is the square of +-`half_side` (token radii) around the windows' common centre, VIEW_SIDE_PX x VIEW_SIDE_PX
pixels, BGR. `points` are the windows' centres in the plane, shape (12, 2), and `mask` is what `segment_lid` returned.
"""

import cv2
import numpy as np

from companion.vision.lid.geometry import FloatArray
from companion.vision.lid.lid_edges import RectangleFinder
from companion.vision.reading import GreyImage, Image

VIEW_SIDE_PX = 420
"""Side of the rectified view. If it grows, calibration is finer and slower."""

COLOUR_SAMPLE_STEP = 5
"""Every n-th pixel counts for the lid's colour. If it grows, it is less exact and quicker."""

_RING_RADII = 1.5
"""The lid's colour is measured up to this distance from a window's centre. If it grows, print and table take part."""

_TOKEN_MASK_RADII = 1.15
"""And from this distance on. If it falls, tokens take part."""

_MIN_LAB_TOLERANCE = np.array([14, 7, 7])
"""Difference from the lid's colour (L, a, b of 255) that is always allowed. If it grows, similar tables count as
lid."""

_LAB_TOLERANCE_RATIO = 4
"""Further difference allowed, in median deviations of the lid's colour. If it grows, similar tables count as lid."""

_MIN_MARGIN_RADII = 0.15
"""Least distance of the outline from every token's rim, in token radii. If it grows, narrow rims are refused."""

_DEFAULT_MARGIN_RADII = 0.9
"""Distance of the outline from the outermost tokens' rims (token radii) where none can be recognised. If it grows, such
lids are larger on the screen."""

_MIN_VISIBLE_SHARE_GAIN = 0.01
"""Share of its sides by which a coloured rectangle must be more visible than the edges'. If it grows, edges win."""

_COMPARISON_DISTANCES_RADII = (0.16, 0.23, 0.3)
"""Distances from a side (token radii) at which the colours on both sides of it are compared. If they grow, narrow rims
are compared with what lies beyond them."""

_MIN_SIDE_CONTRAST = 5.0
"""Least difference of these colours (Lab) at a side of the lid; less is a line on it. If it grows, lids on tables of
their colour lose their sides."""

_MIN_RECTANGLE_FILL = 0.85
"""Least share of its rectangle that a lid fills. If it grows, lids half hidden by hands are refused."""

_BORDER_SHARE = 0.98
"""A rectangle that reaches this share of the view's half side runs out of it and is no lid. If it grows, cut off lids
pass."""


def locate_pixels(points: FloatArray, half_side: float) -> list[tuple[int, int]]:
    """Return the view's pixels (x, y) of points (n, 2) in the plane."""
    pixels = np.rint((points + half_side) * (VIEW_SIDE_PX / (2 * half_side))).astype(int)
    return [(x, y) for x, y in pixels.tolist()]


def _to_lab(view: Image) -> Image:
    return np.asarray(cv2.cvtColor(cv2.GaussianBlur(view, (5, 5), 0), cv2.COLOR_BGR2LAB), np.uint8)


def segment_lid(view: Image, points: FloatArray, half_side: float) -> GreyImage:
    """Segment the lid in a rectified view by its colour.

    Args:
        view: the square of +-`half_side` around the windows' common centre, (VIEW_SIDE_PX, VIEW_SIDE_PX, 3) uint8 BGR.
        points: the windows' centres in the lid's plane, shape (12, 2), token radii.
        half_side: half the side of the view, in token radii.

    Returns:
        Mask, (VIEW_SIDE_PX, VIEW_SIDE_PX) uint8: 255 where the view shows the lid's own colour around the windows, and
        on the tokens; else 0.
    """
    pixels = VIEW_SIDE_PX / (2 * half_side)
    around, tokens = np.zeros((2, VIEW_SIDE_PX, VIEW_SIDE_PX), np.uint8)
    for x, y in locate_pixels(points, half_side):
        cv2.circle(around, (x, y), round(_RING_RADII * pixels), 255, -1)
        cv2.circle(tokens, (x, y), round(_TOKEN_MASK_RADII * pixels), 255, -1)
    lab = _to_lab(view)
    lid = lab[cv2.bitwise_and(around, cv2.bitwise_not(tokens)) > 0][::COLOUR_SAMPLE_STEP]
    middle = np.median(lid, axis=0)
    slack = _MIN_LAB_TOLERANCE + _LAB_TOLERANCE_RATIO * np.median(np.abs(lid - middle), axis=0)
    # Levels are whole numbers: those that differ by less than the slack.
    near = cv2.inRange(lab, np.floor(middle - slack) + 1, np.ceil(middle + slack) - 1)
    return np.asarray(cv2.bitwise_or(near, tokens), np.uint8)


def find_lid_corners(view: Image, mask: GreyImage, points: FloatArray, half_side: float) -> FloatArray:
    """Find the lid's corners in a rectified view.

    They are those of the rectangle of straight edges around the windows, or of the rectangle around the lid's colour,
    if more of its sides is visible, or an edge is only a line on the lid. Without either, those of the rectangle around
    the windows with a default margin.

    Args:
        view: the square of +-`half_side` around the windows' common centre, (VIEW_SIDE_PX, VIEW_SIDE_PX, 3) uint8 BGR.
        mask: the lid's colour, as `segment_lid` returned it for this view.
        points: the windows' centres in the lid's plane, shape (12, 2), token radii.
        half_side: half the side of the view, in token radii.

    Returns:
        Corners in the lid's plane, token radii, shape (4, 2) float64, clockwise.
    """
    edges = RectangleFinder(view, points, half_side)
    coloured, sides = _find_coloured_rectangle(mask, points, half_side), edges.find_best()
    if coloured is not None and (
        sides is None
        or edges.measure_visible_share(coloured) > edges.measure_visible_share(sides) + _MIN_VISIBLE_SHARE_GAIN
        or _has_line_as_side(view, sides, half_side)
    ):
        return coloured
    if sides is not None:
        return _sort_clockwise(sides)
    middle, size, angle = cv2.minAreaRect(points.astype(np.float32))
    width, height = (side + 2 * (1 + _DEFAULT_MARGIN_RADII) for side in size)
    return _sort_clockwise(cv2.boxPoints((middle, (width, height), angle)).astype(np.float64))


def _has_line_as_side(view: Image, corners: FloatArray, half_side: float) -> bool:
    """Tell whether a side of a rectangle is only a line on the lid, as in wood: one colour is on both sides of it."""
    lab = _to_lab(view)
    pixels = VIEW_SIDE_PX / (2 * half_side)
    share = np.linspace(0.05, 0.95, 60)[:, None]
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        across = np.array([(b - a)[1], (a - b)[0]]) / np.linalg.norm(b - a)
        near = []
        for sign in (-1, 1):
            spots = np.concatenate([a + (b - a) * share + sign * d * across for d in _COMPARISON_DISTANCES_RADII])
            x, y = np.clip(((spots + half_side) * pixels).astype(int), 0, VIEW_SIDE_PX - 1).T
            near.append(np.median(lab[y, x], axis=0))
        if np.linalg.norm(near[0] - near[1]) < _MIN_SIDE_CONTRAST:
            return True
    return False


def _find_coloured_rectangle(mask: GreyImage, points: FloatArray, half_side: float) -> FloatArray | None:
    """Return the corners (4, 2) of the rectangle around the lid's colour; None where that is no rectangle."""
    pixels = VIEW_SIDE_PX / (2 * half_side)
    closed = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8))
    # Opening with a disc of a token's size cuts off narrower things beside the lid, such as tabs with tags.
    core = (cv2.distanceTransform(closed, cv2.DIST_L2, 5) > pixels).astype(np.uint8)
    opened = (cv2.distanceTransform(1 - core, cv2.DIST_L2, 5) <= pixels).astype(np.uint8)
    _, labels = cv2.connectedComponents(opened)
    mine = np.bincount([labels[y, x] for x, y in locate_pixels(points, half_side)]).argmax()
    contours, _ = cv2.findContours((labels == mine).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    hull = cv2.convexHull(max(contours, key=cv2.contourArea))
    box = cv2.minAreaRect(hull)
    filled = cv2.contourArea(hull) / max(1.0, box[1][0] * box[1][1])
    corners = cv2.boxPoints(box).astype(np.float64) / pixels - half_side
    touches = np.abs(corners).max() > _BORDER_SHARE * half_side
    inside = min(cv2.pointPolygonTest(corners.astype(np.float32), (x, y), True) for x, y in points.tolist())
    if mine and filled > _MIN_RECTANGLE_FILL and not touches and inside > 1 + _MIN_MARGIN_RADII:
        return _sort_clockwise(corners)
    return None


def _sort_clockwise(corners: FloatArray) -> FloatArray:
    angles = np.arctan2(*(corners - corners.mean(axis=0)).T[::-1])
    return np.asarray(corners[np.argsort(angles)], np.float64)
