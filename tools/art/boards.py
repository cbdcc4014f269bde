"""Boards and devices: dart board and dart, chess clock, backgammon board, score sheet, dice tray."""

from __future__ import annotations

from functools import cache
from math import pi

import cv2
import numpy as np
from ray_renderer import Array, Body, Surface, Vector, mix, normalise, smoothstep, srgb

from art.shapes import (
    BRASS,
    WOOD_DARK,
    draw_grain,
    measure_box,
    measure_disc,
    measure_plate,
    sample_texture,
    smooth_max,
    smooth_min,
)
from art.text import cover_text

BLACK = srgb(30, 30, 36)
CREAM = srgb(240, 226, 190)
RED = srgb(200, 40, 44)
GREEN = srgb(24, 122, 72)


def make_dart_board(centre: Vector, turn: Array, radius: float = 1.3) -> Body:
    """Return a board of twenty sectors with two rings and a bull's eye; its face is up."""

    def paint(p: Array, normal: Array, view: Array) -> Surface:
        away = np.sqrt(p[:, 0] ** 2 + p[:, 2] ** 2) / radius
        sector = np.floor((np.arctan2(p[:, 0], -p[:, 2]) / (2 * pi) + 1 / 40) * 20).astype(int) % 2
        odd = (sector == 1).astype(np.float32)
        colour = mix(np.broadcast_to(BLACK, p.shape), CREAM, odd)
        ring = mix(np.broadcast_to(RED, p.shape), GREEN, odd)
        in_ring = ((away > 0.72) & (away < 0.79)) | ((away > 0.42) & (away < 0.48))
        colour = mix(colour, ring, in_ring.astype(np.float32))
        colour = mix(colour, BLACK, smoothstep(0.785, 0.79, away))
        colour = mix(colour, GREEN, smoothstep(0.125, 0.12, away))
        colour = mix(colour, RED, smoothstep(0.06, 0.055, away))
        wires = [np.abs(away - each) for each in (0.79, 0.72, 0.48, 0.42, 0.122, 0.058)]
        wire = smoothstep(0.009, 0.004, np.minimum.reduce(wires))
        rim = smoothstep(0.93, 0.94, away)
        colour = mix(mix(colour, srgb(190, 190, 196), wire), srgb(70, 46, 32), rim)
        return Surface(colour, normal, 0.15 + 0.3 * np.maximum(rim, wire), 40)

    return Body(lambda p: measure_disc(p, radius, 0.12, 0.05), paint, centre, turn, radius * 1.06)


def make_dart(tip: Array, direction: Array, colour: Array, scale: float = 1.0) -> Body:
    """Return a dart whose tip is at a point and that flies in a direction."""
    ahead = normalise(direction.astype(np.float32))
    side = normalise(np.cross(ahead, np.array([0, 1, 0], np.float32)).astype(np.float32))
    turn = np.stack([ahead, np.cross(side, ahead), side], axis=1).astype(np.float32)

    def distance(p: Array) -> Array:
        p = p / scale
        q = p[:, [1, 0, 2]]
        away = np.sqrt(p[:, 1] ** 2 + p[:, 2] ** 2)
        parts = [
            measure_disc(q - np.array([0, 0.75, 0], np.float32), 0.022, 0.25, 0.01),
            measure_disc(q - np.array([0, 0.3, 0], np.float32), 0.075, 0.3, 0.04),
            measure_disc(q - np.array([0, -0.3, 0], np.float32), 0.035, 0.35, 0.01),
        ]
        # Four feathers, cut off obliquely in front.
        thin = np.minimum(np.abs(p[:, 1]), np.abs(p[:, 2])) - 0.012
        length = np.maximum(np.abs(p[:, 0] + 0.72) - 0.28, p[:, 0] + 0.42 + (away - 0.05) * 0.7)
        parts.append(np.maximum(np.maximum(thin, length), away - 0.27).astype(np.float32))
        return np.asarray(np.minimum.reduce(parts) * 0.9 * scale, np.float32)

    def paint(p: Array, normal: Array, view: Array) -> Surface:
        x = p[:, 0] / scale
        metal = smoothstep(-0.01, 0.01, x)
        grip = 0.75 + 0.25 * np.sin(x * 70) * (x < 0.6)
        colour = mix(np.broadcast_to(colour_of(x), p.shape), BRASS * grip[:, None], metal)
        return Surface(colour, normal, 0.3 + 0.4 * metal, 60, 0.6 * metal)

    def colour_of(x: Array) -> Array:
        return mix(np.broadcast_to(colour, (len(x), 3)), BLACK, smoothstep(-0.43, -0.42, x))

    x, y, z = (float(each) for each in tip - ahead * scale)
    return Body(distance, paint, (x, y, z), turn, 1.1 * scale)


def make_chess_clock(centre: Vector, turn: Array) -> Body:
    """Return a wooden clock with two dials and two buttons; it stands at `centre`."""
    half = (1.5, 0.72, 0.4)
    middle, radius = (0.72, 0.0), 0.54

    def distance(p: Array) -> Array:
        box = measure_box(p, half, 0.12)
        q = np.stack([np.abs(p[:, 0]) - middle[0], p[:, 1], p[:, 2]], axis=1).astype(np.float32)
        dial = np.sqrt(q[:, 0] ** 2 + q[:, 1] ** 2) - radius
        hollow = smooth_max(dial.astype(np.float32), (0.36 - p[:, 2]).astype(np.float32), 0.02)
        box = smooth_max(box, -hollow, 0.03)
        lift = np.where(p[:, 0] < 0, 0.16, 0.05).astype(np.float32)
        button = measure_disc(q - np.stack([0 * lift, half[1] + lift, 0 * lift], axis=1), 0.24, 0.12, 0.05)
        return smooth_min(box, button, 0.01)

    def paint(p: Array, normal: Array, view: Array) -> Surface:
        x, y = np.abs(p[:, 0]) - middle[0], p[:, 1]
        away = np.sqrt(x**2 + y**2) / radius
        x = np.where(p[:, 0] < 0, -1, 1) * x
        front = (p[:, 2] > 0.3) & (away < 0.99)
        colour = draw_grain(p, srgb(150, 88, 50), srgb(96, 52, 28), 1.4)
        angle = np.arctan2(x, y) / (2 * pi) * 12
        tick = (np.abs(angle - np.round(angle)) < 0.09) & (away > 0.74) & (away < 0.9)
        left = p[:, 0] < 0
        # Ten to twelve on the left, a quarter past eight on the right.
        ink = tick.astype(np.float32)
        for is_left, turn_deg, length, width in (
            (1, -60, 0.42, 0.05),
            (1, 0, 0.62, 0.035),
            (0, 245, 0.42, 0.05),
            (0, 90, 0.62, 0.035),
        ):
            a = turn_deg / 180 * pi
            along = x * np.sin(a) + y * np.cos(a)
            across = np.abs(x * np.cos(a) - y * np.sin(a))
            hand = (
                smoothstep(width * 0.7 + 0.008, width * 0.7 - 0.008, across) * (along > -0.06) * (along < length * 0.8)
            )
            ink = np.maximum(ink, hand * (left == bool(is_left)))
        dial = mix(np.broadcast_to(CREAM, p.shape), BLACK, ink)
        colour = mix(colour, dial, front.astype(np.float32))
        shiny = (p[:, 1] > half[1] + 0.015).astype(np.float32)
        rim = smoothstep(0.05, 0.02, np.abs(away - 1.0)) * (p[:, 2] > 0.3)
        shiny = np.maximum(shiny, rim)
        return Surface(mix(colour, BRASS, shiny), normal, 0.3 + 0.5 * shiny, 60, 0.65 * shiny)

    x, y, z = centre
    return Body(distance, paint, (x, y + half[1], z), turn, 1.85)


def make_point_board(centre: Vector, turn: Array) -> Body:
    """Return a board with twelve points on each side, as of backgammon."""
    half = (2.2, 0.12, 1.5)

    def paint(p: Array, normal: Array, view: Array) -> Surface:
        wood = draw_grain(p, srgb(150, 92, 54), srgb(104, 58, 32), 1.4)
        x, z = np.abs(p[:, 0]) - 1.05, np.abs(p[:, 2])
        inside = ((np.abs(x) < 0.93) & (z < 1.32)).astype(np.float32)
        column = (x + 0.93) / 1.86 * 6
        share = np.abs(column - np.floor(column) - 0.5) * 2
        point = smoothstep(0.04, -0.04, share - (z - 0.3) / 1.02) * (z < 1.32)
        odd = ((np.floor(column).astype(int) + (p[:, 2] > 0) + (p[:, 0] > 0)) % 2).astype(np.float32)
        felt = np.broadcast_to(srgb(30, 84, 74), p.shape)
        field = mix(felt, mix(np.broadcast_to(srgb(232, 206, 150), p.shape), srgb(164, 52, 40), odd), point)
        upper = inside * (p[:, 1] > 0.03)
        return Surface(mix(wood, field, upper), normal, 0.3 - 0.15 * upper, 40)

    def distance(p: Array) -> Array:
        q = np.stack([np.abs(p[:, 0]) - 1.05, p[:, 1] - half[1], p[:, 2]], axis=1).astype(np.float32)
        return smooth_max(measure_plate(p, half, 0.12, 0.04), -measure_box(q, (0.93, 0.07, 1.32), 0.02), 0.02)

    return Body(distance, paint, centre, turn, 2.7)


@cache
def _paint_sheet() -> Array:
    """Paint a score sheet with a column of boxes for each player, some of them filled."""
    height, width = 900, 640
    sheet = np.broadcast_to(srgb(250, 246, 232), (height, width, 3)).copy()
    line = tuple(float(each) for each in srgb(90, 110, 160))
    for row in range(13):
        y = 70 + row * 62
        cv2.line(sheet, (40, y), (width - 40, y), line, 5)
    for x in (40, 260, 373, 486, 600):
        cv2.line(sheet, (x, 70), (x, 70 + 12 * 62), line, 5)
    for row in range(12):
        y = 70 + row * 62 + 31
        cv2.line(sheet, (62, y), (150 + 37 * (row * 5 % 3), y), tuple(float(each) for each in srgb(120, 120, 130)), 13)
    entries = [(0, 0, "3"), (1, 0, "8"), (2, 0, "9"), (3, 0, "16"), (7, 0, "25"), (10, 0, "50"), (0, 1, "4")]
    entries += [(2, 1, "12"), (4, 1, "15"), (8, 1, "30"), (5, 0, "24"), (1, 2, "6"), (5, 2, "18"), (9, 2, "40")]
    pen = srgb(30, 60, 170)
    for row, column, number in entries:
        small = cv2.resize(cover_text(number), (92, 92), interpolation=cv2.INTER_AREA)[20:72]
        top, left = 70 + row * 62 + 6, 260 + column * 113 + 10
        part = sheet[top : top + 52, left : left + 92]
        part[:] = mix(part, pen, np.asarray(small, np.float32))
    return sheet.astype(np.float32)


def make_sheet(centre: Vector, turn: Array, size: float = 1.5) -> Body:
    """Return a score sheet; `size` is half its height."""
    half = (0.71 * size, 0.02, size)

    def paint(p: Array, normal: Array, view: Array) -> Surface:
        colour = sample_texture(_paint_sheet(), p[:, 0] / half[0] * 0.5 + 0.5, -p[:, 2] / half[2] * 0.5 + 0.5)
        return Surface(colour, normal, 0.1, 30)

    return Body(lambda p: measure_plate(p, half, 0.05, 0.01), paint, centre, turn, 1.3 * size)


def make_dice_tray(centre: Vector, turn: Array) -> Body:
    """Return a wooden tray lined with felt."""
    half, inner = (2.5, 0.28, 1.6), (2.25, 0.4, 1.35)

    def distance(p: Array) -> Array:
        hollow = measure_plate(p - np.array([0, 0.3, 0], np.float32), inner, 0.3, 0.02)
        return smooth_max(measure_plate(p, half, 0.4, 0.1), -hollow, 0.04)

    def paint(p: Array, normal: Array, view: Array) -> Surface:
        felt = smoothstep(
            0.02, -0.02, measure_plate(p * np.array([1, 0, 1], np.float32), (inner[0], 1, inner[2]), 0.3, 0)
        )
        felt = felt * (p[:, 1] < 0.0)
        wood = draw_grain(p, srgb(176, 112, 66), WOOD_DARK * 0.5, 1.2)
        return Surface(mix(wood, srgb(26, 96, 78), felt), normal, 0.4 - 0.35 * felt, 50)

    return Body(distance, paint, centre, turn, 3.0)
