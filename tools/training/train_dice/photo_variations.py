"""Vary photographs as other light, cameras and dice would: stretch, shadow, exposure, blur, noise, compression."""

from __future__ import annotations

import cv2
import numpy as np

from companion.vision.reading import Image
from train_dice.labels import IGNORED, SCENE_SIDE_PX
from train_dice.samples import Dice, Scene, Spots

_MIN_READABLE_EDGE_PX = 14.0
"""Least edge to which a die is reduced, in pixels: pips of smaller ones cannot be counted."""

_RIM_EDGES = 0.75
"""Dice nearer to the scene's border than this, in edges, after it was stretched, do not count."""


def vary_photograph(image: Image, scene: Scene, rng: np.random.Generator) -> tuple[Image, Scene]:
    """Return another version of a scene: of each four, one or two of the changes below apply.

    Args:
        image: (SCENE_SIDE_PX, SCENE_SIDE_PX, 3) uint8 BGR.
        scene: its contents.
        rng: all random numbers come from it.
    """
    if rng.random() < 0.5:
        image, scene = _stretch(image, scene, rng)
    pixels = image.astype(np.float32)
    edges = [edge for _, _, edge, *_ in scene.dice] or [edge for *_, edge in scene.found] or [40.0]
    edge = float(np.median(edges))
    if rng.random() < 0.4:
        pixels *= _draw_shadow(rng)
    if rng.random() < 0.5:
        pixels = 255 * (np.clip(pixels, 0, 255) / 255) ** np.exp(rng.normal(0, 0.5))
    if rng.random() < 0.4:
        # Above 1 the light parts are clipped, as a telephone does with white dice.
        pixels *= np.exp(rng.uniform(-1.2, 0.8))
    if rng.random() < 0.15:
        pixels = np.repeat(pixels.mean(2, keepdims=True), 3, 2)
    if rng.random() < 0.35:
        pixels = cv2.GaussianBlur(pixels, (0, 0), max(0.3, rng.uniform(0.01, 0.12) * edge))
    varied = np.asarray(np.clip(pixels, 0, 255), np.uint8)
    if rng.random() < 0.45:
        varied = _transmit(varied, edge, rng)
    return varied, scene


def _stretch(image: Image, scene: Scene, rng: np.random.Generator) -> tuple[Image, Scene]:
    """Stretch a scene about its middle, as a view from another height does."""
    right, down = np.exp(rng.normal(0, 0.12, 2))
    middle = SCENE_SIDE_PX / 2
    place = np.array([[right, 0, middle * (1 - right)], [0, down, middle * (1 - down)]])
    flags = cv2.INTER_LINEAR
    size = (SCENE_SIDE_PX, SCENE_SIDE_PX)
    stretched = np.asarray(cv2.warpAffine(image, place, size, flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8)

    def move(x: float, y: float, edge: float) -> tuple[float, float, float]:
        return (
            float(middle + right * (x - middle)),
            float(middle + down * (y - middle)),
            float(edge * np.sqrt(right * down)),
        )

    dice: Dice = []
    for x, y, edge, value, state, *lean in scene.dice:
        x, y, edge = move(x, y, edge)
        near = min(x, y, SCENE_SIDE_PX - x, SCENE_SIDE_PX - y)
        dice.append((x, y, edge, value, state if near > _RIM_EDGES * edge else IGNORED, lean[0], lean[1]))
    decoys, found = ([move(*spot) for spot in spots] for spots in (scene.decoys, scene.found))
    return stretched, Scene(dice, _keep_inside(decoys), _keep_inside(found), scene.is_photograph)


def _keep_inside(spots: Spots) -> Spots:
    return [spot for spot in spots if min(spot[:2]) > 0 and max(spot[:2]) < SCENE_SIDE_PX]


def _draw_shadow(rng: np.random.Generator) -> np.ndarray:
    """Draw a shadow over a part of the scene, hard or soft: (side, side, 1) float32 factors."""
    y, x = np.mgrid[:SCENE_SIDE_PX, :SCENE_SIDE_PX].astype(np.float32) - SCENE_SIDE_PX / 2
    angle, offset = rng.uniform(0, 2 * np.pi), rng.uniform(-0.3, 0.3) * SCENE_SIDE_PX
    softness = np.exp(rng.uniform(0, 5))  # pixels: 1 to 150
    side = (x * np.float32(np.cos(angle)) + y * np.float32(np.sin(angle)) - np.float32(offset)) / np.float32(softness)
    lit = 1 / (1 + np.exp(-np.clip(4 * side, -30, 30)))
    return (1 - np.float32(rng.uniform(0.2, 0.7)) * (1 - lit))[..., None]


def _transmit(image: Image, edge: float, rng: np.random.Generator) -> Image:
    """Make the scene small, add noise and compress it, as a webcam does, and enlarge it again."""
    scale = 1.0
    if rng.random() < 0.6 and edge > _MIN_READABLE_EDGE_PX:
        scale = float(np.exp(rng.uniform(np.log(_MIN_READABLE_EDGE_PX / edge), 0)))
    side = max(32, round(SCENE_SIDE_PX * scale))
    small = cv2.resize(image, (side, side), interpolation=cv2.INTER_AREA)
    if rng.random() < 0.5:
        small = np.clip(small + rng.normal(0, rng.uniform(2, 14), small.shape), 0, 255).astype(np.uint8)
    if rng.random() < 0.7:
        packed = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(20, 90))])[1]
        small = cv2.imdecode(packed, cv2.IMREAD_COLOR)
    return np.asarray(cv2.resize(small, (SCENE_SIDE_PX, SCENE_SIDE_PX), interpolation=cv2.INTER_LINEAR), np.uint8)
