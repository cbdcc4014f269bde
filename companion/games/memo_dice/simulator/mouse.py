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
        if table.is_row_scored:
            return (CLEAR,)
        return (AGAIN,) if table.open_die is not None and table.next_cup is None else ()

    def use_control(self, control: TableControl, now: float) -> None:
        """Do what a control says."""
        if control is AGAIN:
            self._table.roll_again(self._rng, now)
        else:
            self._clear(now)

    def _clear(self, now: float) -> None:
        self._table.clear(now)

    def _press(self, button: MouseButton, now: float) -> None:
        table, index = self._table, self._find_under()
        is_left = button is MouseButton.LEFT
        if table.is_row_scored and table.row:
            if is_left:
                self._clear(now)
        elif index is not None and table.row[index].cup is not None:
            if is_left:
                table.lift(index, now)
        elif table.next_cup is not None:
            if is_left:
                table.lift(table.next_cup, now)
        elif index is None:
            if is_left:
                table.roll(self._rng, now, die=self._find_unused_die())
        elif index == len(table.row) - 1:
            fitting = table.fitting_cup
            if not is_left:
                table.roll_again(self._rng, now)
            elif fitting is not None:
                table.cover(fitting, now)

    def _find_unused_die(self) -> int | None:
        """Return the number of the unused die under the mouse."""
        size = self._table.appearance.die_size_mm
        at = self._optics.to_table(self._at, size)
        near = (die for die, spare in self._table.unused_dice.items() if math.dist(at, spare.center[:2]) <= 0.8 * size)
        return next(near, None)

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
