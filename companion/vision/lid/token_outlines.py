"""Find the outlines of one lid's tokens again, finely, once some tokens are known by their digits.

A printed ring within the rim is a circle as good as the rim, and on a busy table some rims hardly show. So circles are
searched for once more around those that carry digits, in the lid's part of the frame alone; and then, at all radii, the
colour gradient there is measured around all tokens together. The steepest radius is fitted; of those that stand out the
largest is the rim's.
"""

from dataclasses import replace

import cv2
import numpy as np

from companion.vision.lid.circles import CircleVoter, find_peaks
from companion.vision.lid.ellipse_fit import fit_ellipse
from companion.vision.lid.geometry import Ellipse, FloatArray
from companion.vision.lid.image_pyramid import ImagePyramid, choose_level
from companion.vision.reading import Image

_RADIUS_FACTORS = 0.82 * 1.07 ** np.arange(8)
"""Searched radii, in radii of the known circles, 0.82 to 1.32: a known circle may be a rim or the ring within. If the
range widens, more rings are found, and the search takes longer."""

_MIN_REDUCED_RADIUS_PX = 9.0
"""Least token radius (pixels) in the reduced image that is searched. If it grows, the search is finer and slower."""

_SEARCH_MARGIN_RADII = 4.5
"""How far around the known circles others are searched for, in their radii. If it grows, the table beside the lid is
searched too."""

_MIN_VOTES = 0.34
"""Share of its outline that a circle shows at least; its digit decides later. If it grows, pale tokens are missed."""

_MAX_CIRCLES_PER_RADIUS = 40
"""Largest number of circles of one radius. If it grows, busy lids take longer."""

_MIN_RIM_RADIUS_FACTOR = 0.66
"""Smallest radius at which the rim and rings are searched for, in radii of the known circles. If it falls, digits count
as rings."""

_MAX_RIM_RADIUS_FACTOR = 1.55
"""Largest such radius. If it grows, the lid's holes or a neighbour's rim may be taken for the rim."""

_MAX_LOG_RADIUS_DIFFERENCE = 0.08
"""Largest difference of the logarithms of two radii that are one size. If it grows, rings count as rims."""

_RAY_COUNT = 72
"""Rays around a token on which the gradient is measured. If it grows, the measure is finer and slower."""

_RAY_PADDING = 2
"""Rays that are repeated on either side, because the blur across rays spans five. If it falls below two, neighbouring
tokens' rays mix."""

_RAY_ANGLES_RAD = np.arange(_RAY_COUNT) * (2 * np.pi / _RAY_COUNT)
"""Directions of the rays (radians), evenly spread."""

_RAY_DIRECTIONS = np.column_stack([np.cos(_RAY_ANGLES_RAD), np.sin(_RAY_ANGLES_RAD)])
"""Unit vectors of the rays, shape (_RAY_COUNT, 2)."""

_MIN_PEAK_RATIO = 1.6
"""Least ratio of a peak's gradient to that of the flatter radii (lower quartile). If it grows, only clear rims
count."""

_MIN_PEAK_LEVELS = 1.5
"""Least difference of a peak's gradient from that of the flatter radii, in levels of 255. If it grows, only clear rims
count."""

_ROUGH_TOLERANCE_SHARE = 0.13
"""How far an outline may be from the given radius in the first fit, as a share of it. If it grows, rings and rims
mix."""

_OUTLINE_TOLERANCE_SHARE = 0.13
"""How far an outline may be from the common radius because of the camera's tilt, as a share of it. If it grows, more
oblique cameras are accepted, and rings and rims mix."""


def find_circles_around(pyramid: ImagePyramid, known: FloatArray) -> FloatArray:
    """Find all circles that may be tokens on the lid that carries some known circles.

    Args:
        known: rows that begin with x, y, radius in frame pixels, all of about one size, shape (n, 3 or more), n at
            least 1.

    Returns:
        Rows of x, y, radius (frame pixels) and votes, shape (n, 4) float64, most votes first; one position may occur
        with several radii.

    Raises:
        ValueError: `known` is empty.
    """
    radius = float(np.median(known[:, 2]))
    level = choose_level(radius, _MIN_REDUCED_RADIUS_PX)
    voter = CircleVoter.around_lid(pyramid, level, known[:, :2], _SEARCH_MARGIN_RADII * radius)
    found = [np.zeros((0, 4))]
    for one in (radius * _RADIUS_FACTORS).tolist():
        votes = voter.count_votes(one)
        peaks = find_peaks(votes, 0.6 * one / voter.reduction, _MIN_VOTES, _MAX_CIRCLES_PER_RADIUS)
        found.append(voter.make_circles(votes, peaks, one))
    circles = np.concatenate(found)
    return np.asarray(circles[np.argsort(-circles[:, 3])], np.float64)


def find_rims(image: Image, tokens: FloatArray, circles: FloatArray) -> list[Ellipse | None]:
    """Find the rims of tokens.

    Args:     image: the frame, (H, W, 3) uint8 BGR.     tokens: of one lid, all rims of one size, shape (n, 3 or more):
    rows that begin with x, y, radius in pixels, radius above 0; the radius may be a rim's or that of a ring within.
    circles: rows of x, y, radius, votes, shape (m, 4), most votes first: all circles that `find_circles_around`
    returned for this frame.

    Returns:
        One outline per token in the order of `tokens`, in pixels of `image`: the outermost edge, also where
        only a ring was given; None where there is no outline of the others' size.
    """
    rough = [fit_ellipse(image, x, y, radius, _ROUGH_TOLERANCE_SHARE) for x, y, radius in tokens[:, :3].tolist()]
    there = [e for e in rough if e is not None]
    if not there:
        return [None] * len(tokens)
    radius = float(np.median([e.radius for e in there]))
    count = max(24, round(1.5 * (_MAX_RIM_RADIUS_FACTOR - _MIN_RIM_RADIUS_FACTOR) * radius))
    radii = radius * np.linspace(_MIN_RIM_RADIUS_FACTOR, _MAX_RIM_RADIUS_FACTOR, count)
    gradient = np.median(_measure_gradients(image, there, radii), axis=0)
    edge = float(radii[gradient.argmax()])
    rim = _find_outermost_peak(gradient, radii)
    alike = circles[np.abs(np.log(circles[:, 2] / edge)) < _MAX_LOG_RADIUS_DIFFERENCE]
    middles = [
        _find_nearby_centre(alike, t[:2] if e is None else e.center, edge) for t, e in zip(tokens, rough, strict=True)
    ]
    fitted = [fit_ellipse(image, float(x), float(y), edge, _OUTLINE_TOLERANCE_SHARE) for x, y in middles]
    return [None if e is None else replace(e, shape=e.shape * (rim / edge) ** 2) for e in fitted]


def _find_nearby_centre(circles: FloatArray, place: FloatArray, radius_px: float) -> FloatArray:
    """Return the centre of the best circle (they come best first) near a place, or the place itself."""
    near = np.flatnonzero(np.linalg.norm(circles[:, :2] - place, axis=1) < 0.4 * radius_px)
    return place if not len(near) else np.asarray(circles[near[0], :2], np.float64)


def _measure_gradients(image: Image, tokens: list[Ellipse], radii: FloatArray) -> FloatArray:
    """Measure the colour gradient outwards at each radius, on rays from the tokens' centres: (rays, radii), levels."""
    # Rays follow the outlines' shapes: rings within have them too.
    roots = np.stack([np.linalg.cholesky(token.shape) / token.radius for token in tokens])
    # Each token's rays are padded (mirrored), so that the blur across rays meets only its own.
    ring = np.pad(_RAY_DIRECTIONS, ((_RAY_PADDING, _RAY_PADDING), (0, 0)), mode="reflect")
    directions = (ring @ roots.transpose(0, 2, 1)).reshape(-1, 1, 2)
    middles = np.repeat([token.center for token in tokens], len(ring), axis=0)[:, None]
    ends = np.append(radii, radii[-1] + (radii[1] - radii[0])) - (radii[1] - radii[0]) / 2
    at = (middles + directions * ends[:, None]).astype(np.float32)
    colours = cv2.remap(image, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    soft = cv2.GaussianBlur(colours.astype(np.float32), (3, 5), 0)
    soft = soft.reshape(len(tokens), -1, len(ends), 3)[:, _RAY_PADDING:-_RAY_PADDING].reshape(-1, len(ends), 3)
    step = soft[:, 1:] - soft[:, :-1]
    return np.asarray(np.sqrt(np.einsum("rnc,rnc->rn", step, step)), np.float64)


def _find_outermost_peak(gradient: FloatArray, radii: FloatArray) -> float:
    """Return the largest radius at which the gradient stands out from its surroundings, else the steepest."""
    calm = float(np.percentile(gradient, 25))
    peak = (gradient >= np.roll(gradient, 1)) & (gradient >= np.roll(gradient, -1))
    peak[[0, -1]] = False
    good = np.flatnonzero(peak & (gradient > max(_MIN_PEAK_RATIO * calm, calm + _MIN_PEAK_LEVELS)))
    return float(radii[good[-1]]) if len(good) else float(radii[gradient.argmax()])
