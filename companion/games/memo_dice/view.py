"""View of a Memo Dice game for the screen: all that lies on the table.

The stored state holds no symbol, and for the die under the golden cup not even its colour (D14): it was never entered.
"""

from dataclasses import dataclass
from enum import StrEnum

from companion.events import MemoColour
from companion.games.api.game import Seat


class Phase(StrEnum):
    """Where in a round the game is."""

    COVER = "cover"  # D10 to D14: the player on turn rolls a die and covers it
    LOOK = "look"  # D10, A8: a die lies open, while the house timer for looking runs
    UNCOVER = "uncover"  # D20 to D25: the guesser names what is under the next cup, then lifts it
    SCORED = "scored"  # D30 to D33: the pieces are moved
    OVER = "over"  # D32


SYMBOL_COLOURS = (MemoColour.RED, MemoColour.BLUE, MemoColour.BLACK)
"""Colours that a symbol can have."""


@dataclass(frozen=True, slots=True)
class Cup:
    """A cup in the row, over its die."""

    colour: MemoColour
    owner: Seat | None = None
    """Who has it (D22, D23); None: it is still down."""
    is_die_unknown: bool = False
    """D40: its die was knocked over, and nobody knows the face."""
    picture_number: int = 0
    """Number within the round of the picture that the camera took of its die, which stays secret until the cup is
    lifted; 0: the die was entered by hand."""


@dataclass(frozen=True, slots=True)
class MemoDiceView:
    """All that the screen shows of a game."""

    phase: Phase
    active_seat: Seat
    """Who rolls, guesses (D20), or starts the next round (D33)."""
    left_neighbour: Seat
    """D23: who gets the cup on a miss, and goes on."""
    round_number: int
    start_square: int
    target_square: int
    squares: tuple[int, ...]
    """By seat; counted on beyond the target square."""
    cup_row: tuple[Cup, ...]
    """In the order in which the dice were covered (D10)."""
    next_cup_index: int | None
    """Index of the cup that is lifted next; None: none is."""
    open_colour: MemoColour | None
    """In LOOK: the cup that will cover the open die; never a golden cup's die's own colour."""
    symbol_named: bool
    """D21: the symbol is named, the cup may be lifted."""
    cup_lifted: bool
    """D21: the camera has seen the next cup lifted; whether the answer was right is still to be entered."""
    free_cups: tuple[int, ...]
    """Red, blue and black cups that are left."""
    cups_per_colour: int
    dice_count: int
    dice_left: int
    """Dice not yet rolled in this round."""
    points: tuple[int, ...]
    """By seat: what the cups of this round are worth (D30)."""
    round_scores: tuple[tuple[int, ...], ...]
    """Earlier rounds' points, by round and seat; the last is this round's once it is scored."""
    gold_holder: Seat | None
    """Who has the golden cup; None: it is not won yet."""
    away: tuple[bool, ...]
    """By seat: who has left the table."""
