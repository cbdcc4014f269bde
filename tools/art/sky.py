"""Tiles of night sky, for StarFall."""

from __future__ import annotations

from functools import cache
from math import cos, radians, sin

import cv2
import numpy as np
import numpy.typing as npt
from ray_renderer import Array, Body, Surface, Vector, Viewpoint, mix, smoothstep, srgb

from art.shapes import draw_object, measure_plate, sample_texture

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
