"""The canvas: a surface in regions, each painted again only when its content has changed.

Lengths are in layout units (1 unit: 1 % of the screen's shorter side, see `Canvas.px`), so that a picture scales from
800x480 to 4K, in landscape and portrait. The canvas keeps a record of the texts it drew and of the areas that can be
touched.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

import pygame

from companion.display.toolkit.ground import CanvasGround
from companion.display.toolkit.preferences import DEFAULT_PREFERENCES, DisplayPreferences
from companion.display.toolkit.text_drawing import DrawnText, TextDrawing
from companion.display.toolkit.theme import BACKGROUND, PALETTES, RGB, Colour
from companion.display.toolkit.timeline import Timeline
from companion.events import Button

MIN_ASPECT_RATIO = 1.6
"""Ratio of the longer side to the shorter below which units follow the longer side: everything shrinks with it."""
SEAT_EDGE_HEIGHT = 10.5
"""Height of the seats' touch areas along top and bottom, in units of the whole screen (landscape)."""
PORTRAIT_SEAT_EDGE_HEIGHT = 13.5
"""The same in portrait."""
GROUND_SAMPLE_UNITS = 10.0
"""Distance from the top, in units, of the place whose colour stands for a flooded ground."""


@dataclass(slots=True)
class Region:
    """A part of the screen with its content, and what was drawn in it.

    Attributes:
        rect: where it lies, in pixels.
        content: every value that its picture depends on; equal values mean equal pictures.
        texts: the lines of text drawn in it.
        touch_areas: areas in pixels, each with the button that a touch on it presses.
        help_areas: areas in pixels that open the help at a touch, also where they lie on another touch area.
        anchors: x and y in pixels of things that stand in it, by name, for animations.
    """

    rect: pygame.Rect
    content: Hashable
    texts: list[DrawnText] = field(default_factory=list)
    touch_areas: list[tuple[pygame.Rect, Button]] = field(default_factory=list)
    help_areas: list[pygame.Rect] = field(default_factory=list)
    anchors: dict[str, tuple[int, int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RegionCell:
    """A part of a region that is painted by itself: where, all that its picture depends on, and what paints it.

    >>> cell = RegionCell(pygame.Rect(0, 0, 40, 40), content=5, paint=lambda: None)
    >>> cell.content
    5
    """

    rect: pygame.Rect
    content: Hashable
    paint: Callable[[], object]


Computed = TypeVar("Computed")


def _unit_px(size: tuple[int, int]) -> float:
    return min(min(size), max(size) / MIN_ASPECT_RATIO) / 100


def _scene_area(size: tuple[int, int]) -> pygame.Rect:
    """Return the screen without the seats' touch areas along top and bottom."""
    edge = round((PORTRAIT_SEAT_EDGE_HEIGHT if size[1] > size[0] else SEAT_EDGE_HEIGHT) * _unit_px(size))
    return pygame.Rect((0, 0), size).inflate(0, -2 * edge)


class Canvas(TextDrawing):
    """A surface that scenes draw on, region by region. All places are in pixels.

    The functions that draw take the canvas they draw on while a region is painted, unless they say otherwise. What is
    drawn into a box that is too small for it, so that a part would have a negative size, raises `pygame.error`.

    >>> canvas = Canvas((800, 480))
    >>> box = pygame.Rect(0, 0, 800, 100)
    >>> with canvas.frame() as changed:
    ...     canvas.draw_region("head", box, "Ada", lambda: canvas.draw_text(box, "Ada"))
    >>> changed == [box], [text.text for text in canvas.drawn_texts()]
    (True, ['Ada'])

    Args:
        size: width and height in pixels, 0 or more; a picture of a game needs 240 x 144.
        preferences: colours, and where keys and the seats' touch areas stand.

    Attributes:
        size: width and height in pixels.
        preferences: the preferences given.
        scene_area: the screen without the seats' touch areas, in pixels.
        timeline: how far the movements on the stage have come.
        regions: what was painted, by name.
        has_moved_region: a region left its place in the last frame: its old picture is still visible.
        has_new_ground: the ground changed in the last frame: all was painted on the new one.

    Raises:
        KeyError: `preferences.palette` is not a key of `theme.PALETTES`.
        pygame.error: a size is negative, or pygame's fonts cannot be initialised.
    """

    def __init__(self, size: tuple[int, int], preferences: DisplayPreferences = DEFAULT_PREFERENCES) -> None:
        self.scene_area = _scene_area(size) if preferences.touch_seats else pygame.Rect((0, 0), size)
        unit_px, palette = _unit_px(self.scene_area.size), PALETTES[preferences.palette]
        super().__init__(pygame.Surface(size, 0, 32), palette, unit_px, is_far=preferences.is_far)
        self.size = size
        self.preferences = preferences
        self.timeline = Timeline()
        self.regions: dict[str, Region] = {}
        self.has_moved_region = False
        self.has_new_ground = False
        self._ground = CanvasGround(size, self.rgb(BACKGROUND))
        self._current = Region(pygame.Rect((0, 0), size), None)
        self._drawn_names: set[str] = set()
        self._cell_layouts: dict[str, object] = {}
        self._changed: list[pygame.Rect] = []
        self._computed: dict[Hashable, Any] = {}

    @property
    def is_portrait(self) -> bool:
        """Whether the screen (the picture before it is rotated) is higher than wide."""
        return self.size[1] > self.size[0]

    def compute_once(self, key: Hashable, compute: Callable[[], Computed]) -> Computed:
        """Return what depends on this screen and `key` alone, such as places: computed at the first call.

        Args:
            key: few different ones, for nothing is forgotten; what they are called must be unique.
            compute: computes it; the result is not to be changed.
        """
        if key not in self._computed:
            self._computed[key] = compute()
        found: Computed = self._computed[key]
        return found

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
            name: unique among the regions of a frame.
            rect: its place in pixels; drawing outside it is cut off.
            content: every value that the picture depends on, hashable: equal values mean equal pictures.
            paint: draws within `rect`, which was filled with the ground before; its result is ignored.
        """
        self._drawn_names.add(name)
        before = self.regions.get(name)
        if before is not None and before.rect == rect and before.content == content:
            return
        if before is not None and before.rect != rect:
            self.has_moved_region = True
        self._current = self.regions[name] = Region(rect, content)
        self.text_record = self._current.texts
        self.surface.set_clip(rect)
        if not self.has_new_ground:  # else all of it was filled just now
            self._ground.fill(self.surface, rect)
        paint()
        self.surface.set_clip(None)
        self._changed.append(rect)

    def draw_cells(self, name: str, rect: pygame.Rect, cells: Sequence[RegionCell]) -> None:
        """Paint a region of several cells: only those whose content changed, or all if one of them has another place.

        An exception that a cell's `paint` raises is passed on, with the effects named in `draw_region`.

        Args:
            name: unique among the regions of a frame; no other region's name may begin with it and a space.
            rect: the area of all cells in pixels; it is filled with the ground if a place changed.
            cells: the cells; they lie within `rect` and do not overlap, unless one lies on an earlier one and its
                content holds that of the other.
        """
        places = [rect, *(cell.rect for cell in cells)]
        names = [f"{name} {i}" for i in range(len(cells))]
        is_same_layout = self._cell_layouts.get(name) == places and all(each in self.regions for each in names)
        if not is_same_layout:
            for each in [known for known in self.regions if known.startswith(f"{name} ")]:
                del self.regions[each]
            self._cell_layouts[name] = places
            if not self.has_new_ground:
                self._ground.fill(self.surface, rect)
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
            rect: the flooded area in pixels; outside it the ground is the background.
            colour: the colour; None: the background.
            button: the seat whose shape stands large on the ground, cut off by its edge; None: none.

        Raises:
            KeyError: `button` is no seat's button.
        """
        is_new = self._ground.flood(rect, None if colour is None else self.rgb(colour), button)
        if is_new or not self.regions:
            self.clear()
            self.has_moved_region = self.has_new_ground = True

    @property
    def ground_colour(self) -> RGB:
        """The colour of the ground, about the middle of what is flooded: for what must look cut out."""
        return self._ground.colour_at(self.px(GROUND_SAMPLE_UNITS))

    def clear(self) -> None:
        """Forget all regions and fill the surface with the background: the next frame is painted completely."""
        self.regions.clear()
        self._cell_layouts.clear()
        self._ground.fill(self.surface, self.surface.get_rect())

    def drawn_texts(self) -> list[DrawnText]:
        """Return all lines of text on the screen with their places and font sizes in pixels, region by region."""
        return [text for region in self.regions.values() for text in region.texts]

    def set_anchor(self, name: str, position: tuple[int, int]) -> None:
        """Note where something stands, for animations that start or end there. Call it while a region is painted.

        Args:
            name: its name: "player 0" (by seat, from 0), "cup 4" (by index, from 0).
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
            rect: the area in pixels; of two that overlap in a region the first counts.
        """
        self._current.touch_areas.append((rect, button))

    def add_help_area(self, rect: pygame.Rect) -> None:
        """Let a touch open the help, as long as the region stays that is being painted.

        Args:
            rect: the area in pixels; it counts before any touch area.
        """
        self._current.help_areas.append(rect)
