"""Simulator of Memo Dice: the table with the row of cups, the mouse and the virtual players."""

import random
from typing import Any

import numpy as np
import numpy.typing as npt

from companion.api import Game
from companion.events import MemoColour
from companion.games.memo_dice.simulator.mouse import MemoDiceMouse
from companion.games.memo_dice.simulator.objects import DieFace, MemoDiceAppearance
from companion.games.memo_dice.simulator.player import MemoDicePlayers
from companion.games.memo_dice.simulator.render import draw_face
from companion.games.memo_dice.simulator.table import MemoDiceRenderer, MemoDiceTable, create_memo_dice_table
from companion.games.memo_dice.state import COVERING_PHASES, MemoDiceState
from companion.screen_state import ScreenState
from companion.simulation.kit import TableKit

FACE_HEIGHT_RATIO = 0.34
"""Height of a die's face that is shown close up, below the row of cups, as a share of the table's picture."""


class MemoDiceKit(TableKit[MemoDiceTable]):
    """The table with nine dice and ten cups."""

    create_mouse = MemoDiceMouse
    create_players = MemoDicePlayers

    def create_table(self, rng: random.Random) -> tuple[MemoDiceTable, MemoDiceRenderer]:
        """Create a table as at the start of a game, and its renderer; `rng` decides on all that is random."""
        return create_memo_dice_table(MemoDiceAppearance(), rng)

    def lay_out(self, table: MemoDiceTable, game: Game, rng: random.Random) -> None:
        """Lay the cups that nobody has won in an interrupted game."""
        if isinstance(game, MemoDiceState):
            table.lay_cups(tuple(MemoColour(cup.colour) for cup in game.cup_row if cup.owner is None), rng)

    def find_close_up(self, table: MemoDiceTable, state: ScreenState) -> DieFace | None:
        """Return the face of the die that all look at; None: there is none.

        That is the die that lies open at the end of the row (D10), or the one whose cup was lifted to see who is right
        (D21).
        """
        view = state.view
        if not isinstance(view, MemoDiceState):
            return None
        lifted = view.next_cup_index if view.cup_lifted else None
        index = len(table.row) - 1 if view.phase in COVERING_PHASES else lifted
        is_open = index is not None and 0 <= index < len(table.row) and table.row[index].cup is None
        return table.row[index].placed_die.top if is_open and index is not None else None

    def draw_close_up(self, close_up: Any, height: int) -> npt.NDArray[np.uint8]:
        """Draw the face."""
        return draw_face(close_up, round(height * FACE_HEIGHT_RATIO), MemoDiceAppearance())


KIT = MemoDiceKit()
