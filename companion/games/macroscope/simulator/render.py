"""Renderer of the simulated Macroscope table: the table with its tray and dice, and on it lid and tokens."""

import math
from copy import copy
from dataclasses import replace
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.games.macroscope.simulator.appearance import MacroscopeAppearance
from companion.games.macroscope.simulator.board import LidBoard, SimulatedToken
from companion.games.macroscope.simulator.cards import draw_card
from companion.games.macroscope.simulator.lid import (
    CARD_DEPTH_MM,
    LAYOUTS,
    LID_HEIGHT_MM,
    TOKEN_HEIGHT_MM,
    LidPlacement,
    LidShape,
)
from companion.games.macroscope.simulator.table import MacroscopeTable
from companion.games.macroscope.simulator.textures import draw_disc, draw_token_texture
from companion.games.macroscope.simulator.tray import MACROSCOPE_TRAY
from companion.simulation.appearance import TableAppearance
from companion.simulation.dice_tray.render import TrayRenderer
from companion.simulation.light import (
    Image,
    cast_shadow_points,
    compute_brightness,
    draw_shadow,
    draw_walls,
    scale_colour,
)
from companion.simulation.optics import Optics, Point
from companion.simulation.textures import draw_smooth_noise

Matrix = npt.NDArray[np.float64]
Picture = npt.NDArray[np.integer[Any] | np.floating[Any]]
"""An image as OpenCV's functions return it; here always uint8."""

PIXELS_PER_MM = 3.0
"""Resolution of the flat pictures in pixels per mm; the larger, the sharper and slower."""


BOARD_THICKNESS_MM = 3.0
"""Thickness of the lid's cardboard in mm; the larger, the more of a window's wall is seen."""
_MARGIN = 6
"""Transparent margin around the lid's flat picture in pixels; it keeps the warped edge anti-aliased."""
_SHADOW_STEP_DEG = 15.0
"""The tokens' shadows are drawn again when the lid has turned by this angle; the larger, the more their direction
deviates from the light."""


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
    draw_shadow(frame, optics.project(cast), 2.5 * optics.zoom, 0.5)
    draw_plane(frame, edge, optics.plane_homography(0.4 * TOKEN_HEIGHT_MM) @ to_table, light)
    draw_plane(frame, face, optics.plane_homography(TOKEN_HEIGHT_MM) @ to_table, light)


class LidPainter:
    """Draws one shape of lid in one appearance.

    Args:
        appearance: colours, light and camera.
        shape: the lid's shape.
        rng: random generator for the lid's texture.
    """

    def __init__(self, appearance: MacroscopeAppearance, shape: LidShape, rng: np.random.Generator) -> None:
        self._appearance, self._shape = appearance, shape
        w, h = (round(side * PIXELS_PER_MM) + 2 * _MARGIN for side in shape.size)
        self._size = w, h
        self._to_lid = np.array(
            [
                [1 / PIXELS_PER_MM, 0.0, -(shape.size[0] / 2) - (_MARGIN - 0.5) / PIXELS_PER_MM],
                [0.0, 1 / PIXELS_PER_MM, -(shape.size[1] / 2) - (_MARGIN - 0.5) / PIXELS_PER_MM],
                [0.0, 0.0, 1.0],
            ]
        )
        grain = 1.0 + 0.025 * rng.standard_normal((h, w)) + 0.03 * draw_smooth_noise((w, h), (14, 11), rng)
        body = np.clip(grain[..., None] * np.array(appearance.lid), 0, 255).astype(np.uint8)
        arrow = np.round(np.array([self._to_pixel(p) for p in shape.arrow]) * 16).astype(np.int32)
        cv2.fillConvexPoly(body, arrow, appearance.arrow, cv2.LINE_AA, 4)
        for stud in shape.studs:
            x, y = (round(c * 16) for c in self._to_pixel(stud))
            cv2.circle(body, (x, y), round(5.0 * PIXELS_PER_MM * 16), appearance.stud, -1, cv2.LINE_AA, 4)
        solid = np.zeros((h, w), np.uint8)
        solid[_MARGIN:-_MARGIN, _MARGIN:-_MARGIN] = 255
        edge = np.where(solid > 0, 255 - cv2.GaussianBlur(solid, (0, 0), 3.0), 0)[..., None] * 0.12
        self._body = np.clip(body + edge, 0, 255).astype(np.uint8)
        self._solid = solid
        self._cached: tuple[object, tuple[Picture, Picture]] | None = None
        # The surroundings of an open window below the lid's top, wide enough for an oblique view.
        side = 2 * round((shape.window_radius + 8.0) * PIXELS_PER_MM)
        self._around = draw_disc(side, (shape.window_radius + 7.0) * PIXELS_PER_MM)
        hole = draw_disc(side, shape.window_radius * PIXELS_PER_MM)
        wall = np.full((side, side, 3), scale_colour(appearance.lid, 0.55), np.uint8)
        self._hole, self._wall = hole, cut_out(wall, np.asarray(cv2.subtract(self._around, hole), np.uint8))

    def with_optics(self, optics: Optics) -> "LidPainter":
        """Return a painter of the same lid for another camera."""
        painter = copy(self)
        painter._appearance = replace(self._appearance, optics=optics)
        return painter

    def _to_pixel(self, point: Point) -> Point:
        """Convert lid coordinates in mm to pixels of the flat picture."""
        w, h = self._shape.size
        return (point[0] + w / 2) * PIXELS_PER_MM + _MARGIN - 0.5, (point[1] + h / 2) * PIXELS_PER_MM + _MARGIN - 0.5

    def draw(self, frame: Image, board: LidBoard, pose: LidPlacement) -> None:
        """Draw the lid with its tokens and shadows into `frame`, (H, W, 3) uint8 BGR, in place."""
        appearance, optics = self._appearance, self._appearance.optics
        corners = [pose.to_table(c) for c in self._shape.corners]
        foot = [(*c, 0.0) for c in corners]
        cast = cast_shadow_points(appearance, [(*c, LID_HEIGHT_MM) for c in corners], 0.0)
        draw_shadow(frame, optics.project(foot + cast), 9.0 * optics.zoom, 0.5)
        draw_shadow(frame, optics.project(foot), 4.0 * optics.zoom, 0.35)
        draw_walls(frame, appearance, corners, (0.0, LID_HEIGHT_MM), appearance.lid)

        shade_on_card = self._compute_card_light(pose)
        for window, covering in enumerate(board.windows):
            if covering is None:
                self._draw_open_window(frame, board.card_number, window, pose, shade_on_card)
        shade = self._compute_shading(pose)
        heights = LID_HEIGHT_MM, LID_HEIGHT_MM + TOKEN_HEIGHT_MM
        for flat, z in zip(self._get_pictures(board.windows, pose.angle_deg), heights, strict=True):
            lit = cv2.multiply(flat, shade, scale=1 / 200)
            draw_plane(frame, lit, optics.plane_homography(z) @ compute_lid_transform(pose) @ self._to_lid)

    def _get_pictures(self, windows: tuple[SimulatedToken | None, ...], angle: float) -> tuple[Picture, Picture]:
        """Return flat BGRA pictures of the lid's top with the tokens' edges and shadows, and of the tokens' faces.

        They are cached between frames, with shadows for the lid's angle (degrees) rounded to `_SHADOW_STEP_DEG`.
        """
        angle_steps = round(angle / _SHADOW_STEP_DEG)
        if self._cached is None or self._cached[0] != (windows, angle_steps):
            self._cached = (windows, angle_steps), self._draw_pictures(windows, _SHADOW_STEP_DEG * angle_steps)
        return self._cached[1]

    def _draw_pictures(self, windows: tuple[SimulatedToken | None, ...], angle: float) -> tuple[Picture, Picture]:
        radius = self._shape.token_radius
        side = compute_token_size(radius)
        top, solid = self._body.copy(), self._solid.copy()
        faces = np.zeros((*solid.shape, 4), np.uint8)
        lx, ly = self._appearance.light
        reach = TOKEN_HEIGHT_MM * PIXELS_PER_MM
        dx, dy = (round(c) for c in LidPlacement(0.0, 0.0, -angle).to_table((lx * reach, ly * reach)))
        wide = side + 2 * _MARGIN
        dark = cv2.convertScaleAbs(cv2.GaussianBlur(draw_disc(wide, radius * PIXELS_PER_MM), (0, 0), 3.0), alpha=0.6)
        shadows = cv2.cvtColor(cv2.bitwise_not(dark), cv2.COLOR_GRAY2BGR)
        for token, middle in zip(windows, self._shape.windows, strict=True):
            x, y = self._to_pixel(middle)
            at = round(x * 16), round(y * 16)
            if token is None:
                cv2.circle(solid, at, round(self._shape.window_radius * PIXELS_PER_MM * 16), 0, -1, cv2.LINE_AA, 4)
                continue
            left, upper = math.floor(x + 0.5) - side // 2, math.floor(y + 0.5) - side // 2
            beneath = top[upper - _MARGIN + dy :, left - _MARGIN + dx :][:wide, :wide]
            cv2.multiply(beneath, shadows[: beneath.shape[0], : beneath.shape[1]], dst=beneath, scale=1 / 255)
            cv2.circle(
                top,
                at,
                round(radius * PIXELS_PER_MM * 16),
                scale_colour(self._appearance.token, 0.6),
                -1,
                cv2.LINE_AA,
                4,
            )
            centre = side / 2 - 0.5
            turn = cv2.getRotationMatrix2D((centre, centre), -token.angle_deg, 1.0)
            turn += np.array([[0.0, 0.0, x - left - centre], [0.0, 0.0, y - upper - centre]])
            face = cv2.warpAffine(draw_token_face(self._appearance, token.number, radius), turn, (side, side))
            cv2.copyTo(face, cv2.extractChannel(face, 3), faces[upper : upper + side, left : left + side])
        return cut_out(top, solid), faces

    def _draw_open_window(self, frame: Image, number: int, window: int, pose: LidPlacement, shade: Picture) -> None:
        """Draw the view through an open window: the card in the lid's shadow, and the window's wall."""
        side = self._hole.shape[0]
        middle = self._shape.windows[window]
        x, y = (round(c - side / 2 + 0.5) for c in self._to_pixel(middle))
        picture = cv2.getRectSubPix(_get_card_picture(number, self._size), (side, side), (x + side / 2, y + side / 2))
        dark = cv2.multiply(picture, shade, scale=1 / 255)
        m = side / 2 - 0.5
        here = np.array(
            [
                [1 / PIXELS_PER_MM, 0.0, middle[0] - m / PIXELS_PER_MM],
                [0.0, 1 / PIXELS_PER_MM, middle[1] - m / PIXELS_PER_MM],
                [0, 0, 1],
            ]
        )
        light = float(compute_brightness(self._appearance, *pose.to_table(middle)))
        optics = self._appearance.optics
        card_plane = optics.plane_homography(LID_HEIGHT_MM - CARD_DEPTH_MM) @ compute_lid_transform(pose) @ here
        draw_plane(frame, cut_out(dark, self._around), card_plane, light)
        draw_plane(
            frame,
            self._wall,
            optics.plane_homography(LID_HEIGHT_MM - BOARD_THICKNESS_MM) @ compute_lid_transform(pose) @ here,
            light,
        )

    def _compute_shading(self, pose: LidPlacement) -> Picture:
        """Compute the lamp's light on the lid's flat pictures: (h, w, 4) uint8 BGRA, 200 for a factor of 1."""
        w, h = self._shape.size
        places = [pose.to_table((x, y)) for y in np.linspace(-h / 2, h / 2, 10) for x in np.linspace(-w / 2, w / 2, 12)]
        x, y = np.array(places).T.reshape(2, 10, 12)
        coarse = np.clip(200.0 * 1.06 * compute_brightness(self._appearance, x, y), 0, 255).astype(np.uint8)
        light = np.asarray(cv2.resize(coarse, self._size), np.uint8)
        return cv2.merge([light, light, light, np.full_like(light, 200)])

    def _compute_card_light(self, pose: LidPlacement) -> Picture:
        """Compute the light on the card around a window's centre: (h, w, 3) uint8, 255 for full light."""
        lx, ly = self._appearance.light
        dx, dy = LidPlacement(0.0, 0.0, -pose.angle_deg).to_table(
            (lx * CARD_DEPTH_MM * PIXELS_PER_MM, ly * CARD_DEPTH_MM * PIXELS_PER_MM)
        )
        lit_area = cv2.warpAffine(self._hole, np.array([[1.0, 0.0, dx], [0.0, 1.0, dy]]), self._hole.shape)
        light = cv2.convertScaleAbs(cv2.blur(lit_area, (21, 21)), alpha=0.55, beta=110)
        return cv2.cvtColor(light, cv2.COLOR_GRAY2BGR)


@lru_cache(maxsize=4)
def _get_card_picture(number: int, size: tuple[int, int]) -> Image:
    return draw_card(number, size)


class MacroscopeRenderer(TrayRenderer[MacroscopeTable]):
    """Draws a table in one appearance. Equal seeds and equal calls give equal frames.

    Args:
        appearance: the appearance; its layout must be that of the table (see `create_macroscope_table`).
        seed: seed of textures and noise.
    """

    appearance: MacroscopeAppearance
    _lid: LidPainter

    def __init__(self, appearance: MacroscopeAppearance, seed: int = 0) -> None:
        super().__init__(appearance, seed, MACROSCOPE_TRAY)
        self._with_removed: Image = self._table
        self._with_removed_key: tuple[SimulatedToken, ...] | None = None

    def _show_part(self, appearance: TableAppearance) -> None:
        super()._show_part(appearance)
        self._lid, self._with_removed_key = self._lid.with_optics(appearance.optics), None

    def _prepare(self, rng: np.random.Generator) -> None:
        self._lid = LidPainter(self.appearance, LAYOUTS[self.appearance.layout], rng)
        self._shape = LAYOUTS[self.appearance.layout]

    def _get_still_key(self, table: MacroscopeTable) -> object:
        return table.board, table.lid

    def _draw_objects(self, table: MacroscopeTable) -> Image:
        """Draw the table with tokens and lid."""
        if table.board.removed_tokens != self._with_removed_key:
            self._with_removed, self._with_removed_key = self._table.copy(), table.board.removed_tokens
            for k, token in enumerate(table.board.removed_tokens):
                draw_token(
                    self._with_removed, self.appearance, token, table.locate_removed_token(k), self._shape.token_radius
                )
        image = self._with_removed.copy()
        self._lid.draw(image, table.board, table.lid)
        return image
