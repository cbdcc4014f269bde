"""Find the known lid in one frame after the other, and which way round it lies.

When it is looked for again, as windows have changed or it was pushed: `reader.py`.

`homography` and poses map the lid's plane to the frame. A *turn* is an index into `LidLayout.symmetry_angles`.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np

from companion.vision.lid.calibration import find_token_candidates
from companion.vision.lid.geometry import (
    LID_CENTRE,
    BoolArray,
    FloatArray,
    compute_scale,
    cut_patch,
    fit_homography,
    invert,
    make_rigid_motion,
    project_points,
)
from companion.vision.lid.image_pyramid import ImagePyramid
from companion.vision.lid.layout import WINDOW_COUNT, LidLayout
from companion.vision.lid.markers import TAG_COUNT, find_tags
from companion.vision.lid.pose import PoseCandidate, PoseFinder, find_nearest_turn, find_pose_by_tags
from companion.vision.lid.shading import LID_IMAGE_SIDE_PX

_MIN_TURN_MARGIN_SHARE = 0.2
"""The marks must fit one turn better than the next by this share, else other evidence decides. If it grows, tags and
numbers decide more often."""

_MIN_TURN_MARGIN_LEVELS = 5.0
"""The marks must also fit one turn better than the next by this many levels of colour. If it grows, tags and numbers
decide more often."""

_MAX_MISMATCH_SHARE = 0.5
"""The mismatch of the marks must be below this share of what a wrong turn gives. If it grows, marks below a hand are
trusted."""

_MAX_MISMATCH_SHARE_WITHOUT_HAND = 0.8
"""`_MAX_MISMATCH_SHARE` where no hand is over the lid. If it grows, marks that fit badly are trusted."""

_MIN_CIRCLES_WITHOUT_HAND = 10
"""Circles from which there is no hand over the lid. If it grows, fewer views count as free."""

_MIN_CERTAIN_CIRCLES = 7
"""With fewer circles another place on the lid could look the same, unless it lies as it lay. If it grows, half hidden
lids are uncertain more often."""

_MIN_TAGS = 3
"""Tags from which they show better than unclear circles where the lid lies. If it grows, circles decide more often."""

_MAX_GROWTH_SHARE = 0.06
"""A lid that is pushed about the table becomes larger or smaller in the frame by less than this share. If it grows, a
moved camera is noticed later."""

_STAY_SUPPORT_BONUS = 0.08
"""The last pose is kept if the best has no more than this support above it. If it grows, small motions are missed."""

_MAX_REST_MOTION_RADII = 0.06
"""A lid whose windows moved by no more (token radii) lies where it lay, to the last pixel. If it grows, small motions
are missed."""

_MAX_NEAR_MOTION_RADII = 0.4
"""A lid that moved by no more (token radii) lies about where it lay. If it grows, a neighbouring place passes for
it."""

_MIN_NUMBERS_MARGIN = 1.5
"""Least number of known tokens by which one turn must agree better than the next. If it grows, turns stay uncertain."""

_MIN_SAME_NUMBERS_SHARE = 0.75
"""Least share of the known tokens that must agree, else they were shuffled. If it grows, turns stay uncertain."""

_MIN_SUPPORT = 0.36
"""Least support of a pose that is believed. If it grows, half hidden lids are lost; if it falls, other things pass."""

_MIN_CERTAIN_SUPPORT = 0.6
"""Support from which, with `_MIN_CERTAIN_CIRCLES`, the lid cannot be another one. If it grows, other lids are tried
more often."""

_MIN_MOVED_CAMERA_SUPPORT = 0.7
"""Least support of a pose under which the camera must have moved. If it grows, moved cameras are noticed later."""

_MIN_MOVED_CAMERA_CIRCLES = 9
"""Least number of circles of a pose under which the camera must have moved. If it grows, moved cameras are noticed
later."""

_MIN_SUPPORT_GAIN = 0.12
"""Support by which the pose under a moved camera must exceed the one under the old camera. If it grows, moved cameras
are noticed later."""

_MAX_RIGID_ERROR_RADII = 0.12
"""Distance of the windows (token radii) from any rigid motion from which the camera was tilted. If it grows, the layout
follows a slowly tilting camera later."""

_MAX_SIZES_TRIED = 5
"""Largest number of token sizes that are tried for a moved camera. If it grows, that search takes longer."""

_MIN_EXPLAINED_VOTES_SHARE = 0.6
"""Least votes, per circle needed, that a size of token must explain. If it grows, fewer sizes are tried."""

_TOKEN_RADIUS_RANGE = (0.72, 1.12)
"""Radii of tokens, and of holes under them, in radii of a token. If it widens, other circles count for a size."""


def scale_camera_homography(layout: LidLayout, size: tuple[int, int]) -> FloatArray:
    """Return a layout's camera homography for frames of another size; width and height are scaled separately.

    Args:
        size: width and height of the frames in pixels, above 0.

    Returns:
        (3, 3) float64, from the lid's plane at calibration to pixels of such frames.
    """
    scale = np.diag([size[0] / layout.frame_size[0], size[1] / layout.frame_size[1], 1.0])
    return np.asarray(scale @ layout.camera_homography, np.float64)


class LidTracker:
    """Tracks one lid from frame to frame.

    Poses are homographies, (3, 3) float64, from the lid's plane to the frame's pixels.

    Args:
        compute_agreement: compares the tokens under a pose with the known numbers: takes the frame and the pose,
            returns how many tokens could agree, and how many do for each turn (sums of probabilities, shape (angles,)).

    Attributes:
        layout: the lid; it follows a moved camera and tags that were added.
        pose: the last accepted pose, (3, 3) float64; None before the first, and after the camera has moved. Set it, and
            `frame_size`, to accept a pose.
        frame_size: width and height, in pixels, of the frame for which it was accepted; None before the first.
        is_turn_certain: whether it is certain which way round the lid lies.
        is_lid_certain: whether so much of the lid was seen that it is surely this one.
        missed_searches: number of consecutive searches that did not surely find it.
    """

    def __init__(
        self, layout: LidLayout, compute_agreement: Callable[[ImagePyramid, FloatArray], tuple[float, FloatArray]]
    ) -> None:
        self.layout = layout
        self.pose: FloatArray | None = None
        self.is_turn_certain = self.is_lid_certain = False
        self.missed_searches = self._searches = 0
        self._compute_agreement = compute_agreement
        self.frame_size: tuple[int, int] | None = None

    def has_certain_pose(self, size: tuple[int, int]) -> bool:
        """Return whether lid and turn are certain and the pose was accepted for frames of this size.

        Args:
            size: width and height of the frame, pixels.
        """
        return self.pose is not None and self.is_turn_certain and self.is_lid_certain and size == self.frame_size

    def is_at_rest(self, pyramid: ImagePyramid) -> bool:
        """Return whether the lid's circles are where they were under `pose`, within 0.12 token radii.

        Args:
            pyramid: the frame, of the size for which the pose was accepted.

        Raises:
            AssertionError: there is no pose yet.
        """
        assert self.pose is not None
        finder = PoseFinder(pyramid, self.layout, scale_camera_homography(self.layout, pyramid.frame_size))
        again = finder.refine(self.pose)
        return again is not None and self._measure_motion(again.homography) < 2 * _MAX_REST_MOTION_RADII

    def find_pose(self, pyramid: ImagePyramid) -> FloatArray | None:
        """Find the lid's pose in a frame.

        Updates `is_turn_certain`, `is_lid_certain`, `missed_searches` and `layout`. `pose` does not become the pose
        found; it is set to None if the camera seems to have moved.

        Returns:
            (3, 3) float64, from the lid's plane to the frame's pixels, the same object as `pose` if the lid has not
            moved; None if the lid is not found.
        """
        pose = self._search(pyramid)
        certain = pose is not None and self.is_turn_certain and self.is_lid_certain
        self.missed_searches = 0 if certain else self.missed_searches + 1
        if pose is None or self.pose is None or pyramid.frame_size != self.frame_size:
            return pose
        # At rest it is the last one, so that the picture on the screen does not tremble.
        return self.pose if self._measure_motion(pose) < _MAX_REST_MOTION_RADII else pose

    def _measure_motion(self, homography: FloatArray) -> float:
        """Return the farthest way of a window from the last pose to this one, in token radii."""
        assert self.pose is not None
        centers = self.layout.centers
        away = np.linalg.norm(project_points(homography, centers) - project_points(self.pose, centers), axis=1).max()
        return float(away) / compute_scale(homography, LID_CENTRE)

    def _search(self, pyramid: ImagePyramid) -> FloatArray | None:
        size = pyramid.frame_size
        layout, camera = self.layout, scale_camera_homography(self.layout, size)
        finder = PoseFinder(pyramid, layout, camera)
        # The last pose is in pixels of its frame: in one of another size it says nothing.
        last = self.pose if size == self.frame_size else None
        found = finder.search(last)
        stays = False
        if last is not None:
            again = self._match_last_pose(found) if found is not None and found.is_certain else finder.refine(last)
            # A lid at rest keeps its pose unless another fits clearly better: it must not flicker between two.
            stays = again is not None and (found is None or again.support > found.support - _STAY_SUPPORT_BONUS)
            found = again if stays else found
        # Looked for once at most, and only if a doubt needs them: they take long.
        tags = cache(lambda: find_tags(pyramid.get_level(0)))
        faint = found is None or found.support < _MIN_SUPPORT
        if faint or (layout.tags and not _is_certain(found)):
            stays = stays and not faint
            by_tags = find_pose_by_tags(tags(), layout, camera) if layout.tags else None
            if by_tags is not None and (faint or len(tags()) >= _MIN_TAGS):
                self.is_turn_certain, self.is_lid_certain = True, False
                return by_tags
            found = None if faint else found
        if not stays and (found is None or not _is_certain(found) or _is_misfit(found, camera)):
            moved = self._search_moved_camera(pyramid, camera, found)
            if moved is not None:
                found, layout, camera = moved, self.layout, moved.homography
                finder = PoseFinder(pyramid, layout, camera)
        if found is None:
            return None
        self.is_lid_certain = _is_certain(found)
        turn, certain = self._determine_turn(pyramid, camera, found, tags)
        self.is_turn_certain = certain and (stays or found.circle_count >= _MIN_CERTAIN_CIRCLES)
        pose = found.homography
        if turn:
            pose = finder.adjust(found, found.homography @ make_rigid_motion(-layout.symmetry_angles[turn]))
        if self.is_turn_certain and found.circle_count >= _MIN_CIRCLES_WITHOUT_HAND:
            self._update_layout(pyramid, camera, pose)
        return pose

    def _match_last_pose(self, found: PoseCandidate) -> PoseCandidate | None:
        """Turn a pose as the lid was last seen; None if it lies elsewhere."""
        assert self.pose is not None
        turn = find_nearest_turn(found.homography, self.pose, self.layout)
        homography = found.homography @ make_rigid_motion(-self.layout.symmetry_angles[turn])
        is_near = self._measure_motion(homography) < _MAX_NEAR_MOTION_RADII
        return replace(found, homography=homography) if is_near else None

    def _search_moved_camera(
        self, pyramid: ImagePyramid, camera: FloatArray, otherwise: PoseCandidate | None
    ) -> PoseCandidate | None:
        """Search for the lid as a moved camera would see it: at any size, and flat or tilted as it was.

        That takes long, so it is tried ever more seldom while the lid is not found. If it fits much better than
        `otherwise`, the layout's camera is from then on the new one.
        """
        if self.missed_searches & (self.missed_searches - 1):  # tried at 0, 1, 2, 4, 8... misses
            return None
        found = find_at_any_size(pyramid, self.layout, camera)
        if found is None or (otherwise is not None and found.support < otherwise.support + _MIN_SUPPORT_GAIN):
            return None
        self.layout = self.layout.with_camera(found.homography, pyramid.frame_size)
        self.pose = None
        return found

    def _update_layout(self, pyramid: ImagePyramid, camera: FloatArray, pose: FloatArray) -> None:
        """Learn from a clear view what has changed permanently: the camera's tilt, tags that were added."""
        layout = self.layout
        seen = project_points(invert(camera) @ pose, layout.centers)
        rigid = fit_homography(layout.centers, seen, np.ones(WINDOW_COUNT), similarity=True)
        if np.linalg.norm(project_points(rigid, layout.centers) - seen, axis=1).max() > _MAX_RIGID_ERROR_RADII:
            self.layout = layout = layout.with_camera(pose, pyramid.frame_size)
        self._searches += 1
        if len(layout.tags) < TAG_COUNT and self._searches & (self._searches - 1) == 0:  # ever more seldom
            tags = {i: project_points(invert(pose), at) for i, at in find_tags(pyramid.get_level(0)).items()}
            near = {
                i: at for i, at in tags.items() if i not in layout.tags and np.abs(at).max() < 1.5 * layout.half_side
            }
            if near:
                self.layout = layout.with_camera(layout.camera_homography, layout.frame_size, {**layout.tags, **near})

    def _determine_turn(
        self,
        pyramid: ImagePyramid,
        camera: FloatArray,
        found: PoseCandidate,
        tags: Callable[[], dict[int, FloatArray]],
    ) -> tuple[int, bool]:
        """Find which way round the lid lies, by its marks, else its tags, else its tokens' numbers.

        Returns:
            The turn, and whether it is certain. Without evidence it is the one nearest to how the lid lay, uncertain.
        """
        layout, homography = self.layout, found.homography
        if len(layout.symmetry_angles) == 1:
            return 0, True
        seen = cut_patch(pyramid.get_level(0), homography, LID_CENTRE, layout.half_side, LID_IMAGE_SIDE_PX)
        mismatches = layout.compute_turn_mismatches(seen)
        best, second = np.sort(mismatches)[:2]
        free = found.circle_count >= _MIN_CIRCLES_WITHOUT_HAND
        limit = _MAX_MISMATCH_SHARE_WITHOUT_HAND if free else _MAX_MISMATCH_SHARE
        margin = max(_MIN_TURN_MARGIN_SHARE * second, _MIN_TURN_MARGIN_LEVELS)
        if best < limit * layout.min_wrong_turn_mismatch and second - best > margin:
            return int(mismatches.argmin()), True
        by_tags = find_pose_by_tags(tags(), layout, camera) if layout.tags else None
        if by_tags is not None:
            return find_nearest_turn(homography, by_tags, layout), True
        most, agreeing = self._compute_agreement(pyramid, homography)
        second, best = np.sort(agreeing)[-2:]
        if best - second > _MIN_NUMBERS_MARGIN and best > _MIN_SAME_NUMBERS_SHARE * most:
            return int(np.argmax(agreeing)), True
        if self.pose is None:
            return int(mismatches.argmin()), False
        return find_nearest_turn(homography, self.pose, layout), False


def _is_certain(found: PoseCandidate | None) -> bool:
    return found is not None and found.support >= _MIN_CERTAIN_SUPPORT and found.circle_count >= _MIN_CERTAIN_CIRCLES


def _is_misfit(found: PoseCandidate, camera: FloatArray) -> bool:
    """Tell whether a camera that came nearer or farther may be taken for a lid at the wrong place.

    Three quarters of a grid of windows fit such tokens as well, and of a staggered one even more.
    """
    growth = compute_scale(found.homography, LID_CENTRE) / compute_scale(camera, LID_CENTRE)
    return found.circle_count < WINDOW_COUNT and abs(growth - 1) > _MAX_GROWTH_SHARE


def find_at_any_size(pyramid: ImagePyramid, layout: LidLayout, camera: FloatArray) -> PoseCandidate | None:
    """Find the lid's pose for a camera that may be nearer or farther than at calibration and tilted otherwise.

    Args:
        camera: the layout's homography, (3, 3) float64, scaled to this frame: from the lid's plane to its pixels.

    Returns:
        The best pose, up to the lid's symmetric turns; None if none is clear.
    """
    found = find_token_candidates(pyramid)
    if len(found) < _MIN_MOVED_CAMERA_CIRCLES:
        return None
    learnt = compute_scale(camera, LID_CENTRE)
    sizes = np.unique(found[:, 2])
    # Votes of the circles that each size of token would explain, tokens and holes.
    explained = [np.sort(found[_match_token_radius(found[:, 2], r), 3])[-WINDOW_COUNT:] for r in sizes]
    counts = np.array([np.minimum(votes, 1.2).sum() for votes in explained])
    least = _MIN_MOVED_CAMERA_CIRCLES * _MIN_EXPLAINED_VOTES_SHARE
    middle = np.array(pyramid.frame_size) / 2
    poses = []
    for i in [i for i in np.argsort(-counts) if counts[i] > least][:_MAX_SIZES_TRIED]:
        zoom = float(sizes[i]) / learnt
        zoomed = np.array([[zoom, 0, middle[0] * (1 - zoom)], [0, zoom, middle[1] * (1 - zoom)], [0, 0, 1]]) @ camera
        flat = np.array([[sizes[i], 0, middle[0]], [0, sizes[i], middle[1]], [0, 0, 1.0]])
        poses += [PoseFinder(pyramid, layout, view).search() for view in (zoomed, flat)]
    good = (
        pose
        for pose in poses
        if pose and pose.circle_count >= _MIN_MOVED_CAMERA_CIRCLES and pose.support >= _MIN_MOVED_CAMERA_SUPPORT
    )
    return max(good, key=lambda pose: pose.support, default=None)


def _match_token_radius(radii: FloatArray, token_radius: float) -> BoolArray:
    """Tell which circles may be tokens of that radius or holes under them."""
    smallest, largest = _TOKEN_RADIUS_RANGE
    return np.asarray((radii > smallest * token_radius) & (radii < largest * token_radius))
