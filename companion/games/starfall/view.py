"""What may be shown of a StarFall game: everything, for all lies open but the order of the pile, which nobody knows."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from companion.games.api.game import Outcome, Seat
from companion.i18n import N_

SYMBOLS = (
    *(N_("stars"), N_("planets"), N_("moons"), N_("black holes"), N_("comets")),
    *(N_("red nebulae"), N_("blue nebulae"), N_("green nebulae"), N_("yellow nebulae"), N_("purple nebulae")),
)
"""What is counted on a player's page, in this order."""
NEBULA_COLOURS = (N_("red"), N_("blue"), N_("green"), N_("yellow"), N_("purple"))
"""Names for the five nebula colours. Which is which makes no difference to the points."""
FIRST_NEBULA_INDEX = 5


class Phase(StrEnum):
    """Where the game is."""

    TURN = "turn"  # F10 to F12: add, move or discover
    NAMING = "naming"  # a tile is added, and people say which one of the catalogue it is
    PAY = "pay"  # F13: how a tile is paid for
    CHOOSE = "choose"  # after the end: whose tiles are counted next
    PAGE = "page"  # one player's tiles are being counted
    TABLE = "table"  # all are counted: the scores line by line, to look at
    OVER = "over"


@dataclass(frozen=True, slots=True)
class BoardTile:
    """A tile on the board: its space, which is its price, and its number in the catalogue (0: unknown)."""

    space: int
    tile_number: int
    symbol_counts: tuple[int, ...]
    """As in `LINES`; empty if unknown."""
    number_key: int
    """1, 2, 3 from the dearest: the key that takes it; three more is the key that moves it. 0: on another page."""
    is_payable: bool
    """F12: whether the active player can pay for it."""
    landing_space: int | None
    """F11: where it goes if it is moved; None: it leaves the board."""


@dataclass(frozen=True, slots=True)
class PaymentView:
    """F13: what is on the way to the bank."""

    space: int
    price: int
    dust: int
    tile_values: tuple[int, ...]
    """What each own tile pays; 0: not said."""
    is_enough: bool
    is_excessive: bool
    """Something of it could stay with the player."""


@dataclass(frozen=True, slots=True)
class PlayerScore:
    """One player's count, and what each part of it is worth."""

    seat: Seat
    symbol_counts: tuple[int, ...]
    """As in `LINES`."""
    dust: int
    points: tuple[int, ...]
    """Planets, moons, black holes, comets, nebulae, dust."""
    majority_bonus: int
    """F30; 0 until all are counted."""
    adjustment: int
    """What people added to the total, or took away."""
    total: int
    is_counted: bool
    is_away: bool


@dataclass(frozen=True, slots=True)
class StarFallView:
    phase: Phase
    active_seat: Seat
    dust: tuple[int, ...]
    """By seat."""
    tile_counts: tuple[int, ...]
    """How many tiles each player owns."""
    away: tuple[bool, ...]
    top_space: int
    board: tuple[BoardTile, ...]
    """Dearest first."""
    is_board_full: bool
    pile_size: int
    discard_count: int
    turn_number: int
    end_reason: str
    """Why the game ended, in one sentence; empty while it goes on."""
    is_last_tile: bool
    """The pile is empty: with one more tile gone it may be over (F20)."""
    payment: PaymentView | None
    choice_labels: tuple[str, ...]
    """While a tile is named: what the keys 1 to 6 stand for."""
    choice_symbol_counts: tuple[tuple[int, ...], ...]
    """While a tile is named, and the keys stand for tiles: their counts."""
    counting_seat: Seat | None
    """Whose tiles are being counted."""
    line_index: int
    """Which of `LINES`."""
    player_scores: tuple[PlayerScore, ...]
    """By seat, from the end of the game on, or while the running score is shown."""
    score_kind: str
    """What stands beside the names: "dust", "points so far" or "points"."""
    changes: tuple[int, ...]
    """By seat: what the last move gave or took of that."""
    outcome: Outcome | None
