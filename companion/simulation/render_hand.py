"""A hand with its sleeve: a shaded sprite and its transform into the frame."""

import math
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.simulation.actions import SimulatedHand
from companion.simulation.appearance import TableAppearance

Image = npt.NDArray[np.uint8]
Field = npt.NDArray[np.float32]
Matrix = npt.NDArray[np.float64]

HAND_HEIGHT_MM = 55.0
"""Height of the hand above the table in mm; the higher, the larger it appears and the farther its shadow falls."""
PIXELS_PER_UNIT = 2.2
"""Resolution of the sprite in pixels per mm."""
FINGERTIP_ANCHOR = (95.0, 110.0)
"""The point of the sprite, in mm, that is placed over the hand's target: the palm below the fingers."""
_CUFF_MM = 218
"""Distance of the sleeve's end from the sprite's top in mm; the larger, the more of the wrist is bare."""
_SPRITE_SIZE_MM = (190, 620)
"""Width and height of the sprite in mm."""

_Part = tuple[tuple[float, float], tuple[float, float], float, float]
"""A round cone: its two ends in mm of the sprite, and the radius in mm at each end."""
_HAND_PARTS: tuple[_Part, ...] = (
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
    """Draw the height of round cones above the plane in mm, (H, W) float32; 0 outside the cones."""
    w, h = round(_SPRITE_SIZE_MM[0] * PIXELS_PER_UNIT), round(_SPRITE_SIZE_MM[1] * PIXELS_PER_UNIT)
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
    """The picture of a hand in one appearance.

    Attributes:
        picture: (H, W, 3) uint8 BGR, premultiplied by the cover.
        cover: (H, W) uint8, 255 where the hand hides the table.
        shadow: (H, W) uint8, 255 in the core of the soft shadow.
    """

    def __init__(self, appearance: TableAppearance) -> None:
        skin, sleeve = _draw_relief(_HAND_PARTS), _draw_relief(_SLEEVE)
        sleeve[: round(_CUFF_MM * PIXELS_PER_UNIT)] = 0.0
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
    """Round to uint8; values are clamped to 0 to 255."""
    return np.clip(np.round(field), 0, 255).astype(np.uint8)


def compute_hand_transform(hand: SimulatedHand, appearance: TableAppearance, height: float) -> Matrix:
    """Compute the (2, 3) affine transform from the sprite's pixels to the frame's.

    The arm comes from below the picture and slides along its own axis as `hand.reach` grows.

    Args:
        hand: the hand's target and reach.
        appearance: the camera.
        height: height of the hand, or of its shadow, above the table in mm.
    """
    shoulder = (0.55 * hand.target[0], 620.0)
    direction = hand.target[0] - shoulder[0], hand.target[1] - shoulder[1]
    length = math.hypot(*direction)
    distance = (1.0 - hand.reach) * (330.0 + max(0.0, -hand.target[1]))
    tip = hand.target[0] - distance * direction[0] / length, hand.target[1] - distance * direction[1] / length
    unit = (tip[0] + direction[0] / length, tip[1] + direction[1] / length)
    (u, v), (u1, v1) = appearance.optics.project([(*tip, height), (*unit, height)])
    ax, ay = (u1 - u) / PIXELS_PER_UNIT, (v1 - v) / PIXELS_PER_UNIT  # the sprite's upward direction, pixels per pixel
    rotation = np.array([[-ay, -ax], [ax, -ay]])
    anchor = rotation @ (np.array(FINGERTIP_ANCHOR) * PIXELS_PER_UNIT)
    return np.column_stack([rotation, np.array([u, v]) - anchor])
