"""How the whole view moved between two frames: a camera in somebody's hand, or on a table that is leant on.

Corners are followed from frame to frame (pyramidal Lucas-Kanade; Bouguet 2000, as cv2.calcOpticalFlowPyrLK), and the
motion that most of them share is the view's (RANSAC). What was found is put to the test on the picture by the caller:
it has to explain what changed, and must not move what stood still.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.reading import BoundingBox, Die, Image, Lid, Point

GreyImage = npt.NDArray[np.uint8]
Matrix = npt.NDArray[np.float64]
"""A plane's mapping, shape (3, 3), for points (x, y, 1)."""

_MAX_CORNERS = 80
"""So many corners are followed at most."""
_MIN_CORNERS = 6
"""So many have to agree."""
_MIN_AGREEING_SHARE = 0.5
"""The least share of the corners that follow the view; the others are dice, hands, and noise."""
_MIN_CORNERS_FOR_PLANE = 24
"""From so many corners on the camera's tilting is made out too, not only its turning, shifting and nearing."""
_MAX_CORNER_ERROR_PX = 1.0
"""Shrunk pixels by which a corner that agrees may be off."""


@dataclass(frozen=True)
class ViewShift:
    """Where what was in the frame before is now: `matrix` maps pixels of frames that are `width` by `height`."""

    matrix: Matrix
    width: int
    height: int

    def move_points(self, points: Iterable[Point]) -> list[Point]:
        """The places now of what was at `points` (pixels)."""
        given = np.array(list(points), np.float64).reshape(-1, 1, 2)
        return [(float(x), float(y)) for x, y in cv2.perspectiveTransform(given, self.matrix)[:, 0]]

    def move_box(self, box: BoundingBox) -> BoundingBox:
        """The box of what was in `box`: as wide and high as before, but for the view's coming nearer."""
        ((x, y),) = self.move_points([((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)])
        half_x, half_y = self.scale * (box[2] - box[0]) / 2, self.scale * (box[3] - box[1]) / 2
        return x - half_x, y - half_y, x + half_x, y + half_y

    def move_die(self, die: Die) -> Die:
        """The die where it is now."""
        return replace(die, box=self.move_box(die.box))

    def move_lid(self, lid: Lid) -> Lid:
        """The lid where it is now."""
        a, b, c, d, *rest = self.move_points([*lid.corners, *(w.center for w in lid.windows), lid.arrow or (0.0, 0.0)])
        windows = tuple(
            replace(window, center=center, radius=window.radius * self.scale)
            for window, center in zip(lid.windows, rest, strict=False)
        )
        return replace(lid, corners=(a, b, c, d), arrow=lid.arrow and rest[-1], windows=windows)

    def warp_frame(self, before: GreyImage, now: GreyImage) -> GreyImage:
        """`before` as it would look from the view of `now`, and `now` itself where `before` showed nothing."""
        dst = now.copy()
        size = (now.shape[1], now.shape[0])
        cv2.warpPerspective(before, self.matrix, size, dst, cv2.INTER_LINEAR, cv2.BORDER_TRANSPARENT)
        return dst

    def followed_by(self, later: ViewShift) -> ViewShift:
        """This shift and a `later` one of frames of the same size, in one."""
        return replace(self, matrix=later.matrix @ self.matrix)

    def rescaled_to(self, image: Image) -> ViewShift:
        """The same shift in pixels of a frame of another size."""
        height, width = image.shape[:2]
        to = np.diag([width / self.width, height / self.height, 1.0])
        return ViewShift(to @ self.matrix @ np.linalg.inv(to), width, height)

    @cached_property
    def scale(self) -> float:
        """How much larger things look than before."""
        return float(np.sqrt(abs(np.linalg.det(self.matrix[:2, :2]))))

    @cached_property
    def max_travel_widths(self) -> float:
        """How far the fastest corner of the middle of the view went, in widths of the view."""
        w, h = self.width, self.height
        corners = [(x * w, y * h) for x in (0.25, 0.75) for y in (0.25, 0.75)]
        went = np.array(self.move_points(corners)) - np.array(corners)
        return float(np.hypot(went[:, 0], went[:, 1]).max()) / w


def make_zero_shift(gray: GreyImage) -> ViewShift:
    """The shift of a view that stands."""
    return ViewShift(np.eye(3), gray.shape[1], gray.shape[0])


def estimate_view_shift(before: GreyImage, now: GreyImage) -> ViewShift | None:
    """The motion that most corners of the view share from one shrunk frame to the next; None if they share none."""
    height, width = before.shape
    size = (width // 2, height // 2)
    first, second = (cv2.resize(gray, size, interpolation=cv2.INTER_AREA) for gray in (before, now))
    corners = cv2.goodFeaturesToTrack(first, _MAX_CORNERS, 0.02, 5)
    if corners is None or len(corners) < _MIN_CORNERS:
        return None
    followed, found, _ = cv2.calcOpticalFlowPyrLK(first, second, corners, np.empty_like(corners), winSize=(15, 15))
    good = found.ravel() == 1
    if np.count_nonzero(good) < _MIN_CORNERS:
        return None
    # Pixels' middles are whole numbers here, in either size.
    src, dst = (2 * points[good, 0] + 0.5 for points in (corners, followed))
    matrix, agree = (
        _fit_plane_motion(src, dst) if len(src) >= _MIN_CORNERS_FOR_PLANE else _fit_similarity_motion(src, dst)
    )
    if matrix is None or np.count_nonzero(agree) < max(_MIN_CORNERS, _MIN_AGREEING_SHARE * len(corners)):
        return None
    shift = ViewShift(matrix, width, height)
    return shift if 0.5 < shift.scale < 2 else None


def _fit_plane_motion(src: Matrix, dst: Matrix) -> tuple[Matrix | None, Matrix]:
    matrix, agree = cv2.findHomography(src, dst, cv2.RANSAC, _MAX_CORNER_ERROR_PX, maxIters=300)
    return None if matrix is None else np.asarray(matrix, np.float64), np.asarray(agree, np.float64)


def _fit_similarity_motion(src: Matrix, dst: Matrix) -> tuple[Matrix | None, Matrix]:
    matrix, agree = cv2.estimateAffinePartial2D(
        src, dst, method=cv2.RANSAC, ransacReprojThreshold=_MAX_CORNER_ERROR_PX, maxIters=300
    )
    return None if matrix is None else np.vstack([matrix, [[0.0, 0.0, 1.0]]]), np.asarray(agree, np.float64)
