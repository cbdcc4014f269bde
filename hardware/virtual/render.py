"""The virtual table as its camera sees it: a BGR frame, built up layer by layer, each kept until it changes."""

from __future__ import annotations

import math

import cv2
import numpy as np
import numpy.typing as npt

from hardware.virtual.dice import TRAY, TRAY_FLOOR, TRAY_INNER, DiePose
from hardware.virtual.lid import LAYOUTS
from hardware.virtual.light import brightness, fallen, shadow
from hardware.virtual.look import Look
from hardware.virtual.optics import FRAME_SIZE, Point
from hardware.virtual.render_dice import die_box, draw_die
from hardware.virtual.render_hand import HAND_HEIGHT, HandSprite, hand_place
from hardware.virtual.render_lid import LidPainter, paint_token
from hardware.virtual.render_table import draw_table
from hardware.virtual.table import Hand, VirtualTable

Image = npt.NDArray[np.uint8]

EXPOSURE = 1 / 40
"""The camera's exposure time, seconds: how long a rolling die smears."""
_SAMPLES = 4
"""Moments within the exposure that are averaged."""
_BLACK = 10
"""Noise is added on a black level, as sensors do, so that shadows are noisy too."""


class Renderer:
    """Draws a table in one look. Equal seeds and equal calls give equal frames.

    The table's layout must be the look's: build both from one `Look` (see `virtual_table`).
    """

    def __init__(self, look: Look, seed: int = 0) -> None:
        rng = np.random.default_rng(seed)
        self.look = look
        self._rng = rng
        self._lid = LidPainter(look, LAYOUTS[look.layout], rng)
        self._shape = LAYOUTS[look.layout]
        self._hand = HandSprite(look)
        self._table = draw_table(look, rng)
        w, h = FRAME_SIZE
        grains = rng.standard_normal((h + 64, w + 64, 3), dtype=np.float32)
        grains = 0.8 * cv2.GaussianBlur(grains, (0, 0), 0.5) / 0.55 + 0.3 * grains
        self._noise = np.clip(_BLACK + look.noise * grains, 0, 255).astype(np.uint8)
        self._still: Image = self._table
        self._still_key: object = None
        self._diced: Image = self._table
        self._diced_key: object = None
        self._clean: Image = self._table
        self._version: tuple[int, int] | None = None

    def render(self, table: VirtualTable) -> Image:
        """The table as of its last step: a new array, shape (720, 1280, 3)."""
        if self._version != (id(table), table.version):
            self._clean = self._compose(table)
            self._version = (id(table), table.version)
        y, x = self._rng.integers(0, 64, 2)
        w, h = FRAME_SIZE
        return np.asarray(cv2.add(self._clean, self._noise[y : y + h, x : x + w]), dtype=np.uint8)

    def to_table(self, pixel: Point, z: float = 0.0) -> Point:
        """The place in table mm, on the plane at height `z`, that is seen at `pixel`."""
        return self.look.optics.to_table(pixel, z)

    def _compose(self, table: VirtualTable) -> Image:
        key = (id(table), table.board, table.lid)
        if key != self._still_key:
            self._still, self._still_key, self._diced_key = self._draw_still(table), key, None
        dice = [table.dice(EXPOSURE * k / _SAMPLES) for k in range(_SAMPLES if table.rolling else 1)]
        dice_key = tuple((pose.middle, pose.rotation.tobytes()) for pose in dice[0])
        if dice_key != self._diced_key or table.rolling:
            self._diced, self._diced_key = self._still.copy(), dice_key
            for k, pose in enumerate(dice[0]):
                self._draw_die(self._diced, [pose, *(moment[k] for moment in dice[1:])])
        if table.hand is None:
            return self._diced
        image = self._diced.copy()
        self._draw_hand(image, table.hand)
        return image

    def _draw_still(self, table: VirtualTable) -> Image:
        image = self._table.copy()
        for k, lying in enumerate(table.board.aside):
            paint_token(image, self.look, lying, table.aside_place(k), 0.0, self._shape.token_radius)
        self._lid.paint(image, table.board, table.lid)
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), self.look.blur), dtype=np.uint8)
        return np.asarray(cv2.subtract(image, np.full_like(image, _BLACK)), dtype=np.uint8)

    def _draw_die(self, image: Image, poses: list[DiePose]) -> None:
        look, size = self.look, self.look.die_size
        x, y, z = poses[0].middle
        in_tray = abs(x - TRAY[0]) < TRAY_INNER and abs(y - TRAY[1]) < TRAY_INNER
        floor = TRAY_FLOOR if in_tray else 0.0
        half = 0.46 * size
        corners = np.array([(i, j, k) for i in (-half, half) for j in (-half, half) for k in (-half, half)])
        solid = [(float(a), float(b), max(floor, float(c))) for a, b, c in corners @ poses[0].rotation.T + (x, y, z)]
        lift = z - floor - size / 2
        shadow(image, look.optics.project(fallen(look, solid, floor)), 2.5 + 0.15 * lift, 0.6 / (1.0 + 0.02 * lift))

        boxes = [die_box(pose, size, look.optics) for pose in poses]
        x0, y0 = max(0, min(b[0] for b in boxes)), max(0, min(b[1] for b in boxes))
        x1, y1 = min(FRAME_SIZE[0], max(b[2] for b in boxes)), min(FRAME_SIZE[1], max(b[3] for b in boxes))
        if x1 <= x0 or y1 <= y0:
            return
        light = float(brightness(look, x, y))
        drawn = [draw_die(pose, look, (x0, y0, x1, y1), 3 if len(poses) == 1 else 1, light) for pose in poses]
        picture = np.mean([p for p, _ in drawn], axis=0)
        cover = np.mean([c for _, c in drawn], axis=0)
        picture, cover = cv2.GaussianBlur(picture, (0, 0), look.blur), cv2.GaussianBlur(cover, (0, 0), look.blur)
        part = image[y0:y1, x0:x1]
        part[:] = np.clip(part * (1.0 - cover[..., None]) + picture - _BLACK * cover[..., None], 0, 255)

    def _draw_hand(self, image: Image, hand: Hand) -> None:
        place = hand_place(hand, self.look, HAND_HEIGHT)
        h, w = self._hand.cover.shape
        outline = np.array([(0, 0), (w, 0), (w, h), (0, h)]) @ place[:, :2].T + place[:, 2]
        margin = 60  # the shadow falls beside the hand
        x0, y0 = (max(0, math.floor(c) - margin) for c in outline.min(axis=0))
        x1, y1 = (min(side, math.ceil(c) + margin) for c, side in zip(outline.max(axis=0), FRAME_SIZE, strict=True))
        if x1 <= x0 or y1 <= y0:
            return
        here = place - np.array([[0.0, 0.0, x0], [0.0, 0.0, y0]])
        size = x1 - x0, y1 - y0
        low = hand_place(hand, self.look, 20.0)
        low = low - np.array([[0.0, 0.0, x0], [0.0, 0.0, y0]])
        low[:, 2] += 35.0 * 2.0 * np.array(self.look.light)
        dark = 1.0 - 0.45 * cv2.warpAffine(self._hand.shadow, low, size)
        cover = 1.0 - cv2.warpAffine(self._hand.cover, here, size)
        picture = cv2.warpAffine(self._hand.picture, here, size)
        part = image[y0:y1, x0:x1]
        behind = cv2.cvtColor(dark * cover, cv2.COLOR_GRAY2BGR)
        part[:] = cv2.add(cv2.multiply(part, behind, dtype=cv2.CV_32F), picture).astype(np.uint8)
