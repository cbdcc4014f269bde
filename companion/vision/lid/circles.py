"""Finding circles of about one size, also where they hardly differ from their ground.

Every edge pixel votes for the two points one radius away along its gradient (fast radial symmetry, Loy and
Zelinsky 2003, with plain counts): a faint but whole outline wins over a strong but broken one. The frame is halved
until the circles have few pixels: what is looked for costs the same at any size.
"""

from __future__ import annotations

from math import log2

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.lid.geometry import LID_CENTRE, Ellipse, FloatArray, compute_scale, sample_image
from companion.vision.reading import Image

VoteMap = npt.NDArray[np.float32]
PixelRegion = tuple[int, int, int, int]
"""x0, y0, x1, y1 in whole pixels, the last two outside."""

_MIN_EDGE_STEEPNESS = 17
"""Least steepness (Sobel, both directions together, of 2040) of an edge pixel, after smoothing."""

MAX_EDGE_SHARE = 0.085
"""At most this share of the pixels votes, the strongest and loneliest first: keeps the time bounded on busy tables."""

_MAX_EDGE_SHARE_ON_LID = 0.2
"""Likewise where only a lid and what is close around it is looked at."""

_CROWD_WINDOW_PX = 9
"""Within so many pixels edges are counted: granite or a carpet has many, and stronger ones than a token has."""

_RAY_INDICES = np.arange(64)

_RAY_DIRECTIONS = np.stack([np.cos(_RAY_INDICES * (2 * np.pi / 64)), np.sin(_RAY_INDICES * (2 * np.pi / 64))])
"""The ways of an outline's rays, shape (2, 64)."""

_MIN_COLOUR_RADIUS_PX = 12.0
"""A token's radius has at least so many pixels where single colours are looked at."""

_VOTE_PEAK_SHARE = 0.58
"""The blot that a circle's votes make is so much lower than if all hit one pixel."""


class ImagePyramid:
    """One frame, halved again and again; each size is made when it is first asked for."""

    def __init__(self, image: Image, half: Image | None = None) -> None:
        """`half` is the frame at half its size, if the caller has it already."""
        self._images = [image] if half is None else [image, half]

    def get_level(self, halvings: int) -> Image:
        """The frame halved so often."""
        while len(self._images) <= halvings:
            last = self._images[-1]
            height, width = last.shape[0] // 2, last.shape[1] // 2
            if min(height, width) < 1:
                return last[:0, :0]
            even = last[: 2 * height, : 2 * width]
            self._images.append(np.asarray(cv2.resize(even, (width, height), interpolation=cv2.INTER_AREA), np.uint8))
        return self._images[halvings]


def reduce_homography(h: FloatArray, halvings: int) -> FloatArray:
    """The homography `h` to the frame as one to the frame halved so often."""
    scale = 0.5**halvings
    shift = (scale - 1) / 2
    return np.array([[scale, 0, shift], [0, scale, shift], [0, 0, 1]]) @ h


def choose_level(radius: float, least: float) -> int:
    """How often to halve a frame until `radius` (in its pixels) is below twice `least`."""
    return max(0, int(np.floor(log2(max(radius / least, 1.0)))))


def sample_colours(scales: ImagePyramid, h: FloatArray, points: FloatArray) -> FloatArray:
    """The frame's colours (..., 3) at points (rows, columns, 2) of the plane that `h` takes to it, of a frame so small
    that a sensor's noise is averaged out."""
    halvings = choose_level(compute_scale(h, LID_CENTRE), _MIN_COLOUR_RADIUS_PX)
    return sample_image(scales.get_level(halvings), reduce_homography(h, halvings), points).astype(np.float64)


class CircleVoter:
    """A picture's edge pixels with their directions, ready to vote for any radius.

    Pixels of this class are those of the reduced picture; `to_frame` and `from_frame` take them over.
    """

    def __init__(
        self,
        scales: ImagePyramid,
        halvings: int,
        region: PixelRegion | None = None,
        *,
        grey: bool = False,
        voters: float = MAX_EDGE_SHARE,
    ) -> None:
        """`region` (in reduced pixels) bounds where edges are looked for, `grey` ones by brightness only.

        At most the share `voters` of the pixels votes.
        """
        small = scales.get_level(halvings)
        self.reduction = float(2**halvings)
        x0, y0, x1, y1 = region or (0, 0, small.shape[1], small.shape[0])
        x0, y0, x1, y1 = max(0, x0), max(0, y0), min(small.shape[1], x1), min(small.shape[0], y1)
        self.width, self.height = max(0, x1 - x0), max(0, y1 - y0)
        self._corner = np.array([x0, y0], np.float64)
        self._dx = self._dy = np.zeros(0, np.float32)
        self._x = self._y = np.zeros(0, np.int64)
        if min(self.width, self.height) < 3:
            return
        part = small[y0:y1, x0:x1]
        smooth = cv2.GaussianBlur(cv2.cvtColor(part, cv2.COLOR_BGR2GRAY) if grey else part, (3, 3), 0)
        dx = cv2.Sobel(smooth, cv2.CV_16S, 1, 0)
        dy = cv2.Sobel(smooth, cv2.CV_16S, 0, 1)
        # Canny's thinning, on the colour channel that is steepest at each pixel.
        thin = cv2.Canny(dx, dy, _MIN_EDGE_STEEPNESS, _MIN_EDGE_STEEPNESS)
        places = cv2.findNonZero(thin)
        if places is None:
            return
        x, y = places.reshape(-1, 2).T.astype(np.int64)
        at = y * self.width + x
        # `take` is several times as fast as an index.
        across, down = (d.reshape(self.width * self.height, -1).take(at, axis=0) for d in (dx, dy))
        steepness = np.abs(across) + np.abs(down)
        channels = steepness.shape[1]
        steepest = steepness.argmax(axis=1) + np.arange(0, channels * len(at), channels)
        gx, gy = across.ravel().take(steepest).astype(np.float32), down.ravel().take(steepest).astype(np.float32)
        most = int(voters * self.width * self.height)
        if len(at) > most:
            crowd = cv2.blur(thin, (_CROWD_WINDOW_PX, _CROWD_WINDOW_PX)).ravel().take(at).astype(np.float32)
            kept = np.argpartition(steepness.ravel().take(steepest) / (crowd * crowd), -most)[-most:]
            gx, gy, x, y = gx.take(kept), gy.take(kept), x.take(kept), y.take(kept)
        length = np.sqrt(gx * gx + gy * gy)
        self._dx, self._dy, self._x, self._y = gx / length, gy / length, x, y

    @classmethod
    def around_lid(cls, scales: ImagePyramid, halvings: int, places: FloatArray, wide: float) -> CircleVoter:
        """Those around places (n, 2) on a lid, up to `wide` beyond, both in frame pixels; a busy table beside it does
        not outvote it."""
        low, high = (places.min(axis=0) - wide) / 2**halvings, (places.max(axis=0) + wide) / 2**halvings
        low, high = np.clip([low, high], -1e6, 1e6)
        region = int(low[0]), int(low[1]), int(high[0]) + 1, int(high[1]) + 1
        return cls(scales, halvings, region, voters=_MAX_EDGE_SHARE_ON_LID)

    def to_frame(self, points: FloatArray) -> FloatArray:
        """Points (..., 2) of the reduced picture in the frame."""
        return (points + self._corner + 0.5) * self.reduction - 0.5

    def from_frame(self, points: FloatArray) -> FloatArray:
        """Points (..., 2) of the frame in the reduced picture."""
        return (points + 0.5) / self.reduction - 0.5 - self._corner

    def reduce_homography(self, h: FloatArray) -> FloatArray:
        """The homography `h` to the frame as one to the reduced picture."""
        out = np.array(h)
        out[:2] = out[:2] / self.reduction + np.outer((0.5 / self.reduction - 0.5) - self._corner, out[2])
        return out

    def count_votes(self, radius: float) -> VoteMap:
        """For every pixel, the share (0 to about 1.3) of a circle of `radius` (frame pixels) around it."""
        if min(self.width, self.height) < 3:
            return np.zeros((self.height, self.width), np.float32)
        r = radius / self.reduction
        border = int(r) + 2  # so that no vote has to be checked for leaving the picture
        stride = self.width + 2 * border
        size = stride * (self.height + 2 * border)
        middle = (self._y + border) * stride + self._x + border
        away = np.rint(r * self._dy).astype(np.int64) * stride + np.rint(r * self._dx).astype(np.int64)
        counts = np.bincount(np.concatenate([middle + away, middle - away]), minlength=size)
        inner = counts.reshape(-1, stride)[border : border + self.height, border : border + self.width]
        blot = 0.6 + 0.056 * r  # directions are the less exact the farther a vote goes
        blurred = cv2.GaussianBlur(inner.astype(np.float32), (0, 0), blot)
        return np.asarray(blurred * (blot**2 / (_VOTE_PEAK_SHARE * r)), np.float32)

    def count_best_votes(self, radii: list[float]) -> VoteMap:
        """The highest of the `votes` of several radii."""
        best = self.count_votes(radii[0])
        for radius in radii[1:]:
            cv2.max(best, self.count_votes(radius), dst=best)
        return best


def find_peaks(votes: VoteMap, apart: float, least: float, most: int) -> FloatArray:
    """Local maxima at least `apart` pixels from each other, best first: rows of x, y, votes."""
    if not votes.size:
        return np.zeros((0, 3))
    side = max(3, int(apart) | 1)
    top = cv2.dilate(votes, np.ones((side, side), np.uint8)).ravel()
    high = np.flatnonzero(votes.ravel() >= least)
    value = votes.ravel()[high]
    is_top = value >= top[high]
    high, value = high[is_top], value[is_top]
    order = np.argsort(-value)[:most]
    y, x = np.divmod(high[order], votes.shape[1])
    return np.column_stack([x, y, value[order]]).astype(np.float64)


def refine_peaks(votes: VoteMap, tops: FloatArray) -> FloatArray:
    """The centres (n, 2) of the votes around pixels (n, 2), five pixels wide."""
    padded = cv2.copyMakeBorder(votes, 2, 2, 2, 2, cv2.BORDER_CONSTANT, value=0)
    x, y = tops.astype(int).T
    step = np.arange(5)
    blot = padded[y[:, None, None] + step[:, None], x[:, None, None] + step] ** 2
    total = np.maximum(blot.sum(axis=(1, 2)), 1e-9)
    away = np.stack([blot.sum(axis=1) @ (step - 2.0), blot.sum(axis=2) @ (step - 2.0)], axis=1) / total[:, None]
    return np.asarray(np.column_stack([x, y]) + away, np.float64)


def fit_outline(image: Image, x: float, y: float, radius: float, slack: float = 0.22) -> Ellipse | None:
    """The ellipse around (x, y) of about this radius, fitted to the strongest edge on 64 rays; None if there is none.

    All coordinates are image pixels. Rays that disagree with the fit are dropped, three rounds.
    """
    steps = np.linspace(1 - slack, 1 + slack, max(9, int(2 * slack * radius * 1.5))) * radius
    at = (_RAY_DIRECTIONS[:, :, None] * steps + np.array([[[x]], [[y]]])).astype(np.float32)
    sharp = cv2.remap(image, at[0], at[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    rays = cv2.blur(sharp.astype(np.float32), (3, 3))
    jump = rays[:, 2:] - rays[:, :-2]
    jump = np.einsum("rsc,rsc->rs", jump, jump)
    best = jump.argmax(axis=1)
    strength = np.sqrt(jump[_RAY_INDICES, best])
    keep = strength > 0.3 * np.median(strength)
    points = (_RAY_DIRECTIONS * steps[best + 1]).T + np.array([x, y])
    ellipse = None
    for _ in range(3):
        if np.count_nonzero(keep) >= 20:
            ellipse = _fit_ellipse(points[keep])
        if ellipse is None:
            return None
        away = points - ellipse.center
        off = np.abs(np.sqrt(np.einsum("ni,ni->n", away @ np.linalg.inv(ellipse.shape), away)) - 1)
        keep = off < max(0.02, 2.5 * float(np.median(off[keep])))
    if ellipse is None:
        return None
    values = np.linalg.eigvalsh(ellipse.shape)
    if values[0] < 0.55 * values[1] or abs(ellipse.radius / radius - 1) > slack:
        return None
    return ellipse


def _fit_ellipse(points: FloatArray) -> Ellipse | None:
    """Least-squares ellipse (OpenCV's) through at least five points."""
    (cx, cy), (width, height), angle = cv2.fitEllipseDirect(points.astype(np.float32))
    if not (np.isfinite([cx, cy, width, height]).all() and min(width, height) > 1):
        return None
    c, s = np.cos(np.deg2rad(angle)), np.sin(np.deg2rad(angle))
    turn = np.array([[c, -s], [s, c]])
    shape = turn @ np.diag([(width / 2) ** 2, (height / 2) ** 2]) @ turn.T
    return Ellipse(np.array([cx, cy]), shape)
