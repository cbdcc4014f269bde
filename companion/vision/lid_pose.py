"""Where a known lid lies in a frame: the homography from the lid's plane to the image.

The camera stands still, so the lid's plane is always seen under the tilt learnt at calibration and a new pose is a
rigid motion in that plane; circles vote for it, and it is then fitted freely to the circles that agree.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.lid_circles import Edges, Votes, peaks
from companion.vision.lid_geometry import CENTRE, Floats, cut, fit, inverse, project, scale_at, turned, unlike
from companion.vision.lid_layout import LOOKS, WINDOWS, Layout
from companion.vision.reading import Image

_RADII = (0.76, 0.82, 0.88, 0.94, 1.0, 1.06)
"""Radii looked for, in token radii: a hole is smaller than the token that covers it."""

_CANDIDATES = 18

_HYPOTHESES = 80
"""So many of the best motions are compared."""

_TRIED = 6
"""And so many that differ are fitted."""

_PLAIN = 0.88
"""With this support nothing better is looked for."""

_STRETCH = 0.1
"""Two windows' distance may differ by this share from the learnt one."""

_FULL = 1.2
"""Votes from which a circle counts as wholly seen."""

_LEAST = 0.5
"""Votes from which a circle helps to fit the pose."""

_LIT = 0.6
"""The lamp may brighten the lid by this share where it lies now."""

_SEEN = 4
"""So many circles at least must agree."""


@dataclass(frozen=True, slots=True)
class Pose:
    """A pose and what speaks for it: `h` takes the plane to the image, `support` is 0 to about 1."""

    h: Floats
    support: float
    circles: int


def votes_for(edges: Edges, radius: float) -> Votes:
    """Votes for tokens of about `radius` pixels and for the holes under them."""
    return edges.best_votes([radius * k for k in _RADII])


def search(image: Image, edges: Edges, votes: Votes, layout: Layout, camera: Floats) -> Pose | None:
    """The best pose in the frame, up to the lid's own `turns`; None if too little of the lid is seen.

    `votes` are those of `votes_for`, `camera` is the layout's homography, scaled to this frame.
    """
    radius = scale_at(camera, CENTRE)
    found = peaks(votes, 0.9 * radius / edges.reduction, 0.4, _CANDIDATES)
    if len(found) < _SEEN:
        return None
    motions = _motions(project(inverse(camera), found[:, :2] * edges.reduction), layout)
    if not len(motions):
        return None
    side = max(3, int(0.5 * radius / edges.reduction) | 1)
    wide = cv2.dilate(np.minimum(votes, _FULL), np.ones((side, side), np.uint8))
    z = layout.points[:, 0] + 1j * layout.points[:, 1]
    places = motions[:, :1] * z + motions[:, 1:]
    at = project(camera, np.stack([places.real, places.imag], axis=2)) / edges.reduction
    x, y = np.rint(at[..., 0]).astype(int), np.rint(at[..., 1]).astype(int)
    inside = (x >= 0) & (x < edges.width) & (y >= 0) & (y < edges.height)
    score = np.where(inside, wide[y * inside, x * inside], 0.0).sum(axis=1)
    best: Pose | None = None
    order = np.argsort(-score)[:_HYPOTHESES]
    left = score[order] > 0.7 * score.max()
    for _ in range(_TRIED):
        if not left.any():
            break
        i = order[int(left.argmax())]
        left &= ~_same_places(at[i], at[order], 0.4 * radius / edges.reduction)
        alpha, beta = motions[i]
        motion = np.array([[alpha.real, -alpha.imag, beta.real], [alpha.imag, alpha.real, beta.imag], [0, 0, 1]])
        pose = refine(image, edges, votes, layout, camera, camera @ motion)
        if pose is not None and (best is None or pose.support > best.support):
            best = pose
        if best is not None and best.support > _PLAIN:
            break
    return best


def _motions(spots: Floats, layout: Layout) -> Floats:
    """Rigid motions z -> a z + b (complex rows of a, b) that take two neighbouring windows onto two spots."""
    z = layout.points[:, 0] + 1j * layout.points[:, 1]
    q = spots[:, 0] + 1j * spots[:, 1]
    window_steps = z[None] - z[:, None]
    near = np.argsort(np.abs(window_steps), axis=1)[:, 1:4]
    k = np.repeat(np.arange(WINDOWS), near.shape[1])
    m = near.ravel()
    i, j = np.nonzero(~np.eye(len(q), dtype=bool))
    ratio = (q[j] - q[i])[:, None] / (z[m] - z[k])[None]
    fits = np.abs(np.abs(ratio) - 1) < _STRETCH
    pair, pick = np.nonzero(fits)
    a = ratio[fits] / np.abs(ratio[fits])
    middle_q = (q[i] + q[j])[pair] / 2
    middle_z = (z[k] + z[m])[pick] / 2
    return np.column_stack([a, middle_q - a * middle_z])


def _same_places(places: Floats, others: Floats, near: float) -> npt.NDArray[np.bool_]:
    """Which of the `others` (n, 12, 2) put windows onto the same places, whichever window onto which."""
    away = np.linalg.norm(others[:, :, None] - places, axis=3)
    return np.asarray(away.min(axis=2).max(axis=1) < near, np.bool_)


def refine(image: Image, edges: Edges, votes: Votes, layout: Layout, camera: Floats, h: Floats) -> Pose | None:
    """The pose near `h` that fits the circles best; None if fewer than four circles agree with any."""
    back = inverse(camera)
    radius = scale_at(camera, CENTRE) / edges.reduction
    circles = 0
    seen = np.zeros(WINDOWS)
    for reach in (0.32, 0.2, 0.16):
        expected = project(h, layout.points) / edges.reduction
        places, seen = _nearby_peaks(votes, expected, max(2, round(reach * radius)))
        keep = seen > _LEAST
        circles = int(np.count_nonzero(keep))
        if circles < _SEEN:
            return None
        motion = fit(layout.points[keep], project(back, places[keep] * edges.reduction), np.minimum(seen[keep], _FULL))
        h = camera @ motion
    if not np.isfinite(h).all() or abs(scale_at(h, CENTRE) * edges.reduction**-1 / radius - 1) > 0.25:
        return None
    circle_share = float(np.minimum(seen, _FULL).mean() / _FULL)
    return Pose(h, 0.65 * circle_share + 0.35 * lid_share(image, layout, h), circles)


def _nearby_peaks(votes: Votes, expected: Floats, reach: int) -> tuple[Floats, Floats]:
    """For each expected place the centre of the votes around the highest within `reach` pixels, and that height."""
    height, width = votes.shape
    places = expected.copy()
    best = np.zeros(len(expected))
    for n, (x, y) in enumerate(np.rint(expected).astype(int).tolist()):
        x0, y0 = max(0, x - reach), max(0, y - reach)
        part = (
            votes[y0 : min(height, y + reach + 1), x0 : min(width, x + reach + 1)]
            if x < width and y < height
            else votes[:0]
        )
        if not part.size or x < 0 or y < 0:
            continue
        top = np.unravel_index(int(part.argmax()), part.shape)
        best[n] = part[top]
        y1, x1 = y0 + int(top[0]), x0 + int(top[1])
        blot = votes[max(0, y1 - 2) : y1 + 3, max(0, x1 - 2) : x1 + 3] ** 2
        ys, xs = np.mgrid[
            max(0, y1 - 2) : max(0, y1 - 2) + blot.shape[0], max(0, x1 - 2) : max(0, x1 - 2) + blot.shape[1]
        ]
        total = float(blot.sum())
        if total <= 0:
            continue
        places[n] = [float((xs * blot).sum()) / total, float((ys * blot).sum()) / total]
    return places, best


def lid_share(image: Image, layout: Layout, h: Floats) -> float:
    """The share of the lid's bare surface that shows the lid's colours, in whatever light, under this pose."""
    side = LOOKS // 4
    bare = layout.always_bare[2::4, 2::4]
    now = cut(image, h, CENTRE, layout.reach, side)[bare].astype(np.float64)
    then = layout.looks[2::4, 2::4][bare].astype(np.float64)
    gain = np.median((now.sum(axis=1) + 1) / (then.sum(axis=1) + 1))
    return float(1 - unlike(now, then * np.clip(gain, 0.3, 3.0), _LIT).mean())


def turn_doubts(image: Image, layout: Layout, h: Floats) -> Floats:
    """For each of the layout's turns, how badly its marks (arrow, print, outline) fit the picture seen under `h`.

    The pose of turn k is `h @ turned(-layout.turns[k])`. All zeros where nothing on the lid tells.
    """
    return layout.doubts(layout.relief(cut(image, h, CENTRE, layout.reach, LOOKS)))


def by_tags(tags: dict[int, Floats], layout: Layout, camera: Floats) -> Floats | None:
    """The pose that the tags in the frame (id to corners in pixels) tell by themselves; None without a known tag."""
    known = [i for i in tags if i in layout.tags]
    if not known:
        return None
    there = project(inverse(camera), np.concatenate([tags[i] for i in known]))
    here = np.concatenate([layout.tags[i] for i in known])
    step = 1 if len(known) > 2 else 2  # one or two tags are too small a lever for more than a rigid motion
    return np.asarray(camera @ fit(here[::step], there[::step], np.ones(len(here[::step]))), np.float64)


def turn_of(h: Floats, known: Floats, layout: Layout) -> int:
    """Which of the layout's turns takes pose `h` nearest to the pose `known`."""
    target = project(known, layout.points)
    away = [
        np.linalg.norm(project(h @ turned(-angle), layout.points) - target, axis=1).mean() for angle in layout.turns
    ]
    return int(np.argmin(away))
