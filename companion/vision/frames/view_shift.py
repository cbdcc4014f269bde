"""Estimate how the whole view moved between two frames: a camera in somebody's hand, or on a table that is leant on.

Corners are tracked from frame to frame (pyramidal Lucas-Kanade; Bouguet 2000, as cv2.calcOpticalFlowPyrLK), and the
motion that most of them share is the view's (RANSAC). The caller checks the result on the image: it must explain what
changed, and must not move what stood still."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.reading import BoundingBox, Die, GreyImage, Image, Lid, Point

Matrix = npt.NDArray[np.float64]
"""A homography, shape (3, 3), for points (x, y, 1)."""

_MAX_CORNERS = 80
"""Largest number of tracked corners. If it grows, the estimate is better and slower."""

_CORNER_QUALITY = 0.02
"""Least quality of a corner, as a share of the best (Shi and Tomasi 1994). If it grows, fewer corners are tracked."""

_MIN_CORNER_DISTANCE_PX = 5
"""Least distance of two corners, pixels of the halved frame. If it grows, corners are spread more evenly."""

_TRACKING_WINDOW_PX = (15, 15)
"""Window in which a corner is tracked, pixels of the halved frame. If it grows, faster motions are followed."""

_MIN_CORNERS = 6
"""Least number of corners that must agree. If it grows, bare tables have no motion."""

_MIN_AGREEING_SHARE = 0.5
"""Least share of the corners that follow the view; the others are dice, hands and noise. If it grows, motions are lost
while hands are in view."""

_MIN_CORNERS_FOR_PLANE = 24
"""Corners from which the camera's tilting is estimated too, not only its turning, shifting and nearing. If it grows,
the estimate is stiffer."""

_MAX_CORNER_ERROR_PX = 1.0
"""Largest error of a corner that agrees, shrunk pixels. If it grows, wrong corners agree."""

_MAX_RANSAC_ROUNDS = 300
"""Largest number of RANSAC's rounds. If it grows, hard cases are solved, at more cost."""

_SCALE_RANGE = (0.5, 2.0)
"""Change of scale between two frames that is plausible. If it widens, wrong motions are accepted."""


@dataclass(frozen=True)
class ViewShift:
    """The motion of the view: maps the contents of an earlier frame to their present position.

    >>> to_the_right = ViewShift(np.array([[1.0, 0.0, 5.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]), width=640, height=480)
    >>> to_the_right.move_points([(100.0, 80.0)])
    [(105.0, 80.0)]

    Attributes:
        matrix: the homography from earlier pixels to current ones, (3, 3) float64.
        width: width of the frames in whose pixels the shift is given.
        height: height of these frames, pixels.
    """

    matrix: Matrix
    width: int
    height: int

    def move_points(self, points: Iterable[Point]) -> list[Point]:
        """Return the current positions of earlier points.

        Args:
            points: x, y in pixels of frames of this shift's size.

        Returns:
            x, y of each point now, in the same order and pixels.
        """
        given = np.array(list(points), np.float64).reshape(-1, 1, 2)
        if not given.size:  # OpenCV refuses it
            return []
        return [(float(x), float(y)) for x, y in cv2.perspectiveTransform(given, self.matrix)[:, 0]]

    def move_box(self, box: BoundingBox) -> BoundingBox:
        """Return the current position of an earlier box; its size changes only by the view's scale.

        Args:
            box: left, top, right, bottom in pixels of frames of this shift's size; the result has the same form.
        """
        ((x, y),) = self.move_points([((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)])
        half_x, half_y = self.scale * (box[2] - box[0]) / 2, self.scale * (box[3] - box[1]) / 2
        return x - half_x, y - half_y, x + half_x, y + half_y

    def move_die(self, die: Die) -> Die:
        """Return an earlier die with its box at its current position; value and confidence stay.

        Args:
            die: a die in pixels of frames of this shift's size (see `rescaled_to`).
        """
        return replace(die, box=self.move_box(die.box))

    def move_lid(self, lid: Lid) -> Lid:
        """Return an earlier lid with corners, arrow, windows and tags at their current positions.

        Args:
            lid: a lid in pixels of frames of this shift's size (see `rescaled_to`).

        Returns:
            A copy; the windows' radii change by the view's scale, and what was read in them stays.
        """
        a, b, c, d, *rest = self.move_points([*lid.corners, *(w.center for w in lid.windows), lid.arrow or (0.0, 0.0)])
        windows = tuple(
            replace(window, center=center, radius=window.radius * self.scale)
            for window, center in zip(lid.windows, rest, strict=False)
        )
        tags = tuple(tuple(self.move_points(tag)) for tag in lid.tags)
        return replace(lid, corners=(a, b, c, d), arrow=lid.arrow and rest[-1], windows=windows, tags=tags)

    def warp_frame(self, before: GreyImage, now: GreyImage) -> GreyImage:
        """Warp an earlier frame to the current view.

        Args:
            before: the earlier frame, (height, width) uint8, of this shift's size.
            now: the current frame, (height, width) uint8, of the same size.

        Returns:
            A new image of the same shape; where the earlier frame shows nothing it has the current frame's pixels.
        """
        out = now.copy()
        cv2.warpPerspective(before, self.matrix, now.shape[::-1], out, cv2.INTER_LINEAR, cv2.BORDER_TRANSPARENT)
        return out

    def followed_by(self, later: ViewShift) -> ViewShift:
        """Return this shift and a later one as one shift.

        Args:
            later: the shift that follows, of frames of the same size (not checked).

        Returns:
            The shift from before this one to after `later`.
        """
        return replace(self, matrix=later.matrix @ self.matrix)

    def rescaled_to(self, image: Image) -> ViewShift:
        """Return the same shift in the pixels of a frame of another size.

        Args:
            image: the frame, (H, W, 3) uint8; only its shape is used.
        """
        height, width = image.shape[:2]
        to = np.diag([width / self.width, height / self.height, 1.0])
        return ViewShift(to @ self.matrix @ np.linalg.inv(to), width, height)

    @cached_property
    def scale(self) -> float:
        """Ratio of current to earlier lengths in the view; 1: the same, above 1: things look larger."""
        return float(np.sqrt(abs(np.linalg.det(self.matrix[:2, :2]))))

    @cached_property
    def max_travel_widths(self) -> float:
        """How far the fastest corner of the central half of the view moved, in widths of the view (0.1: a tenth)."""
        w, h = self.width, self.height
        corners = [(x * w, y * h) for x in (0.25, 0.75) for y in (0.25, 0.75)]
        travel = np.array(self.move_points(corners)) - np.array(corners)
        return float(np.hypot(travel[:, 0], travel[:, 1]).max()) / w


def estimate_view_shift(before: GreyImage, now: GreyImage) -> ViewShift | None:
    """Estimate the motion that most corners of the view share between two frames.

    Args:
        before: the earlier frame, shrunk and grey, (H, W) uint8, both sides at least 2 pixels.
        now: the later frame, of the same shape.

    Returns:
        The shift from `before` to `now` in their pixels; None if there are too few corners, most of them share no
        motion, or the view would have shrunk or grown by a factor of 2 or more.

    Raises:
        cv2.error: the frames differ in shape, or are smaller.
    """
    height, width = before.shape
    half = (width // 2, height // 2)
    first, second = (cv2.resize(grey, half, interpolation=cv2.INTER_AREA) for grey in (before, now))
    corners = cv2.goodFeaturesToTrack(first, _MAX_CORNERS, _CORNER_QUALITY, _MIN_CORNER_DISTANCE_PX)
    if corners is None:
        return None
    tracked, found, _ = cv2.calcOpticalFlowPyrLK(
        first, second, corners, np.empty_like(corners), winSize=_TRACKING_WINDOW_PX
    )
    good = found.ravel() == 1
    if np.count_nonzero(good) < _MIN_CORNERS:
        return None
    # Pixel centres are whole numbers here, in either size.
    src, dst = (2 * points[good, 0] + 0.5 for points in (corners, tracked))
    if len(src) >= _MIN_CORNERS_FOR_PLANE:
        matrix, agree = cv2.findHomography(src, dst, cv2.RANSAC, _MAX_CORNER_ERROR_PX, maxIters=_MAX_RANSAC_ROUNDS)
    else:
        matrix, agree = cv2.estimateAffinePartial2D(
            src, dst, method=cv2.RANSAC, ransacReprojThreshold=_MAX_CORNER_ERROR_PX, maxIters=_MAX_RANSAC_ROUNDS
        )
    if matrix is None or np.count_nonzero(agree) < max(_MIN_CORNERS, _MIN_AGREEING_SHARE * len(corners)):
        return None
    last_row = matrix[2:] if len(matrix) == 3 else [[0.0, 0.0, 1.0]]
    shift = ViewShift(np.vstack([matrix[:2], last_row]), width, height)
    return shift if _SCALE_RANGE[0] < shift.scale < _SCALE_RANGE[1] else None
