"""The lid, the card under its windows and the tokens, laid into a frame plane by plane from below."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from hardware.virtual.board import Board, Token
from hardware.virtual.lid import CARD_DEPTH, LID_HEIGHT, TOKEN_HEIGHT, LidPose, LidShape, Point
from hardware.virtual.light import Image, brightness, fallen, scaled, shadow, walls
from hardware.virtual.look import Look
from hardware.virtual.textures import card, disc, smooth_noise, token

Matrix = npt.NDArray[np.float64]
Picture = npt.NDArray[np.integer[Any] | np.floating[Any]]
"""As OpenCV's functions return it; here always uint8, BGR."""

SCALE = 3.0
"""Pixels per millimetre of the flat pictures."""
BOARD_THICKNESS = 3.0
"""Of the lid's cardboard, mm: what is seen of a window's wall."""
_MARGIN = 6
"""Pixels around the lid's flat picture, transparent."""


class LidPainter:
    """Paints one shape of lid in one look."""

    def __init__(self, look: Look, shape: LidShape, rng: np.random.Generator) -> None:
        self._look, self._shape = look, shape
        w, h = (round(side * SCALE) + 2 * _MARGIN for side in shape.size)
        self._size = w, h
        self._to_lid = np.array(
            [
                [1 / SCALE, 0.0, -(shape.size[0] / 2) - (_MARGIN - 0.5) / SCALE],
                [0.0, 1 / SCALE, -(shape.size[1] / 2) - (_MARGIN - 0.5) / SCALE],
                [0.0, 0.0, 1.0],
            ]
        )
        grain = 1.0 + 0.025 * rng.standard_normal((h, w)) + 0.03 * smooth_noise((w, h), (14, 11), rng)
        body = np.clip(grain[..., None] * np.array(look.lid), 0, 255).astype(np.uint8)
        arrow = np.round(np.array([self._pixel(p) for p in shape.arrow]) * 16).astype(np.int32)
        cv2.fillConvexPoly(body, arrow, look.arrow, cv2.LINE_AA, 4)
        for stud in shape.studs:
            x, y = (round(c * 16) for c in self._pixel(stud))
            cv2.circle(body, (x, y), round(5.0 * SCALE * 16), look.stud, -1, cv2.LINE_AA, 4)
        self._body = body
        self._solid = np.zeros((h, w), np.uint8)
        self._solid[_MARGIN:-_MARGIN, _MARGIN:-_MARGIN] = 255
        bright = cv2.GaussianBlur(self._solid, (0, 0), 3.0)
        edge = np.where(self._solid > 0, 255 - bright, 0)[..., None] * 0.12
        self._body = np.clip(body + edge, 0, 255).astype(np.uint8)

    def _pixel(self, point: Point) -> Point:
        """Lid millimetres to pixels of the flat picture."""
        w, h = self._shape.size
        return (point[0] + w / 2) * SCALE + _MARGIN - 0.5, (point[1] + h / 2) * SCALE + _MARGIN - 0.5

    def paint(self, frame: Image, board: Board, pose: LidPose) -> None:
        """Lays the lid with its tokens into `frame`, in place."""
        look, optics = self._look, self._look.optics
        corners = [pose.to_table(c) for c in self._shape.corners]
        foot = [(*c, 0.0) for c in corners]
        cast = fallen(look, [(*c, LID_HEIGHT) for c in corners], 0.0)
        shadow(frame, optics.project(foot + cast), 9.0, 0.5)
        shadow(frame, optics.project(foot), 4.0, 0.35)
        walls(frame, look, corners, (0.0, LID_HEIGHT), look.lid)

        shade = self._shade(pose)
        holes = self._solid.copy()
        for window, covering in enumerate(board.windows):
            if covering is None:
                x, y = (round(c * 16) for c in self._pixel(self._shape.windows[window]))
                cv2.circle(holes, (x, y), round(self._shape.window_radius * SCALE * 16), 0, -1, cv2.LINE_AA, 4)
        if None in board.windows:
            under = self._card(board.card, holes, pose)
            self._lay(frame, cv2.multiply(under, shade, scale=1 / 200), self._solid, pose, LID_HEIGHT - CARD_DEPTH)
            wall = cv2.convertScaleAbs(self._body, alpha=0.55)
            wall = cv2.multiply(wall, shade, scale=1 / 200)
            self._lay(frame, wall, holes, pose, LID_HEIGHT - BOARD_THICKNESS)
        self._lay(frame, cv2.multiply(self._body, shade, scale=1 / 200), holes, pose, LID_HEIGHT)
        for window, covering in enumerate(board.windows):
            if covering is not None:
                at = pose.to_table(self._shape.windows[window])
                turned = Token(covering.number, covering.angle + pose.angle)
                paint_token(frame, look, turned, at, LID_HEIGHT, self._shape.token_radius)

    def _shade(self, pose: LidPose) -> Image:
        """The lamp's light on the lid's flat picture, 200 for a factor of 1; BGR."""
        w, h = self._shape.size
        places = [pose.to_table((x, y)) for y in np.linspace(-h / 2, h / 2, 10) for x in np.linspace(-w / 2, w / 2, 12)]
        x, y = np.array(places).T.reshape(2, 10, 12)
        coarse = np.clip(200.0 * 1.06 * brightness(self._look, x, y), 0, 255).astype(np.uint8)
        return np.asarray(cv2.cvtColor(cv2.resize(coarse, self._size), cv2.COLOR_GRAY2BGR), dtype=np.uint8)

    def _card(self, number: int, holes: Image, pose: LidPose) -> Image:
        """The card's flat picture with the lid's shadow on it."""
        lx, ly = self._look.light
        back = LidPose(0.0, 0.0, -pose.angle).to_table((lx * CARD_DEPTH * SCALE, ly * CARD_DEPTH * SCALE))
        shift = np.array([[1.0, 0.0, back[0]], [0.0, 1.0, back[1]]])
        shut = cv2.warpAffine(holes, shift, self._size, borderValue=255)
        light = cv2.convertScaleAbs(cv2.blur(shut, (21, 21)), alpha=-0.5, beta=0)
        light = 235 - light
        return np.asarray(
            cv2.multiply(_card_picture(number, self._size), cv2.cvtColor(light, cv2.COLOR_GRAY2BGR), scale=1 / 255),
            dtype=np.uint8,
        )

    def _lay(self, frame: Image, picture: Picture, cover: Image, pose: LidPose, z: float) -> None:
        """Warps a flat picture of the lid onto the plane at height `z`."""
        c, s = math.cos(math.radians(pose.angle)), math.sin(math.radians(pose.angle))
        turned = np.array([[c, -s, pose.x], [s, c, pose.y], [0.0, 0.0, 1.0]])
        lay(frame, picture, cover, self._look.optics.plane(z) @ turned @ self._to_lid)


@lru_cache(maxsize=4)
def _card_picture(number: int, size: tuple[int, int]) -> Image:
    return card(number, size)


@lru_cache(maxsize=64)
def _token_picture(look: Look, number: int, size: int) -> Image:
    return token(number, size, look.token, look.digit)


def lay(frame: Image, picture: Picture, cover: Image, to_frame: Matrix) -> None:
    """Warps `picture` by the homography and blends it into `frame` where the warped `cover` (0 to 255) says so."""
    h, w = picture.shape[:2]
    outline = cv2.perspectiveTransform(np.array([[(0, 0), (w, 0), (w, h), (0, h)]], np.float64), to_frame)[0]
    x0, y0 = (max(0, math.floor(c)) for c in outline.min(axis=0))
    x1, y1 = (min(limit, math.ceil(c) + 1) for c, limit in zip(outline.max(axis=0), frame.shape[1::-1], strict=True))
    if x1 <= x0 or y1 <= y0:
        return
    here = np.array([[1.0, 0.0, -x0], [0.0, 1.0, -y0], [0.0, 0.0, 1.0]]) @ to_frame
    size = x1 - x0, y1 - y0
    warped = cv2.warpPerspective(picture, here, size, borderMode=cv2.BORDER_REPLICATE)
    share = cv2.warpPerspective(cover, here, size).astype(np.float32)
    share *= np.float32(1 / 255)
    part = frame[y0:y1, x0:x1]
    part[:] = cv2.blendLinear(warped, part, share, 1.0 - share)


def paint_token(frame: Image, look: Look, what: Token, at: Point, z: float, radius: float) -> None:
    """A token lying on the plane at height `z`, its middle at table millimetres `at`, turned by its angle."""
    optics = look.optics
    size = 2 * round((radius + 1.0) * SCALE)
    a = math.radians(what.angle)
    c, s = math.cos(a) / SCALE, math.sin(a) / SCALE
    m = size / 2 - 0.5
    placed = np.array([[c, -s, at[0] - c * m + s * m], [s, c, at[1] - s * m - c * m], [0.0, 0.0, 1.0]])
    light = float(brightness(look, *at)) * (1.06 if z > 0.0 else 1.0)
    cover = disc(size, radius * SCALE)
    round_about = [(at[0] + radius * math.cos(t), at[1] + radius * math.sin(t)) for t in np.linspace(0, 6.1, 20)]
    cast = fallen(look, [(*p, z + TOKEN_HEIGHT) for p in round_about], z)
    shadow(frame, optics.project(cast), 2.5, 0.5)
    side = np.full((size, size, 3), scaled(look.token, 0.6 * light), np.uint8)
    lay(frame, side, cover, optics.plane(z) @ placed)
    lay(frame, side, cover, optics.plane(z + 0.5 * TOKEN_HEIGHT) @ placed)
    face = cv2.convertScaleAbs(_token_picture(look, what.number, size), alpha=light)
    lay(frame, face, cover, optics.plane(z + TOKEN_HEIGHT) @ placed)
