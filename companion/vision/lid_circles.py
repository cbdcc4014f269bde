"""Finding circles of about one size, also where they hardly differ from their ground.

Every edge pixel votes for the two points one radius away along its gradient (fast radial symmetry, Loy and
Zelinsky 2003, with plain counts): a faint but whole outline wins over a strong but broken one.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.lid_geometry import Ellipse, Floats
from companion.vision.reading import Image

Votes = npt.NDArray[np.float32]

WORK = 640
"""Votes are counted on the image reduced to about this width."""

_EDGE = 17
"""Least steepness (Sobel, both directions together, of 2040) of an edge pixel, after smoothing."""

_MOST = 40_000
"""At most this many edge pixels vote, the strongest first: keeps the time bounded on busy tables."""


class Edges:
    """One image's edge pixels with their directions, on a reduced scale, ready to vote for any radius."""

    def __init__(self, image: Image) -> None:
        height, width = image.shape[:2]
        self.reduction = max(1.0, width / WORK)
        size = (max(1, round(width / self.reduction)), max(1, round(height / self.reduction)))
        reduced = cv2.resize(image, size, interpolation=cv2.INTER_AREA) if self.reduction > 1 else image
        small = cv2.GaussianBlur(reduced, (3, 3), 0)
        self.width, self.height = size
        dx = cv2.Sobel(small, cv2.CV_16S, 1, 0)
        dy = cv2.Sobel(small, cv2.CV_16S, 0, 1)
        steepness = np.abs(dx) + np.abs(dy)
        b, g, r = cv2.split(steepness)
        steepest = cv2.max(cv2.max(b, g), r)
        least = _EDGE
        if np.count_nonzero(steepest > least) > _MOST:
            least = int(np.partition(steepest.ravel(), -_MOST)[-_MOST])
        places = np.flatnonzero(steepest.ravel() > least)
        channel = steepness.reshape(-1, 3)[places].argmax(axis=1)
        gx = dx.reshape(-1, 3)[places, channel].astype(np.float32)
        gy = dy.reshape(-1, 3)[places, channel].astype(np.float32)
        strength = np.sqrt(gx * gx + gy * gy)
        self._dx, self._dy = gx / strength, gy / strength
        self._y, self._x = np.divmod(places, self.width)

    def votes(self, radius: float, smooth: float = 1.5) -> Votes:
        """For every reduced pixel, the share (0 to about 1) of a circle of `radius` (image pixels) around it."""
        r = radius / self.reduction
        border = int(r) + 2  # so that no vote has to be checked for leaving the frame
        stride = self.width + 2 * border
        size = stride * (self.height + 2 * border)
        middle = (self._y + border) * stride + self._x + border
        away = np.rint(r * self._dy).astype(np.int64) * stride + np.rint(r * self._dx).astype(np.int64)
        counts = np.bincount(np.concatenate([middle + away, middle - away]), minlength=size).astype(np.float32)
        inner = counts.reshape(-1, stride)[border : border + self.height, border : border + self.width]
        blurred = cv2.GaussianBlur(inner, (0, 0), smooth)
        # An outline is about two pixels wide; its votes land on a blot of the blur's size.
        return np.asarray(blurred * (smooth**2 / (1.6 * r)), np.float32)

    def best_votes(self, radii: list[float]) -> Votes:
        """The highest of the `votes` of several radii."""
        best = self.votes(radii[0])
        for radius in radii[1:]:
            np.maximum(best, self.votes(radius), out=best)
        return best


def peaks(votes: Votes, apart: float, least: float, most: int) -> Floats:
    """Local maxima at least `apart` pixels from each other, best first: rows of x, y, votes."""
    side = max(3, int(apart) | 1)
    top = cv2.dilate(votes, np.ones((side, side), np.uint8))
    y, x = np.nonzero((votes >= top) & (votes >= least))
    order = np.argsort(-votes[y, x])[:most]
    return np.column_stack([x[order], y[order], votes[y[order], x[order]]]).astype(np.float64)


def outline(image: Image, x: float, y: float, radius: float, slack: float = 0.22) -> Ellipse | None:
    """The ellipse around (x, y) of about this radius, fitted to the strongest edge on 64 rays; None if there is none.

    All coordinates are image pixels. Rays that disagree with the fit are dropped, three rounds.
    """
    angles = np.arange(64) * (2 * np.pi / 64)
    steps = np.linspace(1 - slack, 1 + slack, max(9, int(2 * slack * radius * 1.5))) * radius
    px = (x + np.outer(np.cos(angles), steps)).astype(np.float32)
    py = (y + np.outer(np.sin(angles), steps)).astype(np.float32)
    sharp = cv2.remap(image, px, py, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    rays = cv2.blur(sharp.astype(np.float32), (3, 3))
    jump = np.sqrt(((rays[:, 2:] - rays[:, :-2]) ** 2).sum(axis=2))
    best = jump.argmax(axis=1)
    strength = jump[np.arange(64), best]
    at = steps[best + 1]
    keep = strength > 0.3 * np.median(strength)
    points = np.column_stack([x + at * np.cos(angles), y + at * np.sin(angles)])
    ellipse = None
    for _ in range(3):
        if np.count_nonzero(keep) >= 20:
            ellipse = _fit_ellipse(points[keep])
        if ellipse is None:
            return None
        away = points - ellipse.center
        off = np.abs(np.sqrt(np.einsum("ni,ij,nj->n", away, np.linalg.inv(ellipse.shape), away)) - 1)
        keep = off < max(0.02, 2.5 * float(np.median(off[keep])))
    if ellipse is None:
        return None
    values = np.linalg.eigvalsh(ellipse.shape)
    if values[0] < 0.55 * values[1] or abs(ellipse.radius / radius - 1) > slack:
        return None
    return ellipse


def _fit_ellipse(points: Floats) -> Ellipse | None:
    """Least-squares ellipse (OpenCV's) through at least five points."""
    (cx, cy), (width, height), angle = cv2.fitEllipseDirect(points.astype(np.float32))
    if not (np.isfinite([cx, cy, width, height]).all() and min(width, height) > 1):
        return None
    c, s = np.cos(np.deg2rad(angle)), np.sin(np.deg2rad(angle))
    turn = np.array([[c, -s], [s, c]])
    shape = turn @ np.diag([(width / 2) ** 2, (height / 2) ** 2]) @ turn.T
    return Ellipse(np.array([cx, cy]), shape)
