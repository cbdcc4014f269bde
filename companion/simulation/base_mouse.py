"""What the mice of all simulated tables have in common: where the mouse is, and a hand held over the table.

Positions are pixels of the camera's frame, regardless of the size at which it is displayed.
"""

import random
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Generic, Protocol, TypeVar

from companion.simulation.actions import ImpossibleAction
from companion.simulation.optics import Optics, Point


class MouseButton(IntEnum):
    """Mouse buttons, numbered as in pygame and X11."""

    LEFT = 1
    MIDDLE = 2
    RIGHT = 3


@dataclass(frozen=True, slots=True)
class TableControl:
    """A control that is drawn beside a simulated table."""

    name: str
    label: str
    """What it does, as an untranslated message."""


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

    def list_controls(self) -> Sequence[TableControl]:
        """List the controls that do something now, for those who have neither keys nor a wheel; by default none."""
        return ()

    def use_control(self, control: TableControl, now: float) -> None:
        """Do what one of the controls says."""
        raise NotImplementedError(control)  # there is none, unless a table lists some

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
