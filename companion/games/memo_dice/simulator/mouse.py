"""Mouse and keyboard control of a simulated Memo Dice table."""

import math
from collections.abc import Sequence

from companion.games.memo_dice.simulator.table import MemoDiceTable
from companion.i18n import N_
from companion.simulation.base_mouse import MouseButton, TableControl, TableMouse

AGAIN, CLEAR = TableControl("again", N_("Roll it again")), TableControl("clear", N_("Put all back"))


class MemoDiceMouse(TableMouse[MemoDiceTable]):
    """Rolls dice into the row, covers them and lifts the cups."""

    def list_controls(self) -> Sequence[TableControl]:
        """List the controls that do something now."""
        table = self._table
        return (*((AGAIN,) if table.open_die is not None else ()), *((CLEAR,) if table.row else ()))

    def use_control(self, control: TableControl, now: float) -> None:
        """Do what a control says."""
        if control is AGAIN:
            self._table.roll_again(self._rng, now)
        else:
            self._clear(now)

    def _clear(self, now: float) -> None:
        self._table.clear(now)

    def _press(self, button: MouseButton, now: float) -> None:
        index = self._find_under()
        row = self._table.row
        if self._table.is_round_over and row and button is MouseButton.LEFT:
            self._clear(now)
        elif index is None:
            if button is MouseButton.LEFT:
                self._table.roll(self._rng, now)
        elif row[index].cup is not None:
            if button is MouseButton.LEFT:
                self._table.lift(index, now)
        elif index == len(row) - 1:
            fitting = self._table.fitting_cup
            if button is MouseButton.RIGHT:
                self._table.roll_again(self._rng, now)
            elif button is MouseButton.LEFT and fitting is not None:
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
