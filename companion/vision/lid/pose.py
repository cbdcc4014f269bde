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

from companion.vision.lid.circles import (
    CircleVoter,
    ImagePyramid,
    VoteMap,
    choose_level,
    find_peaks,
    reduce_homography,
    refine_peaks,
)
from companion.vision.lid.geometry import (
    LID_CENTRE,
    FloatArray,
    compute_scale,
    cut_patch,
    find_changed_colours,
    fit_homography,
    invert,
    make_rotation,
    project_points,
)
from companion.vision.lid.layout import LID_IMAGE_SIDE_PX, WINDOW_COUNT, LidLayout
from companion.vision.reading import Image

_FINE_RADII = (0.77, 0.84, 0.91, 0.98, 1.05)
"""Radii looked for, in token radii: a hole is smaller than the token that covers it."""

_COARSE_RADII = (0.78, 0.91, 1.04)

_MIN_FIRST_RADIUS_PX, _MIN_SEARCH_RADIUS_PX, _MIN_FIT_RADIUS_PX = 2.75, 5.5, 11.0
"""A token's radius has at least so many pixels, and less than twice as many: at first sight, while a pose is searched,
and while it is fitted."""

_MAX_CIRCLE_COUNT = 18

_MAX_MOTIONS_COMPARED = 60
"""So many of the best motions are compared."""

_MAX_MOTIONS_FITTED = 4
"""And so many that differ are fitted."""

_MOTION_BIN_RAD, _MOTION_BIN_RADII = 0.1, 0.4
"""Motions that differ by no more (radians, token radii) are about the same."""

_MAX_PUSH_RADII = 3.0
"""While it is turned, the lid's middle hardly moves by half of this (token radii)."""

_MAX_DISTINCT_MOTIONS = 120
"""So many that are not the same are looked at."""

_MAX_FIRST_MOTIONS_FITTED = 2
"""Where only a plain view is looked for, so many."""

_MIN_CERTAIN_SUPPORT, _MIN_CERTAIN_CIRCLES = 0.88, 10
"""With this support and so many circles nothing better is looked for."""

_MAX_SUPPORT_DEFICIT = 0.1
"""Poses whose support is less by this than the best's are not looked at finer."""

_MAX_STRETCH_SHARE = 0.1
"""Two windows' distance may differ by this share from the learnt one."""

_FULL_CIRCLE_VOTES = 1.2
"""Votes from which a circle counts as wholly seen."""

_MIN_CIRCLE_VOTES = 0.5
"""Votes from which a circle helps to fit the pose."""

_MIN_COLOUR_RADIUS_PX = 5.5
"""A token's radius has at least so many pixels where the lid's colours are looked at."""

_MAX_BRIGHTENING_SHARE = 0.6
"""The lamp may brighten the lid by this share where it lies now."""

_MIN_CIRCLE_COUNT = 4
"""So many circles at least must agree."""

_MAX_SCALE_DEVIATION_SHARE = 0.25
"""A pose's size may differ by this share from the camera's."""


@dataclass(frozen=True, slots=True)
class PoseCandidate:
    """A pose and what speaks for it: `h` takes the plane to the image, `support` is 0 to about 1."""

    homography: FloatArray
    support: float
    circle_count: int
    is_finely_fitted: bool = False
    """Whether it was fitted to fine circles."""

    @property
    def is_certain(self) -> bool:
        """Whether nothing better need be looked for: the lid lies there, in clear view."""
        return self.support > _MIN_CERTAIN_SUPPORT and self.circle_count >= _MIN_CERTAIN_CIRCLES


class PoseFinder:
    """One frame in which a known lid is looked for, as seen by a camera that takes its plane to the image."""

    def __init__(self, scales: ImagePyramid, layout: LidLayout, camera: FloatArray) -> None:
        """`camera` is the layout's homography, scaled to this frame."""
        self._scales, self._layout, self._camera = scales, layout, camera
        self._back = invert(camera)
        self._radius = compute_scale(camera, LID_CENTRE)
        self._near: dict[float, tuple[CircleVoter, VoteMap]] = {}

    def search(self, last: FloatArray | None = None) -> PoseCandidate | None:
        """The best pose in the frame, up to the lid's own `turns`; None if too little of the lid is seen.

        It is looked for around the `last` pose first: people turn a lid more often than they carry it away.
        """
        if self._radius < _MIN_SEARCH_RADIUS_PX:
            return None
        if last is not None:
            plain = self._find_certain(*self._vote_around_centre(last), 1)
        else:
            plain = self._find_certain(*self._vote_everywhere(_MIN_FIRST_RADIUS_PX), _MAX_FIRST_MOTIONS_FITTED)
        return plain or self._search_closely()

    def _find_certain(self, edges: CircleVoter, votes: VoteMap, most: int) -> PoseCandidate | None:
        """A plain pose among the likeliest motions; None if none of so many is plain."""
        for motion in self._motions(edges, votes, most):
            pose = self._adjust(self._camera @ motion, 0.4)
            if pose is not None and pose.is_certain:
                return pose
        return None

    def _search_closely(self) -> PoseCandidate | None:
        """The best pose in the frame, where it is not plain at first sight."""
        edges, votes = self._vote_everywhere(_MIN_SEARCH_RADIUS_PX)
        rough = []
        for motion in self._motions(edges, votes, _MAX_MOTIONS_FITTED):
            fitted = self._fit(edges, votes, self._camera @ motion, (0.4,))
            if fitted is not None:
                rough.append(self._make_candidate(*fitted))
                if rough[-1].is_certain:
                    return self._adjust(rough[-1].homography, 0.3)
        rough.sort(key=lambda pose: -pose.support)
        finer = [
            self.refine(pose.homography) for pose in rough if pose.support > rough[0].support - _MAX_SUPPORT_DEFICIT
        ]
        return max((pose for pose in finer if pose), key=lambda pose: pose.support, default=None)

    def adjust(self, pose: PoseCandidate, h: FloatArray) -> FloatArray:
        """`h`, which is `pose` turned by one of the lid's turns, fitted better."""
        if pose.is_certain and not pose.is_finely_fitted:
            found = self._fit_coarsely(h, 0.3)
            return h if found is None else found[0]
        finer = self.refine(h)
        return h if finer is None else finer.homography

    def _adjust(self, h: FloatArray, reach: float) -> PoseCandidate | None:
        """A pose that is nearly right, within `reach` (token radii), fitted better; None if it was not right."""
        found = self._fit_coarsely(h, reach)
        return None if found is None else self._make_candidate(*found)

    def _fit_coarsely(self, h: FloatArray, reach: float) -> tuple[FloatArray, FloatArray] | None:
        # With nothing before the lid its many circles make up for the few pixels that each has where it is coarse.
        return self._fit(*self._vote_around_windows(h, _MIN_SEARCH_RADIUS_PX, _COARSE_RADII), h, (reach,))

    def _vote_everywhere(self, least: float) -> tuple[CircleVoter, VoteMap]:
        """Edges and votes of the whole frame, so coarse that a token's radius has at least so many pixels."""
        edges = CircleVoter(self._scales, choose_level(self._radius, least))
        return edges, edges.count_best_votes([self._radius * k for k in _COARSE_RADII])

    def _motions(self, edges: CircleVoter, votes: VoteMap, most: int) -> Iterator[FloatArray]:
        """The likeliest rigid motions of the lid's plane, as homographies, that put windows on circles."""
        found = find_peaks(votes, 0.9 * self._radius / edges.reduction, 0.4, _MAX_CIRCLE_COUNT)
        if len(found) < _MIN_CIRCLE_COUNT:
            return
        spots = edges.to_frame(refine_peaks(votes, found[:, :2]))
        motions = _compute_motions(project_points(self._back, spots), self._layout)
        if len(motions):
            yield from islice(self._rank_motions(_merge_similar_motions(motions), edges, votes), most)

    def _make_candidate(self, h: FloatArray, seen: FloatArray) -> PoseCandidate:
        share = float(np.minimum(seen, _FULL_CIRCLE_VOTES).mean() / _FULL_CIRCLE_VOTES)
        support = 0.65 * share + 0.35 * measure_lid_share(self._scales, self._layout, h)
        return PoseCandidate(h, support, int(np.count_nonzero(seen > _MIN_CIRCLE_VOTES)))

    def _rank_motions(self, motions: FloatArray, edges: CircleVoter, votes: VoteMap) -> Iterator[FloatArray]:
        """The motions, as homographies, that put most windows on circles; of those that agree only the best."""
        radius = self._radius / edges.reduction
        side = max(3, int(0.5 * radius) | 1)
        wide = cv2.dilate(np.minimum(votes, _FULL_CIRCLE_VOTES), np.ones((side, side), np.uint8))
        x, y = self._layout.centers.T
        places = np.stack([x + 1j * y, np.ones(WINDOW_COUNT)])
        spots = motions @ places
        h = edges.reduce_homography(self._camera)
        away = h[2, 0] * spots.real + h[2, 1] * spots.imag + h[2, 2]
        at_x = (h[0, 0] * spots.real + h[0, 1] * spots.imag + h[0, 2]) / away
        at_y = (h[1, 0] * spots.real + h[1, 1] * spots.imag + h[1, 2]) / away
        x, y = np.rint(at_x).astype(np.int32), np.rint(at_y).astype(np.int32)
        inside = (x >= 0) & (x < edges.width) & (y >= 0) & (y < edges.height)
        score = np.where(inside, wide.ravel()[(y * edges.width + x) * inside], 0.0).sum(axis=1)
        order = np.argsort(-score)[:_MAX_MOTIONS_COMPARED]
        others = np.stack([at_x[order], at_y[order]], axis=2)
        left = score[order] > 0.7 * score.max()
        while left.any():
            i = int(left.argmax())
            a, b = motions[order[i]]
            yield np.array([[a.real, -a.imag, b.real], [a.imag, a.real, b.imag], [0, 0, 1]])
            left &= ~_cover_same_places(others[i], others, 0.4 * radius)

    def refine(self, h: FloatArray) -> PoseCandidate | None:
        """The pose near `h` that fits the circles best; None if fewer than four circles agree with any."""
        if self._radius < _MIN_SEARCH_RADIUS_PX or not np.isfinite(h).all():
            return None
        found = self._fit(*self._vote_around_windows(h, _MIN_FIT_RADIUS_PX, _FINE_RADII), h, (0.3, 0.16))
        return None if found is None else replace(self._make_candidate(*found), is_finely_fitted=True)

    def _vote_around_centre(self, h: FloatArray) -> tuple[CircleVoter, VoteMap]:
        """Edges and votes around where the windows lie if the lid lies about as under `h`, turned by any angle."""
        middle = project_points(h, LID_CENTRE)[None]
        wide = (float(np.linalg.norm(self._layout.centers, axis=1).max()) + _MAX_PUSH_RADII) * self._radius
        return self._vote_near(middle, wide, _MIN_SEARCH_RADIUS_PX, _COARSE_RADII)

    def _vote_around_windows(
        self, h: FloatArray, least: float, radii: tuple[float, ...]
    ) -> tuple[CircleVoter, VoteMap]:
        """Edges and votes around where the windows lie under `h`, so coarse that a token's radius has at least so many
        pixels; those of the last such call if they hold it."""
        places = project_points(h, self._layout.centers)
        near = 1.5 * self._radius
        if least in self._near:
            edges = self._near[least][0]
            at = edges.from_frame(np.array([places.min(axis=0) - near, places.max(axis=0) + near]))
            if at.min() >= 0 and (at[1] <= (edges.width, edges.height)).all():
                return self._near[least]
        wide = near + 0.6 * self._radius  # so that it holds for what is a little off as well
        return self._vote_near(places, wide, least, radii)

    def _vote_near(
        self, places: FloatArray, wide: float, least: float, radii: tuple[float, ...]
    ) -> tuple[CircleVoter, VoteMap]:
        """Edges and votes up to `wide` pixels around the places, kept for `_around`."""
        edges = CircleVoter.around_lid(self._scales, choose_level(self._radius, least), places, wide)
        self._near[least] = edges, edges.count_best_votes([self._radius * k for k in radii])
        return self._near[least]

    def _fit(
        self, edges: CircleVoter, votes: VoteMap, h: FloatArray, reaches: tuple[float, ...]
    ) -> tuple[FloatArray, FloatArray] | None:
        """The pose fitted to the highest votes near each window, and these; ever nearer (in token radii)."""
        layout = self._layout
        radius = self._radius / edges.reduction
        seen = np.zeros(WINDOW_COUNT)
        for reach in reaches:
            expected = edges.from_frame(project_points(h, layout.centers))
            places, seen = _find_nearby_peaks(votes, expected, max(2, round(reach * radius)))
            keep = seen > _MIN_CIRCLE_VOTES
            if np.count_nonzero(keep) < _MIN_CIRCLE_COUNT:
                return None
            there = project_points(self._back, edges.to_frame(places[keep]))
            h = self._camera @ fit_homography(layout.centers[keep], there, np.minimum(seen[keep], _FULL_CIRCLE_VOTES))
        if (
            not np.isfinite(h).all()
            or abs(compute_scale(h, LID_CENTRE) / self._radius - 1) > _MAX_SCALE_DEVIATION_SHARE
        ):
            return None
        return h, seen


def _find_nearby_peaks(votes: VoteMap, expected: FloatArray, reach: int) -> tuple[FloatArray, FloatArray]:
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
    places = np.where((best > 0)[:, None], refine_peaks(votes, tops), expected)
    return places, best.astype(np.float64)


def _compute_motions(spots: FloatArray, layout: LidLayout) -> FloatArray:
    """Rigid motions z -> a z + b (complex rows of a, b) that take two neighbouring windows onto two spots."""
    z = layout.centers[:, 0] + 1j * layout.centers[:, 1]
    q = spots[:, 0] + 1j * spots[:, 1]
    near = np.argsort(np.abs(z[None] - z[:, None]), axis=1)[:, 1:4]
    steps = np.column_stack([np.repeat(np.arange(WINDOW_COUNT), near.shape[1]), near.ravel()])
    k, m = np.unique(np.sort(steps, axis=1), axis=0).T  # the way back gives the same motions
    i, j = np.triu_indices(len(q), 1)
    ratio = (q[j] - q[i])[:, None] / (z[m] - z[k])[None]
    length = np.abs(ratio)
    pair, pick = np.nonzero(np.abs(length - 1) < _MAX_STRETCH_SHARE)
    a = ratio[pair, pick] / length[pair, pick]
    middle_q = (q[i] + q[j])[pair] / 2
    middle_z = (z[k] + z[m])[pick] / 2
    if len(layout.turns) % 2:  # else a lid turned half round is the same one
        a, middle_q, middle_z = np.concatenate([a, -a]), np.tile(middle_q, 2), np.tile(middle_z, 2)
    return np.column_stack([a, middle_q - a * middle_z])


def _merge_similar_motions(motions: FloatArray) -> FloatArray:
    """Of motions (complex rows of a, b) that are about the same the mean of them; those first that most are like."""
    a, b = motions.T
    steps = np.rint(
        np.column_stack([np.angle(a) / _MOTION_BIN_RAD, b.real / _MOTION_BIN_RADII, b.imag / _MOTION_BIN_RADII])
    )
    steps = (steps - steps.min(axis=0)).astype(np.int64)
    wide = steps.max(axis=0) + 1
    key = (steps[:, 0] * wide[1] + steps[:, 1]) * wide[2] + steps[:, 2]
    order = np.argsort(key)
    starts = np.flatnonzero(np.diff(key[order], prepend=-1))
    counts = np.diff(starts, append=len(key))
    most = np.argsort(-counts, kind="stable")[:_MAX_DISTINCT_MOTIONS]
    means = np.add.reduceat(motions[order], starts)[most] / counts[most, None]
    means[:, 0] /= np.abs(means[:, 0])
    return np.asarray(means)


def _cover_same_places(places: FloatArray, others: FloatArray, near: float) -> npt.NDArray[np.bool_]:
    """Which of the `others` (n, 12, 2) put windows onto the same places, whichever window onto which."""
    away = np.linalg.norm(others[:, :, None] - places, axis=3)
    return np.asarray(away.min(axis=2).max(axis=1) < near, np.bool_)


def measure_lid_share(scales: ImagePyramid, layout: LidLayout, h: FloatArray) -> float:
    """The share of the lid's bare surface that shows the lid's colours, in whatever light, under this pose."""
    side = LID_IMAGE_SIDE_PX // 4
    bare = layout.always_bare[2::4, 2::4]
    halvings = choose_level(compute_scale(h, LID_CENTRE), _MIN_COLOUR_RADIUS_PX)
    now = cut_patch(scales.get_level(halvings), reduce_homography(h, halvings), LID_CENTRE, layout.half_side, side)[
        bare
    ].astype(np.float64)
    then = layout.lid_image[2::4, 2::4][bare].astype(np.float64)
    gain = np.median((now.sum(axis=1) + 1) / (then.sum(axis=1) + 1))
    return float(1 - find_changed_colours(now, then * np.clip(gain, 0.3, 3.0), _MAX_BRIGHTENING_SHARE).mean())


def compute_turn_mismatches(image: Image, layout: LidLayout, h: FloatArray) -> FloatArray:
    """For each of the layout's turns, how badly its marks (arrow, print, outline) fit the picture seen under `h`.

    The pose of turn k is `h @ turned(-layout.turns[k])`. All zeros where nothing on the lid tells.
    """
    return layout.compute_turn_mismatches(cut_patch(image, h, LID_CENTRE, layout.half_side, LID_IMAGE_SIDE_PX))


def find_pose_by_tags(tags: dict[int, FloatArray], layout: LidLayout, camera: FloatArray) -> FloatArray | None:
    """The pose that the tags in the frame (id to corners in pixels) tell by themselves; None without a known tag."""
    known = [i for i in tags if i in layout.tags]
    if not known:
        return None
    there = project_points(invert(camera), np.concatenate([tags[i] for i in known]))
    here = np.concatenate([layout.tags[i] for i in known])
    step = 1 if len(known) > 2 else 2  # one or two tags are too small a lever for more than a rigid motion
    return np.asarray(camera @ fit_homography(here[::step], there[::step], np.ones(len(here[::step]))), np.float64)


def find_nearest_turn(h: FloatArray, known: FloatArray, layout: LidLayout) -> int:
    """Which of the layout's turns takes pose `h` nearest to the pose `known`."""
    target = project_points(known, layout.centers)
    away = [
        np.linalg.norm(project_points(h @ make_rotation(-angle), layout.centers) - target, axis=1).mean()
        for angle in layout.turns
    ]
    return int(np.argmin(away))
