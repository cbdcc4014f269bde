"""Simulator of all games with dice in a tray."""

import random

from companion.simulation.appearance import TableAppearance
from companion.simulation.dice_tray.mouse import DiceTrayMouse
from companion.simulation.dice_tray.render import TrayRenderer
from companion.simulation.dice_tray.table import DICE_TRAY as TRAY
from companion.simulation.dice_tray.table import DiceTrayTable
from companion.simulation.kit import TableKit
from companion.simulation.players.dice_tray import DiceTrayPlayers

DIE_SIZE_MM = 16.0
"""Edge length of the dice."""


def create_dice_tray(
    appearance: TableAppearance, rng: random.Random
) -> tuple[DiceTrayTable, TrayRenderer[DiceTrayTable]]:
    """Create a table with a tray and its renderer, both of one appearance; `rng` decides on all that is random."""
    return DiceTrayTable(appearance.die_size_mm), TrayRenderer(appearance, rng.getrandbits(32), TRAY)


class DiceTrayKit(TableKit[DiceTrayTable]):
    """The dice are never laid out for an interrupted game: nobody knows how they lay."""

    create_mouse = DiceTrayMouse
    create_players = DiceTrayPlayers

    def create_table(self, rng: random.Random) -> tuple[DiceTrayTable, TrayRenderer[DiceTrayTable]]:
        """Create an empty tray, and its renderer; `rng` decides on all that is random."""
        return create_dice_tray(TableAppearance(die_size_mm=DIE_SIZE_MM), rng)


DICE_TRAY = DiceTrayKit()
