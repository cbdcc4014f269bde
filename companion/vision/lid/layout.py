"""What is learnt of one lid: where its 12 windows, its outline, its arrow and its tags lie, and how it looks.

The lid's plane has its origin at the windows' common centre, x to the right and y down with the arrow up, and the
token's radius as its unit.
"""

from __future__ import annotations

import base64
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.lid.geometry import CENTRE, Floats, Pixels, cut, inverse, project, sample, square, turned
from companion.vision.reading import Image

Grey = npt.NDArray[np.float32]

WINDOWS = 12

LOOKS = 112
"""The lid's picture has LOOKS x LOOKS pixels."""

_SAME = 0.35
"""Windows this close (in token radii) after a turn are the same place."""

_TELLS = 36.0
"""Colour distance from which a spot tells one turn of the lid from another."""


def rows(points: Floats) -> list[int]:
    """Reading order: row by row from the top, each from the left. A row's windows differ little in height."""
    order = sorted(range(len(points)), key=lambda i: float(points[i, 1]))
    lines = [[order[0]]]
    for i in order[1:]:
        if points[i, 1] - points[lines[-1][-1], 1] > 0.45:
            lines.append([])
        lines[-1].append(i)
    return [i for line in lines for i in sorted(line, key=lambda i: float(points[i, 0]))]


def reach_of(corners: Floats) -> float:
    """Half the side of the square around the origin that holds the lid and a little of what is around it."""
    return float(np.abs(corners).max() * 1.12)


def ring(points: Floats) -> Floats:
    """Places on the lid close around each token, clear of its neighbours, shape (12, 48, 2)."""
    away = np.linalg.norm(points[:, None] - points[None], axis=2)
    gap = float(away[~np.eye(len(points), dtype=bool)].min())
    outer = min(1.34, max(1.12, gap - 1.08))
    angles = np.arange(24) * (2 * np.pi / 24)
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    return np.asarray(points[:, None] + np.concatenate([circle * (0.6 * outer + 0.44), circle * outer]), np.float64)


def faces(points: Floats) -> Floats:
    """Places all over each token within its rim, shape (12, 112, 2)."""
    angles = np.arange(16) * (2 * np.pi / 16)
    radii = 0.82 * np.sqrt((np.arange(7) + 0.5) / 7)
    rings = [r * np.column_stack([np.cos(angles + 9 * r), np.sin(angles + 9 * r)]) for r in radii]
    return np.asarray(points[:, None] + np.concatenate(rings), np.float64)


_ARROW_REACH = 0.8
"""The arrow lies within this distance (in token radii) of its middle."""


_SHIFTS = np.array([(y, x) for y in range(-2, 3) for x in range(-2, 3) if abs(y) + abs(x) <= 2])
"""By so many pixels (down, right) marks may lie off."""

_SUM = np.ones((1, 3), np.float32)

_MOST_TELLING = 300
"""More spots than this tell no better."""

_FACE_NEAR = 36.0
"""Colours that differ by less are one, over all tokens of a lid."""

_FACE_STEP = 3

HARD_LIGHT = 1.3
"""Places that have so much more light than others (levels, not the light itself) are in the sun, or a lamp's beam."""

_DOUBT = 60.0
"""Colour differences are cut here: a hand is no more different than an arrow."""


def _terms() -> Grey:
    """The terms of a quadratic surface at each pixel of `looks`, shape (LOOKS, LOOKS, 6)."""
    axis = (np.arange(LOOKS, dtype=np.float32) + 0.5) / LOOKS * 2 - 1
    x, y = np.meshgrid(axis, axis)
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=2)


_TERMS = _terms()

_SOLVABLE = 1e-3 * np.eye(6, dtype=np.float32)


def _solved(terms: Grey, colours: Grey) -> Grey:
    """The factors (6, 3) with which the terms (n, 6) fit colours (n, 3) best."""
    return np.asarray(np.linalg.solve(np.dot(terms.T, terms) + _SOLVABLE, np.dot(terms.T, colours)), np.float32)


_SHADING_SPOTS = 900
"""The shading is taken from so many spots of the lid."""


@dataclass(frozen=True)
class Layout:
    """A lid, as learnt from one fully covered view. See the module's text for the plane and its unit."""

    points: Floats
    """The windows' centres, shape (12, 2), in reading order."""
    corners: Floats
    """The lid's corners, shape (4, 2), clockwise from the arrow's left."""
    arrow: Floats | None
    """The arrow's place, shape (2,); None if the lid has none that could be found."""
    tags: dict[int, Floats]
    """ArUco tags beside the lid: id to corners, shape (4, 2), in OpenCV's order."""
    camera: Floats
    """The homography from the plane to the image at calibration: it knows the camera's tilt."""
    frame: tuple[int, int]
    """Width and height of the frames, pixels."""
    looks: Image
    """The lid's picture in the plane, see `grid`."""
    around: Image
    """The lid's colours close around each token at `ring`, shape (12, ring points, 3)."""
    turns: tuple[float, ...] = field(init=False)
    """Angles (radians) by which the windows' arrangement can be turned onto itself; the first is 0."""
    bare: npt.NDArray[np.bool_] = field(init=False)
    """Where `looks` shows the lid itself: inside the outline and off the tokens."""
    always_bare: npt.NDArray[np.bool_] = field(init=False)
    """What of `bare` is so too if the lid lies turned by any of `turns`."""
    marks: Grey = field(init=False)
    """The `relief` of `looks`: arrow, dots, print."""
    turned_marks: Grey = field(init=False)
    """`marks` as they would be seen if the lid lay turned by each of `turns`, shape (turns, LOOKS, LOOKS, 3)."""
    tells: npt.NDArray[np.bool_] = field(init=False)
    """Where `marks` tell these turns from each other."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "turns", self._find_turns())
        object.__setattr__(self, "bare", self._find_bare())
        object.__setattr__(self, "always_bare", self._turned(self.bare.astype(np.uint8)).min(axis=0) > 0)
        object.__setattr__(self, "marks", self.relief(self.looks))
        object.__setattr__(self, "turned_marks", self._turned(self.marks))
        object.__setattr__(self, "tells", self._find_telling())

    def seen(self, camera: Floats, frame: tuple[int, int], tags: dict[int, Floats] | None = None) -> Layout:
        """The same lid as another camera sees it, with these tags beside it if any are given."""
        other = copy(self)  # not `replace`: what was worked out of its looks stays
        object.__setattr__(other, "camera", camera)
        object.__setattr__(other, "frame", frame)
        object.__setattr__(other, "tags", self.tags if tags is None else tags)
        return other

    @property
    def reach(self) -> float:
        """Half the side of the square that `looks` shows, in token radii."""
        return reach_of(self.corners)

    def grid(self, side: int = LOOKS) -> Floats:
        """The plane's points behind the pixels of `looks`, shape (side, side, 2)."""
        axis = ((np.arange(side) + 0.5) / side * 2 - 1) * self.reach
        return np.stack(np.meshgrid(axis, axis), axis=2)

    @cached_property
    def face(self) -> Grey:
        """The tokens' own colour, shape (3,), as it was when the lid was learnt: what most of their places have.

        In hard light that is their colour in the light that most of the lid had.
        """
        colours = self._face_colours().reshape(-1, 3)[::_FACE_STEP]
        squares = np.einsum("nc,nc->n", colours, colours)
        near = squares[:, None] + squares - 2 * np.dot(colours, colours.T) < _FACE_NEAR**2
        return np.asarray(colours[near[near.sum(axis=1).argmax()]].mean(axis=0), np.float32)

    @cached_property
    def face_share(self) -> float:
        """The share of a token's places that has this colour, for the token that has the least of it."""
        near = np.linalg.norm(self._face_colours() - self.face, axis=2) < _FACE_NEAR
        return float(near.mean(axis=1).min())

    @cached_property
    def level(self) -> float:
        """The lid's brightness close around most tokens when it was learnt, all channels together."""
        return max(1.0, float(np.median(self.around.sum(axis=2, dtype=np.float64))))

    @cached_property
    def lights(self) -> Floats:
        """How much light each window had when the lid was learnt, shape (12,), as a share of what most had; never 0."""
        there = np.median(self.around.sum(axis=2, dtype=np.float64), axis=1)
        return np.asarray(np.maximum(1.0, there) / self.level, np.float64)

    @cached_property
    def half_light(self) -> Floats:
        """How much less light each window had than most when the lid was learnt, shape (12,): 1 is no less."""
        return np.minimum(1.0, self.lights)

    @property
    def in_hard_light(self) -> bool:
        """Whether the lid was learnt half in the sun."""
        return bool(self.lights.max() > HARD_LIGHT * self.lights.min())

    @cached_property
    def rings(self) -> Floats:
        """The `ring` of places around each window."""
        return ring(self.points)

    @cached_property
    def faces(self) -> Floats:
        """The `faces` of the tokens in the windows."""
        return faces(self.points)

    def _face_colours(self) -> Grey:
        to_pixels = inverse(square(CENTRE, self.reach, LOOKS))
        colours = sample(self.looks, to_pixels, self.faces).astype(np.float32)
        return colours / self.lights.astype(np.float32)[:, None, None] if self.in_hard_light else colours

    def _find_turns(self) -> tuple[float, ...]:
        angles = [0.0]
        radius = np.linalg.norm(self.points, axis=1)
        first = int(radius.argmax())
        for other in range(WINDOWS):
            if other == first or abs(radius[other] - radius[first]) > _SAME:
                continue
            ends = np.arctan2(self.points[[other, first], 1], self.points[[other, first], 0])
            angle = float(ends[0] - ends[1])
            away = np.linalg.norm(project(turned(angle), self.points)[:, None] - self.points[None], axis=2)
            if away.min(axis=1).max() < _SAME and len(set(away.argmin(axis=1).tolist())) == WINDOWS:
                angles.append(angle)
        return tuple(angles)

    def _find_bare(self) -> npt.NDArray[np.bool_]:
        corners = self.corners * 0.98
        spots = self.grid()
        bare = np.ones((LOOKS, LOOKS), bool)
        for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):  # clockwise: inside is to the right
            bare &= (b[0] - a[0]) * (spots[..., 1] - a[1]) >= (b[1] - a[1]) * (spots[..., 0] - a[0])
        for x, y in self.points:
            bare &= (spots[0, :, 0] - x) ** 2 + (spots[:, :1, 1] - y) ** 2 > 1.25**2
        return bare

    def _turned(self, picture: Pixels) -> Pixels:
        """A picture like `looks` as it would be seen if the lid lay turned by each of `turns`, stacked."""
        to_pixels = inverse(square(CENTRE, self.reach, LOOKS))
        seen = [cut(picture, to_pixels @ turned(angle), CENTRE, self.reach, LOOKS) for angle in self.turns]
        return np.asarray(seen, picture.dtype)

    def _find_telling(self) -> npt.NDArray[np.bool_]:
        tells = np.linalg.norm(self.turned_marks - self.marks, axis=3).max(axis=0) > _TELLS
        if self.arrow is None:
            return np.asarray(tells & self.bare, np.bool_)
        # The arrow alone is sure to belong to the lid. Elsewhere at the edges the box's sides may show.
        places = np.array([project(turned(-angle), self.arrow) for angle in self.turns])
        tells &= np.linalg.norm(self.grid()[:, :, None] - places, axis=3).min(axis=2) < _ARROW_REACH
        inner = cv2.erode(self.always_bare.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
        # A square lid with a ring of windows leaves its own outline when it is turned to another of its places.
        enough = np.count_nonzero(tells & inner) > 0.5 * np.count_nonzero(tells & self.bare)
        return np.asarray(tells & (inner if enough else self.bare), np.bool_)

    def doubts(self, picture: Image) -> Floats:
        """How badly a picture like `looks` fits the lid's marks turned by each of `turns`: mean colour differences of
        their `relief`, cut at 60.

        A shift by a few pixels is allowed: tokens, by which the pose is found, lie higher than the marks.
        All zeros where nothing on the lid tells.
        """
        if not self.tells.any():
            return np.zeros(len(self.turns))
        places, terms, marks = self._telling
        soft = np.asarray(cv2.GaussianBlur(picture, (5, 5), 0), np.uint8).reshape(-1, 3)
        seen = soft.take(places, axis=0) - np.dot(terms, self._surface(soft))
        away = marks[:, None] - seen.reshape(len(_SHIFTS), -1, 3)
        away *= away
        each = cv2.sqrt(cv2.transform(away.reshape(1, -1, 3), _SUM)).reshape(away.shape[:-1])
        return np.asarray(np.minimum(each, _DOUBT).mean(axis=2).min(axis=1), np.float64)

    @cached_property
    def _telling(self) -> tuple[npt.NDArray[np.intp], Grey, Grey]:
        """Of the spots that tell, every n-th if they are many, their pixels under each of `_SHIFTS`, (shifts * n,), the
        `_TERMS` there, and the spots' marks under each of `turns`, (turns, n, 3)."""
        y, x = np.nonzero(self.tells)
        step = max(1, len(y) // _MOST_TELLING)
        y, x = y[::step], x[::step]
        down, right = _SHIFTS.T[..., None]
        places = np.clip(y + down, 0, LOOKS - 1) * LOOKS + np.clip(x + right, 0, LOOKS - 1)
        return places.ravel(), _TERMS.reshape(-1, 6)[places.ravel()], self.turned_marks[:, y, x]

    @cached_property
    def wrong_doubt(self) -> float:
        """What `doubts` gives at least for a wrong turn in a clear view."""
        return float(self.doubts(self.looks)[1:].min())

    def relief(self, picture: Image) -> Grey:
        """What of a picture like `looks` differs from the lid's own colour and its smooth shading, float32.

        The light stays with the room while the lid turns: a quadratic surface takes it off.
        """
        soft = np.asarray(cv2.GaussianBlur(picture, (5, 5), 0), np.uint8)
        return np.asarray(soft - np.dot(_TERMS, self._surface(soft.reshape(-1, 3))), np.float32)

    def _surface(self, soft: Image) -> Grey:
        """The factors (6, 3) of the surface's terms that fit the bare lid in a picture's pixels (LOOKS * LOOKS, 3)."""
        here, places = self._shading
        colours = soft.take(places, axis=0).astype(np.float32)
        keep = np.ones(len(here), bool)
        factors = _solved(here, colours)
        for _ in range(2):
            off = colours - np.dot(here, factors)
            off = np.sqrt(np.einsum("nc,nc->n", off, off))
            keep = off < max(6.0, 2.0 * float(np.median(off[keep])))
            factors = _solved(here[keep], colours[keep])
        return factors

    @cached_property
    def _shading(self) -> tuple[Grey, npt.NDArray[np.intp]]:
        """Terms (n, 6) and indices (n,) of the pixels from which the shading is taken."""
        places = np.flatnonzero(self.always_bare)
        places = places[:: max(1, len(places) // _SHADING_SPOTS)]
        return _TERMS.reshape(-1, 6)[places], places

    def to_json(self) -> dict[str, Any]:
        """Plain values, for `from_json`."""
        return {
            "points": self.points.tolist(),
            "corners": self.corners.tolist(),
            "arrow": None if self.arrow is None else self.arrow.tolist(),
            "tags": {str(key): corners.tolist() for key, corners in self.tags.items()},
            "camera": self.camera.tolist(),
            "frame": list(self.frame),
            "around": self.around.tolist(),
            "looks": base64.b64encode(cv2.imencode(".png", self.looks)[1].tobytes()).decode("ascii"),
        }

    @classmethod
    def from_json(cls, plain: dict[str, Any]) -> Layout:
        """The layout that `to_json` wrote. Raises ValueError or KeyError if it is not one."""
        raw = np.frombuffer(base64.b64decode(plain["looks"]), np.uint8)
        looks = cv2.imdecode(raw, cv2.IMREAD_COLOR) if raw.size else None
        points = np.array(plain["points"], np.float64)
        if looks is None or looks.shape != (LOOKS, LOOKS, 3) or points.shape != (WINDOWS, 2):
            raise ValueError("not a lid's layout")
        width, height = plain["frame"]
        around = np.array(plain["around"], np.uint8)
        if around.shape != (WINDOWS, len(ring(points)[0]), 3):
            raise ValueError("not a lid's layout")
        return cls(
            points=points,
            corners=np.array(plain["corners"], np.float64).reshape(4, 2),
            arrow=None if plain["arrow"] is None else np.array(plain["arrow"], np.float64).reshape(2),
            tags={int(key): np.array(value, np.float64).reshape(4, 2) for key, value in plain["tags"].items()},
            camera=np.array(plain["camera"], np.float64).reshape(3, 3),
            frame=(int(width), int(height)),
            looks=np.asarray(looks, np.uint8),
            around=around,
        )
