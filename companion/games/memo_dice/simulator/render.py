"""Drawing of a Memo Dice table as its camera sees it: a frame or a part of one, in linear light, then developed."""

import math
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt

from companion.games.memo_dice.simulator.objects import (
    DieFace,
    MemoDiceAppearance,
    SimulatedCup,
    SymbolDie,
    TableObject,
)
from companion.games.memo_dice.simulator.raytrace import (
    Field,
    compute_bounding_box,
    compute_light_direction,
    compute_light_pool,
    draw_object,
)
from companion.games.memo_dice.simulator.symbols import draw_symbol
from companion.simulation.actions import SimulatedHand
from companion.simulation.appearance import TableAppearance
from companion.simulation.optics import FRAME_SIZE_PX, Optics
from companion.simulation.render_dice import Box, compute_corners
from companion.simulation.render_hand import HAND_HEIGHT_MM, HandSprite, compute_hand_transform
from companion.simulation.textures import draw_smooth_noise

Image = npt.NDArray[np.uint8]

WHOLE_FRAME: Box = (0, 0, *FRAME_SIZE_PX)
"""The box of all pixels of a frame."""
_SHADOW_REDUCTION = 4
"""Shadows are drawn at 1 / _SHADOW_REDUCTION of the frame's resolution; the larger, the faster and coarser."""


def draw_tabletop(appearance: MemoDiceAppearance, seed: int, box: Box = WHOLE_FRAME) -> Field:
    """Draw the albedo of the empty table inside `box`: boards with grain, or cloth.

    Equal seeds give parts of the same texture.

    Returns:
        (h, w, 3) float32 linear BGR, as large as the box.
    """
    rng = np.random.default_rng(seed)
    w, h = FRAME_SIZE_PX
    if appearance.optics.size_px != FRAME_SIZE_PX or appearance.optics.zoom != 1.0:
        whole = replace(appearance, optics=replace(appearance.optics, size_px=FRAME_SIZE_PX, zoom=1.0))
        return _crop_texture(draw_tabletop(whole, seed), appearance.optics)
    x0, y0, x1, y1 = box
    if appearance.wood:
        shade = 0.12 * draw_smooth_noise((w, h), (9, 90), rng) + 0.08 * draw_smooth_noise((w, h), (40, 360), rng)
        board = h // 4
        for k in range(1, 4):
            shade[k * board : k * board + 2] -= 0.3
            shade[k * board :] += rng.uniform(-0.08, 0.08)
        if rng.random() < 0.5:
            shade = np.asarray(cv2.resize(shade.T, (w, h)), np.float32)
    else:
        shade = 0.06 * draw_smooth_noise((w, h), (16, 9), rng) + 0.05 * draw_smooth_noise((w, h), (400, 240), rng)
    shade = shade[max(0, y0) : max(0, y1), max(0, x0) : max(0, x1)]
    shade = cv2.copyMakeBorder(
        shade, *_border_widths(y0, y1, h), *_border_widths(x0, x1, w), borderType=cv2.BORDER_REPLICATE
    )[: y1 - y0, : x1 - x0]  # fmt: skip
    return np.asarray((1.0 + shade)[..., None] * np.array(appearance.table, np.float32), np.float32)


def _crop_texture(texture: Field, optics: Optics) -> Field:
    """Cut the part of a whole frame's texture that a camera sees, and enlarge it (see `Optics.crop`)."""
    shift = [at - optics.zoom * size / 2 for at, size in zip(optics.center_px, FRAME_SIZE_PX, strict=True)]
    to_part = np.array([[optics.zoom, 0.0, shift[0]], [0.0, optics.zoom, shift[1]]])
    part = cv2.warpAffine(texture, to_part, optics.size_px, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REFLECT)
    return np.asarray(part, np.float32)


def _border_widths(low: int, high: int, limit: int) -> tuple[int, int]:
    """Return how far the range from `low` to `high` exceeds 0 and `limit`, in pixels."""
    return max(0, -low), max(0, high - limit)


def light_tabletop(albedo: Field, appearance: MemoDiceAppearance, box: Box = WHOLE_FRAME) -> Field:
    """Multiply the albedo of the table inside `box` by the light: (h, w, 3) float32 linear BGR."""
    x0, y0, x1, y1 = box
    to_mm = np.linalg.inv(appearance.optics.plane_homography(0.0))
    u, v = np.meshgrid(np.arange(x0, x1, 8, dtype=np.float32), np.arange(y0, y1, 8, dtype=np.float32))
    p = np.stack([u, v, np.ones_like(u)], axis=-1) @ to_mm.T.astype(np.float32)
    pool = compute_light_pool(p[..., 0] / p[..., 2], p[..., 1] / p[..., 2], appearance)
    light = (appearance.ambient + (1.0 - appearance.ambient) * float(compute_light_direction(appearance)[2])) * pool
    size = (x1 - x0, y1 - y0)
    return np.asarray(albedo * cv2.resize(light.astype(np.float32), size)[..., None], np.float32)


def draw_objects(
    scene: Field,
    objects: Sequence[TableObject],
    appearance: MemoDiceAppearance,
    box: Box = WHOLE_FRAME,
    drawn_objects: Sequence[TableObject] = (),
    supersampling: int = 2,
) -> None:
    """Draw objects with their shadows into a scene, in place, the farthest from the camera first.

    Args:
        scene: (h, w, 3) float32 linear BGR, as large as `box`.
        objects: the objects to draw.
        appearance: sizes, colours, light and camera.
        box: the part of the frame that the scene shows.
        drawn_objects: further objects that are in the scene already.
        supersampling: number of rays per pixel in each direction (see `draw_object`).
    """
    for table_object in objects:
        _draw_shadow(scene, table_object, appearance, box)
    eye = appearance.optics.position

    def get_order(table_object: TableObject) -> float:
        x, y = _get_position(table_object)
        return -math.hypot(x - eye[0], y - eye[1])

    everything = [*objects, *drawn_objects]
    for table_object in sorted(objects, key=get_order):
        x0, y0, x1, y1 = compute_bounding_box(table_object, appearance)
        left, top = max(x0, box[0]), max(y0, box[1])
        right, bottom = min(x1, box[2]), min(y1, box[3])
        if right <= left or bottom <= top:
            continue
        others = [
            other for other in everything if other is not table_object and _is_near(table_object, other, appearance)
        ]
        picture, cover = draw_object(table_object, others, appearance, (left, top, right, bottom), supersampling)
        part = scene[top - box[1] : bottom - box[1], left - box[0] : right - box[0]]
        part *= 1.0 - cover[..., None]
        part += picture


def _get_position(table_object: TableObject) -> tuple[float, float]:
    """Return the object's position on the table in mm."""
    return (table_object.x, table_object.y) if isinstance(table_object, SimulatedCup) else table_object.center[:2]


def _is_near(one: TableObject, other: TableObject, appearance: MemoDiceAppearance) -> bool:
    """Return whether two objects are near enough for shadows and reflections on each other."""
    return (
        math.dist(_get_position(one), _get_position(other))
        < 2.0 * appearance.cup_height_mm + 2.0 * appearance.mouth_radius_mm
    )


def _list_shadow_points(table_object: TableObject, appearance: MemoDiceAppearance) -> list[tuple[float, float, float]]:
    """List points in mm; the convex hull of their shadows is the object's shadow."""
    if isinstance(table_object, SymbolDie):
        return [
            (x, y, max(0.0, z))
            for x, y, z in compute_corners(table_object.center, table_object.rotation, 0.46 * appearance.die_size_mm)
        ]
    return [
        (table_object.x + r * math.cos(a), table_object.y + r * math.sin(a), table_object.z + z)
        for r, z in ((appearance.mouth_radius_mm, 0.0), (appearance.top_radius_mm, appearance.cup_height_mm))
        for a in (math.tau * k / 24 for k in range(24))
    ]


def _draw_shadow(scene: Field, table_object: TableObject, appearance: MemoDiceAppearance, box: Box) -> None:
    """Darken the table in the object's shadow and, by occlusion of the ambient light, around its foot, in place."""
    lx, ly, lz = compute_light_direction(appearance)
    low = (
        table_object.z
        if isinstance(table_object, SimulatedCup)
        else table_object.center[2] - 0.5 * appearance.die_size_mm
    )
    points = _list_shadow_points(table_object, appearance)
    size = scene.shape[1] // _SHADOW_REDUCTION + 1, scene.shape[0] // _SHADOW_REDUCTION + 1
    total = appearance.ambient + (1.0 - appearance.ambient) * float(lz)
    scale = appearance.optics.focal_px / appearance.optics.height_mm
    for cast, strength, soft in (
        ([(x - z * lx / lz, y - z * ly / lz, 0.0) for x, y, z in points],
         (1.0 - appearance.ambient) * float(lz) / total, scale * (0.8 + appearance.lamp_spread * 26.0)),
        ([(x, y, 0.0) for x, y, z in points], 0.45 * appearance.ambient / total, scale * 5.0),
    ):  # fmt: skip
        strength /= 1.0 + 0.03 * max(0.0, float(low))
        pixels = (appearance.optics.project(cast) - (box[0], box[1])) / _SHADOW_REDUCTION
        mask = np.zeros((size[1], size[0]), np.float32)
        hull = cv2.convexHull(np.clip(pixels, -1e4, 1e4).astype(np.float32))
        cv2.fillConvexPoly(mask, np.round(hull * 16).astype(np.int32), 1.0, cv2.LINE_AA, 4)
        if not mask.any():
            continue
        mask = cv2.GaussianBlur(mask, (0, 0), max(0.5, soft / _SHADOW_REDUCTION))
        full = cv2.resize(
            mask, (size[0] * _SHADOW_REDUCTION, size[1] * _SHADOW_REDUCTION), interpolation=cv2.INTER_LINEAR
        )
        x, y, w, h = cv2.boundingRect((full > 0.0).astype(np.uint8))  # most of the table lies in no shadow
        here = slice(y, y + h), slice(x, x + w)
        scene[here] *= 1.0 - strength * full[: scene.shape[0], : scene.shape[1], None][here]


def draw_face(face: DieFace, side_px: int, appearance: MemoDiceAppearance) -> Image:
    """Draw a die's face upright and evenly lit, as somebody sees it who bends over it: (side_px, side_px, 3) uint8 BGR.

    Args:
        face: its symbol and colour.
        side_px: side of the picture in pixels, at least 1.
        appearance: colours of the die and its ink, and the symbol's share of the face.
    """
    side = max(1, round(side_px * appearance.symbol_share))
    margin = (side_px - side) // 2
    symbol = cv2.resize(draw_symbol(face.kind, face.variant), (side, side), interpolation=cv2.INTER_AREA)
    ink = np.zeros((side_px, side_px, 1), np.float32)
    ink[margin : margin + side, margin : margin + side, 0] = symbol
    body, paint = (np.array(each, np.float32) for each in (appearance.body, appearance.inks[face.colour]))
    return np.round(_encode_srgb(body + ink * (paint - body))).astype(np.uint8)


def _encode_srgb(light: Field) -> Field:
    """Convert linear light, 0 to 1, to grey levels, 0 to 255 (IEC 61966-2-1)."""
    levels = 255.0 * np.where(light <= 0.0031308, 12.92 * light, 1.055 * np.power(light, 1 / 2.4) - 0.055)
    return np.asarray(levels, np.float32)


def develop_image(scene: Field, appearance: MemoDiceAppearance, rng: np.random.Generator | None = None) -> Image:
    """Convert a linear scene to the camera's image: exposure, tint, blur, sRGB curve, and noise.

    Args:
        scene: (h, w, 3) float32 linear BGR.
        appearance: exposure, tint, blur and noise.
        rng: random generator for the noise; None: no noise.

    Returns:
        (h, w, 3) uint8 BGR.
    """
    light = np.clip(scene * (appearance.exposure * np.array(appearance.tint, np.float32)), 0.0, 1.0)
    light = cv2.GaussianBlur(light, (0, 0), appearance.blur_px)
    picture = _encode_srgb(np.asarray(light, np.float32))
    if rng is not None:
        picture = picture + make_noise(picture.shape, appearance, rng)
    return np.clip(np.round(picture), 0, 255).astype(np.uint8)


def make_noise(shape: tuple[int, ...], appearance: MemoDiceAppearance, rng: np.random.Generator) -> Field:
    """Draw slightly smoothed sensor noise in grey levels: float32 of the given shape, mean 0."""
    grains = rng.standard_normal(shape, dtype=np.float32)
    return np.asarray(
        appearance.noise * (0.75 * cv2.GaussianBlur(grains, (0, 0), 0.6) / 0.5 + 0.3 * grains), np.float32
    )


class HandPainter:
    """Draws a hand with its sleeve over a developed image.

    Args:
        appearance: colours of the hand, light and camera.
    """

    def __init__(self, appearance: MemoDiceAppearance) -> None:
        lx, ly, lz = appearance.light
        self._appearance = TableAppearance(
            skin=appearance.skin,
            sleeve=appearance.sleeve,
            light=(-lx / lz, -ly / lz),
            brightness=min(1.1, 0.45 + 0.6 * appearance.exposure),
            optics=appearance.optics,
        )
        self._hand = HandSprite(self._appearance)

    def draw(self, image: Image, hand: SimulatedHand) -> None:
        """Draw the hand over `image`, (H, W, 3) uint8 BGR, in the camera's size, in place."""
        place = compute_hand_transform(hand, self._appearance, HAND_HEIGHT_MM)
        low = compute_hand_transform(hand, self._appearance, 0.4 * HAND_HEIGHT_MM)
        low[:, 2] += 0.6 * HAND_HEIGHT_MM * 2.0 * np.array(self._appearance.light)
        size = image.shape[1], image.shape[0]
        dark = cv2.convertScaleAbs(cv2.warpAffine(self._hand.shadow, low, size), alpha=-0.45)
        behind = cv2.multiply(255 - dark, 255 - cv2.warpAffine(self._hand.cover, place, size), scale=1 / 255)
        cv2.multiply(image, cv2.cvtColor(behind, cv2.COLOR_GRAY2BGR), dst=image, scale=1 / 255)
        cv2.add(image, cv2.warpAffine(self._hand.picture, place, size), dst=image)
