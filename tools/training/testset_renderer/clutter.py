"""Objects beside the dice: screws, coins, buttons, marbles, cubes, pens, keyboards, books, printed dots."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import cv2
import numpy as np
from ray_tracer.camera import Array
from ray_tracer.paints import make_paint, make_picture_paint, place_upright
from ray_tracer.scene import FlatSheet, PaintedSolid
from ray_tracer.shapes import BoxShape, Cylinder, Ellipsoid, make_capsule_between, rotate_about
from ray_tracer.textures import compute_placement, srgb_to_linear

from testset_renderer.surfaces import (
    make_cloth,
    make_felt,
    make_leather,
    make_plain,
    make_squared,
    make_wood,
    random_tint,
)

Rng = np.random.Generator
SolidList = list[PaintedSolid]


def random_metal(rng: Rng) -> tuple[Array, float, float]:
    """Draw albedo, roughness and reflectance of a metal."""
    return (
        random_tint(rng, rng.uniform(0.07, 0.13), rng.uniform(0, 0.45), rng.uniform(0.3, 0.6)),
        rng.uniform(0.25, 0.5),
        0.5,
    )


def write_text(
    face: Array, words: str, at: tuple[int, int], font: int, size: float, ink: Sequence[float], thick: int
) -> None:
    """Write a text into a picture of floats, in place."""
    mask = np.zeros(face.shape[:2], np.uint8)
    cv2.putText(mask, words, at, font, size, 255, thick, cv2.LINE_AA)
    face += (np.array(ink, np.float32) - face) * (mask[..., None] / np.float32(255))


def make_screw(rng: Rng, x: float, y: float) -> SolidList:
    size = float(rng.uniform(3, 8))
    color, rough, shine = random_metal(rng)
    face = np.tile(color, (96, 96, 1)).astype(np.float32)
    wide = int(rng.integers(8, 16))
    cv2.line(face, (14, 48), (82, 48), (0.02, 0.02, 0.02), wide)
    if rng.random() < 0.6:
        cv2.line(face, (48, 14), (48, 82), (0.02, 0.02, 0.02), wide)
    high = size * rng.uniform(0.25, 0.6)
    solid = Cylinder(**place_upright(x, y, 0, (size, size, high), float(rng.uniform(0, 6))))
    return [PaintedSolid(solid, make_picture_paint(face, (size, size), color, rough, shine))]


def make_disc(rng: Rng, x: float, y: float) -> SolidList:
    """Create a coin, a token with a digit, a button with holes, or a chip with a ring."""
    size = float(rng.uniform(7, 17))
    color = random_tint(rng, None, rng.uniform(0, 0.9), rng.uniform(0.15, 0.95))
    other = random_tint(rng, None, rng.uniform(0, 0.9), rng.uniform(0.05, 0.95))
    face = np.tile(color, (160, 160, 1)).astype(np.float32)
    ink = (float(other[0]), float(other[1]), float(other[2]))
    kind = rng.integers(4)
    if kind == 0:
        cv2.circle(face, (80, 80), int(rng.integers(50, 70)), ink, int(rng.integers(2, 8)), cv2.LINE_AA)
        write_text(face, str(rng.integers(1, 100)), (45, 100), int(rng.integers(0, 8)), 2.0, ink, 5)
    elif kind == 1:
        for i in range(n := int(rng.choice([2, 4]))):
            a = 2 * np.pi * i / n + 0.78
            cv2.circle(face, (round(80 + 22 * np.cos(a)), round(80 + 22 * np.sin(a))), 9, (0.01, 0.01, 0.01), -1, 16)
        cv2.circle(face, (80, 80), 62, ink, 3, cv2.LINE_AA)
    elif kind == 2:
        for i in range(8):
            cv2.ellipse(face, (80, 80), (78, 78), 0, 45 * i, 45 * i + 20, ink, 22, cv2.LINE_AA)
    else:
        write_text(face, str(rng.integers(1, 7)), (52, 108), int(rng.integers(0, 8)), 2.6, ink, 9)
    high = float(rng.uniform(0.7, 2.2))
    rough, shine = (0.35, 0.4) if rng.random() < 0.3 else (0.5, 0.04)
    solid = Cylinder(**place_upright(x, y, 0, (size, size, high), float(rng.uniform(0, 6))))
    return [PaintedSolid(solid, make_picture_paint(face, (size, size), color * 0.8, rough, shine))]


def make_marble(rng: Rng, x: float, y: float) -> SolidList:
    r = float(rng.uniform(5, 9))
    return [
        PaintedSolid(
            Ellipsoid(**place_upright(x, y, 0, (r, r, r))),
            make_paint(random_tint(rng, None, 0.8, rng.uniform(0.2, 0.9)), 0.12),
        )
    ]


def make_cube(rng: Rng, x: float, y: float) -> SolidList:
    """Create a cube or brick without pips."""
    half = rng.uniform(4, 10, 3) if rng.random() < 0.5 else np.full(3, rng.uniform(4, 10))
    place = place_upright(x, y, 0, (float(half[0]), float(half[1]), float(half[2])), float(rng.uniform(0, 6)))
    solid = BoxShape(**place, radius=float(half.min() * rng.uniform(0.05, 0.3)))
    return [
        PaintedSolid(
            solid,
            make_paint(random_tint(rng, None, rng.uniform(0, 0.9), rng.uniform(0.15, 0.95)), rng.uniform(0.3, 0.8)),
        )
    ]


def make_pen(rng: Rng, x: float, y: float) -> SolidList:
    r, a, half = float(rng.uniform(3.5, 6)), float(rng.uniform(0, np.pi)), float(rng.uniform(55, 75))
    way = np.array([np.cos(a), np.sin(a), 0]) * half
    middle = np.array([x, y, r])
    color = random_tint(rng, None, rng.uniform(0, 0.9), rng.uniform(0.1, 0.9))
    body = make_capsule_between(middle - way, middle + way, r)
    cap = make_capsule_between(middle + way * 0.4, middle + way * 1.02, r * 1.12)
    return [PaintedSolid(body, make_paint(color, 0.3)), PaintedSolid(cap, make_paint(color * 0.4, 0.25))]


def make_book(rng: Rng, x: float, y: float) -> SolidList:
    """Create a phone, notebook or box with printing on it."""
    half = (float(rng.uniform(35, 70)), float(rng.uniform(50, 110)), float(rng.uniform(3, 14)))
    color = random_tint(rng, None, rng.uniform(0, 0.8), rng.uniform(0.04, 0.9))
    face = np.tile(color, (300, 220, 1)).astype(np.float32)
    ink = tuple(float(v) for v in random_tint(rng, None, rng.uniform(0, 0.8), rng.uniform(0.05, 0.95)))
    for i in range(int(rng.integers(0, 9))):
        words = "".join(rng.choice(list("abcdefghiklmnoprstuvw  "), 16))
        write_text(face, words, (12, 40 + 28 * i), int(rng.integers(0, 8)), 0.6, ink, 1)
    solid = BoxShape(**place_upright(x, y, 0, half, float(rng.uniform(0, 6))), radius=float(rng.uniform(0.3, 2.5)))
    return [PaintedSolid(solid, make_picture_paint(face, half[:2], color * 0.8, float(rng.uniform(0.2, 0.7))))]


def make_keyboard(rng: Rng, x: float, y: float) -> SolidList:
    """Create a few rows of keys with letters."""
    yaw = float(rng.uniform(0, 6))
    turn = rotate_about((0, 0, 1), yaw)
    dark = rng.random() < 0.6
    color = random_tint(rng, None, 0.05, rng.uniform(0.05, 0.25) if dark else rng.uniform(0.6, 0.9))
    ink = (0.8, 0.8, 0.8) if dark else (0.03, 0.03, 0.03)
    rows, columns, pitch = int(rng.integers(2, 5)), int(rng.integers(3, 8)), 19.0
    base = place_upright(x, y, 0, (columns * pitch / 2 + 3, rows * pitch / 2 + 3, 3.0), yaw)
    objects = [PaintedSolid(BoxShape(**base, radius=1.5), make_paint(color * 0.7, 0.6))]
    for row in range(rows):
        for column in range(columns):
            own = np.array([(column - (columns - 1) / 2) * pitch, (row - (rows - 1) / 2) * pitch, 0], np.float32)
            at = turn @ own
            face = np.tile(color, (64, 64, 1)).astype(np.float32)
            write_text(face, chr(int(rng.integers(33, 91))), (12, 34), 0, 0.9, ink, 2)
            place = place_upright(x + float(at[0]), y + float(at[1]), 5.0, (8.2, 8.2, 2.4), yaw)
            objects.append(
                PaintedSolid(BoxShape(**place, radius=1.6), make_picture_paint(face, (8.2, 8.2), color, 0.5))
            )
    return objects


CLUTTER_MAKERS: tuple[Callable[[Rng, float, float], SolidList], ...] = (
    make_screw,
    make_screw,
    make_disc,
    make_disc,
    make_disc,
    make_marble,
    make_cube,
    make_cube,
    make_pen,
    make_book,
    make_keyboard,
)


def make_printed_sheet(rng: Rng, x: float, y: float) -> FlatSheet:
    """Create a card or a piece of paper on the table: dots, rows of text, or a drawing."""
    half = (float(rng.uniform(25, 60)), float(rng.uniform(25, 80)))
    scale = 5.0
    h, w = int(half[1] * 2 * scale), int(half[0] * 2 * scale)
    face = make_plain(rng, (h, w), scale)
    face = face * 0.3 + 0.6 * srgb_to_linear(np.array([rng.uniform(0.7, 1)], np.float32))[0]
    ink = tuple(float(v) for v in random_tint(rng, None, rng.uniform(0, 0.9), rng.uniform(0.03, 0.6)))
    kind = rng.integers(3)
    if kind == 0:  # dots in rows, or anywhere
        r, pitch = rng.uniform(1.5, 5) * scale, rng.uniform(9, 25) * scale
        for i in np.arange(pitch / 2, h, pitch):
            for j in np.arange(pitch / 2, w, pitch):
                dx, dy = rng.normal(0, pitch * 0.2, 2) if rng.random() < 0.5 else (0.0, 0.0)
                cv2.circle(face, (int(j + dx), int(i + dy)), int(r), ink, -1, cv2.LINE_AA)
    elif kind == 1:
        for i in range(int(h / 40)):
            words = "".join(rng.choice(list("aeiouhklmnprst   .,"), 60))
            write_text(face, words, (25, 35 + 38 * i), int(rng.integers(0, 8)), 0.8, ink, 2)
    else:
        for _ in range(12):
            color = tuple(float(v) for v in random_tint(rng, None, 0.7, rng.uniform(0.1, 0.9)))
            points = rng.uniform(0, 1, (int(rng.integers(3, 6)), 2)) * [w, h]
            cv2.fillPoly(face, [points.astype(np.int32)], color, cv2.LINE_AA)
    return FlatSheet(
        0.25,
        np.clip(face, 0.01, 0.92).astype(np.float32),
        compute_placement(w, h, scale, (x, y), float(rng.uniform(0, 6))),
        np.ones((h, w), np.float32),
        rough=float(rng.uniform(0.3, 0.9)),
    )


def make_cable(rng: Rng, x: float, y: float) -> SolidList:
    """Create a cable of short round pieces."""
    r = float(rng.uniform(1.2, 3))
    color = random_tint(rng, None, 0.05, rng.choice([0.08, 0.85]))
    heading = rng.uniform(0, 6.3)
    at = np.array([x, y, r])
    out: SolidList = []
    for _ in range(14):
        heading += rng.normal(0, 0.35)
        then = at + np.array([np.cos(heading), np.sin(heading), 0]) * 14
        out.append(PaintedSolid(make_capsule_between(at, then, r), make_paint(color, 0.5)))
        at = then
    return out


def make_tray(
    rng: Rng, x: float, y: float, inner: tuple[float, float], yaw: float, pixels_a_mm: float
) -> tuple[SolidList, FlatSheet, float]:
    """Create a dice tray: its four walls, the sheet of its floor, and the floor's height.

    `inner` is half its inner size in mm.
    """
    wall, high, floor = float(rng.uniform(4, 9)), float(rng.uniform(9, 18)), float(rng.uniform(1.0, 3.5))
    rim = random_tint(rng, rng.uniform(0.04, 0.1), rng.uniform(0.2, 0.7), rng.uniform(0.1, 0.75))
    turn = rotate_about((0, 0, 1), yaw)
    out: SolidList = []
    ix, iy = inner
    sides = (((ix + wall / 2, 0.0), (wall / 2, iy + wall)), ((0.0, iy + wall / 2), (ix, wall / 2)))
    for (dx, dy), (hx, hy) in sides:
        for sign in (-1, 1):
            at = turn @ np.array([dx * sign, dy * sign, 0], np.float32)
            place = place_upright(x + float(at[0]), y + float(at[1]), 0.0, (hx, hy, high / 2), yaw)
            paint = make_paint(rim * rng.uniform(0.92, 1.08), 0.5)
            out.append(PaintedSolid(BoxShape(**place, radius=float(rng.uniform(0.3, 1.2))), paint, 2))
    scale = min(6.0, max(1.5, pixels_a_mm))
    w, h = int(2 * ix * scale) + 2, int(2 * iy * scale) + 2
    kind = (make_felt, make_felt, make_cloth, make_leather, make_plain, make_wood, make_squared)[
        int(rng.choice(7, p=[0.35, 0.1, 0.1, 0.15, 0.15, 0.1, 0.05]))
    ]
    face = np.clip(kind(rng, (h, w), scale), 0.004, 0.92).astype(np.float32)
    sheet = FlatSheet(floor, face, compute_placement(w, h, scale, (x, y), yaw), np.ones((h, w), np.float32), rough=0.85)
    return out, sheet, floor
