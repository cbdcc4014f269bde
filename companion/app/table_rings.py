"""Rings on the picture of a simulated table: where a click does what the game waits for."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import cv2
import numpy as np

from companion.screen_state import Guide
from companion.simulation.base_mouse import Outline, TableMouse
from hardware.cameras.sources import Frame

RING_LAYERS = ((15, (20, 14, 12)), (9, (60, 200, 255)), (3, (255, 255, 255)))
"""Width in pixels of a frame and BGR of each line of a ring, drawn one over the other: seen on any table."""
REACH_PX = 12.0
"""Distance from a ring, in pixels of the frame, at which a click still counts as within it: fingers are wide."""


class TableRings:
    """The rings of one simulated table."""

    def __init__(self) -> None:
        self._guide = Guide()
        self._outlines: Sequence[Outline] = ()

    @property
    def is_strict(self) -> bool:
        """Whether nothing counts but a click within a ring."""
        return self._guide.is_strict

    def follow(self, guide: Guide | None, mouse: TableMouse[Any], *, is_moving: bool) -> bool:
        """Find the rings anew, and return whether they have changed.

        Args:
            guide: what is waited for; None: nothing has a ring.
            mouse: knows where a click does what.
            is_moving: something on the table moves: nothing is waited for until it lies still.
        """
        self._guide, before = guide or Guide(), self._outlines
        actions = () if is_moving else dict.fromkeys(self._guide.actions)
        self._outlines = [outline for action in actions for outline in mouse.find_outlines(action)]
        return self._outlines != before

    def is_missed(self, at: tuple[float, float]) -> bool:
        """Return whether a click is not to count: the guide is strict, and no ring is around it.

        Args:
            at: x and y in pixels of the frame.
        """
        shapes = (np.array(outline, dtype=np.float32) for outline in self._outlines)
        return self.is_strict and all(cv2.pointPolygonTest(shape, at, True) < -REACH_PX for shape in shapes)

    def draw(self, frame: Frame) -> Frame:
        """Return a frame with the rings; the camera reads the one without them."""
        if not self._outlines:
            return frame
        image = frame.image.copy()
        lines = [np.array(outline).round().astype(np.int32) for outline in self._outlines]
        for width, colour in RING_LAYERS:
            cv2.polylines(image, lines, True, colour, width, cv2.LINE_AA)
        return replace(frame, image=image)
