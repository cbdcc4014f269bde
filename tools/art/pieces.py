"""Pieces of many games: pawns, stones, discs, pins, houses, trees, tiles with pips and letters."""

from __future__ import annotations

from math import cos, pi, sin

import numpy as np
from ray_renderer import Array, Body, Paint, Surface, Vector, mix, smoothstep, srgb

from art.dice import PIP_PLACES
from art.shapes import (
    WOOD_DARK,
    WOOD_LIGHT,
    draw_grain,
    measure_ball,
    measure_box,
    measure_disc,
    measure_ellipsoid,
    measure_plate,
    smooth_max,
    smooth_min,
)
from art.text import cover_text, sample_cover

PLAIN = np.eye(3, dtype=np.float32)
PAWN_HEIGHT = 1.5
"""Height of a pawn of scale 1."""
IVORY_TILE = srgb(244, 236, 216)
INK = srgb(34, 32, 44)


def _paint_plain(colour: Array, gloss: float, sharpness: float = 70.0) -> Paint:
    def paint(p: Array, normal: Array, view: Array) -> Surface:
        return Surface(np.broadcast_to(colour, p.shape).copy(), normal, gloss, sharpness)

    return paint


def make_pawn(centre: Vector, colour: Array, scale: float = 1.0) -> Body:
    """Return a pawn that stands at `centre`."""

    def distance(p: Array) -> Array:
        p = p / scale + np.array([0, PAWN_HEIGHT / 2, 0], np.float32)
        away = np.sqrt(p[:, 0] ** 2 + p[:, 2] ** 2)
        waist = 0.13 + 0.3 * np.clip(1 - p[:, 1] / 0.95, 0, 1) ** 1.8
        body = np.maximum((away - waist) * 0.8, np.abs(p[:, 1] - 0.5) - 0.5).astype(np.float32)
        base = measure_disc(p - np.array([0, 0.1, 0], np.float32), 0.52, 0.1, 0.08)
        collar = measure_disc(p - np.array([0, 0.93, 0], np.float32), 0.27, 0.05, 0.04)
        found = smooth_min(smooth_min(body, base, 0.08), collar, 0.05)
        return (smooth_min(found, measure_ball(p, (0, 1.2, 0), 0.31), 0.04) * scale).astype(np.float32)

    x, y, z = centre
    own = (x, y + PAWN_HEIGHT / 2 * scale, z)
    return Body(distance, _paint_plain(colour, 0.55), own, PLAIN, 0.95 * scale)


def make_stone(centre: Vector, colour: Array, radius: float = 0.4) -> Body:
    """Return a lens of stone that lies on the table, as of Go."""
    radii = (radius, radius * 0.45, radius)
    return Body(
        lambda p: measure_ellipsoid(p, (0, 0, 0), radii) * np.float32(0.8),
        _paint_plain(colour, 0.6),
        centre,
        PLAIN,
        radius * 1.05,
    )


def make_disc(centre: Vector, colour: Array, radius: float = 0.3, half_height: float = 0.1) -> Body:
    """Return a flat piece with a ring cut into it, as of backgammon."""

    def paint(p: Array, normal: Array, view: Array) -> Surface:
        away = np.sqrt(p[:, 0] ** 2 + p[:, 2] ** 2) / radius
        ring = smoothstep(0.07, 0.03, np.abs(away - 0.62)) * (p[:, 1] > 0)
        return Surface(mix(np.broadcast_to(colour, p.shape), colour * 0.45, ring), normal, 0.5, 60)

    return Body(lambda p: measure_disc(p, radius, half_height, 0.05), paint, centre, PLAIN, radius * 1.1)


def make_pin(centre: Vector, number: str, scale: float = 1.0) -> Body:
    """Return a wooden pin whose sloping top has a number."""
    slope = np.array([0, 0.7071, 0.7071], np.float32)

    def distance(p: Array) -> Array:
        p = p / scale
        pin = measure_disc(p, 0.27, 0.85, 0.04)
        cut = (p @ slope - 0.36).astype(np.float32)
        return smooth_max(pin, cut, 0.04) * np.float32(scale * 0.9)

    def paint(p: Array, normal: Array, view: Array) -> Surface:
        q = p / scale
        wood = draw_grain(q[:, [1, 0, 2]], scale=1.2)
        top = (normal @ slope > 0.9).astype(np.float32)
        along = (q[:, 1] - 0.51) * 0.7071 - q[:, 2] * 0.7071
        ink = sample_cover(cover_text(number), q[:, 0] / 0.62, along / 0.62) * top
        return Surface(mix(mix(wood, WOOD_LIGHT * 1.1, top * 0.7), INK, ink), normal, 0.25, 40)

    x, y, z = centre
    return Body(distance, paint, (x, y + 0.85 * scale, z), PLAIN, 0.95 * scale)


def make_log(centre: Vector, turn: Array, length: float = 0.8, radius: float = 0.24) -> Body:
    """Return a round log that lies along x."""

    def distance(p: Array) -> Array:
        return measure_disc(p[:, [1, 0, 2]], radius, length, 0.05)

    def paint(p: Array, normal: Array, view: Array) -> Surface:
        return Surface(draw_grain(p, WOOD_LIGHT, WOOD_DARK, 1.2), normal, 0.25, 40)

    return Body(distance, paint, centre, turn, length * 1.1)


def make_house(centre: Vector, colour: Array, turn: Array, scale: float = 1.0) -> Body:
    """Return a small wooden house."""

    def distance(p: Array) -> Array:
        p = p / scale
        walls = measure_box(p - np.array([0, 0.28, 0], np.float32), (0.3, 0.28, 0.4), 0.03)
        roof = np.maximum((np.abs(p[:, 0]) + p[:, 1] - 0.95) * 0.7071, np.abs(p[:, 2]) - 0.44)
        roof = np.maximum(roof, 0.5 - p[:, 1]).astype(np.float32)
        return np.asarray(np.minimum(walls, roof - 0.02) * scale, np.float32)

    return Body(distance, _paint_plain(colour, 0.45), centre, turn, 1.1 * scale)


def make_tree(centre: Vector, scale: float = 1.0) -> Body:
    """Return a fir of three cones."""

    def distance(p: Array) -> Array:
        p = p / scale
        away = np.sqrt(p[:, 0] ** 2 + p[:, 2] ** 2)
        found = measure_disc(p - np.array([0, 0.1, 0], np.float32), 0.09, 0.14, 0.02)
        for low, radius in ((0.2, 0.4), (0.52, 0.32), (0.82, 0.23)):
            cone = np.maximum((away - radius * (1 - (p[:, 1] - low) / 0.6)) * 0.8, low - p[:, 1])
            found = smooth_min(found, cone.astype(np.float32), 0.03)
        return (found * scale * 0.9).astype(np.float32)

    return Body(distance, _paint_plain(srgb(30, 112, 58), 0.3, 30), centre, PLAIN, 1.5 * scale)


def make_hexagon(centre: Vector, colour: Array, radius: float = 1.0, seed: int = 0) -> Body:
    """Return a six-sided tile of land with a pale edge."""
    normals = np.array([(cos(k * pi / 3), 0, sin(k * pi / 3)) for k in range(6)], np.float32)
    apothem = radius * 0.866

    def measure_side(p: Array) -> Array:
        return np.asarray((p @ normals.T).max(axis=1) - apothem, np.float32)

    def distance(p: Array) -> Array:
        return smooth_max(measure_side(p) + 0.03, np.abs(p[:, 1]) - 0.1, 0.05)

    def paint(p: Array, normal: Array, view: Array) -> Surface:
        furrows = 0.5 + 0.5 * np.sin(p[:, 0] * 9 + seed + 1.3 * np.sin(p[:, 2] * 4 + seed)) * np.sin(p[:, 2] * 7 + seed)
        land = mix(np.broadcast_to(colour, p.shape), colour * 0.62, furrows.astype(np.float32))
        edge = smoothstep(-0.13, -0.1, measure_side(p))
        return Surface(mix(land, srgb(240, 222, 178), edge), normal, 0.25, 40)

    return Body(distance, paint, centre, PLAIN, radius * 1.08)


def make_domino(centre: Vector, ends: tuple[int, int], turn: Array, size: float = 0.8) -> Body:
    """Return a tile with two numbers of pips; `size` is half its length."""
    half = (0.5 * size, 0.13 * size, size)

    def paint(p: Array, normal: Array, view: Array) -> Surface:
        u, v = p[:, 0] / size, -p[:, 2] / size
        ink = smoothstep(0.03, 0.015, np.abs(v)) * (np.abs(u) < 0.4)
        for middle, value in zip((0.5, -0.5), ends, strict=True):
            for x, y in PIP_PLACES.get(value, ()):
                away = np.sqrt((u - x * 0.52) ** 2 + (v - middle - y * 0.52) ** 2)
                ink = np.maximum(ink, smoothstep(0.09, 0.07, away))
        colour = mix(np.broadcast_to(IVORY_TILE, p.shape), INK, ink * (p[:, 1] > 0))
        return Surface(colour, normal, 0.5, 80)

    return Body(lambda p: measure_box(p, half, 0.07 * size), paint, centre, turn, 1.14 * size)


def make_letter_tile(centre: Vector, letter: str, turn: Array, size: float = 0.42) -> Body:
    """Return a wooden tile with a letter; `size` is half its side."""
    half = (size, 0.17 * size, size)

    def paint(p: Array, normal: Array, view: Array) -> Surface:
        ink = sample_cover(cover_text(letter), p[:, 0] / size / 1.9, -p[:, 2] / size / 1.9) * (p[:, 1] > 0)
        wood = draw_grain(p / size, srgb(240, 212, 160), srgb(222, 186, 128), 0.5)
        return Surface(mix(wood, INK, ink), normal, 0.3, 50)

    return Body(lambda p: measure_plate(p, half, 0.14 * size, 0.06 * size), paint, centre, turn, 1.5 * size)
