"""Pictomania's token discs and cards in their colours, with light and shade; rendered once for each size and kept."""

from functools import lru_cache

import numpy as np
import pygame
from numpy.typing import NDArray

from companion.display.toolkit import RGB

MAX_CACHED_SURFACES = 60
"""Rendered tokens and cards kept; a picture shows at most 15 different ones."""
SHADOW_SHARE = 0.04
"""Offset of an object's shadow downwards, as a share of its shorter side; the same room is left at each edge."""
SHADOW_OPACITY = 0.45
"""Opacity of the shadow where it is darkest, 0 to 1."""
RIM_SHARE = 0.13
"""Width of a token's rim, as a share of its radius."""
DISC_LIGHT = 0.34
"""How much lighter the upper left of a disc is than its middle, and how much darker the lower right."""
CARD_LIGHT = 0.16
"""How much lighter a card is at its top than at its middle, where its flat part begins."""
CARD_EDGE_LIGHT = 0.3
"""How much lighter the upper edge of a card is."""


@lru_cache(maxsize=MAX_CACHED_SURFACES)
def render_disc(size: int, face: RGB, rim: RGB) -> pygame.Surface:
    """Render a token without its stars: a disc with a bevelled rim, lit from the upper left, over its shadow.

    Args:
        size: side of the square surface in pixels, at least 1; the disc leaves room for its shadow.
        face: colour within the rim: red, green, blue, 0 to 255.
        rim: colour of the rim.

    Returns:
        The cached surface with transparency: copy it before drawing on it.
    """
    rows, columns = np.mgrid[0:size, 0:size].astype(np.float32)
    offset = size * SHADOW_SHARE
    middle, radius = (size - 1) / 2, size / 2 - offset
    x, y = (columns - middle) / max(1.0, radius), (rows - middle) / max(1.0, radius)
    distance = np.hypot(x, y)
    slope = -(x + y) / np.sqrt(2.0)
    is_rim = np.clip((distance - (1 - RIM_SHARE)) * radius, 0.0, 1.0)
    # The rim rises towards the eye, the face is sunk: at the step between them the light is the other way round.
    step = np.exp(-(((distance - (1 - RIM_SHARE)) / 0.035) ** 2))
    light = 1 + DISC_LIGHT * slope * (0.6 + 0.9 * is_rim) - 0.9 * step * slope * DISC_LIGHT
    colour = np.asarray(face, np.float32) * (1 - is_rim[..., None]) + np.asarray(rim, np.float32) * is_rim[..., None]
    colour = np.clip(colour * light[..., None], 0, 255)
    opacity = np.clip((1 - distance) * radius, 0.0, 1.0)
    below = np.hypot(columns - middle, rows - middle - offset) / max(1.0, radius)
    shadow = SHADOW_OPACITY * np.clip((1.04 - below) / 0.12, 0.0, 1.0)
    return _compose(colour, opacity, shadow)


@lru_cache(maxsize=MAX_CACHED_SURFACES)
def render_card(size: tuple[int, int], face: RGB, radius: int) -> pygame.Surface:
    """Render an empty card: round corners, light from above, over its shadow.

    Args:
        size: width and height of the surface in pixels, at least 1; the card leaves room for its shadow.
        face: its colour: red, green, blue, 0 to 255. From its middle down the card has just this colour.
        radius: of the corners, in pixels.

    Returns:
        The cached surface with transparency: copy it before drawing on it.
    """
    width, height = size
    offset = max(1.0, min(size) * SHADOW_SHARE)
    rows, columns = np.mgrid[0:height, 0:width].astype(np.float32)
    half = (width / 2 - offset, height / 2 - offset)
    inside = _measure_depth(columns - (width - 1) / 2, rows - (height - 1) / 2, half, radius)
    opacity = np.clip(inside + 0.5, 0.0, 1.0)
    below = _measure_depth(columns - (width - 1) / 2, rows - (height - 1) / 2 - offset * 0.8, half, radius)
    shadow = SHADOW_OPACITY * np.clip((below + offset * 0.6) / (offset * 1.2), 0.0, 1.0)
    part = np.clip((rows - offset) / max(1.0, 2 * half[1]), 0.0, 1.0)
    light = 1 + CARD_LIGHT * np.clip(1 - 2 * part, 0.0, 1.0)
    edge = np.clip(1 - np.abs(inside - offset * 0.35) / (offset * 0.3), 0.0, 1.0)
    light += CARD_EDGE_LIGHT * edge * np.clip(1 - 2 * part, 0.0, 1.0)
    colour = np.clip(np.asarray(face, np.float32) * light[..., None], 0, 255)
    return _compose(colour, opacity, shadow)


def _measure_depth(
    x: NDArray[np.float32], y: NDArray[np.float32], half: tuple[float, float], radius: int
) -> NDArray[np.float32]:
    """Return how deep points lie within a rounded rectangle around (0, 0), in pixels; negative outside."""
    r = min(float(radius), *half)
    dx, dy = np.abs(x) - half[0] + r, np.abs(y) - half[1] + r
    outside = np.hypot(np.maximum(dx, 0.0), np.maximum(dy, 0.0))
    depth = r - outside - np.minimum(np.maximum(dx, dy), 0.0)
    return np.asarray(depth, np.float32)


def _compose(colour: NDArray[np.float32], opacity: NDArray[np.float32], shadow: NDArray[np.float32]) -> pygame.Surface:
    """Lay a coloured object over its black shadow.

    Args:
        colour: (H, W, 3), 0 to 255.
        opacity: of the object: (H, W), 0 to 1.
        shadow: opacity of its shadow: (H, W), 0 to 1.
    """
    total = opacity + shadow * (1 - opacity)
    mixed = colour * (opacity / np.maximum(total, 1e-6))[..., None]
    pixels = np.dstack([mixed, total * 255]).round().astype(np.uint8)
    height, width = total.shape
    return pygame.image.frombuffer(pixels.tobytes(), (width, height), "RGBA")
