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
        solid = np.zeros((h, w), np.uint8)
        solid[_MARGIN:-_MARGIN, _MARGIN:-_MARGIN] = 255
        edge = np.where(solid > 0, 255 - cv2.GaussianBlur(solid, (0, 0), 3.0), 0)[..., None] * 0.12
        self._body = np.clip(body + edge, 0, 255).astype(np.uint8)
        self._solid = solid
        # What surrounds an open window below the lid's top, wide enough for what is seen aslant.
        side = 2 * round((shape.window_radius + 8.0) * SCALE)
        self._around = disc(side, (shape.window_radius + 7.0) * SCALE)
        hole = disc(side, shape.window_radius * SCALE)
        wall = np.full((side, side, 3), scaled(look.lid, 0.55), np.uint8)
        self._hole, self._wall = hole, cv2.merge([*cv2.split(wall), cv2.subtract(self._around, hole)])

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

        open_windows = [w for w, covering in enumerate(board.windows) if covering is None]
        cover = self._solid
        if open_windows:
            cover = cover.copy()
            shadow_on_card = self._shadow_on_card(pose)
        for window in open_windows:
            x, y = (round(c * 16) for c in self._pixel(self._shape.windows[window]))
            cv2.circle(cover, (x, y), round(self._shape.window_radius * SCALE * 16), 0, -1, cv2.LINE_AA, 4)
            self._paint_depth(frame, board.card, window, pose, shadow_on_card)
        lit = cv2.multiply(self._body, self._shade(pose), scale=1 / 200)
        top = cv2.merge([*cv2.split(lit), cover])
        lay(frame, top, look.optics.plane(LID_HEIGHT) @ _placed(pose) @ self._to_lid)
        for window, covering in enumerate(board.windows):
            if covering is not None:
                at = pose.to_table(self._shape.windows[window])
                turned = Token(covering.number, covering.angle + pose.angle)
                paint_token(frame, look, turned, at, LID_HEIGHT, self._shape.token_radius)

    def _paint_depth(self, frame: Image, number: int, window: int, pose: LidPose, shade: Picture) -> None:
        """What is seen through an open window: the card in the lid's shadow, and the window's wall."""
        side = self._hole.shape[0]
        middle = self._shape.windows[window]
        x, y = (round(c - side / 2 + 0.5) for c in self._pixel(middle))
        picture = cv2.getRectSubPix(_card_picture(number, self._size), (side, side), (x + side / 2, y + side / 2))
        dark = cv2.multiply(picture, shade, scale=1 / 255)
        m = side / 2 - 0.5
        here = np.array([[1 / SCALE, 0.0, middle[0] - m / SCALE], [0.0, 1 / SCALE, middle[1] - m / SCALE], [0, 0, 1]])
        light = float(brightness(self._look, *pose.to_table(middle)))
        optics = self._look.optics
        card_plane = optics.plane(LID_HEIGHT - CARD_DEPTH) @ _placed(pose) @ here
        lay(frame, cv2.merge([*cv2.split(dark), self._around]), card_plane, light)
        lay(frame, self._wall, optics.plane(LID_HEIGHT - BOARD_THICKNESS) @ _placed(pose) @ here, light)

    def _shade(self, pose: LidPose) -> Image:
        """The lamp's light on the lid's flat picture, 200 for a factor of 1; BGR."""
        w, h = self._shape.size
        places = [pose.to_table((x, y)) for y in np.linspace(-h / 2, h / 2, 10) for x in np.linspace(-w / 2, w / 2, 12)]
        x, y = np.array(places).T.reshape(2, 10, 12)
        coarse = np.clip(200.0 * 1.06 * brightness(self._look, x, y), 0, 255).astype(np.uint8)
        return np.asarray(cv2.cvtColor(cv2.resize(coarse, self._size), cv2.COLOR_GRAY2BGR), dtype=np.uint8)

    def _shadow_on_card(self, pose: LidPose) -> Picture:
        """The light that falls through a window onto the card, 255 for all; BGR, around the window's middle."""
        lx, ly = self._look.light
        dx, dy = LidPose(0.0, 0.0, -pose.angle).to_table((lx * CARD_DEPTH * SCALE, ly * CARD_DEPTH * SCALE))
        fallen_in = cv2.warpAffine(self._hole, np.array([[1.0, 0.0, dx], [0.0, 1.0, dy]]), self._hole.shape)
        light = cv2.convertScaleAbs(cv2.blur(fallen_in, (21, 21)), alpha=0.55, beta=110)
        return cv2.cvtColor(light, cv2.COLOR_GRAY2BGR)


def _placed(pose: LidPose) -> Matrix:
    """Lid millimetres to table millimetres, homogeneous."""
    c, s = math.cos(math.radians(pose.angle)), math.sin(math.radians(pose.angle))
    return np.array([[c, -s, pose.x], [s, c, pose.y], [0.0, 0.0, 1.0]])


@lru_cache(maxsize=4)
def _card_picture(number: int, size: tuple[int, int]) -> Image:
    return card(number, size)


@lru_cache(maxsize=64)
def _token_picture(look: Look, number: int, size: int, radius: float) -> tuple[Picture, Picture]:
    """A token's face and its edge, BGR and cover."""
    cover = disc(size, radius)
    edge = np.full((size, size, 3), scaled(look.token, 0.6), np.uint8)
    face = token(number, size, look.token, look.digit)
    return cv2.merge([*cv2.split(face), cover]), cv2.merge([*cv2.split(edge), cover])


def lay(frame: Image, picture: Picture, to_frame: Matrix, light: float = 1.0) -> None:
    """Warps a BGRA `picture`, brightened by `light`, by the homography and blends it into `frame`."""
    h, w = picture.shape[:2]
    outline = cv2.perspectiveTransform(np.array([[(0, 0), (w, 0), (w, h), (0, h)]], np.float64), to_frame)[0]
    x0, y0 = (max(0, math.floor(c)) for c in outline.min(axis=0))
    x1, y1 = (min(limit, math.ceil(c) + 1) for c, limit in zip(outline.max(axis=0), frame.shape[1::-1], strict=True))
    if x1 <= x0 or y1 <= y0:
        return
    here = np.array([[1.0, 0.0, -x0], [0.0, 1.0, -y0], [0.0, 0.0, 1.0]]) @ to_frame
    warped = cv2.warpPerspective(picture, here, (x1 - x0, y1 - y0))
    colour = cv2.cvtColor(warped, cv2.COLOR_BGRA2BGR)
    if light != 1.0:
        colour = cv2.convertScaleAbs(colour, alpha=light)
    share = cv2.extractChannel(warped, 3).astype(np.float32) * np.float32(1 / 255)
    part = frame[y0:y1, x0:x1]
    part[:] = cv2.blendLinear(colour, part, share, 1.0 - share)


def paint_token(frame: Image, look: Look, what: Token, at: Point, z: float, radius: float) -> None:
    """A token lying on the plane at height `z`, its middle at table millimetres `at`, turned by its angle."""
    optics = look.optics
    size = 2 * round((radius + 1.0) * SCALE)
    face, edge = _token_picture(look, what.number, size, radius * SCALE)
    m = (size / 2 - 0.5) / SCALE
    on_table = _placed(LidPose(*at, what.angle)) @ np.array([[1 / SCALE, 0, -m], [0, 1 / SCALE, -m], [0, 0, 1]])
    light = float(brightness(look, *at)) * (1.06 if z > 0.0 else 1.0)
    around = [(at[0] + radius * math.cos(t), at[1] + radius * math.sin(t)) for t in np.linspace(0, 6.1, 20)]
    cast = fallen(look, [(*p, z + TOKEN_HEIGHT) for p in around], z)
    shadow(frame, optics.project(cast), 2.5, 0.5)
    lay(frame, edge, optics.plane(z + 0.4 * TOKEN_HEIGHT) @ on_table, light)
    lay(frame, face, optics.plane(z + TOKEN_HEIGHT) @ on_table, light)
