"""Ray-traced dice with symbols, and cups: the symbols' ink, rays against cones, and shading in linear light."""

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from companion.games.memo_dice.simulator.objects import MemoDiceAppearance, SimulatedCup, SymbolDie, TableObject
from companion.games.memo_dice.simulator.symbols import SYMBOL_SIZE_PX, draw_symbol
from companion.simulation.render_dice import (
    Box,
    Indices,
    Vectors,
    average_rays,
    compute_box,
    compute_corners,
    create_rays,
    intersect_die,
    split_by_face,
)

Field = npt.NDArray[np.float32]
_Hit = tuple[Indices, Field, Field, Field]
"""Indices of the rays that hit, (n,); the points in mm, their normals and their albedos, each (n, 3)."""

_BOX_MARGIN_PX = 2
"""Margin around an object in pixels; the larger, the more pixels are traced in vain."""
_LAMP_SAMPLES = 3
"""Number of points of the lamp that cast shadows; the larger, the smoother the shadows' edges and the slower."""


def compute_bounding_box(table_object: TableObject, appearance: MemoDiceAppearance) -> Box:
    """Compute a box of the frame that contains the object; it may exceed the frame."""
    if isinstance(table_object, SimulatedCup):
        lip = 1.06 * appearance.mouth_radius_mm
        corners = [
            (table_object.x + i * lip, table_object.y + j * lip, table_object.z + k * appearance.cup_height_mm)
            for i in (-1, 1) for j in (-1, 1) for k in (0, 1)
        ]  # fmt: skip
    else:
        corners = compute_corners(table_object.center, table_object.rotation, 0.5 * appearance.die_size_mm)
    return compute_box(corners, appearance.optics, _BOX_MARGIN_PX)


def draw_object(
    table_object: TableObject,
    others: Sequence[TableObject],
    appearance: MemoDiceAppearance,
    box: Box,
    supersampling: int = 2,
) -> tuple[Field, Field]:
    """Draw one object inside `box`.

    Args:
        table_object: the object.
        others: objects that cast shadows and reflections on it.
        appearance: sizes, colours, light and camera.
        box: the part of the frame to draw (see `compute_bounding_box`).
        supersampling: number of rays per pixel in each direction that are averaged.

    Returns:
        Premultiplied colours, (h, w, 3) float32 linear BGR, and cover, (h, w) float32, 0 to 1.
    """
    origin = appearance.optics.position.astype(np.float32)
    rays = create_rays(appearance.optics, box, supersampling)
    directions = np.ascontiguousarray(rays.T, np.float32)
    if isinstance(table_object, SimulatedCup):
        hits, point, normal, albedo = _intersect_cup(table_object, appearance, origin, directions)
    else:
        hits, point, normal, albedo = _intersect_die(table_object, appearance, origin, rays)
    colours = compute_lighting(point, normal, albedo, -directions[hits], others, appearance, appearance.gloss)
    return average_rays(hits, colours, box, supersampling)


def _intersect_die(die: SymbolDie, appearance: MemoDiceAppearance, origin: Field, directions: Vectors) -> _Hit:
    """Intersect rays, (3, n) unit vectors, with a die and sample the ink of its symbols."""
    hits = intersect_die(die.center, die.rotation, appearance.die_size_mm, appearance.edge_rounding, origin, directions)
    ink, colour = _sample_ink(die, hits.points, appearance)
    inks = np.array(appearance.inks, np.float32)[colour]
    body = np.array(appearance.body, np.float32)
    to_die = die.rotation.T.astype(np.float32)
    return (
        hits.rays,
        (hits.points.T @ to_die * np.float32(appearance.die_size_mm) + np.array(die.center)).astype(np.float32),
        (hits.normals.T @ to_die).astype(np.float32),
        (body + ink[:, None] * (inks - body)).astype(np.float32),
    )


def _sample_ink(die: SymbolDie, points: Vectors, appearance: MemoDiceAppearance) -> tuple[Field, npt.NDArray[np.int64]]:
    """Sample the ink at surface points.

    Args:
        die: the die.
        points: (3, n), in the die's own axes and in edge lengths.
        appearance: size of the symbols.

    Returns:
        Share of ink, (n,) from 0 to 1, and its colour, (n,) as `MemoColour`.
    """
    ink, colour = np.zeros(points.shape[1], np.float32), np.zeros(points.shape[1], np.int64)
    for index, here, a, b in split_by_face(points):
        face = die.faces[index]
        for _ in range(face.quarter_turns):
            a, b = -b, a
        scale = SYMBOL_SIZE_PX / appearance.symbol_share
        mask = draw_symbol(face.kind, face.variant)
        # Columns, not flat arrays: OpenCV 5 interprets flat arrays as rows.
        u, v = ((c * scale + SYMBOL_SIZE_PX / 2).astype(np.float32)[:, None] for c in (a, b))
        ink[here] = cv2.remap(mask, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT).ravel()
        colour[here] = int(face.colour)
    return ink, colour


def _intersect_cone(
    point: Field, direction: Field, cup: SimulatedCup, appearance: MemoDiceAppearance
) -> tuple[Field, Field]:
    """Compute the distances in mm along rays to a cup's side and to its closed end; infinite where a ray misses.

    Args:
        point: starting points in mm, (..., 3).
        direction: unit vectors, (..., 3).
        cup: the cup.
        appearance: size of the cup.
    """
    slope = np.float32((appearance.top_radius_mm - appearance.mouth_radius_mm) / appearance.cup_height_mm)
    x, y, z = point[..., 0] - cup.x, point[..., 1] - cup.y, point[..., 2] - cup.z
    dx, dy, dz = direction[..., 0], direction[..., 1], direction[..., 2]
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

        def is_on_wall(t: Field) -> npt.NDArray[np.bool_]:
            high = z + t * dz
            return np.asarray((root > 0) & (t > 1e-3) & (high >= 0) & (high <= appearance.cup_height_mm))

        side = np.where(is_on_wall(near), near, np.where(is_on_wall(far), far, infinite))
        t = (appearance.cup_height_mm - z) / dz
        within = (x + t * dx) ** 2 + (y + t * dy) ** 2 <= appearance.top_radius_mm**2
        end = np.where(within & (t > 1e-3), t, infinite)
    return np.asarray(side, np.float32), np.asarray(end, np.float32)


def _intersect_cup(cup: SimulatedCup, appearance: MemoDiceAppearance, origin: Field, directions: Field) -> _Hit:
    """Intersect rays with a cup."""
    side, end = _intersect_cone(np.broadcast_to(origin, directions.shape), directions, cup, appearance)
    t = np.minimum(side, end)
    hits = np.flatnonzero(np.isfinite(t))
    point = origin + t[hits, None] * directions[hits]
    x, y, z = point[:, 0] - cup.x, point[:, 1] - cup.y, point[:, 2] - cup.z
    r = np.maximum(np.hypot(x, y), 1e-3)
    slope = (appearance.top_radius_mm - appearance.mouth_radius_mm) / appearance.cup_height_mm
    normal = np.stack([x / r, y / r, np.full_like(r, -slope)], axis=1)
    on_end = end[hits] <= side[hits]
    # The closed end has a raised rim and the mouth has a lip: rings with other normals.
    rim = np.exp(-(((r - 0.86 * appearance.top_radius_mm) / (0.06 * appearance.top_radius_mm)) ** 2)) * np.sign(
        0.86 * appearance.top_radius_mm - r
    )
    normal[on_end] = np.stack([-0.8 * rim * x / r, -0.8 * rim * y / r, np.ones_like(r)], axis=1)[on_end]
    lip = ~on_end & (z < 0.07 * appearance.cup_height_mm)
    normal[lip, 2] += 0.9
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    albedo = np.broadcast_to(np.array(appearance.cups[cup.colour], np.float32), normal.shape)
    return hits, point.astype(np.float32), normal.astype(np.float32), np.asarray(albedo, np.float32)


def compute_light_direction(appearance: MemoDiceAppearance) -> Field:
    """Return the unit vector towards the lamp, (3,) float32."""
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
    """Compute the light that surface points reflect towards the camera.

    It is the sum of the lamp with soft shadows, ambient light, reflections of cups and a highlight (Blinn 1977).

    Args:
        point: points in mm, (n, 3).
        normal: unit normals, (n, 3).
        albedo: (n, 3) linear BGR.
        back: unit vectors towards the camera, (n, 3).
        others: objects that cast shadows and reflections.
        appearance: light and sizes.
        gloss: strength of the highlight, 0 to 1.

    Returns:
        (n, 3) float32 linear BGR.
    """
    towards = compute_light_direction(appearance)
    rng = np.random.default_rng(7)
    seen = np.zeros(len(point), np.float32)
    for _ in range(_LAMP_SAMPLES):
        ray = towards + appearance.lamp_spread * rng.standard_normal(3).astype(np.float32)
        ray /= np.linalg.norm(ray)
        seen += _compute_visibility(point + 0.3 * normal, ray, others, appearance) / _LAMP_SAMPLES
    facing = np.clip(normal @ towards, 0.0, 1.0) * seen
    sky = 0.5 + 0.5 * normal[:, 2]
    sky *= 0.55 + 0.45 * np.clip(point[:, 2] / 12.0, 0.0, 1.0)  # the table hides half of the sky from low points
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
    highlight = gloss * (0.5 * np.clip((normal * half).sum(axis=1), 0.0, 1.0) ** 60 * seen + 0.02 * sky)
    return np.asarray(
        compute_light_pool(point[:, 0], point[:, 1], appearance)[:, None] * (albedo * light + highlight[:, None]),
        np.float32,
    )


def compute_light_pool(at_x: Field, at_y: Field, appearance: MemoDiceAppearance) -> Field:
    """Compute the lamp's light relative to its mean at points of the table; coordinates in mm, of one shape."""
    x, y, more = appearance.light_pool
    away = (at_x - x) ** 2 + (at_y - y) ** 2
    return np.asarray(1.0 - 0.5 * more + more * np.exp(-away / (2.0 * 220.0**2)), np.float32)


def _compute_visibility(
    point: Field, ray: Field, others: Sequence[TableObject], appearance: MemoDiceAppearance
) -> Field:
    """Return 1 for each point, (n, 3) in mm, from which the lamp is visible in the direction `ray`, else 0."""
    free = np.ones(len(point), np.float32)
    for other in others:
        if isinstance(other, SimulatedCup):
            side, end = _intersect_cone(point, np.broadcast_to(ray, point.shape), other, appearance)
            free[np.isfinite(side) | np.isfinite(end)] = 0.0
        else:  # a sphere about as large as the die
            to = np.array(other.center, np.float32) - point
            along = to @ ray
            off = (to * to).sum(axis=1) - along * along
            free[(along > 0) & (off < (0.55 * appearance.die_size_mm) ** 2)] = 0.0
    return free
