"""Pictomania's objects with light and shade: token discs, cards, the black sheep; drawn once for each size and kept."""

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

SUPERSAMPLING = 3
"""The black sheep is drawn this many times larger than it appears, for smooth edges."""
WOOL_RGB: RGB = (34, 31, 41)
"""Colour of the black sheep's wool."""
WOOL_LIGHT_RGB: RGB = (74, 69, 86)
"""Colour of the wool where the light falls on it."""
SKIN_RGB: RGB = (16, 14, 20)
"""Colour of the black sheep's face and legs."""
SKY_RGB: RGB = (196, 226, 248)
"""Colour of the sky behind the black sheep."""
MEADOW_RGB: RGB = (132, 190, 88)
"""Colour of the meadow that the black sheep stands on."""
WHITE_RGB: RGB = (255, 255, 255)
"""Colour of the clouds, the flowers and the white of the eye."""
WOOL_DISCS = (
    *((0.26, 0.55, 0.12), (0.30, 0.43, 0.12), (0.41, 0.36, 0.12), (0.53, 0.36, 0.12), (0.63, 0.42, 0.12)),
    *((0.67, 0.54, 0.12), (0.60, 0.64, 0.11), (0.48, 0.67, 0.11), (0.36, 0.65, 0.11), (0.46, 0.52, 0.20)),
)
"""The wool: x, y and radius of its curls, in fractions of the picture."""
LEGS = ((0.36, 0.70), (0.44, 0.72), (0.54, 0.72), (0.61, 0.70))
"""x and y of the upper ends of the legs, in fractions of the picture."""
FLOWERS = ((0.2, 0.8), (0.3, 0.9), (0.72, 0.84), (0.5, 0.93), (0.83, 0.74))
"""x and y of the flowers, in fractions of the picture."""


@lru_cache(maxsize=MAX_CACHED_SURFACES)
def render_black_sheep(size: int) -> pygame.Surface:
    """Render the black sheep on its meadow as a round picture with a white edge.

    Args:
        size: Side of the square surface in pixels, at least 1.

    Returns:
        The cached surface with transparency: copy it before drawing on it.
    """
    side = size * SUPERSAMPLING
    picture = pygame.Surface((side, side), pygame.SRCALPHA, 32)
    picture.fill(SKY_RGB)

    def disc(colour: RGB, x: float, y: float, radius: float) -> None:
        pygame.draw.circle(picture, colour, (x * side, y * side), radius * side)

    def oval(colour: RGB, x: float, y: float, width: float, height: float) -> None:
        box = (round((x - width / 2) * side), round((y - height / 2) * side), round(width * side), round(height * side))
        pygame.draw.ellipse(picture, colour, box)

    for x, y, radius in ((0.2, 0.24, 0.05), (0.27, 0.22, 0.065), (0.34, 0.25, 0.045)):
        disc(WHITE_RGB, x, y, radius)
    oval(MEADOW_RGB, 0.5, 1.02, 1.7, 0.8)
    for x, y in FLOWERS:
        disc(WHITE_RGB, x, y, 0.016)
    oval((92, 146, 62), 0.48, 0.86, 0.46, 0.07)
    for x, y in LEGS:
        leg = pygame.Rect(round((x - 0.02) * side), round(y * side), round(0.04 * side), round(0.15 * side))
        pygame.draw.rect(picture, SKIN_RGB, leg, border_radius=round(0.02 * side))
    for x, y, radius in WOOL_DISCS:
        disc(WOOL_RGB, x, y, radius)
    for x, y, radius in WOOL_DISCS[:-1]:
        disc(WOOL_LIGHT_RGB, x - radius * 0.25, y - radius * 0.35, radius * 0.5)
        disc(WOOL_RGB, x - radius * 0.15, y - radius * 0.18, radius * 0.5)
    oval(SKIN_RGB, 0.64, 0.37, 0.14, 0.06)
    oval(SKIN_RGB, 0.75, 0.42, 0.17, 0.22)
    oval(SKIN_RGB, 0.78, 0.48, 0.16, 0.14)
    disc(WOOL_RGB, 0.70, 0.32, 0.06)
    disc(WOOL_RGB, 0.76, 0.31, 0.055)
    disc(WHITE_RGB, 0.77, 0.40, 0.03)
    disc(SKIN_RGB, 0.78, 0.405, 0.014)
    mask = pygame.Surface((side, side), pygame.SRCALPHA, 32)
    pygame.draw.circle(mask, (255, 255, 255, 255), (side / 2, side / 2), side / 2)
    picture.blit(mask, (0, 0), special_flags=pygame.BLEND_RGBA_MIN)
    pygame.draw.circle(picture, WHITE_RGB, (side / 2, side / 2), side / 2, max(1, side // 24))
    return pygame.transform.smoothscale(picture, (size, size))


@lru_cache(maxsize=MAX_CACHED_SURFACES)
def render_disc(size: int, face: RGB, rim: RGB) -> pygame.Surface:
    """Render a token without its stars: a disc with a bevelled rim, lit from the upper left, over its shadow.

    Args:
        size: Side of the square surface in pixels, at least 1; the disc leaves room for its shadow.
        face: Colour within the rim: red, green, blue, 0 to 255.
        rim: Colour of the rim.

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
        size: Width and height of the surface in pixels, at least 1; the card leaves room for its shadow.
        face: Its colour: red, green, blue, 0 to 255. From its middle down the card has just this colour.
        radius: Of the corners, in pixels.

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
        opacity: Of the object: (H, W), 0 to 1.
        shadow: Opacity of its shadow: (H, W), 0 to 1.
    """
    total = opacity + shadow * (1 - opacity)
    mixed = colour * (opacity / np.maximum(total, 1e-6))[..., None]
    pixels = np.dstack([mixed, total * 255]).round().astype(np.uint8)
    height, width = total.shape
    return pygame.image.frombuffer(pixels.tobytes(), (width, height), "RGBA")
