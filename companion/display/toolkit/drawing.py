"""Drawing of shapes, icons, dice and pictures on a surface.

Lengths are in layout units (1 unit: 1 % of the screen's shorter side), so that a picture scales from 800x480 to 4K, in
landscape and portrait.
"""

from collections.abc import Sequence
from math import ceil

import pygame

from companion.display.toolkit.art import ArtName, scale_art
from companion.display.toolkit.caches import MAX_CACHED_IMAGES, BoundedCache, ById, scale_image
from companion.display.toolkit.icons import DISC, Icon, find_shape, render_die_outline, render_shape
from companion.display.toolkit.theme import (
    BACKGROUND,
    BUTTON_COLOURS,
    LINE,
    RGB,
    SEAT_SHAPES,
    Colour,
    Palette,
    Tone,
)
from companion.events import Button
from companion.vision.reading import Image

MAX_CACHED_ART = 96
"""Scaled pictures of objects kept: a stage shows fewer than 60, most of them small."""
DIE_ART_RATIO = 1.12
"""Side of a die's picture, which has room for its shadow, as a multiple of the die's height."""
DIE_ART_RIGHT = 0.035
"""Distance of a die's centre from its picture's, as a share of the die's height."""

FILLED_ROWS = 8
"""Rows of a rectangle that are filled; those below are copied from them, each time twice as many."""


class Drawing:
    """A surface with a palette, on which shapes and pictures are drawn.

    >>> from companion.display.toolkit.theme import GOOD, PALETTES
    >>> drawing = Drawing(pygame.Surface((800, 480), 0, 32), PALETTES["dark"], unit_px=4.8)
    >>> drawing.draw_disc((100, 100), drawing.px(10), GOOD).size
    (48, 48)

    Args:
        surface: the picture.
        palette: the colour of each tone.
        unit_px: pixels of a layout unit.
    """

    def __init__(self, surface: pygame.Surface, palette: Palette, unit_px: float) -> None:
        self.surface = surface
        self.palette = palette
        self.unit_px = unit_px
        self._images = BoundedCache[pygame.Surface](MAX_CACHED_IMAGES)
        self._art = BoundedCache[pygame.Surface](MAX_CACHED_ART)

    def px(self, units: float) -> int:
        """Convert a length to pixels, rounded to the nearest; at least 1, even for 0 and negative lengths.

        Args:
            units: length in layout units (1 unit: 1 % of the screen's shorter side).
        """
        return max(1, round(units * self.unit_px))

    def rgb(self, colour: Colour) -> RGB:
        """Return the colour of a tone in this canvas's palette; a fixed colour is returned as it is.

        Args:
            colour: a tone, or red, green, blue, 0 to 255 each (not checked here; pygame raises ValueError when such a
                colour is drawn with).

        Returns:
            Red, green, blue, 0 to 255.
        """
        return self.palette[colour] if isinstance(colour, Tone) else colour

    def px_at_least(self, units: float) -> int:
        """Convert a length to pixels, rounded up: for sizes that must not become smaller than `units`.

        Args:
            units: length in layout units (1 unit: 1 % of the screen's shorter side).
        """
        return ceil(units * self.unit_px)

    def draw_icon(self, name: Icon, centre: tuple[int, int], size: int, colour: Colour) -> pygame.Rect:
        """Draw an icon.

        Args:
            name: a key of `icons.ICONS`, or a shape of a plug-in's own.
            centre: x and y of its centre in pixels.
            size: side of its square in pixels, at least 1.
            colour: a tone or a fixed colour (0 to 255).

        Returns:
            Where it lies, in pixels, without what the region cuts off.

        Raises:
            KeyError: `name` is a text, and not a key of `icons.ICONS`.
            pygame.error: `size` is negative.
        """
        return self._blit_centred(render_shape(find_shape(name), size, self.rgb(colour)), centre)

    def draw_badge(self, button: Button, centre: tuple[int, int], size: int, colour: Colour | None = None) -> None:
        """Draw the badge of a seat: the shape of its button.

        Args:
            button: the button of a seat.
            centre: x and y of its centre in pixels.
            size: side of its square in pixels, at least 1.
            colour: a tone or a fixed colour (0 to 255); None: the seat's colour.

        Raises:
            KeyError: `button` is no seat's button (OK, NO, plus, minus).
            pygame.error: `size` is negative.
        """
        self.draw_icon(SEAT_SHAPES[button], centre, size, BUTTON_COLOURS[button] if colour is None else colour)

    def draw_icon_left(
        self, rect: pygame.Rect, name: Icon, size: int, colour: Colour, *, margin: float = 0, gap: float = 0
    ) -> pygame.Rect:
        """Draw an icon at the left of `rect`, in the middle of its height.

        Args:
            rect: in pixels; it is not changed.
            name: a key of `icons.ICONS`, or a shape of a plug-in's own.
            size: side of the icon's square in pixels, at least 1.
            colour: a tone or a fixed colour (0 to 255).
            margin: room left of the icon, in layout units.
            gap: room right of the icon, in layout units.

        Returns:
            The rest of `rect` right of the gap, in pixels.

        Raises:
            KeyError: `name` is a text, and not a key of `icons.ICONS`.
            pygame.error: `size` is negative.
        """
        left = rect.left + (self.px(margin) if margin else 0)
        self.draw_icon(name, (left + size // 2, rect.centery), size, colour)
        left += size + (self.px(gap) if gap else 0)
        return pygame.Rect(left, rect.top, rect.right - left, rect.h)

    def draw_badge_left(
        self,
        rect: pygame.Rect,
        button: Button,
        size: int,
        colour: Colour | None = None,
        *,
        margin: float = 0,
        gap: float = 0,
    ) -> pygame.Rect:
        """Draw the badge of a seat, the shape of its button, at the left of `rect` in the middle of its height.

        Args:
            rect: in pixels; it is not changed.
            button: the button of a seat.
            size: side of the badge's square in pixels, at least 1.
            colour: a tone or a fixed colour (0 to 255); None: the seat's colour.
            margin: room left of the badge, in layout units.
            gap: room right of the badge, in layout units.

        Returns:
            The rest of `rect` right of the gap, in pixels.

        Raises:
            KeyError: `button` is no seat's button (OK, NO, plus, minus).
            pygame.error: `size` is negative.
        """
        tone = BUTTON_COLOURS[button] if colour is None else colour
        return self.draw_icon_left(rect, SEAT_SHAPES[button], size, tone, margin=margin, gap=gap)

    def draw_disc(
        self, centre: tuple[int, int], diameter: int, fill: Colour, edge: Colour | None = None
    ) -> pygame.Rect:
        """Draw a filled disc.

        Args:
            centre: x and y of its centre in pixels.
            diameter: its diameter in pixels with the edge, at least 1; with an edge at least 3.
            fill: a tone or a fixed colour (0 to 255).
            edge: colour of the edge, a 16th of the diameter wide, at least 1 pixel; None: no edge.

        Returns:
            Where it lies, in pixels, without what the region cuts off.

        Raises:
            pygame.error: `diameter` is negative, or smaller than its edge on both sides.
        """
        if edge is None:
            return self._blit_centred(render_shape(DISC, diameter, self.rgb(fill)), centre)
        drawn = self._blit_centred(render_shape(DISC, diameter, self.rgb(edge)), centre)
        self._blit_centred(render_shape(DISC, diameter - 2 * max(1, diameter // 16), self.rgb(fill)), centre)
        return drawn

    def draw_ring(self, centre: tuple[int, int], radius: int, colour: Colour, thickness: float = 0.45) -> None:
        """Draw a circle's edge; nothing is drawn if `radius` is less than 1.

        Args:
            centre: x and y of its centre in pixels.
            radius: outer radius in pixels.
            colour: a tone or a fixed colour (0 to 255).
            thickness: width of the edge inwards from `radius`, in layout units.
        """
        pygame.draw.circle(self.surface, self.rgb(colour), centre, radius, self.px(thickness))

    def draw_die(self, value: int | None, centre: tuple[int, int], size: int, *, used: bool = False) -> pygame.Rect:
        """Draw a die that shows a value.

        Args:
            value: 1 to 6; None draws an empty outline for a die that was not rolled yet.
            centre: x and y of its centre in pixels.
            size: side in pixels, at least 1.
            used: draws it dimmed.

        Returns:
            The square of that side around `centre`, in pixels; its shadow may reach beyond it.

        Raises:
            KeyError: `value` is a number outside 1 to 6.
            pygame.error: `size` is negative.
        """
        square = pygame.Rect(0, 0, size, size)
        square.center = centre
        if value is None:
            self._blit_centred(render_die_outline(size, self.rgb(BACKGROUND), self.rgb(LINE)), centre)
            return square
        side = round(size * DIE_ART_RATIO)
        box = pygame.Rect(0, 0, side, side)
        # The die stands left of its picture's middle: its shadow falls to the right.
        box.center = (square.centerx + round(size * DIE_ART_RIGHT), square.centery)
        self.draw_art(f"die_{value}", box, dimmed=used)
        return square

    def draw_art(self, name: ArtName, rect: pygame.Rect, *, dimmed: bool = False) -> pygame.Rect:
        """Draw an object with light and material as large as fits into `rect`, in its middle.

        Args:
            name: one of `art.list_art_names`: "die_6", "gem", "cup_red"; or a picture of a plug-in's own.
            rect: its box in pixels; the object's shadow lies in it too.
            dimmed: draws it darker and half transparent: it is used, or not to be had.

        Returns:
            Where its picture lies, in pixels.

        Raises:
            KeyError: there is no object of that name, and no such file.
            pygame.error: a plug-in's file is no picture.
        """
        scaled = self._art.get((name, rect.size, dimmed), lambda: scale_art(name, rect.size, dimmed=dimmed))
        drawn = scaled.get_rect(center=rect.center)
        self.surface.blit(scaled, drawn, special_flags=pygame.BLEND_PREMULTIPLIED)
        return drawn

    def draw_panel(
        self,
        rect: pygame.Rect,
        fill: Colour,
        *,
        edge: Colour | None = None,
        radius: float = 1.6,
        padding: tuple[float, float] = (0, 0),
    ) -> pygame.Rect:
        """Fill a rectangle with round corners, with an edge if one is given.

        Args:
            rect: in pixels; it is not changed.
            fill: a tone or a fixed colour (0 to 255).
            edge: colour of the edge, 0.45 layout units wide, within `rect`; None: no edge.
            radius: of the corners, in layout units.
            padding: room at both sides together, and above and below together, in layout units.

        Returns:
            The area within the padding, in pixels.

        Raises:
            pygame.error: `rect` has a negative width or height, or is smaller than its edge on both sides.
        """
        inner = rect.inflate(*(-self.px(units) if units else 0 for units in padding))
        if edge is not None:
            self.draw_panel(rect, edge, radius=radius)
            thickness = self.px(0.45)
            rect = rect.inflate(-2 * thickness, -2 * thickness)
            radius = max(0.2, radius - 0.45)
        r = min(self.px(radius), rect.w // 2, rect.h // 2)
        corner = render_shape(DISC, 2 * r, self.rgb(fill))
        for x, left in ((rect.left, 0), (rect.right - r, r)):
            for y, top in ((rect.top, 0), (rect.bottom - r, r)):
                self.surface.blit(corner, (x, y), (left, top, r, r))
        self.fill_rect(fill, rect.inflate(0, -2 * r))
        for top in (rect.top, rect.bottom - r):
            self.fill_rect(fill, pygame.Rect(rect.left + r, top, rect.w - 2 * r, r))
        return inner

    def draw_split_panel(self, rect: pygame.Rect, fills: Sequence[Colour], *, radius: float = 1.6) -> None:
        """Fill a rectangle with round corners, its parts side by side each in a colour: a team's.

        Args:
            rect: in pixels; it is not changed.
            fills: a tone or a fixed colour (0 to 255) for each part, from the left; at least one.
            radius: of the corners, in layout units.
        """
        clip, edges = self.surface.get_clip(), [rect.left + rect.w * i // len(fills) for i in range(len(fills) + 1)]
        for fill, left, right in zip(fills, edges, edges[1:], strict=False):
            self.surface.set_clip(clip.clip(pygame.Rect(left, rect.top, right - left, rect.h)))
            self.draw_panel(rect, fill, radius=radius)
        self.surface.set_clip(clip)

    def fill_rect(self, colour: Colour, rect: pygame.Rect) -> None:
        """Fill a rectangle with sharp corners.

        Args:
            colour: a tone or a fixed colour (0 to 255).
            rect: in pixels.
        """
        if rect.h > FILLED_ROWS:
            # SDL on x86 fills unaligned rows more than ten times slower than it copies them.
            rect = rect.clip(self.surface.get_clip())
        left, top, width, height = rect
        self.surface.fill(self.rgb(colour), (left, top, width, min(FILLED_ROWS, height)))
        done = FILLED_ROWS
        while done < height:
            rows = min(done, height - done)
            self.surface.blit(self.surface, (left, top + done), (left, top, width, rows))
            done += rows

    def draw_image(self, image: Image, rect: pygame.Rect, rows: tuple[int, int] | None = None) -> pygame.Rect:
        """Draw a picture, or some of its rows, as large as fits into `rect`, in its middle, keeping its aspect ratio.

        Args:
            image: `(H, W, 3)` uint8 BGR; `H` and `W` at least 1. It must not change later: its scaled copy is kept.
            rect: its box in pixels.
            rows: the first row, and the one after the last; None: all.

        Returns:
            Where the picture lies, in pixels, without what the region cuts off.

        Raises:
            ZeroDivisionError: the picture has no width or no height.
            cv2.error: the picture has a type or a number of channels that OpenCV cannot convert from BGR.
        """
        part = image if rows is None else image[rows[0] : rows[1]]
        scaled = self._images.get((ById(image), rect.size, rows), lambda: scale_image(part, rect.size))
        return self._blit_centred(scaled, rect.center)

    def draw_outline(self, rect: pygame.Rect, colour: Colour) -> None:
        """Draw a rectangle's edge, 0.45 layout units wide, with slightly round corners.

        Args:
            rect: in pixels.
            colour: a tone or a fixed colour (0 to 255).
        """
        pygame.draw.rect(self.surface, self.rgb(colour), rect, self.px(0.45), border_radius=self.px(0.6))

    def _blit_centred(self, drawn: pygame.Surface, centre: tuple[int, int]) -> pygame.Rect:
        return self.surface.blit(drawn, drawn.get_rect(center=centre))
