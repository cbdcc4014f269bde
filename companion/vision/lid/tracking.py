"""Finding the known lid in one frame after the other, and telling which way round it lies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np

from companion.vision.lid import pose as poses
from companion.vision.lid.calibration import find_token_candidates
from companion.vision.lid.circles import ImagePyramid
from companion.vision.lid.geometry import LID_CENTRE, FloatArray, compute_scale, invert, make_rotation, project_points
from companion.vision.lid.layout import WINDOW_COUNT, LidLayout
from companion.vision.lid.markers import TAG_COUNT, find_tags
from companion.vision.lid.pose import PoseCandidate, PoseFinder

_MIN_TURN_MARGIN_SHARE = 0.2
"""By this share the marks must fit one turn of the lid better than the next, else other evidence is asked."""

_MIN_TURN_MARGIN_LEVELS = 5.0
"""And by this many levels of colour."""

_MAX_MISMATCH_SHARE = 0.5
"""And the doubt must be below this share of what a wrong turn gives."""

_MIN_CIRCLES_WITHOUT_HAND = 10
"""With so many circles seen there is no hand over the lid: its marks may be trusted from a higher share on."""

_MAX_MISMATCH_SHARE_WITHOUT_HAND = 0.8

_MIN_CERTAIN_CIRCLES = 7
"""With fewer circles seen, another place on the lid could look the same; but not if it lies as it lay."""

_MIN_TAGS = 3
"""So many tags tell better where the lid lies than circles that are not clear."""

_MAX_GROWTH_SHARE = 0.06
"""By more than so much a lid that is pushed about the table hardly becomes larger or smaller in the picture."""

_STAY_SUPPORT_BONUS = 0.08
"""The last pose is kept if the best has no more than this support above it."""

_MAX_REST_MOTION_RADII = 0.06
"""A lid whose windows moved by no more than this (in token radii) lies where it lay, to the last pixel."""

_MAX_NEAR_MOTION_RADII = 0.4
"""And one that moved by no more than this lies about where it lay."""

_MIN_NUMBERS_MARGIN = 1.5
"""So many more known tokens must agree with one turn than with the next."""

_MIN_SAME_NUMBERS_SHARE = 0.75
"""And this share of them at least, else they were shuffled."""

_MIN_SUPPORT = 0.36
"""Least support of a pose that is believed."""

_MIN_CERTAIN_SUPPORT = 0.6
"""With this support, and enough circles for its place to be sure, the lid cannot be another one."""

_MIN_MOVED_CAMERA_SUPPORT = 0.7
"""And of one under which the camera has to have moved."""

_MIN_MOVED_CAMERA_CIRCLES = 9

_MIN_SUPPORT_GAIN = 0.12
"""By so much support."""

_MAX_RIGID_ERROR_RADII = 0.12
"""If the windows lie so far (in token radii) from any rigid motion under the learnt tilt, the camera was tilted."""


def scale_camera_homography(layout: LidLayout, size: tuple[int, int]) -> FloatArray:
    """The layout's homography for frames of this width and height."""
    scale = np.diag([size[0] / layout.frame[0], size[1] / layout.frame[1], 1.0])
    return np.asarray(scale @ layout.camera, np.float64)


class LidTracker:
    """Follows one lid. `agreement` tells of a pose, for each of the lid's turns, how its tokens agree with those known.

    That is two numbers: how many tokens could, and how many do (shares of certainty, by turn).
    """

    def __init__(
        self, layout: LidLayout, agreement: Callable[[ImagePyramid, FloatArray], tuple[float, FloatArray]]
    ) -> None:
        self.layout = layout
        self.pose: FloatArray | None = None
        self.is_turn_certain = False
        self.is_lid_certain = False
        """Whether so much of the lid was seen that it is surely this one."""
        self.missed_searches = 0
        """Searches in a row that did not surely find it."""
        self._compute_agreement = agreement
        self._size: tuple[int, int] | None = None
        self._searches = 0

    def accept_pose(self, pose: FloatArray, size: tuple[int, int]) -> None:
        """From now on the lid is known to lie so in frames of this width and height."""
        self.pose, self._size = pose, size

    def has_certain_pose(self, size: tuple[int, int]) -> bool:
        """Whether there is a pose for frames of this size that needs no second look."""
        return self.pose is not None and self.is_turn_certain and self.is_lid_certain and size == self._size

    def is_at_rest(self, scales: ImagePyramid, size: tuple[int, int]) -> bool:
        """Whether the lid's circles are where they were; not to be asked before a pose is known."""
        assert self.pose is not None
        again = PoseFinder(scales, self.layout, scale_camera_homography(self.layout, size)).refine(self.pose)
        return again is not None and self._measure_motion(again.homography) < 2 * _MAX_REST_MOTION_RADII

    def find_pose(self, scales: ImagePyramid, size: tuple[int, int]) -> FloatArray | None:
        """The pose in this frame; None if the lid is not found. `turn_sure` and `missed` tell how sure that is."""
        h = self._search(scales, size)
        self.missed_searches = (
            0 if h is not None and self.is_turn_certain and self.is_lid_certain else self.missed_searches + 1
        )
        if h is None:
            return None
        if self.pose is not None and size == self._size and self._measure_motion(h) < _MAX_REST_MOTION_RADII:
            return self.pose  # so that the picture on the screen does not tremble
        return h

    def _measure_motion(self, h: FloatArray) -> float:
        """By how many token radii the windows have moved at most."""
        assert self.pose is not None
        points = self.layout.centers
        away = np.linalg.norm(project_points(h, points) - project_points(self.pose, points), axis=1).max()
        return float(away) / compute_scale(h, LID_CENTRE)

    def _search(self, scales: ImagePyramid, size: tuple[int, int]) -> FloatArray | None:
        layout, camera = self.layout, scale_camera_homography(self.layout, size)
        image = scales.get_level(0)
        finder = PoseFinder(scales, layout, camera)
        last = self.pose if size == self._size else None
        found = finder.search(last)
        stays = False
        if last is not None:
            again = self._match_last_pose(found) if found is not None and found.is_certain else finder.refine(last)
            stays = again is not None and (found is None or again.support > found.support - _STAY_SUPPORT_BONUS)
            found = again if stays else found
        tags = cache(lambda: find_tags(image))
        faint = found is None or found.support < _MIN_SUPPORT
        if faint or (layout.tags and not _is_clear(found)):
            stays = stays and not faint
            told = poses.find_pose_by_tags(tags(), layout, camera) if layout.tags else None
            if told is not None and (faint or len(tags()) >= _MIN_TAGS):
                self.is_turn_certain, self.is_lid_certain = True, False
                return told
            found = None if faint else found
        if not stays and (found is None or not _is_clear(found) or _is_misfit(found, camera)):
            moved = self._search_moved_camera(scales, camera, size, found)
            if moved is not None:
                found, layout, camera = moved, self.layout, moved.homography
                finder = PoseFinder(scales, layout, camera)
        if found is None:
            return None
        self.is_lid_certain = _is_clear(found)
        turn, sure = self._determine_turn(scales, camera, found, tags)
        self.is_turn_certain = sure and (stays or found.circle_count >= _MIN_CERTAIN_CIRCLES)
        pose = found.homography
        if turn:
            pose = finder.adjust(found, found.homography @ make_rotation(-layout.turns[turn]))
        if self.is_turn_certain and found.circle_count >= _MIN_CIRCLES_WITHOUT_HAND:
            self._update_layout(scales, camera, pose, size)
        return pose

    def _match_last_pose(self, found: PoseCandidate) -> PoseCandidate | None:
        """What was found, turned as the lid was last seen; None if it lies elsewhere."""
        assert self.pose is not None
        turn = poses.find_nearest_turn(found.homography, self.pose, self.layout)
        h = found.homography @ make_rotation(-self.layout.turns[turn])
        return replace(found, homography=h) if self._measure_motion(h) < _MAX_NEAR_MOTION_RADII else None

    def _search_moved_camera(
        self, scales: ImagePyramid, camera: FloatArray, size: tuple[int, int], otherwise: PoseCandidate | None
    ) -> PoseCandidate | None:
        """Looks for the lid as another camera would see it: at any size, and flat or tilted as it was.

        That takes long, so it is tried ever more seldom while the lid is not found. If it fits much better than
        `otherwise`, the layout's camera is from then on the new one.
        """
        if self.missed_searches & (self.missed_searches - 1):  # tried at 0, 1, 2, 4, 8... misses
            return None
        found = find_at_any_size(scales, self.layout, camera, size)
        if found is None or (otherwise is not None and found.support < otherwise.support + _MIN_SUPPORT_GAIN):
            return None
        self.layout = self.layout.with_camera(found.homography, size)
        self.pose = None
        return found

    def _update_layout(self, scales: ImagePyramid, camera: FloatArray, pose: FloatArray, size: tuple[int, int]) -> None:
        """Learns from a clear view what has changed for good: the camera's tilt, tags put on."""
        layout = self.layout
        seen = project_points(invert(camera) @ pose, layout.centers)
        rigid = _fit_similarity(layout.centers, seen)
        if np.linalg.norm(project_points(rigid, layout.centers) - seen, axis=1).max() > _MAX_RIGID_ERROR_RADII:
            self.layout = layout = layout.with_camera(pose, size)
        self._searches += 1
        if len(layout.tags) < TAG_COUNT and self._searches & (self._searches - 1) == 0:  # ever more seldom
            back = invert(pose)
            new = {
                i: project_points(back, at) for i, at in find_tags(scales.get_level(0)).items() if i not in layout.tags
            }
            near = {i: at for i, at in new.items() if np.abs(at).max() < 1.5 * layout.half_side}
            if near:
                self.layout = layout.with_camera(layout.camera, layout.frame, {**layout.tags, **near})

    def _determine_turn(
        self, scales: ImagePyramid, camera: FloatArray, found: PoseCandidate, tags: Callable[[], dict[int, FloatArray]]
    ) -> tuple[int, bool]:
        """Which way round the lid lies, and whether that is sure: by its marks, else its tags, else its tokens.

        Where none of these tells, it is taken to lie as near as possible to how it lay, which is not sure.
        """
        layout, h, image = self.layout, found.homography, scales.get_level(0)
        if len(layout.turns) == 1:
            return 0, True
        doubts = poses.compute_turn_mismatches(image, layout, h)
        best, second = np.sort(doubts)[:2]
        free = found.circle_count >= _MIN_CIRCLES_WITHOUT_HAND
        known = (
            best < (_MAX_MISMATCH_SHARE_WITHOUT_HAND if free else _MAX_MISMATCH_SHARE) * layout.min_wrong_turn_mismatch
        )
        if known and second - best > max(_MIN_TURN_MARGIN_SHARE * second, _MIN_TURN_MARGIN_LEVELS):
            return int(doubts.argmin()), True
        if layout.tags:
            told = poses.find_pose_by_tags(tags(), layout, camera)
            if told is not None:
                return poses.find_nearest_turn(h, told, layout), True
        most, agree = self._compute_agreement(scales, h)
        ranked = np.sort(agree)
        if ranked[-1] - ranked[-2] > _MIN_NUMBERS_MARGIN and ranked[-1] > _MIN_SAME_NUMBERS_SHARE * most:
            return int(np.argmax(agree)), True
        if self.pose is None:
            return int(doubts.argmin()), False
        return poses.find_nearest_turn(h, self.pose, layout), False


def _is_clear(found: PoseCandidate | None) -> bool:
    return found is not None and found.support >= _MIN_CERTAIN_SUPPORT and found.circle_count >= _MIN_CERTAIN_CIRCLES


def _is_misfit(found: PoseCandidate, camera: FloatArray) -> bool:
    """Whether a camera that came nearer or farther may be taken for a lid at the wrong place: three quarters of a grid
    fit such tokens as well, and of a staggered one even more."""
    grown = compute_scale(found.homography, LID_CENTRE) / compute_scale(camera, LID_CENTRE)
    return found.circle_count < WINDOW_COUNT and abs(grown - 1) > _MAX_GROWTH_SHARE


def _fit_similarity(source: FloatArray, target: FloatArray) -> FloatArray:
    """The similarity that takes `source` (n, 2) to `target` best."""
    z, w = source @ [1, 1j], target @ [1, 1j]
    middle_z, middle_w = z.mean(), w.mean()
    a = ((z - middle_z).conj() * (w - middle_w)).sum() / (np.abs(z - middle_z) ** 2).sum()
    b = middle_w - a * middle_z
    return np.array([[a.real, -a.imag, b.real], [a.imag, a.real, b.imag], [0.0, 0.0, 1.0]])


def find_at_any_size(
    scales: ImagePyramid, layout: LidLayout, camera: FloatArray, size: tuple[int, int]
) -> PoseCandidate | None:
    """The lid's pose for a camera that may be nearer or farther than `camera` and tilted otherwise; None if unclear."""
    found = find_token_candidates(scales)
    if len(found) < _MIN_MOVED_CAMERA_CIRCLES:
        return None
    learnt = compute_scale(camera, LID_CENTRE)
    sizes = np.unique(found[:, 2])
    # Tokens and holes: by how many circles each size of token would explain.
    counts = np.array(
        [np.minimum(np.sort(found[_match_token_radius(found[:, 2], r), 3])[-12:], 1.2).sum() for r in sizes]
    )
    order = [i for i in np.argsort(-counts) if counts[i] > _MIN_MOVED_CAMERA_CIRCLES * 0.6][:5]
    best: PoseCandidate | None = None
    for i in order:
        zoom = float(sizes[i]) / learnt
        middle = np.array(size) / 2
        zoomed = np.array([[zoom, 0, middle[0] * (1 - zoom)], [0, zoom, middle[1] * (1 - zoom)], [0, 0, 1]]) @ camera
        flat = np.array([[sizes[i], 0, middle[0]], [0, sizes[i], middle[1]], [0, 0, 1.0]])
        for view in (zoomed, flat):
            pose = PoseFinder(scales, layout, view).search()
            if (
                pose is not None
                and pose.circle_count >= _MIN_MOVED_CAMERA_CIRCLES
                and (best is None or pose.support > best.support)
            ):
                best = pose
    return best if best is not None and best.support >= _MIN_MOVED_CAMERA_SUPPORT else None


def _match_token_radius(radii: FloatArray, token: float) -> np.ndarray:
    """Which circles may be tokens of that radius or holes under them."""
    return np.asarray((radii > 0.72 * token) & (radii < 1.12 * token))
