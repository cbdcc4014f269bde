"""Learning a lid from one view in which all 12 windows are covered by tokens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from companion.vision.lid import markers
from companion.vision.lid.circles import VOTERS, Edges, Scales, blots, colours_at, halvings_for, peaks
from companion.vision.lid.digit_reader import REACH, SIDE, TokenNet, disc
from companion.vision.lid.geometry import (
    CENTRE,
    Ellipse,
    Floats,
    cut,
    inverse,
    project,
    scale_at,
    straighten,
    turned,
    unlike,
)
from companion.vision.lid.layout import LOOKS, WINDOWS, Layout, reach_of, ring, rows
from companion.vision.lid.token_outlines import circles_around, rims
from companion.vision.lid.windows import none_bare
from companion.vision.reading import Image

_SMALLEST, _LARGEST = 0.0105, 0.09
"""Token radii that are looked for, as shares of the frame's width."""

_STEP = 1.14

_READABLE = 10.0
"""Below this radius (pixels) no digit can be made out."""

_GREY_WIDTH = 480
"""Pictures wider than this, in which the smallest tokens are looked for, are taken without their colours."""

_LEAST_PIXELS = 5.0
"""Tokens are looked for where their radius has at least so many pixels, and less than twice as many."""

_LEAST_VOTES = 0.6

_FAINT_VOTES, _FAINT_VOTERS = 0.5, 0.3
"""Likewise, and the share of the pixels that may vote, for circles that hardly show: tokens of the lid's own colour
have fainter rims than granite or a cloth has specks."""

_PLAIN = 0.8
"""So surely half of their numbers must be told where the circles hardly show: the squares of a chequered cloth are
round enough for such circles, and look like some digit, but not like a certain one."""

_MOST = 24
"""At most so many circles of one size are looked at closely."""

_NEAR = 4.5
"""Windows of one lid are at most this many token radii from the next."""

_MARGIN = 4.5
"""How far outside the outermost windows the lid's edge is looked for, in token radii."""

_DIGITS = 11
"""At least so many of the 12 circles must carry a digit that can be made out."""

_ONE_LID = 14
"""With more circles that carry digits there are two lids, or spare tokens beside one."""

_ROUGH, _ANCHORS = 8, 6
"""Of so many circles near to each other it is seen whether they carry digits; and where so many do, all tokens of the
lid are looked for."""

_GROUPS = 3
"""Of so many groups of such circles, those with the most digits first."""

_FAINT = 0.7
"""A circle with less than this share of the votes that the tokens have is the less likely to be one."""

_OTHER = 0.2
"""So much less likely is one of another colour than theirs."""

_UNEQUAL = 0.05
"""So much may a circle's radius differ from the others' once the tilt is undone: a hole is smaller than a token."""


def learn(image: Image, net: TokenNet, scales: Scales | None = None) -> tuple[Layout, Floats] | None:
    """The lid's layout and its pose (plane to image) in this frame; None unless 12 equal tokens are seen.

    `scales` are those of the image, if the caller has them already.
    """
    scales = scales or Scales(image)
    ellipses = _twelve(image, net, scales)
    if ellipses is None:
        return None
    to_plane = straighten(ellipses)
    points = project(to_plane, np.array([e.center for e in ellipses]))
    radii = np.array([e.radius * scale_at(to_plane, e.center) for e in ellipses])
    if np.abs(radii - 1).max() > _UNEQUAL:
        return None
    to_image = inverse(to_plane)
    reach = float(np.abs(points).max()) + _MARGIN
    view = cut(image, to_image, CENTRE, reach, markers.SIDE)
    mask = markers.lid_mask(view, points, reach)
    corners = markers.outline(view, mask, points, reach)
    arrow = markers.arrow(view, mask, points, corners, reach)
    tags = {i: project(to_plane, c) for i, c in markers.find_tags(image).items()}
    turn = turned(-_up(corners, arrow, tags, to_image))
    points = project(turn, points)
    points = points[rows(points)]
    camera = to_image @ inverse(turn)
    corners = project(turn, corners)
    first = int((corners @ [1.0, 1.0]).argmin())
    layout = Layout(
        points=points,
        corners=np.roll(corners, -first, axis=0),
        arrow=None if arrow is None else project(turn, arrow),
        tags={i: project(turn, c) for i, c in tags.items()},
        camera=camera,
        frame=(image.shape[1], image.shape[0]),
        looks=cut(image, camera, CENTRE, reach_of(corners), LOOKS),
        around=np.asarray(colours_at(scales, camera, ring(points)), np.uint8),
    )
    return (layout, camera) if none_bare(scales, layout, camera) else None


def _up(corners: Floats, arrow: Floats | None, tags: dict[int, Floats], to_image: Floats) -> float:
    """The angle (radians) by which the arrow's side lies turned from straight up, in the plane as first seen."""
    normals = [(a + b) / 2 - corners.mean(axis=0) for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True)]
    if tags:  # each beside its own corner, clockwise from the arrow's left
        middles = {i: c.mean(axis=0) for i, c in tags.items()}
        off = [sum(float(np.linalg.norm(corners[(i + k) % 4] - m)) for i, m in middles.items()) for k in range(4)]
        toward = normals[int(np.argmin(off))]
    elif arrow is not None:
        toward = arrow - corners.mean(axis=0)
    else:  # nothing tells: what is up in the frame is up
        here = project(to_image, np.zeros(2))
        toward = project(inverse(to_image), here + np.array([0.0, -5.0]))
    side = max(normals, key=lambda n: float(n @ toward) / float(np.linalg.norm(n)))
    return float(np.arctan2(side[0], -side[1]))


def _twelve(image: Image, net: TokenNet, scales: Scales) -> list[Ellipse] | None:
    """The outlines of the 12 tokens, or None. Faint circles are tried only where the others are not enough."""
    tokens = _twelve_of(_by_size(scales), image, net, scales)
    if tokens is None:
        tokens = _twelve_of([candidates(scales, faint=True)], image, net, scales)
        if tokens is not None:
            numbers = net.read(_patches(image, [(e.center, e.radius) for e in tokens]))[:, 1:].max(axis=1)
            if np.median(numbers) < _PLAIN:
                return None
    return tokens


def _twelve_of(parts: Iterable[Floats], image: Image, net: TokenNet, scales: Scales) -> list[Ellipse] | None:
    """The outlines of the 12 tokens of a lid that carries many of some circles, or None. The circles come in parts: the
    next is asked for only where those before show no lid."""
    found = np.zeros((0, 4))
    tried: list[set[int]] = []
    for part in parts:
        found = np.concatenate([found, part])
        for anchors in _groups(found, image, net, tried)[:_GROUPS]:
            tokens = _tokens_around(image, net, scales, anchors)
            if tokens is not None:
                return tokens
    return None


def _groups(found: Floats, image: Image, net: TokenNet, tried: list[set[int]]) -> list[Floats]:
    """Circles with digits, of one size and near to each other, the most first; but not groups that were `tried`."""
    groups: list[Floats] = []
    for radius in np.unique(found[:, 2]):
        near = np.flatnonzero(np.abs(np.log(found[:, 2] / radius)) < 0.16)
        near = near[np.argsort(-found[near, 3])][:40]
        near = near[_apart(found[near], 1.7 * radius)]
        for members in _clusters(found[near], _NEAR * radius):
            picked = near[members]
            if len(members) < _ROUGH or set(picked.tolist()) in tried:
                continue
            tried.append(set(picked.tolist()))
            anchors = _with_digits(image, net, found[picked])
            if len(anchors) >= _ANCHORS:
                groups.append(anchors)
    return sorted(groups, key=len, reverse=True)


def _with_digits(image: Image, net: TokenNet, circles: Floats) -> Floats:
    """Those of the circles that carry a digit."""
    circles = circles[np.argsort(-circles[:, 3])][:_MOST]
    digit = 1 - net.read(_patches(image, [(c[:2], float(c[2])) for c in circles]))[:, 0]
    return np.asarray(circles[digit > 0.5], np.float64)


def _tokens_around(image: Image, net: TokenNet, scales: Scales, anchors: Floats) -> list[Ellipse] | None:
    """The outlines of the 12 tokens of the lid on which the circles `anchors` are, or None."""
    circles = circles_around(scales, anchors)
    apart = circles[_apart(circles, 1.4 * float(np.median(anchors[:, 2])))]
    tokens = _with_digits(image, net, apart)
    if len(tokens) > _ONE_LID:
        tokens, apart = _of_one_lid(tokens, apart)
    if len(tokens) < _DIGITS:
        return None
    whole = apart[:, 3] > _FAINT * np.median(tokens[:, 3])  # one digit may be beyond reading
    read = (apart[:, None] == tokens).all(axis=2).any(axis=1)
    tokens = np.concatenate([tokens, apart[whole & ~read]])
    found = [(e, t[3]) for e, t in zip(rims(image, tokens, circles), tokens, strict=True) if e is not None]
    if len(found) < WINDOWS:
        return None
    ellipses = [e for e, _ in found]
    patches = _patches(image, [(e.center, e.radius) for e in ellipses])
    digit = 1 - net.read(patches)[:, 0]
    if np.count_nonzero(digit > 0.5) < _DIGITS:
        return None
    votes = np.array([v for _, v in found])
    colours = np.median(patches[:, disc()], axis=1)
    other = unlike(colours, np.median(colours[digit > 0.5], axis=0), 1.0)
    worth = (digit + 0.5) * np.minimum(1.0, votes / (_FAINT * np.median(votes))) * np.where(other, _OTHER, 1.0)
    best = np.argsort(-worth)[:WINDOWS]
    size = np.array([ellipses[i].radius for i in best])
    if np.count_nonzero(digit[best] > 0.5) < _DIGITS or size.max() > 1.35 * size.min():
        return None
    return [ellipses[i] for i in best]


def _of_one_lid(tokens: Floats, circles: Floats) -> tuple[Floats, Floats]:
    """Of the tokens of two lids those of one, and those of the circles that are near them; none where they cannot be
    told apart: two lids' windows are farther from each other than a lid's own."""
    radius = float(np.median(tokens[:, 2]))
    for near in _NEAR * radius * 0.96 ** np.arange(20):
        most = tokens[max(_clusters(tokens, near), key=len)]
        if len(most) <= _ONE_LID:
            away = np.linalg.norm(circles[:, None, :2] - most[:, :2], axis=2).min(axis=1)
            return most, circles[away < near]
    return tokens[:0], circles[:0]


def candidates(scales: Scales, *, faint: bool = False) -> Floats:
    """Circles that may be tokens: rows of x, y, radius (frame pixels), votes; each at its best radius.

    `faint`: also those that hardly differ from their ground, and with them much else.
    """
    return np.concatenate(list(_by_size(scales, faint=faint)))


def _by_size(scales: Scales, *, faint: bool = False) -> Iterator[Floats]:
    """The `candidates` in two parts, the smallest circles last: they take half of the time, and a lid is seldom so far
    away."""
    width = scales.small(0).shape[1]
    least = max(_READABLE, _SMALLEST * width)
    radii = least * _STEP ** np.arange(int(np.log(max(1.0, _LARGEST * width / least)) / np.log(_STEP)) + 1)
    finest = halvings_for(least, _LEAST_PIXELS)
    found = [np.zeros((0, 4))]
    for halvings in range(halvings_for(float(radii[-1]), _LEAST_PIXELS), finest - 1, -1):
        if halvings == finest:
            yield np.concatenate(found)
            found = [np.zeros((0, 4))]
        mine = [r for r in radii.tolist() if halvings_for(r, _LEAST_PIXELS) == halvings]
        if mine:
            grey = scales.small(halvings).shape[1] > _GREY_WIDTH
            edges = Edges(scales, halvings, grey=grey, voters=_FAINT_VOTERS if faint else VOTERS)
            found += _at_one_scale(edges, mine, _FAINT_VOTES if faint else _LEAST_VOTES)
    yield np.concatenate(found)


def _at_one_scale(edges: Edges, radii: list[float], least: float) -> list[Floats]:
    stack = [edges.votes(r) for r in radii]
    tops = [peaks(v, r / edges.reduction * 0.6, least, 80) for v, r in zip(stack, radii, strict=True)]
    if sum(map(len, tops)) < WINDOWS:
        return []
    out = []
    for i, (radius, top) in enumerate(zip(radii, tops, strict=True)):
        x, y = top[:, 0].astype(int), top[:, 1].astype(int)
        best = np.all([top[:, 2] >= v[y, x] * 0.97 for v in stack[max(0, i - 1) : i + 2]], axis=0)
        places = edges.to_frame(blots(stack[i], top[best, :2]))
        out.append(np.column_stack([places, np.full(len(places), radius), top[best, 2]]))
    return out


def _apart(group: Floats, least: float) -> list[int]:
    """Indices of circles, best first, that keep the distance from all better ones."""
    close = np.abs((group[:, 0] + 1j * group[:, 1])[:, None] - (group[:, 0] + 1j * group[:, 1])) <= least
    kept: list[int] = []
    for i in range(len(group)):
        if not close[i, kept].any():
            kept.append(i)
    return kept


def _clusters(group: Floats, near: float) -> list[list[int]]:
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


def _patches(image: Image, circles: list[tuple[Floats, float]]) -> Image:
    return np.stack([cut(image, np.eye(3), center, REACH * radius, SIDE) for center, radius in circles])
