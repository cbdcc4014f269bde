"""The outlines of the tokens of one lid, found anew and finely once some tokens are known by their digits.

A printed ring within the rim is a circle as good as the rim, and on a busy table some rims hardly show. So circles are
looked for once more around those that carry digits, in the lid's part of the frame alone; and then, at all radii, how
steep the picture is there around all tokens together. The steepest radius is fitted; of those that stand out the
largest is the rim's.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from companion.vision.lid.circles import CircleVoter, ImagePyramid, choose_level, find_peaks, fit_outline, refine_peaks
from companion.vision.lid.geometry import Ellipse, FloatArray
from companion.vision.reading import Image

_RADIUS_FACTORS = 0.82 * 1.07 ** np.arange(8)
"""Radii of circles that are looked for, in radii of those known: what is known may be a rim or the ring within."""

_MIN_REDUCED_RADIUS_PX = 9.0
"""A token's radius has at least so many pixels here."""

_SEARCH_MARGIN_RADII = 4.5
"""So far around the circles known others are looked for, in their radii."""

_MIN_VOTES = 0.34
"""Votes that make a circle here: what it is, its digit tells."""

_MAX_CIRCLES_PER_RADIUS = 40

_MIN_RIM_RADIUS_FACTOR, _MAX_RIM_RADIUS_FACTOR = 0.66, 1.55
"""Radii between which the rim and rings are looked for, in radii of the circles known."""

_MAX_LOG_RADIUS_DIFFERENCE = 0.08
"""Circles are of one size if the logarithms of their radii differ by no more."""

_RAY_COUNT = 72

_RAY_ANGLES_RAD = np.array([2, 1, *range(_RAY_COUNT), _RAY_COUNT - 2, _RAY_COUNT - 3]) * (2 * np.pi / _RAY_COUNT)
"""Two more on either side, as softening the rays needs them: each token's are softened for themselves."""

_RAY_DIRECTIONS = np.column_stack([np.cos(_RAY_ANGLES_RAD), np.sin(_RAY_ANGLES_RAD)])

_MIN_PEAK_RATIO = 1.6
"""Times as steep as elsewhere is what stands out."""

_MIN_PEAK_LEVELS = 1.5
"""And by so many levels of colour."""

_OUTLINE_TOLERANCE_SHARE = 0.13
"""An outline may be off from the common radius by this part of it, by the camera's tilt."""


def find_circles_around(scales: ImagePyramid, known: FloatArray) -> FloatArray:
    """All circles that may be tokens on the lid that carries the circles `known` (rows of x, y, radius; of one size).

    Rows of x, y, radius, votes (frame pixels), best first; a place may come with several radii.
    """
    radius = float(np.median(known[:, 2]))
    halvings = choose_level(radius, _MIN_REDUCED_RADIUS_PX)
    edges = CircleVoter.around_lid(scales, halvings, known[:, :2], _SEARCH_MARGIN_RADII * radius)
    found = [np.zeros((0, 4))]
    for one in (radius * _RADIUS_FACTORS).tolist():
        votes = edges.count_votes(one)
        tops = find_peaks(votes, 0.6 * one / edges.reduction, _MIN_VOTES, _MAX_CIRCLES_PER_RADIUS)
        places = edges.to_frame(refine_peaks(votes, tops[:, :2]))
        found.append(np.column_stack([places, np.full(len(tops), one), tops[:, 2]]))
    rows = np.concatenate(found)
    return np.asarray(rows[np.argsort(-rows[:, 3])], np.float64)


def find_rims(image: Image, tokens: FloatArray, circles: FloatArray) -> list[Ellipse | None]:
    """The rims of `tokens`, rows of x, y, radius; the radius may be a rim's or that of a ring within.

    `circles` are all circles of `circles_around`. None for a token around which there is no outline of the size that
    the others have.
    """
    rough = [fit_outline(image, x, y, radius, 0.13) for x, y, radius in tokens[:, :3].tolist()]
    there = [e for e in rough if e is not None]
    if not there:
        return [None] * len(tokens)
    radius = float(np.median([e.radius for e in there]))
    radii = radius * np.linspace(
        _MIN_RIM_RADIUS_FACTOR,
        _MAX_RIM_RADIUS_FACTOR,
        max(24, round(1.5 * (_MAX_RIM_RADIUS_FACTOR - _MIN_RIM_RADIUS_FACTOR) * radius)),
    )
    steep = np.median(_measure_steepness(image, there, radii), axis=0)
    edge = float(radii[steep.argmax()])
    rim = _find_outermost_peak(steep, radii)
    alike = circles[np.abs(np.log(circles[:, 2] / edge)) < _MAX_LOG_RADIUS_DIFFERENCE]
    middles = [
        _find_nearby_centre(alike, t[:2] if e is None else e.center, edge) for t, e in zip(tokens, rough, strict=True)
    ]
    fitted = [fit_outline(image, float(x), float(y), edge, _OUTLINE_TOLERANCE_SHARE) for x, y in middles]
    return [None if e is None else replace(e, shape=e.shape * (rim / edge) ** 2) for e in fitted]


def _find_nearby_centre(circles: FloatArray, place: FloatArray, radius: float) -> FloatArray:
    """The middle of the best of the circles (best first) that is about there, or the place itself."""
    near = np.flatnonzero(np.linalg.norm(circles[:, :2] - place, axis=1) < 0.4 * radius)
    return place if not len(near) else np.asarray(circles[near[0], :2], np.float64)


def _measure_steepness(image: Image, tokens: list[Ellipse], radii: FloatArray) -> FloatArray:
    """How steep the colours are outwards at each radius, on rays from the tokens' middles, shape (rays, radii)."""
    # The outlines' shapes: rings within have them too.
    roots = np.stack([np.linalg.cholesky(token.shape) / token.radius for token in tokens])
    ways = (_RAY_DIRECTIONS @ roots.transpose(0, 2, 1)).reshape(-1, 1, 2)
    middles = np.repeat([token.center for token in tokens], len(_RAY_DIRECTIONS), axis=0)[:, None]
    ends = np.append(radii, radii[-1] + (radii[1] - radii[0])) - (radii[1] - radii[0]) / 2
    at = (middles + ways * ends[:, None]).astype(np.float32)
    colours = cv2.remap(image, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    soft = cv2.GaussianBlur(colours.astype(np.float32), (3, 5), 0)
    soft = soft.reshape(len(tokens), -1, len(ends), 3)[:, 2:-2].reshape(-1, len(ends), 3)
    step = soft[:, 1:] - soft[:, :-1]
    return np.asarray(np.sqrt(np.einsum("rnc,rnc->rn", step, step)), np.float64)


def _find_outermost_peak(steep: FloatArray, radii: FloatArray) -> float:
    """The largest radius at which the steepness stands out from what it is around."""
    calm = float(np.percentile(steep, 25))
    peak = (steep >= np.roll(steep, 1)) & (steep >= np.roll(steep, -1))
    peak[[0, -1]] = False
    good = np.flatnonzero(peak & (steep > max(_MIN_PEAK_RATIO * calm, calm + _MIN_PEAK_LEVELS)))
    return float(radii[good[-1]]) if len(good) else float(radii[steep.argmax()])
