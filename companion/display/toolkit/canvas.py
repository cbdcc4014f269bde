"""The canvas: a surface in parts, each painted again only when what it shows has changed.

Lengths are in units of a hundredth of the screen's shorter side (`Canvas.px`), so that a picture scales from 800x480 to
4K, lying and upright.
The canvas keeps a record of the texts it drew and of the places that may be touched.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import ceil

import pygame

from companion.display.toolkit.icons import IconCache
from companion.display.toolkit.image_cache import ImageCache
from companion.display.toolkit.orientation import DEFAULT_PREFERENCES, DisplayPreferences
from companion.display.toolkit.text import CAP_HEIGHT_EM, LINE_PITCH_EM, FontCache, FontWeight
from companion.display.toolkit.theme import BACKGROUND, INK, MIN_EM, PALETTES, RGB, Colour, Tone
from companion.events import Button
from companion.vision.reading import Image

MIN_ASPECT_RATIO = 1.6
"""Ratio of the longer side to the shorter below which everything shrinks with the longer side instead."""


SEAT_EDGE_HEIGHT, PORTRAIT_SEAT_EDGE_HEIGHT = 10.5, 13.5
"""Height of the seats' places along top and bottom of a screen without buttons, in units of the whole screen."""


@dataclass(frozen=True, slots=True, eq=False)
class ById:
    """Something compared by identity (a picture), as part of what a region shows."""

    value: object

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ById) and self.value is other.value

    def __hash__(self) -> int:
        return id(self.value)


@dataclass(frozen=True, slots=True)
class DrawnText:
    """A line of text as drawn: `ink` is what its glyphs cover, `size` its em in pixels."""

    text: str
    ink_rect: pygame.Rect
    em_px: int


@dataclass(slots=True)
class Region:
    """A region of the screen and what it shows."""

    rect: pygame.Rect
    content: Hashable
    texts: list[DrawnText] = field(default_factory=list)
    touch_areas: list[tuple[pygame.Rect, Button]] = field(default_factory=list)
    anchors: dict[str, tuple[int, int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RegionCell:
    """A part of a region that is drawn by itself: where, all that its picture depends on, and what draws it."""

    rect: pygame.Rect
    content: Hashable
    paint: Callable[[], object]


def _unit_px(size: tuple[int, int]) -> float:
    return min(min(size), max(size) / MIN_ASPECT_RATIO) / 100


def _scene_area(size: tuple[int, int]) -> pygame.Rect:
    """The screen without the seats' places along top and bottom."""
    edge = round((PORTRAIT_SEAT_EDGE_HEIGHT if size[1] > size[0] else SEAT_EDGE_HEIGHT) * _unit_px(size))
    return pygame.Rect((0, 0), size).inflate(0, -2 * edge)


class Canvas:
    """What scenes draw on.

    Args:
        size: width and height in pixels.
        look: colours, and where keys and the seats' places stand.
    """

    def __init__(self, size: tuple[int, int], preferences: DisplayPreferences = DEFAULT_PREFERENCES) -> None:
        self.size = size
        self.preferences = preferences
        self.palette = PALETTES[preferences.palette]
        self.surface = pygame.Surface(size, 0, 32)
        self.scene_area = _scene_area(size) if preferences.touch_seats else pygame.Rect((0, 0), size)
        """What is left to the scenes: all, or what lies between the seats' places."""
        self.unit_px = _unit_px(self.scene_area.size)
        self.fonts = FontCache()
        self.icons = IconCache(self.palette)
        self.images = ImageCache()
        self.regions: dict[str, Region] = {}
        self.has_moved_region = False
        """A part has left its place in the frame drawn last: what stood there is still to be seen."""
        self._current = Region(pygame.Rect((0, 0), size), None)
        self._drawn_names: set[str] = set()
        self._cell_layouts: dict[str, object] = {}
        self._changed: list[pygame.Rect] = []

    @property
    def is_portrait(self) -> bool:
        """Whether the screen stands upright."""
        return self.size[1] > self.size[0]

    def px(self, units: float) -> int:
        """Pixels for hundredths of the screen's shorter side, at least one."""
        return max(1, round(units * self.unit_px))

    def rgb(self, colour: Colour) -> RGB:
        """The colour that a tone is here."""
        return self.palette[colour] if isinstance(colour, Tone) else colour

    def px_at_least(self, units: float) -> int:
        """Pixels for no less than `units`, whatever rounding does."""
        return ceil(units * self.unit_px)

    @contextmanager
    def frame(self) -> Iterator[list[pygame.Rect]]:
        """A frame's drawing; the list holds, at the end, the regions that have changed."""
        self._drawn_names, self._changed = set(), []
        self.has_moved_region = False
        yield self._changed
        for name in self.regions.keys() - self._drawn_names:
            del self.regions[name]
            self.has_moved_region = True

    def draw_region(self, name: str, rect: pygame.Rect, content: Hashable, paint: Callable[[], object]) -> None:
        """Paints a region, unless it shows already what it is to show.

        Args:
            shows: all that the picture depends on; equal values, equal pictures.
            paint: draws within `rect` on the cleared ground; what it draws outside is cut off.
        """
        self._drawn_names.add(name)
        before = self.regions.get(name)
        if before is not None and before.rect == rect and before.content == content:
            return
        if before is not None and before.rect != rect:
            self.has_moved_region = True
        self._current = self.regions[name] = Region(rect, content)
        self.surface.set_clip(rect)
        self.surface.fill(self.rgb(BACKGROUND))
        paint()
        self.surface.set_clip(None)
        self._changed.append(rect)

    def draw_cells(self, name: str, rect: pygame.Rect, cells: Sequence[RegionCell]) -> None:
        """Paints a region of several cells; only those that show something else, unless one stands elsewhere."""
        laid = (tuple(rect), tuple(tuple(cell.rect) for cell in cells))
        names = [f"{name} {i}" for i in range(len(cells))]
        if self._cell_layouts.get(name) == laid and all(each in self.regions for each in names):
            for each, cell in zip(names, cells, strict=True):
                self.draw_region(each, cell.rect, cell.content, cell.paint)
            return
        for each in [known for known in self.regions if known.startswith(f"{name} ")]:
            del self.regions[each]
        self._cell_layouts[name] = laid
        self.surface.fill(self.rgb(BACKGROUND), rect)
        for each, cell in zip(names, cells, strict=True):
            self.draw_region(each, cell.rect, cell.content, cell.paint)
            self._changed.pop()
        self._changed.append(rect)

    def clear(self) -> None:
        """Forgets all parts and wipes the screen: the next frame is drawn anew."""
        self.regions.clear()
        self._cell_layouts.clear()
        self.surface.fill(self.rgb(BACKGROUND))

    def drawn_texts(self) -> list[DrawnText]:
        """All texts on the screen."""
        return [text for part in self.regions.values() for text in part.texts]

    def set_anchor(self, name: str, position: tuple[int, int]) -> None:
        """Says where a thing stands ("player 0", "round 3"), so that what happens to it can be shown to move."""
        self._current.anchors[name] = position

    def collect_anchors(self) -> dict[str, tuple[int, int]]:
        """Where things stand, in pixels; the bank is in the middle of what belongs to the game."""
        found = {"bank": self.regions["main"].rect.center} if "main" in self.regions else {}
        for part in self.regions.values():
            found |= part.anchors
        return found

    def add_touch_area(self, rect: pygame.Rect, button: Button) -> None:
        """Says that touching `rect` means `button`."""
        self._current.touch_areas.append((rect, button))

    def draw_text(
        self,
        rect: pygame.Rect,
        text: str,
        size: float,
        colour: Colour = INK,
        *,
        weight: FontWeight = FontWeight.MEDIUM,
        min_size: float = MIN_EM,
        max_lines: int = 1,
        align: float = 0.0,
        vertical_align: float = 0.5,
    ) -> pygame.Rect:
        """Writes `text` as large as fits into `rect`.

        Args:
            size, least: em in units; between them the size is chosen.
            align: 0 left, 0.5 centre, 1 right.
            upright: 0 top, 0.5 centre, 1 bottom.

        Returns:
            The block's rectangle, from the capitals' top to the last baseline.
        """
        floor = self.px_at_least(min_size)
        set_ = self.fonts.fit_text(text, weight, max(floor, self.px(size)), floor, rect.size, max_lines)
        cap, pitch = CAP_HEIGHT_EM * set_.em_px, LINE_PITCH_EM * set_.em_px
        block = pygame.Rect(0, 0, set_.width, round(cap + pitch * (len(set_.lines) - 1)))
        # In the middle, capitals and digits stand centred; the descenders take from the room below.
        spare = rect.h - block.h
        block.top = rect.top + max(
            set_.accent_height, min(round(spare * vertical_align), rect.h - set_.height + set_.accent_height)
        )
        ascent = self.fonts.load_font(weight, set_.em_px).get_ascent()
        for i, line in enumerate(set_.lines):
            drawn = self.fonts.render_line(line, weight, set_.em_px, self.rgb(colour))
            at = (
                rect.left + round((rect.w - drawn.get_width()) * align),
                block.top + round(cap + pitch * i) - ascent,
            )
            self.surface.blit(drawn, at)
            if line:
                self._current.texts.append(DrawnText(line, drawn.get_bounding_rect().move(at), set_.em_px))
        block.left = rect.left + round((rect.w - set_.width) * align)
        return block

    def find_common_size(
        self, texts: Iterable[str], size: float, box: tuple[int, int], weight: FontWeight = FontWeight.MEDIUM
    ) -> float:
        """The em in units, `size` at most, at which each of `texts` fits a box in one line."""
        floor = self.px_at_least(MIN_EM)
        fits = (self.fonts.fit_text(t, weight, max(floor, self.px(size)), floor, box).em_px for t in texts)
        return min(fits, default=floor) / self.unit_px

    def draw_icon(self, name: str, centre: tuple[int, int], size: int, colour: Colour) -> pygame.Rect:
        """Draws a sign, `size` pixels square."""
        return self._blit_centred(self.icons.icon(name, size, self.rgb(colour)), centre)

    def draw_disc(
        self, centre: tuple[int, int], diameter: int, fill: Colour, edge: Colour | None = None
    ) -> pygame.Rect:
        """Draws a disc, with an edge if wanted."""
        if edge is None:
            return self._blit_centred(self.icons.disc(diameter, self.rgb(fill)), centre)
        drawn = self._blit_centred(self.icons.disc(diameter, self.rgb(edge)), centre)
        self._blit_centred(self.icons.disc(diameter - 2 * max(1, diameter // 16), self.rgb(fill)), centre)
        return drawn

    def draw_ring(self, centre: tuple[int, int], radius: int, colour: Colour, thickness: float = 0.45) -> None:
        """Draws a circle's edge, `thick` units inwards of `radius` pixels."""
        pygame.draw.circle(self.surface, self.rgb(colour), centre, radius, self.px(thickness))

    def draw_die(self, value: int | None, centre: tuple[int, int], size: int, *, used: bool = False) -> pygame.Rect:
        """Draws a die's face, see `Marks.die`."""
        return self._blit_centred(self.icons.die(value, size, used=used), centre)

    def draw_panel(self, rect: pygame.Rect, fill: Colour, *, edge: Colour | None = None, radius: float = 1.6) -> None:
        """Fills a rectangle with round corners, with an edge if wanted."""
        if edge is not None:
            self.draw_panel(rect, edge, radius=radius)
            thick = self.px(0.45)
            rect = rect.inflate(-2 * thick, -2 * thick)
            radius = max(0.2, radius - 0.45)
        r = min(self.px(radius), rect.w // 2, rect.h // 2)
        corner = self.icons.disc(2 * r, self.rgb(fill))
        for x, left in ((rect.left, 0), (rect.right - r, r)):
            for y, top in ((rect.top, 0), (rect.bottom - r, r)):
                self.surface.blit(corner, (x, y), (left, top, r, r))
        self.fill_rect(fill, rect.inflate(-2 * r, 0))
        self.fill_rect(fill, rect.inflate(0, -2 * r))

    def fill_rect(self, colour: Colour, rect: pygame.Rect) -> None:
        """Fills a rectangle."""
        self.surface.fill(self.rgb(colour), rect)

    def draw_image(self, image: Image, rect: pygame.Rect) -> pygame.Rect:
        """Draws a picture as large as fits into `rect`, in its middle; returns where."""
        drawn = self.images.fit_image(image, rect.size)
        return self._blit_centred(drawn, rect.center)

    def draw_outline(self, rect: pygame.Rect, colour: Colour) -> None:
        """Draws a rectangle's edge."""
        pygame.draw.rect(self.surface, self.rgb(colour), rect, self.px(0.45), border_radius=self.px(0.6))

    def _blit_centred(self, drawn: pygame.Surface, centre: tuple[int, int]) -> pygame.Rect:
        return self.surface.blit(drawn, drawn.get_rect(center=centre))
