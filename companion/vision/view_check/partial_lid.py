"""Tokens seen where no whole lid is: it is cut off by the frame's edge, too far away, or seen too much from aside."""

from __future__ import annotations

import cv2
import numpy as np

from companion.vision.lid.circles import fit_outline
from companion.vision.lid.digit_reader import PATCH_HALF_SIDE_RADII, PATCH_SIDE_PX, DigitClassifier
from companion.vision.lid.geometry import Ellipse, FloatArray, cut_patch
from companion.vision.reading import Image

MIN_TOKENS = 4
"""Fewer tokens together are no lid: some may lie beside it, or be in the players' hands."""

_ENOUGH_TOKENS = 9
"""With so many the search ends."""

_MAX_WIDTH_PX = 1280
"""Larger frames are reduced to this width: what is searched for is no finer."""

_MIN_REDUCED_RADIUS_PX = 10.0
"""The frame is shrunk until circles have a radius of 10 to 20 pixels; smaller ones are searched for as they are."""

_MIN_EDGE_STEEPNESS, _MAX_EDGE_SHARE, _VOTE_SIGMA_PX = 20.0, 0.12, 1.5
"""Least steepness (Sobel, of 1020) of an edge pixel, the largest share of the pixels that vote, and the standard
deviation (pixels) by which votes for one circle are apart."""

_NEAR_RADIUS_RANGE = (14.0, 0.09)
_FAR_RADIUS_RANGE_PX = (5.5, 15.0)
"""Token radii: those that a lid's reader would find (pixels to a share of the width) and smaller ones (pixels)."""

_RADIUS_STEP_RATIO = 1.07

_MIN_VOTES = 0.4
_MAX_CIRCLES_PER_RADIUS = 60
"""Least share of an outline that is seen, and the most circles of one size that are looked at."""

_MAX_RADIUS_RATIO = 1.3
"""Ratio of the largest to the smallest token of one lid, as seen by a camera that is aslant."""

_STRETCH_RATIO = 1.45
"""So much is the frame stretched upwards when nothing is found: it rounds what a camera sees at 46 degrees."""

_MAX_WINDOWS_PER_ROW = 4
"""The most windows that lie in one row of a lid."""

_MAX_NEIGHBOUR_DISTANCE_RADII = 4.5
"""Windows of one lid are at most this many token radii from the next."""


def find_tokens(image: Image, net: DigitClassifier) -> list[Ellipse]:
    """The outlines of the largest group of tokens that lie together, in pixels of `image`; empty: fewer than `FEWEST`.

    Takes some tenths of a second: not for every frame.
    """
    scale = min(1.0, _MAX_WIDTH_PX / image.shape[1])
    work = _resize(image, scale, scale)
    # The larger group counts: seen very much aslant, some tokens still pass for round.
    near = _NEAR_RADIUS_RANGE[0], _NEAR_RADIUS_RANGE[1] * work.shape[1]
    group, down = _find_group(work, net, near), scale
    if len(group) < _ENOUGH_TOKENS:
        group = max(group, _find_group(work, net, _FAR_RADIUS_RANGE_PX), key=len)
    if len(group) < _ENOUGH_TOKENS:
        stretched = _find_group(_resize(image, scale, scale * _STRETCH_RATIO), net, near)
        if len(stretched) > len(group):
            group, down = stretched, scale * _STRETCH_RATIO
    if len(group) < MIN_TOKENS or _is_line_of_print(group):
        return []
    back = np.array([1 / scale, 1 / down])
    return [Ellipse(e.center * back, e.shape * np.outer(back, back)) for e in group]


def estimate_tilt_deg(tokens: list[Ellipse]) -> float:
    """By how many degrees the camera looks at round tokens askew, of their typical shape: a circle's width shrinks by
    the cosine of the tilt."""
    sides = [np.linalg.eigvalsh(token.shape) for token in tokens]
    ratio = float(np.median([np.sqrt(max(0.0, float(short / long))) for short, long in sides]))
    return float(np.degrees(np.arccos(min(1.0, ratio))))


def _resize(image: Image, across: float, down: float) -> Image:
    if across == down == 1:
        return image
    size = (max(1, round(image.shape[1] * across)), max(1, round(image.shape[0] * down)))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)


def _find_group(image: Image, net: DigitClassifier, between: tuple[float, float]) -> list[Ellipse]:
    return _find_largest_cluster(_keep_circles_with_digits(image, net, _find_circles(image, *between)))


def _find_circles(image: Image, smallest: float, largest: float) -> FloatArray:
    """Circles with radii in this range: rows of x, y, radius (pixels), share of the outline seen; the best first."""
    made: dict[int, _FrameCircleVoter] = {}
    found = [np.empty((0, 4))]
    radius = smallest
    while radius < largest:
        shrunk = max(1, int(radius / _MIN_REDUCED_RADIUS_PX))
        if shrunk not in made:
            made[shrunk] = _FrameCircleVoter(_resize(image, 1 / shrunk, 1 / shrunk))
        found.append(made[shrunk].find_circles(radius / shrunk) * [shrunk, shrunk, shrunk, 1.0])
        radius *= _RADIUS_STEP_RATIO
    circles = np.concatenate(found)
    return np.asarray(circles[np.argsort(-circles[:, 3])], np.float64)


class _FrameCircleVoter:
    """A picture's edge pixels, each with a vote for the points one radius away along its gradient.

    That is fast radial symmetry (Loy and Zelinsky 2003) with plain counts, as in `lid_circles`, but kept simple: it
    searches all of a frame for any radius, and has seconds for it.
    """

    def __init__(self, image: Image) -> None:
        smooth = cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), (3, 3), 0)
        dx, dy = (cv2.Sobel(smooth, cv2.CV_32F, *way) for way in ((1, 0), (0, 1)))
        steep = cv2.magnitude(dx, dy)
        least = max(_MIN_EDGE_STEEPNESS, float(np.percentile(steep, 100 * (1 - _MAX_EDGE_SHARE))))
        self._y, self._x = np.nonzero(steep > least)
        strength = steep[self._y, self._x]
        self._dx, self._dy = dx[self._y, self._x] / strength, dy[self._y, self._x] / strength
        self._height, self._width = steep.shape

    def find_circles(self, radius: float) -> FloatArray:
        """The places that most of a circle of this radius votes for: rows of x, y, radius, share."""
        border = int(radius) + 2  # so that no vote has to be checked for leaving the picture
        width, height = self._width + 2 * border, self._height + 2 * border
        middle = (self._y + border) * width + self._x + border
        away = np.rint(radius * self._dy).astype(np.int64) * width + np.rint(radius * self._dx).astype(np.int64)
        votes = np.bincount(np.concatenate([middle + away, middle - away]), minlength=width * height)
        inner = votes.reshape(height, width)[border:-border, border:-border].astype(np.float32)
        # An outline is about two pixels wide; its votes land on a blot of the blur's size.
        share = cv2.GaussianBlur(inner, (0, 0), _VOTE_SIGMA_PX) * (_VOTE_SIGMA_PX**2 / (1.6 * radius))
        side = int(radius) | 1
        y, x = np.nonzero((share >= cv2.dilate(share, np.ones((side, side), np.uint8))) & (share > _MIN_VOTES))
        best = np.argsort(-share[y, x])[:_MAX_CIRCLES_PER_RADIUS]
        return np.column_stack([x[best], y[best], np.full(len(best), radius), share[y[best], x[best]]])


def _keep_circles_with_digits(image: Image, net: DigitClassifier, circles: FloatArray) -> list[Ellipse]:
    """The circles, none twice, that carry a digit."""
    outlines: list[Ellipse] = []
    for x, y, radius, _ in circles[: 8 * _MAX_CIRCLES_PER_RADIUS]:
        if any(np.hypot(e.center[0] - x, e.center[1] - y) < max(radius, e.radius) for e in outlines):
            continue
        token = fit_outline(image, x, y, radius)
        if token is not None and _is_inside(token, image):
            outlines.append(token)
    if not outlines:
        return []
    patches = np.stack(
        [cut_patch(image, np.eye(3), e.center, PATCH_HALF_SIDE_RADII * e.radius, PATCH_SIDE_PX) for e in outlines]
    )
    digit = 1 - net.read(patches)[:, 0]
    return [e for e, sure in zip(outlines, digit, strict=True) if sure > 0.5]


def _is_inside(token: Ellipse, image: Image) -> bool:
    reach = 0.6 * token.radius
    x, y = token.center
    return bool(reach < x < image.shape[1] - reach and reach < y < image.shape[0] - reach)


def _is_line_of_print(tokens: list[Ellipse]) -> bool:
    """Whether these are more than the windows of a row, and yet all in one: a line of print."""
    places = np.array([token.center for token in tokens])
    away = np.linalg.svd(places - places.mean(axis=0), compute_uv=False)[1] / np.sqrt(len(tokens))
    return len(tokens) > _MAX_WINDOWS_PER_ROW and bool(away < tokens[0].radius)


def _find_largest_cluster(tokens: list[Ellipse]) -> list[Ellipse]:
    """The largest group of tokens of like size that hang together."""
    best: list[Ellipse] = []
    for first in tokens:
        like = [
            t
            for t in tokens
            if first.radius / _MAX_RADIUS_RATIO**0.5 <= t.radius <= first.radius * _MAX_RADIUS_RATIO**0.5
        ]
        group, left = [first], [t for t in like if t is not first]
        for member in group:  # grows as it goes
            near = [
                t for t in left if np.hypot(*(t.center - member.center)) < _MAX_NEIGHBOUR_DISTANCE_RADII * first.radius
            ]
            group += near
            left = [t for t in left if all(t is not n for n in near)]
        if len(group) > len(best):
            best = group
    return best
