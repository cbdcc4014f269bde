"""The canvas: a surface in regions, each painted again only when its content has changed.

Lengths are in layout units (1 unit: 1 % of the screen's shorter side, see `Canvas.px`), so that a picture scales from
800x480 to 4K, in landscape and portrait. The canvas keeps a record of the texts it drew and of the areas that can be
touched.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import ceil

import pygame

from companion.display.toolkit.art import ArtName, scale_art
from companion.display.toolkit.caches import MAX_CACHED_IMAGES, BoundedCache, ById, scale_image
from companion.display.toolkit.icons import DISC, ICONS, Icon, find_shape, render_die_outline, render_shape
from companion.display.toolkit.preferences import DEFAULT_PREFERENCES, DisplayPreferences
from companion.display.toolkit.text import (
    CAP_HEIGHT_EM,
    LINE_PITCH_EM,
    FontCache,
    TextLayout,
    Typeface,
    list_sizes,
)
from companion.display.toolkit.theme import (
    BACKGROUND,
    BUTTON_COLOURS,
    INK,
    LINE,
    PALETTES,
    PIECE_RGB,
    RGB,
    SEAT_SHAPES,
    TEXT_EM,
    TYPE_SCALE,
    Colour,
    Tone,
    flood_colour,
    mix_colours,
)
from companion.display.toolkit.timeline import Timeline
from companion.events import Button
from companion.vision.reading import Image

MIN_ASPECT_RATIO = 1.6
"""Ratio of the longer side to the shorter below which units follow the longer side: everything shrinks with it."""
SEAT_EDGE_HEIGHT = 10.5
"""Height of the seats' touch areas along top and bottom, in units of the whole screen (landscape)."""
PORTRAIT_SEAT_EDGE_HEIGHT = 13.5
"""The same in portrait."""
GROUND_TOP_SHARE = 0.8
"""Strength of a flooded ground at its top, as a share of `theme.flood_colour`."""
GROUND_BOTTOM_SHARE = 0.45
"""The same at its bottom."""
GROUND_SAMPLE_UNITS = 10.0
"""Distance from the top, in units, of the place whose colour stands for a flooded ground."""
MAX_CACHED_GROUNDS = 3
"""Flooded grounds kept: each is as large as the picture."""
MAX_CACHED_ART = 96
"""Scaled pictures of objects kept: a stage shows fewer than 60, most of them small."""
DIE_ART_RATIO = 1.12
"""Side of a die's picture, which has room for its shadow, as a multiple of the die's height."""
DIE_ART_RIGHT = 0.035
"""Distance of a die's centre from its picture's, as a share of the die's height."""
FIGURE_MARGIN = 0.6
"""Room over and under the stage's figure, in units: round digits reach a little beyond straight ones."""
WATERMARK_RATIO = 1.7
"""Side of the shape on a flooded ground, as a multiple of the ground's height."""


@dataclass(frozen=True, slots=True)
class DrawnText:
    """A line of text as drawn.

    Attributes:
        text: The line.
        ink_rect: What its glyphs cover, in pixels.
        em_px: Its font size in pixels.
        is_figure: It is the stage's one dominant figure, of any size.
        face: Its font.
    """

    text: str
    ink_rect: pygame.Rect
    em_px: int
    is_figure: bool = False
    face: Typeface = Typeface.TEXT


@dataclass(slots=True)
class Region:
    """A part of the screen with its content, and what was drawn in it.

    Attributes:
        rect: Where it lies, in pixels.
        content: Every value that its picture depends on; equal values mean equal pictures.
        texts: The lines of text drawn in it.
        touch_areas: Areas in pixels, each with the button that a touch on it presses.
        anchors: x and y in pixels of things that stand in it, by name, for animations.
    """

    rect: pygame.Rect
    content: Hashable
    texts: list[DrawnText] = field(default_factory=list)
    touch_areas: list[tuple[pygame.Rect, Button]] = field(default_factory=list)
    anchors: dict[str, tuple[int, int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RegionCell:
    """A part of a region that is painted by itself: where, all that its picture depends on, and what paints it."""

    rect: pygame.Rect
    content: Hashable
    paint: Callable[[], object]


def _unit_px(size: tuple[int, int]) -> float:
    return min(min(size), max(size) / MIN_ASPECT_RATIO) / 100


def _scene_area(size: tuple[int, int]) -> pygame.Rect:
    """Return the screen without the seats' touch areas along top and bottom."""
    edge = round((PORTRAIT_SEAT_EDGE_HEIGHT if size[1] > size[0] else SEAT_EDGE_HEIGHT) * _unit_px(size))
    return pygame.Rect((0, 0), size).inflate(0, -2 * edge)


class Canvas:
    """A surface that scenes draw on.

    Args:
        size: Width and height in pixels, 0 or more; a picture of a game needs 240 x 144.
        preferences: Colours, and where keys and the seats' touch areas stand.

    Attributes:
        palette: The colour of each tone.
        surface: The picture.
        scene_area: The screen without the seats' touch areas, in pixels.
        unit_px: Pixels of a layout unit.
        fonts: Measures texts.
        timeline: How far the movements on the stage have come.
        size: Width and height in pixels.
        preferences: The preferences given.
        regions: What was painted, by name.
        has_moved_region: A region left its place in the last frame: its old picture is still visible.
        has_new_ground: The ground changed in the last frame: all was painted on the new one.

    Raises:
        KeyError: `preferences.palette` is not a key of `theme.PALETTES`.
        pygame.error: A size is negative, or pygame's fonts cannot be initialised.
    """

    def __init__(self, size: tuple[int, int], preferences: DisplayPreferences = DEFAULT_PREFERENCES) -> None:
        self.size = size
        self.preferences = preferences
        self.palette = PALETTES[preferences.palette]
        self.surface = pygame.Surface(size, 0, 32)
        self.scene_area = _scene_area(size) if preferences.touch_seats else pygame.Rect((0, 0), size)
        self.unit_px = _unit_px(self.scene_area.size)
        self.fonts = FontCache()
        self.timeline = Timeline()
        self._ground: pygame.Surface | None = None
        self._ground_key: Hashable = None
        self._grounds = BoundedCache[pygame.Surface](MAX_CACHED_GROUNDS)
        self._images = BoundedCache[pygame.Surface](MAX_CACHED_IMAGES)
        self._art = BoundedCache[pygame.Surface](MAX_CACHED_ART)
        self.regions: dict[str, Region] = {}
        self.has_moved_region = False
        self.has_new_ground = False
        self._current = Region(pygame.Rect((0, 0), size), None)
        self._drawn_names: set[str] = set()
        self._cell_layouts: dict[str, object] = {}
        self._changed: list[pygame.Rect] = []

    @property
    def is_portrait(self) -> bool:
        """Whether the screen (the picture before it is rotated) is higher than wide."""
        return self.size[1] > self.size[0]

    def px(self, units: float) -> int:
        """Convert a length to pixels, rounded to the nearest; at least 1, even for 0 and negative lengths.

        Args:
            units: Length in layout units (1 unit: 1 % of the screen's shorter side).
        """
        return max(1, round(units * self.unit_px))

    def rgb(self, colour: Colour) -> RGB:
        """Return the colour of a tone in this canvas's palette; a fixed colour is returned as it is.

        Args:
            colour: A tone, or red, green, blue, 0 to 255 each (not checked here; pygame raises ValueError when such a
                colour is drawn with).

        Returns:
            Red, green, blue, 0 to 255.
        """
        return self.palette[colour] if isinstance(colour, Tone) else colour

    def px_at_least(self, units: float) -> int:
        """Convert a length to pixels, rounded up: for sizes that must not become smaller than `units`.

        Args:
            units: Length in layout units (1 unit: 1 % of the screen's shorter side).
        """
        return ceil(units * self.unit_px)

    @contextmanager
    def frame(self) -> Iterator[list[pygame.Rect]]:
        """Enclose the drawing of a frame: call `draw_region` for every region of the picture within the block.

        At the end of the block each region of an earlier frame that was not drawn in it is forgotten, and
        `has_moved_region` is set: its old picture is still on the surface. Frames must not be nested.

        Yields:
            A list that holds, when the frame is drawn, the areas that have changed, in pixels.
        """
        self._drawn_names, self._changed = set(), []
        self.has_moved_region = self.has_new_ground = False
        self.timeline.begin_frame()
        yield self._changed
        self.timeline.end_frame()
        for name in self.regions.keys() - self._drawn_names:
            del self.regions[name]
            self.has_moved_region = True

    def draw_region(self, name: str, rect: pygame.Rect, content: Hashable, paint: Callable[[], object]) -> None:
        """Paint a region, unless it shows the same content at the same place already.

        An exception that `paint` raises is passed on; the region then counts as painted, and drawing stays limited to
        `rect` until the next region is painted.

        Args:
            name: Unique among the regions of a frame.
            rect: Its place in pixels; drawing outside it is cut off.
            content: Every value that the picture depends on, hashable: equal values mean equal pictures.
            paint: Draws within `rect`, which was filled with the ground before; its result is ignored.
        """
        self._drawn_names.add(name)
        before = self.regions.get(name)
        if before is not None and before.rect == rect and before.content == content:
            return
        if before is not None and before.rect != rect:
            self.has_moved_region = True
        self._current = self.regions[name] = Region(rect, content)
        self.surface.set_clip(rect)
        if not self.has_new_ground:  # else all of it was filled just now
            self._fill_ground(rect)
        paint()
        self.surface.set_clip(None)
        self._changed.append(rect)

    def draw_cells(self, name: str, rect: pygame.Rect, cells: Sequence[RegionCell]) -> None:
        """Paint a region of several cells: only those whose content changed, or all if one of them has another place.

        An exception that a cell's `paint` raises is passed on, with the effects named in `draw_region`.

        Args:
            name: Unique among the regions of a frame; no other region's name may begin with it and a space.
            rect: The area of all cells in pixels; it is filled with the ground if a place changed.
            cells: The cells; they lie within `rect` and do not overlap.
        """
        places = [rect, *(cell.rect for cell in cells)]
        names = [f"{name} {i}" for i in range(len(cells))]
        is_same_layout = self._cell_layouts.get(name) == places and all(each in self.regions for each in names)
        if not is_same_layout:
            for each in [known for known in self.regions if known.startswith(f"{name} ")]:
                del self.regions[each]
            self._cell_layouts[name] = places
            if not self.has_new_ground:
                self._fill_ground(rect)
        changed_before = len(self._changed)
        for each, cell in zip(names, cells, strict=True):
            self.draw_region(each, cell.rect, cell.content, cell.paint)
        if not is_same_layout:
            self._changed[changed_before:] = [rect]

    def flood_ground(self, rect: pygame.Rect, colour: Colour | None, button: Button | None = None) -> None:
        """Flood the ground behind a part of the screen with a colour; call it before the regions of a frame.

        The ground is deep enough for text in `theme.INK` (`theme.flood_colour`), with a contrast of 7:1; other tones
        are for panels. With another ground the whole picture is painted again.

        Args:
            rect: The flooded area in pixels; outside it the ground is the background.
            colour: The colour; None: the background.
            button: The seat whose shape stands large on the ground, cut off by its edge; None: none.

        Raises:
            KeyError: `button` is no seat's button.
        """
        key = (tuple(rect), colour, button)
        if key == self._ground_key:
            return
        self._ground_key = key
        self._ground = None
        if colour is not None:
            self._ground = self._grounds.get(key, lambda: self._render_ground(rect, colour, button))
        self.regions.clear()
        self._cell_layouts.clear()
        self._fill_ground(self.surface.get_rect())
        self.has_moved_region = self.has_new_ground = True

    @property
    def ground_colour(self) -> RGB:
        """The colour of the ground, about the middle of what is flooded: for what must look cut out."""
        if self._ground is None:
            return self.rgb(BACKGROUND)
        return tuple(self._ground.get_at((0, self.px(GROUND_SAMPLE_UNITS))))[:3]  # type: ignore[return-value]  # 3 ints

    def _render_ground(self, rect: pygame.Rect, colour: Colour, button: Button | None) -> pygame.Surface:
        background = self.rgb(BACKGROUND)
        flood = flood_colour(self.rgb(colour), background)
        ground = pygame.Surface(self.size, 0, 32)
        ground.fill(background)
        for y in range(rect.h):
            ratio = GROUND_TOP_SHARE + (GROUND_BOTTOM_SHARE - GROUND_TOP_SHARE) * y / max(1, rect.h - 1)
            ground.fill(mix_colours(background, flood, ratio), (rect.left, rect.top + y, rect.w, 1))
        if button is not None:
            side = round(rect.h * WATERMARK_RATIO)
            small = render_shape(ICONS[SEAT_SHAPES[button]], side // 4, flood)
            shape = pygame.transform.smoothscale(small, (side, side))
            ground.set_clip(rect)
            ground.blit(shape, shape.get_rect(center=(rect.right - side // 4, rect.top + rect.h * 45 // 100)))
            ground.set_clip(None)
        return ground

    def _fill_ground(self, rect: pygame.Rect) -> None:
        if self._ground is None:
            self.surface.fill(self.rgb(BACKGROUND), rect)
        else:
            self.surface.blit(self._ground, rect, rect)

    def clear(self) -> None:
        """Forget all regions and fill the surface with the background: the next frame is painted completely."""
        self.regions.clear()
        self._cell_layouts.clear()
        self._fill_ground(self.surface.get_rect())

    def drawn_texts(self) -> list[DrawnText]:
        """Return all lines of text on the screen with their places and font sizes in pixels, region by region."""
        return [text for region in self.regions.values() for text in region.texts]

    def set_anchor(self, name: str, position: tuple[int, int]) -> None:
        """Note where something stands, for animations that start or end there. Call it while a region is painted.

        Args:
            name: Its name: "player 0" (by seat, from 0), "round 3" (from 1), "cup 4" (by index, from 0).
            position: x and y of its centre in pixels.
        """
        self._current.anchors[name] = position

    def collect_anchors(self) -> dict[str, tuple[int, int]]:
        """Return where things stand, for animations.

        Returns:
            x and y in pixels by the names given to `set_anchor`, and "bank": the middle of the region "main", if there
            is one.
        """
        anchors = {"bank": self.regions["main"].rect.center} if "main" in self.regions else {}
        for region in self.regions.values():
            anchors |= region.anchors
        return anchors

    def add_touch_area(self, rect: pygame.Rect, button: Button) -> None:
        """Let a touch count as a press of a button, as long as the region stays that is being painted.

        Args:
            rect: The area in pixels; of two that overlap in a region the first counts.
            button: The button.
        """
        self._current.touch_areas.append((rect, button))

    def draw_text(
        self,
        rect: pygame.Rect,
        text: str,
        size: float = TEXT_EM,
        colour: Colour = INK,
        *,
        face: Typeface = Typeface.TEXT,
        max_lines: int = 1,
        align: float = 0.0,
        vertical_align: float = 0.5,
    ) -> pygame.Rect:
        """Draw a text in the largest size of the type scale that fits, wrapped between words.

        A text that fits in no size is cut with an ellipsis.

        Args:
            rect: Its box in pixels.
            text: The text; the empty text draws nothing. Characters that cannot be printed are replaced.
            size: Largest font size: an em of `theme.TYPE_SCALE`, or `theme.KEY_LABEL_EM`, in layout units.
            colour: A tone or a fixed colour (0 to 255).
            face: The font.
            max_lines: Number of lines at most, at least 1.
            align: Across, 0 to 1: 0 left, 0.5 centre, 1 right.
            vertical_align: Down, 0 to 1: 0 top, 0.5 centre, 1 bottom.

        Returns:
            The block's rectangle in pixels, from the top of the capitals to the last baseline.

        Raises:
            FileNotFoundError: The font's file is missing from the package.
        """
        layout = self.fonts.fit_text(text, face, self._list_sizes(size), rect.size, max_lines)
        return self._draw_layout(layout, rect, face, colour, align, vertical_align)

    def draw_figure(
        self, rect: pygame.Rect, text: str, colour: Colour = INK, *, max_em: float = 100.0, align: float = 0.5
    ) -> pygame.Rect:
        """Draw the stage's one dominant figure, a number or a word, as large as fits.

        Args:
            rect: Its box in pixels.
            text: The figure: one line.
            colour: A tone or a fixed colour (0 to 255).
            max_em: Largest font size: its em in layout units.
            align: Across, 0 to 1: 0 left, 0.5 centre, 1 right.

        Returns:
            Its rectangle in pixels, from the top of the capitals to the baseline.

        Raises:
            FileNotFoundError: The font's file is missing from the package.
        """
        sizes = list_sizes(self.px(max_em), self.px_at_least(TEXT_EM))
        rect = rect.inflate(0, -2 * self.px(FIGURE_MARGIN))
        layout = self.fonts.fit_text(text, Typeface.DISPLAY, sizes, rect.size)
        return self._draw_layout(layout, rect, Typeface.DISPLAY, colour, align, 0.5, is_figure=True)

    def _list_sizes(self, size: float) -> tuple[int, ...]:
        """Return the sizes of the type scale up to `size` in pixels, largest first; `size` alone if none is smaller."""
        return tuple(self.px_at_least(em) for em in TYPE_SCALE if em <= size) or (self.px_at_least(size),)

    def _draw_layout(
        self,
        layout: TextLayout,
        rect: pygame.Rect,
        face: Typeface,
        colour: Colour,
        align: float,
        vertical_align: float,
        *,
        is_figure: bool = False,
    ) -> pygame.Rect:
        cap, pitch = CAP_HEIGHT_EM[face] * layout.em_px, LINE_PITCH_EM[face] * layout.em_px
        block = pygame.Rect(0, 0, layout.width, round(cap + pitch * (len(layout.lines) - 1)))
        # Capitals and digits stand centred; the descenders take from the room below.
        lowest = rect.h - layout.height + layout.accent_height
        block.top = rect.top + max(layout.accent_height, min(round((rect.h - block.h) * vertical_align), lowest))
        ascent = self.fonts.load_font(face, layout.em_px).get_ascent()
        for i, line in enumerate(layout.lines):
            drawn = self.fonts.render_line(line, face, layout.em_px, self.rgb(colour))
            ink_rect = drawn.ink_rect.move(
                rect.left + round((rect.w - drawn.width) * align), block.top + round(cap + pitch * i) - ascent
            )
            self.surface.blit(drawn.surface, ink_rect)
            if line:
                self._current.texts.append(DrawnText(line, ink_rect, layout.em_px, is_figure, face))
        block.left = rect.left + round((rect.w - layout.width) * align)
        return block

    def find_common_size(
        self, texts: Iterable[str], size: float, box: tuple[int, int], face: Typeface = Typeface.TEXT
    ) -> float:
        """Return the largest size of the type scale at which each text fits a box in one line.

        Args:
            texts: The texts.
            size: Largest font size: its em in layout units.
            box: Width and height in pixels, the same for each text.
            face: The font.

        Returns:
            Em in layout units, a size of `theme.TYPE_SCALE`; the least one if a text fits in none, or there are none.

        Raises:
            FileNotFoundError: The font's file is missing from the package.
        """
        sizes = self._list_sizes(size)
        least = min((self.fonts.fit_text(t, face, sizes, box).em_px for t in texts), default=sizes[-1])
        return next((em for em in TYPE_SCALE if em <= size and self.px_at_least(em) <= least), TEXT_EM)

    def min_text_width(self, text: str, max_lines: int, face: Typeface = Typeface.TEXT) -> int:
        """Return the least width in pixels in which a text is readable in at most `max_lines` lines of whole words.

        Args:
            text: The text, drawn at `TEXT_EM`.
            max_lines: Number of lines at most, at least 1.

        Raises:
            FileNotFoundError: The font's file is missing from the package.
        """
        return self.fonts.find_min_width(text, face, self.px_at_least(TEXT_EM), max_lines)

    def text_width(self, text: str, size: float = TEXT_EM, face: Typeface = Typeface.TEXT) -> int:
        """Return the width of a line in pixels. Nothing is drawn.

        Args:
            text: The line.
            size: Font size: its em in layout units, rounded up to pixels.
            face: The font.

        Raises:
            FileNotFoundError: The font's file is missing from the package.
            UnicodeEncodeError: The line holds a lone surrogate.
        """
        return self.fonts.measure_width(text, face, self.px_at_least(size))

    def draw_icon(self, name: Icon, centre: tuple[int, int], size: int, colour: Colour) -> pygame.Rect:
        """Draw an icon.

        Args:
            name: A key of `icons.ICONS`, or a shape of a plug-in's own.
            centre: x and y of its centre in pixels.
            size: Side of its square in pixels, at least 1.
            colour: A tone or a fixed colour (0 to 255).

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
            button: The button of a seat.
            centre: x and y of its centre in pixels.
            size: Side of its square in pixels, at least 1.
            colour: A tone or a fixed colour (0 to 255); None: the seat's colour.

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
            rect: In pixels; it is not changed.
            name: A key of `icons.ICONS`, or a shape of a plug-in's own.
            size: Side of the icon's square in pixels, at least 1.
            colour: A tone or a fixed colour (0 to 255).
            margin: Room left of the icon, in layout units.
            gap: Room right of the icon, in layout units.

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
            rect: In pixels; it is not changed.
            button: The button of a seat.
            size: Side of the badge's square in pixels, at least 1.
            colour: A tone or a fixed colour (0 to 255); None: the seat's colour.
            margin: Room left of the badge, in layout units.
            gap: Room right of the badge, in layout units.

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
            diameter: Its diameter in pixels with the edge, at least 1; with an edge at least 3.
            fill: A tone or a fixed colour (0 to 255).
            edge: Colour of the edge, a 16th of the diameter wide, at least 1 pixel; None: no edge.

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

    def draw_piece(self, name: str, centre: tuple[int, int], size: int) -> None:
        """Draw a piece of a game as a disc in its colour, with a double edge.

        Args:
            name: A key of `theme.PIECE_RGB`.
            centre: x and y of its centre in pixels.
            size: Diameter in pixels with the edge; at least 1.4 layout units and 1 pixel.

        Raises:
            KeyError: `name` is not a key of `theme.PIECE_RGB`.
            pygame.error: `size` is less than 1.4 layout units.
        """
        self.draw_disc(centre, size, INK)
        self.draw_disc(centre, size - 2 * self.px(0.35), BACKGROUND)
        self.draw_disc(centre, size - 2 * self.px(0.7), PIECE_RGB[name])

    def draw_ring(self, centre: tuple[int, int], radius: int, colour: Colour, thickness: float = 0.45) -> None:
        """Draw a circle's edge; nothing is drawn if `radius` is less than 1.

        Args:
            centre: x and y of its centre in pixels.
            radius: Outer radius in pixels.
            colour: A tone or a fixed colour (0 to 255).
            thickness: Width of the edge inwards from `radius`, in layout units.
        """
        pygame.draw.circle(self.surface, self.rgb(colour), centre, radius, self.px(thickness))

    def draw_die(self, value: int | None, centre: tuple[int, int], size: int, *, used: bool = False) -> pygame.Rect:
        """Draw a die that shows a value.

        Args:
            value: 1 to 6; None draws an empty outline for a die that was not rolled yet.
            centre: x and y of its centre in pixels.
            size: Side in pixels, at least 1.
            used: Draws it dimmed.

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
            name: One of `art.list_art_names`: "die_6", "gem", "cup_red"; or a picture of a plug-in's own.
            rect: Its box in pixels; the object's shadow lies in it too.
            dimmed: Draws it darker and half transparent: it is used, or not to be had.

        Returns:
            Where its picture lies, in pixels.

        Raises:
            KeyError: There is no object of that name, and no such file.
            pygame.error: A plug-in's file is no picture.
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
            rect: In pixels; it is not changed.
            fill: A tone or a fixed colour (0 to 255).
            edge: Colour of the edge, 0.45 layout units wide, within `rect`; None: no edge.
            radius: Of the corners, in layout units.
            padding: Room at both sides together, and above and below together, in layout units.

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

    def fill_rect(self, colour: Colour, rect: pygame.Rect) -> None:
        """Fill a rectangle with sharp corners.

        Args:
            colour: A tone or a fixed colour (0 to 255).
            rect: In pixels.
        """
        self.surface.fill(self.rgb(colour), rect)

    def draw_image(self, image: Image, rect: pygame.Rect, rows: tuple[int, int] | None = None) -> pygame.Rect:
        """Draw a picture, or some of its rows, as large as fits into `rect`, in its middle, keeping its aspect ratio.

        Args:
            image: `(H, W, 3)` uint8 BGR; `H` and `W` at least 1. It must not change later: its scaled copy is kept.
            rect: Its box in pixels.
            rows: The first row, and the one after the last; None: all.

        Returns:
            Where the picture lies, in pixels, without what the region cuts off.

        Raises:
            ZeroDivisionError: The picture has no width or no height.
            cv2.error: The picture has a type or a number of channels that OpenCV cannot convert from BGR.
        """
        part = image if rows is None else image[rows[0] : rows[1]]
        scaled = self._images.get((ById(image), rect.size, rows), lambda: scale_image(part, rect.size))
        return self._blit_centred(scaled, rect.center)

    def draw_outline(self, rect: pygame.Rect, colour: Colour) -> None:
        """Draw a rectangle's edge, 0.45 layout units wide, with slightly round corners.

        Args:
            rect: In pixels.
            colour: A tone or a fixed colour (0 to 255).
        """
        pygame.draw.rect(self.surface, self.rgb(colour), rect, self.px(0.45), border_radius=self.px(0.6))

    def _blit_centred(self, drawn: pygame.Surface, centre: tuple[int, int]) -> pygame.Rect:
        return self.surface.blit(drawn, drawn.get_rect(center=centre))
