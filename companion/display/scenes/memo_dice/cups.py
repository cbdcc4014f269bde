"""Memo Dice's cups and dice as objects with light and shade; each is rendered once, and scaled copies are kept."""

from functools import lru_cache

import numpy as np
import pygame
from numpy.typing import NDArray

from companion.display.toolkit import BACKGROUND, INK, PIECE_RGB, RGB, TEXT_EM, Canvas, Typeface, text_colour_for
from companion.events import MemoColour

CUP_PIECE_NAMES = {MemoColour.GOLD: "gold", MemoColour.RED: "red", MemoColour.BLUE: "blue", MemoColour.BLACK: "black"}
"""The colours of the cups, as keys of `theme.PIECE_RGB`."""
CUP_BANDS = {MemoColour.GOLD: 0, MemoColour.RED: 1, MemoColour.BLUE: 2, MemoColour.BLACK: 3}
"""Bands on a cup, which tell the colours apart without colour; the golden cup has a crown in their place."""
MASTER_SIZE = 640
"""Side in pixels of the pictures that all sizes are scaled from: that of a cup on the stage of a 1920x1080 screen."""
MAX_CACHED_CUPS = 160
"""Scaled cups kept: those of a row that changes its sizes for a third of a second."""
NUMBER_BOX = (0.24, 0.40, 0.52, 0.44)
"""Place of the number on a cup: left, top, width, height, in fractions of its square."""
CROWN_PLACE = (0.27, 0.17)
"""Centre from the top, and size, of the golden cup's crown, in fractions of its square."""
LIGHT_RATIO = 1.12
"""Brightness of a cup where the light falls on it, as a multiple of its colour."""
SHADE_RATIO = 0.42
"""Brightness of a cup on the side away from the light, as a multiple of its colour."""
SHEEN = 64.0
"""Brightness that the reflex adds where it is brightest, of 255."""
DIM_OPACITY = 70
"""Opacity of a cup of a colour that has none left, of 255."""


def draw_cup(
    canvas: Canvas,
    centre: tuple[int, int],
    size: int,
    colour: MemoColour,
    *,
    is_unknown: bool = False,
    is_dim: bool = False,
) -> pygame.Rect:
    """Draw a cup upside down in its colour, with its bands or crown.

    Args:
        canvas: Where it is drawn, while a region is painted.
        centre: x and y of its centre in pixels.
        size: Side of its square in pixels, at least 1.
        colour: The cup's colour.
        is_unknown: The die under it was knocked over, and nobody knows its symbol (D40): a question mark is drawn.
        is_dim: There is none left: it is drawn as a ghost.

    Returns:
        The box for a number on it, in pixels.
    """
    size = max(1, size)
    box = pygame.Rect(0, 0, size, size)
    box.center = centre
    picture = _scale_cup(colour, size)
    if is_dim:
        picture = picture.copy()
        picture.set_alpha(DIM_OPACITY)
    canvas.surface.blit(picture, box)
    rgb = PIECE_RGB[CUP_PIECE_NAMES[colour]]
    if colour is MemoColour.GOLD and not is_dim:
        y, crown = (round(part * size) for part in CROWN_PLACE)
        canvas.draw_icon("crown", (box.centerx, box.top + y), max(1, crown), text_colour_for(rgb))
    if is_unknown:
        side = max(canvas.px(6.6), size * 24 // 100)
        disc = canvas.draw_disc((box.right - side // 2, box.top + side // 2), side, INK)
        canvas.draw_text(disc, "?", TEXT_EM, BACKGROUND, face=Typeface.DISPLAY, align=0.5)
    return find_number_box(box)


def find_number_box(box: pygame.Rect) -> pygame.Rect:
    """Return the box for a number on a cup, in pixels.

    Args:
        box: The cup's square, in pixels.
    """
    left, top, width, height = (round(part * box.w) for part in NUMBER_BOX)
    return pygame.Rect(box.left + left, box.top + top, width, height)


def draw_blank_die(canvas: Canvas, centre: tuple[int, int], size: int, symbol_rgb: RGB | None = None) -> None:
    """Draw a die with light and shade: an eye in the colour of its symbol, never the symbol itself.

    Args:
        canvas: Where it is drawn, while a region is painted.
        centre: x and y of its centre in pixels.
        size: Side of the die in pixels, at least 1.
        symbol_rgb: Colour of the eye; None: the die is blank.
    """
    size = max(1, size)
    picture = _scale_die(size)
    canvas.surface.blit(picture, picture.get_rect(center=centre))
    if symbol_rgb is not None:
        canvas.draw_icon("eye", centre, size * 72 // 100, symbol_rgb)


@lru_cache(maxsize=MAX_CACHED_CUPS)
def _scale_cup(colour: MemoColour, size: int) -> pygame.Surface:
    return pygame.transform.smoothscale(_render_cup(colour), (size, size))


@lru_cache(maxsize=MAX_CACHED_CUPS)
def _scale_die(size: int) -> pygame.Surface:
    return pygame.transform.smoothscale(_render_die(), (size, size))


@lru_cache(maxsize=len(MemoColour))
def _render_cup(colour: MemoColour) -> pygame.Surface:
    """Render a cup upside down: a body that widens downwards to a rim, its closed end on top, a shadow below."""
    step = np.linspace(0.0, 1.0, MASTER_SIZE)
    x, y = np.meshgrid(step * 2 - 1, step)
    base = np.array(PIECE_RGB[CUP_PIECE_NAMES[colour]], float)
    if colour is MemoColour.BLACK:
        base = base * 1.25
    half = 0.54 + 0.28 * np.clip((y - 0.1) / 0.78, 0, 1)
    half = half + 0.05 * (y > 0.8 + 0.07 * np.sqrt(np.clip(1 - (x / 0.9) ** 2, 0, 1)))
    across = np.clip(x / half, -1, 1)
    arc = np.sqrt(1 - across**2)
    light = np.clip(0.78 * arc - 0.55 * across, 0, 1)
    shade = SHADE_RATIO + (LIGHT_RATIO - SHADE_RATIO) * light
    rgb = base * shade[..., None]
    # Bands follow the round body.
    along = y - 0.07 * arc
    for band in range(CUP_BANDS[colour]):
        top = 0.20 + 0.075 * band
        paint = np.array(text_colour_for(PIECE_RGB[CUP_PIECE_NAMES[colour]]), float) * (0.5 + 0.5 * light[..., None])
        rgb = np.where(((along > top) & (along < top + 0.036))[..., None], paint, rgb)
    rgb = rgb + (SHEEN * np.exp(-(((across + 0.5) / 0.13) ** 2)) * (y > 0.2))[..., None]
    rim_edge = np.abs(along - 0.80) < 0.008
    rgb = np.where(rim_edge[..., None], rgb * 0.55, rgb)
    end = (x / 0.54) ** 2 + ((y - 0.12) / 0.07) ** 2
    rgb = np.where((end < 1)[..., None], base * 1.05 + 34 * (1 - y[..., None] * 4), rgb)
    rgb = np.where(((end >= 0.86) & (end < 1.0))[..., None], base * 0.9 + 70, rgb)
    is_body = (y > 0.12) & (along < 0.875) & (np.abs(x) < half)
    alpha = np.where(is_body | (end < 1), 255.0, 0.0)
    # A light edge on the shaded side keeps a dark cup apart from a dark ground.
    edge = is_body & (np.abs(x) > half - 0.02) & (y > 0.12)
    rgb = np.where(edge[..., None], rgb * 0.6 + 86, rgb)
    spread = (x / 0.98) ** 2 + ((y - 0.895) / 0.1) ** 2
    shadow = np.clip(1.0 - spread, 0, 1) * 190
    rgb = np.where((alpha > 0)[..., None], rgb, 0)
    return _make_surface(rgb, np.maximum(alpha, shadow))


@lru_cache(maxsize=1)
def _render_die() -> pygame.Surface:
    """Render a blank die seen from above: a rounded square lit from the upper left, its edges worn round."""
    step = np.linspace(-1.0, 1.0, MASTER_SIZE)
    x, y = np.meshgrid(step, step)

    def measure(dx: float, dy: float, half: float, corner: float) -> NDArray[np.float64]:
        qx, qy = np.maximum(np.abs(x - dx) - half + corner, 0), np.maximum(np.abs(y - dy) - half + corner, 0)
        return np.asarray(np.hypot(qx, qy) - corner)

    outside, inside = measure(0, -0.03, 0.9, 0.26), measure(-0.01, -0.05, 0.74, 0.2)
    rgb = np.array((240.0, 232.0, 214.0)) * (1.0 - 0.10 * (x + y)[..., None] / 2)
    rounding = np.clip(inside / 0.16, 0, 1)[..., None]
    rgb = rgb * (1 - 0.22 * rounding * (1 + (x + y)[..., None] / 2)) + 12 * rounding
    alpha = np.clip(-outside * MASTER_SIZE / 4, 0, 1) * 255
    shadow = np.clip(0.5 - measure(0.02, 0.03, 0.88, 0.3) * 8, 0, 1) * 120
    rgb = rgb * (alpha[..., None] / np.maximum(1.0, np.maximum(alpha, shadow))[..., None])
    return _make_surface(rgb, np.maximum(alpha, shadow))


def _make_surface(rgb: NDArray[np.float64], alpha: NDArray[np.float64]) -> pygame.Surface:
    """Make a surface with transparency from (H, W, 3) colours and (H, W) opacities, 0 to 255 each."""
    rgba = np.dstack((np.clip(rgb, 0, 255), np.clip(alpha, 0, 255))).astype(np.uint8)
    height, width = alpha.shape
    return pygame.image.frombuffer(rgba.tobytes(), (width, height), "RGBA").copy()
