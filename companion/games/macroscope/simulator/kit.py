"""Simulator of Macroscope: the table with lid and dice, the mouse and the virtual players."""

import math
import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from companion.api import LATE_PRESS_SECONDS, Game
from companion.games.macroscope.simulator.appearance import MacroscopeAppearance
from companion.games.macroscope.simulator.board import TOKEN_NUMBERS
from companion.games.macroscope.simulator.cards import draw_card
from companion.games.macroscope.simulator.lid import LID_HEIGHT_MM, TOKEN_HEIGHT_MM
from companion.games.macroscope.simulator.mouse import MacroscopeMouse
from companion.games.macroscope.simulator.player import MacroscopePlayers
from companion.games.macroscope.simulator.render import MacroscopeRenderer
from companion.games.macroscope.simulator.table import LID_ROOM_MM, MacroscopeTable
from companion.games.macroscope.simulator.tray import TRAY_CENTER_MM, TRAY_HALF_WIDTH_MM
from companion.games.macroscope.state import MacroscopeState, Phase
from companion.i18n import _
from companion.screen_state import ScreenKind, ScreenState
from companion.simulation.dice_tray.render import RIM_HEIGHT_MM, RIM_WIDTH_MM
from companion.simulation.kit import TableKit, find_throw
from companion.simulation.optics import FrameArea, Optics
from companion.simulation.views import GAP_RATIO, TableArrangement, TouchablePlace, fit_view

CARD_HEIGHT_RATIO = 0.75
"""Height of a card that is turned up, as a share of the height of the table's picture."""
CARD_ASPECT = 1.28
"""Width of a card, as a multiple of its height."""
TRAY_HEIGHT_RATIO = 0.55
"""Side of the tray's picture as a share of the panel's height: at 1080 a die has 60 pixels, and a token 90."""
TRAY_WIDTH_RATIO = 0.6
"""Largest side of the tray's picture as a share of the panel's width."""
LID_VIEW_LIMITS: FrameArea = (-520.0, 0.0, 1235.0, 720.0)
"""The part of the frame that is shown around the lid: up to the tokens beside it, which have a picture of their own."""
TAKE_TOKEN = "remove"
"""Kind of the move that takes a token off."""


def create_macroscope_table(
    appearance: MacroscopeAppearance, rng: random.Random
) -> tuple[MacroscopeTable, MacroscopeRenderer]:
    """Create a Macroscope table and its renderer, both of one appearance; `rng` decides on all that is random."""
    table = MacroscopeTable(rng, appearance.layout, appearance.die_size_mm)
    return table, MacroscopeRenderer(appearance, rng.getrandbits(32))


class MacroscopeKit(TableKit[MacroscopeTable]):
    """The table with the lid; other games throw their dice on it, too."""

    create_mouse = MacroscopeMouse
    create_players = MacroscopePlayers
    _optics = Optics()

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
        """Note how many dice the mouse throws, lay the card of the round, and cover the lid at the round's end.

        A hand does so once nobody can guess late any more: a press for it would decide nothing.
        """
        throw = find_throw(state)
        if throw is not None and throw.value_range is not None:
            table.dice_count = throw.value_range.count
        view = state.view if state.kind is ScreenKind.PLAY else None
        table.is_to_be_covered = isinstance(view, MacroscopeState) and view.phase is Phase.COVER
        # In the lesson the windows wait: the guess is about to be undone.
        is_lesson = state.guide is not None and state.guide.is_strict
        if not table.is_to_be_covered or is_lesson or all(table.board.windows):
            table.covers_at = None
        elif table.covers_at is None:
            table.covers_at = table.now + LATE_PRESS_SECONDS
        if state.kind in {ScreenKind.FIRST, ScreenKind.LESSON}:
            table.shuffle_cards()
        elif isinstance(view, MacroscopeState) and view.phase is not Phase.OVER:
            # The card of a void round (M50) lies below the windows until they are covered.
            is_void = view.phase is Phase.COVER and not view.guessers
            table.lay_card(view.cards_used - is_void)
            if view.phase is not Phase.ROLL:
                table.turned_up_card = table.board.card_number if view.phase is Phase.REVEAL else None
            if view.phase is Phase.REVEAL:
                table.cover_at_once()

    def arrange(self, table: MacroscopeTable, size: tuple[int, int]) -> TableArrangement:
        """Show the tray, beside it the bar and the tokens that were taken, and below them the lid."""
        width, height = size
        gap = max(2, round(GAP_RATIO * height))
        side = round(min(TRAY_HEIGHT_RATIO * height, TRAY_WIDTH_RATIO * width))
        left, optics = side + gap, self._optics
        x, y = TRAY_CENTER_MM
        tray = optics.find_square((x, y), TRAY_HALF_WIDTH_MM + RIM_WIDTH_MM + 1.0, RIM_HEIGHT_MM)
        beside = [table.locate_removed_token(k) for k in (0, len(TOKEN_NUMBERS) - 1)]
        margin = table.shape.token_radius + 2.0
        corners = [(x + d, y + d, TOKEN_HEIGHT_MM) for (x, y), d in zip(beside, (-margin, margin), strict=True)]
        tokens = optics.find_area(corners)
        tokens_height = round((width - left) * tokens[3] / tokens[2])
        return TableArrangement(
            (
                fit_view(tray, (0, 0, side, side)),
                fit_view(tokens, (left, side - tokens_height, width - left, tokens_height)),
                fit_view(self._find_lid_area(table), (0, side + gap, width, height - side - gap), LID_VIEW_LIMITS),
            ),
            (left, 0, width - left, side - tokens_height - gap),
        )

    def _find_lid_area(self, table: MacroscopeTable) -> FrameArea:
        """Find the part of the frame in which the lid may lie, as it is turned now."""
        (width, height), (_, rows) = table.shape.size, LID_ROOM_MM
        turn = math.radians(table.lid.angle_deg)
        a, b = (abs(f(turn)) for f in (math.cos, math.sin))
        half_width, half_height = (a * width + b * height) / 2 + 2.0, (a * height + b * width) / 2 + 2.0
        x = table.lid.x
        return self._optics.find_area(
            [(x + dx, y + dy, LID_HEIGHT_MM) for y, dy in zip(rows, (-half_height, half_height), strict=True)
             for dx in (-half_width, half_width)]
        )  # fmt: skip

    def describe_actions(self, table: MacroscopeTable, state: ScreenState) -> str:
        """Say what the game waits for: a throw, a guess, or a token; what covers the windows stands on the display."""
        view = state.view
        if state.kind is not ScreenKind.PLAY:
            return ""
        if (throw := find_throw(state)) is not None:
            return _("{who}: touch the tray to roll the dice", who=state.players[throw.player].name)
        kinds = {move.kind for move in view.list_moves()}
        if isinstance(view, MacroscopeState) and (view.phase is Phase.ASKING or "guess" in kinds):
            price = view.guess_cost if view.phase is Phase.ASKING else 0
            paid = _(
                "Know the picture? Press your key and say it: pay {payee} {cost}, then win {n} or lose up to {n}",
                payee=state.players[view.payee].name,
                cost=price,
                n=view.guess_value,
            )
            free = _("Know the picture? Press your key and say it: win {n} or lose up to {n}", n=view.guess_value)
            return paid if price else free
        if TAKE_TOKEN in kinds:
            if all(table.board.windows):
                return _("Touch a token: it comes off, and you see a bit of the picture to guess")
            return _("Touch a token: it comes off. Touch an open window: it goes back")
        return ""

    def list_touchable_places(self, table: MacroscopeTable, state: ScreenState) -> Sequence[TouchablePlace]:
        """List the tray, the tokens that may be taken, or the lid, as the game waits for them."""
        if state.kind is not ScreenKind.PLAY or state.question is not None or state.menu is not None:
            return ()
        if find_throw(state) is not None:
            return (TouchablePlace("tray", self._optics.find_square(TRAY_CENTER_MM, TRAY_HALF_WIDTH_MM, 0.0)),)
        if table.is_to_be_covered:
            return (TouchablePlace("lid", self._find_lid_area(table)),)
        numbers = {move.value[0] for move in state.view.list_moves() if move.kind == TAKE_TOKEN and move.value}
        radius = table.shape.token_radius
        squares = (
            self._optics.find_square(table.lid.to_table(table.shape.windows[window]), radius, LID_HEIGHT_MM)
            for number in sorted(numbers)
            for window in table.board.find_windows(number)
        )
        return [TouchablePlace("token", square) for square in squares]

    def find_close_up(self, table: MacroscopeTable, state: ScreenState) -> int | None:
        """Return the number of the card, turned up at the reveal (M40) and beside the result; None before.

        It stays until the next roll, for people to look at after the verdict. Without dice the lid below it is needed.
        """
        view = state.view
        if not isinstance(view, MacroscopeState):
            return None
        if view.phase is Phase.ROLL:
            return table.turned_up_card
        return table.board.card_number if view.phase in {Phase.REVEAL, Phase.OVER} else None

    def draw_close_up(self, close_up: Any, height: int) -> npt.NDArray[np.uint8]:
        """Draw the card."""
        card_height = round(height * CARD_HEIGHT_RATIO)
        return draw_card(close_up, (round(card_height * CARD_ASPECT), card_height))


KIT = MacroscopeKit()
