"""Drawing of flat pictures, such as tokens, into a frame: warped onto their plane and blended."""

import math
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.games.macroscope.simulator.appearance import MacroscopeAppearance
from companion.games.macroscope.simulator.board import SimulatedToken
from companion.games.macroscope.simulator.lid import TOKEN_HEIGHT_MM, LidPlacement
from companion.games.macroscope.simulator.textures import draw_disc, draw_token_texture
from companion.simulation.light import Image, cast_shadow_points, compute_brightness, draw_shadow, scale_colour
from companion.simulation.optics import Point

Matrix = npt.NDArray[np.float64]
Picture = npt.NDArray[np.integer[Any] | np.floating[Any]]
"""An image as OpenCV's functions return it; here always uint8."""

PIXELS_PER_MM = 3.0
"""Resolution of the flat pictures in pixels per mm; the larger, the sharper and slower."""


def compute_lid_transform(pose: LidPlacement) -> Matrix:
    """Compute the (3, 3) matrix from an object's own coordinates to table coordinates, both in mm."""
    c, s = math.cos(math.radians(pose.angle_deg)), math.sin(math.radians(pose.angle_deg))
    return np.array([[c, -s, pose.x], [s, c, pose.y], [0.0, 0.0, 1.0]])


def compute_token_size(radius: float) -> int:
    """Compute the side of a token's flat picture in pixels, an even number; `radius` in mm."""
    return 2 * round((radius + 1.0) * PIXELS_PER_MM)


def cut_out(picture: Picture, cover: Image) -> Picture:
    """Cut a BGR picture out by a mask.

    Args:
        picture: (h, w, 3) uint8 BGR.
        cover: (h, w) uint8, 255 where the picture is visible.

    Returns:
        (h, w, 4) uint8 BGRA, premultiplied.
    """
    seen = cv2.multiply(picture, cv2.cvtColor(cover, cv2.COLOR_GRAY2BGR), scale=1 / 255)
    return cv2.merge([*cv2.split(seen), cover])


@lru_cache(maxsize=64)
def draw_token_face(appearance: MacroscopeAppearance, number: int, radius: float) -> Picture:
    """Draw a token's face as a square BGRA picture of the side `compute_token_size(radius)`; `radius` in mm."""
    size = compute_token_size(radius)
    return cut_out(
        draw_token_texture(number, size, appearance.token, appearance.digit), draw_disc(size, radius * PIXELS_PER_MM)
    )


@lru_cache(maxsize=8)
def draw_token_edge(appearance: MacroscopeAppearance, radius: float) -> Picture:
    """Draw a token's side, seen from above, as a square BGRA picture of the side `compute_token_size(radius)`."""
    size = compute_token_size(radius)
    return cut_out(
        np.full((size, size, 3), scale_colour(appearance.token, 0.6), np.uint8), draw_disc(size, radius * PIXELS_PER_MM)
    )


def draw_plane(frame: Image, picture: Picture, to_frame: Matrix, light: float = 1.0) -> None:
    """Warp a picture and blend it into `frame`, in place.

    Args:
        frame: (H, W, 3) uint8 BGR.
        picture: (h, w, 4) uint8 BGRA, premultiplied.
        to_frame: (3, 3) homography from the picture's pixels to the frame's.
        light: factor of the picture's brightness.
    """
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


def draw_token(frame: Image, appearance: MacroscopeAppearance, token: SimulatedToken, at: Point, radius: float) -> None:
    """Draw a token that lies on the table, with its shadow, into `frame`, in place.

    Args:
        frame: (H, W, 3) uint8 BGR.
        appearance: colours, light and camera.
        token: the token, with its rotation on the table.
        at: its centre on the table in mm.
        radius: its radius in mm.
    """
    optics = appearance.optics
    face, edge = draw_token_face(appearance, token.number, radius), draw_token_edge(appearance, radius)
    m = (face.shape[0] / 2 - 0.5) / PIXELS_PER_MM
    to_table = compute_lid_transform(LidPlacement(*at, token.angle_deg)) @ np.array(
        [[1 / PIXELS_PER_MM, 0, -m], [0, 1 / PIXELS_PER_MM, -m], [0, 0, 1]]
    )
    light = float(compute_brightness(appearance, *at))
    around = [(at[0] + radius * math.cos(t), at[1] + radius * math.sin(t)) for t in np.linspace(0, 6.1, 20)]
    cast = cast_shadow_points(appearance, [(*p, TOKEN_HEIGHT_MM) for p in around], 0.0)
    draw_shadow(frame, optics.project(cast), 2.5, 0.5)
    draw_plane(frame, edge, optics.plane_homography(0.4 * TOKEN_HEIGHT_MM) @ to_table, light)
    draw_plane(frame, face, optics.plane_homography(TOKEN_HEIGHT_MM) @ to_table, light)
