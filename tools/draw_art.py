"""Draw the objects of the stage: `python tools/draw_art.py` writes companion/display/art/*.png, always the same.

Dice, tokens, cups, crystals, cards and sky tiles are bodies of signed distances, rendered by `ray_renderer` under one
light. `python tools/draw_art.py die_6 gem` draws only those.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial
from math import cos, pi, radians, sin
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
from ray_renderer import (
    Array,
    Body,
    Camera,
    Ground,
    Surface,
    Vector,
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
TITLE_SIZE = (640, 360)
"""Width and height of a title picture in pixels."""
SHADOW_ONLY = Ground()

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
    return (outside + np.minimum(q.max(axis=1), 0) - radius).astype(np.float32)


def measure_round_cube(p: Array) -> Array:
    """Return the distance of a die: a cube of half 1, cut by a sphere."""
    sphere = np.sqrt((p * p).sum(axis=1)) - 1.5
    return smooth_max(measure_box(p, (1, 1, 1), 0.2), sphere.astype(np.float32), 0.08)


def smooth_max(a: Array, b: Array, width: float) -> Array:
    """Return the maximum with a round transition: cuts one shape by another."""
    h = np.clip(0.5 - 0.5 * (b - a) / width, 0, 1)
    return (b * (1 - h) + a * h + width * h * (1 - h)).astype(np.float32)


def smooth_min(a: Array, b: Array, width: float) -> Array:
    """Return the minimum with a round transition: merges two shapes."""
    return -smooth_max(-a, -b, width)


def measure_disc(p: Array, radius: float, half_height: float, edge: float) -> Array:
    """Return the distance of an upright cylinder with round edges."""
    x = np.sqrt(p[:, 0] ** 2 + p[:, 2] ** 2) - radius + edge
    y = np.abs(p[:, 1]) - half_height + edge
    outside = np.sqrt(np.maximum(x, 0) ** 2 + np.maximum(y, 0) ** 2)
    return (outside + np.minimum(np.maximum(x, y), 0) - edge).astype(np.float32)


# Dice

DICE_FACES = ((1, 1), (0, 3), (2, 2))
"""Axis and value of the die's faces at the positive end of the axes up, right, towards the viewer; opposite sides have
together 7 pips."""
PIP_PLACES: dict[int, tuple[tuple[float, float], ...]] = {
    1: ((0, 0),),
    2: ((-0.48, -0.48), (0.48, 0.48)),
    3: ((-0.5, -0.5), (0, 0), (0.5, 0.5)),
    4: ((-0.46, -0.46), (0.46, -0.46), (-0.46, 0.46), (0.46, 0.46)),
    5: ((-0.5, -0.5), (0.5, -0.5), (0, 0), (-0.5, 0.5), (0.5, 0.5)),
    6: ((-0.46, -0.52), (0.46, -0.52), (-0.46, 0), (0.46, 0), (-0.46, 0.52), (0.46, 0.52)),
}
PIP_RADIUS = 0.205
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
    camera = Camera((0.1, 0.95, 0.0), 66, 2.95)
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
    camera = Camera((0.1, 1.55, 0), 66, 3.6)
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
    return ((p @ FACET_NORMALS.T - FACET_DISTANCES).max(axis=1) - 0.015).astype(np.float32)


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
    return (-np.sqrt(dx * dx + dy * dy) * side).astype(np.float32)


def make_star(centre: Vector, turn: Array | None = None, radius: float = 1.0, colour: Array = GOLD) -> Body:
    """Return a golden star with ridges from its middle to its tips."""

    def distance(p: Array) -> Array:
        flat = measure_star(p, radius, 0.5)
        roof = np.abs(p[:, 1]) - 0.16 * radius + np.maximum(flat, -0.6 * radius) * 0.34
        return (smooth_max(flat, (roof * 0.85).astype(np.float32), 0.07 * radius) - 0.035 * radius).astype(np.float32)

    def paint(p: Array, normal: Array, view: Array) -> Surface:
        return Surface(np.broadcast_to(colour, p.shape).copy(), normal, 0.85, 60, 0.62)

    return Body(distance, paint, centre, np.eye(3, dtype=np.float32) if turn is None else turn, 1.12 * radius)


def draw_object(*bodies: Body, camera: Camera, size: tuple[int, int] = (OBJECT_PX, OBJECT_PX)) -> npt.NDArray[np.uint8]:
    """Draw bodies on nothing but their shadow."""
    return render(bodies, camera, size, SHADOW_ONLY)


def draw_gem_art() -> npt.NDArray[np.uint8]:
    """Draw a crystal."""
    return draw_object(make_gem((0, 0.83, 0)), camera=Camera((0.06, 0.68, 0), 24, 2.35))


def draw_token_art() -> npt.NDArray[np.uint8]:
    """Draw a token that lies on the table."""
    return draw_object(make_token((0, 0.17, 0)), camera=Camera((0.06, 0.2, 0.06), 78, 2.5))


def draw_star_art() -> npt.NDArray[np.uint8]:
    """Draw a star that lies on the table."""
    return draw_object(make_star((0, 0.2, 0)), camera=Camera((0.06, 0.2, 0.0), 76, 2.45))


ART: dict[str, Callable[[], npt.NDArray[np.uint8]]] = {
    **{f"die_{value}": partial(draw_die_art, value) for value in range(1, 7)},
    "die_blank": partial(draw_die_art, None),
    **{f"die_tumble_{frame}": partial(draw_tumble_art, frame) for frame in range(TUMBLE_FRAMES)},
    "gem": draw_gem_art,
    "token": draw_token_art,
    "star": draw_star_art,
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
