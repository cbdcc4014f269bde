"""A hand and its sleeve: a sprite shaded as if round, and where the sprite goes in the picture."""

from __future__ import annotations

import math
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.simulation.actions import SimulatedHand
from companion.simulation.macroscope.appearance import Appearance

Image = npt.NDArray[np.uint8]
Field = npt.NDArray[np.float32]
Matrix = npt.NDArray[np.float64]

HAND_HEIGHT_MM = 55.0
"""How far above the table the hand is, mm."""
PIXELS_PER_UNIT = 2.2
"""Pixels of the sprite per millimetre."""
FINGERTIP_ANCHOR = (95.0, 110.0)
"""The point of the sprite, mm, that comes over the hand's target: the palm below the fingers."""
_CUFF = 218
"""Where the sleeve ends, mm from the sprite's top."""
_SIZE = (190, 620)

_Part = tuple[tuple[float, float], tuple[float, float], float, float]
_PARTS: tuple[_Part, ...] = (
    # from, to (mm in the sprite), radius at either end; drawn as round cones
    ((95, 150), (95, 210), 31, 27),  # wrist
    ((78, 118), (112, 120), 40, 38),  # palm
    ((95, 148), (95, 120), 38, 40),
    ((63, 96), (52, 30), 10.5, 8.0),  # index
    ((84, 86), (80, 12), 11.0, 8.5),
    ((105, 88), (109, 18), 10.5, 8.0),
    ((126, 98), (138, 42), 9.5, 7.0),  # little finger
    ((62, 138), (26, 98), 14.0, 11.0),  # thumb
    ((26, 98), (20, 76), 11.0, 9.0),
)
_SLEEVE: tuple[_Part, ...] = (((95, 232), (95, 700), 38, 52),)


def _draw_relief(parts: tuple[_Part, ...]) -> Field:
    """Height over the plane, mm, of round cones; 0 where there is nothing."""
    w, h = round(_SIZE[0] * PIXELS_PER_UNIT), round(_SIZE[1] * PIXELS_PER_UNIT)
    x, y = np.meshgrid(
        np.arange(w, dtype=np.float32) / PIXELS_PER_UNIT, np.arange(h, dtype=np.float32) / PIXELS_PER_UNIT
    )
    relief = np.zeros((h, w), np.float32)
    for (ax, ay), (bx, by), ra, rb in parts:
        dx, dy = bx - ax, by - ay
        t = np.clip(((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy), 0.0, 1.0)
        radius = ra + t * (rb - ra)
        distance = (x - ax - t * dx) ** 2 + (y - ay - t * dy) ** 2
        relief = np.maximum(relief, np.sqrt(np.maximum(radius**2 - distance, 0.0)) * min(1.0, 22.0 / ra))
    return relief


class HandSprite:
    """The hand's picture (BGR, premultiplied), its cover and its soft shadow (0 to 255), all of one size."""

    def __init__(self, appearance: Appearance) -> None:
        skin, sleeve = _draw_relief(_PARTS), _draw_relief(_SLEEVE)
        sleeve[: round(_CUFF * PIXELS_PER_UNIT)] = 0.0
        clothed = sleeve > 0.0
        relief = np.where(clothed, sleeve, skin)
        cover = cv2.GaussianBlur((relief > 0.0).astype(np.float32), (0, 0), 1.2)
        soft = cv2.GaussianBlur(relief, (0, 0), 2.0 * PIXELS_PER_UNIT)
        dx, dy = (
            cv2.Sobel(soft, cv2.CV_32F, 1, 0, scale=PIXELS_PER_UNIT / 8),
            cv2.Sobel(soft, cv2.CV_32F, 0, 1, scale=PIXELS_PER_UNIT / 8),
        )
        facing = 1.0 / np.sqrt(1.0 + dx * dx + dy * dy)
        side = (dx * appearance.light[0] + dy * appearance.light[1]) * facing
        shade = appearance.brightness * np.clip(0.45 + 0.55 * facing + 0.28 * side, 0.2, 1.15)
        colour = np.where(
            clothed[..., None], np.array(appearance.sleeve, np.float32), np.array(appearance.skin, np.float32)
        )
        colour = cv2.GaussianBlur(colour, (0, 0), 1.0) * shade[..., None]
        self.cover = _to_bytes(255.0 * cover)
        self.picture = _to_bytes(np.minimum(colour, 255.0) * cover[..., None])
        self.shadow = _to_bytes(255.0 * np.asarray(cv2.GaussianBlur(cover, (0, 0), 7.0 * PIXELS_PER_UNIT)))


def _to_bytes(field: npt.NDArray[Any]) -> Image:
    return np.clip(np.round(field), 0, 255).astype(np.uint8)


def compute_hand_transform(hand: SimulatedHand, appearance: Appearance, height: float) -> Matrix:
    """The affine map, 2x3, from the sprite's pixels to the frame's, for the hand at `height` mm.

    The arm comes from below the picture and slides along itself as `reach` grows.
    """
    shoulder = (0.55 * hand.target[0], 620.0)
    way = hand.target[0] - shoulder[0], hand.target[1] - shoulder[1]
    length = math.hypot(*way)
    away = (1.0 - hand.reach) * (330.0 + max(0.0, -hand.target[1]))
    tip = hand.target[0] - away * way[0] / length, hand.target[1] - away * way[1] / length
    unit = (tip[0] + way[0] / length, tip[1] + way[1] / length)
    (u, v), (u1, v1) = appearance.optics.project([(*tip, height), (*unit, height)])
    ax, ay = (u1 - u) / PIXELS_PER_UNIT, (v1 - v) / PIXELS_PER_UNIT  # the sprite's upward direction, pixels per pixel
    turn = np.array([[-ay, -ax], [ax, -ay]])
    anchor = turn @ (np.array(FINGERTIP_ANCHOR) * PIXELS_PER_UNIT)
    return np.column_stack([turn, np.array([u, v]) - anchor])
