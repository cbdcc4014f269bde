"""Find where a known lid lies in a frame: the homography from the lid's plane to the frame.

The camera stands still, so the lid's plane always has the tilt learnt at calibration and a new pose is a rigid motion
in that plane. Circles vote for motions (generalised Hough transform over pairs of circles), and the best are fitted
freely to the circles that agree. Motions are searched for in a frame so small that a token's radius is a few pixels;
only around the best a finer level is used."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

import cv2
import numpy as np

from companion.vision.lid.circles import CircleVoter, VoteMap, find_peaks, refine_peaks
from companion.vision.lid.geometry import (
    LID_CENTRE,
    FloatArray,
    compute_scale,
    cut_patch,
    find_changed_colours,
    fit_homography,
    invert,
    make_rigid_motion,
    project_points,
)
from companion.vision.lid.image_pyramid import ImagePyramid, choose_level
from companion.vision.lid.layout import WINDOW_COUNT, LidLayout
from companion.vision.lid.rigid_motions import compute_motions, cover_same_places, merge_similar_motions
from companion.vision.lid.shading import LID_IMAGE_SIDE_PX

_FINE_RADII = (0.77, 0.84, 0.91, 0.98, 1.05)
"""Searched radii at the fine level, in token radii: a hole is smaller than the token that covers it. If the range
widens, more circles agree by chance."""

_COARSE_RADII = (0.78, 0.91, 1.04)
"""Searched radii at the coarser levels, in token radii. If the range widens, more circles agree by chance."""

_MIN_FIRST_RADIUS_PX = 2.75
"""Least token radius (pixels, and below twice as much) in the first search of a whole frame. If it grows, the search is
finer and slower; so with the next two."""

_MIN_SEARCH_RADIUS_PX = 5.5
"""Least token radius (pixels) in the thorough search. If it grows, it is finer and slower."""

_MIN_FIT_RADIUS_PX = 11.0
"""Least token radius (pixels) while a pose is refined. If it grows, poses are more exact, at more cost."""

_MAX_CIRCLE_COUNT = 18
"""Largest number of circles whose pairs vote for motions. If it grows, busy tables are searched better and slower."""

_MAX_MOTIONS_COMPARED = 60
"""Largest number of the best motions that are compared with each other. If it grows, the search takes longer."""

_MAX_MOTIONS_FITTED = 4
"""Largest number of different motions that are fitted in the thorough search. If it grows, it takes longer."""

_MAX_FIRST_MOTIONS_FITTED = 2
"""Largest number of motions that are fitted in the first search of a whole frame, which ends only with a certain pose.
If it grows, it takes longer."""

_MAX_PUSH_RADII = 3.0
"""While a lid is turned by hand, its centre moves by less than half of this (token radii). If it grows, a larger part
of the frame is searched first."""

_MIN_CERTAIN_SUPPORT = 0.88
"""Support from which, with `_MIN_CERTAIN_CIRCLES`, no better pose is searched for. If it grows, searches take
longer."""

_MIN_CERTAIN_CIRCLES = 10
"""Least number of agreeing circles with which no better pose is searched for. If it grows, searches take longer."""

_MAX_SUPPORT_DEFICIT = 0.1
"""Poses whose support is lower than the best by more are not refined. If it grows, the search takes longer."""

_FULL_CIRCLE_VOTES = 1.2
"""Votes from which a circle counts as wholly seen. If it grows, all supports fall."""

_MIN_CIRCLE_VOTES = 0.5
"""Votes from which a circle helps to fit the pose. If it grows, half hidden windows no longer help."""

_MIN_COLOUR_RADIUS_PX = 5.5
"""Least token radius (pixels) at which the lid's colours are compared. If it grows, the comparison is noisier."""

_MAX_BRIGHTENING_SHARE = 0.6
"""Share by which a lamp may brighten the lid where it lies now. If it grows, pale tables pass for the lid."""

_MIN_CIRCLE_COUNT = 4
"""Least number of circles that must agree with a pose. If it grows, hidden lids are lost earlier."""

_MAX_SCALE_DEVIATION_SHARE = 0.25
"""Largest deviation of a pose's size from the camera's, as a share. If it grows, wrong sizes are accepted."""

_CIRCLE_WEIGHT = 0.65
"""Weight of the circles in a pose's support; the lid's colours have the rest. If it grows, colours count less."""

_MIN_SCORE_SHARE = 0.7
"""Motions with a lower share of the best one's votes are dropped. If it falls, more motions are fitted."""

_SEARCH_REACH_RADII = 0.4
"""How far (token radii) windows are searched for around a motion's places. If it grows, wrong circles are caught."""

_ADJUST_REACH_RADII = 0.3
"""How far (token radii) windows are searched for around a pose that is nearly right. If it grows, wrong circles are
caught."""

_REFINE_REACHES_RADII = (0.3, 0.16)
"""How far (token radii) windows are searched for while a pose is refined, round by round. If they grow, wrong circles
are caught."""

_COLOUR_STEP = 4
"""Every n-th pixel of the lid's image is compared by colour. If it grows, the comparison is quicker and noisier."""


@dataclass(frozen=True, slots=True)
class PoseCandidate:
    """A pose and its evidence.

    >>> PoseCandidate(np.eye(3), support=0.93, circle_count=12).is_certain
    True

    Attributes:
        homography: (3, 3) float64, from the lid's plane to the frame's pixels.
        support: share of its circles and colours that is seen, 0 to about 1.
        circle_count: windows at which a circle is seen, 0 to 12.
        is_finely_fitted: whether it was fitted to circles of the fine level.
    """

    homography: FloatArray
    support: float
    circle_count: int
    is_finely_fitted: bool = False

    @property
    def is_certain(self) -> bool:
        """Whether the lid surely lies there, in clear view: `support` above 0.88, circles at 10 windows or more."""
        return self.support > _MIN_CERTAIN_SUPPORT and self.circle_count >= _MIN_CERTAIN_CIRCLES


class PoseFinder:
    """Searches one frame for a known lid.

    Args:
        camera_homography: (3, 3) float64, from the lid's plane to this frame's pixels at calibration: the layout's,
            scaled by `tracking.scale_camera_homography`.

    Raises:
        numpy.linalg.LinAlgError: `camera_homography` is singular.
    """

    def __init__(self, pyramid: ImagePyramid, layout: LidLayout, camera_homography: FloatArray) -> None:
        self._pyramid, self._layout, self._camera = pyramid, layout, camera_homography
        self._to_plane = invert(camera_homography)
        self._radius = compute_scale(camera_homography, LID_CENTRE)
        self._near: dict[float, tuple[CircleVoter, VoteMap]] = {}

    def search(self, last: FloatArray | None = None) -> PoseCandidate | None:
        """Find the best pose in the frame, up to the lid's symmetric turns.

        Args:
            last: the last pose, (3, 3) float64, from the lid's plane to the frame's pixels; its surroundings are
                searched first, as people turn a lid more often than they carry it away. None: no pose is known.

        Returns:
            The pose; None if too little of the lid is seen, or its tokens would be too small in this frame.
        """
        if self._radius < _MIN_SEARCH_RADIUS_PX:
            return None
        voted = self._vote_everywhere(_MIN_FIRST_RADIUS_PX) if last is None else self._vote_around_centre(last)
        certain = self._find_certain(*voted, _MAX_FIRST_MOTIONS_FITTED if last is None else 1)
        return certain or self._search_thoroughly()

    def _find_certain(self, voter: CircleVoter, votes: VoteMap, max_count: int) -> PoseCandidate | None:
        """Return a certain pose among the `max_count` likeliest motions; None if none is certain."""
        for motion in self._find_motions(voter, votes, max_count):
            pose = self._fit_coarsely(self._camera @ motion, _SEARCH_REACH_RADII)
            if pose is not None and pose.is_certain:
                return pose
        return None

    def _search_thoroughly(self) -> PoseCandidate | None:
        """Find the best pose in the frame where none is certain at first sight."""
        voter, votes = self._vote_everywhere(_MIN_SEARCH_RADIUS_PX)
        rough = []
        for motion in self._find_motions(voter, votes, _MAX_MOTIONS_FITTED):
            pose = self._fit(voter, votes, self._camera @ motion, (_SEARCH_REACH_RADII,))
            if pose is not None:
                rough.append(pose)
                if pose.is_certain:
                    return self._fit_coarsely(pose.homography, _ADJUST_REACH_RADII)
        rough.sort(key=lambda pose: -pose.support)
        finer = [
            self.refine(pose.homography) for pose in rough if pose.support > rough[0].support - _MAX_SUPPORT_DEFICIT
        ]
        return max((pose for pose in finer if pose), key=lambda pose: pose.support, default=None)

    def adjust(self, pose: PoseCandidate, homography: FloatArray) -> FloatArray:
        """Fit a pose that was turned by one of the lid's symmetric turns more exactly.

        Args:
            pose: the pose as found.
            homography: `pose.homography` after the turn, (3, 3) float64, from the lid's plane to the frame's pixels.

        Returns:
            (3, 3) float64, from the lid's plane to the frame's pixels; `homography` itself if nothing fits better.
        """
        may_be_coarse = pose.is_certain and not pose.is_finely_fitted
        finer = self._fit_coarsely(homography, _ADJUST_REACH_RADII) if may_be_coarse else self.refine(homography)
        return homography if finer is None else finer.homography

    def refine(self, homography: FloatArray) -> PoseCandidate | None:
        """Find the pose near a given one that fits the circles best.

        Args:
            homography: (3, 3) float64, from the lid's plane to the frame's pixels.

        Returns:
            The pose; None if fewer than four circles agree, the lid would have another size than at calibration, the
            tokens would be too small in this frame, or `homography` is not finite.
        """
        if self._radius < _MIN_SEARCH_RADIUS_PX or not np.isfinite(homography).all():
            return None
        voter, votes = self._vote_around_windows(homography, _MIN_FIT_RADIUS_PX, _FINE_RADII)
        found = self._fit(voter, votes, homography, _REFINE_REACHES_RADII)
        return None if found is None else replace(found, is_finely_fitted=True)

    def _fit_coarsely(self, homography: FloatArray, reach_radii: float) -> PoseCandidate | None:
        """Fit a pose that is right within `reach_radii`; None if it was not.

        With nothing before the lid its many circles make up for the few pixels that each has at the coarse level.
        """
        voter, votes = self._vote_around_windows(homography, _MIN_SEARCH_RADIUS_PX, _COARSE_RADII)
        return self._fit(voter, votes, homography, (reach_radii,))

    def _vote_everywhere(self, min_radius_px: float) -> tuple[CircleVoter, VoteMap]:
        """Return the votes of the whole frame, at a level where a token's radius has `min_radius_px` or more."""
        voter = CircleVoter(self._pyramid, choose_level(self._radius, min_radius_px))
        return voter, voter.count_best_votes([self._radius * k for k in _COARSE_RADII])

    def _vote_around_centre(self, homography: FloatArray) -> tuple[CircleVoter, VoteMap]:
        """Return the votes around the place of a lid that was turned by any angle about its centre."""
        middle = project_points(homography, LID_CENTRE)[None]
        margin = (float(np.linalg.norm(self._layout.centers, axis=1).max()) + _MAX_PUSH_RADII) * self._radius
        return self._vote_near(middle, margin, _MIN_SEARCH_RADIUS_PX, _COARSE_RADII)

    def _vote_around_windows(
        self, homography: FloatArray, min_radius_px: float, radii: tuple[float, ...]
    ) -> tuple[CircleVoter, VoteMap]:
        """Return the votes around the windows under a pose; the last ones of that level if they cover them."""
        places = project_points(homography, self._layout.centers)
        near = 1.5 * self._radius
        if min_radius_px in self._near:
            voter = self._near[min_radius_px][0]
            at = voter.from_frame(np.array([places.min(axis=0) - near, places.max(axis=0) + near]))
            if at.min() >= 0 and (at[1] <= (voter.width, voter.height)).all():
                return self._near[min_radius_px]
        # Poses close by are covered as well.
        return self._vote_near(places, near + 0.6 * self._radius, min_radius_px, radii)

    def _vote_near(
        self, places: FloatArray, margin_px: float, min_radius_px: float, radii: tuple[float, ...]
    ) -> tuple[CircleVoter, VoteMap]:
        """Return the votes up to `margin_px` around places, and remember them for `_vote_around_windows`."""
        voter = CircleVoter.around_lid(self._pyramid, choose_level(self._radius, min_radius_px), places, margin_px)
        self._near[min_radius_px] = voter, voter.count_best_votes([self._radius * k for k in radii])
        return self._near[min_radius_px]

    def _find_motions(self, voter: CircleVoter, votes: VoteMap, max_count: int) -> Iterator[FloatArray]:
        """Yield the likeliest rigid motions of the lid's plane, as homographies, that put windows on circles."""
        found = find_peaks(votes, 0.9 * self._radius / voter.reduction, 0.4, _MAX_CIRCLE_COUNT)
        if len(found) < _MIN_CIRCLE_COUNT:
            return
        circles = voter.to_frame(refine_peaks(votes, found[:, :2]))
        motions = compute_motions(project_points(self._to_plane, circles), self._layout)
        if len(motions):
            yield from islice(self._rank_motions(merge_similar_motions(motions), voter, votes), max_count)

    def _rank_motions(self, motions: FloatArray, voter: CircleVoter, votes: VoteMap) -> Iterator[FloatArray]:
        """Yield the motions that put most windows on circles, as homographies; of those that agree only the best.

        `motions` are complex rows of a, b: z -> a z + b.
        """
        radius = self._radius / voter.reduction
        side = max(3, int(0.5 * radius) | 1)
        wide = cv2.dilate(np.minimum(votes, _FULL_CIRCLE_VOTES), np.ones((side, side), np.uint8))
        x, y = self._layout.centers.T
        places = motions @ np.stack([x + 1j * y, np.ones(WINDOW_COUNT)])
        at = voter.from_frame(project_points(self._camera, np.stack([places.real, places.imag], axis=2)))
        x, y = np.moveaxis(np.rint(at).astype(np.int32), 2, 0)
        inside = (x >= 0) & (x < voter.width) & (y >= 0) & (y < voter.height)
        score = np.where(inside, wide.ravel()[(y * voter.width + x) * inside], 0.0).sum(axis=1)
        order = np.argsort(-score)[:_MAX_MOTIONS_COMPARED]
        left = score[order] > _MIN_SCORE_SHARE * score.max()
        while left.any():
            i = int(left.argmax())
            a, b = motions[order[i]]
            yield np.array([[a.real, -a.imag, b.real], [a.imag, a.real, b.imag], [0, 0, 1]])
            left &= ~cover_same_places(at[order[i]], at[order], 0.4 * radius)

    def _fit(
        self, voter: CircleVoter, votes: VoteMap, homography: FloatArray, reaches_radii: tuple[float, ...]
    ) -> PoseCandidate | None:
        """Fit a pose to the highest votes near each window, round by round within the given reaches.

        None if fewer than four circles agree, or the size is not the camera's.
        """
        layout = self._layout
        radius = self._radius / voter.reduction
        seen = np.zeros(WINDOW_COUNT)
        for reach in reaches_radii:
            expected = voter.from_frame(project_points(homography, layout.centers))
            places, seen = _find_nearby_peaks(votes, expected, max(2, round(reach * radius)))
            keep = seen > _MIN_CIRCLE_VOTES
            if np.count_nonzero(keep) < _MIN_CIRCLE_COUNT:
                return None
            there = project_points(self._to_plane, voter.to_frame(places[keep]))
            weights = np.minimum(seen[keep], _FULL_CIRCLE_VOTES)
            homography = self._camera @ fit_homography(layout.centers[keep], there, weights)
        growth = compute_scale(homography, LID_CENTRE) / self._radius
        if not np.isfinite(homography).all() or abs(growth - 1) > _MAX_SCALE_DEVIATION_SHARE:
            return None
        share = float(np.minimum(seen, _FULL_CIRCLE_VOTES).mean() / _FULL_CIRCLE_VOTES)
        lid_share = _measure_lid_share(self._pyramid, layout, homography)
        support = _CIRCLE_WEIGHT * share + (1 - _CIRCLE_WEIGHT) * lid_share
        return PoseCandidate(homography, support, int(np.count_nonzero(seen > _MIN_CIRCLE_VOTES)))


def _find_nearby_peaks(votes: VoteMap, expected: FloatArray, reach_px: int) -> tuple[FloatArray, FloatArray]:
    """Return, per expected place (n, 2), the centroid of the highest votes within `reach_px`, and their height (n,)."""
    height, width = votes.shape
    at = np.rint(expected)
    inside = np.asarray(((at >= 0) & (at < (width, height))).all(axis=1), np.bool_)
    if not inside.any():
        return expected, np.zeros(len(expected))
    x, y = np.where(inside[:, None], at, 0).astype(int).T
    padded = cv2.copyMakeBorder(votes, reach_px, reach_px, reach_px, reach_px, cv2.BORDER_CONSTANT, value=0)
    step = np.arange(2 * reach_px + 1)
    parts = padded[y[:, None, None] + step[:, None], x[:, None, None] + step].reshape(len(x), -1)
    top = parts.argmax(axis=1)
    best = parts[np.arange(len(x)), top] * inside
    y1, x1 = np.divmod(top, 2 * reach_px + 1)
    tops = np.column_stack([np.clip(x + x1 - reach_px, 0, width - 1), np.clip(y + y1 - reach_px, 0, height - 1)])
    return np.where((best > 0)[:, None], refine_peaks(votes, tops), expected), best.astype(np.float64)


def _measure_lid_share(pyramid: ImagePyramid, layout: LidLayout, homography: FloatArray) -> float:
    """Measure the share of the lid's bare surface that shows the lid's colours, in any light, under a pose."""
    every = np.s_[_COLOUR_STEP // 2 :: _COLOUR_STEP, _COLOUR_STEP // 2 :: _COLOUR_STEP]
    bare = layout.always_bare_mask[every]
    small, turn = pyramid.reduce_for(homography, _MIN_COLOUR_RADIUS_PX)
    seen = cut_patch(small, turn, LID_CENTRE, layout.half_side, LID_IMAGE_SIDE_PX // _COLOUR_STEP)
    now = seen[bare].astype(np.float64)
    then = layout.lid_image[every][bare].astype(np.float64)
    gain = np.median((now.sum(axis=1) + 1) / (then.sum(axis=1) + 1))
    return float(1 - find_changed_colours(now, then * np.clip(gain, 0.3, 3.0), _MAX_BRIGHTENING_SHARE).mean())


def find_pose_by_tags(
    tags: dict[int, FloatArray], layout: LidLayout, camera_homography: FloatArray
) -> FloatArray | None:
    """Find the lid's pose from the tags in the frame alone.

    Args:
        tags: the tags in the frame, id to corners in pixels, shape (4, 2), as `markers.find_tags` returns them.
        camera_homography: (3, 3) float64, the layout's, scaled to this frame: from the lid's plane to its pixels.

    Returns:
        (3, 3) float64, from the lid's plane to the frame's pixels; None if no tag in the frame is in the layout.
    """
    known = [i for i in tags if i in layout.tags]
    if not known:
        return None
    there = project_points(invert(camera_homography), np.concatenate([tags[i] for i in known]))
    here = np.concatenate([layout.tags[i] for i in known])
    step = 1 if len(known) > 2 else 2  # one or two tags are too short a lever for more than a rigid motion
    return camera_homography @ fit_homography(here[::step], there[::step], np.ones(len(here[::step])))


def find_nearest_turn(homography: FloatArray, known: FloatArray, layout: LidLayout) -> int:
    """Return which symmetric turn brings a pose nearest to a known pose.

    Args:
        homography: the pose, (3, 3) float64, from the lid's plane to the frame's pixels.
        known: the other pose, (3, 3) float64, from the lid's plane to the same pixels.

    Returns:
        Index into `layout.symmetry_angles`; the turned pose is `homography` times the rigid motion by minus this angle.
    """
    target = project_points(known, layout.centers)
    turned = (homography @ make_rigid_motion(-angle) for angle in layout.symmetry_angles)
    return int(np.argmin([np.linalg.norm(project_points(h, layout.centers) - target, axis=1).mean() for h in turned]))
