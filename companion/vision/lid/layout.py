"""What is learnt of one lid: where its 12 windows, its outline, its arrow and its tags lie, and its colours.

All places are in the lid's plane: origin at the windows' common centre, x to the right and y down with the arrow up,
unit one token radius. Colours are BGR, 0 to 255.
"""

from __future__ import annotations

import base64
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.lid.geometry import (
    LID_CENTRE,
    BoolArray,
    Float32Array,
    FloatArray,
    PixelArrayT,
    compute_half_side,
    cut_patch,
    invert,
    make_patch_homography,
    make_rigid_motion,
    project_points,
    sample_image,
)
from companion.vision.lid.shading import LID_IMAGE_SIDE_PX, SURFACE_TERMS, fit_shading
from companion.vision.lid.window_rings import RIM_POINT_COUNT, RING_POINT_COUNT, make_ring_points
from companion.vision.reading import Image

WINDOW_COUNT = 12
"""Windows of a lid."""

MIN_HARD_LIGHT_RATIO = 1.3
"""Ratio of two places' light (levels, not the light itself) from which the brighter one is in the sun or a lamp's beam.
If it grows, weak beams count as even light."""

_MAX_SYMMETRY_ERROR_RADII = 0.35
"""Largest distance of a turned window from a window for the turn to be a symmetry. If it grows, rough symmetries
count."""

_MIN_DISTINCTIVE_DIFFERENCE = 36.0
"""Least colour distance from which a pixel distinguishes one turn of the lid from another. If it grows, only bold marks
count."""

_MIN_INNER_SHARE = 0.5
"""Share of the distinctive pixels off the lid's edge from which those at the edge are left out: a square lid with a
ring of windows leaves its own outline when it is turned to another of its places. If it grows, edges count more
often."""

_MAX_ARROW_DISTANCE_RADII = 0.8
"""The arrow lies within this distance of its centre. If it grows, marks beside it count as the arrow."""

_OUTLINE_SHARE = 0.98
"""The lid's bare surface ends at this share of its half sides. If it grows, the table shows at crooked edges."""

_TOKEN_MASK_RADII = 1.25
"""The lid's bare surface begins this far from a window's centre. If it falls, tokens and their shadows count as lid."""

_MARK_SHIFTS_PX = np.array([(y, x) for y in range(-2, 3) for x in range(-2, 3) if abs(y) + abs(x) <= 2])
"""Shifts (down, right) of the marks that are tried, pixels of the lid's image: tokens, by which the pose is found, lie
higher than the marks. If they grow, a wrong turn fits more easily."""

_CHANNEL_SUM = np.ones((1, 3), np.float32)
"""Matrix that adds the channels."""

_MAX_DISTINCTIVE_PIXELS = 300
"""Largest number of distinctive pixels that are compared; more distinguish no better. If it grows, it takes longer."""

_MAX_TOKEN_COLOUR_DISTANCE = 36.0
"""Colours that differ by less are one, over all tokens of a lid. If it grows, the digits' colour joins the tokens'."""

_FACE_POINT_STEP = 3
"""Every n-th point of the tokens' faces votes for their colour. If it grows, it is less exact and quicker."""

_MAX_MARK_DIFFERENCE = 60.0
"""Colour differences of marks are cut here: a hand is no more different than an arrow. If it grows, hands count
more."""

_MAX_SHADING_PIXELS = 900
"""Largest number of pixels from which the shading is fitted. If it grows, it is smoother and slower."""


@dataclass(frozen=True)
class LidLayout:
    """A lid, as learnt from one fully covered view. Positions are in the lid's plane (unit: one token radius).

    Raises:
        ValueError: the values are no lid's layout (for example a singular matrix, numpy.linalg.LinAlgError).
    """

    centers: FloatArray
    """The windows' centres, shape (12, 2), in reading order."""
    corners: FloatArray
    """The lid's corners, shape (4, 2), clockwise from the arrow's left."""
    arrow: FloatArray | None
    """The arrow's centre, shape (2,); None if none was found."""
    tags: dict[int, FloatArray]
    """ArUco tags beside the lid: id to corners, shape (4, 2), in OpenCV's order."""
    camera_homography: FloatArray
    """The homography from the plane to the frame at calibration: it holds the camera's tilt."""
    frame_size: tuple[int, int]
    """Width and height of the frames, pixels."""
    lid_image: Image
    """The lid in its plane, shape (LID_IMAGE_SIDE_PX, LID_IMAGE_SIDE_PX, 3) uint8; its pixels: `make_grid`."""
    ring_colours: Image
    """The lid's colours at `ring_points`, shape (12, 48, 3) uint8."""
    rim_colours: Image
    """The tokens' colours at `window_rings.make_rim_points`, shape (12, 48, 3) uint8."""

    def __post_init__(self) -> None:
        _ = self.distinctive_mask  # derived now: it takes long, and refuses what is no layout

    def with_camera(
        self, camera_homography: FloatArray, frame_size: tuple[int, int], tags: dict[int, FloatArray] | None = None
    ) -> LidLayout:
        """Return the same lid as another camera sees it.

        Args:
            camera_homography: (3, 3) float64, from the lid's plane to the frame's pixels.
            frame_size: width and height of the frame, pixels.
            tags: the tags beside the lid, id to corners in the lid's plane, shape (4, 2); None: as before.

        Returns:
            A new object that shares its arrays with this one; the values are not checked.
        """
        other = copy(self)  # not `replace`: the derived values stay
        tags = self.tags if tags is None else tags
        vars(other).update(camera_homography=camera_homography, frame_size=frame_size, tags=tags)
        return other

    @property
    def half_side(self) -> float:
        """Half the side of the square that `lid_image` shows, in token radii."""
        return compute_half_side(self.corners)

    def make_grid(self) -> FloatArray:
        """Return the points of the lid's plane at the pixels of `lid_image`.

        Returns:
            x, y in token radii, shape (LID_IMAGE_SIDE_PX, LID_IMAGE_SIDE_PX, 2) float64.
        """
        axis = ((np.arange(LID_IMAGE_SIDE_PX) + 0.5) / LID_IMAGE_SIDE_PX * 2 - 1) * self.half_side
        return np.stack(np.meshgrid(axis, axis), axis=2)

    @cached_property
    def token_colour(self) -> Float32Array:
        """The tokens' own colour at calibration: the colour that most points of their faces have.

        BGR, 0 to 255, shape (3,) float32. In hard light it is their colour in the light that most of the lid had.
        """
        colours = self._sample_face_colours().reshape(-1, 3)[::_FACE_POINT_STEP]
        squares = np.einsum("nc,nc->n", colours, colours)
        near = squares[:, None] + squares - 2 * np.dot(colours, colours.T) < _MAX_TOKEN_COLOUR_DISTANCE**2
        return np.asarray(colours[near[near.sum(axis=1).argmax()]].mean(axis=0), np.float32)

    @cached_property
    def min_token_colour_share(self) -> float:
        """Share of a token's face that has `token_colour`, 0 to 1, for the token that has the least of it."""
        near = np.linalg.norm(self._sample_face_colours() - self.token_colour, axis=2) < _MAX_TOKEN_COLOUR_DISTANCE
        return float(near.mean(axis=1).min())

    @cached_property
    def brightness(self) -> float:
        """Median brightness of the lid around the tokens at calibration, the sum of three channels: 1 to 765."""
        return max(1.0, float(np.median(self.ring_colours.sum(axis=2, dtype=np.float64))))

    @cached_property
    def relative_light(self) -> FloatArray:
        """Light at each window at calibration, shape (12,) float64, as a share of `brightness`; above 0."""
        there = np.median(self.ring_colours.sum(axis=2, dtype=np.float64), axis=1)
        return np.asarray(np.maximum(1.0, there) / self.brightness, np.float64)

    @property
    def was_in_hard_light(self) -> bool:
        """Whether part of the lid was in the sun, or a lamp's beam, at calibration."""
        return bool(self.relative_light.max() > MIN_HARD_LIGHT_RATIO * self.relative_light.min())

    @cached_property
    def ring_points(self) -> FloatArray:
        """Points on the lid close around each window, clear of its neighbours: 48 each, on two circles.

        In the lid's plane, token radii, shape (12, 48, 2) float64.
        """
        return make_ring_points(self.centers)

    @cached_property
    def face_points(self) -> FloatArray:
        """Points all over the token in each window within its rim, evenly spread.

        In the lid's plane, token radii, shape (12, 112, 2) float64.
        """
        angles = np.arange(16) * (2 * np.pi / 16)
        radii = 0.82 * np.sqrt((np.arange(7) + 0.5) / 7)
        rings = [r * np.column_stack([np.cos(angles + 9 * r), np.sin(angles + 9 * r)]) for r in radii]
        return np.asarray(self.centers[:, None] + np.concatenate(rings), np.float64)

    @cached_property
    def symmetry_angles(self) -> tuple[float, ...]:
        """Angles (radians) by which the windows' arrangement can be turned onto itself; the first is 0."""
        angles = [0.0]
        radius = np.linalg.norm(self.centers, axis=1)
        first = int(radius.argmax())
        for other in range(WINDOW_COUNT):
            if other == first or abs(radius[other] - radius[first]) > _MAX_SYMMETRY_ERROR_RADII:
                continue
            ends = np.arctan2(self.centers[[other, first], 1], self.centers[[other, first], 0])
            angle = float(ends[0] - ends[1])
            turned = project_points(make_rigid_motion(angle), self.centers)
            away = np.linalg.norm(turned[:, None] - self.centers[None], axis=2)
            nearest = set(away.argmin(axis=1).tolist())
            if away.min(axis=1).max() < _MAX_SYMMETRY_ERROR_RADII and len(nearest) == WINDOW_COUNT:
                angles.append(angle)
        return tuple(angles)

    @cached_property
    def bare_mask(self) -> BoolArray:
        """Pixels of `lid_image` that show the lid itself: inside the outline and off the tokens; (side, side) bool."""
        corners = self.corners * _OUTLINE_SHARE
        grid = self.make_grid()
        bare = np.ones((LID_IMAGE_SIDE_PX, LID_IMAGE_SIDE_PX), bool)
        for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):  # clockwise: inside is to the right
            bare &= (b[0] - a[0]) * (grid[..., 1] - a[1]) >= (b[1] - a[1]) * (grid[..., 0] - a[0])
        for x, y in self.centers:
            bare &= (grid[0, :, 0] - x) ** 2 + (grid[:, :1, 1] - y) ** 2 > _TOKEN_MASK_RADII**2
        return bare

    @cached_property
    def always_bare_mask(self) -> BoolArray:
        """Pixels of `lid_image` that show the lid itself under each of `symmetry_angles`; (side, side) bool."""
        return np.asarray(self._rotate_by_symmetries(self.bare_mask.astype(np.uint8)).min(axis=0) > 0, np.bool_)

    @cached_property
    def rotated_marks(self) -> Float32Array:
        """The lid's marks (arrow, dots, print: its relief) turned by each of `symmetry_angles`; unturned first.

        Signed colour differences, BGR, shape (angles, side, side, 3) float32.
        """
        return self._rotate_by_symmetries(self.compute_relief(self.lid_image))

    @cached_property
    def distinctive_mask(self) -> BoolArray:
        """Pixels of `lid_image` where the marks distinguish the lid's symmetric turns; (side, side) bool."""
        marks = self.compute_relief(self.lid_image)
        distinctive = np.linalg.norm(self.rotated_marks - marks, axis=3).max(axis=0) > _MIN_DISTINCTIVE_DIFFERENCE
        if self.arrow is None:
            return np.asarray(distinctive & self.bare_mask, np.bool_)
        # Only the arrow surely belongs to the lid. Elsewhere at the edges the box's sides may show.
        places = np.array([project_points(make_rigid_motion(-angle), self.arrow) for angle in self.symmetry_angles])
        away = np.linalg.norm(self.make_grid()[:, :, None] - places, axis=3).min(axis=2)
        distinctive &= away < _MAX_ARROW_DISTANCE_RADII
        inner = cv2.erode(self.always_bare_mask.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
        all_bare = np.count_nonzero(distinctive & self.bare_mask)
        enough = np.count_nonzero(distinctive & inner) > _MIN_INNER_SHARE * all_bare
        return np.asarray(distinctive & (inner if enough else self.bare_mask), np.bool_)

    def compute_turn_mismatches(self, picture: Image) -> FloatArray:
        """Compare a picture like `lid_image` with the lid's marks turned by each of `symmetry_angles`.

        Args:
            picture: the rectified lid, (LID_IMAGE_SIDE_PX, LID_IMAGE_SIDE_PX, 3) uint8 BGR, its pixels as in
                `make_grid`.

        Returns:
            Mean colour difference of the reliefs per angle, in levels of 255, each pixel's cut at 60, shape (angles,)
            float64: the least is the likeliest turn. All zeros where nothing on the lid distinguishes the turns.
        """
        if not self.distinctive_mask.any():
            return np.zeros(len(self.symmetry_angles))
        places, terms, marks = self._distinctive_pixels
        soft = _soften(picture).reshape(-1, 3)
        seen = soft.take(places, axis=0) - np.dot(terms, self._fit_shading(soft))
        away = marks[:, None] - seen.reshape(len(_MARK_SHIFTS_PX), -1, 3)
        away *= away
        each = cv2.sqrt(cv2.transform(away.reshape(1, -1, 3), _CHANNEL_SUM)).reshape(away.shape[:-1])
        return np.asarray(np.minimum(each, _MAX_MARK_DIFFERENCE).mean(axis=2).min(axis=1), np.float64)

    @cached_property
    def min_wrong_turn_mismatch(self) -> float:
        """The least of `compute_turn_mismatches` that a wrong turn gives in a clear view, in levels of 255.

        Raises:
            ValueError: the lid has no symmetric turn but the first (one item in `symmetry_angles`).
        """
        return float(self.compute_turn_mismatches(self.lid_image)[1:].min())

    def compute_relief(self, picture: Image) -> Float32Array:
        """Return how a picture like `lid_image` differs from the lid's own colour and smooth shading.

        The light stays with the room while the lid turns: a quadratic surface removes it.

        Args:
            picture: the rectified lid, (LID_IMAGE_SIDE_PX, LID_IMAGE_SIDE_PX, 3) uint8 BGR, its pixels as in
                `make_grid`.

        Returns:
            Signed differences per channel, in levels of 255, (side, side, 3) float32.
        """
        soft = _soften(picture)
        return np.asarray(soft - np.dot(SURFACE_TERMS, self._fit_shading(soft.reshape(-1, 3))), np.float32)

    def to_json(self) -> dict[str, Any]:
        """Return the layout as plain JSON values (numbers, strings, lists), for `from_json`."""
        return {
            "points": self.centers.tolist(),
            "corners": self.corners.tolist(),
            "arrow": None if self.arrow is None else self.arrow.tolist(),
            "tags": {str(key): corners.tolist() for key, corners in self.tags.items()},
            "camera": self.camera_homography.tolist(),
            "frame": list(self.frame_size),
            "around": self.ring_colours.tolist(),
            "rims": self.rim_colours.tolist(),
            "looks": base64.b64encode(cv2.imencode(".png", self.lid_image)[1].tobytes()).decode("ascii"),
        }

    @classmethod
    def from_json(cls, plain: dict[str, Any]) -> LidLayout:
        """Return the layout that `to_json` wrote.

        Args:
            plain: the dictionary that `to_json` returned.

        Raises:
            ArithmeticError, AttributeError, LookupError, TypeError, ValueError: `to_json` did not write it.
        """
        raw = np.frombuffer(base64.b64decode(plain["looks"]), np.uint8)
        try:
            lid_image = cv2.imdecode(raw, cv2.IMREAD_COLOR) if raw.size else None
        except cv2.error as error:  # a picture whose header claims an absurd size
            raise ValueError("not a lid's layout") from error
        if lid_image is None or lid_image.shape != (LID_IMAGE_SIDE_PX, LID_IMAGE_SIDE_PX, 3):
            raise ValueError("not a lid's layout")
        width, height = plain["frame"]
        return cls(
            centers=_parse_array(plain["points"], np.float64, WINDOW_COUNT, 2),
            corners=_parse_array(plain["corners"], np.float64, 4, 2),
            arrow=None if plain["arrow"] is None else _parse_array(plain["arrow"], np.float64, 2),
            tags={int(key): _parse_array(value, np.float64, 4, 2) for key, value in plain["tags"].items()},
            camera_homography=_parse_array(plain["camera"], np.float64, 3, 3),
            frame_size=(int(width), int(height)),
            lid_image=np.asarray(lid_image, np.uint8),
            ring_colours=_parse_array(plain["around"], np.uint8, WINDOW_COUNT, RING_POINT_COUNT, 3),
            rim_colours=_parse_array(plain["rims"], np.uint8, WINDOW_COUNT, RIM_POINT_COUNT, 3),
        )

    def _sample_face_colours(self) -> Float32Array:
        to_pixels = invert(make_patch_homography(LID_CENTRE, self.half_side, LID_IMAGE_SIDE_PX))
        colours = sample_image(self.lid_image, to_pixels, self.face_points).astype(np.float32)
        return colours / self.relative_light.astype(np.float32)[:, None, None] if self.was_in_hard_light else colours

    def _rotate_by_symmetries(self, picture: PixelArrayT) -> PixelArrayT:
        """Turn a picture like `lid_image` by each of `symmetry_angles`; return the pictures stacked."""
        to_pixels = invert(make_patch_homography(LID_CENTRE, self.half_side, LID_IMAGE_SIDE_PX))
        turns = [to_pixels @ make_rigid_motion(angle) for angle in self.symmetry_angles]
        return np.stack([cut_patch(picture, turn, LID_CENTRE, self.half_side, LID_IMAGE_SIDE_PX) for turn in turns])

    @cached_property
    def _distinctive_pixels(self) -> tuple[npt.NDArray[np.intp], Float32Array, Float32Array]:
        """The distinctive pixels, n of them: every k-th if they are many.

        Their indices under each of `_MARK_SHIFTS_PX`, (shifts * n,), the `SURFACE_TERMS` there, and the marks at the
        pixels under each of `symmetry_angles`, (angles, n, 3).
        """
        y, x = np.nonzero(self.distinctive_mask)
        step = max(1, len(y) // _MAX_DISTINCTIVE_PIXELS)
        y, x = y[::step], x[::step]
        down, right = _MARK_SHIFTS_PX.T[..., None]
        rows, columns = (np.clip(at, 0, LID_IMAGE_SIDE_PX - 1) for at in (y + down, x + right))
        places = (rows * LID_IMAGE_SIDE_PX + columns).ravel()
        return places, SURFACE_TERMS.reshape(-1, 6)[places], self.rotated_marks[:, y, x]

    def _fit_shading(self, soft: Image) -> Float32Array:
        """Fit the shading of the bare lid in a softened picture's pixels, (side * side, 3); return factors (6, 3)."""
        terms, places = self._shading_pixels
        return fit_shading(terms, soft.take(places, axis=0).astype(np.float32))

    @cached_property
    def _shading_pixels(self) -> tuple[Float32Array, npt.NDArray[np.intp]]:
        """Terms (n, 6) and indices (n,) of the pixels from which the shading is fitted."""
        places = np.flatnonzero(self.always_bare_mask)
        places = places[:: max(1, len(places) // _MAX_SHADING_PIXELS)]
        return SURFACE_TERMS.reshape(-1, 6)[places], places


def _soften(picture: Image) -> Image:
    return np.asarray(cv2.GaussianBlur(picture, (5, 5), 0), np.uint8)


def _parse_array(plain: object, kind: npt.DTypeLike, *shape: int) -> npt.NDArray[Any]:
    """Return nested lists of numbers as an array; raise TypeError or ValueError if they are not nested like `shape`."""
    array = np.array(plain, kind)
    if array.shape != shape:
        raise ValueError("not a lid's layout")
    return array
