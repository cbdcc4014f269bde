"""Simulator of Macroscope: the table with lid and dice, the mouse and the virtual players."""

import random
from collections import Counter
from typing import Any

import numpy as np
import numpy.typing as npt

from companion.api import Game
from companion.games.macroscope.simulator.appearance import MacroscopeAppearance
from companion.games.macroscope.simulator.cards import draw_card
from companion.games.macroscope.simulator.mouse import MacroscopeMouse
from companion.games.macroscope.simulator.player import MacroscopePlayers
from companion.games.macroscope.simulator.render import MacroscopeRenderer
from companion.games.macroscope.simulator.table import MacroscopeTable
from companion.games.macroscope.state import MacroscopeState, Phase
from companion.screen_state import ScreenKind, ScreenState
from companion.simulation.kit import TableKit

DIE_VALUES = (1, 6)
"""Lowest and highest value of a die: an open move with this range is a throw."""
CARD_HEIGHT_RATIO = 0.5
"""Height of a card that is turned up, as a share of the height of the table's picture."""
CARD_ASPECT = 1.28
"""Width of a card, as a multiple of its height."""


def create_macroscope_table(
    appearance: MacroscopeAppearance, rng: random.Random
) -> tuple[MacroscopeTable, MacroscopeRenderer]:
    """Create a Macroscope table and its renderer, both of one appearance; `rng` decides on all that is random."""
    table = MacroscopeTable(rng, appearance.layout, appearance.die_size_mm)
    return table, MacroscopeRenderer(appearance, rng.getrandbits(32))


def find_dice_count(state: ScreenState) -> int | None:
    """Return how many dice the game waits for; None: it waits for no throw, or the camera does not play in it."""
    if state.kind is not ScreenKind.PLAY or not state.uses_camera or state.view is None:
        return None
    wanted = (move.value_range for move in state.view.list_moves() if move.value_range is not None)
    return next((values.count for values in wanted if (values.low, values.high) == DIE_VALUES), None)


class MacroscopeKit(TableKit[MacroscopeTable]):
    """The table with the lid; other games throw their dice on it, too."""

    create_mouse = MacroscopeMouse
    create_players = MacroscopePlayers

    def create_table(self, rng: random.Random) -> tuple[MacroscopeTable, MacroscopeRenderer]:
        """Create a table as at the start of a game, and its renderer; `rng` decides on all that is random."""
        return create_macroscope_table(MacroscopeAppearance(), rng)

    def lay_out(self, table: MacroscopeTable, game: Game, rng: random.Random) -> None:
        """Take the tokens off that an interrupted game has beside the lid."""
        if not isinstance(game, MacroscopeState):
            return
        board, tokens_left = table.board, Counter(dict(enumerate(game.tokens, 1)))
        for window, number in enumerate(board.numbers):
            if number is not None:
                tokens_left[number] -= 1
                if tokens_left[number] < 0:
                    board = board.take_token(window)
        table.lay_tokens(board)

    def follow(self, table: MacroscopeTable, state: ScreenState) -> None:
        """Note how many dice the mouse throws."""
        table.dice_count = find_dice_count(state) or table.dice_count

    def find_close_up(self, table: MacroscopeTable, state: ScreenState) -> int | None:
        """Return the number of the card, turned up at the reveal (M40); None before."""
        view = state.view
        return table.board.card_number if isinstance(view, MacroscopeState) and view.phase is Phase.REVEAL else None

    def draw_close_up(self, close_up: Any, height: int) -> npt.NDArray[np.uint8]:
        """Draw the card."""
        card_height = round(height * CARD_HEIGHT_RATIO)
        return draw_card(close_up, (round(card_height * CARD_ASPECT), card_height))


KIT = MacroscopeKit()
