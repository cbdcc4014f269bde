"""The Macroscope's lid: where it lies, which of its 12 windows are covered, and by which numbers.

    image -> circles -> pose (which way round by arrow, tags, numbers) -> windows -> Lid

The lid is learnt once from a view in which all windows are covered. From then on a frame is first compared with the
last one at the last pose; only where that fails is the lid searched for.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision import lid_pose, lid_windows
from companion.vision.lid_circles import Edges
from companion.vision.lid_geometry import CENTRE, Floats, project, scale_at, turned
from companion.vision.lid_layout import WINDOWS, Layout
from companion.vision.lid_learn import learn
from companion.vision.lid_marks import find_tags
from companion.vision.lid_pose import Pose
from companion.vision.load import as_frame
from companion.vision.reading import ACT, Image, Lid, Point, Window
from companion.vision.tokens import NUMBERS, TokenNet

_STILL_WINDOWS = 5
"""If so many windows look as before at the last pose, the lid has not moved."""

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

_STAYS = 0.08
"""The last pose is kept if the best has no more than this support above it."""

_CLEAR_NUMBERS = 1.5
"""So many more known tokens must agree with one turn than with the next."""

_UNSURE = 0.75
"""Confidence is cut to this while it is not sure which window is which."""

_SUPPORT = 0.36
"""Least support of a pose that is believed."""

_AGAIN = 20
"""After so many frames without a lid that is surely the known one it is tried whether it is another."""

_MEMORY = 0.7
"""Weight of the best reading of a token that has stayed in its window, when a new one is not clear."""


class LidReader:
    """Reads one camera's frames in their order. Not for use from two threads."""

    def __init__(self) -> None:
        self._net = TokenNet()
        self._layout: Layout | None = None
        self._pose: Floats | None = None
        self._turn_sure = False
        self._shape: tuple[int, int] | None = None
        self._glances: npt.NDArray[np.float32] | None = None
        self._shows: lid_windows.Shows | None = None
        self._known: list[npt.NDArray[np.float32] | None] = [None] * WINDOWS
        self._was_open = np.zeros(WINDOWS, bool)
        self._missed = 0

    @property
    def calibrated(self) -> bool:
        """Whether a lid's layout is known."""
        return self._layout is not None

    def layout(self) -> dict[str, Any] | None:
        """The learnt layout as plain JSON values, for `restore`; None if there is none yet."""
        return self._layout.to_json() if self._layout else None

    def restore(self, plain: dict[str, Any]) -> None:
        """Takes up a layout that `layout` gave. Raises ValueError, KeyError or TypeError if it is not one."""
        self._start(Layout.from_json(plain))

    def _start(self, layout: Layout) -> None:
        self._layout = layout
        self._pose = self._shape = self._glances = self._shows = None
        self._turn_sure = False
        self._known = [None] * WINDOWS
        self._was_open[:] = False
        self._missed = 0

    def calibrate(self, image: Image) -> Lid | None:
        """Learns the lid from a view in which all 12 windows are covered; None, and nothing learnt, if it is not.

        Raises:
            load.UnreadableImage: `image` is no picture.
        """
        image = as_frame(image)
        learnt = learn(image, self._net)
        if learnt is None:
            return None
        layout, pose = learnt
        self._start(layout)
        self._turn_sure = True
        return self._look(image, layout, pose)

    def read(self, image: Image) -> Lid | None:
        """What one frame shows of the lid; None if it is not found.

        Without a layout this tries to learn one from the frame.

        Raises:
            load.UnreadableImage: `image` is no picture.
        """
        image = as_frame(image)
        layout = self._layout
        if layout is None:
            return self.calibrate(image)
        if (
            self._turn_sure
            and self._pose is not None
            and self._glances is not None
            and self._shows is not None
            and _shape(image) == self._shape
        ):
            same = lid_windows.unchanged(self._glances, lid_windows.glances(image, layout, self._pose))
            if same.all():
                return self._lid(layout, self._pose, self._shows)
            if np.count_nonzero(same) >= _STILL_WINDOWS:
                return self._look(image, layout, self._pose)
        pose = self._find(image, layout)
        self._missed = 0 if pose is not None and self._turn_sure else self._missed + 1
        if self._missed and self._missed % _AGAIN == 0:
            other = self.calibrate(image)
            if other is not None:
                return other
        return None if pose is None else self._look(image, layout, pose)

    def _find(self, image: Image, layout: Layout) -> Floats | None:
        camera = _camera(layout, image)
        edges = Edges(image)
        radius = scale_at(camera, CENTRE)
        if radius < 4 * edges.reduction:
            return None
        votes = lid_pose.votes_for(edges, radius)
        found = lid_pose.search(image, edges, votes, layout, camera)
        stays = False
        if self._pose is not None and _shape(image) == self._shape:
            again = lid_pose.refine(image, edges, votes, layout, camera, self._pose)
            stays = again is not None and (found is None or again.support > found.support - _STAYS)
            found = again if stays else found
        if found is None or found.support < _SUPPORT:
            return lid_pose.by_tags(find_tags(image), layout, camera) if layout.tags else None
        turn, sure = self._turn(image, layout, camera, found)
        self._turn_sure = sure and (stays or found.circles >= _SURE_CIRCLES)
        if turn == 0:
            return found.h
        pose = found.h @ turned(-layout.turns[turn])
        refined = lid_pose.refine(image, edges, votes, layout, camera, pose)
        return refined.h if refined is not None else pose

    def _turn(self, image: Image, layout: Layout, camera: Floats, found: Pose) -> tuple[int, bool]:
        """Which way round the lid lies, and whether that is sure: by its marks, else its tags, else its tokens.

        Where none of these tells, it is taken to lie as near as possible to how it lay, which is not sure.
        """
        if len(layout.turns) == 1:
            return 0, True
        h = found.h
        doubts = lid_pose.turn_doubts(image, layout, h)
        best, second = np.sort(doubts)[:2]
        free = found.circles >= _FREE_CIRCLES
        known = best < (_KNOWN_MARKS_FREE if free else _KNOWN_MARKS) * layout.wrong_doubt
        if known and second - best > max(_CLEAR_TURN * second, _CLEAR_DOUBT):
            return int(doubts.argmin()), True
        if layout.tags:
            told = lid_pose.by_tags(find_tags(image), layout, camera)
            if told is not None:
                return lid_pose.turn_of(h, told, layout), True
        agree = []
        for angle in layout.turns:
            odds = lid_windows.look(image, layout, h @ turned(-angle), self._net).odds
            agree.append(
                sum(float(odds[i, 1:] @ known[1:]) for i, known in enumerate(self._known) if known is not None)
            )
        ranked = sorted(agree)
        if ranked[-1] - ranked[-2] > _CLEAR_NUMBERS:
            return int(np.argmax(agree)), True
        if self._pose is None:
            return int(doubts.argmin()), not layout.tells.any()
        return lid_pose.turn_of(h, self._pose, layout), False

    def _look(self, image: Image, layout: Layout, pose: Floats) -> Lid:
        shows = lid_windows.look(image, layout, pose, self._net)
        if self._turn_sure:  # else it is not known of which windows this would be remembered
            shows = self._recall(shows)
        self._pose = pose
        self._shape = _shape(image)
        self._glances = lid_windows.glances(image, layout, pose)
        self._shows = shows
        return self._lid(layout, pose, shows)

    def _recall(self, shows: lid_windows.Shows) -> lid_windows.Shows:
        """The odds with what is known besides: each number is there twice, and a token that stays keeps its own."""
        hidden = lid_windows.is_hidden(shows)
        covered = shows.odds[:, 0] < 0.5
        odds = shows.odds.copy()
        if covered.all():
            if self._was_open.any():  # all tokens are back: they were shuffled
                self._known = [None] * WINDOWS
            self._was_open[:] = False
            odds = lid_windows.settle(odds)
        for i in range(WINDOWS):
            if covered[i]:
                known = self._known[i]
                now = odds[i].copy()
                if known is not None and now[1:].max() < ACT:  # a clear reading needs no help
                    weighed = now[1:] * (_MEMORY * known[1:] + (1 - _MEMORY) / NUMBERS)
                    odds[i, 1:] = weighed / weighed.sum() * (1 - now[0])
                if known is None or now[1:].max() > known[1:].max():
                    self._known[i] = now
            elif not hidden[i]:
                self._known[i] = None
                self._was_open[i] = True
        return lid_windows.Shows(odds, shows.hidden)

    def _lid(self, layout: Layout, pose: Floats, shows: lid_windows.Shows) -> Lid:
        centers = project(pose, layout.points)
        hidden = lid_windows.is_hidden(shows)
        most = lid_windows.most_sure(shows)
        windows = []
        for i, odds in enumerate(shows.odds):
            covered: bool | None = bool(odds[0] < 0.5)
            number: int | None = None
            confidence = float(odds[0])
            if covered:
                number = int(odds[1:].argmax()) + 1
                confidence = float(odds[number])
            elif hidden[i]:
                covered, confidence = None, 0.0
            confidence = min(confidence, float(most[i]) if self._turn_sure else _UNSURE)
            windows.append(Window(_point(centers[i]), scale_at(pose, layout.points[i]), covered, number, confidence))
        first, second, third, fourth = (_point(c) for c in project(pose, layout.corners))
        arrow = None if layout.arrow is None else _point(project(pose, layout.arrow))
        return Lid((first, second, third, fourth), arrow, tuple(windows))


def upright(image: Image, lid: Lid, size: int = 480) -> Image:
    """The lid straightened and enlarged, arrow up: a square of `size` pixels, the lid's longer side filling it."""
    corners = np.array(lid.corners, np.float32)
    width = np.linalg.norm(corners[[1, 2]] - corners[[0, 3]], axis=1).mean()
    height = np.linalg.norm(corners[[3, 2]] - corners[[0, 1]], axis=1).mean()
    half = np.array([width, height]) / max(width, height, 1.0) * size / 2
    flat = size / 2 + half * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    turn = cv2.getPerspectiveTransform(corners, flat.astype(np.float32))
    return np.asarray(cv2.warpPerspective(image, turn, (size, size)), np.uint8)


def _camera(layout: Layout, image: Image) -> Floats:
    """The layout's homography for frames of this size."""
    scale = image.shape[1] / layout.frame[0]
    return np.asarray(np.diag([scale, image.shape[0] / layout.frame[1], 1.0]) @ layout.camera, np.float64)


def _shape(image: Image) -> tuple[int, int]:
    """Width and height."""
    return image.shape[1], image.shape[0]


def _point(p: Floats) -> Point:
    return float(p[0]), float(p[1])
