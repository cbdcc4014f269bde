"""Finding the known lid in one frame after the other, and telling which way round it lies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np

from companion.vision.lid import pose as poses
from companion.vision.lid.calibration import candidates
from companion.vision.lid.circles import Scales
from companion.vision.lid.geometry import CENTRE, Floats, inverse, project, scale_at, turned
from companion.vision.lid.layout import WINDOWS, Layout
from companion.vision.lid.markers import TAGS, find_tags
from companion.vision.lid.pose import Finder, Pose

_CLEAR_TURN = 0.2
"""By this share the marks must fit one turn of the lid better than the next, else other evidence is asked."""

_CLEAR_DOUBT = 5.0
"""And by this many levels of colour."""

_KNOWN_MARKS = 0.5
"""And the doubt must be below this share of what a wrong turn gives."""

_FREE_CIRCLES = 10
"""With so many circles seen there is no hand over the lid: its marks may be trusted from a higher share on."""

_KNOWN_MARKS_FREE = 0.8

_SURE_CIRCLES = 7
"""With fewer circles seen, another place on the lid could look the same; but not if it lies as it lay."""

_ENOUGH_TAGS = 3
"""So many tags tell better where the lid lies than circles that are not clear."""

_GROWN = 0.06
"""By more than so much a lid that is pushed about the table hardly becomes larger or smaller in the picture."""

_STAYS = 0.08
"""The last pose is kept if the best has no more than this support above it."""

_RESTS = 0.06
"""A lid whose windows moved by no more than this (in token radii) lies where it lay, to the last pixel."""

_NEAR = 0.4
"""And one that moved by no more than this lies about where it lay."""

_CLEAR_NUMBERS = 1.5
"""So many more known tokens must agree with one turn than with the next."""

_SAME_NUMBERS = 0.75
"""And this share of them at least, else they were shuffled."""

_SUPPORT = 0.36
"""Least support of a pose that is believed."""

_CLEAR = 0.6
"""With this support, and enough circles for its place to be sure, the lid cannot be another one."""

_BUMPED_SUPPORT = 0.7
"""And of one under which the camera has to have moved."""

_BUMPED_CIRCLES = 9

_MUCH_BETTER = 0.12
"""By so much support."""

_BENT = 0.12
"""If the windows lie so far (in token radii) from any rigid motion under the learnt tilt, the camera was tilted."""


def camera_of(layout: Layout, size: tuple[int, int]) -> Floats:
    """The layout's homography for frames of this width and height."""
    scale = np.diag([size[0] / layout.frame[0], size[1] / layout.frame[1], 1.0])
    return np.asarray(scale @ layout.camera, np.float64)


class Follower:
    """Follows one lid. `agreement` tells of a pose, for each of the lid's turns, how its tokens agree with those known.

    That is two numbers: how many tokens could, and how many do (shares of certainty, by turn).
    """

    def __init__(self, layout: Layout, agreement: Callable[[Scales, Floats], tuple[float, Floats]]) -> None:
        self.layout = layout
        self.pose: Floats | None = None
        self.turn_sure = False
        self.clear = False
        """Whether so much of the lid was seen that it is surely this one."""
        self.missed = 0
        """Searches in a row that did not surely find it."""
        self._agreement = agreement
        self._size: tuple[int, int] | None = None
        self._searches = 0

    def keep(self, pose: Floats, size: tuple[int, int]) -> None:
        """From now on the lid is known to lie so in frames of this width and height."""
        self.pose, self._size = pose, size

    def knows(self, size: tuple[int, int]) -> bool:
        """Whether there is a pose for frames of this size that needs no second look."""
        return self.pose is not None and self.turn_sure and self.clear and size == self._size

    def rests(self, scales: Scales, size: tuple[int, int]) -> bool:
        """Whether the lid's circles are where they were; not to be asked before a pose is known."""
        assert self.pose is not None
        again = Finder(scales, self.layout, camera_of(self.layout, size)).refine(self.pose)
        return again is not None and self._moved(again.h) < 2 * _RESTS

    def find(self, scales: Scales, size: tuple[int, int]) -> Floats | None:
        """The pose in this frame; None if the lid is not found. `turn_sure` and `missed` tell how sure that is."""
        h = self._find(scales, size)
        self.missed = 0 if h is not None and self.turn_sure and self.clear else self.missed + 1
        if h is None:
            return None
        if self.pose is not None and size == self._size and self._moved(h) < _RESTS:
            return self.pose  # so that the picture on the screen does not tremble
        return h

    def _moved(self, h: Floats) -> float:
        """By how many token radii the windows have moved at most."""
        assert self.pose is not None
        points = self.layout.points
        away = np.linalg.norm(project(h, points) - project(self.pose, points), axis=1).max()
        return float(away) / scale_at(h, CENTRE)

    def _find(self, scales: Scales, size: tuple[int, int]) -> Floats | None:
        layout, camera = self.layout, camera_of(self.layout, size)
        image = scales.small(0)
        finder = Finder(scales, layout, camera)
        last = self.pose if size == self._size else None
        found = finder.search(last)
        stays = False
        if last is not None:
            again = self._as_before(found) if found is not None and found.plain else finder.refine(last)
            stays = again is not None and (found is None or again.support > found.support - _STAYS)
            found = again if stays else found
        tags = cache(lambda: find_tags(image))
        faint = found is None or found.support < _SUPPORT
        if faint or (layout.tags and not _is_clear(found)):
            stays = stays and not faint
            told = poses.by_tags(tags(), layout, camera) if layout.tags else None
            if told is not None and (faint or len(tags()) >= _ENOUGH_TAGS):
                self.turn_sure, self.clear = True, False
                return told
            found = None if faint else found
        if not stays and (found is None or not _is_clear(found) or _is_misfit(found, camera)):
            moved = self._bumped(scales, camera, size, found)
            if moved is not None:
                found, layout, camera = moved, self.layout, moved.h
                finder = Finder(scales, layout, camera)
        if found is None:
            return None
        self.clear = _is_clear(found)
        turn, sure = self._turn(scales, camera, found, tags)
        self.turn_sure = sure and (stays or found.circles >= _SURE_CIRCLES)
        pose = found.h
        if turn:
            pose = finder.adjust(found, found.h @ turned(-layout.turns[turn]))
        if self.turn_sure and found.circles >= _FREE_CIRCLES:
            self._take_in(scales, camera, pose, size)
        return pose

    def _as_before(self, found: Pose) -> Pose | None:
        """What was found, turned as the lid was last seen; None if it lies elsewhere."""
        assert self.pose is not None
        turn = poses.turn_of(found.h, self.pose, self.layout)
        h = found.h @ turned(-self.layout.turns[turn])
        return replace(found, h=h) if self._moved(h) < _NEAR else None

    def _bumped(self, scales: Scales, camera: Floats, size: tuple[int, int], otherwise: Pose | None) -> Pose | None:
        """Looks for the lid as another camera would see it: at any size, and flat or tilted as it was.

        That takes long, so it is tried ever more seldom while the lid is not found. If it fits much better than
        `otherwise`, the layout's camera is from then on the new one.
        """
        if self.missed & (self.missed - 1):  # tried at 0, 1, 2, 4, 8... misses
            return None
        found = find_at_any_size(scales, self.layout, camera, size)
        if found is None or (otherwise is not None and found.support < otherwise.support + _MUCH_BETTER):
            return None
        self.layout = self.layout.seen(found.h, size)
        self.pose = None
        return found

    def _take_in(self, scales: Scales, camera: Floats, pose: Floats, size: tuple[int, int]) -> None:
        """Learns from a clear view what has changed for good: the camera's tilt, tags put on."""
        layout = self.layout
        seen = project(inverse(camera) @ pose, layout.points)
        rigid = _similarity(layout.points, seen)
        if np.linalg.norm(project(rigid, layout.points) - seen, axis=1).max() > _BENT:
            self.layout = layout = layout.seen(pose, size)
        self._searches += 1
        if len(layout.tags) < TAGS and self._searches & (self._searches - 1) == 0:  # ever more seldom
            back = inverse(pose)
            new = {i: project(back, at) for i, at in find_tags(scales.small(0)).items() if i not in layout.tags}
            near = {i: at for i, at in new.items() if np.abs(at).max() < 1.5 * layout.reach}
            if near:
                self.layout = layout.seen(layout.camera, layout.frame, {**layout.tags, **near})

    def _turn(
        self, scales: Scales, camera: Floats, found: Pose, tags: Callable[[], dict[int, Floats]]
    ) -> tuple[int, bool]:
        """Which way round the lid lies, and whether that is sure: by its marks, else its tags, else its tokens.

        Where none of these tells, it is taken to lie as near as possible to how it lay, which is not sure.
        """
        layout, h, image = self.layout, found.h, scales.small(0)
        if len(layout.turns) == 1:
            return 0, True
        doubts = poses.turn_doubts(image, layout, h)
        best, second = np.sort(doubts)[:2]
        free = found.circles >= _FREE_CIRCLES
        known = best < (_KNOWN_MARKS_FREE if free else _KNOWN_MARKS) * layout.wrong_doubt
        if known and second - best > max(_CLEAR_TURN * second, _CLEAR_DOUBT):
            return int(doubts.argmin()), True
        if layout.tags:
            told = poses.by_tags(tags(), layout, camera)
            if told is not None:
                return poses.turn_of(h, told, layout), True
        most, agree = self._agreement(scales, h)
        ranked = np.sort(agree)
        if ranked[-1] - ranked[-2] > _CLEAR_NUMBERS and ranked[-1] > _SAME_NUMBERS * most:
            return int(np.argmax(agree)), True
        if self.pose is None:
            return int(doubts.argmin()), False
        return poses.turn_of(h, self.pose, layout), False


def _is_clear(found: Pose | None) -> bool:
    return found is not None and found.support >= _CLEAR and found.circles >= _SURE_CIRCLES


def _is_misfit(found: Pose, camera: Floats) -> bool:
    """Whether a camera that came nearer or farther may be taken for a lid at the wrong place: three quarters of a grid
    fit such tokens as well, and of a staggered one even more."""
    grown = scale_at(found.h, CENTRE) / scale_at(camera, CENTRE)
    return found.circles < WINDOWS and abs(grown - 1) > _GROWN


def _similarity(source: Floats, target: Floats) -> Floats:
    """The similarity that takes `source` (n, 2) to `target` best."""
    z, w = source @ [1, 1j], target @ [1, 1j]
    middle_z, middle_w = z.mean(), w.mean()
    a = ((z - middle_z).conj() * (w - middle_w)).sum() / (np.abs(z - middle_z) ** 2).sum()
    b = middle_w - a * middle_z
    return np.array([[a.real, -a.imag, b.real], [a.imag, a.real, b.imag], [0.0, 0.0, 1.0]])


def find_at_any_size(scales: Scales, layout: Layout, camera: Floats, size: tuple[int, int]) -> Pose | None:
    """The lid's pose for a camera that may be nearer or farther than `camera` and tilted otherwise; None if unclear."""
    found = candidates(scales)
    if len(found) < _BUMPED_CIRCLES:
        return None
    learnt = scale_at(camera, CENTRE)
    sizes = np.unique(found[:, 2])
    # Tokens and holes: by how many circles each size of token would explain.
    counts = np.array([np.minimum(np.sort(found[_fits(found[:, 2], r), 3])[-12:], 1.2).sum() for r in sizes])
    order = [i for i in np.argsort(-counts) if counts[i] > _BUMPED_CIRCLES * 0.6][:5]
    best: Pose | None = None
    for i in order:
        zoom = float(sizes[i]) / learnt
        middle = np.array(size) / 2
        zoomed = np.array([[zoom, 0, middle[0] * (1 - zoom)], [0, zoom, middle[1] * (1 - zoom)], [0, 0, 1]]) @ camera
        flat = np.array([[sizes[i], 0, middle[0]], [0, sizes[i], middle[1]], [0, 0, 1.0]])
        for view in (zoomed, flat):
            pose = Finder(scales, layout, view).search()
            if pose is not None and pose.circles >= _BUMPED_CIRCLES and (best is None or pose.support > best.support):
                best = pose
    return best if best is not None and best.support >= _BUMPED_SUPPORT else None


def _fits(radii: Floats, token: float) -> np.ndarray:
    """Which circles may be tokens of that radius or holes under them."""
    return np.asarray((radii > 0.72 * token) & (radii < 1.12 * token))
