"""Public view of a StarFall game: everything, as all lies open but the order of the pile, which nobody knows."""

from dataclasses import dataclass
from enum import StrEnum

from companion.games.api.game import Seat
from companion.i18n import N_

SYMBOLS = (
    *(N_("stars"), N_("planets"), N_("moons"), N_("black holes"), N_("comets")),
    *(N_("red nebulae"), N_("blue nebulae"), N_("green nebulae"), N_("yellow nebulae"), N_("purple nebulae")),
)
"""F30 to F35: what is counted on a player's page, in this order; `symbol_counts` have it, too."""
NEBULA_COLOURS = (N_("red"), N_("blue"), N_("green"), N_("yellow"), N_("purple"))
"""The five nebula colours in the order of `SYMBOLS`. Which is which makes no difference to the points."""
FIRST_NEBULA_INDEX = 5
"""Index of the first nebula in `SYMBOLS`."""


class ScoreKind(StrEnum):
    """What the numbers beside the players' names are."""

    DUST = "dust"
    POINTS_SO_FAR = "points so far"  # without the bonus for most stars (F30)
    POINTS = "points"


class Phase(StrEnum):
    """Phases of a game; the values are the names of samples and clocks."""

    TURN = "turn"  # F10 to F12: add, move or discover
    NAMING = "naming"  # F10: a tile is added, and people say which one of the catalogue it is
    PAY = "pay"  # F13: how a tile is paid for
    CHOOSE = "choose"  # after the end: whose tiles are counted next
    PAGE = "page"  # one player's tiles are being counted
    TABLE = "table"  # all are counted: the scores line by line, to look at
    OVER = "over"


@dataclass(frozen=True, slots=True)
class BoardTile:
    """A tile on the board."""

    space: int
    """Number of its space, which is its price."""
    symbol_counts: tuple[int, ...]
    """As in `SYMBOLS`; empty if unknown."""
    number_key: int
    """The key (1 to 3) that takes it; the key three further moves it. 0: it stands on another page."""
    is_payable: bool
    """F12: whether the active player can pay for it."""


@dataclass(frozen=True, slots=True)
class PaymentView:
    """F13: the payment for a tile, in stardust."""

    price: int
    dust: int
    tile_values: tuple[int, ...]
    """What each own tile pays; 0: not stated."""
    is_enough: bool
    is_excessive: bool
    """A7: a tile, or one dust, could be left out."""


@dataclass(frozen=True, slots=True)
class PlayerScore:
    """One player's count, and what each part of it is worth."""

    seat: Seat
    symbol_counts: tuple[int, ...]
    """As in `SYMBOLS`."""
    dust: int
    points: tuple[int, ...]
    """Planets, moons, black holes, comets, nebulae, dust."""
    majority_bonus: int
    """F30; 0 until all are counted."""
    adjustment: int
    """What corrections add to the total."""
    is_counted: bool
    is_away: bool

    @property
    def total(self) -> int:
        """Points with the bonus and the adjustment; 0 for a player who is away."""
        return 0 if self.is_away else sum(self.points) + self.majority_bonus + self.adjustment


@dataclass(frozen=True, slots=True)
class StarFallView:
    """What the screen shows of a game."""

    phase: Phase
    active_seat: Seat
    dust: tuple[int, ...]
    """By seat."""
    tile_counts: tuple[int, ...]
    """How many tiles each player owns."""
    top_space: int
    board: tuple[BoardTile, ...]
    """Dearest first."""
    is_board_full: bool
    pile_size: int
    end_text: str
    """Why the game ended, translated, without a full stop; empty while it goes on."""
    is_last_tile: bool
    """F20: the pile is empty, and with one tile less on the board the game is over."""
    payment: PaymentView | None
    choice_labels: tuple[str, ...]
    """In NAMING: labels of the keys 1 to 6."""
    choice_symbol_counts: tuple[tuple[int, ...], ...]
    """In NAMING, if the keys stand for tiles: what is printed on each, as in `SYMBOLS`."""
    counting_seat: Seat | None
    """Whose tiles are being counted."""
    line_index: int
    """The line of that page, as in `SYMBOLS`."""
    player_scores: tuple[PlayerScore, ...]
    """By seat, from the end of the game on, or while the running score is shown."""
    score_kind: ScoreKind
    changes: tuple[int, ...]
    """By seat: what the last move added to these scores; 0 where their kind has changed."""
