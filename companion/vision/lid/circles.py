"""Find circles of about one size, also where they hardly differ from their ground.

Every edge pixel votes for the two points one radius away along its gradient (fast radial symmetry, Loy and Zelinsky
2003, with plain counts), so a faint but whole outline wins over a strong but broken one. The frame is halved until the
circles are a few pixels large: a search costs the same at any frame size.
"""

from __future__ import annotations

from functools import reduce
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.lid.geometry import Float32Array, FloatArray
from companion.vision.lid.image_pyramid import ImagePyramid
from companion.vision.reading import Image

VoteMap = Float32Array
"""Votes for a circle around each pixel, (H, W): about the share of its outline that is seen, 0 to 1.3."""

MAX_EDGE_SHARE = 0.085
"""Largest share of the pixels that vote, the strongest and loneliest first. If it grows, faint circles are found on a
busy table, and the search takes longer."""

_MAX_EDGE_SHARE_ON_LID = 0.2
"""Largest share of the pixels that vote where only the lid and its surroundings are searched. If it grows, faint
circles are found, and the search takes longer."""

_MIN_EDGE_STEEPNESS = 17
"""Least steepness of an edge pixel after smoothing (3x3 Sobel, both directions added, of 2040). If it grows, faint rims
are lost; if it falls, noise votes."""

_CROWD_WINDOW_PX = 9
"""Side of the square in which neighbouring edges are counted: granite or a carpet has many, and stronger ones than a
token has. If it grows, tokens beside print lose votes."""

_VOTE_PEAK_SHARE = 0.58
"""Height of the peak that a whole circle's blurred votes make, as a share of all votes in one pixel. It only scales the
votes: if it grows, all counts fall."""


class EdgePixels(NamedTuple):
    """The edge pixels of an image, n of them, with their gradients' directions.

    >>> one = np.array([50])
    >>> edges = EdgePixels(one, one, np.array([1.0], np.float32), np.array([0.0], np.float32), width=100, height=100)
    >>> votes = edges.count_hits(10.0)
    >>> votes[50, [40, 60]].tolist()
    [1.0, 1.0]
    """

    x: npt.NDArray[np.int64]
    """Column of each edge pixel, pixels of the image, shape (n,)."""
    y: npt.NDArray[np.int64]
    """Row of each edge pixel, pixels of the image, shape (n,)."""
    dx: Float32Array
    """x component of the gradient's direction, a unit vector, shape (n,)."""
    dy: Float32Array
    """y component of the gradient's direction, a unit vector, shape (n,)."""
    width: int
    """Width of the image, pixels."""
    height: int
    """Height of the image, pixels."""

    def count_hits(self, radius_px: float) -> Float32Array:
        """Count the votes for each pixel as the centre of a circle.

        Every edge pixel votes for the two points one radius away along its gradient.

        Args:
            radius_px: radius of the circle in pixels of this image, 0 or more.

        Returns:
            Number of votes, shape (height, width) float32.
        """
        border = int(radius_px) + 2  # so that no vote has to be checked for leaving the image
        stride = self.width + 2 * border
        middle = (self.y + border) * stride + self.x + border
        step = np.rint(radius_px * self.dy).astype(np.int64) * stride + np.rint(radius_px * self.dx).astype(np.int64)
        votes = np.concatenate([middle + step, middle - step])
        hits = np.bincount(votes, minlength=stride * (self.height + 2 * border))
        return hits.reshape(-1, stride)[border:-border, border:-border].astype(np.float32)


class CircleVoter:
    """A frame's edge pixels, ready to vote for circles of any radius.

    >>> voter = CircleVoter(ImagePyramid(np.zeros((480, 640, 3), np.uint8)), level=1)
    >>> voter.width, voter.height, voter.reduction
    (320, 240, 2.0)

    The search runs in a reduced image: the frame halved `level` times, cut to `region`. `to_frame` and `from_frame`
    convert its pixels to the frame's and back.

    Args:
        level: number of halvings, 0 or more.
        region: left, top, right, bottom of the part that is searched, in pixels of the halved frame, right and bottom
            excluded; None: all of it.
        grey: find edges by brightness only.
        max_edge_share: largest share of the pixels that votes, 0 to 1.

    Attributes:
        width: width of the searched part, reduced pixels.
        height: height of the searched part, reduced pixels.
        reduction: frame pixels per reduced pixel.
    """

    def __init__(
        self,
        pyramid: ImagePyramid,
        level: int,
        region: tuple[int, int, int, int] | None = None,
        *,
        grey: bool = False,
        max_edge_share: float = MAX_EDGE_SHARE,
    ) -> None:
        small = pyramid.get_level(level)
        self.reduction = float(2**level)
        x0, y0, x1, y1 = region or (0, 0, small.shape[1], small.shape[0])
        x0, y0 = max(0, x0), max(0, y0)
        part = small[y0 : max(y0, y1), x0 : max(x0, x1)]
        self.height, self.width = part.shape[:2]
        self._corner = np.array([x0, y0], np.float64)
        self._edges = _find_edges(part, grey, max_edge_share) if min(self.width, self.height) >= 3 else None

    @classmethod
    def around_lid(cls, pyramid: ImagePyramid, level: int, places: FloatArray, margin_px: float) -> CircleVoter:
        """Make a voter for the surroundings of positions on a lid, so that a busy table beside it does not outvote it.

        Args:
            level: number of halvings, 0 or more.
            places: (n, 2) in frame pixels, n at least 1; they may lie outside the frame.
            margin_px: how far beyond them to search, frame pixels.

        Returns:
            The voter; its searched part is empty if all of it would lie outside the frame.

        Raises:
            ValueError: `places` is empty or has a NaN; infinite positions are clipped.
        """
        low, high = (places.min(axis=0) - margin_px) / 2**level, (places.max(axis=0) + margin_px) / 2**level
        low, high = np.clip([low, high], -1e6, 1e6)
        region = int(low[0]), int(low[1]), int(high[0]) + 1, int(high[1]) + 1
        return cls(pyramid, level, region, max_edge_share=_MAX_EDGE_SHARE_ON_LID)

    def to_frame(self, points: FloatArray) -> FloatArray:
        """Convert points from reduced pixels to frame pixels (pixel centres at whole numbers in both).

        Args:
            points: (..., 2), x and y; the result has the same shape.
        """
        return (points + self._corner + 0.5) * self.reduction - 0.5

    def from_frame(self, points: FloatArray) -> FloatArray:
        """Convert points from frame pixels to reduced pixels (pixel centres at whole numbers in both).

        Args:
            points: (..., 2), x and y; the result has the same shape.
        """
        return (points + 0.5) / self.reduction - 0.5 - self._corner

    def count_votes(self, radius_px: float) -> VoteMap:
        """Measure, for each pixel as a centre, the share of a circle's outline that is seen around it.

        Args:
            radius_px: radius of the circle in frame pixels, above 0.

        Returns:
            Shape (height, width) float32 in reduced pixels, about 0 to 1.3; all zeros where a side is below 3 pixels.
        """
        if self._edges is None:
            return np.zeros((self.height, self.width), np.float32)
        radius = radius_px / self.reduction
        sigma = 0.6 + 0.056 * radius  # the farther a vote goes, the less exact is its direction
        blurred = cv2.GaussianBlur(self._edges.count_hits(radius), (0, 0), sigma)
        return np.asarray(blurred * (sigma**2 / (_VOTE_PEAK_SHARE * radius)), np.float32)

    def count_best_votes(self, radii_px: list[float]) -> VoteMap:
        """Measure, for each pixel as a centre, the most votes that one of several radii gets.

        Args:
            radii_px: radii in frame pixels, each above 0; at least one.

        Returns:
            Shape (height, width) float32 in reduced pixels, about 0 to 1.3 (see `count_votes`).

        Raises:
            TypeError: `radii_px` is empty.
        """
        return np.asarray(reduce(np.maximum, map(self.count_votes, radii_px)), np.float32)

    def make_circles(self, votes: VoteMap, peaks: FloatArray, radius_px: float) -> FloatArray:
        """Turn peaks of a vote map into circles, refining their centres to fractions of a pixel.

        Args:
            votes: the map in which the peaks were found, from `count_votes` of this voter.
            peaks: rows of x, y (whole reduced pixels) and votes, shape (n, 3), as `find_peaks` returns them.
            radius_px: the circles' radius in frame pixels.

        Returns:
            Rows of x, y, radius (frame pixels) and votes, shape (n, 4) float64.
        """
        centers = self.to_frame(refine_peaks(votes, peaks[:, :2]))
        return np.column_stack([centers, np.full(len(peaks), radius_px), peaks[:, 2]])


def _find_edges(part: Image, grey: bool, max_share: float) -> EdgePixels:
    """Find edge pixels by Canny's thinning, on the colour channel that is steepest at each pixel."""
    height, width = part.shape[:2]
    smooth = cv2.GaussianBlur(cv2.cvtColor(part, cv2.COLOR_BGR2GRAY) if grey else part, (3, 3), 0)
    dx, dy = (cv2.Sobel(smooth, cv2.CV_16S, *order) for order in ((1, 0), (0, 1)))
    thin = cv2.Canny(dx, dy, _MIN_EDGE_STEEPNESS, _MIN_EDGE_STEEPNESS)
    places = cv2.findNonZero(thin)
    x, y = (np.zeros((0, 2)) if places is None else places.reshape(-1, 2)).T.astype(np.int64)
    at = y * width + x
    # `take` is several times as fast as an index.
    across, down = (d.reshape(width * height, -1).take(at, axis=0) for d in (dx, dy))
    steepness = np.abs(across) + np.abs(down)
    channels = steepness.shape[1]
    steepest = steepness.argmax(axis=1) + np.arange(0, channels * len(at), channels)
    gx, gy = across.ravel().take(steepest).astype(np.float32), down.ravel().take(steepest).astype(np.float32)
    most = int(max_share * width * height)
    if len(at) > most:
        crowd = cv2.blur(thin, (_CROWD_WINDOW_PX, _CROWD_WINDOW_PX)).ravel().take(at).astype(np.float32)
        kept = np.argpartition(steepness.ravel().take(steepest) / (crowd * crowd), -most)[-most:]
        gx, gy, x, y = gx.take(kept), gy.take(kept), x.take(kept), y.take(kept)
    length = np.sqrt(gx * gx + gy * gy)
    return EdgePixels(x, y, gx / length, gy / length, width, height)


def find_peaks(votes: VoteMap, min_distance_px: float, min_votes: float, max_count: int) -> FloatArray:
    """Find local maxima of a vote map, most votes first.

    Args:
        votes: the map, (H, W) float32; may be empty.
        min_distance_px: least distance of two maxima in pixels of the map.
        min_votes: least value of a maximum.
        max_count: largest number of maxima that are returned.

    Returns:
        Rows of x, y (whole pixels of the map) and votes, shape (n, 3) float64; n may be 0.
    """
    if not votes.size:
        return np.zeros((0, 3))
    side = max(3, int(min_distance_px) | 1)
    top = cv2.dilate(votes, np.ones((side, side), np.uint8))
    high = np.flatnonzero((votes >= min_votes) & (votes >= top))
    value = votes.ravel()[high]
    order = np.argsort(-value)[:max_count]
    y, x = np.divmod(high[order], votes.shape[1])
    return np.column_stack([x, y, value[order]]).astype(np.float64)


def refine_peaks(votes: VoteMap, peaks: FloatArray) -> FloatArray:
    """Refine maxima of a vote map to fractions of a pixel: centroids of the squared votes in 5x5 pixels around them.

    Args:
        votes: the map, (H, W) float32.
        peaks: x, y in whole pixels of the map, inside it, shape (n, 2).

    Returns:
        x, y in pixels of the map, shape (n, 2) float64.
    """
    padded = cv2.copyMakeBorder(votes, 2, 2, 2, 2, cv2.BORDER_CONSTANT, value=0)
    x, y = peaks.astype(int).T
    step = np.arange(5)
    blot = padded[y[:, None, None] + step[:, None], x[:, None, None] + step] ** 2
    total = np.maximum(blot.sum(axis=(1, 2)), 1e-9)
    away = np.column_stack([blot.sum(axis=1) @ (step - 2.0), blot.sum(axis=2) @ (step - 2.0)]) / total[:, None]
    return np.asarray(np.column_stack([x, y]) + away, np.float64)


def cluster_points(points: FloatArray, max_distance: float) -> list[list[int]]:
    """Group points that are linked by steps shorter than a distance.

    >>> cluster_points(np.array([[0.0, 0.0], [9.0, 0.0], [1.0, 0.0]]), max_distance=2.0)
    [[0, 2], [1]]

    Args:
        points: (n, 2), in any unit; n may be 0.
        max_distance: above 0, in the same unit (with 0 or less it does not end); steps of exactly this length do not
            link.

    Returns:
        Lists of indices of points, each index in one list; empty if there are no points.
    """
    close = np.linalg.norm(points[:, None] - points, axis=2) < max_distance
    left = np.ones(len(points), bool)
    clusters = []
    while left.any():
        members = close[int(left.argmax())]
        while not ((grown := close[members].any(axis=0)) == members).all():
            members = grown
        left &= ~members
        clusters.append(np.flatnonzero(members).tolist())
    return clusters
