"""Mouse and keyboard control of a simulated tray.

Positions are pixels of the camera's frame, regardless of the size at which it is displayed.
"""

import math
import random

from companion.games.macroscope.simulator.board import ImpossibleAction
from companion.games.macroscope.simulator.mouse import MouseButton
from companion.i18n import N_
from companion.simulation.dice_tray.placing import FullTray
from companion.simulation.dice_tray.table import MAX_DICE, DiceTrayTable, TrayDie
from companion.simulation.optics import Optics

FIRST_COUNT = 5
"""Number of dice thrown first, until the wheel changes it."""


class DiceTrayMouse:
    """Translates mouse and key events to actions on the table; impossible actions are ignored.

    Args:
        table: The table to act on.
        optics: The camera whose pixels the events refer to.
        rng: Random generator of throws.
    """

    def __init__(self, table: DiceTrayTable, optics: Optics, rng: random.Random) -> None:
        self._table, self._optics, self._rng = table, optics, rng
        self._at = (0.0, 0.0)
        self._count = FIRST_COUNT
        self._out: tuple[int, ...] = ()
        """Values of the dice that were clicked out of the tray."""
        self._holding = False

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

    def press(self, button: int, x: float, y: float, now: float) -> None:
        """Handle a mouse button that went down at a pixel of the frame; `now` in seconds."""
        self.move(x, y, now)
        try:
            if button == MouseButton.MIDDLE:
                self._hold(now)
            elif button == MouseButton.RIGHT and self._out:
                count, self._out = len(self._out), ()
                self._table.throw_dice(count, self._rng, now, leave=self._table.planned_dice)
            elif button == MouseButton.LEFT and (die := self._find_die()) is not None:
                self._out += (die.value,)
                self._table.take((die,), now)
            elif button == MouseButton.LEFT:
                # Dice taken out are set aside, as long as others lie there.
                in_tray = len(self._table.planned_dice)
                self._out = self._out if in_tray else ()
                self._table.throw_dice(in_tray if self._out else self._count, self._rng, now)
        except (ImpossibleAction, FullTray):
            return

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
        """Throw more (`steps` above 0) or fewer dice the next time."""
        self._at = float(x), float(y)
        self._count = min(MAX_DICE, max(1, self._count + round(steps)))

    def key(self, name: str, down: bool, now: float) -> None:
        """Handle a key by its name: "c" takes all dice out, "h" holds a hand over the table while it is down."""
        if name == "c" and down:
            self._out = ()
            self._table.pick_up_all(now)
        elif name == "h" and down:
            self._hold(now)
        elif name == "h":
            self._withdraw(now)

    def _find_die(self) -> TrayDie | None:
        """Return the die under the mouse."""
        at = self._optics.to_table(self._at, self._table.die_size)
        near = [d for d in self._table.planned_dice if math.dist(at, d.footprint.center) < 0.7 * d.footprint.size_mm]
        return min(near, key=lambda die: math.dist(at, die.footprint.center), default=None)

    def _hold(self, now: float) -> None:
        self._holding = True
        self._table.hold_hand_over(self._optics.to_table(self._at), now)

    def _withdraw(self, now: float) -> None:
        if self._holding:
            self._holding = False
            self._table.withdraw_hand(now)
