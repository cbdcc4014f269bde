"""What a camera makes of a scene: shake, blur, hard light, noise, low resolution, JPEG."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from train_dice.appearance import Array
from train_dice.labels import (
    SCENE_SIDE_PX,
)
from train_dice.tables import make_noise


def _draw_light_spot(rng: np.random.Generator, low: float, high: float, beyond: float) -> Array:
    """Draw a soft round spot of light, (SIZE, SIZE, 1), peak 1, in the picture or up to `beyond` outside it."""
    y, x = np.mgrid[:SCENE_SIDE_PX, :SCENE_SIDE_PX].astype(np.float32) / SCENE_SIDE_PX
    cx, cy = rng.uniform(-beyond, 1 + beyond, 2)
    return np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / rng.uniform(low, high))[..., None]


def add_camera_shake(image: Array, rng: np.random.Generator, length: float) -> Array:
    k = max(3, int(length) * 2 + 1)
    kernel = np.zeros((k, k), np.float32)
    v = np.array([np.cos(a := rng.uniform(0, np.pi)), np.sin(a)]) * length / 2
    c = k / 2 - 0.5
    cv2.line(kernel, (round(c - v[0]), round(c - v[1])), (round(c + v[0]), round(c + v[1])), (1.0,), 1, cv2.LINE_AA)
    return cv2.filter2D(image, -1, kernel / kernel.sum(), borderType=cv2.BORDER_REPLICATE)


@dataclass(frozen=True)
class DegradationRanges:
    """Ranges of the degradation by light, lens, sensor and file format."""

    shade: float
    gain: tuple[float, float]
    cast: float
    gamma: float
    gray: float
    haze: float
    coarse: float
    grain: float
    hard_shadow: float
    clipped: float


NATURAL_WEAR = DegradationRanges(
    shade=0.25,
    gain=(0.75, 1.2),
    cast=0.1,
    gamma=0.18,
    gray=0.06,
    haze=0.05,
    coarse=0.06,
    grain=0.02,
    hard_shadow=0.08,
    clipped=0.05,
)
ROUGH_WEAR = DegradationRanges(
    shade=0.35,
    gain=(0.45, 1.35),
    cast=0.25,
    gamma=0.4,
    gray=0.18,
    haze=0.25,
    coarse=0.14,
    grain=0.05,
    hard_shadow=0.2,
    clipped=0.12,
)


def _draw_hard_shadow(rng: np.random.Generator) -> Array:
    """Draw the shadow of a lamp, hand or frame with a sharp edge: factors of the light, (SIZE, SIZE, 1)."""
    dark = np.ones((SCENE_SIDE_PX, SCENE_SIDE_PX), np.float32)
    corners = rng.uniform(-0.4, 1.4, (int(rng.integers(3, 6)), 2)) * SCENE_SIDE_PX
    hull = cv2.convexHull(corners.astype(np.float32)).astype(np.int32)
    cv2.fillConvexPoly(dark, hull, (float(rng.uniform(0.2, 0.6)),), cv2.LINE_AA)
    return cv2.GaussianBlur(dark, (0, 0), float(rng.uniform(0.4, 2.5)))[..., None]


def photograph_scene(image: Array, rng: np.random.Generator, unit: float, wear: DegradationRanges) -> np.ndarray:
    """Apply light, lens, sensor and file format: shadows, colour casts, blur, noise, JPEG. Returns uint8."""
    if rng.random() < wear.shade:
        edge = np.clip(
            (make_noise(rng, SCENE_SIDE_PX, 3, 3) + rng.uniform(-0.5, 0.5)) * np.exp(rng.uniform(0, 4)) + 0.5, 0, 1
        )
        image = image * (1 - rng.uniform(0.2, 0.7) * edge[..., None])
    if rng.random() < wear.hard_shadow:
        image = image * _draw_hard_shadow(rng)
    if rng.random() < 0.4:
        image = image * (1 + rng.uniform(-0.7, 0.8) * (_draw_light_spot(rng, 0.1, 0.9, 0.3) - 0.5))
    if rng.random() < 0.12:
        image = image + rng.uniform(0.1, 0.6) * _draw_light_spot(rng, 0.01, 0.2, 0.0)
    image = image * rng.uniform(*wear.gain)
    if rng.random() < wear.clipped:
        image = image * rng.uniform(1.4, 2.2)
    if rng.random() < 0.5:
        image = image * (1 + rng.uniform(-wear.cast, wear.cast, 3))
    image = np.clip(image, 0, 1) ** np.exp(rng.uniform(-wear.gamma, wear.gamma * 0.9))
    if rng.random() < wear.gray:
        weights = rng.dirichlet([1, 1, 1]) if rng.random() < 0.5 else np.full(3, 1 / 3)  # infrared mixes them otherwise
        image = np.repeat((image @ weights)[..., None], 3, 2)
    elif rng.random() < 0.3:
        gray = image.mean(2, keepdims=True)
        image = gray + (image - gray) * rng.uniform(0.2, 1.6)
    if rng.random() < wear.haze:
        image = image * (w := rng.uniform(0.4, 1)) + (1 - w) * rng.random()
    image = image.astype(np.float32)
    if rng.random() < 0.5:
        soft = unit * np.exp(rng.uniform(np.log(0.006), np.log(0.07)))
        image = cv2.GaussianBlur(image, (0, 0), float(np.clip(soft, 0.3, 9)))
    elif rng.random() < 0.15:
        image = _out_of_focus(image, unit * np.exp(rng.uniform(np.log(0.03), np.log(0.1))))
    if rng.random() < wear.coarse:  # a coarse sensor, or made small and large again: a face of some 9 to 22 pixels
        image = reduce_resolution(image, rng, min(1.0, rng.uniform(9, 22) / unit))
    if rng.random() < 0.2:
        k = rng.uniform(0.4, 0.9)
        small = cv2.resize(image, None, fx=k, fy=k, interpolation=cv2.INTER_AREA)
        image = cv2.resize(small, (SCENE_SIDE_PX, SCENE_SIDE_PX), interpolation=cv2.INTER_LINEAR)
    if rng.random() < 0.3:
        image = image + rng.uniform(0.3, 2.0) * (image - cv2.GaussianBlur(image, (0, 0), rng.uniform(0.8, 2.5)))
    if rng.random() < 0.65:
        grain = rng.standard_normal(image.shape if rng.random() < 0.5 else (SCENE_SIDE_PX, SCENE_SIDE_PX, 1)).astype(
            np.float32
        )
        if rng.random() < 0.4:
            grain = cv2.GaussianBlur(grain, (0, 0), 0.8).reshape(SCENE_SIDE_PX, SCENE_SIDE_PX, -1) * 1.6
        image = image + grain * (0.003 + wear.grain * rng.random() ** 2)
    out = (np.clip(image, 0, 1) * 255).astype(np.uint8)
    if rng.random() < 0.7:
        file = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 97))])[1]
        out = cv2.imdecode(file, cv2.IMREAD_COLOR)
    return out


def _out_of_focus(image: Array, radius: float) -> Array:
    """Spread each point over a disc of `radius` pixels, as a defocused lens does."""
    n = max(3, 2 * int(radius) + 1)
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (n, n)).astype(np.float32)
    return np.asarray(cv2.filter2D(image, -1, disc / disc.sum(), borderType=cv2.BORDER_REPLICATE), np.float32)


def reduce_resolution(image: Array, rng: np.random.Generator, k: float) -> Array:
    """Scale the picture by `k` and back, like cheap cameras and careless programs."""
    n = max(16, round(SCENE_SIDE_PX * k))
    way = rng.choice([cv2.INTER_AREA, cv2.INTER_LINEAR, cv2.INTER_NEAREST], p=[0.6, 0.25, 0.15])
    small = cv2.resize(image, (n, n), interpolation=int(way))
    if rng.random() < 0.6:
        small = small + rng.uniform(0.3, 1.5) * (small - cv2.GaussianBlur(small, (0, 0), rng.uniform(0.6, 1.2)))
    way = rng.choice([cv2.INTER_LINEAR, cv2.INTER_CUBIC, cv2.INTER_NEAREST], p=[0.4, 0.4, 0.2])
    return np.asarray(cv2.resize(small, (SCENE_SIDE_PX, SCENE_SIDE_PX), interpolation=int(way)), np.float32)
