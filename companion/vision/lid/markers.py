"""Find the marks that tell which way round a lid lies: its arrow and its ArUco tags.

The arrow is searched for when the lid is learnt, in the view of `corners`; the tags in a frame.
"""

import cv2
import numpy as np

from companion.vision.lid.corners import COLOUR_SAMPLE_STEP, VIEW_SIDE_PX, locate_pixels
from companion.vision.lid.geometry import FloatArray
from companion.vision.reading import GreyImage, Image

TAG_COUNT = 4
"""Tags beside a lid, with the ids 0 to 3, one per corner, clockwise from the arrow's left."""

_OUTLINE_SHARE = 0.985
"""The arrow is searched for up to this share of the lid's half sides. If it grows, the table shows at crooked edges."""

_ARROW_TOKEN_MASK_RADII = 1.12
"""And from this distance from a window's centre on. If it falls, tokens' shadows count."""

_ARROW_AREA_RANGE = (0.04, 1.2)
"""Area of an arrow in squared token radii. If it widens, smaller and larger marks count."""

_MAX_ARROW_ASPECT_RATIO = 3
"""Largest ratio of an arrow's sides. If it grows, lines count."""

_MIN_ARROW_AREA_PX = 10
"""Least area of an arrow's outline, square pixels of the view. If it grows, small arrows are missed."""

_MIN_ARROW_CONTRAST = 18
"""Least difference of an arrow from the lid's colour (Lab). If it grows, pale arrows are missed."""

_MIN_ARROW_SCORE = 0.55
"""Least score of an arrow, about 1 for a perfect triangle. If it grows, rounded arrows are missed."""

_MAX_TRIANGLE_CIRCLE_FILL = 0.6
"""Share of its enclosing circle up to which a spot may be a triangle; more lowers the score. If it grows, round marks
may pass for arrows."""

_CORNER_PENALTY = 0.2
"""By how much a spot in a corner of the lid has a lower score than one in the middle of a side: dots and screws are
there. If it grows, arrows in corners are missed."""


def find_arrow(
    view: Image, mask: GreyImage, points: FloatArray, corners: FloatArray, half_side: float
) -> FloatArray | None:
    """Find the arrow: the most triangular spot on the lid that does not have the lid's colour.

    Args:
        view: the square of +-`half_side` around the windows' common centre, (VIEW_SIDE_PX, VIEW_SIDE_PX, 3) uint8 BGR.
        mask: the lid's colour, as `segment_lid` returned it for this view.
        points: the windows' centres in the lid's plane, shape (12, 2), token radii.
        corners: the lid's corners in its plane, shape (4, 2), token radii.
        half_side: half the side of the view, in token radii.

    Returns:
        The arrow's centre in the lid's plane, token radii, shape (2,); None if there is none.
    """
    pixels = VIEW_SIDE_PX / (2 * half_side)
    lid = np.zeros((VIEW_SIDE_PX, VIEW_SIDE_PX), np.uint8)
    cv2.fillPoly(lid, [np.array(locate_pixels(corners * _OUTLINE_SHARE, half_side), np.int32)], 255)
    for x, y in locate_pixels(points, half_side):
        cv2.circle(lid, (x, y), round(_ARROW_TOKEN_MASK_RADII * pixels), 0, -1)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(cv2.bitwise_and(cv2.bitwise_not(mask), lid))
    best, best_score = None, _MIN_ARROW_SCORE
    lab = cv2.cvtColor(view, cv2.COLOR_BGR2LAB)
    ground = np.median(lab[cv2.bitwise_and(mask, lid) > 0][::COLOUR_SAMPLE_STEP], axis=0)
    smallest, largest = _ARROW_AREA_RANGE
    for i in range(1, count):
        x, y, width, height, area = stats[i].tolist()
        if not smallest < area / pixels**2 < largest or max(width, height) > _MAX_ARROW_ASPECT_RATIO * min(
            width, height
        ):
            continue
        here = slice(y, y + height), slice(x, x + width)
        spot = (labels[here] == i).astype(np.uint8)
        outlines = cv2.findContours(spot, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE, offset=(x, y))[0]
        contour = max(outlines, key=cv2.contourArea)
        full = cv2.contourArea(contour)
        triangle = cv2.minEnclosingTriangle(contour)[0]
        circle = np.pi * cv2.minEnclosingCircle(contour)[1] ** 2
        contrast = float(np.linalg.norm(np.median(lab[here][spot > 0], axis=0) - ground))
        if full < _MIN_ARROW_AREA_PX or triangle <= 0 or contrast < _MIN_ARROW_CONTRAST:
            continue
        # A triangle fills its enclosing triangle and less than half of its circle; a dot or screw the other way. And
        # it is nearer to the middle of a side than to a corner, where dots and screws are.
        middle = contour.reshape(-1, 2).mean(axis=0) / pixels - half_side
        roundness = max(0.0, full / circle - _MAX_TRIANGLE_CIRCLE_FILL)
        score = full / triangle - roundness - _CORNER_PENALTY * _measure_side_offset(middle, corners)
        if score > best_score:
            best, best_score = middle, score
    return best


def _measure_side_offset(place: FloatArray, corners: FloatArray) -> float:
    """Return how far a place is from the middle of its nearest side, along that side: 0 there, 1 at a corner."""
    starts, ends = corners, np.roll(corners, -1, axis=0)
    along = (ends - starts) / np.linalg.norm(ends - starts, axis=1)[:, None]
    away = place - (starts + ends) / 2
    side = int(np.abs(away[:, 0] * along[:, 1] - away[:, 1] * along[:, 0]).argmin())
    return float(abs(away[side] @ along[side]) * 2 / np.linalg.norm(ends[side] - starts[side]))


def find_tags(image: Image) -> dict[int, FloatArray]:
    """Find ArUco tags with the ids 0 to 3 of DICT_4X4_50.

    Args:
        image: the frame, (H, W, 3) uint8 BGR.

    Returns:
        Id to corners (x, y in pixels of `image`, shape (4, 2) float64, in OpenCV's order: clockwise from the tag's top
        left); empty if there are none, and where OpenCV has no detector (Debian bookworm's OpenCV 4.6).
    """
    if not hasattr(cv2.aruco, "ArucoDetector"):
        return {}
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    settings = cv2.aruco.DetectorParameters()
    settings.adaptiveThreshWinSizeMin = settings.adaptiveThreshWinSizeMax = 15
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary, settings).detectMarkers(grey)
    found = zip(ids.ravel(), corners, strict=True) if ids is not None else ()
    return {int(i): np.asarray(c, np.float64).reshape(4, 2) for i, c in found if i < TAG_COUNT}
