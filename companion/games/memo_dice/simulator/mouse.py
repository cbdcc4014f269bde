"""Mouse and keyboard control of a simulated Memo Dice table."""

import math
import random

from companion.games.macroscope.simulator.board import ImpossibleAction
from companion.games.macroscope.simulator.lid import Point
from companion.games.macroscope.simulator.mouse import MouseButton
from companion.games.memo_dice.simulator.table import MemoDiceTable
from companion.i18n import N_
from companion.simulation.optics import Optics


class MemoDiceMouse:
    """Translates mouse and key events to actions on the table; impossible actions are ignored.

    Positions are pixels of the camera's frame, regardless of the size at which it is displayed.

    Args:
        table: The table to act on.
        optics: The camera whose pixels the events refer to.
        rng: Random generator that rolls the dice.
    """

    def __init__(self, table: MemoDiceTable, optics: Optics, rng: random.Random) -> None:
        self._table, self._optics, self._rng = table, optics, rng
        self._at: Point = (0.0, 0.0)
        self._holding = False

    @staticmethod
    def help_lines() -> tuple[str, ...]:
        """Return the help for the screen, one action a line, as untranslated messages."""
        return (
            N_("Click the table: roll a die into the row"),
            N_("Click the open die: cover it with its cup"),
            N_("Right click the open die: roll it once more"),
            N_("Click a cup: lift it"),
            N_("C: put all dice and cups back"),
            N_("H held or middle button held: hold a hand over the table"),
        )

    def press(self, button: int, x: float, y: float, now: float) -> None:
        """Handle a mouse button that went down at a pixel of the frame; `now` in seconds."""
        self.move(x, y, now)
        if button == MouseButton.MIDDLE:
            self._start_holding(now)
            return
        try:
            self._click(button, now)
        except ImpossibleAction:
            return  # the row changed before the click

    def move(self, x: float, y: float, now: float) -> None:
        """Handle a movement of the mouse to a pixel of the frame; `now` in seconds."""
        self._at = float(x), float(y)
        if self._holding:
            self._table.hold_hand_over(self._optics.to_table(self._at), now)

    def release(self, button: int, x: float, y: float, now: float) -> None:
        """Handle a mouse button that went up at a pixel of the frame; `now` in seconds."""
        self.move(x, y, now)
        if button == MouseButton.MIDDLE:
            self._stop_holding(now)

    def wheel(self, steps: float, x: float, y: float, now: float) -> None:
        """Ignore the wheel: no object of this table can be turned."""

    def key(self, name: str, down: bool, now: float) -> None:
        """Handle a key by its name: "c" puts all back, "h" holds a hand over the table while it is down."""
        if name == "c" and down:
            self._table.clear(now)
        elif name == "h" and down:
            self._start_holding(now)
        elif name == "h":
            self._stop_holding(now)

    def _click(self, button: int, now: float) -> None:
        index = self._find_under()
        row = self._table.row
        if index is None:
            if button == MouseButton.LEFT:
                self._table.roll(self._rng, now)
        elif row[index].cup is not None:
            if button == MouseButton.LEFT:
                self._table.lift(index, now)
        elif index == len(row) - 1:
            fitting = self._table.fitting_cup
            if button == MouseButton.RIGHT:
                self._table.roll_again(self._rng, now)
            elif button == MouseButton.LEFT and fitting is not None:
                self._table.cover(fitting, now)

    def _find_under(self) -> int | None:
        """Return the index of the row's slot under the mouse."""
        appearance = self._table.appearance
        for index, slot in enumerate(self._table.row):
            is_covered = slot.cup is not None
            at = self._optics.to_table(
                self._at, 0.5 * appearance.cup_height_mm if is_covered else appearance.die_size_mm
            )
            if math.dist(at, slot.placed_die.center[:2]) <= (
                1.15 * appearance.mouth_radius_mm if is_covered else 0.8 * appearance.die_size_mm
            ):
                return index
        return None

    def _start_holding(self, now: float) -> None:
        self._holding = True
        self._table.hold_hand_over(self._optics.to_table(self._at), now)

    def _stop_holding(self, now: float) -> None:
        if self._holding:
            self._holding = False
            self._table.withdraw_hand(now)
