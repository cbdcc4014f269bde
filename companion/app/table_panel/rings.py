"""Rings on the picture of a simulated table: around what the game waits to be touched."""

from collections.abc import Sequence

import pygame

from companion.guide import Guide

RING_LAYERS = ((1.0, (20, 14, 12)), (0.64, (255, 200, 60)), (0.2, (255, 255, 255)))
"""Width, as a share of `RING_WIDTH_RATIO`, and RGB of each line of a ring, drawn one over the other."""
RING_WIDTH_RATIO = 0.012
"""Width of a ring, as a share of the panel's height."""
ROUND_NAMES = frozenset({"token", "die", "cup"})
"""Places with a round ring; the others have one with round corners."""
MIN_REACH_PX = 12
"""Distance from a ring at which a touch still counts as within it: fingers are wide."""

Place = tuple[str, pygame.Rect]
"""Name of what lies there, such as "token", and its area in pixels of the window."""


class TableRings:
    """The rings of one simulated table.

    >>> from companion.api import TableAction
    >>> rings = TableRings()
    >>> rings.follow(Guide(actions=(TableAction("throw"),)), [("tray", pygame.Rect(10, 10, 90, 90))])
    True
    """

    def __init__(self) -> None:
        self._guide = Guide()
        self._places: Sequence[Place] = ()

    @property
    def is_strict(self) -> bool:
        """Whether nothing counts but a touch within a ring."""
        return self._guide.is_strict

    @property
    def has_sentence(self) -> bool:
        """Whether the display says what to do now."""
        return self._guide.is_strict or bool(self._guide.sentence)

    def follow(self, guide: Guide | None, places: Sequence[Place]) -> bool:
        """Choose what has a ring, and return whether that has changed.

        Args:
            guide: what is waited for; None: nothing has a ring, and neither has it if nothing is done at the table.
            places: where the table can be touched for it.
        """
        self._guide, before = guide or Guide(), self._places
        self._places = list(places) if self._guide.actions else []
        return self._places != before

    def is_missed(self, at: tuple[int, int]) -> bool:
        """Return whether a touch at a pixel of the window is not to count: it is in no ring of a strict guide."""
        reach = 2 * MIN_REACH_PX
        return self.is_strict and not any(rect.inflate(reach, reach).collidepoint(at) for _name, rect in self._places)

    def draw(self, surface: pygame.Surface, panel: pygame.Rect) -> None:
        """Draw the rings over the picture that is shown in an area of a surface."""
        width = max(3, round(RING_WIDTH_RATIO * panel.height))
        surface.set_clip(panel)
        for name, rect in self._places:
            for share, colour in RING_LAYERS:
                thickness = max(1, round(share * width))
                around = rect.inflate(width + thickness, width + thickness)
                radius = min(around.size) // 2 if name in ROUND_NAMES else 2 * width
                pygame.draw.rect(surface, colour, around, thickness, radius)
        surface.set_clip(None)
