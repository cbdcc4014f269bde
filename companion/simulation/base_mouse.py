"""What the mice of all simulated tables have in common: where the mouse is, and a hand held over the table.

Positions are pixels of the camera's frame, regardless of the size at which it is displayed.
"""

import math
import random
from abc import ABC, abstractmethod
from collections.abc import Sequence
from enum import IntEnum
from typing import Generic, Protocol, TypeVar

from companion.api import TableAction
from companion.simulation.actions import ImpossibleAction
from companion.simulation.optics import Optics, Point

Outline = Sequence[Point]
"""Corners of a closed line."""
TablePoint = tuple[float, float, float]
"""x, y and the height above the table, in mm."""
ROUND_CORNERS = 36
"""Corners of the outline of something round."""


def outline_disc(centre: Point, radius: float, height: float = 0.0) -> Sequence[TablePoint]:
    """Return the outline of something round that lies on the table or above it; all in mm."""
    angles = [math.tau * k / ROUND_CORNERS for k in range(ROUND_CORNERS)]
    return [(centre[0] + radius * math.cos(a), centre[1] + radius * math.sin(a), height) for a in angles]


def outline_box(centre: Point, half_size: Point, height: float = 0.0) -> Sequence[TablePoint]:
    """Return the outline of a rectangle along the table's edges; all in mm.

    >>> outline_box((10.0, 0.0), (5.0, 2.0))[0]
    (5.0, -2.0, 0.0)
    """
    (x, y), (a, b) = centre, half_size
    return [(x - a, y - b, height), (x + a, y - b, height), (x + a, y + b, height), (x - a, y + b, height)]


class MouseButton(IntEnum):
    """Mouse buttons, numbered as in pygame and X11."""

    LEFT = 1
    MIDDLE = 2
    RIGHT = 3


class TableForMouse(Protocol):
    """A simulated table over which a hand can be held."""

    def hold_hand_over(self, where: Point, now: float) -> None:
        """Hold a hand over a point, in mm on the table, until `withdraw_hand`."""

    def withdraw_hand(self, now: float) -> None:
        """Let the hand that is held over the table leave."""


TableForMouseT = TypeVar("TableForMouseT", bound=TableForMouse)


class TableMouse(ABC, Generic[TableForMouseT]):
    """Translates mouse and key events to actions on a simulated table; impossible actions are ignored.

    Args:
        table: the table to act on.
        optics: the camera whose pixels the events refer to.
        rng: random generator for all that is thrown or shuffled.
    """

    HAND_LEVEL_MM = 0.0
    """Height above the table at which the mouse points while a hand is held over it, in mm."""

    def __init__(self, table: TableForMouseT, optics: Optics, rng: random.Random) -> None:
        self._table, self._optics, self._rng = table, optics, rng
        self._at: Point = (0.0, 0.0)
        self._holding = False

    @staticmethod
    @abstractmethod
    def help_lines() -> tuple[str, ...]:
        """Return the help for the screen, one action a line, as untranslated messages."""

    def find_outlines(self, action: TableAction) -> Sequence[Outline]:
        """Find where a click does an action: the outlines of these places, in pixels of the frame.

        Args:
            action: what a game waits for; empty for one that no click does.
        """
        return [
            [(float(x), float(y)) for x, y in self._optics.project(points)] for points in self._list_outlines(action)
        ]

    def _list_outlines(self, action: TableAction) -> Sequence[Sequence[TablePoint]]:
        """List the outlines in mm of the places where a click does an action; by default there are none."""
        return ()

    def press(self, button: int, x: float, y: float, now: float) -> None:
        """Handle a mouse button that went down at a pixel of the frame; `now` in seconds."""
        self.move(x, y, now)
        if button == MouseButton.MIDDLE:
            self._hold(now)
        elif button in (MouseButton.LEFT, MouseButton.RIGHT):
            try:
                self._press(MouseButton(button), now)
            except ImpossibleAction:
                return  # the table changed before the click

    def move(self, x: float, y: float, now: float) -> None:
        """Handle a movement of the mouse to a pixel of the frame; `now` in seconds."""
        self._at = float(x), float(y)
        if self._holding:
            self._hold(now)

    def release(self, button: int, x: float, y: float, now: float) -> None:
        """Handle a mouse button that went up at a pixel of the frame; `now` in seconds."""
        self.move(x, y, now)
        if button == MouseButton.MIDDLE:
            self._withdraw(now)

    def wheel(self, steps: float, x: float, y: float, now: float) -> None:
        """Handle `steps` of the wheel (positive: away from the person) at a pixel; by default nothing can be turned."""

    def key(self, name: str, down: bool, now: float) -> None:
        """Handle a key by its name: "c" clears the table, "h" holds a hand over it while it is down."""
        if name == "c" and down:
            self._clear(now)
        elif name == "h" and down:
            self._hold(now)
        elif name == "h":
            self._withdraw(now)

    @abstractmethod
    def _press(self, button: MouseButton, now: float) -> None:
        """Handle the left or right button that went down where the mouse is."""

    @abstractmethod
    def _clear(self, now: float) -> None:
        """Put the table back to its start."""

    def _hold(self, now: float) -> None:
        self._holding = True
        self._table.hold_hand_over(self._optics.to_table(self._at, self.HAND_LEVEL_MM), now)

    def _withdraw(self, now: float) -> None:
        if self._holding:
            self._holding = False
            self._table.withdraw_hand(now)
