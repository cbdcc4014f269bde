"""Tokens seen where no whole lid is: it is cut off by the frame's edge, too far away, or seen too much from aside."""

from __future__ import annotations

import cv2
import numpy as np

from companion.vision.lid.circles import outline
from companion.vision.lid.digit_reader import REACH, SIDE, TokenNet
from companion.vision.lid.geometry import Ellipse, Floats, cut
from companion.vision.reading import Image

FEWEST = 4
"""Fewer tokens together are no lid: some may lie beside it, or be in the players' hands."""

_ENOUGH = 9
"""With so many the search ends."""

_WIDTH = 1280
"""Larger frames are reduced to this width: what is searched for is no finer."""

_LEAST = 10.0
"""The frame is shrunk until circles have a radius of 10 to 20 pixels; smaller ones are searched for as they are."""

_STEEP, _VOTERS, _BLOT = 20.0, 0.12, 1.5
"""Least steepness (Sobel, of 1020) of an edge pixel, the largest share of the pixels that vote, and the standard
deviation (pixels) by which votes for one circle are apart."""

_NEAR = (14.0, 0.09)
_FAR = (5.5, 15.0)
"""Token radii: those that a lid's reader would find (pixels to a share of the width) and smaller ones (pixels)."""

_GROWTH = 1.07

_VOTES = 0.4
_MOST = 60
"""Least share of an outline that is seen, and the most circles of one size that are looked at."""

_ALIKE = 1.3
"""Ratio of the largest to the smallest token of one lid, as seen by a camera that is aslant."""

_ASIDE = 1.45
"""So much is the frame stretched upwards when nothing is found: it rounds what a camera sees at 46 degrees."""

_IN_A_ROW = 4
"""The most windows that lie in one row of a lid."""

_STEP = 4.5
"""Windows of one lid are at most this many token radii from the next."""


def find_tokens(image: Image, net: TokenNet) -> list[Ellipse]:
    """The outlines of the largest group of tokens that lie together, in pixels of `image`; empty: fewer than `FEWEST`.

    Takes some tenths of a second: not for every frame.
    """
    scale = min(1.0, _WIDTH / image.shape[1])
    work = _resized(image, scale, scale)
    # The larger group counts: seen very much aslant, some tokens still pass for round.
    near = _NEAR[0], _NEAR[1] * work.shape[1]
    group, down = _group(work, net, near), scale
    if len(group) < _ENOUGH:
        group = max(group, _group(work, net, _FAR), key=len)
    if len(group) < _ENOUGH:
        stretched = _group(_resized(image, scale, scale * _ASIDE), net, near)
        if len(stretched) > len(group):
            group, down = stretched, scale * _ASIDE
    if len(group) < FEWEST or _in_a_line(group):
        return []
    back = np.array([1 / scale, 1 / down])
    return [Ellipse(e.center * back, e.shape * np.outer(back, back)) for e in group]


def tilt_of(tokens: list[Ellipse]) -> float:
    """By how many degrees the camera looks at round tokens askew, of their typical shape: a circle's width shrinks by
    the cosine of the tilt."""
    sides = [np.linalg.eigvalsh(token.shape) for token in tokens]
    ratio = float(np.median([np.sqrt(max(0.0, float(short / long))) for short, long in sides]))
    return float(np.degrees(np.arccos(min(1.0, ratio))))


def _resized(image: Image, across: float, down: float) -> Image:
    if across == down == 1:
        return image
    size = (max(1, round(image.shape[1] * across)), max(1, round(image.shape[0] * down)))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)


def _group(image: Image, net: TokenNet, between: tuple[float, float]) -> list[Ellipse]:
    return _together(_with_digits(image, net, _circles(image, *between)))


def _circles(image: Image, smallest: float, largest: float) -> Floats:
    """Circles with radii in this range: rows of x, y, radius (pixels), share of the outline seen; the best first."""
    made: dict[int, _Edges] = {}
    found = [np.empty((0, 4))]
    radius = smallest
    while radius < largest:
        shrunk = max(1, int(radius / _LEAST))
        if shrunk not in made:
            made[shrunk] = _Edges(_resized(image, 1 / shrunk, 1 / shrunk))
        found.append(made[shrunk].circles(radius / shrunk) * [shrunk, shrunk, shrunk, 1.0])
        radius *= _GROWTH
    circles = np.concatenate(found)
    return np.asarray(circles[np.argsort(-circles[:, 3])], np.float64)


class _Edges:
    """A picture's edge pixels, each with a vote for the points one radius away along its gradient.

    That is fast radial symmetry (Loy and Zelinsky 2003) with plain counts, as in `lid_circles`, but kept simple: it
    searches all of a frame for any radius, and has seconds for it.
    """

    def __init__(self, image: Image) -> None:
        smooth = cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), (3, 3), 0)
        dx, dy = (cv2.Sobel(smooth, cv2.CV_32F, *way) for way in ((1, 0), (0, 1)))
        steep = cv2.magnitude(dx, dy)
        least = max(_STEEP, float(np.percentile(steep, 100 * (1 - _VOTERS))))
        self._y, self._x = np.nonzero(steep > least)
        strength = steep[self._y, self._x]
        self._dx, self._dy = dx[self._y, self._x] / strength, dy[self._y, self._x] / strength
        self._height, self._width = steep.shape

    def circles(self, radius: float) -> Floats:
        """The places that most of a circle of this radius votes for: rows of x, y, radius, share."""
        border = int(radius) + 2  # so that no vote has to be checked for leaving the picture
        width, height = self._width + 2 * border, self._height + 2 * border
        middle = (self._y + border) * width + self._x + border
        away = np.rint(radius * self._dy).astype(np.int64) * width + np.rint(radius * self._dx).astype(np.int64)
        votes = np.bincount(np.concatenate([middle + away, middle - away]), minlength=width * height)
        inner = votes.reshape(height, width)[border:-border, border:-border].astype(np.float32)
        # An outline is about two pixels wide; its votes land on a blot of the blur's size.
        share = cv2.GaussianBlur(inner, (0, 0), _BLOT) * (_BLOT**2 / (1.6 * radius))
        side = int(radius) | 1
        y, x = np.nonzero((share >= cv2.dilate(share, np.ones((side, side), np.uint8))) & (share > _VOTES))
        best = np.argsort(-share[y, x])[:_MOST]
        return np.column_stack([x[best], y[best], np.full(len(best), radius), share[y[best], x[best]]])


def _with_digits(image: Image, net: TokenNet, circles: Floats) -> list[Ellipse]:
    """The circles, none twice, that carry a digit."""
    outlines: list[Ellipse] = []
    for x, y, radius, _ in circles[: 8 * _MOST]:
        if any(np.hypot(e.center[0] - x, e.center[1] - y) < max(radius, e.radius) for e in outlines):
            continue
        token = outline(image, x, y, radius)
        if token is not None and _inside(token, image):
            outlines.append(token)
    if not outlines:
        return []
    patches = np.stack([cut(image, np.eye(3), e.center, REACH * e.radius, SIDE) for e in outlines])
    digit = 1 - net.read(patches)[:, 0]
    return [e for e, sure in zip(outlines, digit, strict=True) if sure > 0.5]


def _inside(token: Ellipse, image: Image) -> bool:
    reach = 0.6 * token.radius
    x, y = token.center
    return bool(reach < x < image.shape[1] - reach and reach < y < image.shape[0] - reach)


def _in_a_line(tokens: list[Ellipse]) -> bool:
    """Whether these are more than the windows of a row, and yet all in one: a line of print."""
    places = np.array([token.center for token in tokens])
    away = np.linalg.svd(places - places.mean(axis=0), compute_uv=False)[1] / np.sqrt(len(tokens))
    return len(tokens) > _IN_A_ROW and bool(away < tokens[0].radius)


def _together(tokens: list[Ellipse]) -> list[Ellipse]:
    """The largest group of tokens of like size that hang together."""
    best: list[Ellipse] = []
    for first in tokens:
        like = [t for t in tokens if first.radius / _ALIKE**0.5 <= t.radius <= first.radius * _ALIKE**0.5]
        group, left = [first], [t for t in like if t is not first]
        for member in group:  # grows as it goes
            near = [t for t in left if np.hypot(*(t.center - member.center)) < _STEP * first.radius]
            group += near
            left = [t for t in left if all(t is not n for n in near)]
        if len(group) > len(best):
            best = group
    return best
