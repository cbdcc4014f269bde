"""Learn a lid from one view in which all 12 windows are covered by tokens.

Its corners: `corners`; which way is up: `markers`; where learnt lids are stored: `companion.camera.learnt_layouts`.
"""

from collections.abc import Iterable, Iterator

import numpy as np

from companion.vision.lid.circles import MAX_EDGE_SHARE, CircleVoter, VoteMap, cluster_points, find_peaks
from companion.vision.lid.corners import VIEW_SIDE_PX, find_lid_corners, segment_lid
from companion.vision.lid.digit_reader import DISC_MASK, DigitClassifier, cut_circle_patches
from companion.vision.lid.geometry import (
    LID_CENTRE,
    BoolArray,
    Ellipse,
    FloatArray,
    compute_half_side,
    compute_scale,
    cut_patch,
    find_changed_colours,
    invert,
    make_rigid_motion,
    project_points,
    rectify_circles,
)
from companion.vision.lid.image_pyramid import ImagePyramid, choose_level, sample_colours
from companion.vision.lid.layout import WINDOW_COUNT, LidLayout
from companion.vision.lid.markers import find_arrow, find_tags
from companion.vision.lid.shading import LID_IMAGE_SIDE_PX
from companion.vision.lid.token_outlines import find_circles_around, find_rims
from companion.vision.lid.window_reader import may_all_be_covered
from companion.vision.lid.window_rings import make_rim_points, make_ring_points
from companion.vision.reading import Image

_MIN_ROW_DISTANCE_RADII = 0.45
"""A window that lies this much lower than the last one begins a new row. If it grows, staggered windows share a row."""

_MIN_TOKEN_RADIUS_SHARE = 0.0105
"""Smallest token radius that is searched for, as a share of the frame's width. If it grows, the camera must be
nearer."""

_MAX_TOKEN_RADIUS_SHARE = 0.09
"""Largest token radius that is searched for, as a share of the frame's width. If it grows, the search takes longer."""

_RADIUS_STEP_RATIO = 1.14
"""Ratio of one searched radius to the next. If it grows, the search is quicker and misses sizes between two steps."""

_MIN_READABLE_RADIUS_PX = 10.0
"""Least radius (pixels) at which a digit can be read. If it grows, the camera must be nearer."""

_MAX_COLOUR_WIDTH_PX = 480
"""Images wider than this, in which the smallest tokens are searched for, are searched in grey. If it grows, the search
takes longer."""

_MIN_REDUCED_RADIUS_PX = 5.0
"""Least token radius (pixels) in the reduced image that is searched; it is below twice as much. If it grows, the search
is finer and slower."""

_MIN_VOTES = 0.6
"""Share of its outline that a circle shows at least. If it grows, pale tokens are missed."""

_MIN_FAINT_VOTES = 0.5
"""`_MIN_VOTES` in the second search, for tokens of the lid's own colour. If it grows, pale lids are not learnt."""

_MAX_FAINT_EDGE_SHARE = 0.3
"""Share of the pixels that vote in the second search: tokens of the lid's own colour have fainter rims than granite or
a cloth has specks. If it grows, fainter rims are found, and the search takes longer."""

_MIN_FAINT_MEDIAN_CONFIDENCE = 0.8
"""Median probability of the 12 numbers that is needed in the second search: the squares of a chequered cloth are round
enough for such circles, and look like some digit, but not like a certain one. If it grows, pale lids are not learnt."""

_SEARCHED_CIRCLES_PER_RADIUS = 80
"""Largest number of circles of one radius that are kept. If it grows, busy tables take longer."""

_MAX_CIRCLES_READ = 24
"""Largest number of circles of one size whose digits are read. If it grows, busy tables take longer."""

_MAX_CLUSTERED_CIRCLES = 40
"""Largest number of circles of one size that are clustered. If it grows, busy tables take longer."""

_MAX_CLUSTER_LOG_RADIUS = 0.16
"""Largest difference of the logarithms of two radii in a cluster. If it grows, oblique lids hold together better."""

_MAX_NEIGHBOUR_DISTANCE_RADII = 4.5
"""Largest distance of a window to the next one of its lid, in token radii. If it grows, two lids run together."""

_VIEW_MARGIN_RADII = 4.5
"""How far outside the outermost windows the lid's edge is searched for, in token radii. If it grows, wider lids fit in
and each radius has fewer pixels."""

_MIN_DIGIT_COUNT = 11
"""Least number of the 12 circles on which a digit can be read. If it falls, other round things pass for a lid."""

_MAX_DIGITS_ON_ONE_LID = 14
"""With more circles that carry digits there are two lids, or spare tokens beside one. If it grows, more spare tokens
may lie there before the lids are separated."""

_MIN_CLUSTER_SIZE = 8
"""Least number of circles near to each other whose digits are read. If it falls, busy tables take longer."""

_MIN_ANCHOR_COUNT = 6
"""Least number of digits in a cluster with which all tokens of the lid are searched for. If it falls, busy tables take
longer."""

_MAX_GROUPS_TRIED = 3
"""Largest number of such clusters, those with the most digits first. If it grows, busy tables take longer."""

_MIN_MEDIAN_VOTES_SHARE = 0.7
"""A circle with fewer votes than this share of the tokens' median is less likely a token. If it grows, pale ones
lose."""

_FOREIGN_COLOUR_WEIGHT = 0.2
"""Factor on the likelihood of a circle that has another colour than the tokens. If it falls, one stained token more
easily spoils the calibration."""

_MAX_RADIUS_DEVIATION_SHARE = 0.05
"""Largest deviation of a rectified radius from the others: a hole is smaller than a token. If it grows, a lid with an
open window may be learnt."""

_MAX_TOKEN_SIZE_RATIO = 1.35
"""Largest ratio of two tokens' radii in the image. If it grows, more oblique cameras are accepted."""

_MIN_DIGIT_PROBABILITY = 0.5
"""Probability from which a circle carries a digit. If it grows, tokens that are hard to read are missed."""


def learn_layout(pyramid: ImagePyramid, classifier: DigitClassifier) -> tuple[LidLayout, FloatArray] | None:
    """Learn a lid from a frame in which all 12 windows are covered.

    Args:
        classifier: reads the numbers on the tokens.

    Returns:
        The layout, and the homography from the lid's plane (unit: one token radius) to the frame's pixels, (3, 3)
        float64; None unless 12 tokens of equal size are seen in the places of a lid's windows.
    """
    image = pyramid.get_level(0)
    ellipses = _find_twelve_tokens(pyramid, classifier)
    if ellipses is None:
        return None
    to_plane = rectify_circles(ellipses)
    points = project_points(to_plane, np.array([e.center for e in ellipses]))
    radii = np.array([e.radius * compute_scale(to_plane, e.center) for e in ellipses])
    # The tokens of a lid are equally large: other circles are dice cups, coins or coasters.
    if np.abs(radii - 1).max() > _MAX_RADIUS_DEVIATION_SHARE:
        return None
    to_image = invert(to_plane)
    half_side = float(np.abs(points).max()) + _VIEW_MARGIN_RADII
    view = cut_patch(image, to_image, LID_CENTRE, half_side, VIEW_SIDE_PX)
    mask = segment_lid(view, points, half_side)
    corners = find_lid_corners(view, mask, points, half_side)
    arrow = find_arrow(view, mask, points, corners, half_side)
    tags = {i: project_points(to_plane, c) for i, c in find_tags(image).items()}
    # From here on the arrow points up, so that windows are counted as people read.
    turn = make_rigid_motion(-_find_up_angle(corners, arrow, tags, to_image))
    points = project_points(turn, points)
    points = points[sort_in_reading_order(points)]
    camera = to_image @ invert(turn)
    corners = project_points(turn, corners)
    layout = LidLayout(
        centers=points,
        corners=np.roll(corners, -int((corners @ [1.0, 1.0]).argmin()), axis=0),
        arrow=None if arrow is None else project_points(turn, arrow),
        tags={i: project_points(turn, c) for i, c in tags.items()},
        camera_homography=camera,
        frame_size=pyramid.frame_size,
        lid_image=cut_patch(image, camera, LID_CENTRE, compute_half_side(corners), LID_IMAGE_SIDE_PX),
        ring_colours=np.asarray(sample_colours(pyramid, camera, make_ring_points(points)), np.uint8),
        rim_colours=np.asarray(sample_colours(pyramid, camera, make_rim_points(points)), np.uint8),
    )
    return (layout, camera) if may_all_be_covered(pyramid, layout, camera) else None


def _find_up_angle(
    corners: FloatArray, arrow: FloatArray | None, tags: dict[int, FloatArray], to_image: FloatArray
) -> float:
    """Return the angle (radians) by which the arrow's side is turned from straight up, in the plane as first seen."""
    normals = [(a + b) / 2 - corners.mean(axis=0) for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True)]
    if tags:  # each beside its own corner, clockwise from the arrow's left
        middles = {i: c.mean(axis=0) for i, c in tags.items()}
        off = [sum(float(np.linalg.norm(corners[(i + k) % 4] - m)) for i, m in middles.items()) for k in range(4)]
        toward = normals[int(np.argmin(off))]
    elif arrow is not None:
        toward = arrow - corners.mean(axis=0)
    else:  # without any evidence, up in the frame is up
        toward = project_points(invert(to_image), project_points(to_image, LID_CENTRE) + np.array([0.0, -5.0]))
    side = max(normals, key=lambda n: float(n @ toward) / float(np.linalg.norm(n)))
    return float(np.arctan2(side[0], -side[1]))


def _find_twelve_tokens(pyramid: ImagePyramid, classifier: DigitClassifier) -> list[Ellipse] | None:
    """Find the outlines of the 12 tokens. Faint circles are tried only where the others are not enough."""
    tokens = _find_lid_among(_iterate_candidates(pyramid), pyramid, classifier)
    if tokens is not None:
        return tokens
    tokens = _find_lid_among([find_token_candidates(pyramid, faint=True)], pyramid, classifier)
    if tokens is None:
        return None
    numbers = classifier.classify(_cut_patches(pyramid, tokens))[:, 1:].max(axis=1)
    return tokens if np.median(numbers) >= _MIN_FAINT_MEDIAN_CONFIDENCE else None


def _find_lid_among(
    parts: Iterable[FloatArray], pyramid: ImagePyramid, classifier: DigitClassifier
) -> list[Ellipse] | None:
    """Find the outlines of the 12 tokens of a lid that carries many of some circles.

    The circles come in parts; the next is fetched only where those before show no lid.
    """
    found = np.zeros((0, 4))
    tried: list[set[int]] = []
    for part in parts:
        found = np.concatenate([found, part])
        for anchors in _find_digit_groups(found, pyramid, classifier, tried)[:_MAX_GROUPS_TRIED]:
            tokens = _find_tokens_around(pyramid, classifier, anchors)
            if tokens is not None:
                return tokens
    return None


def _find_digit_groups(
    found: FloatArray, pyramid: ImagePyramid, classifier: DigitClassifier, tried: list[set[int]]
) -> list[FloatArray]:
    """Find circles with digits, of one size and near to each other, largest group first; skip groups in `tried`.

    Of groups that may be a whole lid, that with the largest circles comes first.
    """
    groups: list[FloatArray] = []
    for radius in np.unique(found[:, 2]):
        near = np.flatnonzero(np.abs(np.log(found[:, 2] / radius)) < _MAX_CLUSTER_LOG_RADIUS)
        near = near[np.argsort(-found[near, 3])][:_MAX_CLUSTERED_CIRCLES]
        near = near[_suppress_overlaps(found[near], 1.7 * radius)]
        for members in cluster_points(found[near, :2], _MAX_NEIGHBOUR_DISTANCE_RADII * radius):
            picked = near[members]
            if len(members) < _MIN_CLUSTER_SIZE or set(picked.tolist()) in tried:
                continue
            tried.append(set(picked.tolist()))
            anchors = _keep_circles_with_digits(pyramid, classifier, found[picked])
            if len(anchors) >= _MIN_ANCHOR_COUNT:
                groups.append(anchors)
    # Of two lids in view the nearer one, whose tokens look larger, is played with; one digit may be illegible.
    return sorted(groups, key=lambda group: (min(len(group), WINDOW_COUNT - 1), np.median(group[:, 2])), reverse=True)


def _keep_circles_with_digits(pyramid: ImagePyramid, classifier: DigitClassifier, circles: FloatArray) -> FloatArray:
    circles = circles[np.argsort(-circles[:, 3])][:_MAX_CIRCLES_READ]
    patches = cut_circle_patches(pyramid.get_level(0), ((c[:2], float(c[2])) for c in circles))
    return np.asarray(circles[1 - classifier.classify(patches)[:, 0] > _MIN_DIGIT_PROBABILITY], np.float64)


def _find_tokens_around(
    pyramid: ImagePyramid, classifier: DigitClassifier, anchors: FloatArray
) -> list[Ellipse] | None:
    """Find the outlines of the 12 tokens of the lid that carries the circles `anchors`."""
    circles = find_circles_around(pyramid, anchors)
    apart = circles[_suppress_overlaps(circles, 1.4 * float(np.median(anchors[:, 2])))]
    tokens = _keep_circles_with_digits(pyramid, classifier, apart)
    if len(tokens) > _MAX_DIGITS_ON_ONE_LID:
        tokens, apart = _separate_one_lid(tokens, apart)
    if len(tokens) < _MIN_DIGIT_COUNT:
        return None
    whole = apart[:, 3] > _MIN_MEDIAN_VOTES_SHARE * np.median(tokens[:, 3])  # one digit may be illegible
    read = (apart[:, None] == tokens).all(axis=2).any(axis=1)
    tokens = np.concatenate([tokens, apart[whole & ~read]])
    rims = find_rims(pyramid.get_level(0), tokens, circles)
    found = [(e, t[3]) for e, t in zip(rims, tokens, strict=True) if e is not None]
    if len(found) < WINDOW_COUNT:
        return None
    ellipses = [e for e, _ in found]
    patches = _cut_patches(pyramid, ellipses)
    digit = 1 - classifier.classify(patches)[:, 0]
    has_digit = digit > _MIN_DIGIT_PROBABILITY
    if np.count_nonzero(has_digit) < _MIN_DIGIT_COUNT:
        return None
    votes = np.array([v for _, v in found])
    colours = np.median(patches[:, DISC_MASK], axis=1)
    other = find_changed_colours(colours, np.median(colours[has_digit], axis=0), 1.0)
    worth = (digit + 0.5) * np.minimum(1.0, votes / (_MIN_MEDIAN_VOTES_SHARE * np.median(votes)))
    worth *= np.where(other, _FOREIGN_COLOUR_WEIGHT, 1.0)
    best = np.argsort(-worth)[:WINDOW_COUNT]
    size = np.array([ellipses[i].radius for i in best])
    if np.count_nonzero(has_digit[best]) < _MIN_DIGIT_COUNT or size.max() > _MAX_TOKEN_SIZE_RATIO * size.min():
        return None
    return [ellipses[i] for i in best]


def _separate_one_lid(tokens: FloatArray, circles: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the tokens of one of two lids and the circles near them; nothing where the lids cannot be separated.

    Two lids' windows are farther from each other than a lid's own.
    """
    for near in _MAX_NEIGHBOUR_DISTANCE_RADII * np.median(tokens[:, 2]) * 0.96 ** np.arange(20):
        most = tokens[max(cluster_points(tokens[:, :2], near), key=len)]
        if len(most) <= _MAX_DIGITS_ON_ONE_LID:
            away = np.linalg.norm(circles[:, None, :2] - most[:, :2], axis=2).min(axis=1)
            return most, circles[away < near]
    return tokens[:0], circles[:0]


def find_token_candidates(pyramid: ImagePyramid, *, faint: bool = False) -> FloatArray:
    """Find circles that may be tokens; one circle may be found twice, with neighbouring radii.

    At each scale nothing is found if there are fewer than `WINDOW_COUNT` candidates, so a few circles alone may give no
    rows.

    Args:
        faint: also find circles that hardly differ from their ground, together with many false ones.

    Returns:
        Rows of x, y, radius (all in frame pixels) and votes, shape (n, 4) float64; n may be 0. The votes are
        about the share of the outline that is seen, at least 0.6 (`faint`: 0.5) and up to about 2.
    """
    return np.concatenate(list(_iterate_candidates(pyramid, faint=faint)))


def _iterate_candidates(pyramid: ImagePyramid, *, faint: bool = False) -> Iterator[FloatArray]:
    """Yield the candidates in two parts.

    The smallest circles come last: they take half of the time, and a lid is seldom so far away.
    """
    width = pyramid.frame_size[0]
    least = max(_MIN_READABLE_RADIUS_PX, _MIN_TOKEN_RADIUS_SHARE * width)
    ratio = max(1.0, _MAX_TOKEN_RADIUS_SHARE * width / least)
    radii = least * _RADIUS_STEP_RATIO ** np.arange(int(np.log(ratio) / np.log(_RADIUS_STEP_RATIO)) + 1)
    levels = [choose_level(r, _MIN_REDUCED_RADIUS_PX) for r in radii.tolist()]
    max_edge_share, min_votes = (_MAX_FAINT_EDGE_SHARE, _MIN_FAINT_VOTES) if faint else (MAX_EDGE_SHARE, _MIN_VOTES)
    found = [np.zeros((0, 4))]
    for level in range(levels[-1], levels[0] - 1, -1):
        if level == levels[0]:
            yield np.concatenate(found)
            found = [np.zeros((0, 4))]
        mine = [r for r, of_radius in zip(radii.tolist(), levels, strict=True) if of_radius == level]
        if mine:
            grey = pyramid.get_level(level).shape[1] > _MAX_COLOUR_WIDTH_PX
            voter = CircleVoter(pyramid, level, grey=grey, max_edge_share=max_edge_share)
            found += _find_circles_at_level(voter, mine, min_votes)
    yield np.concatenate(found)


def _find_circles_at_level(voter: CircleVoter, radii: list[float], min_votes: float) -> list[FloatArray]:
    """Find the circles of several radii in one reduced image; each only at the radius that gets the most votes."""
    stack = [voter.count_votes(r) for r in radii]
    tops = [
        find_peaks(v, r / voter.reduction * 0.6, min_votes, _SEARCHED_CIRCLES_PER_RADIUS)
        for v, r in zip(stack, radii, strict=True)
    ]
    if sum(map(len, tops)) < WINDOW_COUNT:
        return []
    return [
        voter.make_circles(votes, top[_is_best(top, stack[max(0, i - 1) : i + 2])], radius)
        for i, (votes, radius, top) in enumerate(zip(stack, radii, tops, strict=True))
    ]


def _is_best(peaks: FloatArray, neighbours: list[VoteMap]) -> BoolArray:
    """Tell for each peak whether neither the next smaller nor the next larger radius gets clearly more votes there."""
    x, y = peaks[:, 0].astype(int), peaks[:, 1].astype(int)
    return np.asarray(np.all([peaks[:, 2] >= votes[y, x] * 0.97 for votes in neighbours], axis=0), np.bool_)


def _suppress_overlaps(circles: FloatArray, min_distance_px: float) -> list[int]:
    """Return the indices of the circles, best first, that are farther than `min_distance_px` from all better ones."""
    z = circles[:, 0] + 1j * circles[:, 1]
    close = np.abs(z[:, None] - z) <= min_distance_px
    kept: list[int] = []
    for i in range(len(circles)):
        if not close[i, kept].any():
            kept.append(i)
    return kept


def _cut_patches(pyramid: ImagePyramid, tokens: list[Ellipse]) -> Image:
    return cut_circle_patches(pyramid.get_level(0), ((token.center, token.radius) for token in tokens))


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
