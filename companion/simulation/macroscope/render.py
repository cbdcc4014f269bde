"""The virtual table as its camera sees it: a BGR frame, built up layer by layer, each kept until it changes."""

from __future__ import annotations

import math

import cv2
import numpy as np
import numpy.typing as npt

from companion.simulation.actions import SimulatedHand
from companion.simulation.light import cast_shadow_points, compute_brightness, draw_shadow
from companion.simulation.macroscope.appearance import Appearance
from companion.simulation.macroscope.board import SimulatedToken
from companion.simulation.macroscope.dice import TRAY_CENTER_MM, TRAY_FLOOR_MM, TRAY_HALF_WIDTH_MM, DiePose
from companion.simulation.macroscope.lid import LAYOUTS
from companion.simulation.macroscope.render_dice import Box, Field, compute_die_box, draw_die
from companion.simulation.macroscope.render_lid import LidPainter
from companion.simulation.macroscope.render_planes import draw_token
from companion.simulation.macroscope.render_table import draw_table
from companion.simulation.macroscope.table import MacroscopeTable
from companion.simulation.optics import FRAME_SIZE_PX, Point
from companion.simulation.render_hand import HAND_HEIGHT_MM, HandSprite, compute_hand_transform

Image = npt.NDArray[np.uint8]

EXPOSURE_SECONDS = 1 / 40
"""The camera's exposure time, seconds: how long a rolling die smears."""
_BLUR_SAMPLES = 3
"""Moments within the exposure that are averaged."""
_BLACK = 10
"""Noise is added on a black level, as sensors do, so that shadows are noisy too."""


class MacroscopeRenderer:
    """Draws a table in one appearance. Equal seeds and equal calls give equal frames.

    The table's layout must be the appearance's: build both from one `Look` (see `virtual_table`).
    """

    def __init__(self, appearance: Appearance, seed: int = 0) -> None:
        rng = np.random.default_rng(seed)
        self.appearance = appearance
        self._rng = rng
        self._lid = LidPainter(appearance, LAYOUTS[appearance.layout], rng)
        self._shape = LAYOUTS[appearance.layout]
        self._hand = HandSprite(appearance)
        self._table = draw_table(appearance, rng)
        w, h = FRAME_SIZE_PX
        grains = rng.standard_normal((h + 64, w + 64, 3), dtype=np.float32)
        grains = 0.8 * cv2.GaussianBlur(grains, (0, 0), 0.5) / 0.55 + 0.3 * grains
        self._noise = np.clip(_BLACK + appearance.noise * grains, 0, 255).astype(np.uint8)
        self._aside: Image = self._table
        self._aside_key: tuple[SimulatedToken, ...] = ()
        self._still: Image = self._table
        self._still_key: object = None
        self._diced: Image = self._table
        self._diced_key: object = None
        self._resting: dict[object, tuple[Box, Field, Field]] = {}
        self._clean: Image = self._table
        self._drawn: MacroscopeTable | None = None
        self._version = -1

    def render(self, table: MacroscopeTable) -> Image:
        """The table as of its last step: a new array, shape (720, 1280, 3)."""
        if self._drawn is not table or self._version != table.version:
            self._drawn, self._version = table, table.version
            self._clean = self._compose(table)
        y, x = self._rng.integers(0, 64, 2)
        w, h = FRAME_SIZE_PX
        return np.asarray(cv2.add(self._clean, self._noise[y : y + h, x : x + w]), dtype=np.uint8)

    def to_table(self, pixel: Point, z: float = 0.0) -> Point:
        """The place in table mm, on the plane at height `z`, that is seen at `pixel`."""
        return self.appearance.optics.to_table(pixel, z)

    def _compose(self, table: MacroscopeTable) -> Image:
        key = (table.board, table.lid)
        if key != self._still_key:
            self._still, self._still_key, self._diced_key = self._draw_still(table), key, None
        dice = [
            table.list_dice(EXPOSURE_SECONDS * k / _BLUR_SAMPLES)
            for k in range(_BLUR_SAMPLES if table.is_rolling else 1)
        ]
        dice_key = tuple((pose.center, pose.rotation.tobytes()) for pose in dice[0])
        if dice_key != self._diced_key or table.is_rolling:
            self._diced, self._diced_key = self._still.copy(), dice_key
            for k, pose in enumerate(dice[0]):
                self._draw_die(self._diced, [pose, *(moment[k] for moment in dice[1:])])
        if table.hand is None:
            return self._diced
        image = self._diced.copy()
        self._draw_hand(image, table.hand)
        return image

    def _draw_still(self, table: MacroscopeTable) -> Image:
        if table.board.removed_tokens != self._aside_key:
            self._aside, self._aside_key = self._table.copy(), table.board.removed_tokens
            for k, lying in enumerate(table.board.removed_tokens):
                draw_token(self._aside, self.appearance, lying, table.locate_removed_token(k), self._shape.token_radius)
        image = self._aside.copy()
        self._lid.paint(image, table.board, table.lid)
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), self.appearance.blur_px), dtype=np.uint8)
        return np.asarray(cv2.subtract(image, np.full_like(image, _BLACK)), dtype=np.uint8)

    def _draw_die(self, image: Image, poses: list[DiePose]) -> None:
        appearance, size = self.appearance, self.appearance.die_size_mm
        x, y, z = poses[0].center
        in_tray = abs(x - TRAY_CENTER_MM[0]) < TRAY_HALF_WIDTH_MM and abs(y - TRAY_CENTER_MM[1]) < TRAY_HALF_WIDTH_MM
        floor = TRAY_FLOOR_MM if in_tray else 0.0
        half = 0.46 * size
        corners = np.array([(i, j, k) for i in (-half, half) for j in (-half, half) for k in (-half, half)])
        solid = [(float(a), float(b), max(floor, float(c))) for a, b, c in corners @ poses[0].rotation.T + (x, y, z)]
        lift = z - floor - size / 2
        draw_shadow(
            image,
            appearance.optics.project(cast_shadow_points(appearance, solid, floor)),
            2.5 + 0.15 * lift,
            0.6 / (1.0 + 0.02 * lift),
        )

        light = float(compute_brightness(appearance, x, y))
        if len(poses) > 1:
            self._blend_die(image, *self._smeared(poses, light))
            return
        key = poses[0].rotation.tobytes(), poses[0].center
        if key not in self._resting:
            box = compute_die_box(poses[0], size, appearance.optics)
            if len(self._resting) > 8:
                self._resting.clear()
            self._resting[key] = (box, *draw_die(poses[0], appearance, box, 3, light))
        self._blend_die(image, *self._resting[key])

    def _smeared(self, poses: list[DiePose], light: float) -> tuple[Box, Field, Field]:
        """A die in motion: the mean of its poses during the exposure."""
        boxes = [compute_die_box(pose, self.appearance.die_size_mm, self.appearance.optics) for pose in poses]
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
        x0, y0, x1, y1 = box
        inside_x, inside_y = slice(max(0, x0), min(FRAME_SIZE_PX[0], x1)), slice(max(0, y0), min(FRAME_SIZE_PX[1], y1))
        if inside_x.stop <= inside_x.start or inside_y.stop <= inside_y.start:
            return
        here = slice(inside_y.start - y0, inside_y.stop - y0), slice(inside_x.start - x0, inside_x.stop - x0)
        soft = cv2.GaussianBlur(picture, (0, 0), self.appearance.blur_px)[here]
        share = cv2.GaussianBlur(cover, (0, 0), self.appearance.blur_px)[here][..., None]
        part = image[inside_y, inside_x]
        part[:] = np.clip(part * (1.0 - share) + soft - _BLACK * share, 0, 255)

    def _draw_hand(self, image: Image, hand: SimulatedHand) -> None:
        place = compute_hand_transform(hand, self.appearance, HAND_HEIGHT_MM)
        h, w = self._hand.cover.shape
        outline = np.array([(0, 0), (w, 0), (w, h), (0, h)]) @ place[:, :2].T + place[:, 2]
        margin = 60  # the shadow falls beside the hand
        x0, y0 = (max(0, math.floor(c) - margin) for c in outline.min(axis=0))
        x1, y1 = (min(side, math.ceil(c) + margin) for c, side in zip(outline.max(axis=0), FRAME_SIZE_PX, strict=True))
        if x1 <= x0 or y1 <= y0:
            return
        corner = np.array([[0.0, 0.0, x0], [0.0, 0.0, y0]])
        size = x1 - x0, y1 - y0
        # The shadow lies on lid, tray and table alike; one height between them will do.
        low = compute_hand_transform(hand, self.appearance, 0.4 * HAND_HEIGHT_MM) - corner
        low[:, 2] += 0.6 * HAND_HEIGHT_MM * 2.0 * np.array(self.appearance.light)
        dark = cv2.convertScaleAbs(cv2.warpAffine(self._hand.shadow, low, size), alpha=-0.45)
        behind = cv2.multiply(255 - dark, 255 - cv2.warpAffine(self._hand.cover, place - corner, size), scale=1 / 255)
        picture = cv2.warpAffine(self._hand.picture, place - corner, size)
        part = image[y0:y1, x0:x1]
        cv2.multiply(part, cv2.cvtColor(behind, cv2.COLOR_GRAY2BGR), dst=part, scale=1 / 255)
        cv2.add(part, picture, dst=part)
