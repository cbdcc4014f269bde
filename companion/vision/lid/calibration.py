"""Learning a lid from one view in which all 12 windows are covered by tokens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from companion.vision.lid import markers
from companion.vision.lid.circles import (
    MAX_EDGE_SHARE,
    CircleVoter,
    ImagePyramid,
    choose_level,
    find_peaks,
    refine_peaks,
    sample_colours,
)
from companion.vision.lid.digit_reader import PATCH_HALF_SIDE_RADII, PATCH_SIDE_PX, DigitClassifier, make_disc_mask
from companion.vision.lid.geometry import (
    LID_CENTRE,
    Ellipse,
    FloatArray,
    compute_scale,
    cut_patch,
    find_changed_colours,
    invert,
    make_rotation,
    project_points,
    rectify_circles,
)
from companion.vision.lid.layout import (
    LID_IMAGE_SIDE_PX,
    WINDOW_COUNT,
    LidLayout,
    compute_half_side,
    make_ring_points,
    sort_in_reading_order,
)
from companion.vision.lid.token_outlines import find_circles_around, find_rims
from companion.vision.lid.windows import may_all_be_covered
from companion.vision.reading import Image

_MIN_TOKEN_RADIUS_SHARE, _MAX_TOKEN_RADIUS_SHARE = 0.0105, 0.09
"""Token radii that are looked for, as shares of the frame's width."""

_RADIUS_STEP_RATIO = 1.14

_MIN_READABLE_RADIUS_PX = 10.0
"""Below this radius (pixels) no digit can be made out."""

_MAX_COLOUR_WIDTH_PX = 480
"""Pictures wider than this, in which the smallest tokens are looked for, are taken without their colours."""

_MIN_REDUCED_RADIUS_PX = 5.0
"""Tokens are looked for where their radius has at least so many pixels, and less than twice as many."""

_MIN_VOTES = 0.6

_MIN_FAINT_VOTES, _MAX_FAINT_EDGE_SHARE = 0.5, 0.3
"""Likewise, and the share of the pixels that may vote, for circles that hardly show: tokens of the lid's own colour
have fainter rims than granite or a cloth has specks."""

_MIN_FAINT_MEDIAN_CONFIDENCE = 0.8
"""So surely half of their numbers must be told where the circles hardly show: the squares of a chequered cloth are
round enough for such circles, and look like some digit, but not like a certain one."""

_MAX_CIRCLES_READ = 24
"""At most so many circles of one size are looked at closely."""

_MAX_NEIGHBOUR_DISTANCE_RADII = 4.5
"""Windows of one lid are at most this many token radii from the next."""

_VIEW_MARGIN_RADII = 4.5
"""How far outside the outermost windows the lid's edge is looked for, in token radii."""

_MIN_DIGIT_COUNT = 11
"""At least so many of the 12 circles must carry a digit that can be made out."""

_MAX_DIGITS_ON_ONE_LID = 14
"""With more circles that carry digits there are two lids, or spare tokens beside one."""

_MIN_CLUSTER_SIZE, _MIN_ANCHOR_COUNT = 8, 6
"""Of so many circles near to each other it is seen whether they carry digits; and where so many do, all tokens of the
lid are looked for."""

_MAX_GROUPS_TRIED = 3
"""Of so many groups of such circles, those with the most digits first."""

_MIN_MEDIAN_VOTES_SHARE = 0.7
"""A circle with less than this share of the votes that the tokens have is the less likely to be one."""

_FOREIGN_COLOUR_WEIGHT = 0.2
"""So much less likely is one of another colour than theirs."""

_MAX_RADIUS_DEVIATION_SHARE = 0.05
"""So much may a circle's radius differ from the others' once the tilt is undone: a hole is smaller than a token."""


def learn_layout(
    image: Image, net: DigitClassifier, scales: ImagePyramid | None = None
) -> tuple[LidLayout, FloatArray] | None:
    """The lid's layout and its pose (plane to image) in this frame; None unless 12 equal tokens are seen.

    `scales` are those of the image, if the caller has them already.
    """
    scales = scales or ImagePyramid(image)
    ellipses = _find_twelve_tokens(image, net, scales)
    if ellipses is None:
        return None
    to_plane = rectify_circles(ellipses)
    points = project_points(to_plane, np.array([e.center for e in ellipses]))
    radii = np.array([e.radius * compute_scale(to_plane, e.center) for e in ellipses])
    if np.abs(radii - 1).max() > _MAX_RADIUS_DEVIATION_SHARE:
        return None
    to_image = invert(to_plane)
    reach = float(np.abs(points).max()) + _VIEW_MARGIN_RADII
    view = cut_patch(image, to_image, LID_CENTRE, reach, markers.VIEW_SIDE_PX)
    mask = markers.segment_lid(view, points, reach)
    corners = markers.find_lid_corners(view, mask, points, reach)
    arrow = markers.find_arrow(view, mask, points, corners, reach)
    tags = {i: project_points(to_plane, c) for i, c in markers.find_tags(image).items()}
    turn = make_rotation(-_find_up_angle(corners, arrow, tags, to_image))
    points = project_points(turn, points)
    points = points[sort_in_reading_order(points)]
    camera = to_image @ invert(turn)
    corners = project_points(turn, corners)
    first = int((corners @ [1.0, 1.0]).argmin())
    layout = LidLayout(
        centers=points,
        corners=np.roll(corners, -first, axis=0),
        arrow=None if arrow is None else project_points(turn, arrow),
        tags={i: project_points(turn, c) for i, c in tags.items()},
        camera=camera,
        frame=(image.shape[1], image.shape[0]),
        lid_image=cut_patch(image, camera, LID_CENTRE, compute_half_side(corners), LID_IMAGE_SIDE_PX),
        ring_colours=np.asarray(sample_colours(scales, camera, make_ring_points(points)), np.uint8),
    )
    return (layout, camera) if may_all_be_covered(scales, layout, camera) else None


def _find_up_angle(
    corners: FloatArray, arrow: FloatArray | None, tags: dict[int, FloatArray], to_image: FloatArray
) -> float:
    """The angle (radians) by which the arrow's side lies turned from straight up, in the plane as first seen."""
    normals = [(a + b) / 2 - corners.mean(axis=0) for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True)]
    if tags:  # each beside its own corner, clockwise from the arrow's left
        middles = {i: c.mean(axis=0) for i, c in tags.items()}
        off = [sum(float(np.linalg.norm(corners[(i + k) % 4] - m)) for i, m in middles.items()) for k in range(4)]
        toward = normals[int(np.argmin(off))]
    elif arrow is not None:
        toward = arrow - corners.mean(axis=0)
    else:  # nothing tells: what is up in the frame is up
        here = project_points(to_image, np.zeros(2))
        toward = project_points(invert(to_image), here + np.array([0.0, -5.0]))
    side = max(normals, key=lambda n: float(n @ toward) / float(np.linalg.norm(n)))
    return float(np.arctan2(side[0], -side[1]))


def _find_twelve_tokens(image: Image, net: DigitClassifier, scales: ImagePyramid) -> list[Ellipse] | None:
    """The outlines of the 12 tokens, or None. Faint circles are tried only where the others are not enough."""
    tokens = _find_lid_among(_iterate_candidates(scales), image, net, scales)
    if tokens is None:
        tokens = _find_lid_among([find_token_candidates(scales, faint=True)], image, net, scales)
        if tokens is not None:
            numbers = net.read(_cut_patches(image, [(e.center, e.radius) for e in tokens]))[:, 1:].max(axis=1)
            if np.median(numbers) < _MIN_FAINT_MEDIAN_CONFIDENCE:
                return None
    return tokens


def _find_lid_among(
    parts: Iterable[FloatArray], image: Image, net: DigitClassifier, scales: ImagePyramid
) -> list[Ellipse] | None:
    """The outlines of the 12 tokens of a lid that carries many of some circles, or None. The circles come in parts: the
    next is asked for only where those before show no lid."""
    found = np.zeros((0, 4))
    tried: list[set[int]] = []
    for part in parts:
        found = np.concatenate([found, part])
        for anchors in _find_digit_groups(found, image, net, tried)[:_MAX_GROUPS_TRIED]:
            tokens = _find_tokens_around(image, net, scales, anchors)
            if tokens is not None:
                return tokens
    return None


def _find_digit_groups(
    found: FloatArray, image: Image, net: DigitClassifier, tried: list[set[int]]
) -> list[FloatArray]:
    """Circles with digits, of one size and near to each other, the most first; but not groups that were `tried`."""
    groups: list[FloatArray] = []
    for radius in np.unique(found[:, 2]):
        near = np.flatnonzero(np.abs(np.log(found[:, 2] / radius)) < 0.16)
        near = near[np.argsort(-found[near, 3])][:40]
        near = near[_suppress_overlaps(found[near], 1.7 * radius)]
        for members in _cluster_circles(found[near], _MAX_NEIGHBOUR_DISTANCE_RADII * radius):
            picked = near[members]
            if len(members) < _MIN_CLUSTER_SIZE or set(picked.tolist()) in tried:
                continue
            tried.append(set(picked.tolist()))
            anchors = _keep_circles_with_digits(image, net, found[picked])
            if len(anchors) >= _MIN_ANCHOR_COUNT:
                groups.append(anchors)
    return sorted(groups, key=len, reverse=True)


def _keep_circles_with_digits(image: Image, net: DigitClassifier, circles: FloatArray) -> FloatArray:
    """Those of the circles that carry a digit."""
    circles = circles[np.argsort(-circles[:, 3])][:_MAX_CIRCLES_READ]
    digit = 1 - net.read(_cut_patches(image, [(c[:2], float(c[2])) for c in circles]))[:, 0]
    return np.asarray(circles[digit > 0.5], np.float64)


def _find_tokens_around(
    image: Image, net: DigitClassifier, scales: ImagePyramid, anchors: FloatArray
) -> list[Ellipse] | None:
    """The outlines of the 12 tokens of the lid on which the circles `anchors` are, or None."""
    circles = find_circles_around(scales, anchors)
    apart = circles[_suppress_overlaps(circles, 1.4 * float(np.median(anchors[:, 2])))]
    tokens = _keep_circles_with_digits(image, net, apart)
    if len(tokens) > _MAX_DIGITS_ON_ONE_LID:
        tokens, apart = _separate_one_lid(tokens, apart)
    if len(tokens) < _MIN_DIGIT_COUNT:
        return None
    whole = apart[:, 3] > _MIN_MEDIAN_VOTES_SHARE * np.median(tokens[:, 3])  # one digit may be beyond reading
    read = (apart[:, None] == tokens).all(axis=2).any(axis=1)
    tokens = np.concatenate([tokens, apart[whole & ~read]])
    found = [(e, t[3]) for e, t in zip(find_rims(image, tokens, circles), tokens, strict=True) if e is not None]
    if len(found) < WINDOW_COUNT:
        return None
    ellipses = [e for e, _ in found]
    patches = _cut_patches(image, [(e.center, e.radius) for e in ellipses])
    digit = 1 - net.read(patches)[:, 0]
    if np.count_nonzero(digit > 0.5) < _MIN_DIGIT_COUNT:
        return None
    votes = np.array([v for _, v in found])
    colours = np.median(patches[:, make_disc_mask()], axis=1)
    other = find_changed_colours(colours, np.median(colours[digit > 0.5], axis=0), 1.0)
    worth = (
        (digit + 0.5)
        * np.minimum(1.0, votes / (_MIN_MEDIAN_VOTES_SHARE * np.median(votes)))
        * np.where(other, _FOREIGN_COLOUR_WEIGHT, 1.0)
    )
    best = np.argsort(-worth)[:WINDOW_COUNT]
    size = np.array([ellipses[i].radius for i in best])
    if np.count_nonzero(digit[best] > 0.5) < _MIN_DIGIT_COUNT or size.max() > 1.35 * size.min():
        return None
    return [ellipses[i] for i in best]


def _separate_one_lid(tokens: FloatArray, circles: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Of the tokens of two lids those of one, and those of the circles that are near them; none where they cannot be
    told apart: two lids' windows are farther from each other than a lid's own."""
    radius = float(np.median(tokens[:, 2]))
    for near in _MAX_NEIGHBOUR_DISTANCE_RADII * radius * 0.96 ** np.arange(20):
        most = tokens[max(_cluster_circles(tokens, near), key=len)]
        if len(most) <= _MAX_DIGITS_ON_ONE_LID:
            away = np.linalg.norm(circles[:, None, :2] - most[:, :2], axis=2).min(axis=1)
            return most, circles[away < near]
    return tokens[:0], circles[:0]


def find_token_candidates(scales: ImagePyramid, *, faint: bool = False) -> FloatArray:
    """Circles that may be tokens: rows of x, y, radius (frame pixels), votes; each at its best radius.

    `faint`: also those that hardly differ from their ground, and with them much else.
    """
    return np.concatenate(list(_iterate_candidates(scales, faint=faint)))


def _iterate_candidates(scales: ImagePyramid, *, faint: bool = False) -> Iterator[FloatArray]:
    """The `candidates` in two parts, the smallest circles last: they take half of the time, and a lid is seldom so far
    away."""
    width = scales.get_level(0).shape[1]
    least = max(_MIN_READABLE_RADIUS_PX, _MIN_TOKEN_RADIUS_SHARE * width)
    radii = least * _RADIUS_STEP_RATIO ** np.arange(
        int(np.log(max(1.0, _MAX_TOKEN_RADIUS_SHARE * width / least)) / np.log(_RADIUS_STEP_RATIO)) + 1
    )
    finest = choose_level(least, _MIN_REDUCED_RADIUS_PX)
    found = [np.zeros((0, 4))]
    for halvings in range(choose_level(float(radii[-1]), _MIN_REDUCED_RADIUS_PX), finest - 1, -1):
        if halvings == finest:
            yield np.concatenate(found)
            found = [np.zeros((0, 4))]
        mine = [r for r in radii.tolist() if choose_level(r, _MIN_REDUCED_RADIUS_PX) == halvings]
        if mine:
            grey = scales.get_level(halvings).shape[1] > _MAX_COLOUR_WIDTH_PX
            edges = CircleVoter(scales, halvings, grey=grey, voters=_MAX_FAINT_EDGE_SHARE if faint else MAX_EDGE_SHARE)
            found += _find_circles_at_level(edges, mine, _MIN_FAINT_VOTES if faint else _MIN_VOTES)
    yield np.concatenate(found)


def _find_circles_at_level(edges: CircleVoter, radii: list[float], least: float) -> list[FloatArray]:
    stack = [edges.count_votes(r) for r in radii]
    tops = [find_peaks(v, r / edges.reduction * 0.6, least, 80) for v, r in zip(stack, radii, strict=True)]
    if sum(map(len, tops)) < WINDOW_COUNT:
        return []
    out = []
    for i, (radius, top) in enumerate(zip(radii, tops, strict=True)):
        x, y = top[:, 0].astype(int), top[:, 1].astype(int)
        best = np.all([top[:, 2] >= v[y, x] * 0.97 for v in stack[max(0, i - 1) : i + 2]], axis=0)
        places = edges.to_frame(refine_peaks(stack[i], top[best, :2]))
        out.append(np.column_stack([places, np.full(len(places), radius), top[best, 2]]))
    return out


def _suppress_overlaps(group: FloatArray, least: float) -> list[int]:
    """Indices of circles, best first, that keep the distance from all better ones."""
    close = np.abs((group[:, 0] + 1j * group[:, 1])[:, None] - (group[:, 0] + 1j * group[:, 1])) <= least
    kept: list[int] = []
    for i in range(len(group)):
        if not close[i, kept].any():
            kept.append(i)
    return kept


def _cluster_circles(group: FloatArray, near: float) -> list[list[int]]:
    """Index lists of circles that hang together by steps of at most `near`."""
    z = group[:, 0] + 1j * group[:, 1]
    close = np.abs(z[:, None] - z) < near
    left = np.ones(len(group), bool)
    out = []
    while left.any():
        members = np.zeros(len(group), bool)
        members[int(left.argmax())] = True
        while True:
            grown = close[members].any(axis=0)
            if (grown == members).all():
                break
            members = grown
        left &= ~members
        out.append(np.flatnonzero(members).tolist())
    return out


def _cut_patches(image: Image, circles: list[tuple[FloatArray, float]]) -> Image:
    return np.stack(
        [
            cut_patch(image, np.eye(3), center, PATCH_HALF_SIDE_RADII * radius, PATCH_SIDE_PX)
            for center, radius in circles
        ]
    )
