"""The hand of a person who plays Memo Dice on the screen: mouse and keys on the shown table become actions."""

from __future__ import annotations

import math
import random

from companion.i18n import N_
from companion.simulation.macroscope.board import ImpossibleAction
from companion.simulation.macroscope.lid import Point
from companion.simulation.macroscope.mouse import MouseButton
from companion.simulation.memo_dice.table import MemoDiceTable
from companion.simulation.optics import Optics


class MemoDiceMouse:
    """Turns mouse and key events into actions on `table`. Actions that are not possible are passed over in silence.

    Positions are pixels of the frame as the camera gave it. `rng` rolls the dice.
    """

    def __init__(self, table: MemoDiceTable, optics: Optics, rng: random.Random) -> None:
        self._table, self._optics, self._rng = table, optics, rng
        self._at: Point = (0.0, 0.0)
        self._holding = False

    @staticmethod
    def help_lines() -> tuple[str, ...]:
        """What a person may do, one action a line, for the screen."""
        return (
            N_("Click the table: roll a die into the row"),
            N_("Click the open die: cover it with its cup"),
            N_("Right click the open die: roll it once more"),
            N_("Click a cup: lift it"),
            N_("C: put all dice and cups back"),
            N_("H held or middle button held: hold a hand over the table"),
        )

    def press(self, button: int, x: float, y: float, now: float) -> None:
        """A mouse button went down at a pixel of the frame."""
        self.move(x, y, now)
        if button == MouseButton.MIDDLE:
            self._hold(now)
            return
        try:
            self._click(button, now)
        except ImpossibleAction:
            return  # the row is not as it was when the mouse was pointed at it

    def move(self, x: float, y: float, now: float) -> None:
        """The mouse moved to a pixel of the frame."""
        self._at = float(x), float(y)
        if self._holding:
            self._table.hold_hand_over(self._optics.to_table(self._at), now)

    def release(self, button: int, x: float, y: float, now: float) -> None:
        """A mouse button went up at a pixel of the frame."""
        self.move(x, y, now)
        if button == MouseButton.MIDDLE:
            self._let_go(now)

    def wheel(self, steps: float, x: float, y: float, now: float) -> None:
        """Nothing turns here."""

    def key(self, name: str, down: bool, now: float) -> None:
        """A key by its name ("c", "h") went down or up."""
        if name == "c" and down:
            self._table.clear(now)
        elif name == "h" and down:
            self._hold(now)
        elif name == "h":
            self._let_go(now)

    def _click(self, button: int, now: float) -> None:
        index = self._under()
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

    def _under(self) -> int | None:
        """The place of the row under the mouse."""
        appearance = self._table.appearance
        for index, place in enumerate(self._table.row):
            cup = place.cup is not None
            at = self._optics.to_table(self._at, 0.5 * appearance.cup_height_mm if cup else appearance.die_size_mm)
            if math.dist(at, place.placed_die.center[:2]) <= (
                1.15 * appearance.mouth_radius_mm if cup else 0.8 * appearance.die_size_mm
            ):
                return index
        return None

    def _hold(self, now: float) -> None:
        self._holding = True
        self._table.hold_hand_over(self._optics.to_table(self._at), now)

    def _let_go(self, now: float) -> None:
        if self._holding:
            self._holding = False
            self._table.withdraw_hand(now)
