"""A small ray marcher for signed-distance bodies: one light, one look for all the pictures of `draw_art.py`.

Coordinates: x to the right, y up, z towards the viewer; the table is the plane y = 0. A key light stands at the top
left, a weak fill at the right and a rim light behind. Colours are linear RGB, 0 to 1. Equal scenes give equal pictures.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import cos, radians, sin
from typing import Any, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.floating[Any]]
"""Points and directions are `(N, 3)`, distances and strengths `(N,)`."""
Vector = tuple[float, float, float]

MAX_MARCH_STEPS = 110
"""Steps of a ray at most: more find flat edges more exactly."""
HIT_DISTANCE = 8e-4
"""A ray that is nearer to a body has hit it."""
STEP_RATIO = 0.92
"""Share of the distance by which a ray steps: less than 1, as some distances are only nearly true."""
SHADOW_STEPS = 36
"""Steps of a ray towards the light at most."""
SHADOW_REACH = 7.0
"""Length of a ray towards the light: what stands further casts no shadow."""
SHADOW_SHARPNESS = 7.0
"""Sharpness of the shadows' edges: less is a larger lamp."""
OCCLUSION_STEPS = (0.04, 0.1, 0.2, 0.36)
"""Distances from a surface at which it is looked for what stands in the way of ambient light."""
NORMAL_STEP = 1.5e-3
"""Half the distance of the points between which a surface's slope is measured."""


def normalise(vectors: Array) -> Array:
    """Return vectors of length 1 with the same directions."""
    length = np.sqrt(np.einsum("...i,...i->...", vectors, vectors))[..., None]
    return np.asarray(vectors / np.maximum(length, 1e-9), np.float32)


def _unit(x: float, y: float, z: float) -> Array:
    return normalise(np.array([x, y, z], np.float32))


KEY_DIRECTION = _unit(-0.44, 0.85, 0.27)
"""Towards the key light."""
FILL_DIRECTION = _unit(0.8, 0.35, 0.55)
"""Towards the fill light."""
RIM_DIRECTION = _unit(0.55, 0.45, -0.75)
"""Towards the rim light, behind the objects."""
KEY_RGB = np.array([2.2, 2.03, 1.78], np.float32)
KEY_FALL = 0.17
"""Loss of key light in each unit of length away from it, as of a lamp that stands near."""
FILL_RGB = np.array([0.22, 0.27, 0.36], np.float32)
RIM_RGB = np.array([0.9, 1.0, 1.25], np.float32)
SKY_RGB = np.array([0.42, 0.46, 0.54], np.float32)
GROUND_RGB = np.array([0.2, 0.17, 0.16], np.float32)


def srgb(red: int, green: int, blue: int) -> Array:
    """Return a colour of a screen (0 to 255) as linear RGB, 0 to 1."""
    return ((np.array([red, green, blue], np.float32) / 255) ** 2.2).astype(np.float32)


def smoothstep(low: float, high: float, values: Array) -> Array:
    """Rise smoothly from 0 at `low` to 1 at `high`; with `low` above `high` it falls."""
    t = np.clip((values - low) / (high - low), 0, 1)
    return np.asarray(t * t * (3 - 2 * t), np.float32)


def mix(a: Array, b: Array, share: Array) -> Array:
    """Mix two colours, `(3,)` or `(N, 3)`, by the share `(N,)` of the second."""
    s = share[..., None]
    return (a * (1 - s) + b * s).astype(np.float32)


def rotation(yaw_deg: float = 0.0, pitch_deg: float = 0.0, roll_deg: float = 0.0) -> Array:
    """Return the `(3, 3)` matrix that turns about x (pitch), then z (roll), then y (yaw)."""
    y, p, r = radians(yaw_deg), radians(pitch_deg), radians(roll_deg)
    about_y = np.array([[cos(y), 0, sin(y)], [0, 1, 0], [-sin(y), 0, cos(y)]])
    about_x = np.array([[1, 0, 0], [0, cos(p), -sin(p)], [0, sin(p), cos(p)]])
    about_z = np.array([[cos(r), -sin(r), 0], [sin(r), cos(r), 0], [0, 0, 1]])
    return np.asarray(about_y @ about_z @ about_x, np.float32)


@dataclass(slots=True)
class Surface:
    """How surface points look.

    Attributes:
        colour: `(N, 3)` linear RGB of the diffuse light.
        normal: `(N, 3)` unit vectors in the body's own coordinates.
        gloss: strength of reflections, 0 to 1, `(N,)` or one number.
        sharpness: exponent of the highlight: larger is smoother.
        metal: share of reflections in the surface's own colour, `(N,)` or one number.
        glow: `(N, 3)` linear RGB of the light that it gives off; None: none.
    """

    colour: Array
    normal: Array
    gloss: Array | float = 0.25
    sharpness: float = 60.0
    metal: Array | float = 0.0
    glow: Array | None = None


Flags = npt.NDArray[np.bool_]
Distance = Callable[[Array], Array]
"""Signed distance of points in the body's own coordinates."""
Paint = Callable[[Array, Array, Array], Surface]
"""Surface at points with normals, seen along directions, all in the body's own coordinates."""


class Body(NamedTuple):
    """A body in a scene.

    Attributes:
        distance: its shape.
        paint: its surface.
        centre: where its own origin lies.
        turn: `(3, 3)` rotation from its own coordinates to the scene's.
        radius: of a sphere around its origin that encloses it.
    """

    distance: Distance
    paint: Paint
    centre: Vector
    turn: Array
    radius: float

    def to_own(self, points: Array) -> Array:
        """Convert points of the scene to the body's own coordinates."""
        return ((points - np.array(self.centre, np.float32)) @ self.turn).astype(np.float32)


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """A camera that looks at a point.

    Attributes:
        target: the point in the middle of the picture.
        elevation_deg: height above the horizon; 90 looks straight down.
        width: width of what the picture shows at the target.
        distance: from the target; None: without perspective.
        yaw_deg: turns the camera around the target, to the right.
    """

    target: Vector
    elevation_deg: float
    width: float
    distance: float | None = None
    yaw_deg: float = 0.0

    def cast_rays(self, size: tuple[int, int]) -> tuple[Array, Array]:
        """Return origins and directions of the rays through all pixels, row by row."""
        e, y = radians(self.elevation_deg), radians(self.yaw_deg)
        back = np.array([sin(y) * cos(e), sin(e), cos(y) * cos(e)], np.float32)
        right = np.array([cos(y), 0, -sin(y)], np.float32)
        up = np.cross(back, right).astype(np.float32)
        w, h = size
        xs = (np.arange(w, dtype=np.float32) + 0.5) / w - 0.5
        ys = (0.5 - (np.arange(h, dtype=np.float32) + 0.5) / h) * h / w
        gx, gy = (g.reshape(-1, 1).astype(np.float32) for g in np.meshgrid(xs * self.width, ys * self.width))
        target = np.array(self.target, np.float32)
        on_plane = target + gx * right + gy * up
        if self.distance is None:
            return (on_plane + back * 20).astype(np.float32), np.broadcast_to(-back, on_plane.shape).copy()
        eye = target + back * self.distance
        return np.broadcast_to(eye, on_plane.shape).astype(np.float32).copy(), normalise(on_plane - eye)


class Ground(NamedTuple):
    """The table.

    Attributes:
        paint: colour and gloss of points of the table; None: only the shadow is drawn, on nothing.
        shadow: strength of a shadow without a table, 0 to 1.
    """

    paint: Callable[[Array], Surface] | None = None
    shadow: float = 0.55


def _measure(bodies: Sequence[Body], points: Array, margin: float = 0.12) -> Array:
    """Return the distance of the nearest body; further than `margin` from one that of its enclosing sphere."""
    nearest = np.full(len(points), 1e3, np.float32)
    for body in bodies:
        offset = points - np.array(body.centre, np.float32)
        rough = np.sqrt(np.einsum("ij,ij->i", offset, offset)) - body.radius
        near = np.flatnonzero(rough < np.minimum(nearest, margin))
        far = rough >= margin
        nearest[far] = np.minimum(nearest[far], rough[far])
        if near.size:
            nearest[near] = np.minimum(nearest[near], body.distance((offset[near] @ body.turn).astype(np.float32)))
    return nearest


def _march(bodies: Sequence[Body], origins: Array, directions: Array, limits: Array) -> tuple[Array, Flags]:
    """Follow rays to the nearest body; return the lengths, and which rays have hit one."""
    t = np.zeros(len(origins), np.float32)
    hit = np.zeros(len(origins), bool)
    # Rays that miss every enclosing sphere need no steps.
    can_hit = np.zeros(len(origins), bool)
    start = np.full(len(origins), 1e3, np.float32)
    for body in bodies:
        to = np.array(body.centre, np.float32) - origins
        along = np.einsum("ij,ij->i", to, directions)
        off2 = np.einsum("ij,ij->i", to, to) - along * along
        inside = off2 < body.radius * body.radius
        can_hit |= inside
        entry = along - np.sqrt(np.maximum(body.radius**2 - off2, 0))
        start = np.where(inside, np.minimum(start, np.maximum(entry, 0)), start)
    t[can_hit] = start[can_hit]
    active = np.flatnonzero(can_hit)
    for _ in range(MAX_MARCH_STEPS):
        if not active.size:
            break
        away = _measure(bodies, origins[active] + directions[active] * t[active, None])
        found = away < HIT_DISTANCE
        hit[active[found]] = True
        t[active] += np.where(found, 0, np.maximum(away * STEP_RATIO, HIT_DISTANCE / 2))
        active = active[~found & (t[active] < limits[active])]
    hit &= t < limits
    return t, hit


def _shade_light(bodies: Sequence[Body], points: Array) -> Array:
    """Return how much of the key light reaches points, 0 to 1, with soft edges."""
    lit = np.ones(len(points), np.float32)
    t = np.full(len(points), 0.02, np.float32)
    active = np.arange(len(points))
    for _ in range(SHADOW_STEPS):
        away = _measure(bodies, points[active] + KEY_DIRECTION * t[active, None], 0.7)
        lit[active] = np.minimum(lit[active], SHADOW_SHARPNESS * away / t[active])
        t[active] += np.clip(away, 0.015, 0.5)
        active = active[(lit[active] > 0.004) & (t[active] < SHADOW_REACH)]
        if not active.size:
            break
    return smoothstep(0, 1, np.clip(lit, 0, 1))


def _occlude(bodies: Sequence[Body], points: Array, normals: Array, *, has_ground: bool) -> Array:
    """Return how much of the ambient light reaches points, 0 to 1."""
    blocked = np.zeros(len(points), np.float32)
    weight = 1.0
    for step in OCCLUSION_STEPS:
        at = points + normals * step
        away = _measure(bodies, at, 0.4)
        if has_ground:
            away = np.minimum(away, at[:, 1])
        blocked += weight * np.clip(step - away, 0, None) / step
        weight *= 0.72
    return np.asarray(np.clip(1 - 0.52 * blocked, 0, 1), np.float32)


def reflect_studio(directions: Array) -> Array:
    """Return the light that comes from directions in the studio: a softbox, a strip light, a dark floor."""
    up = directions[:, 1]
    sky = mix(
        np.array([0.05, 0.05, 0.06], np.float32), np.array([0.55, 0.6, 0.7], np.float32), smoothstep(-0.15, 0.9, up)
    )
    box = smoothstep(0.8, 0.93, directions @ KEY_DIRECTION)
    strip = smoothstep(0.86, 0.97, directions @ RIM_DIRECTION)
    return np.asarray(sky + box[:, None] * KEY_RGB * 1.25 + strip[:, None] * RIM_RGB * 0.9, np.float32)


def _light(surface: Surface, points: Array, normals: Array, views: Array, lit: Array, open_sky: Array) -> Array:
    """Return the light that surfaces send towards the camera, linear RGB.

    Args:
        surface: their material.
        points: their places in the scene.
        normals: unit vectors in the scene.
        views: unit vectors from the camera.
        lit: share of the key light that reaches them.
        open_sky: share of the ambient light that reaches them.
    """
    near = np.clip(1 + KEY_FALL * (points @ KEY_DIRECTION - 0.6), 0.35, 1.5)
    key = np.clip((normals @ KEY_DIRECTION + 0.12) / 1.12, 0, None) * lit * near
    fill = np.clip(normals @ FILL_DIRECTION, 0, None) * open_sky
    sky = mix(GROUND_RGB, SKY_RGB, normals[:, 1] * 0.5 + 0.5) * open_sky[:, None]
    metal = np.broadcast_to(np.asarray(surface.metal, np.float32), key.shape)
    gloss = np.broadcast_to(np.asarray(surface.gloss, np.float32), key.shape)
    diffuse = surface.colour * (key[:, None] * KEY_RGB * 0.62 + fill[:, None] * FILL_RGB + sky)
    facing = np.clip(-np.einsum("ij,ij->i", views, normals), 0, 1)
    fresnel = 0.06 + 0.94 * (1 - facing) ** 5
    mirrored = views + 2 * facing[:, None] * normals
    strength = (gloss * np.maximum(fresnel, metal * 0.9))[:, None]
    tint = mix(np.ones(3, np.float32), surface.colour, metal)
    reflected = reflect_studio(mirrored) * strength * tint * (0.35 + 0.65 * open_sky)[:, None]
    half = normalise(KEY_DIRECTION - views)
    highlight = np.clip(np.einsum("ij,ij->i", normals, half), 0, 1) ** surface.sharpness * lit
    shine = highlight[:, None] * (gloss * 1.1)[:, None] * KEY_RGB * 0.4 * tint
    rim = (1 - facing) ** 3 * np.clip(normals @ RIM_DIRECTION + 0.15, 0, None) * (0.3 + 0.7 * open_sky)
    total = diffuse * (1 - 0.75 * metal)[:, None] + reflected + shine + rim[:, None] * RIM_RGB * 0.42
    if surface.glow is not None:
        total = total + surface.glow
    return np.asarray(total, np.float32)


def _shade_body(bodies: Sequence[Body], index: int, points: Array, views: Array, *, has_ground: bool) -> Array:
    body = bodies[index]
    own = body.to_own(points)
    offsets = np.array([[1, -1, -1], [-1, -1, 1], [-1, 1, -1], [1, 1, 1]], np.float32)
    slope = sum(o * body.distance(own + o * NORMAL_STEP)[:, None] for o in offsets)
    normal = normalise(np.asarray(slope, np.float32))
    true_normals = (normal @ body.turn.T).astype(np.float32)
    surface = body.paint(own, normal, (views @ body.turn).astype(np.float32))
    normals = normalise((surface.normal @ body.turn.T).astype(np.float32))
    lit = _shade_light(bodies, points + true_normals * 0.012)
    return _light(surface, points, normals, views, lit, _occlude(bodies, points, true_normals, has_ground=has_ground))


def render(
    bodies: Sequence[Body], camera: Viewpoint, size: tuple[int, int], ground: Ground | None, samples: int = 3
) -> npt.NDArray[np.uint8]:
    """Render a scene.

    Args:
        bodies: at least one.
        camera: where it is seen from.
        size: width and height in pixels.
        ground: the table; None: no table and no shadow on it.
        samples: rays of a pixel in each direction.

    Returns:
        `(H, W, 4)` uint8 BGRA, not premultiplied.
    """
    w, h = size[0] * samples, size[1] * samples
    origins, directions = camera.cast_rays((w, h))
    limits = np.full(len(origins), 60.0, np.float32)
    if ground is not None:
        falls = directions[:, 1] < -1e-4
        limits[falls] = np.minimum(limits[falls], -origins[falls, 1] / directions[falls, 1])
    t, hit = _march(bodies, origins, directions, limits)
    light = np.zeros((len(origins), 3), np.float32)
    alpha = np.zeros(len(origins), np.float32)
    rays = np.flatnonzero(hit)
    points = origins[rays] + directions[rays] * t[rays, None]
    if rays.size:
        away = np.stack([body.distance(body.to_own(points)) for body in bodies])
        owner = away.argmin(axis=0)
        for index in range(len(bodies)):
            mine = np.flatnonzero(owner == index)
            if mine.size:
                light[rays[mine]] = _shade_body(
                    bodies, index, points[mine], directions[rays[mine]], has_ground=ground is not None
                )
        alpha[rays] = 1
    if ground is not None:
        below = np.flatnonzero(~hit & (limits < 59))
        points = origins[below] + directions[below] * limits[below, None]
        upright = np.broadcast_to(np.array([0, 1, 0], np.float32), points.shape).copy()
        lit = _shade_light(bodies, points)
        open_sky = _occlude(bodies, points, upright, has_ground=False)
        if ground.paint is None:
            # The shadow ends before the picture does.
            row, column = np.divmod(below, w)
            from_edge = np.minimum(np.minimum(column, w - 1 - column) / w, np.minimum(row, h - 1 - row) / h)
            alpha[below] = ground.shadow * (1 - lit * open_sky) * smoothstep(0, 0.12, from_edge.astype(np.float32))
        else:
            surface = ground.paint(points)
            light[below] = _light(surface, points, surface.normal, directions[below], lit, open_sky)
            alpha[below] = 1
    premultiplied = np.concatenate([map_tones(light) * alpha[:, None], alpha[:, None]], axis=1).reshape(h, w, 4)
    small = cv2.resize(premultiplied, size, interpolation=cv2.INTER_AREA)
    return to_picture(np.asarray(small, np.float32))


def map_tones(light: Array) -> Array:
    """Convert linear light to a screen's values, 0 to 1; bright light is compressed."""
    compressed = light * (1 + light / 6.25) / (1 + light * 0.62)
    return np.asarray(np.clip(compressed, 0, 1) ** (1 / 2.2), np.float32)


def to_picture(premultiplied: npt.NDArray[np.floating]) -> npt.NDArray[np.uint8]:
    """Convert a premultiplied RGBA picture, 0 to 1, to BGRA, 0 to 255, not premultiplied."""
    alpha = premultiplied[..., 3:]
    colour = premultiplied[..., 2::-1] / np.maximum(alpha, 1e-4)
    return np.asarray(np.round(np.clip(np.concatenate([colour, alpha], axis=2), 0, 1) * 255), np.uint8)
