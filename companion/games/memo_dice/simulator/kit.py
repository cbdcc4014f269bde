"""Simulator of Memo Dice: the table with the row of cups, the mouse and the virtual players."""

import random
from collections.abc import Iterable, Sequence
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
from companion.games.memo_dice.state import COVERING_PHASES, MemoDiceState, Phase
from companion.i18n import _
from companion.screen_state import ScreenKind, ScreenState
from companion.simulation.kit import TableKit
from companion.simulation.optics import FrameArea
from companion.simulation.views import TableArrangement, TouchablePlace, show_above_bar

FACE_HEIGHT_RATIO = 0.34
"""Height of a die's face that is shown close up, below the row of cups, as a share of the table's picture."""


ROW_AREA: FrameArea = (44.0, 80.0, 1192.0, 620.0)
"""The part of the frame with the row of cups and the dice above it: as narrow as can be, so that all is large, and
with room below the row for what is shown close up."""


def _unite(areas: Iterable[FrameArea]) -> FrameArea:
    """Return the smallest part of the frame that contains others."""
    edges = [(x, y, x + width, y + height) for x, y, width, height in areas]
    left, top = (min(edge[k] for edge in edges) for k in (0, 1))
    return left, top, max(edge[2] for edge in edges) - left, max(edge[3] for edge in edges) - top


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

    def follow(self, table: MemoDiceTable, state: ScreenState) -> None:
        """Note whether the round is over."""
        view = state.view if state.kind is ScreenKind.PLAY else None
        table.is_round_over = isinstance(view, MemoDiceState) and view.stage is Phase.SCORED

    def arrange(self, table: MemoDiceTable, size: tuple[int, int]) -> TableArrangement:
        """Show the row of cups and the dice above it as wide as the panel, and the bar below."""
        return show_above_bar(ROW_AREA, size)

    def describe_actions(self, table: MemoDiceTable, state: ScreenState) -> str:
        """Say what the game waits for: a die, a cup over it, a cup lifted, or an empty row."""
        view = state.view
        if state.kind is not ScreenKind.PLAY or not isinstance(view, MemoDiceState):
            return ""
        if table.is_round_over and table.row:
            return _("Touch the table: all dice and cups go back")
        if view.phase is Phase.UNCOVER:
            return _("Touch the cup: lift it")
        if table.open_die is not None:
            return _("Touch the open die: its cup covers it")
        return _("Touch the table: roll a die into the row")

    def list_touchable_places(self, table: MemoDiceTable, state: ScreenState) -> Sequence[TouchablePlace]:
        """List the dice outside the row, the open die or the next cup, as the game waits for them."""
        view = state.view
        if state.kind is not ScreenKind.PLAY or state.question is not None or state.menu is not None:
            return ()
        optics, look, row = table.appearance.optics, table.appearance, table.row
        if view.phase is Phase.UNCOVER:
            index = view.next_cup_index
            if view.cup_lifted or index is None or index >= len(row) or row[index].cup is None:
                return ()
            (x, y), radius, heights = table.locate_slot(index), look.mouth_radius_mm, (0.0, look.cup_height_mm)
            around = [(x + dx, y + dy, z) for dx in (-radius, radius) for dy in (-radius, radius) for z in heights]
            return (TouchablePlace("cup", optics.find_area(around)),)
        if view.phase not in (*COVERING_PHASES, Phase.SCORED):
            return ()
        if table.open_die is not None and row and row[-1].cup is None:
            x, y = row[-1].placed_die.center[:2]
            return (TouchablePlace("die", optics.find_square((x, y), 0.7 * look.die_size_mm, look.die_size_mm)),)
        if table.is_round_over and row:
            squares = (optics.find_square(table.locate_slot(k), look.mouth_radius_mm, 0.0) for k in (0, len(row) - 1))
            return (TouchablePlace("row", _unite(squares)),)
        dice = [die.center[:2] for die in table.unused_dice]
        squares = (optics.find_square(place, 0.7 * look.die_size_mm, look.die_size_mm) for place in dice)
        return (TouchablePlace("dice", _unite(squares)),) if dice else ()

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
