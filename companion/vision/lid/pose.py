"""Where a known lid lies in a frame: the homography from the lid's plane to the image.

The camera stands still, so the lid's plane is always seen under the tilt learnt at calibration and a new pose is a
rigid motion in that plane; circles vote for it, and it is then fitted freely to the circles that agree. Motions are
looked for in a frame so small that a token's radius is a few pixels; only around the best is it looked at finer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.lid.circles import Edges, Scales, Votes, blots, halved, halvings_for, peaks
from companion.vision.lid.geometry import CENTRE, Floats, cut, fit, inverse, project, scale_at, turned, unlike
from companion.vision.lid.layout import LOOKS, WINDOWS, Layout
from companion.vision.reading import Image

_RADII = (0.77, 0.84, 0.91, 0.98, 1.05)
"""Radii looked for, in token radii: a hole is smaller than the token that covers it."""

_COARSE_RADII = (0.78, 0.91, 1.04)

_ROUGHEST, _COARSE, _FINE = 2.75, 5.5, 11.0
"""A token's radius has at least so many pixels, and less than twice as many: at first sight, while a pose is searched,
and while it is fitted."""

_CANDIDATES = 18

_HYPOTHESES = 60
"""So many of the best motions are compared."""

_TRIED = 4
"""And so many that differ are fitted."""

_SAME_ANGLE, _SAME_SHIFT = 0.1, 0.4
"""Motions that differ by no more (radians, token radii) are about the same."""

_PUSHED = 3.0
"""While it is turned, the lid's middle hardly moves by half of this (token radii)."""

_DISTINCT = 120
"""So many that are not the same are looked at."""

_FIRST_TRIED = 2
"""Where only a plain view is looked for, so many."""

_PLAIN, _PLAIN_CIRCLES = 0.88, 10
"""With this support and so many circles nothing better is looked for."""

_AS_GOOD = 0.1
"""Poses whose support is less by this than the best's are not looked at finer."""

_STRETCH = 0.1
"""Two windows' distance may differ by this share from the learnt one."""

_FULL = 1.2
"""Votes from which a circle counts as wholly seen."""

_LEAST = 0.5
"""Votes from which a circle helps to fit the pose."""

_COLOURS = 5.5
"""A token's radius has at least so many pixels where the lid's colours are looked at."""

_LIT = 0.6
"""The lamp may brighten the lid by this share where it lies now."""

_SEEN = 4
"""So many circles at least must agree."""

_ROUGH = 0.25
"""A pose's size may differ by this share from the camera's."""


@dataclass(frozen=True, slots=True)
class Pose:
    """A pose and what speaks for it: `h` takes the plane to the image, `support` is 0 to about 1."""

    h: Floats
    support: float
    circles: int
    finely: bool = False
    """Whether it was fitted to fine circles."""

    @property
    def plain(self) -> bool:
        """Whether nothing better need be looked for: the lid lies there, in clear view."""
        return self.support > _PLAIN and self.circles >= _PLAIN_CIRCLES


class Finder:
    """One frame in which a known lid is looked for, as seen by a camera that takes its plane to the image."""

    def __init__(self, scales: Scales, layout: Layout, camera: Floats) -> None:
        """`camera` is the layout's homography, scaled to this frame."""
        self._scales, self._layout, self._camera = scales, layout, camera
        self._back = inverse(camera)
        self._radius = scale_at(camera, CENTRE)
        self._near: dict[float, tuple[Edges, Votes]] = {}

    def search(self, last: Floats | None = None) -> Pose | None:
        """The best pose in the frame, up to the lid's own `turns`; None if too little of the lid is seen.

        It is looked for around the `last` pose first: people turn a lid more often than they carry it away.
        """
        if self._radius < _COARSE:
            return None
        if last is not None:
            plain = self._plain(*self._around_turned(last), 1)
        else:
            plain = self._plain(*self._everywhere(_ROUGHEST), _FIRST_TRIED)
        return plain or self._search_closely()

    def _plain(self, edges: Edges, votes: Votes, most: int) -> Pose | None:
        """A plain pose among the likeliest motions; None if none of so many is plain."""
        for motion in self._motions(edges, votes, most):
            pose = self._adjust(self._camera @ motion, 0.4)
            if pose is not None and pose.plain:
                return pose
        return None

    def _search_closely(self) -> Pose | None:
        """The best pose in the frame, where it is not plain at first sight."""
        edges, votes = self._everywhere(_COARSE)
        rough = []
        for motion in self._motions(edges, votes, _TRIED):
            fitted = self._fit(edges, votes, self._camera @ motion, (0.4,))
            if fitted is not None:
                rough.append(self._pose(*fitted))
                if rough[-1].plain:
                    return self._adjust(rough[-1].h, 0.3)
        rough.sort(key=lambda pose: -pose.support)
        finer = [self.refine(pose.h) for pose in rough if pose.support > rough[0].support - _AS_GOOD]
        return max((pose for pose in finer if pose), key=lambda pose: pose.support, default=None)

    def adjust(self, pose: Pose, h: Floats) -> Floats:
        """`h`, which is `pose` turned by one of the lid's turns, fitted better."""
        if pose.plain and not pose.finely:
            found = self._fitted(h, 0.3)
            return h if found is None else found[0]
        finer = self.refine(h)
        return h if finer is None else finer.h

    def _adjust(self, h: Floats, reach: float) -> Pose | None:
        """A pose that is nearly right, within `reach` (token radii), fitted better; None if it was not right."""
        found = self._fitted(h, reach)
        return None if found is None else self._pose(*found)

    def _fitted(self, h: Floats, reach: float) -> tuple[Floats, Floats] | None:
        # With nothing before the lid its many circles make up for the few pixels that each has where it is coarse.
        return self._fit(*self._around(h, _COARSE, _COARSE_RADII), h, (reach,))

    def _everywhere(self, least: float) -> tuple[Edges, Votes]:
        """Edges and votes of the whole frame, so coarse that a token's radius has at least so many pixels."""
        edges = Edges(self._scales, halvings_for(self._radius, least))
        return edges, edges.best_votes([self._radius * k for k in _COARSE_RADII])

    def _motions(self, edges: Edges, votes: Votes, most: int) -> Iterator[Floats]:
        """The likeliest rigid motions of the lid's plane, as homographies, that put windows on circles."""
        found = peaks(votes, 0.9 * self._radius / edges.reduction, 0.4, _CANDIDATES)
        if len(found) < _SEEN:
            return
        spots = edges.to_frame(blots(votes, found[:, :2]))
        motions = _motions(project(self._back, spots), self._layout)
        if len(motions):
            yield from islice(self._likely(_told_apart(motions), edges, votes), most)

    def _pose(self, h: Floats, seen: Floats) -> Pose:
        share = float(np.minimum(seen, _FULL).mean() / _FULL)
        support = 0.65 * share + 0.35 * lid_share(self._scales, self._layout, h)
        return Pose(h, support, int(np.count_nonzero(seen > _LEAST)))

    def _likely(self, motions: Floats, edges: Edges, votes: Votes) -> Iterator[Floats]:
        """The motions, as homographies, that put most windows on circles; of those that agree only the best."""
        radius = self._radius / edges.reduction
        side = max(3, int(0.5 * radius) | 1)
        wide = cv2.dilate(np.minimum(votes, _FULL), np.ones((side, side), np.uint8))
        x, y = self._layout.points.T
        places = np.stack([x + 1j * y, np.ones(WINDOWS)])
        spots = motions @ places
        h = edges.reduced(self._camera)
        away = h[2, 0] * spots.real + h[2, 1] * spots.imag + h[2, 2]
        at_x = (h[0, 0] * spots.real + h[0, 1] * spots.imag + h[0, 2]) / away
        at_y = (h[1, 0] * spots.real + h[1, 1] * spots.imag + h[1, 2]) / away
        x, y = np.rint(at_x).astype(np.int32), np.rint(at_y).astype(np.int32)
        inside = (x >= 0) & (x < edges.width) & (y >= 0) & (y < edges.height)
        score = np.where(inside, wide.ravel()[(y * edges.width + x) * inside], 0.0).sum(axis=1)
        order = np.argsort(-score)[:_HYPOTHESES]
        others = np.stack([at_x[order], at_y[order]], axis=2)
        left = score[order] > 0.7 * score.max()
        while left.any():
            i = int(left.argmax())
            a, b = motions[order[i]]
            yield np.array([[a.real, -a.imag, b.real], [a.imag, a.real, b.imag], [0, 0, 1]])
            left &= ~_same_places(others[i], others, 0.4 * radius)

    def refine(self, h: Floats) -> Pose | None:
        """The pose near `h` that fits the circles best; None if fewer than four circles agree with any."""
        if self._radius < _COARSE or not np.isfinite(h).all():
            return None
        found = self._fit(*self._around(h, _FINE, _RADII), h, (0.3, 0.16))
        return None if found is None else replace(self._pose(*found), finely=True)

    def _around_turned(self, h: Floats) -> tuple[Edges, Votes]:
        """Edges and votes around where the windows lie if the lid lies about as under `h`, turned by any angle."""
        middle = project(h, CENTRE)[None]
        wide = (float(np.linalg.norm(self._layout.points, axis=1).max()) + _PUSHED) * self._radius
        return self._looked_at(middle, wide, _COARSE, _COARSE_RADII)

    def _around(self, h: Floats, least: float, radii: tuple[float, ...]) -> tuple[Edges, Votes]:
        """Edges and votes around where the windows lie under `h`, so coarse that a token's radius has at least so many
        pixels; those of the last such call if they hold it."""
        places = project(h, self._layout.points)
        near = 1.5 * self._radius
        if least in self._near:
            edges = self._near[least][0]
            at = edges.from_frame(np.array([places.min(axis=0) - near, places.max(axis=0) + near]))
            if at.min() >= 0 and (at[1] <= (edges.width, edges.height)).all():
                return self._near[least]
        wide = near + 0.6 * self._radius  # so that it holds for what is a little off as well
        return self._looked_at(places, wide, least, radii)

    def _looked_at(self, places: Floats, wide: float, least: float, radii: tuple[float, ...]) -> tuple[Edges, Votes]:
        """Edges and votes up to `wide` pixels around the places, kept for `_around`."""
        edges = Edges.around_lid(self._scales, halvings_for(self._radius, least), places, wide)
        self._near[least] = edges, edges.best_votes([self._radius * k for k in radii])
        return self._near[least]

    def _fit(self, edges: Edges, votes: Votes, h: Floats, reaches: tuple[float, ...]) -> tuple[Floats, Floats] | None:
        """The pose fitted to the highest votes near each window, and these; ever nearer (in token radii)."""
        layout = self._layout
        radius = self._radius / edges.reduction
        seen = np.zeros(WINDOWS)
        for reach in reaches:
            expected = edges.from_frame(project(h, layout.points))
            places, seen = _nearby_peaks(votes, expected, max(2, round(reach * radius)))
            keep = seen > _LEAST
            if np.count_nonzero(keep) < _SEEN:
                return None
            there = project(self._back, edges.to_frame(places[keep]))
            h = self._camera @ fit(layout.points[keep], there, np.minimum(seen[keep], _FULL))
        if not np.isfinite(h).all() or abs(scale_at(h, CENTRE) / self._radius - 1) > _ROUGH:
            return None
        return h, seen


def _nearby_peaks(votes: Votes, expected: Floats, reach: int) -> tuple[Floats, Floats]:
    """For each expected place the centre of the votes around the highest within `reach` pixels, and that height."""
    height, width = votes.shape
    at = np.rint(expected)
    inside = np.asarray(((at >= 0) & (at < (width, height))).all(axis=1), np.bool_)
    if not inside.any():
        return expected, np.zeros(len(expected))
    x, y = np.where(inside[:, None], at, 0).astype(int).T
    padded = cv2.copyMakeBorder(votes, reach, reach, reach, reach, cv2.BORDER_CONSTANT, value=0)
    step = np.arange(2 * reach + 1)
    parts = padded[y[:, None, None] + step[:, None], x[:, None, None] + step].reshape(len(x), -1)
    top = parts.argmax(axis=1)
    best = parts[np.arange(len(x)), top] * inside
    y1, x1 = np.divmod(top, 2 * reach + 1)
    tops = np.column_stack([np.clip(x + x1 - reach, 0, width - 1), np.clip(y + y1 - reach, 0, height - 1)])
    places = np.where((best > 0)[:, None], blots(votes, tops), expected)
    return places, best.astype(np.float64)


def _motions(spots: Floats, layout: Layout) -> Floats:
    """Rigid motions z -> a z + b (complex rows of a, b) that take two neighbouring windows onto two spots."""
    z = layout.points[:, 0] + 1j * layout.points[:, 1]
    q = spots[:, 0] + 1j * spots[:, 1]
    near = np.argsort(np.abs(z[None] - z[:, None]), axis=1)[:, 1:4]
    steps = np.column_stack([np.repeat(np.arange(WINDOWS), near.shape[1]), near.ravel()])
    k, m = np.unique(np.sort(steps, axis=1), axis=0).T  # the way back gives the same motions
    i, j = np.triu_indices(len(q), 1)
    ratio = (q[j] - q[i])[:, None] / (z[m] - z[k])[None]
    length = np.abs(ratio)
    pair, pick = np.nonzero(np.abs(length - 1) < _STRETCH)
    a = ratio[pair, pick] / length[pair, pick]
    middle_q = (q[i] + q[j])[pair] / 2
    middle_z = (z[k] + z[m])[pick] / 2
    if len(layout.turns) % 2:  # else a lid turned half round is the same one
        a, middle_q, middle_z = np.concatenate([a, -a]), np.tile(middle_q, 2), np.tile(middle_z, 2)
    return np.column_stack([a, middle_q - a * middle_z])


def _told_apart(motions: Floats) -> Floats:
    """Of motions (complex rows of a, b) that are about the same the mean of them; those first that most are like."""
    a, b = motions.T
    steps = np.rint(np.column_stack([np.angle(a) / _SAME_ANGLE, b.real / _SAME_SHIFT, b.imag / _SAME_SHIFT]))
    steps = (steps - steps.min(axis=0)).astype(np.int64)
    wide = steps.max(axis=0) + 1
    key = (steps[:, 0] * wide[1] + steps[:, 1]) * wide[2] + steps[:, 2]
    order = np.argsort(key)
    starts = np.flatnonzero(np.diff(key[order], prepend=-1))
    counts = np.diff(starts, append=len(key))
    most = np.argsort(-counts, kind="stable")[:_DISTINCT]
    means = np.add.reduceat(motions[order], starts)[most] / counts[most, None]
    means[:, 0] /= np.abs(means[:, 0])
    return np.asarray(means)


def _same_places(places: Floats, others: Floats, near: float) -> npt.NDArray[np.bool_]:
    """Which of the `others` (n, 12, 2) put windows onto the same places, whichever window onto which."""
    away = np.linalg.norm(others[:, :, None] - places, axis=3)
    return np.asarray(away.min(axis=2).max(axis=1) < near, np.bool_)


def lid_share(scales: Scales, layout: Layout, h: Floats) -> float:
    """The share of the lid's bare surface that shows the lid's colours, in whatever light, under this pose."""
    side = LOOKS // 4
    bare = layout.always_bare[2::4, 2::4]
    halvings = halvings_for(scale_at(h, CENTRE), _COLOURS)
    now = cut(scales.small(halvings), halved(h, halvings), CENTRE, layout.reach, side)[bare].astype(np.float64)
    then = layout.looks[2::4, 2::4][bare].astype(np.float64)
    gain = np.median((now.sum(axis=1) + 1) / (then.sum(axis=1) + 1))
    return float(1 - unlike(now, then * np.clip(gain, 0.3, 3.0), _LIT).mean())


def turn_doubts(image: Image, layout: Layout, h: Floats) -> Floats:
    """For each of the layout's turns, how badly its marks (arrow, print, outline) fit the picture seen under `h`.

    The pose of turn k is `h @ turned(-layout.turns[k])`. All zeros where nothing on the lid tells.
    """
    return layout.doubts(cut(image, h, CENTRE, layout.reach, LOOKS))


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
