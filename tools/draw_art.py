"""Draw the objects of the stage: `python tools/draw_art.py` writes companion/display/art/*.png, always the same.

Dice, tokens, cups, crystals, cards and sky tiles are bodies of signed distances, rendered by `ray_renderer` under one
light; lengths are in the renderer's units, a die's side is 2. `python tools/draw_art.py die_6 gem` draws only those.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import cache, partial
from math import cos, pi, radians, sin
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
from ray_renderer import (
    Array,
    Body,
    Ground,
    Surface,
    Vector,
    Viewpoint,
    mix,
    normalise,
    reflect_studio,
    render,
    rotation,
    smoothstep,
    srgb,
)

ART_FOLDER = Path(__file__).parent.parent / "companion" / "display" / "art"
OBJECT_PX = 320
"""Side of an object's picture in pixels."""
CUP_PX = 480
"""Side of a cup's picture in pixels: that of a cup on the stage of a 1920x1080 screen."""
TITLE_SIZE = (640, 360)
"""Width and height of a title picture in pixels."""
SHADOW_ONLY = Ground()
"""Nothing is seen of the table but the shadows on it."""

IVORY = srgb(243, 232, 208)
PIP = srgb(32, 30, 38)
GOLD = srgb(255, 196, 70)
BRASS = srgb(226, 178, 92)
DEEP_BLUE = srgb(36, 66, 140)
WOOD_LIGHT = srgb(233, 200, 150)
WOOD_DARK = srgb(196, 150, 98)


# Shapes


def measure_box(p: Array, half: Vector, radius: float) -> Array:
    """Return the distance of a box with round edges; `half` is half its size."""
    q = np.abs(p) - (np.array(half, np.float32) - radius)
    outside = np.sqrt((np.maximum(q, 0) ** 2).sum(axis=1))
    return np.asarray(outside + np.minimum(q.max(axis=1), 0) - radius, np.float32)


def measure_round_cube(p: Array) -> Array:
    """Return the distance of a die: a cube of half 1, cut by a sphere."""
    sphere = np.sqrt((p * p).sum(axis=1)) - 1.5
    return smooth_max(measure_box(p, (1, 1, 1), 0.2), sphere.astype(np.float32), 0.08)


def smooth_max(a: Array, b: Array, width: float) -> Array:
    """Return the maximum with a round transition: cuts one shape by another."""
    h = np.clip(0.5 - 0.5 * (b - a) / width, 0, 1)
    return np.asarray(b * (1 - h) + a * h + width * h * (1 - h), np.float32)


def smooth_min(a: Array, b: Array, width: float) -> Array:
    """Return the minimum with a round transition: merges two shapes."""
    return -smooth_max(-a, -b, width)


def measure_disc(p: Array, radius: float, half_height: float, edge: float) -> Array:
    """Return the distance of an upright cylinder with round edges."""
    x = np.sqrt(p[:, 0] ** 2 + p[:, 2] ** 2) - radius + edge
    y = np.abs(p[:, 1]) - half_height + edge
    outside = np.sqrt(np.maximum(x, 0) ** 2 + np.maximum(y, 0) ** 2)
    return np.asarray(outside + np.minimum(np.maximum(x, y), 0) - edge, np.float32)


# Dice

PIP_PLACES: dict[int, tuple[tuple[float, float], ...]] = {
    1: ((0, 0),),
    2: ((-0.48, -0.48), (0.48, 0.48)),
    3: ((-0.5, -0.5), (0, 0), (0.5, 0.5)),
    4: ((-0.46, -0.46), (0.46, -0.46), (-0.46, 0.46), (0.46, 0.46)),
    5: ((-0.5, -0.5), (0.5, -0.5), (0, 0), (-0.5, 0.5), (0.5, 0.5)),
    6: ((-0.46, -0.52), (0.46, -0.52), (-0.46, 0), (0.46, 0), (-0.46, 0.52), (0.46, 0.52)),
}
PIP_RADIUS = 0.205
"""Radius of a pip."""
ONE_PIP_RADIUS = 0.27
"""Radius of the single pip of a one."""


def paint_die(p: Array, normal: Array, view: Array, *, top: int | None, body: Array, pip: Array) -> Surface:
    """Paint a die of half 1 with hollow pips; `top` is the value of its upper face, None: it has no pips."""
    colour = np.broadcast_to(body, p.shape).copy()
    normal = normal.copy()
    gloss = np.full(len(p), 0.55, np.float32)
    if top is None:
        return Surface(colour, normal, gloss, 90)
    right, front = {1: (3, 2), 2: (3, 6), 3: (2, 6), 4: (5, 1), 5: (4, 1), 6: (4, 5)}[top]
    values = {(1, 1): top, (1, -1): 7 - top, (0, 1): right, (0, -1): 7 - right, (2, 1): front, (2, -1): 7 - front}
    axis = np.abs(p).argmax(axis=1)
    for (a, side), value in values.items():
        mine = (axis == a) & (np.sign(p[:, a]) == side)
        across, along = ((0, 2), (2, 1), (0, 1))[(1, 0, 2).index(a)]
        for x, y in PIP_PLACES[value]:
            radius = ONE_PIP_RADIUS if value == 1 else PIP_RADIUS
            dx, dy = p[:, across] - x, p[:, along] - y
            away = np.sqrt(dx * dx + dy * dy)
            inside = mine & (away < radius)
            if not inside.any():
                continue
            share = smoothstep(radius, radius - 0.025, away[inside])
            bowl = np.zeros((int(inside.sum()), 3), np.float32)
            bowl[:, across], bowl[:, along] = -dx[inside], -dy[inside]
            bowl[:, a] = side * radius * 0.85
            normal[inside] = normalise(mix(normal[inside], normalise(bowl), share))
            depth = smoothstep(0, radius, away[inside])
            colour[inside] = mix(colour[inside], mix(pip * 1.5, pip * 0.6, depth), share)
            gloss[inside] = 0.4
    return Surface(colour, normal, gloss, 90)


def make_die(
    top: int | None, centre: Vector, turn: Array, half: float = 1.0, body: Array = IVORY, pip: Array = PIP
) -> Body:
    """Return a die; `half` is half its side."""

    def paint(p: Array, normal: Array, view: Array) -> Surface:
        return paint_die(p / half, normal, view, top=top, body=body, pip=pip)

    return Body(lambda p: measure_round_cube(p / half) * half, paint, centre, turn, 1.53 * half)


def draw_die_art(top: int | None, body: Array = IVORY) -> npt.NDArray[np.uint8]:
    """Draw a die on the table, seen from above, so that its upper face dominates."""
    camera = Viewpoint((0.1, 0.95, 0.0), 66, 2.95)
    return render([make_die(top, (0, 1, 0), rotation(yaw_deg=-7), body=body)], camera, (OBJECT_PX,) * 2, SHADOW_ONLY)


TUMBLE_FRAMES = 8
"""Pictures of a turning die; the last leads to the first again."""


def draw_tumble_art(frame: int) -> npt.NDArray[np.uint8]:
    """Draw a die in the air, turned by a share of a whole turn about an oblique axis."""
    angle = 2 * pi * frame / TUMBLE_FRAMES
    axis = np.array([0.8, 0.35, -0.48])
    axis /= np.linalg.norm(axis)
    k = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    turn = np.eye(3) + sin(angle) * k + (1 - cos(angle)) * k @ k
    lean = rotation(yaw_deg=25, pitch_deg=30, roll_deg=12)
    camera = Viewpoint((0.1, 1.55, 0), 66, 3.6)
    body = make_die(5, (0, 1.75, 0), (turn @ lean).astype(np.float32))
    return render([body], camera, (OBJECT_PX,) * 2, Ground(shadow=0.4))


# Crystal

CRYSTAL = srgb(70, 190, 255)
FACET_RINGS = ((8, 56, 0.58, 0.0), (8, 47, 0.715, 0.5), (8, -49, 0.67, 0.0), (8, -45, 0.73, 0.5))
"""Rings of a stone's facets: their number, the slope of their normals in degrees, distance from the centre, turn."""
TABLE_HEIGHT = 0.38
"""Height of the flat facet on top above the centre."""


def _list_facets() -> tuple[Array, Array]:
    """Return the facets of a brilliant: normals `(F, 3)` and distances `(F,)` from its centre."""
    normals, distances = [(0.0, 1.0, 0.0)], [TABLE_HEIGHT]
    for count, slope_deg, distance, turn in FACET_RINGS:
        slope = radians(slope_deg)
        for i in range(count):
            angle = 2 * pi * (i + turn) / count + 0.2
            normals.append((cos(slope) * cos(angle), sin(slope), cos(slope) * sin(angle)))
            distances.append(distance)
    return normalise(np.array(normals, np.float32)), np.array(distances, np.float32)


FACET_NORMALS, FACET_DISTANCES = _list_facets()
GEM_TURN = rotation(yaw_deg=8, pitch_deg=10, roll_deg=-14)


def measure_gem(p: Array) -> Array:
    """Return the distance of a cut stone of radius 1."""
    return np.asarray((p @ FACET_NORMALS.T - FACET_DISTANCES).max(axis=1) - 0.015, np.float32)


def paint_gem(p: Array, normal: Array, view: Array, *, colour: Array, turn: Array) -> Surface:
    """Paint a crystal: light that is refracted, and reflected within, by its facets."""
    index = 1.7
    cosine = -np.einsum("ij,ij->i", normal, view)
    root = np.sqrt(np.maximum(1 - (1 - cosine**2) / index**2, 0))
    ray = normalise(view / index + (cosine / index - root)[:, None] * normal)
    at, light, through = p - normal * 0.02, np.zeros_like(p), np.ones_like(p)
    for _ in range(4):
        slope = ray @ FACET_NORMALS.T
        room = FACET_DISTANCES - at @ FACET_NORMALS.T
        lengths = np.where(slope > 1e-4, room / np.maximum(slope, 1e-4), 1e3)
        facet = lengths.argmin(axis=1)
        length = np.clip(lengths[np.arange(len(p)), facet], 0, 3)
        at = (at + ray * length[:, None]).astype(np.float32)
        out = FACET_NORMALS[facet]
        through = through * np.exp(-length[:, None] * (1.02 - colour) * 0.9)
        leaves = np.einsum("ij,ij->i", ray, out)
        escape = smoothstep(0.55, 0.95, leaves) * 0.75 + 0.1
        light += through * escape[:, None] * reflect_studio((ray @ turn.T).astype(np.float32)) * 1.5
        through = through * (1 - escape[:, None])
        ray = normalise(ray - 2 * leaves[:, None] * out)
    glow = light * colour * 2.0 + colour * colour * 0.05
    return Surface(colour * 0.12, normal, 0.9, 220, 0.0, glow.astype(np.float32))


def make_gem(centre: Vector, size: float = 1.0, turn: Array = GEM_TURN, colour: Array = CRYSTAL) -> Body:
    """Return a crystal; `size` is its radius."""

    def paint(p: Array, normal: Array, view: Array) -> Surface:
        return paint_gem(p / size, normal, view, colour=np.broadcast_to(colour, p.shape), turn=turn)

    return Body(lambda p: measure_gem(p / size) * size, paint, centre, turn, 1.25 * size)


# Tokens and stars


def draw_grain(p: Array, light: Array = WOOD_LIGHT, dark: Array = WOOD_DARK, scale: float = 1.0) -> Array:
    """Return the colours of wood at points: rings of a trunk that lies along x."""
    x, y, z = (p[:, i] * scale for i in range(3))
    wave = 0.22 * np.sin(1.3 * x + 0.7 * np.sin(2.1 * z)) + 0.07 * np.sin(4.1 * x + 3 * z)
    ring = np.sqrt((y + 0.9) ** 2 + (z * 1.15 + wave + 0.35) ** 2) * 7.5
    band = 0.5 + 0.5 * np.sin(2 * pi * ring)
    pores = 0.5 + 0.5 * np.sin(ring * 31 + 7 * np.sin(x * 1.7)) * np.sin(x * 3.3 + ring)
    return mix(light, dark, np.clip(band**2 * 0.6 + pores * 0.25, 0, 1).astype(np.float32))


def make_token(centre: Vector, turn: Array | None = None, radius: float = 1.0, colour: Array = DEEP_BLUE) -> Body:
    """Return a round token: pale wood with a hollow rim and a painted edge; its number is drawn by the stage."""
    height = 0.17 * radius

    def distance(p: Array) -> Array:
        plate = measure_disc(p, radius, height, 0.07 * radius)
        away = np.sqrt(p[:, 0] ** 2 + p[:, 2] ** 2)
        groove = np.sqrt((away - 0.79 * radius) ** 2 + (p[:, 1] - height) ** 2) - 0.045 * radius
        return smooth_max(plate, (-groove).astype(np.float32), 0.03 * radius)

    def paint(p: Array, normal: Array, view: Array) -> Surface:
        away = np.sqrt(p[:, 0] ** 2 + p[:, 2] ** 2) / radius
        wood = draw_grain(p / radius, srgb(245, 224, 186), srgb(225, 190, 140), 0.8)
        painted = smoothstep(0.775, 0.79, away)
        return Surface(mix(wood, colour, painted), normal, 0.18 + 0.4 * painted, 50)

    return Body(distance, paint, centre, np.eye(3, dtype=np.float32) if turn is None else turn, 1.04 * radius)


def measure_star(p: Array, radius: float, inner: float) -> Array:
    """Return the distance of a flat star with five points, in the plane of x and z, its tip away from the viewer."""
    angle = np.arctan2(p[:, 0], -p[:, 2])
    step = 2 * pi / 5
    folded = np.abs((angle + step / 2) % step - step / 2)
    away = np.sqrt(p[:, 0] ** 2 + p[:, 2] ** 2)
    x, y = away * np.sin(folded), away * np.cos(folded)
    corner = np.array([inner * radius * sin(step / 2), inner * radius * cos(step / 2)])
    edge = corner - np.array([0, radius])
    along = np.clip((x * edge[0] + (y - radius) * edge[1]) / (edge @ edge), 0, 1)
    dx, dy = x - along * edge[0], y - radius - along * edge[1]
    side = np.sign(x * edge[1] - (y - radius) * edge[0])
    return np.asarray(-np.sqrt(dx * dx + dy * dy) * side, np.float32)


def make_star(centre: Vector, turn: Array | None = None, radius: float = 1.0, colour: Array = GOLD) -> Body:
    """Return a golden star with ridges from its middle to its tips."""

    def distance(p: Array) -> Array:
        flat = measure_star(p, radius, 0.5)
        roof = np.abs(p[:, 1]) - 0.16 * radius + np.maximum(flat, -0.6 * radius) * 0.34
        return (smooth_max(flat, (roof * 0.85).astype(np.float32), 0.07 * radius) - 0.035 * radius).astype(np.float32)

    def paint(p: Array, normal: Array, view: Array) -> Surface:
        return Surface(np.broadcast_to(colour, p.shape).copy(), normal, 0.85, 60, 0.5)

    return Body(distance, paint, centre, np.eye(3, dtype=np.float32) if turn is None else turn, 1.12 * radius)


def draw_object(
    *bodies: Body, camera: Viewpoint, size: tuple[int, int] = (OBJECT_PX, OBJECT_PX)
) -> npt.NDArray[np.uint8]:
    """Draw bodies on nothing but their shadow."""
    return render(bodies, camera, size, SHADOW_ONLY)


def draw_gem_art() -> npt.NDArray[np.uint8]:
    """Draw a crystal."""
    return draw_object(make_gem((0, 0.83, 0)), camera=Viewpoint((0.06, 0.68, 0), 24, 2.35))


def draw_token_art() -> npt.NDArray[np.uint8]:
    """Draw a token that lies on the table."""
    return draw_object(make_token((0, 0.17, 0)), camera=Viewpoint((0.06, 0.2, 0.06), 78, 2.5))


def draw_star_art() -> npt.NDArray[np.uint8]:
    """Draw a star that lies on the table."""
    return draw_object(make_star((0, 0.2, 0)), camera=Viewpoint((0.06, 0.2, 0.0), 76, 2.45))


# Memo Dice: cups

CUP_HEIGHT = 2.15
"""Height of a cup, over a die of side 2."""
CUP_BOTTOM_RADIUS = 0.98
CUP_TOP_RADIUS = 0.7
CUPS: dict[str, tuple[Array, int, float]] = {
    "red": (srgb(206, 44, 40), 1, 0.0),
    "blue": (srgb(38, 98, 214), 2, 0.0),
    "black": (srgb(44, 45, 54), 3, 0.0),
    "golden": (srgb(255, 196, 60), 0, 0.35),
}
"""Colour, number of bands, and share of metal of each cup; the metal one has a crown."""
BAND_HEIGHTS = {0: (), 1: (1.68,), 2: (1.54, 1.78), 3: (1.36, 1.58, 1.8)}
"""Heights of a cup's bands, by their number: the lower half is free for a number."""
BAND_HALF_WIDTH = 0.062
"""Half the width of a cup's band."""
CROWN_PLACE = (1.66, 0.56)
"""Height of the middle of a cup's crown, and its size."""
CUBE_RGB = {"red": srgb(222, 50, 44), "blue": srgb(44, 108, 226), "black": srgb(48, 49, 58)}
"""Colours of the dice on the title picture."""


def _cover_crown(x: Array, y: Array) -> Array:
    """Return where a crown lies, 0 to 1, about 0.8 wide around x = 0, y = 0."""
    away = np.abs(x)
    points = np.where(away < 0.19, 0.4 - away * 2.1, np.where(away < 0.42, (away - 0.19) * 1.45, -1))
    side = 0.36 + np.clip(y + 0.3, 0, 1) * 0.1
    inside = np.minimum(np.minimum(points - y, y + 0.32), side - away)
    gap = np.abs(y + 0.17) - 0.022
    cover = smoothstep(-0.008, 0.012, np.minimum(inside, gap))
    for cx, cy, r in ((0.0, 0.46, 0.075), (0.43, 0.38, 0.07)):
        cover = np.maximum(cover, smoothstep(r + 0.01, r - 0.01, np.sqrt((away - cx) ** 2 + (y - cy) ** 2)))
    return cover.astype(np.float32)


def make_cup(name: str, centre: Vector, scale: float = 1.0, turn: Array | None = None) -> Body:
    """Return a cup of `CUPS` that stands upside down; its own origin is half way up."""
    colour, bands, metal = CUPS[name]
    slope = (CUP_BOTTOM_RADIUS - CUP_TOP_RADIUS) / CUP_HEIGHT
    steep = 1 / np.sqrt(1 + slope * slope)

    def distance(p: Array) -> Array:
        p = p / scale
        away, y = np.sqrt(p[:, 0] ** 2 + p[:, 2] ** 2), p[:, 1] + CUP_HEIGHT / 2
        side = (away - CUP_BOTTOM_RADIUS + slope * y) * steep
        for height in BAND_HEIGHTS[bands]:
            side = side - 0.024 * smoothstep(BAND_HALF_WIDTH + 0.02, BAND_HALF_WIDTH - 0.02, np.abs(y - height))
        body = smooth_max(side, np.abs(y - CUP_HEIGHT / 2) - CUP_HEIGHT / 2, 0.16)
        dent = np.sqrt((np.maximum(away - 0.3, 0)) ** 2 + (y - CUP_HEIGHT - 0.02) ** 2) - 0.09
        body = smooth_max(body, -dent.astype(np.float32), 0.1)
        lip = np.sqrt((away - CUP_BOTTOM_RADIUS - 0.0) ** 2 + (y - 0.1) ** 2) - 0.115
        return (smooth_min(body, lip.astype(np.float32), 0.05) * 0.95 * scale).astype(np.float32)

    def paint(p: Array, normal: Array, view: Array) -> Surface:
        y = p[:, 1] / scale + CUP_HEIGHT / 2
        painted = np.broadcast_to(colour, p.shape).copy()
        for height in BAND_HEIGHTS[bands]:
            share = smoothstep(BAND_HALF_WIDTH + 0.005, BAND_HALF_WIDTH - 0.015, np.abs(y - height))
            painted = mix(painted, srgb(244, 236, 220), share)
        if metal:
            height, size = CROWN_PLACE
            crown = _cover_crown(p[:, 0] / scale / size, (y - height) / size)
            painted = mix(painted, srgb(104, 52, 12), crown * (p[:, 2] > 0))
        return Surface(painted, normal, 0.75 if metal else 0.5, 70, metal)

    radius = 1.55 * scale
    return Body(distance, paint, centre, np.eye(3, dtype=np.float32) if turn is None else turn, radius)


def draw_cup_art(name: str) -> npt.NDArray[np.uint8]:
    """Draw a cup that stands upside down, seen from a little above."""
    camera = Viewpoint((0.06, 1.05, 0), 20, 2.75)
    return draw_object(make_cup(name, (0, CUP_HEIGHT / 2, 0)), camera=camera, size=(CUP_PX, CUP_PX))


# StarFall: tiles of sky

SKY_PX = 512
"""Side of the painted sky of a tile."""
SKIES = ("star", "planet", "moon", "hole", "comet", "nebula", "dust")


def _draw_noise(seed: int, coarsest: int = 3, octaves: int = 6) -> Array:
    """Return clouds of `SKY_PX`, 0 to 1."""
    rng = np.random.default_rng(seed)
    found, weight, total = np.zeros((SKY_PX, SKY_PX), np.float32), 1.0, 0.0
    for octave in range(octaves):
        cells = coarsest * 2**octave + 2
        grid = rng.random((cells, cells)).astype(np.float32)
        found += weight * cv2.resize(grid, (SKY_PX, SKY_PX), interpolation=cv2.INTER_CUBIC)
        total += weight
        weight *= 0.55
    return (found / total).astype(np.float32)


def _add_stars(sky: Array, x: Array, y: Array, count: int, seed: int, size: float = 0.008) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(count):
        cx, cy, bright, warm = rng.random(4)
        r = size * (0.5 + bright**3 * 1.6)
        spot = np.exp(-((x - 1.8 * cx + 0.9) ** 2 + (y - 1.8 * cy + 0.9) ** 2) / (r * r))
        tint = np.array([0.8 + 0.4 * warm, 0.95, 1.2 - 0.4 * warm], np.float32)
        sky += spot[..., None] * tint * (0.35 + bright)


def _shade_ball(x: Array, y: Array, radius: float, light: Vector) -> tuple[Array, Array, Array]:
    """Return a ball's cover, its light from `light` (0 to 1), and its height towards the viewer."""
    away = np.sqrt(x * x + y * y)
    z = np.sqrt(np.maximum(radius * radius - away * away, 0)) / radius
    lx, ly, lz = np.array(light) / np.linalg.norm(light)
    lit = np.clip(x / radius * lx + y / radius * ly + z * lz, 0, 1)
    return smoothstep(radius + 0.006, radius - 0.006, away), lit.astype(np.float32), z.astype(np.float32)


@cache
def paint_sky(name: str) -> Array:
    """Paint the night sky of a tile with one object: `(SKY_PX, SKY_PX, 3)` linear RGB, its top row first."""
    axis = (np.arange(SKY_PX, dtype=np.float32) + 0.5) / SKY_PX * 2 - 1
    x, y = (g.astype(np.float32) for g in np.meshgrid(axis, -axis))
    away = np.sqrt(x * x + y * y)
    clouds = _draw_noise(SKIES.index(name) + 10)
    sky = mix(srgb(18, 44, 118), srgb(8, 16, 54), smoothstep(0.1, 1.35, away))
    sky = sky + smoothstep(0.5, 0.8, clouds)[..., None] * srgb(60, 96, 190) * 0.5
    _add_stars(sky, x, y, 46, SKIES.index(name) + 1)
    _SKY_PAINTERS[name](sky, x, y)
    return sky.astype(np.float32)


def _paint_star(sky: Array, x: Array, y: Array) -> None:
    away = np.sqrt(x * x + y * y)
    halo = np.exp(-away * 4.2) * 0.9
    u, v = (x + y) * 0.7071, (x - y) * 0.7071
    rays = sum(
        strength * np.exp(-np.abs(b) / (width * (1 - np.clip(np.abs(a) / reach, 0, 0.999)))) * (np.abs(a) < reach)
        for a, b, reach, width, strength in (
            (x, y, 0.86, 0.03, 2.6),
            (y, x, 0.86, 0.03, 2.6),
            (u, v, 0.46, 0.022, 1.2),
            (v, u, 0.46, 0.022, 1.2),
        )
    )
    core = np.exp(-((away / 0.15) ** 2)) * 5
    sky += halo[..., None] * np.array([1.2, 0.85, 0.42]) + (rays + core)[..., None] * np.array([1.0, 0.93, 0.7])


def _paint_planet(sky: Array, x: Array, y: Array) -> None:
    a = -0.32
    u, v = x * np.float32(cos(a)) - y * np.float32(sin(a)), x * np.float32(sin(a)) + y * np.float32(cos(a))
    away = np.sqrt(x * x + y * y)
    sky += (np.exp(-np.clip(away - 0.48, 0, None) * 7) * 0.2)[..., None] * np.array([1.0, 0.6, 0.3])
    ring = np.sqrt(u * u + (v / 0.27) ** 2)
    in_ring = smoothstep(0.6, 0.63, ring) * smoothstep(0.93, 0.9, ring)
    stripes = 0.65 + 0.35 * np.sin(ring * 62) * smoothstep(0.78, 0.75, np.abs(ring - 0.02))
    gold = srgb(255, 222, 160) * (stripes * 0.95)[..., None]
    sky[:] = mix(sky, gold, in_ring * (v > 0) * 0.92)
    cover, lit, z = _shade_ball(x, y, 0.52, (-0.6, 0.62, 0.55))
    band = 0.5 + 0.5 * np.sin((v + 0.12 * z) * 17 + 1.2 * np.sin(u * 3))
    ball = mix(srgb(236, 122, 62), srgb(255, 205, 140), band.astype(np.float32))
    shadow = 1 - 0.6 * smoothstep(0.11, 0.05, np.abs(v + 0.06)) * (v < 0)
    edge = (1 - z) ** 3 * lit
    ball = ball * ((0.04 + 1.5 * lit) * shadow)[..., None] + edge[..., None] * np.array([1.0, 0.8, 0.5])
    sky[:] = mix(sky, ball.astype(np.float32), cover)
    sky[:] = mix(sky, gold, in_ring * (v <= 0) * 0.95)


def _paint_moon(sky: Array, x: Array, y: Array) -> None:
    away = np.sqrt(x * x + y * y)
    sky += (np.exp(-np.clip(away - 0.6, 0, None) * 5) * 0.22)[..., None] * np.array([0.8, 0.9, 1.2])
    cover, lit, _ = _shade_ball(x, y, 0.64, (-0.9, 0.25, -0.42))
    craters = np.zeros_like(x)
    rng = np.random.default_rng(5)
    for _ in range(26):
        cx, cy = rng.random(2) * 1.2 - 0.6
        r = 0.03 + 0.1 * rng.random() ** 2
        d = np.sqrt((x - cx) ** 2 + (y - cy) ** 2) / r
        craters += smoothstep(1.0, 0.75, d) * -0.24 + np.exp(-(((d - 1.05) / 0.16) ** 2)) * 0.16
    stone = srgb(248, 244, 226) * (0.85 + 0.3 * (_draw_noise(77, 5) - 0.5) + craters * 0.7)[..., None]
    moon = stone * (0.028 + 1.75 * np.minimum(lit * 1.9, 1) ** 0.8)[..., None] + srgb(40, 60, 120) * 0.4
    sky[:] = mix(sky, moon.astype(np.float32), cover)


def _paint_hole(sky: Array, x: Array, y: Array) -> None:
    away = np.sqrt(x * x + y * y)
    angle = np.arctan2(y, x)
    swirl = 0.75 + 0.25 * np.sin(angle * 3 + away * 22) * np.sin(away * 60 + angle)
    doppler = 0.72 + 0.42 * -x / np.maximum(away, 0.05)
    for radius, width, strength in ((0.46, 0.055, 2.6), (0.53, 0.17, 0.85)):
        ring = np.exp(-(((away - radius) / width) ** 2)) * strength * doppler * swirl
        sky += ring[..., None] * np.array([1.25, 0.62, 0.2])
    sky += (np.exp(-np.clip(away - 0.45, 0, None) * 5) * 0.4)[..., None] * np.array([0.9, 0.34, 0.28])
    sky[:] = mix(sky, np.array([0.001, 0.001, 0.004], np.float32), smoothstep(0.44, 0.39, away))
    a = 0.22
    u, v = x * np.float32(cos(a)) - y * np.float32(sin(a)), x * np.float32(sin(a)) + y * np.float32(cos(a))
    disc = np.asarray(np.sqrt(u * u + ((v + 0.05) / 0.13) ** 2), np.float32)
    upper = smoothstep(0.03, -0.03, np.asarray(v + 0.02, np.float32))
    front = smoothstep(0.36, 0.5, disc) * smoothstep(0.92, 0.62, disc) * upper
    streak = 0.7 + 0.3 * np.sin(disc * 44)
    sky += (front * streak * doppler * 2.2)[..., None] * np.array([1.3, 0.78, 0.34])


def _paint_comet(sky: Array, x: Array, y: Array) -> None:
    a = radians(45)
    u = (x + 0.36) * np.float32(cos(a)) + (y + 0.36) * np.float32(sin(a))
    v = -(x + 0.36) * np.float32(sin(a)) + (y + 0.36) * np.float32(cos(a))
    tail = np.clip(u, 0, None)
    for bend, width, strength, tint in (
        (0.0, 0.1, 1.5, (0.45, 0.85, 1.4)),
        (0.14, 0.17, 0.7, (1.0, 0.75, 0.45)),
        (-0.12, 0.12, 0.6, (0.5, 0.7, 1.5)),
    ):
        spread = 0.045 + width * tail
        across = (v - bend * tail * tail) / spread
        fibres = 0.75 + 0.25 * np.sin(across * 9 + tail * 3)
        glow = np.exp(-(across**2)) * np.exp(-tail * 1.25) * smoothstep(-0.04, 0.06, u) * fibres * strength
        sky += glow[..., None] * np.array(tint)
    away = np.sqrt(u * u + v * v)
    sky += (np.exp(-away * 7) * 1.3)[..., None] * np.array([0.6, 0.9, 1.3])
    sky += (np.exp(-((away / 0.15) ** 4)) * 2.2)[..., None] * np.array([0.85, 1.0, 1.1])


def _paint_nebula(sky: Array, x: Array, y: Array) -> None:
    one, two, three = (_draw_noise(seed, 3) for seed in (31, 42, 53))
    away = np.sqrt((x + 0.25 * (one - 0.5)) ** 2 + (y * 1.25 + 0.5 * (two - 0.5)) ** 2)
    body = smoothstep(1.2, 0.1, away)
    pink, teal = smoothstep(0.36, 0.72, one) * body, smoothstep(0.38, 0.72, two) * body
    sky += pink[..., None] * np.array([1.5, 0.24, 0.85]) + teal[..., None] * np.array([0.1, 0.6, 1.1])
    sky += (smoothstep(0.48, 0.74, three) * body**2)[..., None] * np.array([1.5, 0.8, 0.5])
    sky *= (1 - 0.75 * smoothstep(0.52, 0.68, _draw_noise(64, 4)) * body)[..., None]
    _add_stars(sky, x * 1.5, y * 1.5, 14, 8, 0.03)


def _paint_dust(sky: Array, x: Array, y: Array) -> None:
    across = (y + x * 0.75) * 0.8 + 0.24 * (_draw_noise(91) - 0.5)
    band = np.exp(-((across / 0.27) ** 2))
    lane = smoothstep(0.42, 0.66, _draw_noise(92, 5)) * np.exp(-((across / 0.16) ** 2))
    sky += (band * (0.4 + 0.6 * _draw_noise(93, 6)))[..., None] * np.array([0.75, 0.56, 0.36])
    sky *= (1 - 0.7 * lane)[..., None]
    rng = np.random.default_rng(17)
    for _ in range(230):
        along, off, bright = rng.random() * 2.6 - 1.3, rng.normal() * 0.2, rng.random()
        cx, cy = along * 0.8 + off * 0.6, -along * 0.6 + off * 0.8
        r = 0.006 + 0.012 * bright**3
        near = np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / (r * r))
        sky += near[..., None] * np.array([1.3, 1.05, 0.7]) * (0.5 + 1.2 * bright)


_SKY_PAINTERS = {
    "star": _paint_star,
    "planet": _paint_planet,
    "moon": _paint_moon,
    "hole": _paint_hole,
    "comet": _paint_comet,
    "nebula": _paint_nebula,
    "dust": _paint_dust,
}
"""What adds the object to a sky, at x and y from -1 to 1."""


def measure_plate(p: Array, half: Vector, corner: float, edge: float) -> Array:
    """Return the distance of a flat plate with round corners; `corner` is their radius, `edge` that of its edges."""
    q = np.abs(p[:, [0, 2]]) - (np.array([half[0], half[2]], np.float32) - corner)
    side = np.sqrt((np.maximum(q, 0) ** 2).sum(axis=1)) + np.minimum(q.max(axis=1), 0) - corner + edge
    height = np.abs(p[:, 1]) - half[1] + edge
    outside = np.sqrt(np.maximum(side, 0) ** 2 + np.maximum(height, 0) ** 2)
    return np.asarray(outside + np.minimum(np.maximum(side, height), 0) - edge, np.float32)


def sample_texture(texture: Array, u: Array, v: Array) -> Array:
    """Return a texture's colours at u to the right and v upwards, 0 to 1 each."""
    height, width = texture.shape[:2]
    columns = (np.clip(u, 0, 1) * width - 0.5).astype(np.float32)
    rows = ((1 - np.clip(v, 0, 1)) * height - 0.5).astype(np.float32)
    found = np.empty((len(u), 3), np.float32)
    for begin in range(0, len(u), 30_000):  # cv2.remap takes at most 32767 points a row
        part = slice(begin, begin + 30_000)
        found[part] = cv2.remap(
            texture, columns[None, part], rows[None, part], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )[0]
    return found


def make_sky_tile(name: str, centre: Vector, turn: Array | None = None, size: float = 1.0) -> Body:
    """Return a square tile of night sky; `size` is half its side."""
    half = (size, 0.13 * size, size)

    def paint(p: Array, normal: Array, view: Array) -> Surface:
        u, v = p[:, 0] / size, -p[:, 2] / size
        inner = 0.9
        picture = sample_texture(paint_sky(name), u / inner * 0.5 + 0.5, v / inner * 0.5 + 0.5)
        flat = np.stack([u, np.zeros_like(u), v], axis=1).astype(np.float32)
        inside = smoothstep(0.004, -0.008, measure_plate(flat, (inner, 1, inner), 0.16, 0)) * (p[:, 1] > 0)
        frame = np.broadcast_to(srgb(96, 116, 176), p.shape)
        colour = mix(frame, np.full(3, 0.004, np.float32), inside)
        bevel = smoothstep(0.06, 0.0, np.abs(measure_plate(flat, (inner, 1, inner), 0.16, 0))) * (1 - inside)
        colour = mix(colour, srgb(30, 40, 84), bevel * 0.7)
        return Surface(colour, normal, 0.35 - 0.33 * inside, 50, 0.35 * (1 - inside), picture * inside[:, None])

    plain = np.eye(3, dtype=np.float32) if turn is None else turn
    return Body(lambda p: measure_plate(p, half, 0.2 * size, 0.07 * size), paint, centre, plain, 1.43 * size)


def draw_sky_art(name: str) -> npt.NDArray[np.uint8]:
    """Draw a tile of sky, seen from straight above."""
    return draw_object(make_sky_tile(name, (0, 0.13, 0)), camera=Viewpoint((0.04, 0, 0.04), 90, 2.28))


# Cards, the Macroscope's lid, the sheep

CARD_ASPECT = 0.7
"""Width of a card in heights."""
CREAM = srgb(245, 236, 214)


def _cover_question_mark(x: Array, y: Array) -> Array:
    """Return where a question mark lies, 0 to 1, about 1.2 high around x = 0, y = 0."""
    angle = np.arctan2(y - 0.25, x)
    hook = np.where((angle > -0.7) & (angle < 3.0), np.abs(np.sqrt(x * x + (y - 0.25) ** 2) - 0.27), 9)
    bends = ((-0.27, 0.29), (-0.27, 0.27)), ((0.207, 0.076), (0.0, -0.1)), ((0.0, -0.1), (0.0, -0.22))
    stroke = hook - 0.088
    for (x0, y0), (x1, y1) in bends:
        dx, dy = x1 - x0, y1 - y0
        along = np.clip(((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy), 0, 1)
        bar = np.sqrt((x - x0 - along * dx) ** 2 + (y - y0 - along * dy) ** 2) - 0.088
        stroke = np.minimum(stroke, bar)
    dot = np.sqrt(x * x + (y + 0.5) ** 2) - 0.115
    return smoothstep(0.008, -0.008, np.minimum(stroke, dot).astype(np.float32))


def make_card(
    centre: Vector, turn: Array | None = None, size: float = 1.0, *, back: Array | None = None, asks: bool = False
) -> Body:
    """Return a card that lies on the table; `size` is half its height.

    Args:
        centre: where it lies.
        turn: how it is turned.
        size: half its height.
        back: colour of the back that it shows; None: its blank front.
        asks: a question mark stands on its front.
    """
    half = (CARD_ASPECT * size, 0.022 * size, size)

    def paint(p: Array, normal: Array, view: Array) -> Surface:
        u, v = p[:, 0] / size, -p[:, 2] / size
        flat = np.stack([u, np.zeros_like(u), v], axis=1).astype(np.float32)
        inside = smoothstep(0.004, -0.004, measure_plate(flat, (CARD_ASPECT - 0.085, 1, 0.915), 0.06, 0))
        colour = np.broadcast_to(CREAM, p.shape).copy()
        upper = (p[:, 1] > 0).astype(np.float32)
        if back is None:
            colour = mix(colour, srgb(222, 210, 184), inside * smoothstep(0.03, 0, np.abs(inside - 0.5)) * upper)
            if asks:
                colour = mix(colour, srgb(196, 40, 60), _cover_question_mark(u * 1.05, v * 1.05) * upper)
            return Surface(colour, normal, 0.22, 40)
        s, t = (u + v) * 7, (u - v) * 7
        lattice = np.minimum(np.abs(s - np.round(s)), np.abs(t - np.round(t)))
        dots = np.sqrt((s - np.floor(s) - 0.5) ** 2 + (t - np.floor(t) - 0.5) ** 2)
        pattern = mix(np.broadcast_to(back, p.shape), back * 1.9 + 0.03, smoothstep(0.09, 0.05, lattice))
        pattern = mix(pattern, GOLD, smoothstep(0.2, 0.15, dots))
        oval = np.sqrt((u / 0.36) ** 2 + (v / 0.36) ** 2)
        pattern = mix(pattern, GOLD, smoothstep(1.0, 0.97, oval))
        pattern = mix(pattern, back * 0.8, smoothstep(0.9, 0.87, oval))
        star = measure_star(np.stack([u, np.zeros_like(u), -v], axis=1).astype(np.float32), 0.26, 0.5)
        pattern = mix(pattern, GOLD, smoothstep(0.006, -0.006, star))
        return Surface(mix(colour, pattern, inside * upper), normal, 0.32, 60)

    plain = np.eye(3, dtype=np.float32) if turn is None else turn
    return Body(lambda p: measure_plate(p, half, 0.11 * size, 0.015 * size), paint, centre, plain, 1.24 * size)


LID_HALF = (1.32, 0.1, 0.96)
"""Half the size of the Macroscope's lid."""


def make_lid(centre: Vector, turn: Array | None = None) -> Body:
    """Return the Macroscope's lid: a wooden plate with a rim of brass and four studs."""

    def measure_rim(p: Array) -> Array:
        flat = p * np.array([1, 0, 1], np.float32)
        return measure_plate(flat, (LID_HALF[0], 1, LID_HALF[2]), 0.14, 0)

    def distance(p: Array) -> Array:
        plate = measure_plate(p, LID_HALF, 0.14, 0.04)
        inner = smoothstep(-0.085, -0.1, measure_rim(p))
        return ((plate + 0.045 * inner * (p[:, 1] > 0)) * 0.8).astype(np.float32)

    def paint(p: Array, normal: Array, view: Array) -> Surface:
        brass = smoothstep(-0.1, -0.088, measure_rim(p))
        stud = np.sqrt((np.abs(p[:, 0]) - LID_HALF[0] + 0.19) ** 2 + (np.abs(p[:, 2]) - LID_HALF[2] + 0.19) ** 2)
        shiny = np.maximum(brass, smoothstep(0.052, 0.046, stud))
        dome = np.stack(
            [
                p[:, 0] - np.sign(p[:, 0]) * (LID_HALF[0] - 0.19),
                0.05 + 0 * stud,
                p[:, 2] - np.sign(p[:, 2]) * (LID_HALF[2] - 0.19),
            ],
            axis=1,
        )
        normal = normalise(mix(normal, normalise(dome.astype(np.float32)), smoothstep(0.052, 0.046, stud)))
        wood = draw_grain(p, srgb(150, 92, 54), srgb(104, 58, 32), 1.6)
        gloss, metal = (np.asarray(share, np.float32) for share in (0.25 + 0.55 * shiny, 0.65 * shiny))
        return Surface(mix(wood, BRASS, shiny), normal, gloss, 60, metal)

    return Body(distance, paint, centre, np.eye(3, dtype=np.float32) if turn is None else turn, 1.68)


def draw_lid_art() -> npt.NDArray[np.uint8]:
    """Draw the empty lid, seen from straight above; the stage draws its windows."""
    camera = Viewpoint((0.02, 0, 0.02), 90, 2.8)
    return draw_object(make_lid((0, 0.1, 0)), camera=camera, size=(440, OBJECT_PX))


WOOL = srgb(62, 56, 74)
SKIN = srgb(34, 30, 40)
WOOL_CURLS = 70
"""Balls of wool on the sheep."""


def _measure_ellipsoid(p: Array, centre: Vector, radii: Vector) -> Array:
    r = np.array(radii, np.float32)
    q = p - np.array(centre, np.float32)
    k = np.sqrt(((q / r) ** 2).sum(axis=1))
    return np.asarray((k - 1) * k / np.maximum(np.sqrt(((q / (r * r)) ** 2).sum(axis=1)), 1e-6), np.float32)


def _measure_ball(p: Array, centre: Vector, radius: float) -> Array:
    q = p - np.array(centre, np.float32)
    return np.asarray(np.sqrt(np.einsum("ij,ij->i", q, q)) - radius, np.float32)


def _list_curls() -> list[tuple[Vector, float]]:
    curls = []
    for i in range(WOOL_CURLS):
        y = 1 - 2 * (i + 0.5) / WOOL_CURLS
        r, angle = (1 - y * y) ** 0.5, i * pi * (3 - 5**0.5)
        curls.append(
            ((0.88 * r * cos(angle) - 0.1, 1.2 + 0.6 * y, 0.6 * r * sin(angle)), 0.19 + 0.05 * ((i * 7) % 5) / 4)
        )
    return [
        *curls,
        ((0.78, 1.98, 0.5), 0.19),
        ((0.98, 2.0, 0.56), 0.17),
        ((0.6, 1.88, 0.46), 0.18),
        ((-1.1, 1.3, 0.1), 0.2),
    ]


CURLS = _list_curls()


def make_sheep(centre: Vector, turn: Array | None = None) -> list[Body]:
    """Return a black sheep as bodies: wool, skin, eyes; it stands at `centre`."""
    plain = np.eye(3, dtype=np.float32) if turn is None else turn
    x, y, z = centre
    at = (x, y, z)

    def wool(p: Array) -> Array:
        p = p + np.array([0, 1.2, 0], np.float32)
        found = _measure_ellipsoid(p, (-0.1, 1.2, 0), (0.85, 0.58, 0.58))
        for place, radius in CURLS:
            found = np.minimum(found, _measure_ball(p, place, radius))
        return found

    def skin(p: Array) -> Array:
        p = p + np.array([0, 1.2, 0], np.float32)
        head = _measure_ellipsoid(p, (0.86, 1.66, 0.58), (0.27, 0.38, 0.3))
        head = smooth_min(head, _measure_ellipsoid(p, (0.97, 1.48, 0.74), (0.21, 0.2, 0.22)), 0.12)
        ears = np.minimum(
            _measure_ellipsoid(p, (0.42, 1.7, 0.72), (0.24, 0.09, 0.09)),
            _measure_ellipsoid(p, (1.24, 1.74, 0.36), (0.22, 0.09, 0.09)),
        )
        found = smooth_min(head, ears, 0.06)
        for lx, lz in ((-0.62, 0.28), (0.42, 0.32), (-0.5, -0.3), (0.45, -0.28)):
            q = np.abs(p[:, 1] - 0.35) - 0.27
            leg = np.sqrt((p[:, 0] - lx) ** 2 + (p[:, 2] - lz) ** 2 + np.maximum(q, 0) ** 2) - 0.11
            found = np.minimum(found, leg.astype(np.float32))
        return found

    eyes = ((0.79, 1.72, 0.86), (1.06, 1.72, 0.76))

    def eye(p: Array) -> Array:
        p = p + np.array([0, 1.2, 0], np.float32)
        return np.minimum(*(_measure_ball(p, place, 0.095) for place in eyes))

    def paint_wool(p: Array, normal: Array, view: Array) -> Surface:
        return Surface(np.broadcast_to(WOOL, p.shape).copy(), normal, 0.12, 12)

    def paint_skin(p: Array, normal: Array, view: Array) -> Surface:
        return Surface(np.broadcast_to(SKIN, p.shape).copy(), normal, 0.3, 30)

    def paint_eye(p: Array, normal: Array, view: Array) -> Surface:
        looks = normalise(np.array([[0.35, -0.05, 0.93]], np.float32))[0]
        pupil = smoothstep(0.8, 0.84, normal @ looks)
        return Surface(mix(srgb(250, 250, 250), srgb(12, 12, 16), pupil), normal, 0.6, 120)

    own = (at[0], at[1] + 1.2, at[2])
    return [
        Body(wool, paint_wool, own, plain, 1.45),
        Body(skin, paint_skin, own, plain, 1.7),
        Body(eye, paint_eye, own, plain, 1.45),
    ]


def draw_sheep_art() -> npt.NDArray[np.uint8]:
    """Draw the black sheep."""
    return draw_object(*make_sheep((0, 0, 0)), camera=Viewpoint((0.08, 1.08, 0), 14, 3.0))


# Title pictures


def make_pencil(centre: Vector, yaw_deg: float, colour: Array) -> Body:
    """Return a coloured pencil that lies on the table, its point to the right."""
    turn = rotation(yaw_deg=yaw_deg)

    def distance(p: Array) -> Array:
        ring = np.maximum(
            np.abs(p[:, 1]),
            np.maximum(np.abs(p[:, 1] * 0.5 + p[:, 2] * 0.866), np.abs(p[:, 1] * 0.5 - p[:, 2] * 0.866)),
        )
        cone = np.sqrt(p[:, 1] ** 2 + p[:, 2] ** 2) - (1.45 - p[:, 0]) * 0.32
        shaft = np.maximum(ring - 0.12, np.abs(p[:, 0] + 0.1) - 1.5)
        return np.asarray(np.maximum(shaft, cone * 0.95) - 0.012, np.float32)

    def paint(p: Array, normal: Array, view: Array) -> Surface:
        wave = 0.02 * np.cos(6 * np.arctan2(p[:, 1], p[:, 2]))
        bare = smoothstep(1.035, 1.05, p[:, 0] + wave)
        tip = smoothstep(1.3, 1.31, p[:, 0])
        painted = mix(np.broadcast_to(colour, p.shape), srgb(240, 205, 150), bare)
        return Surface(mix(painted, colour, tip), normal, 0.5, 60)

    return Body(distance, paint, centre, turn, 1.7)


def draw_title(bodies: list[Body], accent: Array, camera: Viewpoint, samples: int = 2) -> npt.NDArray[np.uint8]:
    """Draw a still life on a dark table in a pool of light of the game's colour."""

    def paint(p: Array) -> Surface:
        away = np.sqrt(p[:, 0] ** 2 + (p[:, 2] * 1.1) ** 2)
        pool = np.exp(-((away / 3.6) ** 2)).astype(np.float32)
        colour = mix(accent * 0.05 + 0.003, accent * 0.62, pool)
        upright = np.broadcast_to(np.array([0, 1, 0], np.float32), p.shape).copy()
        return Surface(colour, upright, 0.22 * pool, 20)

    picture = render(bodies, camera, TITLE_SIZE, Ground(paint), samples)
    x, y = np.meshgrid(np.linspace(-1, 1, TITLE_SIZE[0]), np.linspace(-1, 1, TITLE_SIZE[1]))
    vignette = 1 - 0.55 * np.clip((x**4 + y**4) * 0.8, 0, 1)
    picture[..., :3] = np.round(picture[..., :3] * vignette[..., None])
    return picture


def draw_macroscope_title() -> npt.NDArray[np.uint8]:
    """Draw the lid with tokens on its windows, dice and crystals."""
    turn = rotation(yaw_deg=14)
    lid_centre = np.array([-0.4, 0.14, -0.4])
    scene = [make_lid((-0.4, 0.1, -0.4), turn)]
    for column in range(4):
        for row in range(3):
            if (column, row) in ((3, 2), (2, 2), (3, 1)):
                continue
            own = np.array([(column - 1.5) * 0.58, 0.14, (row - 1) * 0.54])
            scene.append(make_token(tuple(turn @ own + lid_centre), turn, 0.23))
    scene += [
        make_token((-0.75, 0.05, 1.12), None, 0.26),
        make_die(5, (1.5, 0.36, 0.2), rotation(yaw_deg=22), 0.36),
        make_die(6, (0.42, 0.36, 1.12), rotation(yaw_deg=-24), 0.36),
        make_gem((1.82, 0.38, 1.02), 0.42),
        make_gem((2.05, 0.33, -0.55), 0.36, rotation(yaw_deg=40, pitch_deg=-12, roll_deg=14), srgb(255, 90, 170)),
        make_gem((-1.72, 0.36, 0.95), 0.38, rotation(yaw_deg=70, pitch_deg=14, roll_deg=12), srgb(120, 255, 170)),
    ]
    return draw_title(scene, srgb(70, 110, 190), Viewpoint((0.12, 0.2, 0.14), 46, 5.0, 9))


def draw_memo_dice_title() -> npt.NDArray[np.uint8]:
    """Draw the four cups, one of them lifted from its die, and dice before them."""
    half = CUP_HEIGHT / 2
    lean = rotation(yaw_deg=-15, roll_deg=-32)
    scene = [
        make_cup("red", (-2.2, half * 0.86, -0.1), 0.86),
        make_cup("blue", (-0.35, half * 0.86, -0.6), 0.86),
        make_cup("golden", (1.5, half * 0.86, -0.5), 0.86),
        make_cup("black", (3.0, 1.5, 0.1), 0.8, lean),
        make_die(None, (2.55, 0.34, 1.0), rotation(yaw_deg=30), 0.34, CUBE_RGB["black"]),
        make_die(None, (-0.95, 0.34, 1.15), rotation(yaw_deg=-18), 0.34, CUBE_RGB["red"]),
        make_die(None, (0.6, 0.34, 1.25), rotation(yaw_deg=25), 0.34, CUBE_RGB["blue"]),
    ]
    return draw_title(scene, srgb(190, 80, 60), Viewpoint((0.5, 0.9, 0.1), 26, 7.7, 11))


def draw_pictomania_title() -> npt.NDArray[np.uint8]:
    """Draw the black sheep among cards, stars and coloured pencils."""
    scene = [
        *make_sheep((-0.35, 0, -0.3)),
        make_card((1.9, 0.62, -0.75), rotation(yaw_deg=-20, pitch_deg=58), 1.0, back=srgb(150, 42, 120)),
        make_card((-2.35, 0.62, -0.75), rotation(yaw_deg=22, pitch_deg=58), 1.0, back=srgb(20, 120, 110)),
        make_star((2.2, 0.12, 0.85), rotation(yaw_deg=15), 0.48),
        make_star((1.3, 0.12, 1.25), rotation(yaw_deg=-25), 0.42),
        make_pencil((-1.55, 0.13, 1.05), 18, srgb(240, 70, 60)),
        make_pencil((0.15, 0.13, 1.6), -9, srgb(50, 120, 240)),
    ]
    return draw_title(scene, srgb(60, 150, 96), Viewpoint((0.0, 0.85, 0.2), 27, 6.6, 10))


def draw_secret_number_title() -> npt.NDArray[np.uint8]:
    """Draw a card with a question mark among face-down cards, crystals and stars."""
    deck = srgb(60, 44, 150)
    scene = [
        make_card((-1.5, 0.95, -0.75), rotation(yaw_deg=16, pitch_deg=62, roll_deg=0), 1.12, back=deck),
        make_card((1.5, 0.95, -0.75), rotation(yaw_deg=-16, pitch_deg=62), 1.12, back=deck),
        make_card((0, 1.17, 0), rotation(pitch_deg=64), 1.32, asks=True),
        make_card((-2.3, 0.05, 1.0), rotation(yaw_deg=28), 0.72, back=srgb(190, 46, 60)),
        make_card((2.3, 0.05, 0.95), rotation(yaw_deg=-34), 0.72, back=srgb(24, 120, 130)),
        make_star((-1.05, 0.11, 1.45), rotation(yaw_deg=14), 0.4),
        make_gem((1.25, 0.38, 1.35), 0.42),
    ]
    return draw_title(scene, srgb(104, 80, 190), Viewpoint((0, 1.02, 0.15), 32, 7.0, 10))


def draw_starfall_title() -> npt.NDArray[np.uint8]:
    """Draw tiles of the night sky that lean and lie, with stars before them."""
    scene = [
        make_sky_tile("planet", (0, 1.02, -0.5), rotation(pitch_deg=62), 1.15),
        make_sky_tile("nebula", (-2.2, 0.84, -0.35), rotation(yaw_deg=20, pitch_deg=60), 0.93),
        make_sky_tile("hole", (2.2, 0.84, -0.35), rotation(yaw_deg=-20, pitch_deg=60), 0.93),
        make_sky_tile("comet", (-1.35, 0.09, 1.25), rotation(yaw_deg=12), 0.62),
        make_sky_tile("moon", (1.45, 0.09, 1.25), rotation(yaw_deg=-14), 0.62),
        make_star((0.05, 0.12, 1.3), rotation(yaw_deg=8), 0.44),
        make_star((2.75, 0.1, 1.15), rotation(yaw_deg=-20), 0.34),
        make_star((-2.65, 0.1, 1.15), rotation(yaw_deg=24), 0.34),
    ]
    return draw_title(scene, srgb(50, 70, 180), Viewpoint((0, 0.72, 0.25), 32, 6.5, 10))


ART: dict[str, Callable[[], npt.NDArray[np.uint8]]] = {
    **{f"die_{value}": partial(draw_die_art, value) for value in range(1, 7)},
    "die_blank": partial(draw_die_art, None),
    **{f"die_tumble_{frame}": partial(draw_tumble_art, frame) for frame in range(TUMBLE_FRAMES)},
    "gem": draw_gem_art,
    "token": draw_token_art,
    "star": draw_star_art,
    **{f"cup_{name}": partial(draw_cup_art, name) for name in CUPS},
    **{f"sky_{name}": partial(draw_sky_art, name) for name in SKIES},
    "lid": draw_lid_art,
    "sheep": draw_sheep_art,
    "title_macroscope": draw_macroscope_title,
    "title_memo_dice": draw_memo_dice_title,
    "title_pictomania": draw_pictomania_title,
    "title_secret_number": draw_secret_number_title,
    "title_starfall": draw_starfall_title,
}
"""What draws each picture, by name."""


def write_art(name: str, picture: npt.NDArray[np.uint8], folder: Path = ART_FOLDER) -> None:
    """Write a picture as PNG."""
    folder.mkdir(exist_ok=True)
    _, data = cv2.imencode(".png", picture, [cv2.IMWRITE_PNG_COMPRESSION, 9])
    (folder / f"{name}.png").write_bytes(data.tobytes())


def main() -> None:
    """Draw the pictures named on the command line, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="a picture to draw; none: all")
    for name in parser.parse_args().names or ART:
        began = time.monotonic()
        write_art(name, ART[name]())
        print(f"{name}: {time.monotonic() - began:.1f} s", flush=True)


if __name__ == "__main__":
    main()
