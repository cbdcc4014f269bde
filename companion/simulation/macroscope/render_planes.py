"""Flat things laid into a frame: warped onto their plane and blended; tokens among them."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.simulation.light import Image, cast_shadow_points, compute_brightness, draw_shadow, scale_colour
from companion.simulation.macroscope.appearance import Appearance
from companion.simulation.macroscope.board import SimulatedToken
from companion.simulation.macroscope.lid import TOKEN_HEIGHT_MM, LidPlacement, Point
from companion.simulation.macroscope.textures import draw_disc, draw_token_texture

Matrix = npt.NDArray[np.float64]
Picture = npt.NDArray[np.integer[Any] | np.floating[Any]]
"""As OpenCV's functions return it; here always uint8."""

PIXELS_PER_MM = 3.0
"""Pixels per millimetre of the flat pictures."""


def compute_lid_transform(pose: LidPlacement) -> Matrix:
    """The pose as a matrix, 3x3: millimetres of what lies there to table millimetres."""
    c, s = math.cos(math.radians(pose.angle_deg)), math.sin(math.radians(pose.angle_deg))
    return np.array([[c, -s, pose.x], [s, c, pose.y], [0.0, 0.0, 1.0]])


def compute_token_size(radius: float) -> int:
    """The side of a token's flat picture, pixels; even."""
    return 2 * round((radius + 1.0) * PIXELS_PER_MM)


def cut_out(picture: Picture, cover: Image) -> Picture:
    """A BGR picture where `cover` (0 to 255) lets it be seen: BGRA, colours multiplied by the cover."""
    seen = cv2.multiply(picture, cv2.cvtColor(cover, cv2.COLOR_GRAY2BGR), scale=1 / 255)
    return cv2.merge([*cv2.split(seen), cover])


@lru_cache(maxsize=64)
def draw_token_face(appearance: Appearance, number: int, radius: float) -> Picture:
    """A token's face, cut out, `token_size` square."""
    size = compute_token_size(radius)
    return cut_out(
        draw_token_texture(number, size, appearance.token, appearance.digit), draw_disc(size, radius * PIXELS_PER_MM)
    )


@lru_cache(maxsize=8)
def draw_token_edge(appearance: Appearance, radius: float) -> Picture:
    """A token's edge, cut out, `token_size` square: what shows of its side."""
    size = compute_token_size(radius)
    return cut_out(
        np.full((size, size, 3), scale_colour(appearance.token, 0.6), np.uint8), draw_disc(size, radius * PIXELS_PER_MM)
    )


def draw_plane(frame: Image, picture: Picture, to_frame: Matrix, light: float = 1.0) -> None:
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


def draw_token(frame: Image, appearance: Appearance, what: SimulatedToken, at: Point, radius: float) -> None:
    """A token lying on the table, its middle at millimetres `at`, turned by its angle."""
    optics = appearance.optics
    face, edge = draw_token_face(appearance, what.number, radius), draw_token_edge(appearance, radius)
    m = (face.shape[0] / 2 - 0.5) / PIXELS_PER_MM
    to_table = compute_lid_transform(LidPlacement(*at, what.angle_deg)) @ np.array(
        [[1 / PIXELS_PER_MM, 0, -m], [0, 1 / PIXELS_PER_MM, -m], [0, 0, 1]]
    )
    light = float(compute_brightness(appearance, *at))
    around = [(at[0] + radius * math.cos(t), at[1] + radius * math.sin(t)) for t in np.linspace(0, 6.1, 20)]
    cast = cast_shadow_points(appearance, [(*p, TOKEN_HEIGHT_MM) for p in around], 0.0)
    draw_shadow(frame, optics.project(cast), 2.5, 0.5)
    draw_plane(frame, edge, optics.plane_homography(0.4 * TOKEN_HEIGHT_MM) @ to_table, light)
    draw_plane(frame, face, optics.plane_homography(TOKEN_HEIGHT_MM) @ to_table, light)
