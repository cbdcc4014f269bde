"""Find tokens where no whole lid is seen: it is cut off by the frame's edge, too far away, or seen too obliquely."""

import cv2
import numpy as np

from companion.vision.lid.circles import EdgePixels, cluster_points, find_peaks
from companion.vision.lid.digit_reader import DigitClassifier, cut_circle_patches
from companion.vision.lid.ellipse_fit import fit_ellipse
from companion.vision.lid.geometry import Ellipse, FloatArray
from companion.vision.reading import Image

MIN_TOKENS = 4
"""Fewer tokens together are no lid: some may lie beside it, or be in the players' hands. If it grows, lids of which
little is seen are missed."""

_ENOUGH_TOKENS = 9
"""With as many tokens the search ends. If it grows, it takes longer and finds larger groups."""

_MAX_WIDTH_PX = 1280
"""Larger frames are reduced to this width. If it grows, smaller tokens are found, and the search takes longer."""

_MIN_REDUCED_RADIUS_PX = 10.0
"""The frame is reduced until circles have this radius or up to twice as much; smaller ones are searched for as they
are. If it grows, the search is finer and slower."""

_MIN_EDGE_STEEPNESS = 20.0
"""Least steepness of an edge pixel (3x3 Sobel, of 1020). If it grows, pale tokens are missed."""

_MAX_EDGE_SHARE = 0.12
"""Largest share of the pixels that vote, the steepest first. If it grows, paler tokens are found, and busy tables give
more false circles."""

_VOTE_SIGMA_PX = 1.5
"""Standard deviation of the votes for one circle around its centre. If it grows, uneven outlines count as circles."""

_MIN_NEAR_RADIUS_PX = 14.0
"""Smallest token radius of the first search: what a lid's reader would find. If it grows, the second search is needed
more often."""

_MAX_NEAR_RADIUS_SHARE = 0.09
"""Largest token radius of the first search, as a share of the frame's width. If it grows, the search takes longer."""

_FAR_RADIUS_RANGE_PX = (5.5, 15.0)
"""Token radii of the second search: those of a camera that is too far away. If it widens, the search takes longer."""

_RADIUS_STEP_RATIO = 1.07
"""Ratio of one searched radius to the next. If it grows, the search is quicker and misses sizes between two steps."""

_MIN_VOTES = 0.4
"""Least share of a circle's outline that is seen. If it grows, pale tokens are missed."""

_MAX_CIRCLES_PER_RADIUS = 60
"""Largest number of circles of one size. If it grows, busy tables take longer."""

_MAX_OUTLINES_FITTED = 8 * _MAX_CIRCLES_PER_RADIUS
"""Largest number of circles of all sizes whose outlines are fitted. If it grows, busy tables take longer."""

_MAX_RADIUS_RATIO = 1.3
"""Ratio of the largest to the smallest token of one lid, as an oblique camera sees them. If it grows, other round
things join the lid."""

_STRETCH_RATIO = 1.45
"""Ratio by which the frame is stretched upwards when nothing is found: it rounds circles that a camera sees at 46
degrees. If it grows, more oblique ones are found, and others missed."""

_MAX_WINDOWS_PER_ROW = 4
"""Largest number of windows in a row of a lid; more tokens in one line are print. If it grows, lines of print may
pass."""

_MAX_NEIGHBOUR_DISTANCE_RADII = 4.5
"""Largest distance of a window to the next one of its lid, in token radii. If it grows, loose tokens join the lid."""

_INSIDE_RADII = 0.6
"""Part of a token's radius around its centre that must lie in the frame. If it grows, tokens cut off count less."""

_MIN_DIGIT_PROBABILITY = 0.5
"""Probability from which a circle carries a digit. If it grows, tokens that are hard to read are missed."""


def find_tokens(image: Image, classifier: DigitClassifier) -> list[Ellipse]:
    """Find the largest group of tokens that lie together. It takes some tenths of a second: not for every frame.

    Args:
        image: the frame, (H, W, 3) uint8 BGR.
        classifier: reads the numbers on the tokens.

    Returns:
        Their outlines in pixels of `image`; empty if there are fewer than `MIN_TOKENS` (4), or all lie on one line like
        print.

    Raises:
        cv2.error: `image` has another number of channels.
    """
    scale = min(1.0, _MAX_WIDTH_PX / image.shape[1])
    work = _resize(image, scale, scale)
    # The larger group counts: seen very obliquely, some tokens still pass for round.
    near = _MIN_NEAR_RADIUS_PX, _MAX_NEAR_RADIUS_SHARE * work.shape[1]
    group, down = _find_group(work, classifier, near), scale
    if len(group) < _ENOUGH_TOKENS:
        group = max(group, _find_group(work, classifier, _FAR_RADIUS_RANGE_PX), key=len)
    if len(group) < _ENOUGH_TOKENS:
        stretched = _find_group(_resize(image, scale, scale * _STRETCH_RATIO), classifier, near)
        if len(stretched) > len(group):
            group, down = stretched, scale * _STRETCH_RATIO
    if len(group) < MIN_TOKENS or _is_line_of_print(group):
        return []
    back = np.array([1 / scale, 1 / down])
    return [Ellipse(e.center * back, e.shape * np.outer(back, back)) for e in group]


def estimate_tilt_deg(tokens: list[Ellipse]) -> float:
    """Estimate the angle between the camera's axis and the tokens' normal from their median shape.

    >>> round(estimate_tilt_deg([Ellipse(np.array([100.0, 80.0]), np.diag([400.0, 100.0]))]))
    60

    A circle's width shrinks by the cosine of the tilt.

    Args:
        tokens: outlines of tokens in one plane; at least one (without any the result means nothing).

    Returns:
        Degrees, 0 (seen from straight above) to 90.
    """
    sides = [np.linalg.eigvalsh(token.shape) for token in tokens]
    ratio = float(np.median([np.sqrt(max(0.0, float(short / long))) for short, long in sides]))
    return float(np.degrees(np.arccos(min(1.0, ratio))))


def _resize(image: Image, across: float, down: float) -> Image:
    if across == down == 1:
        return image
    size = (max(1, round(image.shape[1] * across)), max(1, round(image.shape[0] * down)))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)


def _find_group(image: Image, classifier: DigitClassifier, radius_range_px: tuple[float, float]) -> list[Ellipse]:
    circles = _find_circles(image, *radius_range_px)
    return _find_largest_cluster(_keep_circles_with_digits(image, classifier, circles))


def _find_circles(image: Image, smallest: float, largest: float) -> FloatArray:
    """Find circles with radii in this range (pixels).

    The same voting as in `lid.circles` (fast radial symmetry, Loy and Zelinsky 2003), but kept simple: it searches all
    of a frame for any radius, and has seconds for it.

    Returns:
        Rows of x, y, radius (pixels) and share of the outline seen, best first, shape (n, 4).
    """
    edges: dict[int, EdgePixels] = {}
    found = [np.empty((0, 4))]
    radius = smallest
    while radius < largest:
        reduction = max(1, int(radius / _MIN_REDUCED_RADIUS_PX))
        if reduction not in edges:
            edges[reduction] = _find_edges(_resize(image, 1 / reduction, 1 / reduction))
        circles = _find_circles_of_radius(edges[reduction], radius / reduction)
        found.append(circles * [reduction, reduction, reduction, 1.0])
        radius *= _RADIUS_STEP_RATIO
    circles = np.concatenate(found)
    return np.asarray(circles[np.argsort(-circles[:, 3])], np.float64)


def _find_edges(image: Image) -> EdgePixels:
    smooth = cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), (3, 3), 0)
    dx, dy = (cv2.Sobel(smooth, cv2.CV_32F, *order) for order in ((1, 0), (0, 1)))
    steep = cv2.magnitude(dx, dy)
    y, x = np.nonzero(steep > max(_MIN_EDGE_STEEPNESS, float(np.percentile(steep, 100 * (1 - _MAX_EDGE_SHARE)))))
    toward_x, toward_y = (np.asarray(d[y, x] / steep[y, x], np.float32) for d in (dx, dy))
    return EdgePixels(x, y, toward_x, toward_y, image.shape[1], image.shape[0])


def _find_circles_of_radius(edges: EdgePixels, radius_px: float) -> FloatArray:
    """Return the places that most of a circle of this radius votes for: rows of x, y, radius, share."""
    # An outline is about two pixels wide; its votes are spread by the blur.
    blurred = cv2.GaussianBlur(edges.count_hits(radius_px), (0, 0), _VOTE_SIGMA_PX)
    share = np.asarray(blurred * (_VOTE_SIGMA_PX**2 / (1.6 * radius_px)), np.float32)
    peaks = find_peaks(share, radius_px, _MIN_VOTES, _MAX_CIRCLES_PER_RADIUS)
    return np.insert(peaks, 2, radius_px, axis=1)


def _keep_circles_with_digits(image: Image, classifier: DigitClassifier, circles: FloatArray) -> list[Ellipse]:
    """Return the outlines of the circles, none twice, that carry a digit."""
    outlines: list[Ellipse] = []
    for x, y, radius, _ in circles[:_MAX_OUTLINES_FITTED]:
        if any(np.hypot(e.center[0] - x, e.center[1] - y) < max(radius, e.radius) for e in outlines):
            continue
        token = fit_ellipse(image, x, y, radius)
        if token is not None and _is_inside(token, image):
            outlines.append(token)
    if not outlines:
        return []
    digit = 1 - classifier.classify(cut_circle_patches(image, ((e.center, e.radius) for e in outlines)))[:, 0]
    return [e for e, probability in zip(outlines, digit, strict=True) if probability > _MIN_DIGIT_PROBABILITY]


def _is_inside(token: Ellipse, image: Image) -> bool:
    margin = _INSIDE_RADII * token.radius
    x, y = token.center
    return bool(margin < x < image.shape[1] - margin and margin < y < image.shape[0] - margin)


def _is_line_of_print(tokens: list[Ellipse]) -> bool:
    """Tell whether these are more than the windows of a row, and yet all in one line."""
    places = np.array([token.center for token in tokens])
    spread = np.linalg.svd(places - places.mean(axis=0), compute_uv=False)[1] / np.sqrt(len(tokens))
    return len(tokens) > _MAX_WINDOWS_PER_ROW and bool(spread < tokens[0].radius)


def _find_largest_cluster(tokens: list[Ellipse]) -> list[Ellipse]:
    """Return the largest group of tokens of similar size, each near to another one of it."""
    best: list[Ellipse] = []
    slack = _MAX_RADIUS_RATIO**0.5
    for first in tokens:
        others = (t for t in tokens if first.radius / slack <= t.radius <= first.radius * slack and t is not first)
        alike = [first, *others]
        centers = np.array([token.center for token in alike])
        members, *_ = cluster_points(centers, _MAX_NEIGHBOUR_DISTANCE_RADII * first.radius)
        if len(members) > len(best):
            best = [alike[i] for i in members]
    return best
