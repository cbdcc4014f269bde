"""Mouse and keyboard control of a simulated Memo Dice table."""

import math
from collections.abc import Sequence

from companion.api import TableAction
from companion.games.memo_dice.simulator.table import MemoDiceTable
from companion.i18n import N_
from companion.simulation.base_mouse import MouseButton, TableMouse, TablePoint, outline_disc


class MemoDiceMouse(TableMouse[MemoDiceTable]):
    """Rolls dice into the row, covers them and lifts the cups."""

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

    def _list_outlines(self, action: TableAction) -> Sequence[Sequence[TablePoint]]:
        """List the row's next place to roll a die, the open die to cover, or the first cup to lift."""
        table, look = self._table, self._table.appearance
        is_die_open = table.open_die is not None
        match action:
            case TableAction(kind="show") if not is_die_open:
                return [outline_disc(table.locate_slot(len(table.row)), look.mouth_radius_mm)]
            case TableAction(kind="cup") if is_die_open and table.row:
                die = table.locate_slot(len(table.row) - 1)
                return [outline_disc(die, 1.1 * look.die_size_mm, look.die_size_mm)]
            case TableAction(kind="lift"):
                cups = [table.locate_slot(index) for index, slot in enumerate(table.row) if slot.cup is not None]
                return [outline_disc(cup, 1.15 * look.mouth_radius_mm, look.cup_height_mm) for cup in cups[:1]]
            case _:
                return ()

    def _clear(self, now: float) -> None:
        self._table.clear(now)

    def _press(self, button: MouseButton, now: float) -> None:
        index = self._find_under()
        row = self._table.row
        if index is None:
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
