"""Learning a lid from one view in which all 12 windows are covered by tokens."""

from __future__ import annotations

import numpy as np

from companion.vision import lid_marks
from companion.vision.lid_circles import Edges, Votes, outline, peaks
from companion.vision.lid_geometry import (
    CENTRE,
    Ellipse,
    Floats,
    cut,
    inverse,
    project,
    sample,
    scale_at,
    straighten,
    turned,
)
from companion.vision.lid_layout import LOOKS, WINDOWS, Layout, reach_of, ring, rows
from companion.vision.reading import Image
from companion.vision.tokens import REACH, SIDE, TokenNet

_SMALLEST, _LARGEST = 0.0125, 0.075
"""Token radii that are looked for, as shares of the frame's width."""

_STEP = 1.07

_LEAST_VOTES = 0.45

_NEAR = 4.5
"""Windows of one lid are at most this many token radii from the next."""

_MARGIN = 4.5
"""How far outside the outermost windows the lid's edge is looked for, in token radii."""

_DIGITS = 11
"""At least so many of the 12 circles must carry a digit that can be made out."""

_UNEQUAL = 0.1
"""So much may a circle's radius differ from the others' once the tilt is undone: a hole is smaller than a token."""


def learn(image: Image, net: TokenNet) -> tuple[Layout, Floats] | None:
    """The lid's layout and its pose (plane to image) in this frame; None unless 12 equal tokens are seen."""
    ellipses = _twelve(image, net)
    if ellipses is None:
        return None
    to_plane = straighten(ellipses)
    points = project(to_plane, np.array([e.center for e in ellipses]))
    radii = np.array([e.radius * scale_at(to_plane, e.center) for e in ellipses])
    if np.abs(radii - 1).max() > _UNEQUAL:
        return None
    to_image = inverse(to_plane)
    reach = float(np.abs(points).max()) + _MARGIN
    view = cut(image, to_image, CENTRE, reach, lid_marks.SIDE)
    mask = lid_marks.lid_mask(view, points, reach)
    corners = lid_marks.outline(mask, points, reach)
    arrow = lid_marks.arrow(view, mask, points, corners, reach)
    tags = {i: project(to_plane, c) for i, c in lid_marks.find_tags(image).items()}
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
        around=sample(image, camera, ring(points)),
    )
    return layout, camera


def _up(corners: Floats, arrow: Floats | None, tags: dict[int, Floats], to_image: Floats) -> float:
    """The angle (radians) by which the arrow's side lies turned from straight up, in the plane as first seen."""
    normals = [(a + b) / 2 - corners.mean(axis=0) for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True)]
    if 0 in tags and 1 in tags:
        toward = (tags[0].mean(axis=0) + tags[1].mean(axis=0)) / 2 - corners.mean(axis=0)
    elif arrow is not None:
        toward = arrow - corners.mean(axis=0)
    else:  # nothing tells: what is up in the frame is up
        here = project(to_image, np.zeros(2))
        toward = project(inverse(to_image), here + np.array([0.0, -5.0]))
    side = max(normals, key=lambda n: float(n @ toward) / float(np.linalg.norm(n)))
    return float(np.arctan2(side[0], -side[1]))


def _twelve(image: Image, net: TokenNet) -> list[Ellipse] | None:
    """The outlines of the 12 tokens, or None."""
    edges = Edges(image)
    width = image.shape[1]
    radii: list[float] = [_SMALLEST * width]
    while radii[-1] < _LARGEST * width:
        radii.append(radii[-1] * _STEP)
    radii = [r for r in radii if r / edges.reduction > 5]
    if len(radii) < 3:
        return None
    found = _candidates(edges, radii)
    best: tuple[float, list[Ellipse]] | None = None
    for radius in radii:
        group = found[np.abs(np.log(found[:, 2] / radius)) < 0.16]
        group = group[np.argsort(-group[:, 3])][:40]
        group = group[_apart(group, 1.7 * radius)]
        for members in _clusters(group, _NEAR * radius):
            if len(members) < WINDOWS:
                continue
            rated = _rate(image, net, group[members])
            if rated is not None and (best is None or rated[0] > best[0]):
                best = rated
    return best[1] if best else None


def _candidates(edges: Edges, radii: list[float]) -> Floats:
    """Circles of any of the radii: rows of x, y, radius (image pixels), votes; each at its best radius."""
    stack: list[Votes] = [edges.votes(r) for r in radii]
    rows_: list[Floats] = []
    for i, radius in enumerate(radii):
        near = np.maximum.reduce(stack[max(0, i - 1) : i + 2])
        tops = peaks(stack[i], radius / edges.reduction * 0.6, _LEAST_VOTES, 80)
        y, x = tops[:, 1].astype(int), tops[:, 0].astype(int)
        tops = tops[stack[i][y, x] >= near[y, x] * 0.97]
        place = tops[:, :2] * edges.reduction
        rows_.append(np.column_stack([place, np.full(len(tops), radius), tops[:, 2]]))
    return np.concatenate(rows_)


def _apart(group: Floats, least: float) -> list[int]:
    """Indices of circles, best first, that keep the distance from all better ones."""
    kept: list[int] = []
    for i, row in enumerate(group):
        if all(np.hypot(*(group[k, :2] - row[:2])) > least for k in kept):
            kept.append(i)
    return kept


def _clusters(group: Floats, near: float) -> list[list[int]]:
    """Index lists of circles that hang together by steps of at most `near`."""
    left = set(range(len(group)))
    out = []
    while left:
        todo = [left.pop()]
        members = []
        while todo:
            i = todo.pop()
            members.append(i)
            close = [k for k in left if np.hypot(*(group[k, :2] - group[i, :2])) < near]
            left.difference_update(close)
            todo += close
        out.append(sorted(members))
    return out


def _rate(image: Image, net: TokenNet, circles: Floats) -> tuple[float, list[Ellipse]] | None:
    """The 12 circles with the surest digits and how good they are; None if they are no set of tokens."""
    fitted = [outline(image, x, y, r) for x, y, r, _ in circles]
    ellipses = [e for e in fitted if e is not None]
    if len(ellipses) < WINDOWS:
        return None
    patches = np.stack([cut(image, np.eye(3), e.center, REACH * e.radius, SIDE) for e in ellipses])
    digit = 1 - net.read(patches)[:, 0]
    best = np.argsort(-digit)[:WINDOWS]
    size = np.array([ellipses[i].radius for i in best])
    if np.count_nonzero(digit[best] > 0.5) < _DIGITS or size.max() > 1.35 * size.min():
        return None
    return float(digit[best].sum()), [ellipses[i] for i in best]
