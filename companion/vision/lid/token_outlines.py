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

from companion.vision.lid.circles import Edges, Scales, blots, halvings_for, outline, peaks
from companion.vision.lid.geometry import Ellipse, Floats
from companion.vision.reading import Image

_RADII = 0.82 * 1.07 ** np.arange(8)
"""Radii of circles that are looked for, in radii of those known: what is known may be a rim or the ring within."""

_LEAST_PIXELS = 9.0
"""A token's radius has at least so many pixels here."""

_AROUND = 4.5
"""So far around the circles known others are looked for, in their radii."""

_FAINT = 0.34
"""Votes that make a circle here: what it is, its digit tells."""

_MOST = 40

_INNER, _OUTER = 0.66, 1.55
"""Radii between which the rim and rings are looked for, in radii of the circles known."""

_ALIKE = 0.08
"""Circles are of one size if the logarithms of their radii differ by no more."""

_RAYS = 72

_ANGLES = np.array([2, 1, *range(_RAYS), _RAYS - 2, _RAYS - 3]) * (2 * np.pi / _RAYS)
"""Two more on either side, as softening the rays needs them: each token's are softened for themselves."""

_AROUND_TOKEN = np.column_stack([np.cos(_ANGLES), np.sin(_ANGLES)])

_STANDS_OUT = 1.6
"""Times as steep as elsewhere is what stands out."""

_LEAST_STEEP = 1.5
"""And by so many levels of colour."""

_SLACK = 0.13
"""An outline may be off from the common radius by this part of it, by the camera's tilt."""


def circles_around(scales: Scales, known: Floats) -> Floats:
    """All circles that may be tokens on the lid that carries the circles `known` (rows of x, y, radius; of one size).

    Rows of x, y, radius, votes (frame pixels), best first; a place may come with several radii.
    """
    radius = float(np.median(known[:, 2]))
    halvings = halvings_for(radius, _LEAST_PIXELS)
    edges = Edges.around_lid(scales, halvings, known[:, :2], _AROUND * radius)
    found = [np.zeros((0, 4))]
    for one in (radius * _RADII).tolist():
        votes = edges.votes(one)
        tops = peaks(votes, 0.6 * one / edges.reduction, _FAINT, _MOST)
        places = edges.to_frame(blots(votes, tops[:, :2]))
        found.append(np.column_stack([places, np.full(len(tops), one), tops[:, 2]]))
    rows = np.concatenate(found)
    return np.asarray(rows[np.argsort(-rows[:, 3])], np.float64)


def rims(image: Image, tokens: Floats, circles: Floats) -> list[Ellipse | None]:
    """The rims of `tokens`, rows of x, y, radius; the radius may be a rim's or that of a ring within.

    `circles` are all circles of `circles_around`. None for a token around which there is no outline of the size that
    the others have.
    """
    rough = [outline(image, x, y, radius, 0.13) for x, y, radius in tokens[:, :3].tolist()]
    there = [e for e in rough if e is not None]
    if not there:
        return [None] * len(tokens)
    radius = float(np.median([e.radius for e in there]))
    radii = radius * np.linspace(_INNER, _OUTER, max(24, round(1.5 * (_OUTER - _INNER) * radius)))
    steep = np.median(_steepness(image, there, radii), axis=0)
    edge = float(radii[steep.argmax()])
    rim = _outermost(steep, radii)
    alike = circles[np.abs(np.log(circles[:, 2] / edge)) < _ALIKE]
    middles = [_near(alike, t[:2] if e is None else e.center, edge) for t, e in zip(tokens, rough, strict=True)]
    fitted = [outline(image, float(x), float(y), edge, _SLACK) for x, y in middles]
    return [None if e is None else replace(e, shape=e.shape * (rim / edge) ** 2) for e in fitted]


def _near(circles: Floats, place: Floats, radius: float) -> Floats:
    """The middle of the best of the circles (best first) that is about there, or the place itself."""
    near = np.flatnonzero(np.linalg.norm(circles[:, :2] - place, axis=1) < 0.4 * radius)
    return place if not len(near) else np.asarray(circles[near[0], :2], np.float64)


def _steepness(image: Image, tokens: list[Ellipse], radii: Floats) -> Floats:
    """How steep the colours are outwards at each radius, on rays from the tokens' middles, shape (rays, radii)."""
    # The outlines' shapes: rings within have them too.
    roots = np.stack([np.linalg.cholesky(token.shape) / token.radius for token in tokens])
    ways = (_AROUND_TOKEN @ roots.transpose(0, 2, 1)).reshape(-1, 1, 2)
    middles = np.repeat([token.center for token in tokens], len(_AROUND_TOKEN), axis=0)[:, None]
    ends = np.append(radii, radii[-1] + (radii[1] - radii[0])) - (radii[1] - radii[0]) / 2
    at = (middles + ways * ends[:, None]).astype(np.float32)
    colours = cv2.remap(image, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    soft = cv2.GaussianBlur(colours.astype(np.float32), (3, 5), 0)
    soft = soft.reshape(len(tokens), -1, len(ends), 3)[:, 2:-2].reshape(-1, len(ends), 3)
    step = soft[:, 1:] - soft[:, :-1]
    return np.asarray(np.sqrt(np.einsum("rnc,rnc->rn", step, step)), np.float64)


def _outermost(steep: Floats, radii: Floats) -> float:
    """The largest radius at which the steepness stands out from what it is around."""
    calm = float(np.percentile(steep, 25))
    peak = (steep >= np.roll(steep, 1)) & (steep >= np.roll(steep, -1))
    peak[[0, -1]] = False
    good = np.flatnonzero(peak & (steep > max(_STANDS_OUT * calm, calm + _LEAST_STEEP)))
    return float(radii[good[-1]]) if len(good) else float(radii[steep.argmax()])
