"""Words of a StarFall game that its scene and its rules share: symbols, phases, a payment, a player's score."""

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
