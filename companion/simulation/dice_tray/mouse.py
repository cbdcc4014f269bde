"""Mouse, finger and keyboard control of a simulated tray."""

import math
import random
from collections import Counter
from collections.abc import Sequence

from companion.i18n import N_
from companion.simulation.base_mouse import MouseButton, TableControl, TableMouse
from companion.simulation.dice_tray.table import MAX_DICE, DiceTrayTable, TrayDie
from companion.simulation.optics import Optics

FIRST_COUNT = 5
"""Number of dice thrown first where the game takes any number, until the wheel changes it."""
CLEAR = TableControl("clear", N_("Empty the tray"))
THROW_ASIDE = TableControl("throw aside", N_("Throw dice beside it"))
FEWER, MORE = TableControl("fewer", N_("Fewer dice")), TableControl("more", N_("More dice"))


class DiceTrayMouse(TableMouse[DiceTrayTable]):
    """Throws dice, and lays them beside the tray."""

    def __init__(self, table: DiceTrayTable, optics: Optics, rng: random.Random) -> None:
        super().__init__(table, optics, rng)
        self._count = FIRST_COUNT

    def list_controls(self) -> Sequence[TableControl]:
        """List the controls that do something now."""
        table = self._table
        if table.is_choosing_by_keys:
            return ()
        may_clear = table.takes_any_count or (table.is_astray and not table.must_set_aside)
        return (
            *((THROW_ASIDE,) if self._may_throw_aside else ()),
            *((FEWER, MORE) if table.takes_any_count else ()),
            *((CLEAR,) if may_clear and (table.planned_dice or table.aside) else ()),
        )

    def use_control(self, control: TableControl, now: float) -> None:
        """Do what a control says."""
        if control is CLEAR:
            self._clear(now)
        elif control is THROW_ASIDE:
            self._throw_aside(now)
        else:
            self._change_count(1 if control is MORE else -1)

    def _press(self, button: MouseButton, now: float) -> None:
        if self._table.is_choosing_by_keys:
            return
        if button is MouseButton.RIGHT:
            if self._may_throw_aside:
                self._throw_aside(now)
        elif self._table.may_set_aside and (die := self._find_die()) is not None:
            # An empty tray says nothing of its last die: it may have been taken up for the next throw.
            may_take_last = self._waits_for_throw and not self._table.may_keep_last
            if may_take_last or len(self._table.planned_dice) > 1:
                self._table.set_aside((die,), now)
        elif (value := self._find_aside()) is not None:
            if Counter(self._table.aside)[value] > Counter(self._table.game_locked)[value]:
                self._table.put_back((value,), self._rng, now)
        elif self._table.wrong_aside:
            self._table.put_back(self._table.wrong_aside, self._rng, now)
        elif self._waits_for_throw or (self._table.planned_dice and not self._table.waits_for_die):
            self._throw(now)

    @property
    def _waits_for_throw(self) -> bool:
        return self._table.takes_any_count or self._table.is_new_turn or self._table.wanted_count is not None

    @property
    def _may_throw_aside(self) -> bool:
        """Whether dice beside the tray may be thrown while the others lie: where failed ones are thrown again."""
        return bool(self._table.aside) and self._table.takes_any_count

    def _throw(self, now: float) -> None:
        """Throw the dice in the tray again if others were set aside in this turn, else all that the game needs."""
        table = self._table
        count = len(table.planned_dice)
        if table.is_new_turn or not table.aside or not count:
            count, table.aside = table.wanted_count or self._count, ()
        table.throw_dice(count, self._rng, now)

    def _throw_aside(self, now: float) -> None:
        """Throw the dice that were set aside beside the others, which stay where they lie."""
        count = len(self._table.aside)
        if count:
            self._table.aside = ()
            self._table.throw_dice(count, self._rng, now, leave=self._table.planned_dice)

    def wheel(self, steps: float, x: float, y: float, now: float) -> None:
        """Throw more (`steps` above 0) or fewer dice the next time, where the game takes any number."""
        self._at = float(x), float(y)
        self._change_count(round(steps))

    def _change_count(self, steps: int) -> None:
        self._count = min(MAX_DICE, max(1, self._count + steps))

    def _clear(self, now: float) -> None:
        self._table.pick_up_all(now)

    def _find_die(self) -> TrayDie | None:
        """Return the die under the mouse."""
        at = self._optics.to_table(self._at, self._table.die_size)
        near = [d for d in self._table.planned_dice if math.dist(at, d.footprint.center) < 0.7 * d.footprint.size_mm]
        return min(near, key=lambda die: math.dist(at, die.footprint.center), default=None)

    def _find_aside(self) -> int | None:
        """Return the value of the die beside the tray that is under the mouse."""
        size, places = self._table.die_size, self._table.locate_aside(len(self._table.aside))
        at = self._optics.to_table(self._at, size)
        found = (value for value, place in zip(self._table.aside, places, strict=True) if math.dist(at, place) < size)
        return next(found, None)
