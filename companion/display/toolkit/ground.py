"""The ground behind the regions of a picture: the background, or a part of the screen flooded with a colour."""

import pygame

from companion.display.toolkit.caches import BoundedCache
from companion.display.toolkit.icons import ICONS, render_shape
from companion.display.toolkit.theme import RGB, SEAT_SHAPES, flood_colour, mix_colours
from companion.events import Button

GROUND_TOP_SHARE = 0.8
"""Strength of a flooded ground at its top, as a share of `theme.flood_colour`."""
GROUND_BOTTOM_SHARE = 0.45
"""The same at its bottom."""
MAX_CACHED_GROUNDS = 3
"""Flooded grounds kept: each is as large as the picture."""
WATERMARK_RATIO = 1.7
"""Side of the shape on a flooded ground, as a multiple of the ground's height."""


class CanvasGround:
    """A picture to fill regions with, before something is painted on them.

    Args:
        size: width and height of the screen in pixels.
        background: red, green, blue of what is not flooded.
    """

    def __init__(self, size: tuple[int, int], background: RGB) -> None:
        self._size = size
        self._background = background
        self._flood: tuple[tuple[int, ...], RGB | None, Button | None] | None = None
        self._picture: pygame.Surface | None = None
        self._pictures = BoundedCache[pygame.Surface](MAX_CACHED_GROUNDS)

    def flood(self, rect: pygame.Rect, rgb: RGB | None, button: Button | None) -> bool:
        """Flood a part of the screen; return whether the ground is another one now.

        Args:
            rect: the flooded area in pixels; outside it the ground is the background.
            rgb: the colour; None: the background.
            button: the seat whose shape stands large on the ground, cut off by its edge; None: none.

        Raises:
            KeyError: `button` is no seat's button.
        """
        flood = (tuple(rect), rgb, button)
        if flood == self._flood:
            return False
        self._flood = flood
        self._picture = None
        if rgb is not None:
            self._picture = self._pictures.get(flood, lambda: self._render(rect, rgb, button))
        return True

    def fill(self, surface: pygame.Surface, rect: pygame.Rect) -> None:
        """Fill a part of a surface of the screen's size, in pixels, with the ground."""
        if self._picture is None:
            surface.fill(self._background, rect)
        else:
            surface.blit(self._picture, rect, rect)

    def colour_at(self, y: int) -> RGB:
        """Return the ground's colour at the screen's left edge, `y` pixels from the top."""
        if self._picture is None:
            return self._background
        return tuple(self._picture.get_at((0, y)))[:3]  # type: ignore[return-value]  # 3 ints

    def _render(self, rect: pygame.Rect, rgb: RGB, button: Button | None) -> pygame.Surface:
        flood = flood_colour(rgb, self._background)
        ground = pygame.Surface(self._size, 0, 32)
        ground.fill(self._background)
        for y in range(rect.h):
            ratio = GROUND_TOP_SHARE + (GROUND_BOTTOM_SHARE - GROUND_TOP_SHARE) * y / max(1, rect.h - 1)
            ground.fill(mix_colours(self._background, flood, ratio), (rect.left, rect.top + y, rect.w, 1))
        if button is not None:
            side = round(rect.h * WATERMARK_RATIO)
            small = render_shape(ICONS[SEAT_SHAPES[button]], side // 4, flood)
            shape = pygame.transform.smoothscale(small, (side, side))
            ground.set_clip(rect)
            ground.blit(shape, shape.get_rect(center=(rect.right - side // 4, rect.top + rect.h * 45 // 100)))
            ground.set_clip(None)
        return ground
