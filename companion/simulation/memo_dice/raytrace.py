"""Dice with symbols and cups as a camera sees them: rays against rounded cubes and cones, lit in linear light."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from companion.simulation.memo_dice.objects import MemoDiceAppearance, SimulatedCup, SymbolDie, TableObject
from companion.simulation.memo_dice.symbols import SYMBOL_SIZE_PX, draw_symbol
from companion.simulation.optics import Optics

Field = npt.NDArray[np.float32]
Indices = npt.NDArray[np.intp]
_Hit = tuple[Indices, Field, Field, Field]
"""Indices of rays that hit, where, the normals there, and the albedo (n, 3)."""
Point3 = tuple[float, float, float]
Box = tuple[int, int, int, int]
"""x0, y0, x1, y1 in whole pixels."""

_STEPS = 16
_LAMPS = 3
"""Points of the lamp that cast shadows."""


def compute_bounding_box(table_object: TableObject, appearance: MemoDiceAppearance) -> Box:
    """A box in the frame that surely holds the thing; it may reach beyond the frame."""
    if isinstance(table_object, SimulatedCup):
        lip = 1.06 * appearance.mouth_radius_mm
        corners = [
            (table_object.x + i * lip, table_object.y + j * lip, table_object.z + k * appearance.cup_height_mm)
            for i in (-1, 1) for j in (-1, 1) for k in (0, 1)
        ]  # fmt: skip
    else:
        corners = compute_corners(table_object, 0.5 * appearance.die_size_mm)
    pixels = appearance.optics.project(corners)
    (x0, y0), (x1, y1) = pixels.min(axis=0), pixels.max(axis=0)
    return math.floor(x0) - 2, math.floor(y0) - 2, math.ceil(x1) + 3, math.ceil(y1) + 3


def compute_corners(die: SymbolDie, half: float) -> list[Point3]:
    """The corners of a cube of `half` the edge, mm, that lies as the die does."""
    turned = [die.rotation @ (half * np.array((i, j, k))) for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)]
    return [(float(x), float(y), float(z)) for x, y, z in (np.array(die.center) + c for c in turned)]


def draw_object(
    table_object: TableObject,
    others: Sequence[TableObject],
    appearance: MemoDiceAppearance,
    box: Box,
    supersampling: int = 2,
) -> tuple[Field, Field]:
    """The thing within `box`: linear BGR (h, w, 3), premultiplied, and its cover (h, w), 0 to 1.

    `others` throw their shadows and colours on it; `finer` rays per pixel and direction are averaged.
    """
    x0, y0, x1, y1 = box
    w, h = x1 - x0, y1 - y0
    origin, ways = _rays(appearance.optics, box, supersampling)
    if isinstance(table_object, SimulatedCup):
        hit, point, normal, albedo = _cup(table_object, appearance, origin, ways)
    else:
        hit, point, normal, albedo = _die(table_object, appearance, origin, ways)
    picture, cover = (
        np.zeros((h * supersampling * w * supersampling, 3), np.float32),
        np.zeros(h * supersampling * w * supersampling, np.float32),
    )
    picture[hit] = compute_lighting(point, normal, albedo, -ways[hit], others, appearance, appearance.gloss)
    cover[hit] = 1.0
    shape = h * supersampling, w * supersampling
    coarse = cv2.resize(picture.reshape(*shape, 3), (w, h), interpolation=cv2.INTER_AREA)
    share = cv2.resize(cover.reshape(shape), (w, h), interpolation=cv2.INTER_AREA)
    return np.asarray(coarse, np.float32), np.asarray(share, np.float32)


def _rays(optics: Optics, box: Box, finer: int) -> tuple[Field, Field]:
    x0, y0, x1, y1 = box
    u = x0 + (np.arange((x1 - x0) * finer, dtype=np.float32) + 0.5) / finer - 0.5
    v = y0 + (np.arange((y1 - y0) * finer, dtype=np.float32) + 0.5) / finer - 0.5
    m = np.linalg.inv(optics.projection_matrix()[:, :3]).astype(np.float32)
    ways = m[:, 0] * u[None, :, None] + m[:, 1] * v[:, None, None] + m[:, 2]
    ways = ways.reshape(-1, 3)
    ways /= np.linalg.norm(ways, axis=1, keepdims=True)
    return optics.position.astype(np.float32), np.asarray(ways, np.float32)


def _die(die: SymbolDie, appearance: MemoDiceAppearance, origin: Field, ways: Field) -> _Hit:
    turn = die.rotation.astype(np.float32)
    size, inner = appearance.die_size_mm, np.float32(0.5 - appearance.edge_rounding)
    way = ways @ turn
    start = ((origin - np.array(die.center, np.float32)) / np.float32(size)) @ turn
    nearest = -(way @ start)
    inside = 0.75 - (start @ start - nearest * nearest)
    met = np.flatnonzero(inside > 0.0)
    way = way[met]
    point = start + (nearest[met] - np.sqrt(inside[met]))[:, None] * way
    gap = np.zeros(len(met), np.float32)
    for _ in range(_STEPS):
        q = np.abs(point) - inner
        gap = (
            np.linalg.norm(np.maximum(q, 0.0), axis=1)
            + np.minimum(q.max(axis=1), 0.0)
            - np.float32(appearance.edge_rounding)
        )
        point = point + gap[:, None] * way
    hit = gap < 0.02
    met, point = met[hit], point[hit]
    normal = np.sign(point) * np.maximum(np.abs(point) - inner, 1e-4)
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    ink, paint = _printed(die, np.asarray(point, np.float32), appearance)
    inks = np.array(appearance.inks, np.float32)[paint]
    body = np.array(appearance.body, np.float32)
    albedo = body + ink[:, None] * (inks - body)
    return (
        met,
        (point @ turn.T * np.float32(size) + np.array(die.center, np.float32)).astype(np.float32),
        (normal @ turn.T).astype(np.float32),
        albedo.astype(np.float32),
    )


def _printed(die: SymbolDie, point: Field, appearance: MemoDiceAppearance) -> tuple[Field, npt.NDArray[np.int64]]:
    """How much ink is on each surface point, and of which paint."""
    axis = np.abs(point).argmax(axis=1)
    side = 2 * axis + (point[np.arange(len(point)), axis] < 0)
    ink, paint = np.zeros(len(point), np.float32), np.zeros(len(point), np.int64)
    for index, face in enumerate(die.faces):
        here = np.flatnonzero(side == index)
        if not here.size:
            continue
        a, b = point[here, (index // 2 + 1) % 3], point[here, (index // 2 + 2) % 3]
        for _ in range(face.quarter_turns):
            a, b = -b, a
        scale = SYMBOL_SIZE_PX / appearance.symbol_share
        mask = draw_symbol(face.kind, face.variant)
        # Columns, not flat arrays: OpenCV 5 takes those for rows.
        u, v = ((c * scale + SYMBOL_SIZE_PX / 2).astype(np.float32)[:, None] for c in (a, b))
        ink[here] = cv2.remap(mask, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT).ravel()
        paint[here] = int(face.colour)
    return ink, paint


def _cone(point: Field, way: Field, cup: SimulatedCup, appearance: MemoDiceAppearance) -> tuple[Field, Field]:
    """Distances along the rays to a cup's side and to its closed end; infinite where they miss."""
    slope = np.float32((appearance.top_radius_mm - appearance.mouth_radius_mm) / appearance.cup_height_mm)
    x, y, z = point[..., 0] - cup.x, point[..., 1] - cup.y, point[..., 2] - cup.z
    dx, dy, dz = way[..., 0], way[..., 1], way[..., 2]
    radius = appearance.mouth_radius_mm + slope * z
    a = dx * dx + dy * dy - slope * slope * dz * dz
    a = np.where(np.abs(a) < 1e-6, np.float32(1e-6), a)
    b = x * dx + y * dy - radius * slope * dz
    c = x * x + y * y - radius * radius
    root = b * b - a * c
    with np.errstate(invalid="ignore", divide="ignore"):
        s = np.sqrt(np.maximum(root, 0.0))
        near, far = np.minimum((-b - s) / a, (-b + s) / a), np.maximum((-b - s) / a, (-b + s) / a)
        infinite = np.float32(np.inf)

        def on_wall(t: Field) -> npt.NDArray[np.bool_]:
            high = z + t * dz
            return np.asarray((root > 0) & (t > 1e-3) & (high >= 0) & (high <= appearance.cup_height_mm))

        side = np.where(on_wall(near), near, np.where(on_wall(far), far, infinite))
        t = (appearance.cup_height_mm - z) / dz
        within = (x + t * dx) ** 2 + (y + t * dy) ** 2 <= appearance.top_radius_mm**2
        end = np.where(within & (t > 1e-3), t, infinite)
    return np.asarray(side, np.float32), np.asarray(end, np.float32)


def _cup(cup: SimulatedCup, appearance: MemoDiceAppearance, origin: Field, ways: Field) -> _Hit:
    side, end = _cone(np.broadcast_to(origin, ways.shape), ways, cup, appearance)
    t = np.minimum(side, end)
    met = np.flatnonzero(np.isfinite(t))
    point = origin + t[met, None] * ways[met]
    x, y, z = point[:, 0] - cup.x, point[:, 1] - cup.y, point[:, 2] - cup.z
    r = np.maximum(np.hypot(x, y), 1e-3)
    slope = (appearance.top_radius_mm - appearance.mouth_radius_mm) / appearance.cup_height_mm
    normal = np.stack([x / r, y / r, np.full_like(r, -slope)], axis=1)
    on_end = end[met] <= side[met]
    # The closed end has a raised rim, the mouth a lip: rings that catch the light.
    rim = np.exp(-(((r - 0.86 * appearance.top_radius_mm) / (0.06 * appearance.top_radius_mm)) ** 2)) * np.sign(
        0.86 * appearance.top_radius_mm - r
    )
    normal[on_end] = np.stack([-0.8 * rim * x / r, -0.8 * rim * y / r, np.ones_like(r)], axis=1)[on_end]
    lip = ~on_end & (z < 0.07 * appearance.cup_height_mm)
    normal[lip, 2] += 0.9
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    albedo = np.broadcast_to(np.array(appearance.cups[cup.colour], np.float32), normal.shape)
    return met, point.astype(np.float32), normal.astype(np.float32), np.asarray(albedo, np.float32)


def compute_light_direction(appearance: MemoDiceAppearance) -> Field:
    """Towards the lamp, of length 1."""
    towards = np.array(appearance.light, np.float32)
    return np.asarray(towards / np.linalg.norm(towards), np.float32)


def compute_lighting(
    point: Field,
    normal: Field,
    albedo: Field,
    back: Field,
    others: Sequence[TableObject],
    appearance: MemoDiceAppearance,
    gloss: float,
) -> Field:
    """Linear BGR (n, 3): the lamp with soft shadows, the sky above, what cups nearby reflect, and a gleam."""
    towards = compute_light_direction(appearance)
    rng = np.random.default_rng(7)
    seen = np.zeros(len(point), np.float32)
    for _ in range(_LAMPS):
        ray = towards + appearance.lamp_spread * rng.standard_normal(3).astype(np.float32)
        ray /= np.linalg.norm(ray)
        seen += _free(point + 0.3 * normal, ray, others, appearance) / _LAMPS
    facing = np.clip(normal @ towards, 0.0, 1.0) * seen
    sky = 0.5 + 0.5 * normal[:, 2]
    sky *= 0.55 + 0.45 * np.clip(point[:, 2] / 12.0, 0.0, 1.0)  # the table hides half of it from what is low
    light = (appearance.ambient * sky + (1.0 - appearance.ambient) * facing)[:, None] * np.ones(3, np.float32)
    for other in others:
        if isinstance(other, SimulatedCup):
            gap = np.hypot(point[:, 0] - other.x, point[:, 1] - other.y) - appearance.mouth_radius_mm
            weight = 0.22 * np.exp(-np.clip(gap, 0.0, None) / 9.0)
            own = np.array(appearance.cups[other.colour], np.float32)
            light += weight[:, None] * (0.6 * own - 0.5 * appearance.ambient)
    light = np.clip(light, 0.02, None)
    half = back + towards
    half /= np.linalg.norm(half, axis=1, keepdims=True)
    gleam = gloss * (0.5 * np.clip((normal * half).sum(axis=1), 0.0, 1.0) ** 60 * seen + 0.02 * sky)
    return np.asarray(
        compute_light_pool(point[:, 0], point[:, 1], appearance)[:, None] * (albedo * light + gleam[:, None]),
        np.float32,
    )


def compute_light_pool(at_x: Field, at_y: Field, appearance: MemoDiceAppearance) -> Field:
    """The lamp's light at these places of the table, mm, over its mean: brightest in the middle of its pool."""
    x, y, more = appearance.light_pool
    away = (at_x - x) ** 2 + (at_y - y) ** 2
    return np.asarray(1.0 - 0.5 * more + more * np.exp(-away / (2.0 * 220.0**2)), np.float32)


def _free(point: Field, ray: Field, others: Sequence[TableObject], appearance: MemoDiceAppearance) -> Field:
    """1 where nothing stands between the point and the lamp, 0 where something does."""
    free = np.ones(len(point), np.float32)
    for other in others:
        if isinstance(other, SimulatedCup):
            side, end = _cone(point, np.broadcast_to(ray, point.shape), other, appearance)
            free[np.isfinite(side) | np.isfinite(end)] = 0.0
        else:  # a ball about as large as the die
            to = np.array(other.center, np.float32) - point
            along = to @ ray
            off = (to * to).sum(axis=1) - along * along
            free[(along > 0) & (off < (0.55 * appearance.die_size_mm) ** 2)] = 0.0
    return free
