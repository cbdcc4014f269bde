"""Flat things laid into a frame: warped onto their plane and blended; tokens among them."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.simulation.light import Image, brightness, fallen, scaled, shadow
from companion.simulation.macroscope.appearance import Look
from companion.simulation.macroscope.board import Token
from companion.simulation.macroscope.lid import TOKEN_HEIGHT, LidPose, Point
from companion.simulation.macroscope.textures import disc, token

Matrix = npt.NDArray[np.float64]
Picture = npt.NDArray[np.integer[Any] | np.floating[Any]]
"""As OpenCV's functions return it; here always uint8."""

SCALE = 3.0
"""Pixels per millimetre of the flat pictures."""


def placed(pose: LidPose) -> Matrix:
    """The pose as a matrix, 3x3: millimetres of what lies there to table millimetres."""
    c, s = math.cos(math.radians(pose.angle)), math.sin(math.radians(pose.angle))
    return np.array([[c, -s, pose.x], [s, c, pose.y], [0.0, 0.0, 1.0]])


def token_size(radius: float) -> int:
    """The side of a token's flat picture, pixels; even."""
    return 2 * round((radius + 1.0) * SCALE)


def cut_out(picture: Picture, cover: Image) -> Picture:
    """A BGR picture where `cover` (0 to 255) lets it be seen: BGRA, colours multiplied by the cover."""
    seen = cv2.multiply(picture, cv2.cvtColor(cover, cv2.COLOR_GRAY2BGR), scale=1 / 255)
    return cv2.merge([*cv2.split(seen), cover])


@lru_cache(maxsize=64)
def token_picture(look: Look, number: int, radius: float) -> Picture:
    """A token's face, cut out, `token_size` square."""
    size = token_size(radius)
    return cut_out(token(number, size, look.token, look.digit), disc(size, radius * SCALE))


@lru_cache(maxsize=8)
def token_edge(look: Look, radius: float) -> Picture:
    """A token's edge, cut out, `token_size` square: what shows of its side."""
    size = token_size(radius)
    return cut_out(np.full((size, size, 3), scaled(look.token, 0.6), np.uint8), disc(size, radius * SCALE))


def lay(frame: Image, picture: Picture, to_frame: Matrix, light: float = 1.0) -> None:
    """Warps a cut-out `picture`, brightened by `light`, by the homography and lays it over `frame`."""
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
    behind = cv2.cvtColor(cv2.bitwise_not(cv2.extractChannel(warped, 3)), cv2.COLOR_GRAY2BGR)
    part = frame[y0:y1, x0:x1]
    cv2.multiply(part, behind, dst=part, scale=1 / 255)
    cv2.add(part, colour, dst=part)


def paint_token(frame: Image, look: Look, what: Token, at: Point, radius: float) -> None:
    """A token lying on the table, its middle at millimetres `at`, turned by its angle."""
    optics = look.optics
    face, edge = token_picture(look, what.number, radius), token_edge(look, radius)
    m = (face.shape[0] / 2 - 0.5) / SCALE
    to_table = placed(LidPose(*at, what.angle)) @ np.array([[1 / SCALE, 0, -m], [0, 1 / SCALE, -m], [0, 0, 1]])
    light = float(brightness(look, *at))
    around = [(at[0] + radius * math.cos(t), at[1] + radius * math.sin(t)) for t in np.linspace(0, 6.1, 20)]
    cast = fallen(look, [(*p, TOKEN_HEIGHT) for p in around], 0.0)
    shadow(frame, optics.project(cast), 2.5, 0.5)
    lay(frame, edge, optics.plane(0.4 * TOKEN_HEIGHT) @ to_table, light)
    lay(frame, face, optics.plane(TOKEN_HEIGHT) @ to_table, light)
