"""Mouse and keyboard control of a simulated tray."""

import math
import random
from collections.abc import Sequence

from companion.api import TableAction
from companion.i18n import N_
from companion.simulation.base_mouse import MouseButton, TableMouse, TablePoint, outline_box, outline_disc
from companion.simulation.dice_tray.table import DICE_TRAY, MAX_DICE, DiceTrayTable, TrayDie
from companion.simulation.optics import Optics

FIRST_COUNT = 5
"""Number of dice thrown first, until the wheel changes it."""


class DiceTrayMouse(TableMouse[DiceTrayTable]):
    """Throws dice, and takes them out of the tray."""

    def __init__(self, table: DiceTrayTable, optics: Optics, rng: random.Random) -> None:
        super().__init__(table, optics, rng)
        self._count = FIRST_COUNT
        self._out: tuple[int, ...] = ()
        """Values of the dice that were clicked out of the tray."""

    @staticmethod
    def help_lines() -> tuple[str, ...]:
        """Return the help for the screen, one action a line, as untranslated messages."""
        return (
            N_("Click the tray: throw the dice in it"),
            N_("Click a die: take it out"),
            N_("Right click: throw those taken out beside the others"),
            N_("C: all dice out of the tray"),
            N_("Wheel: more or fewer dice in the next throw"),
            N_("H held or middle button held: hold a hand over the table"),
        )

    def _list_outlines(self, action: TableAction) -> Sequence[Sequence[TablePoint]]:
        """List the tray, or the dice that may be taken out."""
        match action:
            case TableAction(kind="throw" | "again"):
                return [outline_box(DICE_TRAY.center, DICE_TRAY.half_size)]
            case TableAction(kind="keep"):
                dice = self._table.planned_dice
                return [outline_disc(d.footprint.center, 0.8 * d.footprint.size_mm, d.footprint.size_mm) for d in dice]
            case _:
                return ()

    def _press(self, button: MouseButton, now: float) -> None:
        if button is MouseButton.RIGHT and self._out:
            count, self._out = len(self._out), ()
            self._table.throw_dice(count, self._rng, now, leave=self._table.planned_dice)
        elif button is MouseButton.LEFT and (die := self._find_die()) is not None:
            self._out += (die.value,)
            self._table.take((die,), now)
        elif button is MouseButton.LEFT:
            # Dice taken out are set aside, as long as others lie there.
            in_tray = len(self._table.planned_dice)
            self._out = self._out if in_tray else ()
            self._table.throw_dice(in_tray if self._out else self._count, self._rng, now)

    def wheel(self, steps: float, x: float, y: float, now: float) -> None:
        """Throw more (`steps` above 0) or fewer dice the next time."""
        self._at = float(x), float(y)
        self._count = min(MAX_DICE, max(1, self._count + round(steps)))

    def _clear(self, now: float) -> None:
        self._out = ()
        self._table.pick_up_all(now)

    def _find_die(self) -> TrayDie | None:
        """Return the die under the mouse."""
        at = self._optics.to_table(self._at, self._table.die_size)
        near = [d for d in self._table.planned_dice if math.dist(at, d.footprint.center) < 0.7 * d.footprint.size_mm]
        return min(near, key=lambda die: math.dist(at, die.footprint.center), default=None)
