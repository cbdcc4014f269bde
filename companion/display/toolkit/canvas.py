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

from companion.display.toolkit.icons import Marks
from companion.display.toolkit.image_cache import Pictures
from companion.display.toolkit.orientation import USUAL, Look
from companion.display.toolkit.text import CAP, PITCH, Type, Weight
from companion.display.toolkit.theme import BACKGROUND, FLOOR, INK, PALETTES, RGB, Colour, Tone
from companion.events import Button
from companion.vision.reading import Image

NARROWEST = 1.6
"""Ratio of the longer side to the shorter below which everything shrinks with the longer side instead."""


EDGE, TALL_EDGE = 10.5, 13.5
"""Height of the seats' places along top and bottom of a screen without buttons, in units of the whole screen."""


@dataclass(frozen=True, slots=True, eq=False)
class Same:
    """Something compared by identity (a picture), as part of what a region shows."""

    value: object

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self.value is other.value

    def __hash__(self) -> int:
        return id(self.value)


@dataclass(frozen=True, slots=True)
class Written:
    """A line of text as drawn: `ink` is what its glyphs cover, `size` its em in pixels."""

    text: str
    ink: pygame.Rect
    size: int


@dataclass(slots=True)
class Part:
    """A region of the screen and what it shows."""

    rect: pygame.Rect
    shows: Hashable
    texts: list[Written] = field(default_factory=list)
    touches: list[tuple[pygame.Rect, Button]] = field(default_factory=list)
    anchors: dict[str, tuple[int, int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Cell:
    """A part of a region that is drawn by itself: where, all that its picture depends on, and what draws it."""

    rect: pygame.Rect
    shows: Hashable
    paint: Callable[[], object]


def _unit(size: tuple[int, int]) -> float:
    return min(min(size), max(size) / NARROWEST) / 100


def _inner(size: tuple[int, int]) -> pygame.Rect:
    """The screen without the seats' places along top and bottom."""
    edge = round((TALL_EDGE if size[1] > size[0] else EDGE) * _unit(size))
    return pygame.Rect((0, 0), size).inflate(0, -2 * edge)


class Canvas:
    """What scenes draw on.

    Args:
        size: width and height in pixels.
        look: colours, and where keys and the seats' places stand.
    """

    def __init__(self, size: tuple[int, int], look: Look = USUAL) -> None:
        self.size = size
        self.look = look
        self.palette = PALETTES[look.palette]
        self.surface = pygame.Surface(size, 0, 32)
        self.inner = _inner(size) if look.touch_seats else pygame.Rect((0, 0), size)
        """What is left to the scenes: all, or what lies between the seats' places."""
        self.unit = _unit(self.inner.size)
        self.type = Type()
        self.marks = Marks(self.palette)
        self.pictures = Pictures()
        self.parts: dict[str, Part] = {}
        self.moved = False
        """A part has left its place in the frame drawn last: what stood there is still to be seen."""
        self._now = Part(pygame.Rect((0, 0), size), None)
        self._seen: set[str] = set()
        self._laid: dict[str, object] = {}
        self._changed: list[pygame.Rect] = []

    @property
    def portrait(self) -> bool:
        """Whether the screen stands upright."""
        return self.size[1] > self.size[0]

    def px(self, units: float) -> int:
        """Pixels for hundredths of the screen's shorter side, at least one."""
        return max(1, round(units * self.unit))

    def rgb(self, colour: Colour) -> RGB:
        """The colour that a tone is here."""
        return self.palette[colour] if isinstance(colour, Tone) else colour

    def floor(self, units: float) -> int:
        """Pixels for no less than `units`, whatever rounding does."""
        return ceil(units * self.unit)

    @contextmanager
    def frame(self) -> Iterator[list[pygame.Rect]]:
        """A frame's drawing; the list holds, at the end, the regions that have changed."""
        self._seen, self._changed = set(), []
        self.moved = False
        yield self._changed
        for name in self.parts.keys() - self._seen:
            del self.parts[name]
            self.moved = True

    def part(self, name: str, rect: pygame.Rect, shows: Hashable, paint: Callable[[], object]) -> None:
        """Paints a region, unless it shows already what it is to show.

        Args:
            shows: all that the picture depends on; equal values, equal pictures.
            paint: draws within `rect` on the cleared ground; what it draws outside is cut off.
        """
        self._seen.add(name)
        before = self.parts.get(name)
        if before is not None and before.rect == rect and before.shows == shows:
            return
        if before is not None and before.rect != rect:
            self.moved = True
        self._now = self.parts[name] = Part(rect, shows)
        self.surface.set_clip(rect)
        self.surface.fill(self.rgb(BACKGROUND))
        paint()
        self.surface.set_clip(None)
        self._changed.append(rect)

    def cells(self, name: str, rect: pygame.Rect, cells: Sequence[Cell]) -> None:
        """Paints a region of several cells; only those that show something else, unless one stands elsewhere."""
        laid = (tuple(rect), tuple(tuple(cell.rect) for cell in cells))
        names = [f"{name} {i}" for i in range(len(cells))]
        if self._laid.get(name) == laid and all(each in self.parts for each in names):
            for each, cell in zip(names, cells, strict=True):
                self.part(each, cell.rect, cell.shows, cell.paint)
            return
        for each in [known for known in self.parts if known.startswith(f"{name} ")]:
            del self.parts[each]
        self._laid[name] = laid
        self.surface.fill(self.rgb(BACKGROUND), rect)
        for each, cell in zip(names, cells, strict=True):
            self.part(each, cell.rect, cell.shows, cell.paint)
            self._changed.pop()
        self._changed.append(rect)

    def clear(self) -> None:
        """Forgets all parts and wipes the screen: the next frame is drawn anew."""
        self.parts.clear()
        self._laid.clear()
        self.surface.fill(self.rgb(BACKGROUND))

    def written(self) -> list[Written]:
        """All texts on the screen."""
        return [text for part in self.parts.values() for text in part.texts]

    def anchor(self, name: str, at: tuple[int, int]) -> None:
        """Says where a thing stands ("player 0", "round 3"), so that what happens to it can be shown to move."""
        self._now.anchors[name] = at

    def anchors(self) -> dict[str, tuple[int, int]]:
        """Where things stand, in pixels; the bank is in the middle of what belongs to the game."""
        found = {"bank": self.parts["main"].rect.center} if "main" in self.parts else {}
        for part in self.parts.values():
            found |= part.anchors
        return found

    def touch(self, rect: pygame.Rect, button: Button) -> None:
        """Says that touching `rect` means `button`."""
        self._now.touches.append((rect, button))

    def text(
        self,
        rect: pygame.Rect,
        text: str,
        size: float,
        colour: Colour = INK,
        *,
        weight: Weight = Weight.MEDIUM,
        least: float = FLOOR,
        lines: int = 1,
        align: float = 0.0,
        upright: float = 0.5,
    ) -> pygame.Rect:
        """Writes `text` as large as fits into `rect`.

        Args:
            size, least: em in units; between them the size is chosen.
            align: 0 left, 0.5 centre, 1 right.
            upright: 0 top, 0.5 centre, 1 bottom.

        Returns:
            The block's rectangle, from the capitals' top to the last baseline.
        """
        floor = self.floor(least)
        set_ = self.type.fit(text, weight, max(floor, self.px(size)), floor, rect.size, lines)
        cap, pitch = CAP * set_.size, PITCH * set_.size
        block = pygame.Rect(0, 0, set_.width, round(cap + pitch * (len(set_.lines) - 1)))
        # In the middle, capitals and digits stand centred; the descenders take from the room below.
        spare = rect.h - block.h
        block.top = rect.top + max(set_.over, min(round(spare * upright), rect.h - set_.height + set_.over))
        ascent = self.type.font(weight, set_.size).get_ascent()
        for i, line in enumerate(set_.lines):
            drawn = self.type.surface(line, weight, set_.size, self.rgb(colour))
            at = (
                rect.left + round((rect.w - drawn.get_width()) * align),
                block.top + round(cap + pitch * i) - ascent,
            )
            self.surface.blit(drawn, at)
            if line:
                self._now.texts.append(Written(line, drawn.get_bounding_rect().move(at), set_.size))
        block.left = rect.left + round((rect.w - set_.width) * align)
        return block

    def common(self, texts: Iterable[str], size: float, box: tuple[int, int], weight: Weight = Weight.MEDIUM) -> float:
        """The em in units, `size` at most, at which each of `texts` fits a box in one line."""
        floor = self.floor(FLOOR)
        fits = (self.type.fit(t, weight, max(floor, self.px(size)), floor, box).size for t in texts)
        return min(fits, default=floor) / self.unit

    def sign(self, name: str, centre: tuple[int, int], size: int, colour: Colour) -> pygame.Rect:
        """Draws a sign, `size` pixels square."""
        return self._blit(self.marks.sign(name, size, self.rgb(colour)), centre)

    def disc(self, centre: tuple[int, int], diameter: int, fill: Colour, edge: Colour | None = None) -> pygame.Rect:
        """Draws a disc, with an edge if wanted."""
        if edge is None:
            return self._blit(self.marks.disc(diameter, self.rgb(fill)), centre)
        drawn = self._blit(self.marks.disc(diameter, self.rgb(edge)), centre)
        self._blit(self.marks.disc(diameter - 2 * max(1, diameter // 16), self.rgb(fill)), centre)
        return drawn

    def ring(self, centre: tuple[int, int], radius: int, colour: Colour, thick: float = 0.45) -> None:
        """Draws a circle's edge, `thick` units inwards of `radius` pixels."""
        pygame.draw.circle(self.surface, self.rgb(colour), centre, radius, self.px(thick))

    def die(self, value: int | None, centre: tuple[int, int], size: int, *, dim: bool = False) -> pygame.Rect:
        """Draws a die's face, see `Marks.die`."""
        return self._blit(self.marks.die(value, size, dim=dim), centre)

    def panel(self, rect: pygame.Rect, fill: Colour, *, edge: Colour | None = None, radius: float = 1.6) -> None:
        """Fills a rectangle with round corners, with an edge if wanted."""
        if edge is not None:
            self.panel(rect, edge, radius=radius)
            thick = self.px(0.45)
            rect = rect.inflate(-2 * thick, -2 * thick)
            radius = max(0.2, radius - 0.45)
        r = min(self.px(radius), rect.w // 2, rect.h // 2)
        corner = self.marks.disc(2 * r, self.rgb(fill))
        for x, left in ((rect.left, 0), (rect.right - r, r)):
            for y, top in ((rect.top, 0), (rect.bottom - r, r)):
                self.surface.blit(corner, (x, y), (left, top, r, r))
        self.fill(fill, rect.inflate(-2 * r, 0))
        self.fill(fill, rect.inflate(0, -2 * r))

    def fill(self, colour: Colour, rect: pygame.Rect) -> None:
        """Fills a rectangle."""
        self.surface.fill(self.rgb(colour), rect)

    def image(self, image: Image, rect: pygame.Rect) -> pygame.Rect:
        """Draws a picture as large as fits into `rect`, in its middle; returns where."""
        drawn = self.pictures.fitted(image, rect.size)
        return self._blit(drawn, rect.center)

    def outline(self, rect: pygame.Rect, colour: Colour) -> None:
        """Draws a rectangle's edge."""
        pygame.draw.rect(self.surface, self.rgb(colour), rect, self.px(0.45), border_radius=self.px(0.6))

    def _blit(self, drawn: pygame.Surface, centre: tuple[int, int]) -> pygame.Rect:
        return self.surface.blit(drawn, drawn.get_rect(center=centre))
