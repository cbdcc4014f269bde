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


def _list_cups(game: MemoDiceState) -> list[MemoColour | None]:
    """List the cup of each slot of the game's row; None: its die lies open."""
    lifted = game.next_cup_index if game.cup_lifted else None
    cups = [
        None if cup.owner is not None or index == lifted else MemoColour(cup.colour)
        for index, cup in enumerate(game.cup_row)
    ]
    return cups if game.open_colour is None else [*cups, None]


def _measure_progress(game: MemoDiceState) -> tuple[int, int, int, int, int]:
    """Return the round, its covered dice, open ones, cups won and cups lifted: less than before after an undo."""
    won = sum(cup.owner is not None for cup in game.cup_row)
    return game.round_number, len(game.cup_row), int(game.open_colour is not None), won, int(game.cup_lifted)


class MemoDiceKit(TableKit[MemoDiceTable]):
    """The table with nine dice and ten cups."""

    create_mouse = MemoDiceMouse
    create_players = MemoDicePlayers

    def create_table(self, rng: random.Random) -> tuple[MemoDiceTable, MemoDiceRenderer]:
        """Create a table as at the start of a game, and its renderer; `rng` decides on all that is random."""
        return create_memo_dice_table(MemoDiceAppearance(), rng)

    def lay_out(self, table: MemoDiceTable, game: Game, rng: random.Random) -> None:
        """Lay the row of an interrupted game: dice whose cups are won lie open."""
        if isinstance(game, MemoDiceState) and game.stage is not Phase.SCORED:
            table.lay_cups(_list_cups(game))

    def follow(self, table: MemoDiceTable, state: ScreenState) -> None:
        """Do on the table what a key did in the game: nobody can reach into a simulated one.

        Dice and cups that the table is ahead of the game stay: the camera is to read them.
        """
        view = state.view
        if state.kind is not ScreenKind.PLAY or not isinstance(view, MemoDiceState):
            return
        is_over = view.stage is Phase.SCORED
        if is_over and not table.is_round_over:
            table.is_row_scored = bool(table.row)
        table.is_round_over, table.next_cup = is_over, view.next_cup_index
        if table.is_busy(table.now) or (is_over and not table.is_row_scored):
            return
        before, table.followed = table.followed, _measure_progress(view)
        cups = _list_cups(view)
        if table.followed < before and not is_over:
            table.lay_cups(cups)  # an undo, or another game
        elif table.is_row_scored and not is_over:
            table.clear(table.now)
        elif not self._match_cups(table, view) and len(table.row) < len(cups):
            self._add_dice(table, view, cups)

    @staticmethod
    def _add_dice(table: MemoDiceTable, view: MemoDiceState, cups: Sequence[MemoColour | None]) -> None:
        """Add the dice that were entered by keys: a single one is rolled, so that all see it."""
        if view.phase in COVERING_PHASES and len(table.row) == len(cups) - 1:
            table.roll(table.rng, table.now, colour=cups[-1] if view.open_colour is None else view.open_colour)
        else:
            table.lay_cups(cups)

    @staticmethod
    def _match_cups(table: MemoDiceTable, view: MemoDiceState) -> bool:
        """Lift or place the first cup that is not as in the game; the one that is asked for is the players' to lift.

        Returns:
            Whether there was one.
        """
        for index, (slot, cup) in enumerate(zip(table.row, view.cup_row, strict=False)):
            wanted = None if cup.owner is not None else MemoColour(cup.colour)
            if slot.cup is wanted or index == table.next_cup:
                continue
            if wanted is None:
                table.lift(index, table.now)
            elif slot.cup is None and wanted in table.free_cups:
                table.cover(wanted, table.now, index)
            else:
                table.lay_cups(_list_cups(view))
            return True
        return False

    def arrange(self, table: MemoDiceTable, size: tuple[int, int]) -> TableArrangement:
        """Show the row of cups and the dice above it as wide as the panel, and the bar below."""
        return show_above_bar(ROW_AREA, size)

    def describe_actions(self, table: MemoDiceTable, state: ScreenState) -> str:
        """Say what the game waits for: a die, a cup over it, a cup lifted, or an empty row."""
        view = state.view
        if state.kind is not ScreenKind.PLAY or not isinstance(view, MemoDiceState):
            return ""
        if table.is_row_scored and table.row:
            return _("Touch the table: all dice and cups go back")
        if view.next_cup_index is not None:
            is_covered = any(slot.cup is not None for slot in table.row[view.next_cup_index : view.next_cup_index + 1])
            return _("Touch the cup: lift it") if is_covered else ""
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
        if table.is_row_scored and row:
            squares = (optics.find_square(table.locate_slot(k), look.mouth_radius_mm, 0.0) for k in (0, len(row) - 1))
            return (TouchablePlace("row", _unite(squares)),)
        dice = [die.center[:2] for die in table.unused_dice.values()]
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
        index = view.next_cup_index if view.cup_lifted else None
        if view.phase in COVERING_PHASES and not table.is_row_scored and len(table.row) > len(view.cup_row):
            index = len(table.row) - 1
        is_open = index is not None and index < len(table.row) and table.row[index].cup is None
        return table.row[index].placed_die.top if is_open and index is not None else None

    def draw_close_up(self, close_up: Any, height: int) -> npt.NDArray[np.uint8]:
        """Draw the face."""
        return draw_face(close_up, round(height * FACE_HEIGHT_RATIO), MemoDiceAppearance())


KIT = MemoDiceKit()
