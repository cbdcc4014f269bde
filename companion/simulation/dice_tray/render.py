"""Renderer of a simulated table with a tray of dice: a BGR frame in layers, each cached until it changes."""

import math
from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from typing import Generic, Protocol, Self, TypeVar

import cv2
import numpy as np
import numpy.typing as npt

from companion.simulation.actions import SimulatedHand
from companion.simulation.appearance import TableAppearance
from companion.simulation.dice_throws import TRAY_FLOOR_MM, DiePose, SimulatedTray
from companion.simulation.light import (
    Image,
    cast_shadow_points,
    compute_brightness,
    draw_polygon,
    draw_shadow,
    draw_walls,
    scale_colour,
)
from companion.simulation.optics import FrameArea, Optics, Point
from companion.simulation.render_dice import Box, Field, compute_corners
from companion.simulation.render_hand import HAND_HEIGHT_MM, HandSprite, compute_hand_transform
from companion.simulation.render_pips import compute_die_box, draw_die
from companion.simulation.textures import draw_tabletop

EXPOSURE_SECONDS = 1 / 40
"""Exposure time of the camera; the longer, the more a rolling die is blurred."""
_BLUR_SAMPLES = 3
"""Number of moments within the exposure that are averaged; the larger, the smoother and slower the motion blur."""
_MAX_BLURRED_DICE = 6
"""Most rolling dice that are drawn with motion blur; the larger, the slower the frames of a large throw."""
_MAX_RESTING_DICE = 64
"""Most pictures of dice at rest that are kept; the larger, the more memory is used."""
_BLACK_LEVEL = 10
"""Grey level of black, as in sensors; below about three sigma of the noise, dark shadows would have no noise."""


Pixels = npt.NDArray[np.float64]
RIM_WIDTH_MM = 7.0
"""Width of the tray's rim in mm."""
RIM_HEIGHT_MM = 18.0
"""Height of the tray's rim above the table in mm; the higher, the larger its shadow on the felt."""
_BOARDS_HALF_SIZE_MM = (480, 320)
"""Half the width and height of the table's texture in mm: more than the camera sees."""
_BOARDS_PX_PER_MM = 2
"""Resolution of the table's texture."""
_ZOOM = 2
"""The table is drawn at this multiple of the frame's size and reduced; the larger, the smoother and slower."""


class TableWithDice(Protocol):
    """A simulated table with dice, as far as it is drawn here."""

    version: int
    hand: SimulatedHand | None

    @property
    def is_rolling(self) -> bool:
        """Whether a die is in motion."""

    def list_dice(self, back: float = 0.0) -> Sequence[DiePose]:
        """Return the poses of the dice in view, `back` seconds before the last step (for motion blur)."""


TableWithDiceT = TypeVar("TableWithDiceT", bound=TableWithDice)


class TrayRenderer(Generic[TableWithDiceT]):
    """Draws a table with a tray of dice in one appearance. Equal seeds and equal calls give equal frames.

    Args:
        appearance: the appearance.
        seed: seed of textures and noise.
        tray: the tray.
    """

    def __init__(self, appearance: TableAppearance, seed: int, tray: SimulatedTray) -> None:
        rng = np.random.default_rng(seed)
        self.appearance, self._seed, self._tray, self.supersampling = appearance, seed, tray, 3
        self._rng = rng
        self._prepare(rng)
        self._hand = HandSprite(appearance)
        self._boards = draw_boards(appearance, rng)
        self._table = draw_table(appearance, self._boards, rng, tray)
        w, h = appearance.optics.size_px
        grains = rng.standard_normal((h + 64, w + 64, 3), dtype=np.float32)
        grains = 0.8 * cv2.GaussianBlur(grains, (0, 0), 0.5) / 0.55 + 0.3 * grains
        self._noise = np.clip(_BLACK_LEVEL + appearance.noise * grains, 0, 255).astype(np.uint8)
        self._blur_samples = _BLUR_SAMPLES
        self._still: Image = self._table
        self._still_key: object = None
        self._with_dice: Image = self._table
        self._with_dice_key: object = None
        self._resting: dict[object, tuple[Box, Field, Field]] = {}
        self._noiseless: Image = self._table
        self._drawn: TableWithDiceT | None = None
        self._version = -1

    def render(self, table: TableWithDiceT) -> Image:
        """Draw the table as of its last step: a new frame, (H, W, 3) uint8 BGR, in the camera's size."""
        self.render_noiseless(table)
        y, x = self._rng.integers(0, 64, 2)
        h, w = self._noiseless.shape[:2]
        return np.asarray(cv2.add(self._noiseless, self._noise[y : y + h, x : x + w]), dtype=np.uint8)

    def crop(self, area: FrameArea, zoom: float) -> Self:
        """Return a renderer of a part of the same picture, enlarged; it has no noise."""
        part = copy(self)
        part._show_part(replace(self.appearance, optics=self.optics.crop(area, zoom), noise=0.0))
        return part

    def _show_part(self, appearance: TableAppearance) -> None:
        """Draw anew what depends on the camera; the textures are those of the whole frame."""
        self.appearance, self.supersampling, self._blur_samples = appearance, 2, 1
        self._rng = np.random.default_rng(self._seed)
        self._table = draw_table(appearance, self._boards, self._rng, self._tray)
        w, h = appearance.optics.size_px
        self._noise = np.full((h + 64, w + 64, 3), _BLACK_LEVEL, np.uint8)
        self._still_key, self._with_dice_key, self._resting = None, None, {}
        self._drawn, self._version = None, -1

    def render_noiseless(self, table: TableWithDiceT) -> Image:
        """Draw the table as of its last step without the sensor's noise; the same object until something changes."""
        if self._drawn is not table or self._version != table.version:
            self._drawn, self._version = table, table.version
            self._noiseless = self._compose(table)
        return self._noiseless

    @property
    def optics(self) -> Optics:
        """The camera that sees the table."""
        return self.appearance.optics

    def to_table(self, pixel: Point, z: float = 0.0) -> Point:
        """Return the point in mm that is seen at `pixel` on the plane at the height `z`, in mm."""
        return self.appearance.optics.to_table(pixel, z)

    def _prepare(self, rng: np.random.Generator) -> None:
        """Prepare what a subclass draws besides; called before everything else."""

    def _list_dice(self, table: TableWithDiceT, back: float = 0.0) -> Sequence[DiePose]:
        """Return the dice that are drawn, as they lay `back` seconds before the last step."""
        return table.list_dice(back)

    def _get_still_key(self, table: TableWithDiceT) -> object:
        """Return a value that changes when `_draw_objects` draws something else."""
        return ()

    def _draw_objects(self, table: TableWithDiceT) -> Image:
        """Draw the table with what lies still on it besides dice: a new frame."""
        return self._table.copy()

    def _compose(self, table: TableWithDiceT) -> Image:
        """Draw the frame without noise, from the cached layers where they are up to date."""
        key = self._get_still_key(table)
        if key != self._still_key:
            self._still, self._still_key, self._with_dice_key = self._draw_still(table), key, None
        now = self._list_dice(table)
        samples = self._blur_samples if table.is_rolling and len(now) <= _MAX_BLURRED_DICE else 1
        dice = [now, *(self._list_dice(table, EXPOSURE_SECONDS * k / samples) for k in range(1, samples))]
        is_fast = samples > 1 or (table.is_rolling and self._blur_samples == 1)
        dice_key = tuple((pose.center, pose.rotation.tobytes()) for pose in dice[0])
        if dice_key != self._with_dice_key or table.is_rolling:
            self._with_dice, self._with_dice_key = self._still.copy(), dice_key
            for k, pose in enumerate(dice[0]):
                poses = [pose, *(moment[k] for moment in dice[1:])]
                self._draw_die(self._with_dice, poses, is_fast=is_fast)
        box = None if table.hand is None else self._find_hand_box(table.hand)
        if box is None or table.hand is None:
            return self._with_dice
        image = self._with_dice.copy()
        self._draw_hand(image, table.hand, box)
        return image

    def _draw_still(self, table: TableWithDiceT) -> Image:
        """Draw the table without dice, blurred by the lens and with the black level subtracted."""
        image = np.asarray(cv2.GaussianBlur(self._draw_objects(table), (0, 0), self.appearance.blur_px), dtype=np.uint8)
        return np.asarray(cv2.subtract(image, np.full_like(image, _BLACK_LEVEL)), dtype=np.uint8)

    def _draw_die(self, image: Image, poses: list[DiePose], *, is_fast: bool) -> None:
        """Draw a die, blurred between its poses if there are several, and roughly if `is_fast`; in place."""
        appearance, size = self.appearance, self.appearance.die_size_mm
        x, y, z = poses[0].center
        floor = TRAY_FLOOR_MM if self._tray.contains((x, y)) else 0.0
        corners = compute_corners(poses[0].center, poses[0].rotation, 0.46 * size)
        solid = [(a, b, max(floor, c)) for a, b, c in corners]
        lift = z - floor - size / 2
        draw_shadow(
            image,
            appearance.optics.project(cast_shadow_points(appearance, solid, floor)),
            appearance.optics.zoom * (2.5 + 0.15 * lift),
            0.6 / (1.0 + 0.02 * lift),
        )

        light = float(compute_brightness(appearance, x, y))
        if is_fast:
            self._blend_die(image, *self._draw_motion_blur(poses, light))
            return
        key = poses[0].rotation.tobytes(), poses[0].center
        if key not in self._resting:
            box = compute_die_box(poses[0], appearance)
            if len(self._resting) >= _MAX_RESTING_DICE:
                self._resting.clear()
            self._resting[key] = (box, *draw_die(poses[0], appearance, box, self.supersampling, light))
        self._blend_die(image, *self._resting[key])

    def _draw_motion_blur(self, poses: list[DiePose], light: float) -> tuple[Box, Field, Field]:
        """Draw a die in motion: the mean of its poses during the exposure, as its box, premultiplied BGR and cover."""
        boxes = [compute_die_box(pose, self.appearance) for pose in poses]
        x0, y0 = min(b[0] for b in boxes), min(b[1] for b in boxes)
        x1, y1 = max(b[2] for b in boxes), max(b[3] for b in boxes)
        picture, cover = np.zeros((y1 - y0, x1 - x0, 3), np.float32), np.zeros((y1 - y0, x1 - x0), np.float32)
        for pose, (left, top, right, bottom) in zip(poses, boxes, strict=True):
            one, covered = draw_die(pose, self.appearance, (left, top, right, bottom), 1, light)
            here = slice(top - y0, bottom - y0), slice(left - x0, right - x0)
            picture[here] += one / len(poses)
            cover[here] += covered / len(poses)
        return (x0, y0, x1, y1), picture, cover

    def _blend_die(self, image: Image, box: Box, picture: Field, cover: Field) -> None:
        """Blend a die's premultiplied picture into the image, in place, clipped to the frame."""
        x0, y0, x1, y1 = box
        height, width = image.shape[:2]
        inside_x, inside_y = slice(max(0, x0), min(width, x1)), slice(max(0, y0), min(height, y1))
        if inside_x.stop <= inside_x.start or inside_y.stop <= inside_y.start:
            return
        here = slice(inside_y.start - y0, inside_y.stop - y0), slice(inside_x.start - x0, inside_x.stop - x0)
        soft = cv2.GaussianBlur(picture, (0, 0), self.appearance.blur_px)[here]
        share = cv2.GaussianBlur(cover, (0, 0), self.appearance.blur_px)[here][..., None]
        part = image[inside_y, inside_x]
        part[:] = np.clip(part * (1.0 - share) + soft - _BLACK_LEVEL * share, 0, 255)

    def _find_hand_box(self, hand: SimulatedHand) -> Box | None:
        """Return the part of the picture with the hand and its shadow; None: it is out of view."""
        place = compute_hand_transform(hand, self.appearance, HAND_HEIGHT_MM)
        h, w = self._hand.cover.shape
        outline = np.array([(0, 0), (w, 0), (w, h), (0, h)]) @ place[:, :2].T + place[:, 2]
        margin = round(60 * self.optics.zoom)  # the shadow falls beside the hand
        x0, y0 = (max(0, math.floor(c) - margin) for c in outline.min(axis=0))
        size = self.optics.size_px
        x1, y1 = (min(side, math.ceil(c) + margin) for c, side in zip(outline.max(axis=0), size, strict=True))
        return (x0, y0, x1, y1) if x1 > x0 and y1 > y0 else None

    def _draw_hand(self, image: Image, hand: SimulatedHand, box: Box) -> None:
        """Blend the hand and its shadow into a part of the image, in place."""
        place = compute_hand_transform(hand, self.appearance, HAND_HEIGHT_MM)
        x0, y0, x1, y1 = box
        corner = np.array([[0.0, 0.0, x0], [0.0, 0.0, y0]])
        size = x1 - x0, y1 - y0
        # The shadow falls on lid, tray and table; it is drawn at one height between them.
        low = compute_hand_transform(hand, self.appearance, 0.4 * HAND_HEIGHT_MM) - corner
        low[:, 2] += 0.6 * HAND_HEIGHT_MM * 2.0 * np.array(self.appearance.light)
        dark = cv2.convertScaleAbs(cv2.warpAffine(self._hand.shadow, low, size), alpha=-0.45)
        behind = cv2.multiply(255 - dark, 255 - cv2.warpAffine(self._hand.cover, place - corner, size), scale=1 / 255)
        picture = cv2.warpAffine(self._hand.picture, place - corner, size)
        part = image[y0:y1, x0:x1]
        cv2.multiply(part, cv2.cvtColor(behind, cv2.COLOR_GRAY2BGR), dst=part, scale=1 / 255)
        cv2.add(part, picture, dst=part)


def draw_boards(appearance: TableAppearance, rng: np.random.Generator) -> Image:
    """Draw the bare table under the lamp, seen from above, with _BOARDS_PX_PER_MM: (H, W, 3) uint8 BGR."""
    half_width, half_height = _BOARDS_HALF_SIZE_MM
    step = 1 / _BOARDS_PX_PER_MM
    size = 2 * half_width * _BOARDS_PX_PER_MM, 2 * half_height * _BOARDS_PX_PER_MM
    texture = draw_tabletop(appearance.table, appearance.wood, size, rng)
    y, x = np.mgrid[-half_height:half_height:step, -half_width:half_width:step].astype(np.float32)
    lit = np.clip(texture * compute_brightness(appearance, x, y)[..., None], 0, 255)
    return np.asarray(lit, np.uint8)


def draw_table(appearance: TableAppearance, boards: Image, rng: np.random.Generator, tray: SimulatedTray) -> Image:
    """Draw the empty table with its tray: (H, W, 3) uint8 BGR, in the camera's size.

    Args:
        appearance: colours, light and camera.
        boards: the bare table (see `draw_boards`).
        rng: random generator for the tray's texture.
        tray: the tray.
    """
    width, height = appearance.optics.size_px
    size = width * _ZOOM, height * _ZOOM
    (half_width, half_height), step = _BOARDS_HALF_SIZE_MM, 1 / _BOARDS_PX_PER_MM
    to_mm = np.array([[step, 0.0, -half_width], [0.0, step, -half_height], [0.0, 0.0, 1.0]])
    zoom = np.diag([_ZOOM, _ZOOM, 1.0])
    image = np.asarray(
        cv2.warpPerspective(
            boards, zoom @ appearance.optics.plane_homography(0.0) @ to_mm, size, borderMode=cv2.BORDER_REFLECT
        ),
        np.uint8,
    )
    _draw_tray(image, appearance, rng, tray)
    return np.asarray(cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _list_corners(tray: SimulatedTray, margin: float) -> tuple[Point, Point, Point, Point]:
    """List the corners in mm of the tray with a margin in mm, clockwise."""
    (x, y), (a, b) = tray.center, (half + margin for half in tray.half_size)
    return (x - a, y - b), (x + a, y - b), (x + a, y + b), (x - a, y + b)


def _draw_tray(image: Image, appearance: TableAppearance, rng: np.random.Generator, tray: SimulatedTray) -> None:
    """Draw the tray with its rim and shadow into `image`, `_ZOOM` times a frame, in place."""
    inner, outer = _list_corners(tray, 0.0), _list_corners(tray, RIM_WIDTH_MM)

    def pixels(points: list[tuple[float, float, float]]) -> Pixels:
        return _ZOOM * appearance.optics.project(points)

    foot = [(*p, 0.0) for p in outer]
    cast = cast_shadow_points(appearance, [(*p, RIM_HEIGHT_MM) for p in outer], 0.0)
    draw_shadow(image, pixels(foot + cast), 6.0 * _ZOOM * appearance.optics.zoom, 0.55)
    draw_walls(image, appearance, outer, (0.0, RIM_HEIGHT_MM), appearance.rim, _ZOOM)

    _draw_felt(image, appearance, rng, tray, pixels([(*p, TRAY_FLOOR_MM) for p in inner]))
    draw_walls(image, appearance, inner[::-1], (TRAY_FLOOR_MM, RIM_HEIGHT_MM), appearance.rim, _ZOOM)
    for k in range(4):
        a, b, c, d = outer[k], outer[(k + 1) % 4], inner[(k + 1) % 4], inner[k]
        tone = float(compute_brightness(appearance, (a[0] + b[0]) / 2, (a[1] + b[1]) / 2)) * (
            1.0 + 0.06 * rng.uniform(-1.0, 1.0)
        )
        draw_polygon(
            image, pixels([(*p, RIM_HEIGHT_MM) for p in (a, b, c, d)]), scale_colour(appearance.rim, 1.1 * tone)
        )
        seam = pixels([(*a, RIM_HEIGHT_MM), (*d, RIM_HEIGHT_MM)])
        ends = np.round(seam * 16).astype(int)
        cv2.line(image, tuple(ends[0]), tuple(ends[1]), scale_colour(appearance.rim, 0.7 * tone), 1, cv2.LINE_AA, 4)


def _draw_felt(
    image: Image, appearance: TableAppearance, rng: np.random.Generator, tray: SimulatedTray, outline: Pixels
) -> None:
    """Draw the tray's floor, darker in the rim's shadow."""
    draw_polygon(image, outline, scale_colour(appearance.felt, float(compute_brightness(appearance, *tray.center))))
    x, y, w, h = cv2.boundingRect(outline.astype(np.float32))
    # A part of a frame may show a part of the tray.
    left, top = max(0, -x), max(0, -y)
    part = image[y + top : max(0, y + h), x + left : max(0, x + w)]
    if not part.size:
        return
    fibres = cv2.GaussianBlur(rng.standard_normal((h, w), dtype=np.float32), (0, 0), 1.2)
    lit_mask = np.zeros((h, w), np.uint8)
    lit_area = cast_shadow_points(appearance, [(*p, RIM_HEIGHT_MM) for p in _list_corners(tray, 0.0)], TRAY_FLOOR_MM)
    draw_polygon(lit_mask, _ZOOM * appearance.optics.project(lit_area) - (x, y), (255, 255, 255))
    light = cv2.GaussianBlur(lit_mask.astype(np.float32) / 255.0, (0, 0), 5.0 * _ZOOM * appearance.optics.zoom)
    shade = (0.55 + 0.45 * np.asarray(light)) * (1.0 + 0.1 * np.asarray(fibres))
    on_felt = np.zeros((h, w), np.uint8)
    draw_polygon(on_felt, outline - (x, y), (255, 255, 255))
    height, width = part.shape[:2]
    factor = np.where(on_felt > 0, shade, 1.0)[top : top + height, left : left + width, None]
    part[:] = np.clip(part * factor, 0, 255)
