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

from companion.vision.lid.geometry import (
    LID_CENTRE,
    FloatArray,
    PixelArrayT,
    cut_patch,
    invert,
    make_patch_homography,
    make_rotation,
    project_points,
    sample_image,
)
from companion.vision.reading import Image

Float32Array = npt.NDArray[np.float32]

WINDOW_COUNT = 12

LID_IMAGE_SIDE_PX = 112
"""The lid's picture has LOOKS x LOOKS pixels."""

_MAX_SYMMETRY_ERROR_RADII = 0.35
"""Windows this close (in token radii) after a turn are the same place."""

_MIN_DISTINCTIVE_DIFFERENCE = 36.0
"""Colour distance from which a spot tells one turn of the lid from another."""


def sort_in_reading_order(points: FloatArray) -> list[int]:
    """Reading order: row by row from the top, each from the left. A row's windows differ little in height."""
    order = sorted(range(len(points)), key=lambda i: float(points[i, 1]))
    lines = [[order[0]]]
    for i in order[1:]:
        if points[i, 1] - points[lines[-1][-1], 1] > 0.45:
            lines.append([])
        lines[-1].append(i)
    return [i for line in lines for i in sorted(line, key=lambda i: float(points[i, 0]))]


def compute_half_side(corners: FloatArray) -> float:
    """Half the side of the square around the origin that holds the lid and a little of what is around it."""
    return float(np.abs(corners).max() * 1.12)


def make_ring_points(points: FloatArray) -> FloatArray:
    """Places on the lid close around each token, clear of its neighbours, shape (12, 48, 2)."""
    away = np.linalg.norm(points[:, None] - points[None], axis=2)
    gap = float(away[~np.eye(len(points), dtype=bool)].min())
    outer = min(1.34, max(1.12, gap - 1.08))
    angles = np.arange(24) * (2 * np.pi / 24)
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    return np.asarray(points[:, None] + np.concatenate([circle * (0.6 * outer + 0.44), circle * outer]), np.float64)


def make_face_points(points: FloatArray) -> FloatArray:
    """Places all over each token within its rim, shape (12, 112, 2)."""
    angles = np.arange(16) * (2 * np.pi / 16)
    radii = 0.82 * np.sqrt((np.arange(7) + 0.5) / 7)
    rings = [r * np.column_stack([np.cos(angles + 9 * r), np.sin(angles + 9 * r)]) for r in radii]
    return np.asarray(points[:, None] + np.concatenate(rings), np.float64)


_MAX_ARROW_DISTANCE_RADII = 0.8
"""The arrow lies within this distance (in token radii) of its middle."""


_MARK_SHIFTS_PX = np.array([(y, x) for y in range(-2, 3) for x in range(-2, 3) if abs(y) + abs(x) <= 2])
"""By so many pixels (down, right) marks may lie off."""

_CHANNEL_SUM = np.ones((1, 3), np.float32)

_MAX_DISTINCTIVE_PIXELS = 300
"""More spots than this tell no better."""

_MAX_TOKEN_COLOUR_DISTANCE = 36.0
"""Colours that differ by less are one, over all tokens of a lid."""

_FACE_POINT_STEP = 3

MIN_HARD_LIGHT_RATIO = 1.3
"""Places that have so much more light than others (levels, not the light itself) are in the sun, or a lamp's beam."""

_MAX_MARK_DIFFERENCE = 60.0
"""Colour differences are cut here: a hand is no more different than an arrow."""


def _make_surface_terms() -> Float32Array:
    """The terms of a quadratic surface at each pixel of `looks`, shape (LOOKS, LOOKS, 6)."""
    axis = (np.arange(LID_IMAGE_SIDE_PX, dtype=np.float32) + 0.5) / LID_IMAGE_SIDE_PX * 2 - 1
    x, y = np.meshgrid(axis, axis)
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=2)


_SURFACE_TERMS = _make_surface_terms()

_REGULARISATION = 1e-3 * np.eye(6, dtype=np.float32)


def _fit_surface(terms: Float32Array, colours: Float32Array) -> Float32Array:
    """The factors (6, 3) with which the terms (n, 6) fit colours (n, 3) best."""
    return np.asarray(np.linalg.solve(np.dot(terms.T, terms) + _REGULARISATION, np.dot(terms.T, colours)), np.float32)


_MAX_SHADING_PIXELS = 900
"""The shading is taken from so many spots of the lid."""


@dataclass(frozen=True)
class LidLayout:
    """A lid, as learnt from one fully covered view. See the module's text for the plane and its unit."""

    centers: FloatArray
    """The windows' centres, shape (12, 2), in reading order."""
    corners: FloatArray
    """The lid's corners, shape (4, 2), clockwise from the arrow's left."""
    arrow: FloatArray | None
    """The arrow's place, shape (2,); None if the lid has none that could be found."""
    tags: dict[int, FloatArray]
    """ArUco tags beside the lid: id to corners, shape (4, 2), in OpenCV's order."""
    camera: FloatArray
    """The homography from the plane to the image at calibration: it knows the camera's tilt."""
    frame: tuple[int, int]
    """Width and height of the frames, pixels."""
    lid_image: Image
    """The lid's picture in the plane, see `grid`."""
    ring_colours: Image
    """The lid's colours close around each token at `ring`, shape (12, ring points, 3)."""
    turns: tuple[float, ...] = field(init=False)
    """Angles (radians) by which the windows' arrangement can be turned onto itself; the first is 0."""
    bare: npt.NDArray[np.bool_] = field(init=False)
    """Where `looks` shows the lid itself: inside the outline and off the tokens."""
    always_bare: npt.NDArray[np.bool_] = field(init=False)
    """What of `bare` is so too if the lid lies turned by any of `turns`."""
    marks: Float32Array = field(init=False)
    """The `relief` of `looks`: arrow, dots, print."""
    turned_marks: Float32Array = field(init=False)
    """`marks` as they would be seen if the lid lay turned by each of `turns`, shape (turns, LOOKS, LOOKS, 3)."""
    tells: npt.NDArray[np.bool_] = field(init=False)
    """Where `marks` tell these turns from each other."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "turns", self._find_symmetry_angles())
        object.__setattr__(self, "bare", self._find_bare_mask())
        object.__setattr__(self, "always_bare", self._rotate_by_symmetries(self.bare.astype(np.uint8)).min(axis=0) > 0)
        object.__setattr__(self, "marks", self.compute_relief(self.lid_image))
        object.__setattr__(self, "turned_marks", self._rotate_by_symmetries(self.marks))
        object.__setattr__(self, "tells", self._find_distinctive_mask())

    def with_camera(
        self, camera: FloatArray, frame: tuple[int, int], tags: dict[int, FloatArray] | None = None
    ) -> LidLayout:
        """The same lid as another camera sees it, with these tags beside it if any are given."""
        other = copy(self)  # not `replace`: what was worked out of its looks stays
        object.__setattr__(other, "camera", camera)
        object.__setattr__(other, "frame", frame)
        object.__setattr__(other, "tags", self.tags if tags is None else tags)
        return other

    @property
    def half_side(self) -> float:
        """Half the side of the square that `looks` shows, in token radii."""
        return compute_half_side(self.corners)

    def make_grid(self, side: int = LID_IMAGE_SIDE_PX) -> FloatArray:
        """The plane's points behind the pixels of `looks`, shape (side, side, 2)."""
        axis = ((np.arange(side) + 0.5) / side * 2 - 1) * self.half_side
        return np.stack(np.meshgrid(axis, axis), axis=2)

    @cached_property
    def token_colour(self) -> Float32Array:
        """The tokens' own colour, shape (3,), as it was when the lid was learnt: what most of their places have.

        In hard light that is their colour in the light that most of the lid had.
        """
        colours = self._sample_face_colours().reshape(-1, 3)[::_FACE_POINT_STEP]
        squares = np.einsum("nc,nc->n", colours, colours)
        near = squares[:, None] + squares - 2 * np.dot(colours, colours.T) < _MAX_TOKEN_COLOUR_DISTANCE**2
        return np.asarray(colours[near[near.sum(axis=1).argmax()]].mean(axis=0), np.float32)

    @cached_property
    def min_token_colour_share(self) -> float:
        """The share of a token's places that has this colour, for the token that has the least of it."""
        near = np.linalg.norm(self._sample_face_colours() - self.token_colour, axis=2) < _MAX_TOKEN_COLOUR_DISTANCE
        return float(near.mean(axis=1).min())

    @cached_property
    def brightness(self) -> float:
        """The lid's brightness close around most tokens when it was learnt, all channels together."""
        return max(1.0, float(np.median(self.ring_colours.sum(axis=2, dtype=np.float64))))

    @cached_property
    def relative_light(self) -> FloatArray:
        """How much light each window had when the lid was learnt, shape (12,), as a share of what most had; never 0."""
        there = np.median(self.ring_colours.sum(axis=2, dtype=np.float64), axis=1)
        return np.asarray(np.maximum(1.0, there) / self.brightness, np.float64)

    @cached_property
    def shade(self) -> FloatArray:
        """How much less light each window had than most when the lid was learnt, shape (12,): 1 is no less."""
        return np.minimum(1.0, self.relative_light)

    @property
    def was_in_hard_light(self) -> bool:
        """Whether the lid was learnt half in the sun."""
        return bool(self.relative_light.max() > MIN_HARD_LIGHT_RATIO * self.relative_light.min())

    @cached_property
    def ring_points(self) -> FloatArray:
        """The `ring` of places around each window."""
        return make_ring_points(self.centers)

    @cached_property
    def face_points(self) -> FloatArray:
        """The `faces` of the tokens in the windows."""
        return make_face_points(self.centers)

    def _sample_face_colours(self) -> Float32Array:
        to_pixels = invert(make_patch_homography(LID_CENTRE, self.half_side, LID_IMAGE_SIDE_PX))
        colours = sample_image(self.lid_image, to_pixels, self.face_points).astype(np.float32)
        return colours / self.relative_light.astype(np.float32)[:, None, None] if self.was_in_hard_light else colours

    def _find_symmetry_angles(self) -> tuple[float, ...]:
        angles = [0.0]
        radius = np.linalg.norm(self.centers, axis=1)
        first = int(radius.argmax())
        for other in range(WINDOW_COUNT):
            if other == first or abs(radius[other] - radius[first]) > _MAX_SYMMETRY_ERROR_RADII:
                continue
            ends = np.arctan2(self.centers[[other, first], 1], self.centers[[other, first], 0])
            angle = float(ends[0] - ends[1])
            away = np.linalg.norm(
                project_points(make_rotation(angle), self.centers)[:, None] - self.centers[None], axis=2
            )
            if (
                away.min(axis=1).max() < _MAX_SYMMETRY_ERROR_RADII
                and len(set(away.argmin(axis=1).tolist())) == WINDOW_COUNT
            ):
                angles.append(angle)
        return tuple(angles)

    def _find_bare_mask(self) -> npt.NDArray[np.bool_]:
        corners = self.corners * 0.98
        spots = self.make_grid()
        bare = np.ones((LID_IMAGE_SIDE_PX, LID_IMAGE_SIDE_PX), bool)
        for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):  # clockwise: inside is to the right
            bare &= (b[0] - a[0]) * (spots[..., 1] - a[1]) >= (b[1] - a[1]) * (spots[..., 0] - a[0])
        for x, y in self.centers:
            bare &= (spots[0, :, 0] - x) ** 2 + (spots[:, :1, 1] - y) ** 2 > 1.25**2
        return bare

    def _rotate_by_symmetries(self, picture: PixelArrayT) -> PixelArrayT:
        """A picture like `looks` as it would be seen if the lid lay turned by each of `turns`, stacked."""
        to_pixels = invert(make_patch_homography(LID_CENTRE, self.half_side, LID_IMAGE_SIDE_PX))
        seen = [
            cut_patch(picture, to_pixels @ make_rotation(angle), LID_CENTRE, self.half_side, LID_IMAGE_SIDE_PX)
            for angle in self.turns
        ]
        return np.asarray(seen, picture.dtype)

    def _find_distinctive_mask(self) -> npt.NDArray[np.bool_]:
        tells = np.linalg.norm(self.turned_marks - self.marks, axis=3).max(axis=0) > _MIN_DISTINCTIVE_DIFFERENCE
        if self.arrow is None:
            return np.asarray(tells & self.bare, np.bool_)
        # The arrow alone is sure to belong to the lid. Elsewhere at the edges the box's sides may show.
        places = np.array([project_points(make_rotation(-angle), self.arrow) for angle in self.turns])
        tells &= np.linalg.norm(self.make_grid()[:, :, None] - places, axis=3).min(axis=2) < _MAX_ARROW_DISTANCE_RADII
        inner = cv2.erode(self.always_bare.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
        # A square lid with a ring of windows leaves its own outline when it is turned to another of its places.
        enough = np.count_nonzero(tells & inner) > 0.5 * np.count_nonzero(tells & self.bare)
        return np.asarray(tells & (inner if enough else self.bare), np.bool_)

    def compute_turn_mismatches(self, picture: Image) -> FloatArray:
        """How badly a picture like `looks` fits the lid's marks turned by each of `turns`: mean colour differences of
        their `relief`, cut at 60.

        A shift by a few pixels is allowed: tokens, by which the pose is found, lie higher than the marks.
        All zeros where nothing on the lid tells.
        """
        if not self.tells.any():
            return np.zeros(len(self.turns))
        places, terms, marks = self._distinctive_pixels
        soft = np.asarray(cv2.GaussianBlur(picture, (5, 5), 0), np.uint8).reshape(-1, 3)
        seen = soft.take(places, axis=0) - np.dot(terms, self._fit_shading(soft))
        away = marks[:, None] - seen.reshape(len(_MARK_SHIFTS_PX), -1, 3)
        away *= away
        each = cv2.sqrt(cv2.transform(away.reshape(1, -1, 3), _CHANNEL_SUM)).reshape(away.shape[:-1])
        return np.asarray(np.minimum(each, _MAX_MARK_DIFFERENCE).mean(axis=2).min(axis=1), np.float64)

    @cached_property
    def _distinctive_pixels(self) -> tuple[npt.NDArray[np.intp], Float32Array, Float32Array]:
        """Of the spots that tell, every n-th if they are many, their pixels under each of `_SHIFTS`, (shifts * n,), the
        `_TERMS` there, and the spots' marks under each of `turns`, (turns, n, 3)."""
        y, x = np.nonzero(self.tells)
        step = max(1, len(y) // _MAX_DISTINCTIVE_PIXELS)
        y, x = y[::step], x[::step]
        down, right = _MARK_SHIFTS_PX.T[..., None]
        places = np.clip(y + down, 0, LID_IMAGE_SIDE_PX - 1) * LID_IMAGE_SIDE_PX + np.clip(
            x + right, 0, LID_IMAGE_SIDE_PX - 1
        )
        return places.ravel(), _SURFACE_TERMS.reshape(-1, 6)[places.ravel()], self.turned_marks[:, y, x]

    @cached_property
    def min_wrong_turn_mismatch(self) -> float:
        """What `doubts` gives at least for a wrong turn in a clear view."""
        return float(self.compute_turn_mismatches(self.lid_image)[1:].min())

    def compute_relief(self, picture: Image) -> Float32Array:
        """What of a picture like `looks` differs from the lid's own colour and its smooth shading, float32.

        The light stays with the room while the lid turns: a quadratic surface takes it off.
        """
        soft = np.asarray(cv2.GaussianBlur(picture, (5, 5), 0), np.uint8)
        return np.asarray(soft - np.dot(_SURFACE_TERMS, self._fit_shading(soft.reshape(-1, 3))), np.float32)

    def _fit_shading(self, soft: Image) -> Float32Array:
        """The factors (6, 3) of the surface's terms that fit the bare lid in a picture's pixels (LOOKS * LOOKS, 3)."""
        here, places = self._shading_pixels
        colours = soft.take(places, axis=0).astype(np.float32)
        keep = np.ones(len(here), bool)
        factors = _fit_surface(here, colours)
        for _ in range(2):
            off = colours - np.dot(here, factors)
            off = np.sqrt(np.einsum("nc,nc->n", off, off))
            keep = off < max(6.0, 2.0 * float(np.median(off[keep])))
            factors = _fit_surface(here[keep], colours[keep])
        return factors

    @cached_property
    def _shading_pixels(self) -> tuple[Float32Array, npt.NDArray[np.intp]]:
        """Terms (n, 6) and indices (n,) of the pixels from which the shading is taken."""
        places = np.flatnonzero(self.always_bare)
        places = places[:: max(1, len(places) // _MAX_SHADING_PIXELS)]
        return _SURFACE_TERMS.reshape(-1, 6)[places], places

    def to_json(self) -> dict[str, Any]:
        """Plain values, for `from_json`."""
        return {
            "points": self.centers.tolist(),
            "corners": self.corners.tolist(),
            "arrow": None if self.arrow is None else self.arrow.tolist(),
            "tags": {str(key): corners.tolist() for key, corners in self.tags.items()},
            "camera": self.camera.tolist(),
            "frame": list(self.frame),
            "around": self.ring_colours.tolist(),
            "looks": base64.b64encode(cv2.imencode(".png", self.lid_image)[1].tobytes()).decode("ascii"),
        }

    @classmethod
    def from_json(cls, plain: dict[str, Any]) -> LidLayout:
        """The layout that `to_json` wrote. Raises ValueError or KeyError if it is not one."""
        raw = np.frombuffer(base64.b64decode(plain["looks"]), np.uint8)
        looks = cv2.imdecode(raw, cv2.IMREAD_COLOR) if raw.size else None
        points = np.array(plain["points"], np.float64)
        if (
            looks is None
            or looks.shape != (LID_IMAGE_SIDE_PX, LID_IMAGE_SIDE_PX, 3)
            or points.shape != (WINDOW_COUNT, 2)
        ):
            raise ValueError("not a lid's layout")
        width, height = plain["frame"]
        around = np.array(plain["around"], np.uint8)
        if around.shape != (WINDOW_COUNT, len(make_ring_points(points)[0]), 3):
            raise ValueError("not a lid's layout")
        return cls(
            centers=points,
            corners=np.array(plain["corners"], np.float64).reshape(4, 2),
            arrow=None if plain["arrow"] is None else np.array(plain["arrow"], np.float64).reshape(2),
            tags={int(key): np.array(value, np.float64).reshape(4, 2) for key, value in plain["tags"].items()},
            camera=np.array(plain["camera"], np.float64).reshape(3, 3),
            frame=(int(width), int(height)),
            lid_image=np.asarray(looks, np.uint8),
            ring_colours=around,
        )
