"""Textures of tables, mats, cloths and trays: albedo from noise with a spectrum, threads, rings and cells.

Albedo is linear BGR, 0 to 1.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from ray_tracer.camera import Array
from ray_tracer.textures import compute_placement, make_spectral_noise, srgb_to_linear

Rng = np.random.Generator


def random_tint(rng: Rng, hue: float | None = None, strong: float = 0.6, bright: float = 0.5) -> Array:
    """Draw a colour, linear BGR: `hue` 0 to 1, saturation and value near the given ones."""
    h = rng.random() if hue is None else hue
    hsv = np.array([[[(h % 1) * 360, np.clip(strong, 0, 1), np.clip(bright, 0, 1)]]], np.float32)
    return np.asarray(srgb_to_linear(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0]), np.float32)


def _shades(pattern: Array, dark: Array, light: Array) -> Array:
    return np.asarray(dark + (light - dark) * np.clip(pattern, 0, 1)[..., None], np.float32)


def make_wood(rng: Rng, shape: tuple[int, int], scale: float) -> Array:
    """Draw boards: growth rings cut lengthwise, pores, joints. `scale` is pixels per mm."""
    h = shape[0]
    light = random_tint(rng, rng.uniform(0.05, 0.11), rng.uniform(0.25, 0.7), rng.uniform(0.45, 0.85))
    dark = light * rng.uniform(0.5, 0.85)
    bend = make_spectral_noise(rng, shape, 2.2, 7.0)
    y = np.arange(h, dtype=np.float32)[:, None] / max(scale, 0.1)
    board = max(1.0, rng.uniform(60, 160))
    wide = (y // board).astype(int)
    offsets = rng.uniform(0, 50, int(wide.max()) + 1).astype(np.float32)
    rings = (y + offsets[wide]) / rng.uniform(3, 14) + bend * rng.uniform(0.6, 2.0)
    grain = 0.5 + 0.5 * np.sin(2 * np.pi * rings) * (0.6 + 0.4 * np.sin(rings * 0.7))
    pores = np.clip(make_spectral_noise(rng, shape, 0.6, 14.0) - 1.4, 0, 1)
    out = _shades(0.75 * grain + 0.12 * bend, light, dark) * (1 - rng.uniform(0, 0.45) * pores)[..., None]
    if rng.random() < 0.45:
        joint = np.clip(1 - np.minimum(y % board, board - y % board) / rng.uniform(0.3, 0.9), 0, 1)
        out *= 1 - rng.uniform(0.2, 0.7) * joint[..., None]
    shade = rng.uniform(0.85, 1.12, len(offsets)).astype(np.float32)
    return np.asarray(out * shade[wide][..., None], np.float32)


def make_cloth(rng: Rng, shape: tuple[int, int], scale: float) -> Array:
    """Draw woven threads with irregularities; some cloths are checked."""
    h, w = shape
    color = random_tint(rng, None, rng.uniform(0, 0.85), rng.uniform(0.12, 0.9))
    pitch = max(1.6, rng.uniform(0.5, 1.6) * scale)
    jitter = make_spectral_noise(rng, shape, 1.6) * 0.35
    x, y = np.meshgrid(np.arange(w) / pitch, np.arange(h) / pitch)
    warp, weft = np.abs(np.sin(np.pi * (x + jitter))), np.abs(np.sin(np.pi * (y - jitter)))
    over = ((np.floor(x + jitter) + np.floor(y - jitter)) % 2).astype(np.float32)
    weave = np.where(over > 0, warp, weft)
    depth = rng.uniform(0.15, 0.55)
    out = color * ((1 - depth) + depth * weave + 0.05 * make_spectral_noise(rng, shape, 0.8))[..., None]
    if rng.random() < 0.25:
        other = random_tint(rng, None, rng.uniform(0, 0.8), rng.uniform(0.2, 0.9))
        size = rng.uniform(12, 45) * scale / pitch
        check = ((x // size % 2) + (y // size % 2)) / 2
        out = out * (1 - check[..., None]) + other * (weave * depth + 1 - depth)[..., None] * check[..., None]
    return np.asarray(out, np.float32)


def make_felt(rng: Rng, shape: tuple[int, int], scale: float) -> Array:
    """Draw short hairs pressed flat."""
    color = random_tint(
        rng, rng.choice([0.33, 0.38, 0.0, 0.6, rng.random()]), rng.uniform(0.1, 0.75), rng.uniform(0.12, 0.6)
    )
    hair = make_spectral_noise(rng, shape, 0.25) * 0.5 + make_spectral_noise(rng, shape, 1.1) * 0.6
    return np.asarray(color * (1 + rng.uniform(0.04, 0.16) * hair)[..., None], np.float32)


def make_plain(rng: Rng, shape: tuple[int, int], scale: float) -> Array:
    """Draw paper, lacquer or plastic: one colour, almost even."""
    value = rng.choice([rng.uniform(0.75, 0.97), rng.uniform(0.03, 0.3), rng.uniform(0.3, 0.8)])
    color = random_tint(rng, None, rng.choice([rng.uniform(0, 0.12), rng.uniform(0, 0.55)]), value)
    uneven = make_spectral_noise(rng, shape, 1.8) * rng.uniform(0.005, 0.04) + make_spectral_noise(
        rng, shape, 0.2
    ) * rng.uniform(0, 0.03)
    return np.asarray(color * (1 + uneven)[..., None], np.float32)


def make_stone(rng: Rng, shape: tuple[int, int], scale: float) -> Array:
    """Draw marble with veins, or granite with grains."""
    light = random_tint(rng, rng.random(), rng.uniform(0, 0.2), rng.uniform(0.5, 0.95))
    dark = light * rng.uniform(0.15, 0.6)
    if rng.random() < 0.5:
        veins = np.exp(-np.abs(make_spectral_noise(rng, shape, 1.7)) * rng.uniform(4, 12))
        return _shades(veins * 0.8 + 0.1 * make_spectral_noise(rng, shape, 1.5), light, dark)
    grains = cv2.GaussianBlur(rng.standard_normal(shape, dtype=np.float32), (0, 0), max(0.7, 0.6 * scale))
    grains /= grains.std()
    out = _shades(0.5 + 0.5 * np.tanh(2 * grains), light, dark)
    return np.asarray(out * (1 + 0.04 * make_spectral_noise(rng, shape, 1.0))[..., None], np.float32)


def make_leather(rng: Rng, shape: tuple[int, int], scale: float) -> Array:
    """Draw a desk mat: cells around random points, grooves between them, scratches."""
    h, w = shape
    color = random_tint(rng, None, rng.uniform(0, 0.6), rng.uniform(0.05, 0.45))
    pitch = max(2.0, rng.uniform(0.8, 2.4) * scale)
    seeds = np.full(shape, 255, np.uint8)
    count = min(60_000, int(h * w / pitch**2) + 1)
    seeds[rng.integers(0, h, count), rng.integers(0, w, count)] = 0
    far = cv2.distanceTransform(seeds, cv2.DIST_L2, 3) / pitch
    out = color * (1.1 - rng.uniform(0.1, 0.5) * np.clip(far, 0, 1) ** 2)[..., None]
    scratches = np.zeros(shape, np.float32)
    for _ in range(rng.integers(0, 12)):
        way = np.cumsum(rng.normal(0, 1, (12, 2)) * 9 * scale + rng.normal(0, 6 * scale, 2), 0)
        points = np.round(way + rng.uniform(0, 1, 2) * [w, h]).astype(np.int32)
        cv2.polylines(scratches, [points], False, float(rng.uniform(0.02, 0.12)), 1, cv2.LINE_AA)
    return np.asarray(out + scratches[..., None], np.float32)


def make_squared(rng: Rng, shape: tuple[int, int], scale: float) -> Array:
    """Draw squared paper, tiles or a cutting mat: lines on an even ground."""
    out = make_plain(rng, shape, scale)
    line = random_tint(rng, None, rng.uniform(0, 0.6), rng.uniform(0.1, 0.95))
    pitch = rng.choice([5.0, 10.0, 20.0, rng.uniform(25, 70)]) * scale
    thick = max(1, round(rng.uniform(0.15, 0.6) * scale))
    mask = np.zeros(shape, np.float32)
    for at in np.arange(rng.uniform(0, pitch), max(shape), max(pitch, 6.0)):
        cv2.line(mask, (round(at), 0), (round(at), shape[0]), 1.0, thick, cv2.LINE_AA)
        cv2.line(mask, (0, round(at)), (shape[1], round(at)), 1.0, thick, cv2.LINE_AA)
    return np.asarray(out + (line - out) * (mask * rng.uniform(0.25, 0.9))[..., None], np.float32)


TABLES: tuple[Callable[[Rng, tuple[int, int], float], Array], ...] = (
    make_wood,
    make_wood,
    make_wood,
    make_cloth,
    make_cloth,
    make_felt,
    make_plain,
    make_plain,
    make_plain,
    make_stone,
    make_leather,
    make_leather,
    make_squared,
)
"""Kinds of ground; frequent ones are listed more than once."""


def make_ground(rng: Rng, size: float, pixels: int) -> tuple[Array, np.ndarray]:
    """Draw a table top of `size` x `size` mm around the origin, at a random angle: its albedo and its placement."""
    scale = pixels / size
    albedo = TABLES[int(rng.integers(len(TABLES)))](rng, (pixels, pixels), scale)
    return np.clip(albedo, 0.004, 0.92), compute_placement(
        pixels, pixels, scale, (0.0, 0.0), float(rng.uniform(0, 2 * np.pi))
    )
